//! Nets whose places are not bounded.
//!
//! A marking that strictly covers one on its own path, up to who is who, can be left by the same steps
//! again, and again: the number of tokens has no bound (Karp and Miller 1969). That holds where more
//! tokens never disable anything, so in nets without inhibitors, and, since ours reads nothing else into
//! a marking, without pids.
//!
//! States are found in the order of their depth, so in an unbounded net there are paths in which tokens
//! become ever more, and by Dickson's lemma every long enough one has such a pair. Looked at are the
//! paths to the states with the most tokens in some place, each time the number of states has doubled: a
//! net that is bounded pays little for it, and one whose states are soon all known nothing at all.
//! Markings are compared as they are represented: that may miss a pair, never invent one.

use std::collections::BTreeMap;

use explore::{SoFar, StateId};
use fold::Working;
use net::{Net, PlaceId};
use symbolic::{Component, SymbolicSpace};

use super::spaces::Look;
use crate::run::Run;

/// States looked at, at most, to find the ones with most tokens; spread evenly over the later half.
const SAMPLES: u32 = 1000;
/// The longest path that is looked at.
const LONGEST: usize = 5000;
/// The longest path of which all pairs of states are looked at.
const LONGEST_IN_PAIRS: usize = 300;

/// That a net is not bounded, and why.
#[derive(Clone, Debug)]
pub struct Unbounded {
    /// A place that can hold any number of tokens.
    pub place: PlaceId,
    /// A run after which the tokens are those of an earlier state of it, and more.
    pub run: Run,
    /// That state, by the number of steps before it. What follows can be repeated for ever.
    pub from: usize,
}

/// A marking as far as covering is concerned.
pub(super) struct Marking {
    /// What has to be the same.
    frame: Vec<u32>,
    /// How often each kind of token is there: its place first.
    tokens: BTreeMap<Vec<u32>, u32>,
    /// The tokens in each place.
    in_places: Vec<u64>,
}

impl Marking {
    pub(super) fn of_working(working: &Working) -> Self {
        let mut marking =
            Marking { frame: Vec::new(), tokens: BTreeMap::new(), in_places: Vec::new() };
        for place in 0..working.places() {
            for entry in working.entries(place) {
                let token = std::iter::once(place as u32).chain(entry[1..].iter().copied());
                marking.tokens.insert(token.collect(), entry[0]);
            }
            marking.in_places.push(working.tokens(place));
        }
        marking
    }

    pub(super) fn of_symbolic(space: &mut SymbolicSpace, places: usize, bytes: &[u8]) -> Self {
        let mut in_places = Vec::new();
        space.count_tokens_in_places(bytes, &mut in_places);
        let symbolic = space.decode(bytes);
        let frame = symbolic.dynamic_subclasses().flat_map(|(of, size)| [of, size]).collect();
        let mut tokens = BTreeMap::new();
        for place in 0..places as u32 {
            space.for_each_entry(&symbolic, symbolic::PlaceId(place), |count, components| {
                let mut token = vec![place];
                for component in components {
                    match *component {
                        Component::Element(element) => token.push(element),
                        Component::Some { of, nth } => token.extend([of, nth]),
                    }
                }
                tokens.insert(token, count);
            });
        }
        Marking { frame, tokens, in_places }
    }

    /// A place in which there are more tokens than in `other`, if there are nowhere fewer of any kind.
    fn covers(&self, other: &Marking) -> Option<PlaceId> {
        if self.frame != other.frame || self.tokens.len() < other.tokens.len() {
            return None;
        }
        let at_least = |(token, count): (&Vec<u32>, &u32)| {
            self.tokens.get(token).is_some_and(|here| here >= count)
        };
        if !other.tokens.iter().all(at_least) {
            return None;
        }
        let mut places = self.in_places.iter().zip(&other.in_places);
        let grown = places.position(|(here, there)| here > there)?;
        Some(PlaceId(grown as u32))
    }
}

/// Whether covering proves anything of a net.
pub(super) fn can_be_proved(net: &Net) -> bool {
    let has_pids = net.places.iter().any(|place| {
        place.is_flow() || place.columns.iter().any(|column| column.sort == net::Sort::Pid)
    });
    !has_pids && net.transitions.iter().all(|transition| transition.inhibitors.is_empty())
}

/// A state that covers an earlier one on its path.
pub(super) struct Covering {
    pub(super) place: PlaceId,
    /// The state.
    pub(super) at: StateId,
    /// The earlier one, by the number of steps before it.
    pub(super) from: usize,
}

/// Looks for a covering on the paths to the states with the most tokens.
pub(super) fn covering(so_far: &SoFar, look: &mut Look) -> Option<Covering> {
    let states = so_far.store().len();
    let half = states / 2;
    let mut most: Vec<(u64, StateId)> = Vec::new();
    let mut before: Vec<u64> = Vec::new();
    for (range, later) in [(0..half, false), (half..states, true)] {
        let step = (range.len() as u32 / SAMPLES).max(1);
        for id in range.step_by(step as usize).map(StateId) {
            let marking = look(so_far.store().get(id));
            let total =
                marking.in_places.iter().fold(0, |sum: u64, &more| sum.saturating_add(more));
            for (i, tokens) in marking.in_places.into_iter().chain([total]).enumerate() {
                if !later {
                    before.resize(before.len().max(i + 1), 0);
                    before[i] = before[i].max(tokens);
                } else {
                    most.resize(most.len().max(i + 1), (0, id));
                    if tokens > most[i].0 {
                        most[i] = (tokens, id);
                    }
                }
            }
        }
    }
    // Where nothing has become more than it was in the first half, nothing grows.
    let rising = most.into_iter().zip(before).filter(|((after, _), before)| after > before);
    let mut candidates: Vec<StateId> = rising.map(|((_, id), _)| id).collect();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.into_iter().rev().find_map(|id| covering_on_path_to(so_far, id, look))
}

fn covering_on_path_to(so_far: &SoFar, id: StateId, look: &mut Look) -> Option<Covering> {
    let path = so_far.path_to(id);
    if path.len() > LONGEST {
        return None;
    }
    // The path begins in the only initial state.
    let states = std::iter::once(StateId(0)).chain(path.iter().map(|&(_, to)| to));
    let markings: Vec<(StateId, Marking)> =
        states.map(|id| (id, look(so_far.store().get(id)))).collect();
    // The last state first, since its tokens are the most.
    let looked_at = if path.len() > LONGEST_IN_PAIRS { 1 } else { markings.len() };
    for (later, (at, marking)) in markings.iter().enumerate().rev().take(looked_at) {
        for (from, (_, earlier)) in markings[..later].iter().enumerate().rev() {
            if let Some(place) = marking.covers(earlier) {
                return Some(Covering { place, at: *at, from });
            }
        }
    }
    None
}
