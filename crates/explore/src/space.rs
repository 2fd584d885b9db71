//! What the explorer needs to know of a system.

use crate::Found;

/// A system as the explorer sees it: where it starts, and what follows a state.
///
/// There is one value per worker; scratch lives inside it, hence `&mut self`. Both functions must
/// depend on nothing but the model and the state: the same string always has the same successors.
pub trait Space {
    /// What is wrong with the model, found while firing (a value out of range, say). It ends the
    /// run.
    type Fault;

    /// Puts the initial states into `found`; labels and modes are not looked at.
    fn initial(&mut self, found: &mut Found) -> Result<(), Self::Fault>;

    /// Puts every successor of `state` into `found`, and tells what it would mean if there were
    /// none.
    ///
    /// Where a single state may have very many successors, ask [`Found::enough`] now and then and
    /// return at once when it says so.
    fn expand(&mut self, state: &[u8], found: &mut Found) -> Result<Standing, Self::Fault>;
}

/// What it means for a state to have no successor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// Something is still alive: no successor means deadlock.
    Alive,
    /// Everything has ended: no successor means termination.
    Ended,
}
