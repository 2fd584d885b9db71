//! Long walks in search of a covering.
//!
//! A search by breadth has seen only short paths when there are many states, and the runs that pump
//! tokens are often long. A walk goes on from the initial state, never to a state where it has been, by
//! a rule: always the first way that is left, or always the last, or any. What walks may take in all is
//! a fraction of what the search has done, so a net that is bounded pays little for them.

use std::collections::HashSet;

use explore::Successors;
use random::Random;

use super::trail::Trail;
use super::{Covering, Observer};

/// The work of all walks together, in steps and the ways from which they were chosen: this much, and one more
/// for this many states found.
const FIRST_WORK: u64 = 4000;
const STATES_PER_WORK: u64 = 16;
/// Walks that may do less are of no use.
const LEAST_WORK: u64 = 500;

/// The walks that were made, and the next one.
#[derive(Default)]
pub(crate) struct Walks {
    /// How many walks there were.
    made: u64,
    /// What they took in all.
    work: u64,
    trail: Trail,
    visited: HashSet<Vec<u8>>,
}

impl Walks {
    /// Makes as many walks as the number of states found allows. `found` is a buffer that knows when to
    /// stop.
    pub(crate) fn go(
        &mut self,
        states: u32,
        found: &mut Successors,
        observer: &mut dyn Observer,
    ) -> Option<Covering> {
        let most = FIRST_WORK + u64::from(states) / STATES_PER_WORK;
        // All rules have their turn.
        let each = (most.saturating_sub(self.work) / 4).max(LEAST_WORK);
        while self.work + each <= most {
            let covering = self.walk(self.work + each, found, observer);
            self.made += 1;
            if covering.is_some() || found.enough() {
                return covering;
            }
        }
        None
    }

    /// A walk until this much work is done in all.
    fn walk(
        &mut self,
        most: u64,
        found: &mut Successors,
        observer: &mut dyn Observer,
    ) -> Option<Covering> {
        // Also a walk that ends at once is work.
        self.work += 1;
        let mut random = Random::new(self.made);
        self.trail.clear();
        self.visited.clear();
        found.clear();
        if !observer.first(found) {
            return None;
        }
        let (_, _, initial) = found.iter().next()?;
        self.visited.insert(initial.to_vec());
        let longest = self.trail.longest(initial, observer);
        self.trail.push(0, initial, observer);
        for _ in 1..longest {
            if self.work >= most {
                return None;
            }
            found.clear();
            if !observer.next(self.trail.last(), found) || found.enough() {
                return None;
            }
            let ways: Vec<(u32, &[u8])> =
                found.iter().map(|(label, _, state)| (label, state)).collect();
            self.work += 1 + ways.len() as u64;
            if ways.is_empty() {
                return None;
            }
            let is_new = |way: &&(u32, &[u8])| !self.visited.contains(way.1);
            let way = match self.made % 4 {
                0 => ways.iter().find(is_new),
                1 => ways.iter().rev().find(is_new),
                _ => {
                    let from = random.below(ways.len());
                    ways[from..].iter().chain(&ways[..from]).find(is_new)
                }
            };
            let &(label, state) = way?;
            self.visited.insert(state.to_vec());
            let covering = self.trail.push(label, state, observer);
            if covering.is_some() {
                return covering;
            }
        }
        None
    }
}
