//! What can be explored: rules on working states, folded; systems on concrete states, unfolded.

use std::sync::Arc;

use explore::{Found, Space, Standing};
use state::State;

use crate::{Schema, Working};

/// Where the successors of a state go.
pub trait Sink {
    /// Takes a successor, reached by firing the transition of this number. The pids that are gone
    /// need not have been swept.
    fn emit(&mut self, transition: u32, successor: &mut Working);

    /// Whether the run is over its limits, so that looking further is of no use. To be asked now and
    /// then where much may be tried before anything fires.
    fn enough(&mut self) -> bool;
}

/// How much of a state a transition can look at and change, at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// One family: whatever it takes, reads, is inhibited by and puts is tied to the same pids.
    Family,
    /// The tokens without pids.
    Rest,
    /// One family and the tokens without pids.
    FamilyAndRest,
    /// Several families, or who knows what.
    State,
}

impl Reach {
    /// All of them.
    pub const ALL: [Reach; 4] = [Reach::Family, Reach::Rest, Reach::FamilyAndRest, Reach::State];
}

/// A system given by rules on working states. One for each worker; scratch lives inside.
pub trait Rules {
    /// What can be wrong with a model, found while firing.
    type Fault;

    /// The shapes of the places.
    fn schema(&self) -> &Schema;

    /// Whether the model has threads at all. If so, a state where all have ended is no deadlock.
    fn has_threads(&self) -> bool;

    /// Whether some transition has this reach.
    fn has_reach(&self, reach: Reach) -> bool;

    /// Makes `working`, which is empty, the initial state.
    fn initial(&mut self, working: &mut Working);

    /// Fires every mode enabled in `working` of the transitions of this reach.
    fn fire(
        &mut self,
        working: &Working,
        reach: Reach,
        sink: &mut dyn Sink,
    ) -> Result<(), Self::Fault>;
}

/// What it means that a state has no successor. In a model without threads it is always a deadlock.
pub(crate) fn standing(is_alive: bool, has_threads: bool) -> Standing {
    if is_alive || !has_threads { Standing::Alive } else { Standing::Ended }
}

/// A system given by its concrete states.
pub trait System {
    /// What can be wrong with a model, found while firing.
    type Fault;

    /// All places that may be marked.
    fn places(&self) -> Vec<Arc<str>>;

    /// The initial state.
    fn initial(&self) -> State;

    /// Calls `emit` on every successor of `state`, with the number of the transition that leads to
    /// it, once for each mode, until it says `false`.
    fn successors(
        &self,
        state: &State,
        emit: &mut dyn FnMut(u32, State) -> bool,
    ) -> Result<(), Self::Fault>;
}

/// The state space of a system, not folded: its strings are packed concrete states.
pub struct Unfolded<S> {
    system: S,
    places: Vec<Arc<str>>,
    has_threads: bool,
    most: Vec<u64>,
}

impl<S: System> Unfolded<S> {
    /// The states of `system`.
    #[must_use]
    pub fn new(system: S) -> Self {
        let places = system.places();
        let has_threads = !system.initial().eta().is_empty();
        Unfolded { most: vec![0; places.len()], places, has_threads, system }
    }

    /// Decodes a packed state.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> State {
        State::unpack(&self.places, bytes)
    }

    /// Packs a state.
    #[must_use]
    pub fn encode(&self, state: &State) -> Vec<u8> {
        let mut bytes = Vec::new();
        state.pack(&self.places, &mut bytes);
        bytes
    }

    /// The largest number of tokens in each place, over the states expanded so far.
    #[must_use]
    pub fn most_tokens(&self) -> &[u64] {
        &self.most
    }

    /// Takes a state into account in [`Unfolded::most_tokens`] that is not expanded.
    pub fn observe(&mut self, state: &[u8]) {
        let state = self.decode(state);
        self.count(&state);
    }

    fn count(&mut self, state: &State) {
        for (place, most) in self.places.iter().zip(&mut self.most) {
            *most = (*most).max(state.tokens(place).map(|(_, count)| u64::from(count)).sum());
        }
    }
}

impl<S: System> Space for Unfolded<S> {
    type Fault = S::Fault;

    fn initial(&mut self, found: &mut Found) -> Result<(), S::Fault> {
        self.system.initial().pack(&self.places, found.buffer());
        found.commit(0, 1);
        Ok(())
    }

    fn expand(&mut self, state: &[u8], found: &mut Found) -> Result<Standing, S::Fault> {
        let state = self.decode(state);
        self.count(&state);
        self.system.successors(&state, &mut |transition, successor| {
            successor.pack(&self.places, found.buffer());
            found.commit(transition, 1);
            !found.enough()
        })?;
        Ok(standing(!state.eta().is_empty(), self.has_threads))
    }
}
