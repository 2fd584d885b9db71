//! What was found of one model, and how its parts are printed for people.

use std::fmt::Write;
use std::sync::Arc;

use diagnostics::Diagnostic;
use indicatif::HumanCount;
use kinfold::{Concern, Evidence, FaultyRun, Outcome, Report as Decided, Trace, Verdict};
use net::{Fairness, Net, Origin};
use serde_json::Value as Json;
use state::Relations;
use trace::Hopeless;

use super::findings::file_and_place;
use super::{Exit, Failure};
use crate::command::{coverage, explore, output};

/// What was found of a model.
pub(super) struct Report {
    pub(super) net: Arc<Net>,
    /// The text of a `.kin` model.
    pub(super) text: Option<String>,
    /// What was remarked about that text.
    pub(super) warnings: Vec<Diagnostic>,
    /// Functions of a program that were taken to do nothing.
    pub(super) assumed: Vec<String>,
    /// A remark on the model.
    pub(super) note: Option<&'static str>,
    pub(super) found: Decided,
    /// The assertion that fails, if one was met.
    pub(super) assertion: Option<Assertion>,
    /// What is assumed of runs.
    pub(super) fairness: Vec<Fairness>,
    /// Whether states were not folded.
    pub(super) full: bool,
    /// Ω.
    pub(super) relations: Relations,
    pub(super) seconds: f64,
    /// Why not all of it could be written.
    pub(super) unwritten: Option<Failure>,
}

/// What the model says must not happen, and does.
pub(super) struct Assertion {
    /// What is wrong.
    pub(super) message: String,
    /// Where that is written.
    pub(super) origin: Origin,
    /// How it comes about, unless a limit came before that was found.
    pub(super) trace: Option<Trace>,
    /// What is tested on the way of which nothing is kept, so that it need not come about.
    pub(super) tested: Option<String>,
}

impl Assertion {
    /// The name under which it is reported.
    pub(super) const NAME: &str = "assertion";

    pub(super) fn of(fault: &FaultyRun, net: &Net) -> Option<Assertion> {
        let transition = net.transition(fault.transition.filter(|_| fault.is_failure)?);
        let trace = fault.shown.as_ref().ok().map(|(mode, run)| {
            let failure = Some((fault.message.clone(), mode.clone()));
            Trace { failure, ..Trace::from(run.clone()) }
        });
        let message = transition.failure.clone().unwrap_or_default();
        let tested = fault.tested(net);
        Some(Assertion { message, origin: transition.origin, trace, tested })
    }

    /// Whether it is a limit of how a program was translated, or depends on data that is not kept: it need be no mistake.
    fn may_be_wrong(&self) -> bool {
        self.message.starts_with(go::LIMIT) || self.tested.is_some()
    }
}

/// What is added to the word.
pub(super) fn remark(net: &Net, outcome: &Outcome) -> Option<String> {
    match &outcome.verdict {
        Verdict::Holds { vacuously: false, witness: Some(evidence) } => {
            Some(match evidence.trace.run.steps.len() {
                0 => "in the initial state".into(),
                1 => "after 1 step".into(),
                steps => format!("after {steps} steps"),
            })
        }
        verdict => verdict.why(net),
    }
}

/// How a model faults.
pub(super) fn fault_text(net: &Net, fault: &FaultyRun) -> String {
    let message = explore::faulty(net, fault);
    match fault.tested(net) {
        Some(on) => format!("{}\nit depends on {on}, of which nothing is kept", message.trim_end()),
        None => message,
    }
}

/// The run that an outcome comes with.
pub(super) fn evidence(outcome: &Outcome) -> Option<&Evidence> {
    outcome.verdict.evidence()
}

pub(super) fn fails(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Fails(_))
}

/// How many hold, fail and so on: each number with what is said of one, and of several.
pub(super) fn counted(counts: [(usize, &str, &str); 4]) -> String {
    let said = counts.into_iter().filter(|(count, ..)| *count > 0);
    let said = said.map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many }));
    said.collect::<Vec<_>>().join(", ")
}

impl Report {
    /// The smallest status that something calls for.
    pub(super) fn exit(&self) -> Exit {
        let failed = |concern| self.found.outcomes.iter().any(|o| o.concern == concern && fails(o));
        let is_open = |outcome: &Outcome| matches!(outcome.verdict.word(), "unknown" | "refused");
        // A property of several parts fails, and what is shown is somebody who is stuck.
        let shows_stuck = |outcome: &Outcome| {
            let hopeless = evidence(outcome).and_then(|evidence| evidence.trace.hopeless.as_ref());
            fails(outcome) && matches!(hopeless, Some(Hopeless::Stuck(_)))
        };
        let is_stuck = self.found.outcomes.iter().any(shows_stuck);
        match () {
            () if failed(Concern::Deadlock) || is_stuck => Exit::Deadlock,
            () if failed(Concern::State) => Exit::StateFails,
            () if failed(Concern::Run) => Exit::RunFails,
            () if self.may_be_wrong() => Exit::Incomplete,
            () if self.assertion.is_some() => Exit::AssertionFails,
            // What was found is found; what is not known is not, since the model is faulty.
            () if self.found.fault.is_some() => Exit::ModelWrong,
            () if self.found.outcomes.iter().any(is_open) => Exit::Incomplete,
            () => Exit::Done,
        }
    }

    /// Whether what is met need be no mistake.
    fn may_be_wrong(&self) -> bool {
        let fault = self.found.fault.as_ref();
        self.assertion.as_ref().is_some_and(Assertion::may_be_wrong)
            || fault.is_some_and(|fault| fault.tested(&self.net).is_some())
    }

