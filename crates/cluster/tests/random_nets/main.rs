//! Random nets: several processes find and decide what one does. Failures say the seed.

#[path = "../../../net/tests/differential/random_groups.rs"]
#[allow(dead_code, reason = "it is shared with others")]
mod random_groups;
#[path = "../../../net/tests/differential/random_net.rs"]
#[allow(dead_code, reason = "it is shared with others")]
mod random_net;
#[path = "../../../net/tests/differential/random_transition.rs"]
#[allow(dead_code, reason = "it is shared with others")]
mod random_transition;

use cluster::on_loopback;
use decide::{Checking, Question, Verdict};
use net::{Expr, Formula, Net, PathOp, TransitionId};
use random_net::{Ingredients, RandomNet, random_net};
use survey::{Engine, Plan, SurveyError, Team, survey};

const NETS: u64 = 40;
const MOST: u64 = 1000;

/// Whether a net can be left for ever without what its first transition needs, and whether its last transition can be
/// enabled again from everywhere.
fn about_paths(net: &Net) -> [Formula; 2] {
    let enabled = |number: usize| Formula::Term(Expr::Enabled(TransitionId(number as u32)));
    let path = |op, formula| Formula::Path(op, Box::new(formula));
    let again = path(PathOp::Always, path(PathOp::Eventually, enabled(0)));
    let last = enabled(net.transitions.len() - 1);
    [again, path(PathOp::AllGlobally, path(PathOp::SomeFinally, last))]
}

/// What is found of a net, whether nobody comes to a dead end, and what is true of its paths; with the run that shows it,
/// if asked for: its length, if it ends.
fn outcome(net: &RandomNet, plan: &Plan, with_runs: bool) -> String {
    let found = match survey(&net.net, plan) {
        Ok(mut survey) => {
            let exploration = survey.exploration();
            let fired: Vec<(u32, u64)> = exploration.fired.iter().collect();
            let census = survey.census().map(|census| format!("{census:?}"));
            format!("{:?} {fired:?} {:?} {census:?}", survey.tally(), survey.most_tokens())
        }
        Err(SurveyError::Fault(fault)) => {
            format!("fault after {:?}", fault.shown.map(|(_, run)| run.steps.len()))
        }
        Err(error) => error.to_string(),
    };
    let engine = Some(Engine::Explicit);
    let checking = Checking { plan: plan.clone(), engine, evidence: true, ..Checking::default() };
    let asked = [Formula::DeadlockFree, Formula::NoOneStuck, Formula::EveryoneCanEnd];
    let asked: Vec<Question> =
        asked.into_iter().chain(about_paths(&net.net)).map(Question::holds).collect();
    let decided = decide::decide(&net.net, &asked, &checking, &mut |_| {}, &mut |_| {});
    let verdicts = decided.expect("it can be explored").outcomes.into_iter().map(|outcome| {
        match outcome.verdict {
            Verdict::Holds { .. } => "holds".to_owned(),
            Verdict::Fails(shown) if with_runs => {
                let trace = shown.map(|evidence| evidence.trace);
                let ends = trace.map(|trace| trace.back.is_none().then_some(trace.run.steps.len()));
                format!("fails {ends:?}")
            }
            Verdict::Fails(_) => "fails".to_owned(),
            // Why, the first says.
            Verdict::Unknown(_) if !with_runs => "unknown".to_owned(),
            other => format!("{other:?}"),
        }
    });
    format!("{found}\n{:?}", verdicts.collect::<Vec<_>>())
}

#[test]
fn several_processes_find_and_decide_the_same() {
    let all = [
        Ingredients::Threads,
        Ingredients::Classes,
        Ingredients::ThreadsAndClasses,
        Ingredients::Objects,
        Ingredients::Groups,
    ];
    let mut compared = 0;
    for seed in 0..NETS {
        let ingredients = all[seed as usize % all.len()];
        let net = random_net(seed, ingredients, |_| false);
        let plan = Plan {
            relations: Some(net.relations),
            states: Some(MOST),
            one_by_one: seed % 2 == 0,
            ..Plan::default()
        };
        // A limit does not come at the same state.
        let is_small = match survey(&net.net, &plan) {
            Ok(survey) => survey.exploration().complete,
            Err(SurveyError::Fault(_)) => true,
            Err(_) => false,
        };
        if !is_small {
            continue;
        }
        compared += 1;
        // Only the first process has runs.
        let one = [true, false].map(|with_runs| outcome(&net, &plan, with_runs));
        let layout = [(2, 1), (3, 1), (1, 2), (2, 2), (5, 1)][seed as usize / 2 % 5];
        let several = on_loopback(layout.0, layout.1, |network| {
            let is_first = network.process() == 0;
            let team = Some(Team { network, watch: None });
            outcome(&net, &Plan { team, ..plan.clone() }, is_first)
        });
        for (process, found) in several.expect("connections").into_iter().enumerate() {
            let what = format!("seed {seed}, {ingredients:?}, process {process} of {layout:?}");
            assert_eq!(one[usize::from(process > 0)], found, "{what}");
        }
    }
    assert!(compared > NETS / 3, "{compared}");
}
