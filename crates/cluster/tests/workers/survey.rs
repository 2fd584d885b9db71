//! Surveys by several processes say what one says.

use std::path::Path;
use std::sync::Arc;

use cluster::on_loopback;
use net::Net;
use survey::{Form, Plan, Survey, SurveyError, Team, survey};

use crate::shipped::models;

/// What a survey says.
fn told(survey: &mut Survey<'_>, plan: &Plan) -> String {
    let showing = plan.showing();
    let run = survey.run_to_transition(&showing).expect("there is time");
    let exploration = survey.exploration();
    let (complete, reason) = (exploration.complete, exploration.reason);
    let fired: Vec<(u32, u64)> = exploration.fired.iter().collect();
    let never: Vec<_> = survey.never_fired().collect();
    let unmarked: Vec<_> = survey.never_marked().collect();
    let most = survey.most_tokens().to_vec();
    let census = survey.census().map(|census| format!("{census:?}"));
    format!(
        "{:?} {:?} {} {complete} {reason:?} {fired:?} {never:?} {unmarked:?} {most:?} {census:?} {:?}",
        survey.form(),
        survey.tally(),
        survey.modes(),
        run.map(|run| run.steps.len())
    )
}

/// What a survey of a model comes to. Runs may differ, but not their lengths.
fn outcome(net: &Arc<Net>, plan: &Plan) -> String {
    match survey(net, plan) {
        Ok(mut survey) => told(&mut survey, plan),
        Err(SurveyError::Fault(fault)) => {
            let steps = fault.shown.as_ref().map(|(_, run)| run.steps.len());
            format!("{} {steps:?}", fault.is_failure)
        }
        Err(error) => error.to_string(),
    }
}

fn assert_same(net: &Arc<Net>, plan: &Plan, processes: usize, threads: usize, what: &str) {
    let one = outcome(net, plan);
    let several = on_loopback(processes, threads, |network| {
        let team = Some(Team { network, watch: None });
        outcome(net, &Plan { team, ..plan.clone() })
    });
    for other in several.expect("connections") {
        assert_eq!(one, other, "{what} by {processes} processes of {threads}");
    }
}

#[test]
fn surveys_of_models_say_the_same() {
    let paths = models();
    let mut compared = 0;
    for (at, path) in paths.iter().enumerate() {
        let text = std::fs::read_to_string(path).expect("a text");
        let Some(net) = lang::compile(&text, &[]).net else { continue };
        let net = Arc::new(net);
        // Those that are too large for a test are left to others.
        let plan = Plan { states: Some(2000), ..Plan::default() };
        let full = Plan { full: true, ..plan.clone() };
        let plan = [plan.clone(), full, plan][at % 3].clone();
        let is_small = match survey(&net, &plan) {
            Ok(survey) => survey.exploration().complete,
            Err(_) => true,
        };
        if is_small {
            let last = net.transitions.len() as u32 - 1;
            let until = (at % 4 == 0).then_some(net::TransitionId(last));
            let plan = Plan { until, ..plan };
            // Where a run ends at the transition looked for, one process has seen fewer states.
            if until.is_none_or(|until| {
                survey(&net, &plan).is_ok_and(|s| s.exploration().fired.of(until.0) == 0)
            }) {
                assert_same(&net, &plan, 1 + at % 3, 1 + at % 2, &path.display().to_string());
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn forms_limits_and_runs() {
    let text = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
        std::fs::read_to_string(path).expect("a model")
    };
    let file = |name: &str| Arc::new(lang::compile(&text(name), &[]).net.expect("a net"));
    let symbolic = file("peterson.kin");
    let plan = Plan::default();
    assert_eq!(survey(&symbolic, &plan).expect("a survey").form(), Form::Symbolic);
    assert_same(&symbolic, &plan, 3, 1, "symbolic");
    assert_same(&symbolic, &Plan { one_by_one: true, ..plan.clone() }, 2, 2, "one by one");

    // A limit ends all processes, and is no verdict.
    let limited = Plan { states: Some(10), ..plan.clone() };
    let ends = on_loopback(3, 1, |network| {
        let team = Some(Team { network, watch: None });
        let survey = survey(&symbolic, &Plan { team, ..limited.clone() }).expect("a survey");
        let exploration = survey.exploration();
        assert!(!exploration.complete && exploration.reason == Some(explore::Stop::States));
        survey.tally()
    });
    let ends = ends.expect("connections");
    assert!(ends.iter().all(|end| *end == ends[0] && end.states > 10), "{ends:?}");

    // Interrupted on one process, ended on all.
    let large = |name: &str| lang::Override { name: name.to_owned(), value: "4".to_owned() };
    let large = lang::compile(&text("server.kin"), &["k", "m"].map(large)).net.expect("a net");
    let large = Arc::new(large);
    let reasons = on_loopback(3, 1, |network| {
        let mut plan = plan.clone();
        plan.budget = budget::Budget::unlimited();
        let budget = plan.budget.clone();
        let process = network.process();
        let watch: Arc<dyn Fn(&explore::distributed::Progress) + Send + Sync> =
            Arc::new(move |progress| {
                if process == 1 && progress.levels > 10 {
                    budget.interrupt();
                }
            });
        plan.team = Some(Team { network, watch: Some(watch) });
        survey(&large, &plan).expect("a survey").exploration().reason
    });
    for reason in reasons.expect("connections") {
        let interrupted = explore::Stop::Exhausted(budget::Exhausted::Interrupted);
        assert_eq!(reason, Some(interrupted));
    }

    // The transition looked for: as near as for one process, and the same run on all.
    let server = file("server.kin");
    let last = net::TransitionId(server.transitions.len() as u32 - 1);
    let until = Plan { until: Some(last), ..plan.clone() };
    let showing = until.showing();
    let mut one = survey(&server, &until).expect("a survey");
    let steps = one.run_to_transition(&showing).expect("time").expect("it fires").steps.len();
    let mut texts = Vec::new();
    for processes in [1, 2, 3] {
        let runs = on_loopback(processes, 1, |network| {
            let team = Some(Team { network, watch: None });
            let mut survey = survey(&server, &Plan { team, ..until.clone() }).expect("a survey");
            let run = survey.run_to_transition(&showing).expect("time").expect("it fires");
            assert_eq!(run.steps.len(), steps);
            format!("{:?}", run.last())
        });
        texts.extend(runs.expect("connections"));
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
}

#[test]
fn a_team_that_does_not_agree_says_so() {
    let net = |end: u32| {
        let text = format!("model m\nplace p = {end}\nplace q\ntransition t {{ take p  put q }}\n");
        Arc::new(lang::compile(&text, &[]).net.expect("a net"))
    };
    let nets = [net(1), net(2)];
    let errors = on_loopback(2, 1, |network| {
        let net = &nets[network.process()];
        let plan = Plan { team: Some(Team { network, watch: None }), ..Plan::default() };
        survey(net, &plan).err().map(|error| error.to_string())
    });
    for error in errors.expect("connections") {
        let error = error.expect("they explore different nets");
        assert!(error.contains("something else"), "{error}");
    }
}
