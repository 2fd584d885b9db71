//! Who is stuck at the end of long runs, and what fails there, is found also where a limit ends the search before.

use std::sync::Arc;

use decide::{Checking, Report, Verdict, verify};
use net::Net;
use survey::Plan;

/// Two processes count up, side by side; then something happens.
fn net(end: &str) -> Arc<Net> {
    let text = format!(
        "model deep
        shared atomic a: 0..=50 = 0
        shared atomic b: 0..=50 = 0
        process main {{ let x = spawn left()   let y = spawn right()   join x   join y   {end} }}
        process left {{ while a < 50 {{ a += 1 }} }}
        process right {{ while b < 50 {{ b += 1 }} }}
        property fine: no_one_stuck
"
    );
    let compilation = lang::compile(&text, &[]);
    Arc::new(compilation.net.unwrap_or_else(|| panic!("a flaw in\n{text}")))
}

/// What is found before this many states are.
fn found(net: &Arc<Net>, states: Option<u64>) -> Report {
    let plan = Plan { states, ..Plan::default() };
    let checking = Checking { plan, ..Checking::default() };
    verify(net, &net.properties, &checking, &mut |_| {}).expect("it is a model for it")
}

#[test]
fn walks_come_to_ends_that_a_limit_keeps_a_search_from() {
    let stuck = net("await false");
    let report = found(&stuck, Some(9_000));
    assert!(!report.coverage.as_ref().expect("there was a search").complete);
    let Verdict::Fails(Some(evidence)) = &report.outcomes[0].verdict else {
        panic!("{:?}", report.outcomes[0].verdict);
    };
    // The steps by which both count, at least.
    assert!(evidence.trace.run.steps.len() >= 100 && evidence.trace.hopeless.is_some());
    // What a search comes to is what is shown.
    let whole = found(&stuck, None);
    let Verdict::Fails(Some(shortest)) = &whole.outcomes[0].verdict else {
        panic!("{:?}", whole.outcomes[0].verdict);
    };
    assert!(shortest.trace.run.steps.len() <= evidence.trace.run.steps.len());
}

#[test]
fn walks_come_to_failures_that_a_limit_keeps_a_search_from() {
    let report = found(&net("assert a + b == 0"), Some(9_000));
    let fault = report.fault.as_ref().expect("it fails at the end of every run");
    assert!(fault.is_failure && fault.shown.is_ok(), "{fault:?}");
    assert!(matches!(report.outcomes[0].verdict, Verdict::Unknown(_)), "{report:?}");
}

#[test]
fn walks_show_nothing_where_all_is_well() {
    let report = found(&net("assert a + b == 100"), Some(9_000));
    assert!(report.fault.is_none());
    assert!(matches!(report.outcomes[0].verdict, Verdict::Unknown(_)), "{report:?}");
    assert!(matches!(found(&net(""), None).outcomes[0].verdict, Verdict::Holds { .. }));
}
