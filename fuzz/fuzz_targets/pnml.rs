//! Any bytes: decoding, reading and drawing do not panic, places lie within the text, and what is read,
//! be it a document or properties, can be written and read again; a document means a net, and the net can
//! be written as a document again, or what keeps it from that is said.
//!
//! Start from files: `cargo +nightly fuzz run pnml corpus/pnml ../crates/pnml/tests/nets
//! ../crates/pnml/tests/gallery`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use diagnostics::{Report};
use pnml::{Limits, decode, from_net, properties, read, to_net, write};

fn check(errors: &Report, text: &str) {
    for error in errors.iter() {
        for label in &error.labels {
            assert!(text.get(label.span.clone()).is_some(), "{error:?}");
        }
        assert!(pnml::EXPLANATIONS.find(error.code).is_some(), "{error:?}");
    }
    assert!(!errors.render("file", text, true).is_empty());
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode(bytes) else { return };
    // Small limits, so that they are met.
    let limits =
        Limits { class: 1000, product: 100_000, columns: 8, depth: 100, ..Limits::default() };
    match read(&text, &limits) {
        Ok(document) => {
            assert_eq!(read(&write(&document), &limits).as_ref(), Ok(&document));
            match to_net(&document, &text) {
                Ok(net) => {
                    assert_eq!(net.check(), []);
                    if let Ok(again) = from_net(&net) {
                        assert_eq!(to_net(&again, ""), Ok(net));
                    }
                }
                Err(errors) => check(&errors, &text),
            }
        }
        Err(errors) => check(&errors, &text),
    }
    match properties::read(&text, &limits) {
        Ok(list) => assert_eq!(properties::read(&properties::write(&list), &limits), Ok(list)),
        Err(errors) => check(&errors, &text),
    }
});
