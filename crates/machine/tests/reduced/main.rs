//! Programs with and without running on: deadlocks, stuck threads, those that can never end, and failures are the same.

#[path = "../../../process/tests/naive/generate.rs"]
#[expect(dead_code, reason = "of other tests")]
mod generate;
mod models;
mod random_programs;
mod text;

use std::collections::BTreeSet;

use budget::Budget;
use check::Prospect;
use explore::{Control, Options, explore};
use machine::{Code, Machine, Survey, compile};
use program::FailureKind;

/// What is found of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    deadlock: bool,
    stuck: bool,
    endless: bool,
    /// What goes wrong, and where it is written.
    failures: BTreeSet<(FailureKind, Option<usize>)>,
}

/// What is found by a machine, and how many states it has; nothing if there are more than a number.
fn found(mut machine: Machine, most: u64) -> Option<(Found, u64)> {
    let options = Options { states: Some(most), ..Options::default() };
    let explored = explore(&mut machine, &options, &mut |_| Control::Continue);
    let Ok(explored) = explored else {
        let failures = BTreeSet::new();
        return Some((Found { deadlock: false, stuck: false, endless: false, failures }, 0));
    };
    if !explored.complete {
        return None;
    }
    let mut survey = Survey::new(&mut machine, &explored);
    let mut lost = |prospect| {
        let hopeless = survey.hopeless(prospect, &Budget::default()).expect("there is no limit");
        hopeless.is_some()
    };
    let (stuck, endless) = (lost(Prospect::Acting), lost(Prospect::Ending));
    let failures = survey.failures().into_iter();
    let start = |origin: net::Origin| origin.range().map(|range| range.start);
    let failures = failures.map(|(_, failure)| (failure.kind, start(failure.origin))).collect();
    let deadlock = survey.deadlock().is_some();
    Some((Found { deadlock, stuck, endless, failures }, explored.states()))
}

/// Compares what is found of a program with and without running on. How many states there are without and with it, and what
/// is found; nothing if there are more than a number.
fn compare(code: &Code, most: u64) -> Option<(u64, u64, Found)> {
    let (expected, states) = found(Machine::new(code), most)?;
    for forgets in [false, true] {
        let mut machine = Machine::reduced(code);
        machine.forgets = forgets;
        let (found, fewer) = found(machine, most).expect("there are no more states");
        assert_eq!(found, expected, "as wholes: {forgets}");
        assert!(fewer <= states, "{fewer} instead of {states} states");
        if forgets {
            return Some((states, fewer, found));
        }
    }
    unreachable!("it was compared")
}

/// A text, compiled; nothing if something in it is refused.
fn code_of(text: &str) -> Option<Code> {
    let compilation = lang::compile(text, &[]);
    let processes = compilation.processes?;
    compile(&processes.program, &compilation.net?, &processes.observed, &[]).ok()
}
