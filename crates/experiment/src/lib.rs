//! The experiment on random states of Klaudel et al. (2009, §4): are verdicts right, and how does the
//! time to reach them grow?
//!
//! Random states are compared with similar ones that the paper's seven transformations make of them, by
//! canonical forms and by VF2 on three-layered graphs. The states sweep a grid of sizes, shares of pids
//! and numbers of data values ([`Cell`]); the relations observed are drawn anew for each. As in the paper
//! only consistent thread configurations in which the same places are marked are compared. The first
//! transformation makes equivalent states by construction, which is a verdict of its own.
//!
//! A *group* is a random state with its variants; everything in it is determined by the seed, the number
//! of the group and the number of the variant. So a run can be interrupted and taken up, and the pairs
//! are the same on any number of threads. Only times differ.

mod comparison;
mod configuration;
mod fit;
mod plot;
mod renaming;
mod report;
mod tally;
mod transformation;

use std::thread;

use fold::{Dictionary, Folder, Working};
use random::Random;
use serde::{Deserialize, Serialize};
use state::{Relations, State};

pub use comparison::{MOST_MATCHES, Method};
pub use configuration::Cell;
pub use fit::PowerLaw;
pub use tally::{Buckets, Counts, Disagreement, Tally, Times};
pub use transformation::Transformation;

use comparison::{Comparer, Comparison};
use configuration::{Draft, random_draft};

/// Each transformation makes a variant by one change and one by several.
const CHANGES: [usize; 2] = [1, 4];
const VARIANTS: usize = Transformation::ALL.len() * CHANGES.len();
/// How often a variant is tried before it is given up.
const TRIES: u64 = 4;
/// How many groups a thread works on at a time.
const BATCH: u64 = 32;

/// A run in progress. It can be serialised, and continued from there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Experiment {
    /// The seed.
    pub seed: u64,
    /// How many comparisons are wanted; a run that is done is continued when more are.
    pub wanted: u64,
    cursor: Cursor,
    /// What was found so far.
    pub tally: Tally,
}

/// The variant that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Cursor {
    group: u64,
    variant: usize,
}

impl Experiment {
    /// A run of which nothing is done.
    #[must_use]
    pub fn new(seed: u64, comparisons: u64) -> Experiment {
        let cursor = Cursor { group: 0, variant: 0 };
        Experiment { seed, wanted: comparisons, cursor, tally: Tally::default() }
    }

    /// Whether there is nothing left to do.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.tally.comparisons() >= self.wanted
    }

    /// Makes some more comparisons on the given number of threads; never more than are wanted.
    pub fn advance(&mut self, threads: usize) {
        let seed = self.seed;
        let left = self.wanted.saturating_sub(self.tally.comparisons());
        let starts: Vec<Cursor> = (0..threads.max(1) as u64)
            .map(|nth| match nth {
                0 => self.cursor,
                _ => Cursor { group: self.cursor.group + nth * BATCH, variant: 0 },
            })
            .collect();
        let first = self.cursor.group;
        let end = |nth: usize| first + (nth as u64 + 1) * BATCH;
        let parts: Vec<(Tally, Cursor)> = thread::scope(|scope| {
            let work = |nth: usize, start: Cursor| move || batch(seed, start, end(nth), left);
            let others: Vec<_> = (starts.iter().enumerate().skip(1))
                .map(|(nth, &start)| scope.spawn(work(nth, start)))
                .collect();
            let mine = work(0, starts[0])();
            let others = others.into_iter().map(|other| match other.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(mine).chain(others).collect()
        });
        for ((nth, &start), (tally, cursor)) in starts.iter().enumerate().zip(parts) {
            let left = self.wanted.saturating_sub(self.tally.comparisons());
            if left == 0 {
                return;
            }
            // What goes beyond the wanted number was not to be done: only as much of it as is wanted.
            let fits = tally.comparisons() <= left;
            let (tally, cursor) =
                if fits { (tally, cursor) } else { batch(seed, start, end(nth), left) };
            self.tally.merge(tally);
            self.cursor = cursor;
        }
    }
}

/// The groups from a variant on and before `end`, with at most `most` comparisons.
fn batch(seed: u64, start: Cursor, end: u64, most: u64) -> (Tally, Cursor) {
    let mut tally = Tally::default();
    let mut comparer = Comparer::new();
    let mut left = most;
    let mut cursor = start;
    while cursor.group < end && left > 0 {
        let group = Group::numbered(seed, cursor.group);
        cursor = group.compare(cursor, &mut left, &mut comparer, &mut tally);
    }
    (tally, cursor)
}

/// A random state, before its variants are made.
struct Group {
    seed: u64,
    number: u64,
    cell: Cell,
    relations: Relations,
    draft: Draft,
    state: State,
}

impl Group {
    fn numbered(seed: u64, number: u64) -> Group {
        let cell = Cell::numbered(number);
        let mut random = Random::named(&[seed, number]);
        let all: Vec<Relations> = Relations::every().collect();
        let relations = *random.pick(&all);
        let draft = random_draft(cell, &mut random);
        let state = draft.state().expect("a history leads to a consistent configuration");
        Group { seed, number, cell, relations, draft, state }
    }

