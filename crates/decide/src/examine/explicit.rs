//! Deciding by exploring states one by one, folded.
//!
//! What can be reached is noticed on the way ([`lookout`](super::lookout)); what cannot, and how great sums
//! become, is known when all states are. Then each atom becomes a set of states, and formulas of branching and
//! of linear time are decided on the graph. Of a graph that is known in part, runs that violate a formula
//! of linear time are runs of the whole.

use std::sync::atomic::{AtomicUsize, Ordering};

use budget::Budget;
use check::{Automaton, Bits, Branching, Ctl, Fairness, Graph, find_lasso};
use explore::{Control, Exploration, Options, Progress, StateId};
use num_bigint::BigInt;

use super::docket::{Answer, Matter};
use super::ledger::{Engine, Ledger};
use super::lookout::{Counting, Lookout};
use super::predicate::View;

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is nothing left to be found by it.
    Done,
    /// A limit came first, or everything was answered.
    Cut,
    /// The model is faulty.
    Faulty,
}

/// Explores within `turn`, and settles what it can; if all states are found, within the budget of the ledger.
/// `watch` is told now and then how far it has come.
pub fn explored<S: Counting + Send>(
    spaces: Vec<S>,
    ledger: &Ledger<'_>,
    turn: &Budget,
    watch: &mut dyn FnMut(&Progress),
) -> Outcome {
    let keeps_edges = ledger.read(|docket| {
        let pending = docket.pending();
        let needs = |matter: &usize| {
            matches!(docket.matters[*matter].0, Matter::Branching(_) | Matter::Linear(_))
        };
        pending.iter().any(needs)
    });
    // Some time is kept for what a part of the graph shows.
    let most = turn.time_left().filter(|_| keeps_edges).map(|time| turn.within(time * 3 / 4));
    let budget = most.unwrap_or_else(|| turn.clone());
    let options = Options { budget, keep_edges: keeps_edges, ..Options::default() };
    let mut spaces: Vec<_> = spaces.into_iter().map(|space| Lookout::new(space, ledger)).collect();
    let mut watch = |progress: &Progress| {
        watch(progress);
        Control::Continue
    };
    let Ok(exploration) = explore::explore_on(&mut spaces, &options, &mut watch) else {
        return Outcome::Faulty;
    };
    if exploration.complete {
        settle_reachable(&spaces, ledger);
    }
    if keeps_edges && !ledger.is_over() {
        let budget = if exploration.complete { ledger.budget() } else { turn };
        decide(&mut spaces, &exploration, ledger, budget);
    }
    if exploration.complete { Outcome::Done } else { Outcome::Cut }
}

/// Settles what was not found anywhere, and the greatest values.
fn settle_reachable<S: Counting>(spaces: &[Lookout<'_, '_, S>], ledger: &Ledger<'_>) {
    let settled = ledger.read(|docket| {
        let pending = docket.pending();
        let settled = pending.into_iter().filter_map(|matter| match docket.matters[matter].0 {
            Matter::Somewhere(_) => Some((matter, Answer::Holds(false))),
            Matter::Greatest(_) => {
                let all = spaces.iter().flat_map(|space| space.greatest());
                let seen = all.filter(|(number, ..)| *number == matter);
                let most = seen.filter_map(|(_, _, most)| *most).max()?;
                Some((matter, Answer::Greatest(BigInt::from(most))))
            }
            Matter::Branching(_) | Matter::Linear(_) => None,
        });
        settled.collect::<Vec<_>>()
    });
    ledger.settle(Engine::Explicit, settled);
}

/// An exploration as a graph.
struct Explored<'e>(&'e Exploration);

impl Graph for Explored<'_> {
    fn states(&self) -> u32 {
        self.0.states as u32
    }

    fn is_expanded(&self, state: u32) -> bool {
        u64::from(state) < self.0.expanded
    }

    fn successors(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        let quotient = self.0.quotient.as_ref().expect("edges are kept");
        quotient.successors(StateId(state)).map(|(label, target)| (label, target.0))
    }
}

