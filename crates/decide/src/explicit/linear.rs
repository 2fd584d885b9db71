//! Looking for runs that violate a formula of linear time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use budget::{Budget, Exhausted};
use check::{Automaton, Bits, Lasso, Question, find_lasso};
use explore::Exploration;
use survey::Reader;

use super::{Explicit, Known, Root};
use crate::evidence::GraphPath;
use crate::fairness::Assumed;
use crate::goal::{Answer, Goal};
use crate::individuals::Population;

/// The states at which a violating run is looked for first, so that a near one is found.
const NEAREST: u32 = 16;

/// The automata of the opposites of formulas, by goal, and how far each has been searched for.
#[derive(Default)]
pub(super) struct Searches(HashMap<usize, Search>);

struct Search {
    automaton: Automaton,
    /// The part of the graph in which no violating run was found.
    searched: u32,
}

impl Explicit<'_, '_, '_, '_> {
    /// Looks for runs that violate the formulas that are pending.
    pub(super) fn settle_linear(
        &mut self,
        known: &Known,
        so_far: &Exploration,
        reader: &mut dyn Reader,
        is_complete: bool,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let pending = self.pending().into_iter().filter_map(|(goal, what)| match what {
            Goal::Linear(formula) => Some((goal, formula)),
            _ => None,
        });
        let pending: Vec<_> = pending.collect();
        for (goal, formula) in &pending {
            if self.searches.0.contains_key(goal) {
                continue;
            }
            let automaton = self.board.read(|goals, _| {
                let opposite = goals.ltl.not(*formula);
                Automaton::of(&goals.ltl, opposite)
            });
            match automaton {
                Ok(automaton) => {
                    self.searches.0.insert(*goal, Search { automaton, searched: 0 });
                }
                Err(error) if pending.len() == 1 => {
                    self.problem = Some(error.to_string());
                    return Ok(());
                }
                // The others may be decided all the same.
                Err(_) => {}
            }
        }
        let values = self.valuation.take_values();
        let roots = std::mem::take(&mut self.roots);
        let parts = InParts {
            near_first: self.with_runs,
            known,
            roots: &roots,
            atoms: &values,
            assumed: self.subject.assumed,
        };
        let goals: Vec<usize> = pending.iter().map(|(goal, _)| *goal).collect();
        let found = if self.subject.assumed.strength.is_some() {
            self.one_after_the_other(&parts, &goals, so_far, reader, budget)
        } else {
            self.side_by_side(&parts, &goals, budget)
        };
        for (goal, lasso) in &found.0 {
            let root = roots.iter().find(|(root, _)| Some(*root) == lasso.as_ref().map(|l| l.root));
            let entered = root.and_then(|(_, entered)| *entered);
            match lasso.clone() {
                Some(lasso) => {
                    let back = Some(lasso.stem.len());
                    let hops = lasso.stem.into_iter().chain(lasso.cycle).collect();
                    let path = GraphPath { root: lasso.root, entered, hops, back };
                    self.found(*goal, Answer::Holds(false), Some(path));
                }
                None if is_complete => self.found(*goal, Answer::Holds(true), None),
                None => {}
            }
        }
        self.valuation.put_values(values);
        self.roots = roots;
        found.1
    }

    /// Where it matters who acts: what is known of individuals is shared.
    fn one_after_the_other(
        &mut self,
        parts: &InParts,
        goals: &[usize],
        so_far: &Exploration,
        reader: &mut dyn Reader,
        budget: &Budget,
    ) -> Searched {
        let assumed = self.subject.assumed;
        let mut population = Population::new(
            self.subject.compiled(),
            self.subject.net,
            &assumed.whom,
            &so_far.store,
            reader,
            &mut self.memory,
        );
        let mut found = Vec::new();
        for goal in goals {
            let Some(search) = self.searches.0.get_mut(goal) else { continue };
            match parts.lasso(search, Some(&mut population), budget) {
                Ok(lasso) => found.push((*goal, lasso)),
                Err(exhausted) => return (found, Err(exhausted)),
            }
        }
        (found, Ok(()))
    }

    /// On several threads, each formula by itself.
    fn side_by_side(&mut self, parts: &InParts, goals: &[usize], budget: &Budget) -> Searched {
        let next = &AtomicUsize::new(0);
        let searches: Vec<(usize, &mut Search)> = self
            .searches
            .0
            .iter_mut()
            .filter(|(goal, _)| goals.contains(goal))
            .map(|(goal, search)| (*goal, search))
            .collect();
        let count = searches.len();
        let cells: Vec<_> = searches.into_iter().map(std::sync::Mutex::new).collect();
        let work = || {
            let mut found = Vec::new();
            loop {
                let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    return (found, Ok(()));
                };
                let mut search = cell.lock().expect("each is taken once");
                let goal = search.0;
                match parts.lasso(search.1, None, budget) {
                    Ok(lasso) => found.push((goal, lasso)),
                    Err(exhausted) => return (found, Err(exhausted)),
                }
            }
        };
        let threads = self.threads.min(count);
        let (mut found, mut ended) = (Vec::new(), Ok(()));
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let others = others.into_iter().map(|other| other.join().expect("it does not panic"));
            for (more, end) in std::iter::once(work()).chain(others) {
                found.extend(more);
                ended = ended.and(end);
            }
        });
        found.sort_by_key(|(goal, _)| *goal);
        (found, ended)
    }
}

/// What was found of goals, and whether time was left.
type Searched = (Vec<(usize, Option<Lasso>)>, Result<(), Exhausted>);

/// What is asked of parts of a graph.
struct InParts<'a> {
    /// Whether a near run is wanted. If any will do, all that is known is searched at once.
    near_first: bool,
    known: &'a Known<'a>,
    roots: &'a [Root],
    atoms: &'a [Bits],
    assumed: &'a Assumed,
}

impl InParts<'_> {
    /// Looks for a violating run, first in a small part of the graph near its start and then in ever larger
    /// ones: a run in a part is one in the whole, and a short one. All parts together are about as large as
    /// twice the whole. Parts have the same sizes whenever this is asked, so what is found does not depend on
    /// that; those up to `searched` are known to hold nothing.
    fn lasso(
        &self,
        search: &mut Search,
        mut population: Option<&mut Population>,
        budget: &Budget,
    ) -> Result<Option<Lasso>, Exhausted> {
        let InParts { known, roots, atoms, assumed, .. } = *self;
        let is_whole = known.expanded == known.states || !self.near_first;
        let mut expanded = match self.near_first {
            true => search.searched.saturating_mul(2).max(NEAREST),
            false => known.expanded,
        };
        loop {
            if expanded >= known.expanded {
                if !is_whole {
                    return Ok(None);
                }
                expanded = known.expanded;
            }
            let part = Known { expanded, ..*known };
            let is_in = |(root, entered): &&Root| {
                *root < expanded && entered.is_none_or(|(source, _)| source < expanded)
            };
            let roots: Vec<u32> = roots.iter().filter(is_in).map(|(root, _)| *root).collect();
            let question = Question {
                graph: &part,
                roots: &roots,
                atoms,
                automaton: &search.automaton,
                fairness: &assumed.labels,
            };
            let individuals = assumed.strength.zip(population.as_deref_mut());
            let individuals = individuals.map(|(strength, population)| (strength, population as _));
            let lasso = find_lasso(&question, individuals, budget)?;
            if lasso.is_some() || expanded == known.expanded {
                return Ok(lasso);
            }
            search.searched = expanded;
            expanded = expanded.saturating_mul(2);
        }
    }
}
