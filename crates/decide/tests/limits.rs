//! Limits are kept where a state is expanded and where a run is looked for, also when engines are done.

use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Exhausted, Limits, Phase};
use decide::{Checking, Found, Question, Report, Tell, Verdict, decide};
use net::Net;
use survey::Plan;

/// What is fast by the conditions takes long where all tokens are tried: the interpreter comes to this mode last.
const LAST: &str = "class L ordered 2000
    place a: L = all
    place b: L = all
    place c: L = all
    place d
    transition go { GUARD take a(x), b(y), c(z)  put d  when x == L999 and y == L999 and z == L999 }
";

fn net(text: &str) -> Arc<Net> {
    let compilation = lang::compile(&format!("model m\n{text}"), &[]);
    Arc::new(compilation.net.unwrap_or_else(|| panic!("a flaw in\n{text}")))
}

fn decided(net: &Arc<Net>, budget: &Budget, tell: Tell<'_>) -> Report {
    let questions: Vec<_> = net.properties.iter().cloned().map(Question::Holds).collect();
    let plan = Plan { budget: budget.clone(), ..Plan::default() };
    let fairness = net.fairness.clone();
    let checking = Checking { plan, fairness, evidence: true, ..Checking::default() };
    decide(net, &questions, &checking, &mut |_| {}, tell).expect("a model for it")
}

fn short() -> Budget {
    Budget::new(Limits { time: Some(Duration::from_millis(200)), ..Limits::default() })
}

#[test]
fn a_first_state_is_not_expanded_beyond_the_limits() {
    let net = net("class L ordered 5000
        place a: L = all
        place b: L = all
        place c: L = all
        place d
        transition go { take a(x), b(y), c(z)  put d  when x < y and y < z and z < x }
        property p: always count(d) < 1
        ");
    let report = decided(&net, &short(), &mut |_| {});
    let verdict = &report.outcomes[0].verdict;
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

#[test]
fn a_verdict_stands_where_its_run_is_not_found_in_time() {
    let text = LAST.replace("GUARD", "");
    let net = net(&format!("{text}property p: always count(d) < 1\n"));
    let budget = Budget::unlimited();
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !budget.progress().phases().contains(&Phase::Showing) {
                std::thread::yield_now();
            }
            budget.interrupt();
        });
        decided(&net, &budget, &mut |_| {})
    });
    let verdict = &report.outcomes[0].verdict;
    assert!(matches!(verdict, Verdict::Fails(None)), "{verdict:?}");
    assert_eq!(report.unshown, Some(Exhausted::Interrupted));
}

#[test]
fn what_becomes_of_threads_is_found_out_within_the_limits() {
    let text = LAST.replace("GUARD", "stay q: idle");
    let net = net(&format!(
        "flow idle\nstart idle\nfair threads\n{text}property p: eventually count(d) > 1\n"
    ));
    let report = decided(&net, &short(), &mut |_| {});
    let verdict = &report.outcomes[0].verdict;
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

/// The first property is known when its nearest state is, and no states are ever all seen.
const ENDLESS: &str = "flow at
    place x, y
    start at
    transition up { stay p: at  put x }
    property near: always count(x) < 5
    property far: always count(y) == 0
    property back: AG EF count(x) == 0
";

#[test]
fn what_is_found_is_told_with_its_run_while_the_rest_is_looked_for() {
    let (net, budget) = (net(ENDLESS), Budget::unlimited());
    let mut told = Vec::new();
    let report = decided(&net, &budget, &mut |found| {
        let Found::Outcome(number, outcome) = found else { panic!("there is no fault") };
        told.push((number, format!("{:?}", outcome.verdict)));
        // Nothing else would ever end it.
        budget.interrupt();
    });
    let outcomes = report.outcomes.iter().map(|outcome| format!("{:?}", outcome.verdict));
    assert_eq!(told, outcomes.enumerate().collect::<Vec<_>>(), "the report is what was told");
    let evidence = report.outcomes[0].verdict.evidence().expect("it comes with a run");
    assert_eq!(evidence.trace.run.steps.len(), 5);
    let why = Exhausted::Interrupted.to_string();
    for outcome in &report.outcomes[1..] {
        assert!(matches!(&outcome.verdict, Verdict::Unknown(reason) if *reason == why));
    }
}

#[test]
fn the_first_failure_is_enough_where_it_is_all_that_is_asked_for() {
    let net = net(ENDLESS);
    let questions: Vec<_> = net.properties.iter().cloned().map(Question::Holds).collect();
    let checking = Checking { evidence: true, first: true, ..Checking::default() };
    let report = decide(&net, &questions, &checking, &mut |_| {}, &mut |_| {}).expect("a model");
    let words = report.outcomes.iter().map(|outcome| outcome.verdict.word());
    assert_eq!(words.collect::<Vec<_>>(), ["fails", "unknown", "unknown"]);
    let why = report.outcomes[1].verdict.why(&net);
    assert_eq!(why.as_deref(), Some("the first failure has ended the check"));
}

#[test]
fn a_limit_that_was_not_asked_for_says_so() {
    let net = net(ENDLESS);
    let budget = Budget::unlimited().within_default(Duration::from_millis(200));
    let report = decided(&net, &budget, &mut |_| {});
    let why = report.outcomes[1].verdict.why(&net);
    assert_eq!(why, Some(Exhausted::DefaultTime.to_string()));
}
