//! Canonical bytes against the slow checker.

use std::collections::HashMap;
use std::fmt;

use fold::Folded;
use net::Compiled;
use state::{Relations, State};

use crate::permutations::Permutations;
use crate::slow_checker::{Classes, Compared, classes};
use crate::view::{Seer, View};

/// Two states about which folding and the definition disagree.
pub struct Disagreement {
    one: State,
    other: State,
    /// What the definition says of them.
    pub equivalent: bool,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (are, bytes) =
            if self.equivalent { ("are", "differ") } else { ("are not", "are the same") };
        let (one, other) = (&self.one, &self.other);
        let (eta_one, eta_other) = (one.eta(), other.eta());
        write!(
            f,
            "these states {are} equivalent, yet their bytes {bytes}:\n  {one}\n    η = {eta_one:?}\n  \
             {other}\n    η = {eta_other:?}"
        )
    }
}

/// The classes of states by the definition.
pub fn defined_classes(
    states: &[State],
    relations: Relations,
    permutations: &Permutations,
) -> Classes {
    let compared = |state: &State| Compared::new(state, relations, permutations);
    let states: Vec<Compared> = states.iter().map(compared).collect();
    classes(&states)
}

/// Compares the partition of `states` by the bytes of a view with that by the definition. Gives the
/// bytes of the states if they are the same. Pairs are decided through the first state of each class:
/// both ways to tell states apart are equivalences.
pub fn agreed_bytes(
    states: &[State],
    classes: &Classes,
    compiled: &Compiled,
    view: View,
) -> Result<Vec<Vec<u8>>, Disagreement> {
    let mut seer = Seer::new(compiled, view);
    let bytes: Vec<Vec<u8>> = states.iter().map(|state| seer.bytes(state)).collect();
    let mut first_with: HashMap<&[u8], usize> = HashMap::new();
    for (i, &class) in classes.class_of.iter().enumerate() {
        let disagreement = |other: usize, equivalent| {
            Err(Disagreement { one: states[other].clone(), other: states[i].clone(), equivalent })
        };
        let first = classes.first[class];
        if bytes[first] != bytes[i] {
            return disagreement(first, true);
        }
        let alike = *first_with.entry(&bytes[i]).or_insert(i);
        if classes.class_of[alike] != class {
            return disagreement(alike, false);
        }
    }
    Ok(bytes)
}

/// The strings that the explorer has for the states, if two are the same exactly when the canonical
/// bytes are.
pub fn agreed_strings(
    states: &[State],
    bytes: &[Vec<u8>],
    compiled: &Compiled,
    folded: &mut Folded<Compiled>,
) -> Result<Vec<Vec<u8>>, String> {
    let mut string_of = HashMap::new();
    let mut bytes_of = HashMap::new();
    let mut strings = Vec::new();
    for (state, bytes) in states.iter().zip(bytes) {
        let string = folded.fold(compiled.working(state).0);
        if *string_of.entry(bytes).or_insert_with(|| string.clone()) != string {
            return Err(format!("{state} has another string than one with the same bytes"));
        }
        if *bytes_of.entry(string.clone()).or_insert(bytes) != bytes {
            return Err(format!("{state} has other bytes than one with the same string"));
        }
        strings.push(string);
    }
    Ok(strings)
}
