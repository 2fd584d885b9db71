//! Isomorphism of two structures, through their canonical labellings.

use crate::{Canoniser, Structure};

/// A bijection of atoms that shows `a` and `b` to be isomorphic: atom `i` of `a` goes to atom
/// `map[i]` of `b`. `None` when there is none.
#[must_use]
pub fn isomorphic(a: &Structure, b: &Structure) -> Option<Vec<u32>> {
    if a.len() != b.len() || a.tuple_count() != b.tuple_count() {
        return None;
    }
    let mut canoniser = Canoniser::new();
    let labelling = canoniser.canonise(a);
    let position = labelling.position().to_vec();
    let form = a.relabelled(&position);
    let labelling = canoniser.canonise(b);
    if b.relabelled(labelling.position()) != form {
        return None;
    }
    Some(position.iter().map(|&p| labelling.order()[p as usize]).collect())
}
