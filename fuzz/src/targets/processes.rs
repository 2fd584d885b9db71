//! Any text with processes: it is compiled, formatted and drawn as in the target `lang`; what compiles can be
//! checked for what is asked by default, and every run that is found can be told in every form.
//!
//! The answers say which kind of thing came out, so that texts which fail in new ways are kept.

use std::sync::Arc;

use budget::Budget;
use decide::{Checking, Verdict, verify};
use lang::compile;
use net::{Net, Property};
use survey::{Plan, SurveyError};
use trace::{Trace, TraceFormat};

/// States beyond these are not looked at.
const STATES: u64 = 200;
/// Larger nets are left alone.
const TRANSITIONS: usize = 150;
const STEPS: u64 = 50_000;

pub(crate) fn run(input: &[u8]) -> String {
    let answer = super::lang::run(input);
    let text = String::from_utf8_lossy(input);
    let compilation = compile(&text, &[]);
    let (Some(net), Some(_)) = (compilation.net, compilation.processes) else { return answer };
    if net.transitions.len() > TRANSITIONS {
        return "large".into();
    }
    checked(&Arc::new(net))
}

/// What is checked of processes in any case.
fn asked(net: &Net) -> Vec<Property> {
    let mut asked = net.default_properties();
    asked.extend(net.properties.iter().cloned());
    asked
}

fn checked(net: &Arc<Net>) -> String {
    let budget = Budget::unlimited().with_steps(STEPS);
    let plan = Plan { states: Some(STATES), budget, ..Plan::default() };
    let checking = Checking { plan, fairness: net.fairness.clone(), ..Checking::default() };
    let report = match verify(net, &asked(net), &checking, &mut |_| {}) {
        Ok(report) => report,
        Err(SurveyError::TooManyTokens) => return "large".into(),
        Err(error) => panic!("{error}"),
    };
    let mut verdicts = String::new();
    for outcome in &report.outcomes {
        verdicts.push(match &outcome.verdict {
            Verdict::Holds { witness, .. } => {
                witness.iter().for_each(|evidence| told(net, &evidence.trace));
                '+'
            }
            Verdict::Fails(evidence) => {
                evidence.iter().for_each(|evidence| told(net, &evidence.trace));
                '-'
            }
            _ => '?',
        });
    }
    format!("ok {} {} {verdicts}", net.places.len(), net.transitions.len())
}

/// A run has a text, and every other form.
fn told(net: &Net, trace: &Trace) {
    for format in TraceFormat::ALL {
        assert!(!trace.write(format, net, None).is_empty(), "{format:?}");
    }
}
