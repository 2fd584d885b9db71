//! Checking on the set of reachable markings of the unfolded net, in a decision diagram.
//!
//! With the set at hand some goals take no time, others more than there is, and which ones cannot be
//! foreseen. So they take turns: each is tried for a while, and those that were not reached for longer, until
//! none is left or the budget is used up.

use std::time::Duration;

use budget::{Budget, Exhausted, Phase};
use check::{Automaton, Ctl};
use num_bigint::BigUint;
use plain::{Comparison, Condition, Logic, PlainArc, PlainNet, PlainTransition, Problem};
use survey::{Engine, orders};
use symbolic::{PlaceId, Translation};
use unfold::{
    Diagram, DiagramError, DiagramLimits, PlaceOrder, Predicate, UnfoldedArc, UnfoldedNet,
    UnfoldedPlace, UnfoldedTransition,
};

use crate::Refusal;
use crate::board::Board;
use crate::goal::{Answer, Goal, Goals};
use crate::predicate::not;
use crate::unfolded::{Kind, asked};

/// How long a goal is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(100);
const LONGER: u32 = 4;
/// A net with more transitions than this is not made smaller first.
const LARGEST: usize = 1 << 15;

/// The set of reachable markings, once there is one, and what is asked of it.
pub(crate) struct Sets<'n> {
    translation: &'n Translation,
    net: &'n UnfoldedNet,
    /// The order of places that is wanted, by name; if it is empty, one is looked for.
    order: &'n [String],
    is_fair: bool,
    reduces: bool,
    built: Option<Built>,
}

/// A diagram.
struct Built {
    diagram: Diagram,
    /// The goals that it was made for. Others may be about what is no longer in its net.
    goals: Vec<usize>,
    asked: Vec<(usize, Asked)>,
    /// Whether it is of a smaller net than the one that was given.
    is_smaller: bool,
    /// How long a goal is tried next.
    turn: Duration,
}

impl<'n> Sets<'n> {
    /// Nothing is known yet. If it `reduces`, what makes no difference to the goals is taken out of the net, where no
    /// order is given.
    pub(crate) fn new(
        translation: &'n Translation,
        net: &'n UnfoldedNet,
        order: &'n [String],
        (is_fair, reduces): (bool, bool),
    ) -> Self {
        Sets { translation, net, order, is_fair, reduces, built: None }
    }

    /// Makes the diagram, unless there is one, and decides what it can within a budget. Returns whether it has decided
    /// something on a smaller net. A diagram that is not done in time is made again.
    pub(crate) fn turn(&mut self, board: &Board<'_>, budget: &Budget) -> bool {
        let pending = board.read(|_, pending| pending);
        let is_for = |built: &Built| pending.iter().all(|goal| built.goals.contains(goal));
        if !self.built.as_ref().is_some_and(is_for) {
            self.built = None;
            self.built = self.made(board, budget);
        }
        let Some(Built { diagram, asked, is_smaller, turn, .. }) = &mut self.built else {
            return false;
        };
        decided(diagram, asked, turn, board, budget) && *is_smaller
    }

    fn made(&self, board: &Board<'_>, budget: &Budget) -> Option<Built> {
        let Sets { translation, net, order, is_fair, .. } = *self;
        let goals = board.read(|_, pending| pending);
        let reduces = self.reduces && order.is_empty();
        let reduced = reduces.then(|| Joint::of(net, board, is_fair, budget));
        let (net, asked, is_smaller) = match reduced.flatten() {
            Some(Joint { net, asked }) => (net, asked, true),
            None => {
                let asked = board.read(|goals, pending| as_it_is(goals, &pending, is_fair));
                (net.clone(), asked, false)
            }
        };
        let orders = match is_smaller {
            true => PlaceOrder::candidates(&net, budget),
            false => orders(&net, translation, order, budget),
        };
        let diagram = Diagram::of(net, orders, &DiagramLimits::within(budget)).ok()?;
        Some(Built { diagram, goals, asked, is_smaller, turn: FIRST_TURN })
    }
}

/// Decides goals on a diagram; whether it could decide some.
fn decided(
    diagram: &mut Diagram,
    asked: &mut Vec<(usize, Asked)>,
    turn: &mut Duration,
    board: &Board<'_>,
    budget: &Budget,
) -> bool {
    let _under = budget.progress().during(Phase::Deciding);
    let mut is_any = false;
    loop {
        let open = board.read(|_, pending| pending);
        asked.retain(|(goal, _)| open.contains(goal));
        if asked.is_empty() {
            return is_any;
        }
        let mut given_up = Vec::new();
        for (goal, asked) in asked.iter() {
            if budget.is_exhausted() {
                return is_any;
            }
            diagram.set_limits(DiagramLimits::within(&budget.within(*turn)));
            match answer(asked, diagram) {
                Ok(answer) => {
                    is_any = true;
                    board.settle(Engine::Diagrams, [(*goal, answer)]);
                }
                Err(DiagramError::Exhausted(Exhausted::Time)) => {}
                Err(_) => given_up.push(*goal),
            }
        }
        asked.retain(|(goal, _)| !given_up.contains(goal));
        *turn *= LONGER;
    }
}

/// What is asked of a diagram.
enum Asked {
    /// Whether this holds somewhere.
    Somewhere(Predicate),
    /// The greatest value of a sum, and a constant.
    Greatest(Vec<(u32, i64)>, i64),
    /// Whether no run is accepted, which would be a violation, given the atoms.
    Linear(Automaton, Vec<Predicate>),
    /// Whether this holds in the initial marking, given the atoms.
    Branching(Ctl, Vec<Predicate>),
}