/// Decides formulas on the graph that was explored, on as many threads as there are spaces.
fn decide<S: Counting + Send>(
    spaces: &mut [Lookout<'_, '_, S>],
    exploration: &Exploration,
    ledger: &Ledger<'_>,
    budget: &Budget,
) {
    let graph = &Explored(exploration);
    let Some(atoms) = &atoms(spaces, graph, ledger, budget) else { return };
    let mut branching = Vec::new();
    let mut linear = Vec::new();
    ledger.read(|docket| {
        for matter in docket.pending() {
            match docket.matters[matter].0.clone() {
                Matter::Branching(formula) => branching.push((matter, formula)),
                Matter::Linear(formula) => {
                    let opposite = docket.ltl.not(formula);
                    // A formula that has no automaton of sensible size stays without answer.
                    let automaton = Automaton::of(&docket.ltl, opposite);
                    linear.extend(automaton.ok().map(|automaton| (matter, automaton)));
                }
                Matter::Somewhere(_) | Matter::Greatest(_) => {}
            }
        }
    });
    let next = &AtomicUsize::new(0);
    let linear = &linear;
    std::thread::scope(|scope| {
        for _ in 1..spaces.len().min(linear.len()) {
            scope.spawn(move || decide_linear(linear, next, graph, atoms, ledger, budget));
        }
        if exploration.complete {
            decide_branching(branching, graph, atoms, ledger, budget);
        }
        decide_linear(linear, next, graph, atoms, ledger, budget);
    });
}

/// Where each atom holds, of the states that are expanded. Each space looks at a part of them.
fn atoms<S: Counting + Send>(
    spaces: &mut [Lookout<'_, '_, S>],
    graph: &Explored<'_>,
    ledger: &Ledger<'_>,
    budget: &Budget,
) -> Option<Vec<Bits>> {
    let predicates = &ledger.read(|docket| docket.atoms.clone());
    let share = graph.states().div_ceil(spaces.len() as u32).max(1);
    let look = |space: &mut S, first: u32| {
        let mut atoms = vec![Bits::new(graph.states()); predicates.len()];
        let mut view = View::default();
        let states = first..first.saturating_add(share).min(graph.states());
        for state in states.filter(|state| graph.is_expanded(*state)) {
            if budget.is_exhausted() {
                return None;
            }
            space.count(graph.0.store.get(StateId(state)), &mut view.tokens);
            view.enable(graph.successors(state).map(|(label, _)| label));
            for (predicate, holds) in predicates.iter().zip(&mut atoms) {
                if view.satisfies(predicate) {
                    holds.set(state);
                }
            }
        }
        Some(atoms)
    };
    let look = &look;
    let parts = std::thread::scope(|scope| {
        let starts = (0..).map(|part: u32| part.saturating_mul(share));
        let parts = spaces.iter_mut().zip(starts);
        let parts = parts.map(|(space, first)| scope.spawn(move || look(space.space(), first)));
        let parts: Vec<_> = parts.collect();
        let parts = parts.into_iter().map(|part| part.join().ok().flatten());
        parts.collect::<Option<Vec<_>>>()
    });
    parts?.into_iter().reduce(|mut all, more| {
        all.iter_mut().zip(&more).for_each(|(all, more)| all.or(more));
        all
    })
}

fn decide_branching(
    formulas: Vec<(usize, Ctl)>,
    graph: &Explored<'_>,
    atoms: &[Bits],
    ledger: &Ledger<'_>,
    budget: &Budget,
) {
    if formulas.is_empty() {
        return;
    }
    let Ok(mut branching) = Branching::new(graph, atoms, budget) else { return };
    for (matter, formula) in formulas {
        let Ok(holds) = branching.satisfying(&formula, budget) else { return };
        let holds = holds.get(0);
        ledger.settle(Engine::Explicit, [(matter, Answer::Holds(holds))]);
    }
}

/// Decides formulas, given the automata of their negations, one after the other as `next` counts them.
fn decide_linear(
    formulas: &[(usize, Automaton)],
    next: &AtomicUsize,
    graph: &Explored<'_>,
    atoms: &[Bits],
    ledger: &Ledger<'_>,
    budget: &Budget,
) {
    while let Some((matter, automaton)) = formulas.get(next.fetch_add(1, Ordering::Relaxed)) {
        let fairness = &Fairness::default();
        let question = check::Question { graph, roots: &[0], atoms, automaton, fairness };
        let answer = match find_lasso(&question, None, budget) {
            Ok(Some(_)) => Some(false),
            Ok(None) => graph.0.complete.then_some(true),
            Err(_) => return,
        };
        ledger.settle(Engine::Explicit, answer.map(|holds| (*matter, Answer::Holds(holds))));
    }
}
