//! Looking for runs that violate a formula of linear time.

use std::collections::BTreeMap;
use std::sync::Mutex;

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
pub(super) struct Searches(BTreeMap<usize, Search>);

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
        let roots = self.roots.clone();
        let (found, ended) = self.violating(known, &roots, so_far, reader, budget);
        for (goal, path) in found {
            match path {
                Some(path) => self.findings.found(goal, Answer::Holds(false), Some(path)),
                None if is_complete => self.findings.found(goal, Answer::Holds(true), None),
                None => {}
            }
        }
        ended
    }

    /// Looks in a part of the graph for runs from some roots that violate the formulas that are pending: for each that
    /// was searched the run, if there is one.
    pub(super) fn violating(
        &mut self,
        known: &Known,
        roots: &[Root],
        so_far: &Exploration,
        reader: &mut dyn Reader,
        budget: &Budget,
    ) -> Violating {
        let pending = self.findings.pending().into_iter().filter_map(|(goal, what)| match what {
            Goal::Linear(formula) => Some((goal, formula)),
            _ => None,
        });
        let pending: Vec<_> = pending.collect();
        for (goal, formula) in &pending {
            if self.searches.0.contains_key(goal) {
                continue;
            }
            let automaton = self
                .findings
                .board
                .read(|goals, _| Automaton::of(&goals.ltl, goals.ltl.not(*formula)));
            match automaton {
                Ok(automaton) => {
                    self.searches.0.insert(*goal, Search { automaton, searched: 0 });
                }
                Err(error) if pending.len() == 1 => {
                    self.problem = Some(error.to_string());
                    return (Vec::new(), Ok(()));
                }
                // The others may be decided all the same.
                Err(_) => {}
            }
        }
        let Self { subject, valuation, searches, memory, .. } = self;
        let parts = InParts {
            near_first: self.showing.is_some(),
            known,
            roots,
            atoms: valuation.values(),
            assumed: subject.assumed,
        };
        let searches = searches.0.iter_mut();
        let is_pending = |goal: &usize| pending.iter().any(|(other, _)| other == goal);
        let searches = searches.filter(|(goal, _)| is_pending(goal));
        let (found, ended) = if subject.assumed.strength.is_some() {
            let whom = &subject.assumed.whom;
            // What is known of individuals is shared.
            let store = &so_far.store;
            let population = &mut Population::new(subject, whom, store, reader, memory, budget);
            parts.searched(searches, Some(population), budget)
        } else {
            parts.side_by_side(searches, self.threads.min(pending.len()), budget)
        };
        let path = |lasso: Lasso| {
            let root = roots.iter().find(|(root, _)| *root == lasso.root);
            let entered = root.and_then(|(_, entered)| *entered);
            let back = Some(lasso.stem.len());
            let hops = lasso.stem.into_iter().chain(lasso.cycle).collect();
            GraphPath { entered, hops, back, ..GraphPath::to(lasso.root) }
        };
        let found = found.into_iter().map(|(goal, lasso)| (goal, lasso.map(path))).collect();
        (found, ended)
    }

    /// Lets formulas be searched for from the beginning.
    pub(super) fn search_anew(&mut self) {
        self.searches.0.values_mut().for_each(|search| search.searched = 0);
    }
}

/// By goal the run that violates its formula, or that there is none; and whether time was left.
pub(super) type Violating = (Vec<(usize, Option<GraphPath>)>, Result<(), Exhausted>);

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
    /// Makes searches one after the other.
    fn searched<'s>(
        &self,
        searches: impl Iterator<Item = (&'s usize, &'s mut Search)>,
        mut population: Option<&mut Population>,
        budget: &Budget,
    ) -> Searched {
        let mut found = Vec::new();
        for (goal, search) in searches {
            match self.lasso(search, population.as_deref_mut(), budget) {
                Ok(lasso) => found.push((*goal, lasso)),
                Err(exhausted) => return (found, Err(exhausted)),
            }
        }
        (found, Ok(()))
    }

    /// On several threads, each formula by itself.
    fn side_by_side<'s>(
        &self,
        searches: impl Iterator<Item = (&'s usize, &'s mut Search)> + Send,
        threads: usize,
        budget: &Budget,
    ) -> Searched {
        let waiting = Mutex::new(searches);
        let next = || waiting.lock().expect("nothing panics here").next();
        let work = || self.searched(std::iter::from_fn(next), None, budget);
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
