//! Limits are kept where a state is expanded and where a run is looked for, also when engines are done.

use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Exhausted, Limits};
use decide::{Checking, Question, Report, Tell, Verdict, decide};
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
    let report = decided(&net, &short(), &mut |_, _, _| {});
    let verdict = &report.outcomes[0].verdict;
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

#[test]
fn a_verdict_stands_where_its_run_is_not_found_in_time() {
    let text = LAST.replace("GUARD", "");
    let net = net(&format!("{text}property p: always count(d) < 1\n"));
    let budget = Budget::unlimited();
    // From then on, the run is looked for.
    let report = decided(&net, &budget, &mut |_, _, _| budget.interrupt());
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
    let report = decided(&net, &short(), &mut |_, _, _| {});
    let verdict = &report.outcomes[0].verdict;
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}
