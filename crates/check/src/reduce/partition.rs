//! States that have the same transitions, up to states that do: the coarsest partition (Moore 1956).
//!
//! Cost: a round for each class at most, linear in the transitions.

use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, Node};
use crate::draft::Arc;

/// The class of a target, the acceptance sets, and what is read.
type Way = (u32, u64, Node);

/// The class of each state, where states that are in different classes at first stay so. Classes are numbered by their
/// first states.
pub(super) fn partition(arcs: &[Vec<Arc>], mut classes: Vec<u32>, bdd: &mut Bdd) -> Vec<u32> {
    let mut count = 0;
    loop {
        // What is read on the way to each class, in the same sets.
        let mut numbers: FxHashMap<(u32, Vec<Way>), u32> = FxHashMap::default();
        let mut refined = Vec::with_capacity(classes.len());
        for (arcs, &own) in arcs.iter().zip(&classes) {
            let mut ways: Vec<Way> =
                arcs.iter().map(|arc| (classes[arc.to as usize], arc.sets, arc.label)).collect();
            ways.sort_unstable();
            let mut united: Vec<Way> = Vec::with_capacity(ways.len());
            for (class, sets, label) in ways {
                match united.last_mut() {
                    Some(last) if (last.0, last.1) == (class, sets) => {
                        last.2 = bdd.or(last.2, label);
                    }
                    _ => united.push((class, sets, label)),
                }
            }
            let next = numbers.len() as u32;
            refined.push(*numbers.entry((own, united)).or_insert(next));
        }
        let is_stable = numbers.len() == count;
        count = numbers.len();
        classes = refined;
        if is_stable {
            return classes;
        }
    }
}