    /// What is printed before anything is found: what is checked, and what is assumed.
    pub(super) fn header(&self, title: &str) -> String {
        let mut text = String::new();
        let mut line = |line: &str| writeln!(text, "{line}").expect("strings can be written to");
        line(title);
        self.note.into_iter().for_each(&mut line);
        if self.full {
            line("not folded: every concrete state counts");
        } else if self.net.has_threads() {
            line(&output::folded(self.relations));
        }
        if !self.assumed.is_empty() {
            line(&format!("assumed to do nothing: {}", self.assumed.join(", ")));
        }
        if !self.fairness.is_empty() {
            line(&format!("assumed: {}", self.fairness().join(", ")));
        }
        line("");
        text
    }

    /// The lines for a verdict, with names as wide as the widest.
    pub(super) fn verdict(&self, outcome: &Outcome, width: usize) -> String {
        let mut text = String::new();
        let mut line = |line: &str| writeln!(text, "{line}").expect("strings can be written to");
        let word = if fails(outcome) { "FAILS" } else { outcome.verdict.word() };
        let says = if outcome.text == outcome.name { "" } else { &outcome.text };
        line(format!("  {word:<7}  {:<width$}  {says}", outcome.name).trim_end());
        if let Some(remark) = remark(&self.net, outcome) {
            line(&format!("           {remark}"));
        }
        text
    }

    /// The lines for an assertion.
    pub(super) fn asserted(&self, assertion: &Assertion, width: usize) -> String {
        let mut text = String::new();
        let mut line = |line: &str| writeln!(text, "{line}").expect("strings can be written to");
        let Assertion { message, origin, tested, .. } = assertion;
        let word = if assertion.may_be_wrong() { "unknown" } else { "FAILS" };
        line(format!("  {word:<7}  {:<width$}  {message}", Assertion::NAME).trim_end());
        if let Some(place) = file_and_place(self, *origin) {
            line(&format!("           {place}"));
        }
        if let Some(tested) = tested {
            line(&format!("           depends on {tested}, of which nothing is kept"));
        }
        text
    }

    /// What is printed in the end.
    pub(super) fn footer(&self) -> String {
        let mut text = String::new();
        let mut line = |line: &str| writeln!(text, "{line}").expect("strings can be written to");
        line(&format!(
            "{} ({} states, {:.2} s)",
            self.summary(),
            HumanCount(self.states()),
            self.seconds
        ));
        if let Some(used) = self.reductions() {
            line(&format!("reduced by {used}"));
        }
        if let Some(why) = self.found.unshown {
            line(&format!("not every run is shown: {why}"));
        }
        self.seen().iter().for_each(|said| line(said));
        text
    }

    /// The reductions by which something was decided, if some were.
    fn reductions(&self) -> Option<String> {
        let used: Vec<String> = self.found.reductions.iter().map(ToString::to_string).collect();
        (!used.is_empty()).then(|| used.join(" and "))
    }

    /// What is to be said of what was seen. That something never happens is known only if all states were
    /// seen; and what grows is of interest only if a limit kept something from being decided.
    fn seen(&self) -> Vec<String> {
        let Decided { coverage, unbounded, outcomes, .. } = &self.found;
        let is_open = outcomes.iter().any(|outcome| outcome.verdict.word() == "unknown");
        let mut seen = match coverage {
            Some(coverage) if coverage.complete => coverage::never(&self.net, coverage),
            Some(coverage) if is_open && unbounded.is_none() => {
                coverage::growing(coverage).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let unbounded = unbounded.iter().map(|one| coverage::unbounded(&self.net, one));
        seen.extend(unbounded.map(|text| format!("UNBOUNDED: {text}")));
        seen
    }

    /// What was covered, for programs; `null` where states were not explored one by one.
    pub(super) fn coverage(&self) -> Json {
        let coverage = self.found.coverage.as_ref();
        coverage.map_or(Json::Null, |coverage| {
            coverage::json(&self.net, coverage, self.found.unbounded.as_ref())
        })
    }

    /// The run by which the model faults, if it does, and not by an assertion.
    pub(super) fn fault(&self) -> Option<String> {
        let fault = self.found.fault.as_ref().filter(|fault| !fault.is_failure);
        fault.map(|fault| fault_text(&self.net, fault))
    }

    /// The classes that were explored.
    pub(super) fn states(&self) -> u64 {
        self.found.outcomes.iter().map(|outcome| outcome.states).max().unwrap_or(0)
    }

    /// How many properties hold, fail and so on, in words.
    pub(super) fn summary(&self) -> String {
        let count = |wanted: &str| {
            self.found.outcomes.iter().filter(|o| o.verdict.word() == wanted).count()
        };
        let said = counted([
            (count("holds"), "holds", "hold"),
            (count("fails"), "fails", "fail"),
            (count("unknown"), "is not known", "are not known"),
            (count("refused"), "is refused", "are refused"),
        ]);
        // `1 property holds, 2 fail`.
        let (count, rest) = said.split_once(' ').unwrap_or(("no", "is there"));
        let noun = if count == "1" { "property" } else { "properties" };
        let assertion = match &self.assertion {
            Some(Assertion { tested: Some(_), .. }) => "; an assertion may fail",
            Some(_) => "; an assertion fails",
            None => "",
        };
        format!("{count} {noun} {rest}{assertion}")
    }

    /// What is assumed, as it is written in models.
    pub(super) fn fairness(&self) -> Vec<String> {
        self.fairness.iter().map(|fairness| fairness.text(&self.net)).collect()
    }
}
