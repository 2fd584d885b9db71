//! Any text: compiling, formatting and drawing do not panic; labels lie within the text; there is a net
//! exactly if there is no error; what compiles is a thread net, which can be written and, unless processes became it,
//! read again; formatting keeps it and does nothing the second time.

use diagnostics::Severity;
use lang::{EXPLANATIONS, Override, compile};

use super::sound;

/// The net without what is named by the lines of a text, and without what is quoted from it.
fn without_lines(mut net: net::Net) -> net::Net {
    if net.listing.take().is_some() {
        net.places.iter_mut().for_each(|place| place.name = "".into());
        for transition in &mut net.transitions {
            transition.name.clear();
            transition.failure = transition.failure.take().map(|_| String::new());
        }
    }
    net
}

pub(crate) fn run(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    // What follows the first NUL, if there is one, is a value for the constant `k`.
    let (text, overrides) = match text.split_once('\0') {
        Some((text, value)) => (text, vec![Override { name: "k".into(), value: value.into() }]),
        None => (&*text, Vec::new()),
    };
    let compilation = compile(text, &overrides);
    let codes = sound(&compilation.diagnostics, text, |code| EXPLANATIONS.find(code).is_some());
    let has_errors = compilation.diagnostics.iter().any(|one| one.severity == Severity::Error);
    assert_eq!(compilation.net.is_none(), has_errors);
    if let Some(net) = &compilation.net {
        assert_eq!(net.check(), [], "not a thread net");
        let written = lang::write(net);
        if compilation.processes.is_none() {
            let again = compile(&written, &[]);
            let drawn = again.diagnostics.render("written.kin", &written, false);
            assert_eq!(again.net.as_ref(), Some(net), "{drawn}{written}");
        }
    }
    match lang::format(text) {
        Ok(formatted) => {
            assert_eq!(lang::format(&formatted).as_ref(), Ok(&formatted), "not idempotent");
            let again = compile(&formatted, &overrides);
            let nets = [&again.net, &compilation.net].map(|net| net.clone().map(without_lines));
            assert_eq!(nets[0], nets[1], "formatting changed the net");
            assert_eq!(again.diagnostics.errors(), compilation.diagnostics.errors());
        }
        Err(report) => {
            assert!(!report.is_empty());
            assert!(compilation.net.is_none(), "it compiles, so it can be formatted");
        }
    }
    match &compilation.net {
        Some(net) => {
            let size = (net.places.len(), net.transitions.len(), net.properties.len());
            format!("ok {size:?} {codes}")
        }
        None => codes,
    }
}
