//! A limit on states never gives a verdict that all states contradict: models of processes, at every limit.

use std::path::Path;
use std::sync::Arc;

use decide::{Checking, Question, Report, Verdict, decide};
use net::{Formula, Net};
use survey::Plan;

/// Larger models are left out: each is decided as often as it has states.
const MOST_STATES: u64 = 120;

fn decided(net: &Arc<Net>, questions: &[Question], states: u64) -> Report {
    let plan = Plan { states: Some(states), threads: 1, ..Plan::default() };
    let fairness = net.fairness.clone();
    let checking = Checking { plan, fairness, ..Checking::default() };
    decide(net, questions, &checking, &mut |_| {}, &mut |_| {}).expect("a model for it")
}

/// Whether each question is answered with yes or no, if it is.
fn verdicts(report: &Report) -> Vec<Option<bool>> {
    let verdict = |outcome: &decide::Outcome| match outcome.verdict {
        Verdict::Holds { .. } => Some(true),
        Verdict::Fails(_) => Some(false),
        _ => None,
    };
    report.outcomes.iter().map(verdict).collect()
}

#[test]
fn no_limit_gives_a_verdict_that_all_states_contradict() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/processes");
    let files = std::fs::read_dir(models).expect("there are models");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let (mut models, mut open, mut early) = (0, 0, 0);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        let Some(net) = lang::compile(&text, &[]).net else { continue };
        let net = Arc::new(net);
        let own = net.properties.iter().cloned().map(Question::Holds);
        let all = [Formula::DeadlockFree, Formula::NoOneStuck, Formula::EveryoneCanEnd];
        let questions: Vec<Question> = own.chain(all.map(Question::holds)).collect();
        let whole = decided(&net, &questions, MOST_STATES);
        let Some(coverage) = whole.coverage.as_ref().filter(|coverage| coverage.complete) else {
            continue;
        };
        models += 1;
        let states = coverage.states;
        let expected = verdicts(&whole);
        for limit in 1..states {
            let found = verdicts(&decided(&net, &questions, limit));
            for (found, expected) in found.into_iter().zip(&expected) {
                assert!(found.is_none() || found == *expected, "{}: {limit}", path.display());
                open += usize::from(found.is_none());
                early += usize::from(found.is_some());
            }
        }
    }
    assert!(models >= 20 && open > 500 && early > 50, "{models} models: {open}, {early}");
}
