//! Graphs that are found while they are asked about.

use crate::Undecided;

/// States by number, the initial one being 0, with what follows them and the atoms that hold in them.
pub trait Steps {
    /// Finds out what follows a state, and what holds in it.
    ///
    /// # Errors
    ///
    /// If that cannot be found out.
    fn expand(&mut self, state: u32) -> Result<(), Undecided>;

    /// What follows a state that was expanded.
    fn successors(&self, state: u32) -> &[u32];

    /// Whether an atom holds in a state that was expanded.
    fn holds(&self, state: u32, atom: u32) -> bool;
}
