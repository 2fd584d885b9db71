//! Verdicts on random programs in which something goes wrong: of what can happen instead, by the definition and by the
//! engines, whatever is assumed of runs. What goes wrong ends everything.

use std::collections::BTreeMap;
use std::sync::Arc;

use decide::{Checking, Question, Verdict, decide};
use interpret::{Interpreter, Turns};
use net::{Fairness, Formula, Origin, Strength, Whom};
use program::Observed;
use program::Program;
use program::claim::{Claim, Proposition};
use random::Random;
use survey::Plan;

use crate::generate::Features;
use crate::graph::graph;
use crate::lives::{self, Asked};
use crate::{compiled, source};

/// How many states a program may have.
const MOST_STATES: usize = 200;

fn claim((name, proposition): (&str, Proposition)) -> Claim {
    let (name, text, origin) = (name.into(), name.into(), Origin::default());
    Claim { name, text, mentions: Vec::new(), proposition, origin }
}

/// What holds of a program by its definition, and what the engines say; nothing if it is not one to be compared.
fn compared(
    program: &Program,
    with_runs: bool,
    assumed: Option<Strength>,
) -> Option<Vec<(&'static str, bool, Verdict)>> {
    let observed = Observed { races: true, ..Observed::default() };
    let interpreter = Interpreter::new(program, &observed);
    let (graph, states) = graph(&interpreter, Turns::Statements, MOST_STATES)?;
    if !graph.has_faults() {
        return None;
    }
    let is_idle = |state: usize, pid| interpreter.is_idle(&states[state], pid);
    let lost = |asked| lives::is_hopeless(&graph, &states, asked, &is_idle);
    let asked = [
        (
            "deadlock_free",
            Proposition::Net(Formula::DeadlockFree),
            !lives::has_deadlock(&graph, &states, &is_idle),
        ),
        ("no_one_stuck", Proposition::Net(Formula::NoOneStuck), !lost(Asked::Acting)),
        ("everyone_can_end", Proposition::Net(Formula::EveryoneCanEnd), !lost(Asked::Ending)),
        (
            "race_free",
            Proposition::RaceFree,
            states.iter().all(|one| interpreter.race(one).is_none()),
        ),
    ];
    let claims = asked.iter().map(|(name, what, _)| claim((name, what.clone())));
    let mut marked = program.clone();
    program::mark_sure(&mut marked);
    let net = Arc::new(compiled::net_with(&marked, &observed, &claims.collect::<Vec<_>>())?.net);
    let questions: Vec<_> = net.properties.iter().cloned().map(Question::Holds).collect();
    let plan = Plan { threads: 1, ..Plan::default() };
    let of = Whom::Threads;
    let fairness = assumed.map(|strength| Fairness { strength, of }).into_iter().collect();
    let checking = Checking { plan, evidence: with_runs, fairness, ..Checking::default() };
    let report = decide(&net, &questions, &checking, &mut |_| {}, &mut |_| {});
    let report = report.expect("it is a model for all engines");
    assert!(report.fault.is_some() || report.outcomes.iter().all(|one| is_false(&one.verdict)));
    let found = report.outcomes.into_iter().map(|outcome| outcome.verdict);
    Some(
        asked
            .into_iter()
            .zip(found)
            .map(|((name, _, holds), found)| (name, holds, found))
            .collect(),
    )
}

fn is_false(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Fails(_))
}

#[test]
fn what_can_happen_instead_is_decided() {
    let wanted = random::daily(2_000, 40) as usize;
    let mut tally: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let mut count = 0;
    for seed in 5_000_000.. {
        let _seed = random::Seed(seed);
        let random = &mut Random::new(seed);
        let program = crate::generate::program(random, Features::ALL);
        let assumed = [None, Some(Strength::Weak), Some(Strength::Strong)][seed as usize % 3];
        let Some(all) = compared(&program, seed % 2 == 0, assumed) else { continue };
        for (name, holds, found) in all {
            *tally.entry((name, holds)).or_default() += 1;
            let is_right = match found {
                Verdict::Holds { .. } => holds,
                Verdict::Fails(_) => !holds,
                _ => false,
            };
            assert!(is_right, "{name} is {holds}: {found:?}\n{}", source::text(&program));
        }
        count += 1;
        if count == wanted {
            break;
        }
    }
    for name in ["deadlock_free", "no_one_stuck", "everyone_can_end", "race_free"] {
        for holds in [true, false] {
            let found = tally.get(&(name, holds)).copied().unwrap_or_default();
            assert!(found >= wanted / 50, "{name} is {holds} of {found} programs: {tally:#?}");
        }
    }
}
