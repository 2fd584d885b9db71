//! Several processes decide what one decides.

use std::sync::Arc;

use cluster::on_loopback;
use decide::{Checking, Evidence, Question, Report, Verdict};
use net::{Expr, Net, PlaceId};
use survey::{Engine, Plan, Team};

use crate::shipped::models;

/// What is reported, by the process that reports: verdicts, and how long the runs are that show them. Runs that go on for
/// ever are not shortest ones, and may be others.
fn told(report: &Report) -> Vec<String> {
    let steps = |evidence: &Option<Evidence>| {
        let trace = evidence.as_ref().map(|evidence| &evidence.trace);
        trace.map(|trace| match trace.back {
            Some(_) => "for ever".to_owned(),
            None => trace.run.steps.len().to_string(),
        })
    };
    let outcomes = report.outcomes.iter().map(|outcome| {
        let verdict = match &outcome.verdict {
            Verdict::Holds { vacuously, witness } => {
                format!("holds {vacuously} {:?}", steps(witness))
            }
            Verdict::Fails(evidence) => format!("fails {:?}", steps(evidence)),
            other => format!("{other:?}"),
        };
        format!("{}: {verdict}", outcome.name)
    });
    let fault = report.fault.as_ref().map(|fault| match &fault.shown {
        Ok((_, run)) => format!("fault after {}", run.steps.len()),
        Err(why) => why.to_string(),
    });
    outcomes.chain(fault).chain(report.unshown.map(|why| why.to_string())).collect()
}

/// The verdicts alone.
fn verdicts(report: &Report) -> Vec<String> {
    let kind = |verdict: &Verdict| match verdict {
        Verdict::Holds { .. } => "holds".to_owned(),
        Verdict::Fails(_) => "fails".to_owned(),
        other => format!("{other:?}"),
    };
    report.outcomes.iter().map(|outcome| kind(&outcome.verdict)).collect()
}

fn questions(net: &Net) -> Vec<Question> {
    let properties = net.properties.iter().cloned().map(Question::Holds);
    let flat = |place: &u32| !net.has_threads() && net.place(PlaceId(*place)).columns.is_empty();
    let places = (0..net.places.len() as u32).filter(flat).take(1);
    let most = places.map(|place| Question::Greatest(Expr::Count(PlaceId(place), Vec::new())));
    properties.chain(most).collect()
}

fn decided(net: &Arc<Net>, plan: Plan) -> Result<Report, String> {
    let engine = Some(Engine::Explicit);
    let checking = Checking { plan, engine, evidence: true, ..Checking::default() };
    decide::decide(net, &questions(net), &checking, &mut |_| {}, &mut |_| {})
        .map_err(|error| error.to_string())
}

#[test]
fn properties_of_models_are_decided_alike() {
    let paths = models();
    let mut compared = 0;
    for (at, path) in paths.iter().enumerate() {
        let text = std::fs::read_to_string(path).expect("a text");
        let Some(net) = lang::compile(&text, &[]).net else { continue };
        let net = Arc::new(net);
        let plan = Plan { states: Some(1500), ..Plan::default() };
        let Ok(one) = decided(&net, plan.clone()) else { continue };
        // A limit on states does not come at the same state.
        let is_open = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(_));
        if one.outcomes.is_empty() || one.outcomes.iter().any(|o| is_open(&o.verdict)) {
            continue;
        }
        compared += 1;
        let processes = 2 + at % 2;
        let reports = on_loopback(processes, 1 + at % 2, |network| {
            let team = Some(Team { network, watch: None });
            decided(&net, Plan { team, ..plan.clone() })
        });
        for (process, report) in reports.expect("connections").into_iter().enumerate() {
            let report = report.expect("it is decided");
            let what = format!("{} on process {process} of {processes}", path.display());
            assert_eq!(verdicts(&report), verdicts(&one), "{what}");
            if process == 0 {
                assert_eq!(told(&report), told(&one), "{what}");
            }
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn runs_do_not_depend_on_the_number_of_processes() {
    for name in ["server.kin", "cases/lost_permit.kin"] {
        let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let text = std::fs::read_to_string(models.join(name)).expect("a text");
        let net = Arc::new(lang::compile(&text, &[]).net.expect("a net"));
        let mut shown = Vec::new();
        for (processes, threads) in [(1, 1), (2, 1), (3, 2), (5, 1)] {
            let mut reports = on_loopback(processes, threads, |network| {
                let team = Some(Team { network, watch: None });
                decided(&net, Plan { team, ..Plan::default() }).expect("it is decided")
            })
            .expect("connections");
            let runs = reports.swap_remove(0).outcomes.into_iter().map(|outcome| {
                let evidence = match outcome.verdict {
                    Verdict::Holds { witness, .. } => witness,
                    Verdict::Fails(evidence) => evidence,
                    other => panic!("{name}: {other:?}"),
                };
                evidence.map(|evidence| format!("{:?}", evidence.trace))
            });
            shown.push(runs.collect::<Vec<_>>());
        }
        assert!(shown[0].iter().flatten().count() > 0, "{name} shows runs");
        assert!(shown.windows(2).all(|pair| pair[0] == pair[1]), "{name}");
    }
}

/// No memory is measured: what is counted decides.
#[derive(Debug)]
struct Unmeasured;

impl budget::Gauge for Unmeasured {}

#[test]
fn a_graph_that_does_not_fit_is_given_up_and_states_decide_what_they_can() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(models.join("server.kin")).expect("a text");
    let larger = |name: &str| lang::Override { name: name.to_owned(), value: "2".to_owned() };
    let net = lang::compile(&text, &["k", "m"].map(larger)).net.expect("a net");
    let net = Arc::new(net);
    let whole = verdicts(&decided(&net, Plan::default()).expect("it is decided"));
    let (mut limit, mut given_up, mut has_all) = (1_u64 << 14, 0, false);
    while !has_all {
        limit += limit / 8;
        let reports = on_loopback(2, 1, |network| {
            let limits = budget::Limits { memory: Some(limit), ..budget::Limits::default() };
            let limits = if network.process() == 0 { limits } else { Default::default() };
            let budget = budget::Budget::with_gauge(limits, Unmeasured);
            let team = Some(Team { network, watch: None });
            decided(&net, Plan { team, budget, ..Plan::default() }).expect("it is decided")
        });
        let found: Vec<Vec<String>> = reports.expect("connections").iter().map(verdicts).collect();
        let is_open = |verdict: &String| verdict.starts_with("Unknown");
        for process in &found {
            for (verdict, expected) in process.iter().zip(&whole) {
                assert!(is_open(verdict) || verdict == expected, "{limit}: {found:?}");
            }
        }
        let gave_up = |verdict: &String| verdict.contains("the graph is too large for process 0");
        if found[0].iter().any(gave_up) {
            assert!(found[0].iter().all(|verdict| gave_up(verdict) || !is_open(verdict)));
            given_up += usize::from(found[0].iter().any(|verdict| !is_open(verdict)));
        }
        has_all = found[0] == whole;
    }
    assert!(given_up > 0, "at no limit the graph alone was too large");
}
