//! What can be explored: rules on working states, folded; systems on concrete states, unfolded.

use std::sync::Arc;

use explore::{Found, Space, Standing};
use state::{Relations, State};

use crate::{Folder, Schema, Working};

/// Where the successors of a state go.
pub trait Sink {
    /// Takes a successor, reached by firing the transition of this number. The pids that are gone
    /// need not have been swept.
    fn emit(&mut self, transition: u32, successor: &mut Working);

    /// Whether the run is over its limits, so that looking further is of no use. To be asked now and
    /// then where much may be tried before anything fires.
    fn enough(&mut self) -> bool;
}

/// A system given by rules on working states. One for each worker; scratch lives inside.
pub trait Rules {
    /// What can be wrong with a model, found while firing.
    type Fault;

    /// The shapes of the places.
    fn schema(&self) -> &Schema;

    /// Whether the model has threads at all. If so, a state where all have ended is no deadlock.
    fn has_threads(&self) -> bool;

    /// Makes `working`, which is empty, the initial state.
    fn initial(&mut self, working: &mut Working);

    /// Fires every mode enabled in `working`.
    fn fire(&mut self, working: &Working, sink: &mut dyn Sink) -> Result<(), Self::Fault>;
}

/// The folded state space of a system given by rules: its strings are canonical bytes.
pub struct Folded<R> {
    rules: R,
    folder: Folder,
    source: Working,
    scratch: Scratch,
    /// The largest number of tokens seen in each place.
    most: Vec<u64>,
}

#[derive(Default)]
struct Scratch {
    used: Vec<bool>,
    renamed: Vec<u32>,
}

impl<R: Rules> Folded<R> {
    /// The states of `rules` up to `relations`.
    #[must_use]
    pub fn new(rules: R, relations: Relations) -> Self {
        Folded {
            folder: Folder::new(rules.schema(), relations),
            source: Working::new(rules.schema(), relations),
            most: vec![0; rules.schema().places.len()],
            scratch: Scratch::default(),
            rules,
        }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// Decodes canonical bytes.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> Working {
        let mut working = self.source.clone();
        self.folder.unfold(bytes, &mut working);
        working
    }

    /// Sweeps and folds a working state.
    #[must_use]
    pub fn fold(&mut self, mut working: Working) -> Vec<u8> {
        let mut bytes = Vec::new();
        let Scratch { used, renamed } = &mut self.scratch;
        working.sweep(self.rules.schema(), used, renamed);
        self.folder.fold(&working, &mut bytes);
        bytes
    }

    /// The largest number of tokens in each place, over the states expanded so far.
    #[must_use]
    pub fn most_tokens(&self) -> &[u64] {
        &self.most
    }

    /// Takes a state into account in [`Folded::most_tokens`] that is not expanded.
    pub fn observe(&mut self, state: &[u8]) {
        self.folder.unfold(state, &mut self.source);
        for (place, most) in self.most.iter_mut().enumerate() {
            *most = (*most).max(self.source.tokens(place));
        }
    }
}

struct FoldingSink<'a> {
    folder: &'a mut Folder,
    scratch: &'a mut Scratch,
    found: &'a mut Found,
}

impl Sink for FoldingSink<'_> {
    fn emit(&mut self, transition: u32, successor: &mut Working) {
        let Scratch { used, renamed } = &mut self.scratch;
        successor.sweep(self.folder.schema(), used, renamed);
        self.folder.fold(successor, self.found.buffer());
        self.found.commit(transition, 1);
    }

    fn enough(&mut self) -> bool {
        self.found.enough()
    }
}

impl<R: Rules> Space for Folded<R> {
    type Fault = R::Fault;

    fn initial(&mut self, found: &mut Found) -> Result<(), R::Fault> {
        self.source.clear();
        self.rules.initial(&mut self.source);
        let Folded { folder, scratch, source, .. } = self;
        FoldingSink { folder, scratch, found }.emit(0, source);
        Ok(())
    }

    fn expand(&mut self, state: &[u8], found: &mut Found) -> Result<Standing, R::Fault> {
        self.observe(state);
        let Folded { folder, scratch, source, rules, .. } = self;
        rules.fire(source, &mut FoldingSink { folder, scratch, found })?;
        let alive = source.kinship.kin().iter().any(|kin| kin.active);
        Ok(standing(alive, rules.has_threads()))
    }
}

fn standing(alive: bool, has_threads: bool) -> Standing {
    if alive || !has_threads { Standing::Alive } else { Standing::Ended }
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
