//! Any text: compiling, formatting and drawing do not panic, labels lie within the text, what compiles
//! is a thread net, and formatting keeps it.
//!
//! Start from models, with the words of the language:
//! `cargo +nightly fuzz run lang corpus/lang ../models ../crates/lang/tests/corpus -- -dict=lang.dict`.

#![no_main]

use diagnostics::Severity;
use lang::{Override, compile, format};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // What follows the first NUL, if there is one, is a value for the constant `k`.
    let (text, overrides) = match text.split_once('\0') {
        Some((text, value)) => (text, vec![Override { name: "k".into(), value: value.into() }]),
        None => (text, Vec::new()),
    };
    let compilation = compile(text, &overrides);
    for diagnostic in &compilation.diagnostics {
        for label in &diagnostic.labels {
            assert!(text.get(label.span.clone()).is_some(), "{diagnostic:?}");
        }
        assert!(lang::EXPLANATIONS.find(diagnostic.code).is_some(), "{diagnostic:?}");
    }
    let errors = compilation.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(compilation.net.is_none(), errors);
    let drawn = compilation.diagnostics.render("model.kin", text, true);
    assert_eq!(drawn.is_empty(), compilation.diagnostics.is_empty());
    if let Some(net) = &compilation.net {
        assert_eq!(net.check(), []);
        assert_eq!(compile(&lang::write(net), &[]).net.as_ref(), Some(net));
    }
    if let Ok(formatted) = format(text) {
        assert_eq!(format(&formatted).as_ref(), Ok(&formatted));
        assert_eq!(compile(&formatted, &overrides).net, compilation.net);
    } else {
        assert!(compilation.net.is_none());
    }
});