    /// A state that the variant's transformation makes, unless all that were tried are discarded.
    fn variant(&self, variant: usize, made: &mut Counts) -> Option<State> {
        let transformation = Transformation::ALL[variant / CHANGES.len()];
        let changes = CHANGES[variant % CHANGES.len()];
        for attempt in 0..TRIES {
            let mut random = Random::named(&[self.seed, self.number, variant as u64, attempt]);
            let mut draft = self.draft.clone();
            let times = 1 + random.below(changes);
            transformation.apply(&mut draft, (self.cell, self.relations, times), &mut random);
            match draft.state() {
                None => made.inconsistent += 1,
                Some(state) if state == self.state || !state.marked().eq(self.state.marked()) => {
                    made.trivial += 1;
                }
                Some(state) => return Some(state),
            }
        }
        None
    }

    /// Compares the variants from the cursor's on, as many as are left, and gives the one that is next.
    fn compare(
        &self,
        start: Cursor,
        left: &mut u64,
        comparer: &mut Comparer,
        tally: &mut Tally,
    ) -> Cursor {
        let mut next = Cursor { group: self.number + 1, variant: 0 };
        let mut variants = Vec::new();
        for variant in start.variant..VARIANTS {
            if variants.len() as u64 == *left {
                next = Cursor { group: self.number, variant };
                break;
            }
            let transformation = Transformation::ALL[variant / CHANGES.len()];
            let made = tally.made.entry(transformation).or_default();
            variants.extend(self.variant(variant, made).map(|state| (transformation, state)));
        }
        *left -= variants.len() as u64;
        let states = || std::iter::once(&self.state).chain(variants.iter().map(|v| &v.1));
        let dictionary = Dictionary::of(states());
        let mut folder = Folder::new(dictionary.schema(), self.relations);
        let workings: Vec<Working> =
            states().map(|state| dictionary.working(state, self.relations).0).collect();
        let pids = self.state.pids().len();
        for ((transformation, state), working) in variants.iter().zip(&workings[1..]) {
            let workings = [&workings[0], working];
            let comparison =
                comparer.compare([&self.state, state], workings, &mut folder, self.relations);
            tally.add(*transformation, &comparison, (self.cell, self.relations, pids));
            if let Some(disagreement) = self.disagreement(*transformation, state, &comparison) {
                tally.disagree(disagreement);
            }
        }
        next
    }

    fn disagreement(
        &self,
        transformation: Transformation,
        state: &State,
        comparison: &Comparison,
    ) -> Option<Disagreement> {
        let Comparison { by_state, by_bytes, by_vf2, by_proof, .. } = *comparison;
        let by_construction = (transformation == Transformation::SwapPids).then_some(true);
        let others = [Some(by_bytes), by_vf2, by_proof, by_construction];
        let disagree = others.into_iter().flatten().any(|verdict| verdict != by_state);
        disagree.then(|| Disagreement {
            group: self.number,
            transformation,
            relations: self.relations.iter().map(|relation| relation.name().to_owned()).collect(),
            by_state,
            by_bytes,
            by_vf2,
            by_proof,
            by_construction,
            states: [self.state.to_json(), state.to_json()],
        })
    }
}

#[cfg(test)]
mod tests {
    use canon::Canoniser;
    use fold::canonical;
    use fold::layers::Layers;
    use state::Relation;

    use super::comparison::Pair;
    use super::*;

    /// An experiment that no fault could fail would show nothing: a graph that lacks any one of the
    /// relations is found out.
    #[test]
    fn a_relation_that_is_missing_is_noticed() {
        let canoniser = &mut Canoniser::new();
        for relation in Relation::ALL {
            let all = Relations::NONE.with(relation);
            let mut pairs = (0..400).flat_map(|number| {
                let group = Group { relations: all, ..Group::numbered(1, number) };
                let variant = |variant| group.variant(variant, &mut Counts::default());
                (0..VARIANTS)
                    .filter_map(variant)
                    .map(|other| [group.state.clone(), other])
                    .collect::<Vec<_>>()
            });
            let found = pairs.any(|pair| {
                let [a, b] = pair.each_ref().map(|state| canonical(state, all, canoniser).state);
                let [c, d] = pair.each_ref().map(|state| Layers::new(state, Relations::NONE));
                Pair::of(&c, &d).isomorphic().is_some_and(|verdict| verdict != (a == b))
            });
            assert!(found, "{relation}");
        }
    }

    #[test]
    fn every_group_begins_with_a_consistent_state_of_its_cell() {
        for number in 0..2 * Cell::count() as u64 {
            let group = Group::numbered(5, number);
            let tokens = group.state.marked().flat_map(|place| group.state.tokens(place));
            let vectors: u32 = tokens.map(|(_, count)| count).sum();
            assert_eq!(vectors as usize, group.cell.vectors, "seed 5, group {number}");
        }
    }
}
