//! What the explorer needs to know of a system.

use crate::Successors;

/// A system as the explorer sees it: where it starts, and what follows a state.
///
/// There is one value per worker; scratch lives inside it, hence `&mut self`. Both functions must
/// depend on nothing but the model and the state: the same string always has the same successors.
pub trait Space {
    /// What is wrong with the model, found while firing (a value out of range, say). It ends the
    /// run.
    type Fault;

    /// Puts the initial states into `successors`; labels and modes are not looked at.
    fn initial(&mut self, successors: &mut Successors) -> Result<(), Self::Fault>;

    /// Puts every successor of `state` into `successors`, and says what it would mean if there were
    /// none.
    ///
    /// Where a single state may have very many successors, or finding them may take long, ask
    /// [`Successors::enough`] now and then and return as soon as it is.
    fn expand(
        &mut self,
        state: &[u8],
        successors: &mut Successors,
    ) -> Result<Standing, Self::Fault>;

    /// The bytes that this value holds, as allocated: they count into the limit on memory. Where
    /// workers share something, each gives its part of it. Asked for often, so it should be cheap.
    fn allocated_bytes(&self) -> u64 {
        0
    }
}

/// What it means for a state to have no successor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// Something is still alive: no successor means deadlock.
    Alive,
    /// Everything has ended: no successor means termination.
    Ended,
}
