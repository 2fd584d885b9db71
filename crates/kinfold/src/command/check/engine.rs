//! Which engine decides.
//!
//! States one by one give runs to show. Where there are too many, and no threads, sets of states in decision
//! diagrams decide what they can.

use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use kinfold::examine::{Answer, Engine as Examined, Inquiry, Question, examine};
use kinfold::{Checking, Concern, Outcome, Plan, Verdict, verify};
use net::{Net, Property};

use super::super::cli::Engine;
use super::super::explore;
use super::super::progress::Watch;
use super::Failure;

/// How long `auto` goes through states one by one before it tries sets of them.
const MOMENT: Duration = Duration::from_secs(5);

/// Decides properties.
pub(super) fn decided(
    net: &Arc<Net>,
    properties: &[Property],
    checking: &Checking,
    engine: Engine,
    watch: &mut Watch,
) -> Result<Vec<Outcome>, Failure> {
    let budget = &checking.plan.budget;
    let one_by_one = |properties: &[Property], budget: &Budget, watch: &mut Watch| {
        let plan = Plan { budget: budget.clone(), ..checking.plan.clone() };
        let checking = Checking { plan, ..checking.clone() };
        let found = verify(net, properties, &checking, &mut |progress| watch.see(progress));
        found.map_err(|error| explore::failure(net, &error))
    };
    let has_threads = net.has_threads();
    match engine {
        Engine::Ddd if has_threads => {
            Err(Failure::usage("--engine ddd is for models without threads; use --engine explicit"))
        }
        Engine::Ddd => {
            let mut outcomes = one_by_one(properties, &budget.within(Duration::ZERO), watch)?;
            as_sets(net, properties, checking, &mut outcomes);
            Ok(outcomes)
        }
        Engine::Auto if !has_threads && !checking.plan.full => {
            // Sets are tried, too, where states one by one need too much memory.
            let turn = budget.share(0.8).within(MOMENT);
            let mut outcomes = one_by_one(properties, &turn, watch)?;
            if open(&outcomes).is_empty() || budget.is_exhausted() {
                return Ok(outcomes);
            }
            as_sets(net, properties, checking, &mut outcomes);
            let open = open(&outcomes);
            if !open.is_empty() && !budget.is_exhausted() {
                let rest: Vec<Property> = open.iter().map(|&at| properties[at].clone()).collect();
                let found = one_by_one(&rest, budget, watch)?;
                open.into_iter().zip(found).for_each(|(at, found)| outcomes[at] = found);
            }
            Ok(outcomes)
        }
        Engine::Explicit | Engine::Auto => one_by_one(properties, budget, watch),
    }
}

/// The outcomes that are not known, by their numbers.
fn open(outcomes: &[Outcome]) -> Vec<usize> {
    let is_open = |at: &usize| matches!(outcomes[*at].verdict, Verdict::Unknown(_));
    (0..outcomes.len()).filter(is_open).collect()
}

/// Decides by sets what is not known, and can be asked of sets: nothing about single tokens, and nothing that
/// fairness could change.
fn as_sets(net: &Arc<Net>, properties: &[Property], checking: &Checking, outcomes: &mut [Outcome]) {
    let depends =
        |at: &usize| outcomes[*at].concern == Concern::Run && !checking.fairness.is_empty();
    let asked: Vec<usize> = open(outcomes).into_iter().filter(|at| !depends(at)).collect();
    let questions: Vec<Question> =
        asked.iter().map(|&at| Question::Holds(properties[at].formula.clone())).collect();
    let inquiry = Inquiry {
        engine: Some(Examined::Diagrams),
        budget: checking.plan.budget.clone(),
        threads: 1,
        ..Inquiry::default()
    };
    let mut answers: Vec<(usize, bool)> = Vec::new();
    let tell = &mut |number: usize, answer: Answer, _| {
        if let Answer::Holds(holds) = answer {
            answers.push((asked[number], holds));
        }
    };
    let refused = examine(net, &questions, &inquiry, &mut |_| {}, tell).unwrap_or_default();
    for (at, holds) in answers {
        outcomes[at].verdict = match holds {
            true => Verdict::Holds { vacuously: false, witness: None },
            false => Verdict::Fails(None),
        };
    }
    for (number, why) in refused {
        outcomes[asked[number]].verdict = Verdict::Unknown(why.to_string());
    }
}
