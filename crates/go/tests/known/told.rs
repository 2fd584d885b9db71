//! How runs of Go programs are told: by statements, with goroutines and objects by the names that they have in the program.

use std::sync::Arc;

use decide::{Checking, Verdict, verify};
use go::{Options, Source};
use trace::Trace;

use crate::collection::programs;

/// The run that is shown of what is wrong with a program, as text.
fn told(name: &str) -> String {
    let known = programs("more").into_iter().find(|known| known.name == name);
    let known = known.expect("it is in the collection");
    let source = Source { name: "main.go", text: &known.text };
    let compiled = go::compile(&[source], &[], &Options::default());
    let net = Arc::new(compiled.net.expect("it is understood"));
    let report = verify(&net, &net.default_properties(), &Checking::default(), &mut |_| {});
    let report = report.expect("it is explored");
    if let Some(fault) = report.fault {
        let (mode, run) = fault.shown.expect("it is shown");
        return Trace { failure: Some((fault.message, mode)), ..run.into() }.text(&net);
    }
    let mut shown = report.outcomes.iter().filter_map(|outcome| match &outcome.verdict {
        Verdict::Fails(Some(evidence)) => Some(evidence.trace.text(&net)),
        _ => None,
    });
    shown.next().expect("something is wrong with it")
}

#[test]
fn locks_are_told_by_who_holds_them() {
    insta::assert_snapshot!(told("transfer_both_ways"));
}

#[test]
fn senders_are_told_to_whom_nobody_listens() {
    insta::assert_snapshot!(told("first_answer"));
}

#[test]
fn panics_are_told_with_what_led_there() {
    insta::assert_snapshot!(told("stopped_twice"));
}
