//! What must be true of all inputs, one file for each target.

pub(crate) mod engines;
pub(crate) mod lang;
pub(crate) mod pnml;
pub(crate) mod processes;
pub(crate) mod properties;
pub(crate) mod states;
pub(crate) mod traces;

use std::collections::BTreeSet;

use diagnostics::Report;
use net::interpret::{self, Mode};
use net::{Net, TransitionId};
use random::Random;
use trace::{Run, RunStep};

use crate::corpus::paths;

/// Diagnostics lie within the text and can be rendered. Returns their codes.
fn sound(report: &Report, text: &str, is_known: impl Fn(&str) -> bool) -> String {
    for one in report.iter() {
        for label in &one.labels {
            assert!(text.get(label.span.clone()).is_some(), "{one:?}");
        }
        assert!(is_known(one.code), "{one:?}");
        // What is wrong with values given from outside has no place in the text.
        let has_place = one.labels.iter().any(|label| label.primary);
        assert_eq!(one.line > 0 && one.column > 0, has_place, "{one:?}");
    }
    for colour in [false, true] {
        assert_eq!(report.render("file", text, colour).is_empty(), report.is_empty());
    }
    let codes: BTreeSet<&str> = report.iter().map(|one| one.code).collect();
    codes.into_iter().collect::<Vec<_>>().join(" ")
}

/// A message without the names and numbers in it.
fn kind(message: &str) -> String {
    let mut words = message.split_whitespace().filter(|word| {
        word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b',' || byte == b':')
    });
    words.by_ref().take(12).collect::<Vec<_>>().join(" ")
}

/// The models of the project, by name.
fn models() -> Vec<Net> {
    let texts = paths("models", "kin").into_iter().map(std::fs::read_to_string);
    texts
        .map(|text| ::lang::compile(&text.expect("the model can be read"), &[]))
        .map(|compilation| compilation.net.expect("the models are right"))
        .collect()
}

/// A run at random, of at most this many steps.
fn run(net: &Net, steps: usize, random: &mut Random) -> Run {
    let mut run = Run { initial: interpret::initial(net), steps: Vec::new() };
    for _ in 0..steps {
        let transitions = (0..net.transitions.len() as u32).map(TransitionId);
        let modes =
            transitions.flat_map(|id| interpret::modes(net, run.last(), id).expect("no fault"));
        let modes: Vec<Mode> = modes.collect();
        if modes.is_empty() {
            break;
        }
        let mode = random.pick(&modes).clone();
        let step = interpret::fire(net, run.last(), &mode).expect("no fault");
        run.steps.push(RunStep { mode, children: step.children, state: step.state });
    }
    run
}
