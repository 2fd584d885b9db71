//! Deciding by exploring states one by one, folded.
//!
//! What can be reached is noticed on the way ([`lookout`](super::lookout)); what cannot, and how great sums
//! become, is known when all states are. Then each atom becomes a set of states, and formulas of branching and
//! of linear time are decided on the graph. Of a graph that is known in part, runs that violate a formula
//! of linear time are runs of the whole.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use check::{Answer as Run, Automaton, Bits, Branching, Ctl, Fairness, Graph, find_lasso};
use explore::{Control, Exploration, Limits, Options, Progress, StateId};
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

/// Explores, and settles what it can; if all states are found within the limits, until the deadline. `watch` is
/// told now and then how far it has come.
pub fn explored<S: Counting + Send>(
    spaces: Vec<S>,
    ledger: &Ledger<'_>,
    limits: Limits,
    deadline: Option<Instant>,
    watch: &mut dyn FnMut(&Progress),
) -> Outcome {
    let soon = limits.time.and_then(|time| Instant::now().checked_add(time));
    let keeps_edges = ledger.read(|docket| {
        let pending = docket.pending();
        let needs = |matter: &usize| {
            matches!(docket.matters[*matter].0, Matter::Branching(_) | Matter::Linear(_))
        };
        pending.iter().any(needs)
    });
    // Some time is kept for what a part of the graph shows.
    let time = limits.time.map(|time| if keeps_edges { time * 3 / 4 } else { time });
    let options = Options {
        limits: Limits { time, ..limits },
        keep_edges: keeps_edges,
        interrupt: Some(ledger.stop().clone()),
        ..Options::default()
    };
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
        let end = if exploration.complete { deadline } else { soon };
        let enough = || ledger.is_over() || end.is_some_and(|end| Instant::now() >= end);
        decide(&mut spaces, &exploration, ledger, &enough);
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
    enough: &(dyn Fn() -> bool + Sync),
) {
    let graph = &Explored(exploration);
    let Some(atoms) = &atoms(spaces, graph, ledger, enough) else { return };
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
            scope.spawn(move || decide_linear(linear, next, graph, atoms, ledger, enough));
        }
        if exploration.complete {
            decide_branching(branching, graph, atoms, ledger, enough);
        }
        decide_linear(linear, next, graph, atoms, ledger, enough);
    });
}

/// Where each atom holds, of the states that are expanded. Each space looks at a part of them.
fn atoms<S: Counting + Send>(
    spaces: &mut [Lookout<'_, '_, S>],
    graph: &Explored<'_>,
    ledger: &Ledger<'_>,
    enough: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Bits>> {
    let predicates = &ledger.read(|docket| docket.atoms.clone());
    let share = graph.states().div_ceil(spaces.len() as u32).max(1);
    let look = |space: &mut S, first: u32| {
        let mut atoms = vec![Bits::new(graph.states()); predicates.len()];
        let mut view = View::default();
        let states = first..first.saturating_add(share).min(graph.states());
        for state in states.filter(|state| graph.is_expanded(*state)) {
            if state % 1024 == 0 && enough() {
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
    enough: &dyn Fn() -> bool,
) {
    if formulas.is_empty() {
        return;
    }
    let Some(mut branching) = Branching::new(graph, atoms, &mut || enough()) else { return };
    for (matter, formula) in formulas {
        let Some(holds) = branching.satisfying(&formula, &mut || enough()) else { return };
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
    enough: &dyn Fn() -> bool,
) {
    while let Some((matter, automaton)) = formulas.get(next.fetch_add(1, Ordering::Relaxed)) {
        let fairness = &Fairness::default();
        let question = check::Question { graph, roots: &[0], atoms, automaton, fairness };
        let answer = match find_lasso(&question, None, &mut || enough()) {
            Run::Lasso(_) => Some(false),
            Run::None => graph.0.complete.then_some(true),
            Run::Enough => return,
        };
        ledger.settle(Engine::Explicit, answer.map(|holds| (*matter, Answer::Holds(holds))));
    }
}
