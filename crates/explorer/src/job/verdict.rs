//! What was found of a property, as it is told.

use budget::Budget;
use decide::{Concern, Evidence, Outcome, Verdict};
use serde_json::{Value as Json, json};
use survey::FaultyRun;
use trace::{ToldRun, Trace};

use super::shown::numbers;
use crate::view::View;

/// A property that is asked.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// Its name; none of what was typed in.
    pub(super) name: Option<String>,
    /// What it says.
    pub(super) text: String,
}

/// What is known of all verdicts of a check.
#[derive(Clone, Copy)]
pub(super) struct Of<'v> {
    pub(super) view: &'v View,
    pub(super) with: Option<&'v str>,
}

impl Of<'_> {
    /// A verdict that was just found; the run that shows it is shown in the end.
    pub(super) fn early(self, number: usize, asked: &Asked, verdict: &Verdict) -> Json {
        let mut told = self.verdict(number, asked.name.as_deref(), &asked.text, verdict.word());
        told["why"] = verdict.why(&self.view.net).into();
        told
    }

    /// What was found in the end.
    pub(super) fn last(
        self,
        number: usize,
        asked: &Asked,
        outcome: &Outcome,
        showing: &Budget,
    ) -> Json {
        let verdict = &outcome.verdict;
        let mut told = self.verdict(number, asked.name.as_deref(), &asked.text, verdict.word());
        told["is_final"] = true.into();
        told["why"] = verdict.why(&self.view.net).into();
        told["classes"] = outcome.states.into();
        told["is_about_runs"] = (outcome.concern == Concern::Run).into();
        if let Some(Evidence { trace, followed }) = verdict.evidence() {
            self.show(&mut told, asked.name.as_deref(), trace, showing);
            told["followed"] = match followed {
                Some((name, pid)) => json!({ "name": name, "pid": pid }),
                None => Json::Null,
            };
        }
        told
    }

    /// That the model goes wrong.
    pub(super) fn fault(
        self,
        number: usize,
        fault: &FaultyRun,
        classes: u64,
        showing: &Budget,
    ) -> Json {
        let name = if fault.is_failure { "assertion" } else { "fault" };
        let tested = fault.tested(&self.view.net);
        let word = if tested.is_some() { "unknown" } else { "fails" };
        let mut told = self.verdict(number, Some(name), &fault.message, word);
        told["why"] = tested.map(|on| format!("depends on {on}, of which nothing is kept")).into();
        told["is_final"] = true.into();
        told["classes"] = classes.into();
        if let Ok((mode, run)) = &fault.shown {
            let failure = Some((fault.message.clone(), mode.clone()));
            let trace = Trace { failure, ..Trace::from(run.clone()) };
            self.show(&mut told, Some(name), &trace, showing);
        }
        told
    }

    fn verdict(self, number: usize, name: Option<&str>, text: &str, word: &str) -> Json {
        json!({
            "number": number,
            "property": name,
            "text": text,
            "verdict": word,
            "is_final": false,
            "why": null,
            "run": null,
            "loop": null,
            "outcome": null,
            "classes": null,
            "is_about_runs": null,
            "followed": null,
            "with": self.with,
        })
    }

    /// Adds the run that shows a verdict, if it can be walked in time.
    fn show(self, told: &mut Json, property: Option<&str>, trace: &Trace, showing: &Budget) {
        let net = &self.view.net;
        let why = match numbers(net, &trace.run, showing) {
            Ok(Some(numbers)) => {
                told["outcome"] = ToldRun::of(trace, net).outcome.into();
                told["loop"] = json!(trace.back);
                told["run"] = json!(numbers);
                self.view.remember(numbers, property, trace);
                return;
            }
            Ok(None) => {
                "the run that shows it passes a state in which the model goes wrong".to_owned()
            }
            Err(why) => format!("the run that shows it is left out: {why}"),
        };
        told["why"] = match told["why"].as_str() {
            Some(before) => format!("{before}; {why}").into(),
            None => why.into(),
        };
    }
}
