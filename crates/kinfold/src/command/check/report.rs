//! What `kinfold check` prints.

use std::fmt::Write;

use indicatif::HumanCount;
use kinfold::{Checking, Outcome, Verdict};
use net::{Fairness, Net, Strength, Whom};
use serde_json::{Value as Json, json};

use super::evidence;

/// The version of the JSON form.
const SCHEMA_VERSION: u32 = 1;

/// What was found.
pub(super) struct Report<'a> {
    pub(super) net: &'a Net,
    pub(super) outcomes: &'a [Outcome],
    pub(super) checking: &'a Checking,
    pub(super) seconds: f64,
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

/// In one word.
pub(super) fn word(outcome: &Outcome) -> &'static str {
    match outcome.verdict {
        Verdict::Holds { .. } => "holds",
        Verdict::Fails(_) => "fails",
        Verdict::Unknown(_) => "unknown",
        Verdict::Refused(_) => "refused",
        Verdict::Greatest(_) | Verdict::Unbounded => unreachable!("only properties are asked"),
    }
}

/// What is to be said beside the word.
pub(super) fn remark(outcome: &Outcome) -> Option<String> {
    match &outcome.verdict {
        Verdict::Holds { vacuously: true, .. } => {
            Some("vacuously: what it speaks of never happens".into())
        }
        Verdict::Holds { witness: Some(evidence), .. } => {
            Some(match evidence.trace.run.steps.len() {
                0 => "in the initial state".into(),
                1 => "after 1 step".into(),
                steps => format!("after {steps} steps"),
            })
        }
        Verdict::Unknown(why) => Some(why.clone()),
        Verdict::Refused(why) => Some(why.to_string()),
        _ => None,
    }
}

impl Report<'_> {
    /// For people: a line for each property, then the runs that show what fails or is reachable.
    pub(super) fn text(&self, without: Option<&str>, runs: Runs) -> String {
        let mut text = String::new();
        let mut line = |line: &str| writeln!(text, "{line}").expect("strings can be written to");
        line(&self.net.name);
        without.into_iter().for_each(&mut line);
        if !self.checking.fairness.is_empty() {
            let names: Vec<String> = self.checking.fairness.iter().map(|f| self.fair(f)).collect();
            line(&format!("assumed: {}", names.join(", ")));
        }
        line("");
        let width = self.outcomes.iter().map(|o| o.name.chars().count()).max().unwrap_or(0);
        for outcome in self.outcomes {
            let word = match outcome.verdict {
                Verdict::Fails(_) => "FAILS",
                _ => word(outcome),
            };
            let says = if outcome.text == outcome.name { "" } else { &outcome.text };
            line(format!("  {word:<7}  {:<width$}  {says}", outcome.name).trim_end());
            if let Some(remark) = remark(outcome) {
                line(&format!("           {remark}"));
            }
        }
        line("");
        let states: u64 = self.outcomes.iter().map(|outcome| outcome.states).max().unwrap_or(0);
        line(&format!(
            "{} ({} classes, {:.2} s)",
            self.summary(),
            HumanCount(states),
            self.seconds
        ));
        let is_shown = |outcome: &&Outcome| match runs {
            Runs::None => false,
            Runs::OfFailures => matches!(outcome.verdict, Verdict::Fails(_)),
            Runs::All => true,
        };
        for outcome in self.outcomes.iter().filter(is_shown) {
            let Some(evidence) = evidence(outcome) else { continue };
            line("");
            line(&match outcome.verdict {
                Verdict::Fails(_) => format!("`{}` fails:", outcome.name),
                _ => format!("`{}` holds, as this run shows:", outcome.name),
            });
            if let Some((variable, thread)) = &evidence.followed {
                line(&format!("{variable} is thread {thread}"));
            }
            line(evidence.trace.text(self.net).trim_end());
        }
        text
    }

    fn summary(&self) -> String {
        let count = |word_wanted| self.outcomes.iter().filter(|o| word(o) == word_wanted).count();
        let counts = ["holds", "fails", "unknown", "refused"].map(|w| (w, count(w)));
        let said = counts.into_iter().filter(|(_, count)| *count > 0).map(|(word, count)| {
            match (word, count) {
                ("holds", 1) => "1 holds".to_owned(),
                ("holds", n) => format!("{n} hold"),
                ("fails", 1) => "1 fails".to_owned(),
                ("fails", n) => format!("{n} fail"),
                ("unknown", 1) => "1 is not known".to_owned(),
                ("unknown", n) => format!("{n} are not known"),
                (_, 1) => "1 is refused".to_owned(),
                (_, n) => format!("{n} are refused"),
            }
        });
        let said = said.collect::<Vec<_>>().join(", ");
        // `1 property holds, 2 fail`.
        let (count, rest) = said.split_once(' ').unwrap_or(("no", "is there"));
        let noun = if count == "1" { "property" } else { "properties" };
        format!("{count} {noun} {rest}")
    }

    fn fair(&self, fairness: &Fairness) -> String {
        let name = match fairness.of {
            Whom::Threads => "threads",
            Whom::Transition(id) => &self.net.transition(id).name,
            Whom::Class(id) => &self.net.enumerations[id.index()].name,
        };
        match fairness.strength {
            Strength::Weak => format!("fair {name}"),
            Strength::Strong => format!("strongly fair {name}"),
        }
    }

    /// For programs.
    pub(super) fn json(&self, without: Option<&str>) -> Json {
        let outcome = |outcome: &Outcome| {
            let evidence = evidence(outcome);
            let followed = evidence.and_then(|evidence| evidence.followed.as_ref());
            json!({
                "name": outcome.name,
                "text": outcome.text,
                "verdict": word(outcome),
                "vacuous": matches!(outcome.verdict, Verdict::Holds { vacuously: true, .. }),
                "remark": remark(outcome),
                "states": outcome.states,
                "followed": followed.map(|(name, pid)| json!({ "variable": name, "thread": pid.to_string() })),
                "trace": evidence.map(|evidence| evidence.trace.json(self.net, Some(&outcome.name))),
            })
        };
        json!({
            "schema_version": SCHEMA_VERSION,
            "model": self.net.name,
            "note": without,
            "fairness": self.checking.fairness.iter().map(|f| self.fair(f)).collect::<Vec<_>>(),
            "full": self.checking.plan.full,
            "properties": self.outcomes.iter().map(outcome).collect::<Vec<_>>(),
            "seconds": self.seconds,
        })
    }
}
