//! Checking on the set of reachable markings of the unfolded net, in a decision diagram.
//!
//! With the set at hand some goals take no time, others more than there is, and which ones cannot be
//! foreseen. So they take turns: each is tried for a while, and those that were not reached for longer, until
//! none is left or the budget is used up.

use std::time::Duration;

use budget::{Budget, Exhausted};
use check::{Automaton, Ctl};
use survey::{Engine, orders};
use symbolic::Translation;
use unfold::{Diagram, DiagramError, DiagramLimits, Predicate, UnfoldLimits, UnfoldedNet};

use crate::Refusal;
use crate::board::Board;
use crate::explicit::{atoms_of_branching, atoms_of_linear};
use crate::goal::{Answer, Goal, Goals};

/// How long a goal is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(500);
const LONGER: u32 = 4;

/// Makes the diagram, and decides what it can.
pub(crate) fn explored(
    translation: &Translation,
    order: &[String],
    board: &Board<'_>,
    is_fair: bool,
    budget: &Budget,
) {
    let unfold = UnfoldLimits { budget: budget.clone(), ..UnfoldLimits::default() };
    let Ok(net) = UnfoldedNet::of(translation.symmetric_net(), &unfold) else { return };
    let orders = orders(&net, translation, order, budget);
    let Ok(mut diagram) = Diagram::of(net, orders, &DiagramLimits::within(budget)) else { return };
    let atoms = board.read(|goals, _| predicates(goals));
    let mut turn = FIRST_TURN;
    let mut given_up = Vec::new();
    loop {
        let mut open = board.read(|_, pending| pending);
        open.retain(|goal| !given_up.contains(goal));
        if open.is_empty() {
            return;
        }
        for goal in open {
            if budget.is_exhausted() {
                return;
            }
            let Some(asked) = board.read(|goals, _| Asked::of(goals, goal, is_fair)) else {
                given_up.push(goal);
                continue;
            };
            diagram.set_limits(DiagramLimits::within(&budget.within(turn)));
            match asked.answer(&mut diagram, &atoms) {
                Ok(answer) => board.settle(Engine::Diagrams, [(goal, answer)]),
                Err(DiagramError::Exhausted(Exhausted::Time)) => {}
                Err(_) => given_up.push(goal),
            }
        }
        turn *= LONGER;
    }
}

/// The predicates of all atoms, by number; of what diagrams cannot evaluate nothing is asked.
fn predicates(goals: &Goals) -> Vec<Predicate> {
    let count = goals.atoms.all().len() as u32;
    let of = |atom| goals.atoms.predicate(atom, true).unwrap_or(Predicate::True);
    (0..count).map(of).collect()
}

/// Why a goal cannot be asked of a diagram, if it cannot: it is about single threads or tokens, or fairness
/// matters.
pub(crate) fn refusal(goals: &Goals, goal: usize, is_fair: bool) -> Option<Refusal> {
    let mut atoms = Vec::new();
    match goals.goal(goal) {
        Goal::Initially(atom) | Goal::Somewhere(atom, _) => atoms.push(*atom),
        Goal::Branching(formula) => atoms_of_branching(formula, &mut atoms),
        Goal::Linear(_) if is_fair => return Some(Refusal::FairDiagrams),
        Goal::Linear(formula) => atoms_of_linear(&goals.ltl, *formula, &mut atoms),
        Goal::Greatest(_) => {}
    }
    let is_single = |atom: &u32| goals.atoms.predicate(*atom, true).is_none();
    atoms.iter().any(is_single).then_some(Refusal::Individuals)
}

/// A goal as it is asked of a diagram.
enum Asked {
    Somewhere(Predicate),
    Branching(Ctl),
    /// Whether no run is accepted.
    Rejects(Automaton),
    Greatest(Vec<(u32, i64)>),
}

impl Asked {
    /// `None` if a diagram cannot decide it, or a formula has no automaton of sensible size.
    fn of(goals: &mut Goals, goal: usize, is_fair: bool) -> Option<Asked> {
        if refusal(goals, goal, is_fair).is_some() {
            return None;
        }
        Some(match goals.goal(goal).clone() {
            Goal::Initially(atom) => Asked::Branching(Ctl::Atom(atom)),
            Goal::Somewhere(atom, value) => Asked::Somewhere(goals.atoms.predicate(atom, value)?),
            Goal::Branching(formula) => Asked::Branching(formula),
            Goal::Linear(formula) => {
                let opposite = goals.ltl.not(formula);
                Asked::Rejects(Automaton::of(&goals.ltl, opposite).ok()?)
            }
            Goal::Greatest(terms) => Asked::Greatest(terms),
        })
    }

    fn answer(&self, diagram: &mut Diagram, atoms: &[Predicate]) -> Result<Answer, DiagramError> {
        Ok(match self {
            Asked::Somewhere(predicate) => Answer::Holds(diagram.holds_somewhere(predicate)?),
            Asked::Branching(formula) => Answer::Holds(diagram.ctl(formula, atoms)?),
            Asked::Rejects(automaton) => Answer::Holds(!diagram.ltl(automaton, atoms)?),
            Asked::Greatest(terms) => Answer::Greatest(diagram.range(terms).1),
        })
    }
}
