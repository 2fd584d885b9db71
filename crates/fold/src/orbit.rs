//! How many states there are in a class.
//!
//! Where only members of classes are renamed, a class is an orbit of the group that the classes allow, and
//! has |G| / |Aut| states, Aut taken over all members, also absent ones. Absent members of a part may be
//! permuted in both, so they cancel: what is left above are the ways to say who the present members are.
//! With threads there is no such count, since pids are never used again.

use num_bigint::BigUint;

use crate::{Folder, Working};

impl Folder {
    /// The number of states that differ from this one only by a permutation that the classes allow, itself
    /// among them. `None` if there are pids in it.
    #[must_use]
    pub fn orbit(&mut self, working: &Working) -> Option<BigUint> {
        if !working.kinship.kin().is_empty() {
            return None;
        }
        let Some(mut members) = self.members.take() else { return Some(BigUint::from(1_u32)) };
        members.embed(working);
        let automorphisms = self.automorphisms(members.embedded());
        let orbit = members.choices() / automorphisms;
        self.members = Some(members);
        Some(orbit)
    }
}
