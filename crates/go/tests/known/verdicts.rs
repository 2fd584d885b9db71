//! What Kinfold says of the programs of the collection.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Limits};
use decide::{Checking, Verdict, verify};
use go::{Options, Source};
use net::Net;
use state::Value;
use survey::{FaultyRun, Plan};
use trace::{Hopeless, Trace};

use crate::collection::{Known, daily};

/// What may be used for a program. Ten seconds are enough on a machine that does nothing else.
const TIME: Duration = Duration::from_secs(60);
const MEMORY: u64 = 2 << 30;

/// What is refused so far, for what it uses. A refusal is no wrong answer; but when there is an answer, the name
/// leaves this list.
const REFUSED: [(&str, &str); 0] = [];

/// What is wrong with what is said of a program, if anything is.
fn complaint(known: &Known) -> Option<String> {
    let name = format!("{}.go", known.name);
    let options = Options { leaks: known.expected.leaks, ..Options::default() };
    let compiled = go::compile(&[Source { name: &name, text: &known.text }], &[], &options);
    let base = known.name.trim_end_matches("_fixed");
    let refused = REFUSED.iter().find(|(name, _)| *name == base);
    let Some(net) = compiled.net else {
        let why = compiled.diagnostics.iter().map(|one| format!("{}: {}", one.line, one.message));
        let why = why.collect::<Vec<_>>().join("; ");
        let is_expected = refused.is_some_and(|(_, what)| why.contains(what));
        return (!is_expected).then(|| format!("refused: {why}"));
    };
    if refused.is_some() {
        return Some("there is an answer: it leaves the list of what is refused".to_owned());
    }
    let net = Arc::new(net);
    let limits = Limits { time: Some(TIME), memory: Some(MEMORY), ..Limits::default() };
    let plan = Plan { budget: Budget::new(limits), ..Plan::default() };
    let checking = Checking { plan, ..Checking::default() };
    let report = match verify(&net, &net.default_properties(), &checking, &mut |_| {}) {
        Ok(report) => report,
        Err(error) => return Some(error.to_string()),
    };
    let mut is_open = false;
    let mut reported = BTreeSet::new();
    let mut wrong = Vec::new();
    if let Some(fault) = &report.fault {
        let is_sure = fault.tested(&net).is_none();
        reported.insert(if is_sure { "fault" } else { "maybe fault" }.to_owned());
        wrong.extend(wrong_fault(known, &net, fault));
    }
    for outcome in &report.outcomes {
        match &outcome.verdict {
            Verdict::Holds { .. } => {}
            Verdict::Fails(Some(evidence)) if evidence.trace.hopeless.is_some() => {
                reported.insert("stuck".to_owned());
                wrong.extend(wrong_place(known, &net, &evidence.trace));
            }
            Verdict::Fails(Some(evidence)) => {
                reported.insert("race".to_owned());
                wrong.extend(wrong_race(known, &net, &evidence.trace));
            }
            Verdict::Depends { on, .. } => {
                reported.insert("depends".to_owned());
                let mut tests = known.expected.depends.iter();
                if !tests.any(|(test, line)| *on == format!("`{test}` at line {line}")) {
                    wrong.push(format!("depends on {on}"));
                }
            }
            // What comes after a test has failed, or beyond a limit, is not looked at.
            Verdict::Unknown(why) if report.fault.is_some() && why.contains("what comes after") => {
                is_open = true;
            }
            other => wrong.push(format!("{}: {other:?}", outcome.name)),
        }
    }
    let expected = &known.expected.reported;
    let is_as_expected = if is_open { reported.is_subset(expected) } else { reported == *expected };
    if !is_as_expected {
        wrong.insert(0, format!("{reported:?} reported, not {expected:?}"));
    }
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

fn wrong_place(known: &Known, net: &Net, trace: &Trace) -> Option<String> {
    let told = trace.told(net);
    let hopeless = trace.hopeless.as_ref().expect("it shows who is stuck");
    let places = hopeless.whereabouts(net, told.run.last());
    let lines: Vec<usize> = places.iter().map(|one| one.line.map_or(0, |(line, _)| line)).collect();
    let name = |one: &trace::Whereabouts| one.process.clone().unwrap_or_default();
    let said = places.iter().map(|one| format!("{}:{:?} {}", name(one), one.line, one.at));
    (!known.expected.allows_blocked(&lines))
        .then(|| format!("blocked: {}", said.collect::<Vec<_>>().join(", ")))
}

fn wrong_race(known: &Known, net: &Net, trace: &Trace) -> Option<String> {
    let races = trace.told_races(net);
    let is_known = races.iter().any(|race| {
        let mut lines = race.accesses.each_ref().map(|access| access.line.unwrap_or(0));
        lines.sort_unstable();
        known.expected.races.contains(&lines)
    });
    (!is_known).then(|| format!("race: {races:?}"))
}

fn wrong_fault(known: &Known, net: &Net, fault: &FaultyRun) -> Option<String> {
    let Ok((mode, run)) = &fault.shown else { return Some(format!("not shown: {fault:?}")) };
    let participants = net.transition(mode.transition).participants.iter();
    let pids = participants.filter_map(|one| match mode.binding.get(&one.thread) {
        Some(Value::Pid(pid)) => Some(pid.clone()),
        _ => None,
    });
    let places = Hopeless::Stuck(pids.collect()).whereabouts(net, run.last());
    let lines: Vec<usize> = places.iter().filter_map(|one| one.line).map(|one| one.0).collect();
    let is_known = known.expected.faults.iter().any(|(what, line)| {
        lines.contains(line) && (what == "panic" || fault.message.contains(what.as_str()))
    });
    (!is_known).then(|| format!("fault: {} at {lines:?}", fault.message))
}

fn judged(folder: &str) {
    let complaints: Vec<String> = daily(folder)
        .iter()
        .filter_map(|known| {
            let judged = catch_unwind(|| complaint(known));
            let wrong = judged.unwrap_or_else(|_| Some("it panics".to_owned()))?;
            Some(format!("{}: {wrong}", known.name))
        })
        .collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn the_kernels_are_judged_as_described() {
    judged("kernels");
}

#[test]
fn the_other_programs_are_judged_as_expected() {
    judged("more");
}

#[test]
fn programs_after_bugs_of_other_systems_are_judged_as_expected() {
    judged("systems");
}

#[test]
fn what_depends_on_data_that_is_not_kept_is_not_known() {
    judged("unknown");
}
