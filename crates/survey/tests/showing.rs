//! What was found is known also where there is no time left to show it.

use std::sync::Arc;

use budget::{Budget, Exhausted};
use explore::{Control, StateId};
use net::{Net, TransitionId};
use survey::{Plan, Survey, survey_reviewed};

fn net(text: &str) -> Arc<Net> {
    Arc::new(lang::compile(text, &[]).net.expect("a model"))
}

fn explored<'n>(net: &'n Arc<Net>, plan: &Plan) -> Survey<'n> {
    survey_reviewed(net, plan, &mut |_| {}, &mut |_, _| Control::Continue).expect("a survey")
}

fn spent() -> Budget {
    let budget = Budget::unlimited();
    budget.interrupt();
    budget
}

#[test]
fn a_fault_is_described_without_its_run() {
    let net = net("model m\nplace k(n: 0..=2) = 0\ntransition go { take k(n)  put k(n + 1) }\n");
    for full in [false, true] {
        let plan = Plan { full, ..Plan::default() };
        let [unshown, shown] = [spent(), Budget::unlimited()]
            .map(|budget| explored(&net, &plan).take_fault(&budget).expect("a fault"));
        assert_eq!(unshown.shown.err(), Some(Exhausted::Interrupted));
        assert_eq!(unshown.message, shown.message);
        assert_eq!([unshown.transition, shown.transition], [Some(TransitionId(0)); 2]);
        assert_eq!(shown.shown.map(|(_, run)| run.steps.len()), Ok(2));
    }
}

#[test]
fn too_many_tokens_are_described_without_a_run() {
    // Before there are states enough to see that it is not bounded.
    let many = ["1000000 p"; 6].join(", ");
    let net = net(&format!("model m\nplace p\ntransition go {{ put {many} }}\n"));
    let [unshown, shown] = [spent(), Budget::unlimited()].map(|budget| {
        explored(&net, &Plan::default()).take_fault(&budget).expect("a fault").message
    });
    assert_eq!(unshown.replace("a transition", "`go`"), shown);
}

#[test]
fn runs_end_with_the_budget() {
    let net = net("model m\nplace p\ntransition go { put p }\n");
    let mut survey = explored(&net, &Plan { until: Some(TransitionId(0)), ..Plan::default() });
    let end = |spent: Result<_, Exhausted>| spent.map(|_: trace::Run| ()).unwrap_err();
    assert_eq!(end(survey.run_to(StateId(1), &spent())), Exhausted::Interrupted);
    let run = survey.run_to_transition(&spent());
    assert_eq!(end(run.map(|run| run.expect("it fires"))), Exhausted::Interrupted);
    let mut survey = explored(&net, &Plan::default());
    let unbounded = survey.unbounded(&spent()).expect("it grows");
    assert_eq!(end(unbounded.run), Exhausted::Interrupted);
}
