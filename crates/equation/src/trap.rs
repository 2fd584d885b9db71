//! Traps: sets of places that stay marked once they are.
//!
//! A set of places is a *trap* if every transition that takes tokens from it leaves one in it (Commoner 1972). Here
//! a transition *leaves* a token in a place if it cannot fire without there being one afterwards; so an arc
//! that asks for two tokens and takes one does. Inhibitors only make transitions fire less often. A trap that is
//! marked at first is marked for ever, which the state equation does not know: Esparza et al., *An SMT-based
//! approach to coverability analysis* (CAV 2014), add it as an inequality where a solution leaves the trap empty.
//!
//! Cost of the greatest trap in a set: the arcs at its places.

use unfold::UnfoldedNet;

use crate::incidence::{Incidence, leaves_token};

/// Whether each transition that takes from the set leaves a token in it. Straight from the definition.
#[must_use]
pub fn is_trap(net: &UnfoldedNet, places: &[u32]) -> bool {
    let mut set = vec![false; net.places.len()];
    places.iter().for_each(|place| set[*place as usize] = true);
    let is_in = |place: u32| set[place as usize];
    net.transitions.iter().all(|transition| {
        let takes = transition.arcs.iter().any(|arc| arc.change < 0 && is_in(arc.place));
        !takes || transition.arcs.iter().any(|arc| leaves_token(arc) && is_in(arc.place))
    })
}

/// Makes of a set of places the greatest trap in it.
pub(crate) fn shrink_to_trap(net: &UnfoldedNet, incidence: &Incidence, set: &mut [bool]) {
    let kept = |t: u32, set: &[bool]| {
        let arcs = &net.transitions[t as usize].arcs;
        arcs.iter().filter(|arc| leaves_token(arc) && set[arc.place as usize]).count()
    };
    let places = || 0..net.places.len() as u32;
    let mut doubtful: Vec<u32> = places()
        .filter(|place| set[*place as usize])
        .flat_map(|place| incidence.takers.of(place).iter().copied())
        .collect();
    doubtful.sort_unstable();
    doubtful.dedup();
    while let Some(t) = doubtful.pop() {
        if kept(t, set) > 0 {
            continue;
        }
        for arc in net.transitions[t as usize].arcs.iter().filter(|arc| arc.change < 0) {
            if std::mem::take(&mut set[arc.place as usize]) {
                doubtful.extend(incidence.keepers.of(arc.place));
            }
        }
    }
}

/// Trials to leave out a place, at most.
const TRIALS: usize = 48;

/// A trap in a set that is marked at first, if there is one; a small one, as far as that is easily found.
pub(crate) fn marked_trap(
    net: &UnfoldedNet,
    incidence: &Incidence,
    mut set: Vec<bool>,
) -> Option<Vec<u32>> {
    shrink_to_trap(net, incidence, &mut set);
    let is_marked =
        |set: &[bool]| net.places.iter().zip(set).any(|(place, is_in)| *is_in && place.initial > 0);
    if !is_marked(&set) {
        return None;
    }
    let members: Vec<usize> = (0..set.len()).filter(|place| set[*place]).collect();
    let step = (members.len() / TRIALS).max(1);
    for place in members.iter().step_by(step) {
        if !set[*place] {
            continue;
        }
        let mut smaller = set.clone();
        smaller[*place] = false;
        shrink_to_trap(net, incidence, &mut smaller);
        if is_marked(&smaller) {
            set = smaller;
        }
    }
    Some((0..set.len() as u32).filter(|place| set[*place as usize]).collect())
}
