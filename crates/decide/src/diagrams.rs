//! Checking on the set of reachable markings of the unfolded net, in a decision diagram.
//!
//! With the set at hand some goals take no time, others more than there is, and which ones cannot be
//! foreseen. So they take turns: each is tried for a while, and those that were not reached for longer, until
//! none is left or the budget is used up.

use std::time::Duration;

use budget::{Budget, Exhausted, Phase};
use check::{Automaton, Ctl, Ltl};
use survey::{Engine, orders};
use symbolic::Translation;
use unfold::{Diagram, DiagramError, DiagramLimits, Predicate, UnfoldLimits, UnfoldedNet};

use crate::Refusal;
use crate::board::Board;
use crate::goal::{Answer, Goal, Goals};
use crate::predicate::not;

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
    let _under = budget.progress().during(Phase::Deciding);
    let (atoms, ltl) = board.read(|goals, _| (predicates(goals), goals.ltl.clone()));
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
            let asked = board.read(|goals, _| {
                refusal(goals, goal, is_fair).is_none().then(|| goals.goal(goal).clone())
            });
            diagram.set_limits(DiagramLimits::within(&budget.within(turn)));
            match asked.and_then(|asked| answer(&asked, &mut diagram, &atoms, &ltl).transpose()) {
                Some(Ok(answer)) => board.settle(Engine::Diagrams, [(goal, answer)]),
                Some(Err(DiagramError::Exhausted(Exhausted::Time))) => {}
                _ => given_up.push(goal),
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
    if is_fair && matches!(goals.goal(goal), Goal::Linear(_)) {
        return Some(Refusal::FairDiagrams);
    }
    if matches!(goals.goal(goal), Goal::Everyone(_)) {
        return Some(Refusal::Individuals);
    }
    let is_single = |atom: &u32| goals.atoms.predicate(*atom, true).is_none();
    goals.atoms_of(goal).iter().any(is_single).then_some(Refusal::Individuals)
}

/// What a diagram says of a goal; nothing if a formula has no automaton of sensible size.
fn answer(
    goal: &Goal,
    diagram: &mut Diagram,
    atoms: &[Predicate],
    ltl: &Ltl,
) -> Result<Option<Answer>, DiagramError> {
    let holds = match goal {
        Goal::Initially(atom) => diagram.ctl(&Ctl::Atom(*atom), atoms)?,
        Goal::Somewhere(atom, value) => {
            let predicate = atoms[*atom as usize].clone();
            diagram.holds_somewhere(&if *value { predicate } else { not(predicate) })?
        }
        Goal::Branching(formula) => diagram.ctl(formula, atoms)?,
        Goal::Linear(formula) => match Automaton::of(ltl, ltl.not(*formula)) {
            Ok(violations) => !diagram.ltl(&violations, atoms)?,
            Err(_) => return Ok(None),
        },
        Goal::Everyone(_) => return Ok(None),
        Goal::Greatest(terms) => return Ok(Some(Answer::Greatest(diagram.range(terms).1))),
    };
    Ok(Some(Answer::Holds(holds)))
}
