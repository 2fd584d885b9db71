//! Programs, case by case, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod beside_failures;
mod faults;
mod labels;
mod limits;
mod mutex;
mod prefixes;
mod races;
mod sets;
mod steps;

use std::sync::Arc;

use decide::{Checking, Outcome, Question, Reductions, decide};
use survey::Plan;

/// What is found of properties of a model, one after the other.
fn outcomes(model: &str, properties: &[&str], is_reduced: bool) -> Vec<Outcome> {
    let numbered = properties.iter().enumerate();
    let numbered = numbered.map(|(number, property)| format!("property p{number}: {property}\n"));
    let text = format!("{model}\n{}", numbered.collect::<String>());
    let compilation = lang::compile(&text, &[]);
    let Some(net) = compilation.net else { panic!("{:#?}\n{text}", compilation.diagnostics) };
    let net = Arc::new(net);
    let questions: Vec<_> = net.properties.iter().cloned().map(Question::Holds).collect();
    let plan = Plan { threads: 1, ..Plan::default() };
    let fairness = net.fairness.clone();
    let reductions = Reductions { from_start: is_reduced, ..Reductions::default() };
    let checking = Checking { plan, fairness, reductions, evidence: true, ..Checking::default() };
    let report = decide(&net, &questions, &checking, &mut |_| {}, &mut |_| {});
    let mut outcomes = report.expect("it is a model for it").outcomes;
    let number = |outcome: &Outcome| outcome.name[1..].parse::<usize>().expect("it was numbered");
    outcomes.sort_by_key(number);
    outcomes
}

/// Requires that properties of a model hold, fail, or are not known, as said of each, with reductions and without.
fn require(model: &str, properties: &[(&str, &str)]) {
    let texts: Vec<&str> = properties.iter().map(|(text, _)| *text).collect();
    for is_reduced in [false, true] {
        let outcomes = outcomes(model, &texts, is_reduced);
        for (Outcome { verdict, .. }, (text, expected)) in outcomes.iter().zip(properties) {
            let word = verdict.word();
            assert_eq!(word, *expected, "{text} (reduced: {is_reduced}): {verdict:?}\n{model}");
        }
    }
}