/// What goals ask of the net as it is. Formulas without an automaton of sensible size are left out.
fn as_it_is(goals: &Goals, pending: &[usize], is_fair: bool) -> Vec<(usize, Asked)> {
    let atoms = predicates(goals);
    let ltl = &goals.ltl;
    let asked = |goal: &usize| {
        let asked = match goals.goal(*goal) {
            _ if refusal(goals, *goal, is_fair).is_some() => return None,
            Goal::Initially(atom) => Asked::Branching(Ctl::Atom(*atom), atoms.clone()),
            Goal::Somewhere(atom, value) => {
                let predicate = atoms[*atom as usize].clone();
                Asked::Somewhere(if *value { predicate } else { not(predicate) })
            }
            Goal::Branching(formula) => Asked::Branching(formula.clone(), atoms.clone()),
            Goal::Linear(formula) => {
                Asked::Linear(Automaton::of(ltl, ltl.not(*formula)).ok()?, atoms.clone())
            }
            Goal::Everyone(_) => return None,
            Goal::Greatest(terms) => Asked::Greatest(terms.clone(), 0),
        };
        Some((*goal, asked))
    };
    pending.iter().filter_map(asked).collect()
}

/// One net for all goals, from which is gone what makes no difference to any of them.
struct Joint {
    net: UnfoldedNet,
    asked: Vec<(usize, Asked)>,
}

impl Joint {
    /// The net; `None` if it is too large, a goal cannot be said in terms of its places, or nothing is left of it.
    fn of(net: &UnfoldedNet, board: &Board<'_>, is_fair: bool, budget: &Budget) -> Option<Joint> {
        if net.transitions.len() > LARGEST {
            return None;
        }
        let asked = board.read(|goals, pending| {
            let ours = pending.into_iter().filter(|goal| refusal(goals, *goal, is_fair).is_none());
            ours.map(|goal| Some((goal, asked(goals, goal, net)?))).collect::<Option<Vec<_>>>()
        })?;
        let mut problem = Problem::new(PlainNet::from(net), Vec::new(), Vec::new());
        let mut logic = Logic::Reachability;
        let mut shares = Vec::new();
        for (goal, (kind, needed, conditions, sums)) in asked {
            logic = logic.max(needed);
            shares.push((goal, kind, conditions.len()));
            problem.conditions.extend(conditions);
            problem.sums.extend(sums);
        }
        problem.reduce(logic, budget);
        if problem.net.initial.is_empty() || problem.net.transitions.is_empty() {
            return None;
        }
        let mut predicates = problem.conditions.iter().map(as_predicate);
        let mut sums = problem.sums.iter();
        let asked = shares.into_iter().map(|(goal, kind, count)| {
            let mut atoms: Vec<Predicate> = predicates.by_ref().take(count).collect();
            let asked = match kind {
                Kind::Reach => Asked::Somewhere(atoms.swap_remove(0)),
                Kind::Greatest => {
                    let sum = sums.next().expect("one for each");
                    let terms = sum.terms.iter().map(|&(place, weight)| (place, -weight));
                    Asked::Greatest(terms.collect(), sum.bound)
                }
                Kind::Linear(violations) => Asked::Linear(violations, atoms),
                Kind::Branching(formula) => Asked::Branching(formula, atoms),
            };
            (goal, asked)
        });
        Some(Joint { asked: asked.collect(), net: as_unfolded(&problem, net) })
    }
}

/// A net each of whose places is one of a symmetric net. Orders are still found from the tuples.
fn as_unfolded(problem: &Problem, original: &UnfoldedNet) -> UnfoldedNet {
    let Problem { net, origin, .. } = problem;
    let place = |number: usize| UnfoldedPlace {
        place: PlaceId(number as u32),
        tuple: original.places[origin[number] as usize].tuple.clone(),
        initial: net.initial[number],
    };
    let arc = |arc: &PlainArc| {
        let PlainArc { place, least, most, change } = *arc;
        UnfoldedArc { place, least, most, change }
    };
    let transition = |transition: &PlainTransition| UnfoldedTransition {
        arcs: transition.arcs.iter().map(arc).collect(),
        sums: transition.sums.clone(),
        bindings: 1,
        labels: Vec::new(),
    };
    UnfoldedNet {
        places: (0..net.initial.len()).map(place).collect(),
        transitions: net.transitions.iter().map(transition).collect(),
        fixed: vec![BigUint::ZERO; net.initial.len()],
        most_fixed: 0,
    }
}

/// A condition as a predicate on such a net.
fn as_predicate(condition: &Condition) -> Predicate {
    match condition {
        Condition::Constant(true) => Predicate::True,
        Condition::Constant(false) => not(Predicate::True),
        Condition::AtMost(Comparison { terms, bound }) => {
            Predicate::AtMost { terms: terms.clone(), bound: *bound }
        }
        Condition::Dead(true) => Predicate::Dead,
        Condition::Dead(false) => not(Predicate::Dead),
        Condition::And(parts) => Predicate::And(parts.iter().map(as_predicate).collect()),
        Condition::Or(parts) => Predicate::Or(parts.iter().map(as_predicate).collect()),
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

/// What a diagram says.
fn answer(asked: &Asked, diagram: &mut Diagram) -> Result<Answer, DiagramError> {
    Ok(Answer::Holds(match asked {
        Asked::Somewhere(predicate) => diagram.holds_somewhere(predicate)?,
        Asked::Greatest(terms, constant) => {
            return Ok(Answer::Greatest(diagram.range(terms).1 + *constant));
        }
        Asked::Linear(violations, atoms) => !diagram.ltl(violations, atoms)?,
        Asked::Branching(formula, atoms) => diagram.ctl(formula, atoms)?,
    }))
}
