//! Mistakes in running on: each changes what is found of a program.

mod programs;

use std::collections::BTreeSet;

use budget::Budget;
use check::Prospect;
use explore::{Control, Options, explore};

use super::{Machine, code};
use crate::Survey;
use crate::mistake::{self, Mistake};
use programs::{
    ALIKE, ARRIVAL, ASKED, CHILD, COMMON, DICE, DOWN_AND_UP, ENDED, IDLE, IN_GLOBAL, IN_SET,
    JOINED, MEETING, MET, ORDER, PASSED, POLL, READ, REASSIGNED, ROGUE, ROUND, SEEN, SET, STARTED,
    TAKEN, TOO_EARLY, TWICE, TWO_WAYS, WOKEN, WRITTEN,
};

/// The mistakes, with programs of which they change what is found.
const MISTAKES: [(Mistake, &str); 37] = [
    (Mistake::NoChildren, CHILD),
    (Mistake::LoopsOnce, STARTED),
    (Mistake::OldVariables, REASSIGNED),
    (Mistake::SureOfAnything, ROGUE),
    (Mistake::TriersWait, POLL),
    (Mistake::NothingPassed, PASSED),
    (Mistake::NobodyAsks, ASKED),
    (Mistake::OnlyWay, TWO_WAYS),
    (Mistake::AnyOutcome, DICE),
    (Mistake::PassesIdle, IDLE),
    (Mistake::NobodyMeets, MEETING),
    (Mistake::UnseenArrivals, ARRIVAL),
    (Mistake::NobodyWakes, WOKEN),
    (Mistake::EndsWakeNobody, JOINED),
    (Mistake::PollersWait, POLL),
    (Mistake::MeetersWait, MET),
    (Mistake::OneOfEach, DOWN_AND_UP),
    (Mistake::NoElements, IN_SET),
    (Mistake::NoGlobals, IN_GLOBAL),
    (Mistake::UnseenWrites, WRITTEN),
    (Mistake::UnseenWrites, SET),
    (Mistake::UnseenReads, READ),
    (Mistake::UnseenReads, SEEN),
    (Mistake::NobodyEnds, ENDED),
    (Mistake::OtherObjects, SET),
    (Mistake::TriedNow, TWICE),
    (Mistake::TriedNow, DOWN_AND_UP),
    (Mistake::TriedOnce, TWICE),
    (Mistake::AnyResult, SEEN),
    (Mistake::AnyOrder, ORDER),
    (Mistake::KeepsOff, TAKEN),
    (Mistake::NobodyFails, TOO_EARLY),
    (Mistake::WaitsFirst, ORDER),
    (Mistake::WaitsFirst, TOO_EARLY),
    (Mistake::WaitsFirst, TWICE),
    (Mistake::WaitsFirst, SEEN),
    (Mistake::WaitsFirst, DOWN_AND_UP),
];

/// What is found of a program: a deadlock, somebody who is stuck, or can never end, what goes wrong.
type Found = (bool, bool, bool, BTreeSet<String>);

fn found(text: &str, reduces: bool) -> Found {
    let code = code(&format!("{COMMON}{text}"));
    let mut machine = if reduces { Machine::reduced(&code) } else { Machine::new(&code) };
    let options = Options { states: Some(5_000), ..Options::default() };
    let explored = explore(&mut machine, &options, &mut |_| Control::Continue).expect("it starts");
    assert!(explored.complete, "it is small");
    let mut survey = Survey::new(&mut machine, &explored);
    let failures = survey.failures().into_iter();
    let failures = failures.map(|(_, failure)| format!("{failure:?}")).collect();
    let mut lost = |prospect| {
        let hopeless = survey.hopeless(prospect, &Budget::default()).expect("there is no limit");
        hopeless.is_some()
    };
    let (stuck, endless) = (lost(Prospect::Acting), lost(Prospect::Ending));
    (survey.deadlock().is_some(), stuck, endless, failures)
}

#[test]
fn verdicts_are_the_same() {
    for (_, text) in MISTAKES {
        assert_eq!(found(text, true), found(text, false), "{text}");
    }
}

#[test]
fn each_is_noticed() {
    let unnoticed = MISTAKES.into_iter().filter(|(mistake, text)| {
        let right = found(text, false);
        mistake::with(*mistake, || found(text, true)).as_ref() == Some(&right)
    });
    let unnoticed: Vec<Mistake> = unnoticed.map(|(mistake, _)| mistake).collect();
    assert_eq!(unnoticed, []);
}

#[test]
fn what_is_no_mistake_is_not() {
    for mistake in [Mistake::NobodyWaits, Mistake::GoesRound, Mistake::OwnCopyOnly] {
        for text in MISTAKES.into_iter().map(|(_, text)| text).chain([ROUND, ALIKE]) {
            let right = found(text, false);
            let same = mistake::with(mistake, || found(text, true));
            assert_eq!(same, Some(right), "{mistake:?} on {text}");
        }
    }
}
