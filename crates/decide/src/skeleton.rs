//! Deciding by the skeleton of a net, which has no colours: for nets that are large when unfolded.
//!
//! What the state equation of the skeleton refutes is not reachable in the coloured net, and its bounds are bounds there
//! ([`UnfoldedNet::skeleton`]). What is said of transitions that are *not* enabled is left out in favour of what is
//! asked, since colours may be the reason.

use std::collections::BTreeMap;
use std::time::Duration;

use ::equation::{StateEquation, Upper};
use budget::{Budget, Phase};
use num_bigint::BigInt;
use survey::Engine;
use symbolic::Translation;
use unfold::{Predicate, UnfoldLimits, UnfoldedNet};

use crate::board::Board;
use crate::facts::Facts;
use crate::goal::{Answer, Goal};
use crate::predicate::{joined, not};

/// How long a goal is tried.
const TURN: Duration = Duration::from_millis(100);

/// Decides what the skeleton can decide. Returns bounds of sums, by goal, that are never exceeded. With runs to show,
/// nothing but these and what no run can show; with fairness, nothing is said of runs.
pub(crate) fn bounds(
    translation: &Translation,
    board: &Board<'_>,
    (shows_runs, is_fair): (bool, bool),
    budget: &Budget,
) -> BTreeMap<usize, i128> {
    let _under = budget.progress().during(Phase::Deciding);
    let mut bounds = BTreeMap::new();
    let limits = UnfoldLimits { budget: budget.clone(), ..UnfoldLimits::default() };
    let net = translation.symmetric_net();
    let Ok(Some(skeleton)) = UnfoldedNet::skeleton(net, &limits) else { return bounds };
    let Ok(mut equation) = StateEquation::of(&skeleton) else { return bounds };
    let start = board.read(|goals, _| goals.start.clone());
    if let (Some(start), false) = (&start, shows_runs) {
        let mut facts = Facts::new(board, is_fair);
        let never =
            &mut |predicate: &Predicate, turn: &Budget| is_refuted(&mut equation, predicate, turn);
        facts.ask(never, &budget.within(TURN * 4));
        facts.restate(board, &|predicate| start.satisfies(predicate));
    }
    let asked: Vec<(usize, Goal, Option<Predicate>)> = board.read(|goals, pending| {
        let of = |goal: usize| match goals.goal(goal) {
            Goal::Somewhere(atom, value) => goals.atoms.predicate(*atom, *value),
            _ => None,
        };
        pending.into_iter().map(|goal| (goal, goals.goal(goal).clone(), of(goal))).collect()
    });
    for (goal, what, predicate) in asked {
        let turn = &budget.within(TURN);
        if predicate.is_some_and(|predicate| is_refuted(&mut equation, &predicate, turn)) {
            board.settle(Engine::Structure, [(goal, Answer::Holds(false))]);
        }
        if let Goal::Greatest(terms) = what
            && let Ok(Upper::AtMost(most, _)) = equation.upper_bound(&terms, turn)
        {
            bounds.insert(goal, most);
            if start.as_ref().is_some_and(|start| start.sum(&terms) == most) {
                board.settle(Engine::Structure, [(goal, Answer::Greatest(BigInt::from(most)))]);
            }
        }
    }
    bounds
}

/// Whether the equation shows that no reachable marking of the coloured net satisfies a predicate.
fn is_refuted(equation: &mut StateEquation<'_>, predicate: &Predicate, budget: &Budget) -> bool {
    equation.solve(&weakened(predicate, true), budget) == Ok(None)
}

/// What a predicate, or its opposite, says of the skeleton: whatever satisfies it in the coloured net satisfies this
/// there.
fn weakened(predicate: &Predicate, holds: bool) -> Predicate {
    let said = |predicate: &Predicate| match holds {
        true => predicate.clone(),
        false => not(predicate.clone()),
    };
    match predicate {
        Predicate::True | Predicate::AtMost { .. } => said(predicate),
        // That something is enabled needs tokens; that nothing is may have other reasons.
        Predicate::Enabled(_) if holds => said(predicate),
        Predicate::Dead if !holds => said(predicate),
        Predicate::Enabled(_) | Predicate::Dead => Predicate::True,
        Predicate::Not(inner) => weakened(inner, !holds),
        Predicate::And(parts) | Predicate::Or(parts) => {
            let is_all = matches!(predicate, Predicate::And(_)) == holds;
            joined(parts.iter().map(|part| weakened(part, holds)), is_all)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use net::TransitionId;

    #[test]
    fn nothing_is_said_of_what_is_not_enabled() {
        let enabled = Predicate::Enabled(TransitionId(0));
        let few = Predicate::AtMost { terms: vec![(0, 1)], bound: 3 };
        let both = Predicate::And(vec![enabled.clone(), few.clone()]);
        assert_eq!(weakened(&both, true), both);
        assert_eq!(weakened(&both, false), Predicate::True);
        let either = Predicate::Or(vec![Predicate::Dead, few.clone()]);
        assert_eq!(weakened(&not(either), true), joined([not(Predicate::Dead), not(few)], true));
        assert_eq!(weakened(&not(enabled), true), Predicate::True);
    }
}
