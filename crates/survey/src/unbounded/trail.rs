//! A path from the initial state, watched for a marking that strictly covers an earlier one.
//!
//! Each state that is added is compared with all before. The tokens in all and then the tokens in each
//! place tell most pairs apart; only what is left is looked at token by token, from the latest on.
//! Cost of a state: a count of its tokens, a few words for each earlier state, and at most
//! [`MOST_LOOKS`] markings.

use net::PlaceId;

use super::{Covering, Marking, Observer};

/// The longest path that is watched, and the numbers of tokens that are kept for it.
const LONGEST: usize = 2000;
const MOST_COUNTS: usize = 1 << 22;

/// The earlier states of which markings are looked at, at most, for each state.
const MOST_LOOKS: usize = 40;

#[derive(Default)]
pub(super) struct Trail {
    /// The label of each step, and the state it leads to; the first has none.
    steps: Vec<(u32, Vec<u8>)>,
    totals: Vec<u64>,
    /// The tokens in each place, state by state.
    in_places: Vec<u64>,
    counts: Vec<u64>,
}

impl Trail {
    /// The state that was added last.
    pub(super) fn last(&self) -> &[u8] {
        self.steps.last().map_or(&[], |(_, state)| state)
    }

    /// How many states may be added, given one of them.
    pub(super) fn longest(&mut self, state: &[u8], observer: &mut dyn Observer) -> usize {
        observer.count_tokens_in_places(state, &mut self.counts);
        LONGEST.min(MOST_COUNTS / self.counts.len().max(1)).max(2)
    }

    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.totals.clear();
        self.in_places.clear();
    }

    /// Adds the state to which a step leads, and tells whether it covers an earlier one. Of the first
    /// state the label says nothing.
    pub(super) fn push(
        &mut self,
        label: u32,
        state: &[u8],
        observer: &mut dyn Observer,
    ) -> Option<Covering> {
        observer.count_tokens_in_places(state, &mut self.counts);
        let total = self.counts.iter().fold(0, |sum: u64, &tokens| sum.saturating_add(tokens));
        let places = self.counts.len();
        let earlier = (0..self.totals.len()).rev().filter(|&from| {
            let there = &self.in_places[from * places..(from + 1) * places];
            self.totals[from] < total && there.iter().zip(&self.counts).all(|(a, b)| a <= b)
        });
        let mut marking: Option<Marking> = None;
        let covered = earlier.take(MOST_LOOKS).find(|&from| {
            let marking = marking.get_or_insert_with(|| observer.marking(state));
            marking.covers(&observer.marking(&self.steps[from].1))
        });
        let covering = covered.map(|from| {
            let there = &self.in_places[from * places..(from + 1) * places];
            let grown = there.iter().zip(&self.counts).position(|(before, now)| before < now);
            let place = PlaceId(grown.expect("there are more tokens in all") as u32);
            let path = self.steps[1..].iter().cloned().chain([(label, state.to_vec())]).collect();
            Covering { place, path, from }
        });
        self.steps.push((label, state.to_vec()));
        self.totals.push(total);
        self.in_places.extend_from_slice(&self.counts);
        covering
    }
}
