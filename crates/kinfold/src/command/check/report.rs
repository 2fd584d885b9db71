//! What was found of one model, and how it is printed for people.

use std::fmt::Write;
use std::sync::Arc;

use diagnostics::Diagnostic;
use indicatif::HumanCount;
use kinfold::{Concern, Evidence, Outcome, Report as Decided, Trace, Verdict};
use net::{Fairness, Net, Origin};
use serde_json::Value as Json;
use state::Relations;
use trace::Hopeless;

use super::Exit;
use super::findings::file_and_place;
use crate::command::{coverage, explore};

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

    pub(super) fn of(found: &Decided, net: &Net) -> Option<Assertion> {
        let fault = found.fault.as_ref().filter(|fault| fault.is_failure)?;
        let transition = net.transition(fault.transition?);
        let trace = fault.shown.as_ref().ok().map(|(mode, run)| {
            let failure = Some((fault.message.clone(), mode.clone()));
            Trace { failure, ..Trace::from(run.clone()) }
        });
        let message = transition.failure.clone().unwrap_or_default();
        let tested = fault.tested(net);
        Some(Assertion { message, origin: transition.origin, trace, tested })
    }
}

/// The runs that are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// None.
    None,
    /// Those that show that something fails.
    OfFailures,
    /// Those that show that something is reachable, too.
    All,
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

    /// Whether what is met is a limit of how a program was translated, or depends on data that is not kept: it need be
    /// no mistake.
    fn may_be_wrong(&self) -> bool {
        let is_limit = |assertion: &Assertion| assertion.message.starts_with(go::LIMIT);
        let fault = self.found.fault.as_ref();
        self.assertion.as_ref().is_some_and(is_limit)
            || fault.is_some_and(|fault| fault.tested(&self.net).is_some())
    }

    /// A line for each property, then the runs that show what fails or is reachable.
    pub(super) fn text(&self, title: &str, runs: Runs) -> String {
        let mut text = String::new();
        let mut line = |line: &str| writeln!(text, "{line}").expect("strings can be written to");
        line(title);
        self.note.into_iter().for_each(&mut line);
        if self.full {
            line("not folded: every concrete state counts");
        } else if self.net.has_threads() {
            line(&format!("folded up to {{{}}}", self.relations));
        }
        if !self.assumed.is_empty() {
            line(&format!("assumed to do nothing: {}", self.assumed.join(", ")));
        }
        if !self.fairness.is_empty() {
            line(&format!("assumed: {}", self.fairness().join(", ")));
        }
        line("");
        let names = self.found.outcomes.iter().map(|outcome| outcome.name.as_str());
        let names = names.chain(self.assertion.iter().map(|_| Assertion::NAME));
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        for outcome in &self.found.outcomes {
            let word = if fails(outcome) { "FAILS" } else { outcome.verdict.word() };
            let says = if outcome.text == outcome.name { "" } else { &outcome.text };
            line(format!("  {word:<7}  {:<width$}  {says}", outcome.name).trim_end());
            if let Some(remark) = remark(&self.net, outcome) {
                line(&format!("           {remark}"));
            }
        }
        if let Some(Assertion { message, origin, tested, .. }) = &self.assertion {
            let word = if self.may_be_wrong() { "unknown" } else { "FAILS" };
            line(format!("  {word:<7}  {:<width$}  {message}", Assertion::NAME).trim_end());
            if let Some(place) = file_and_place(self, *origin) {
                line(&format!("           {place}"));
            }
            if let Some(tested) = tested {
                line(&format!("           depends on {tested}, of which nothing is kept"));
            }
        }
        line("");
        let states = if self.full { "states" } else { "classes" };
        line(&format!(
            "{} ({} {states}, {:.2} s)",
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
        self.write_runs(runs, &mut text);
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

    /// The runs, each once.
    fn write_runs(&self, runs: Runs, text: &mut String) {
        let mut line = |line: &str| writeln!(text, "{line}").expect("strings can be written to");
        let is_shown = |outcome: &&Outcome| match runs {
            Runs::None => false,
            Runs::OfFailures => !matches!(outcome.verdict, Verdict::Holds { .. }),
            Runs::All => true,
        };
        let mut printed: Vec<(&str, String)> = Vec::new();
        for outcome in self.found.outcomes.iter().filter(is_shown) {
            let Some(evidence) = evidence(outcome) else { continue };
            line("");
            line(&match &outcome.verdict {
                Verdict::Fails(_) => format!("`{}` fails:", outcome.name),
                Verdict::Depends { .. } => format!(
                    "`{}` depends on data that is not kept; if the tests turn out so, there is this run:",
                    outcome.name
                ),
                _ => format!("`{}` holds, as this run shows:", outcome.name),
            });
            if let Some((variable, thread)) = &evidence.followed {
                line(&format!("{variable} is thread {thread}"));
            }
            let run = evidence.trace.text(&self.net);
            match printed.iter().find(|(_, other)| *other == run) {
                Some((name, _)) => line(&format!("the same run as for `{name}`")),
                None => {
                    line(run.trim_end());
                    printed.push((&outcome.name, run));
                }
            }
        }
        if let Some(assertion) = self.assertion.as_ref().filter(|_| runs != Runs::None) {
            let fails = match &assertion.tested {
                Some(tested) => format!("fails, if {tested} turns out so"),
                None => "fails".into(),
            };
            line(&format!("\n{} {fails}: {}", Assertion::NAME, assertion.message));
            if let Some(trace) = &assertion.trace {
                line(trace.text(&self.net).trim_end());
            }
        }
    }

    /// The run by which the model faults, if it does, and not by an assertion.
    pub(super) fn fault(&self) -> Option<String> {
        let fault = self.found.fault.as_ref().filter(|fault| !fault.is_failure);
        fault.map(|fault| {
            let message = explore::faulty(&self.net, fault);
            match fault.tested(&self.net) {
                Some(on) => {
                    format!("{}\nit depends on {on}, of which nothing is kept", message.trim_end())
                }
                None => message,
            }
        })
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
