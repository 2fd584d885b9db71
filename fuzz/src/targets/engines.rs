//! Any text that compiles: all engines find the same.
//!
//! The states are explored one by one without folding, folded one by one, as symbolic markings, and by
//! decision diagrams. Where none meets a limit, what they count must be the same, and so must be what is
//! never fired and never marked, and the verdicts on the properties.

use std::sync::Arc;

use budget::Budget;
use decide::{Checking, Verdict, verify};
use net::{Net, PlaceId, TransitionId};
use survey::{Census, Engine, Plan, Survey, SurveyError, diagram_survey, survey};

/// Nets with more states are left alone.
const STATES: u64 = 300;
/// And those that are larger than this.
const PARTS: usize = 40;
const MEMBERS: usize = 12;
const THREADS: usize = 6;
/// The steps that diagrams may take.
const STEPS: u64 = 200_000;

pub(crate) fn run(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    let Some(net) = lang::compile(&text, &[]).net else { return "no net".into() };
    let members = net.enumerations.iter().map(|class| class.members.len()).max().unwrap_or(0);
    let spawns = net.transitions.iter().flat_map(|transition| &transition.spawns);
    let threads = spawns.map(|spawn| spawn.count as usize).chain([net.start.len()]).max();
    if net.places.len() + net.transitions.len() > PARTS
        || members > MEMBERS
        || threads > Some(THREADS)
    {
        return "large".into();
    }
    compared(&Arc::new(net))
}

/// What an exploration has found, if it came to an end.
#[derive(Debug, PartialEq, Eq)]
struct Summary {
    never_fired: Vec<TransitionId>,
    never_marked: Vec<PlaceId>,
    has_deadlock: bool,
    has_ended: bool,
}

enum Explored {
    Complete(Summary, Option<Census>),
    Fault(String),
    Limited,
}

fn explored(net: &Arc<Net>, full: bool, one_by_one: bool) -> Explored {
    let states = Some(STATES);
    match survey(net, &Plan { full, one_by_one, states, ..Plan::default() }) {
        Ok(mut survey) if survey.exploration().complete => {
            Explored::Complete(summary(&survey), survey.census().cloned())
        }
        Ok(_) | Err(SurveyError::TooManyTokens) => Explored::Limited,
        Err(SurveyError::Fault(run)) => Explored::Fault(run.message),
        Err(error) => panic!("{error}"),
    }
}

fn summary(survey: &Survey) -> Summary {
    Summary {
        never_fired: survey.never_fired().collect(),
        never_marked: survey.never_marked().collect(),
        has_deadlock: !survey.exploration().deadlocks.is_empty(),
        has_ended: !survey.exploration().terminated.is_empty(),
    }
}

fn compared(net: &Arc<Net>) -> String {
    let (full, census) = match explored(net, true, false) {
        Explored::Complete(found, census) => (found, census.expect("it is complete")),
        Explored::Fault(fault) => return format!("fault {}", super::kind(&fault)),
        Explored::Limited => return "limit".into(),
    };
    for one_by_one in [false, true] {
        match explored(net, false, one_by_one) {
            Explored::Complete(folded, counted) => {
                assert_eq!(folded, full, "folded, one by one: {one_by_one}");
                if let Some(counted) = counted {
                    let census = Census { modes: counted.modes.clone(), ..census.clone() };
                    assert_eq!(counted, census, "folded, one by one: {one_by_one}");
                }
            }
            Explored::Fault(fault) => panic!("only when folded: {fault}"),
            Explored::Limited => panic!("there are more classes than states"),
        }
    }
    let answer = format!(
        "ok {} {} {}",
        census.concrete_states,
        census.concrete_edges,
        full.never_fired.len()
    );
    let by_diagrams = [false, true].map(|unfold| diagrams(net, &census, unfold));
    format!("{answer} {} {}", by_diagrams.join(" "), verdicts(net))
}

/// What is decided of the properties is the same in every way.
fn verdicts(net: &Arc<Net>) -> String {
    let full = Plan { full: true, ..Plan::default() };
    let one_by_one = Plan { one_by_one: true, ..Plan::default() };
    let explicit = [full, one_by_one, Plan::default()].map(|plan| (plan, Engine::Explicit));
    let others = [Engine::Diagrams, Engine::Structure].map(|engine| (Plan::default(), engine));
    let ways = explicit.into_iter().chain(others);
    let mut known: Vec<Option<bool>> = vec![None; net.properties.len()];
    for (plan, engine) in ways {
        let budget = Budget::unlimited().with_steps(STEPS);
        let plan = Plan { states: Some(STATES), budget, ..plan };
        let fairness = net.fairness.clone();
        let checking = Checking { plan, fairness, engine: Some(engine), ..Checking::default() };
        let report = match verify(net, &net.properties, &checking, &mut |_| {}) {
            Ok(report) => report,
            Err(SurveyError::NoDiagram(_)) => continue,
            Err(error) => panic!("{error}"),
        };
        for (outcome, known) in report.outcomes.iter().zip(&mut known) {
            let holds = match outcome.verdict {
                Verdict::Holds { .. } => true,
                Verdict::Fails(_) => false,
                _ => continue,
            };
            let expected = *known.get_or_insert(holds);
            assert_eq!(holds, expected, "`{}` by {engine:?}, {checking:?}", outcome.text);
        }
    }
    known
        .into_iter()
        .map(|known| known.map_or('?', |holds| if holds { '+' } else { '-' }))
        .collect()
}

/// What decision diagrams count is the same.
fn diagrams(net: &Arc<Net>, expected: &Census, unfold: bool) -> String {
    // Steps, not time, so that it is the same on every machine.
    let budget = Budget::unlimited().with_steps(STEPS);
    match diagram_survey(net, &Plan { unfold, budget, ..Plan::default() }) {
        Ok(survey) => {
            if let Some(census) = &survey.census {
                assert_eq!(census.states, expected.concrete_states);
                assert_eq!(census.edges, expected.concrete_edges);
                assert_eq!(census.deadlocks, expected.concrete_deadlocks);
                assert_eq!(census.most_tokens, expected.most_tokens);
                assert_eq!(num_bigint::BigUint::from(census.most_in_place), expected.most_in_place);
            }
            assert!(survey.states <= expected.concrete_states);
            format!("{:?}", survey.form)
        }
        Err(why) => super::kind(&why.to_string()),
    }
}
