//! Systems that are code, on concrete states: the labelled transition systems of Klaudel et al. 2009.
//!
//! - [`System`] is what a user writes: initial states, and the steps from a state.
//! - [`Concrete`] is what is explored: the same with numbers for labels and faults for what goes wrong.
//!   A net fired by its plain interpreter is one, and so is a system that is [`Checked`](crate::Checked).
//! - [`ConcreteSpace`] is the space of a [`Concrete`] system: its strings are packed concrete states. Where
//!   these are representatives of classes, the space is folded after all.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Error, ErrorKind, Read, Write};
use std::sync::Arc;

use explore::{Space, Standing, Successors, hash_of, restore_strings, save_strings};
use state::{Names, Pid, Relations, State};

use crate::packed::{pack, push_places, read_places, unpack};
use crate::space::standing;

/// A system of threads, given by its states and steps.
///
/// A state is `(σ, η)`: tokens in places, and for each active thread the number of children it has
/// created. Threads are created by [`State::spawn`], ended by [`State::end`]. What a system does may
/// depend on its pids only through equality and the relations it declares: states that differ in who
/// is who must have the same steps, up to who is who (Assumption 1 of the paper). No digits, no order
/// of pids, no counters. [`Checked`](crate::Checked) holds it to that.
pub trait System {
    /// The states it may start in.
    fn initial(&self) -> Vec<State>;

    /// All steps from a state; one for each way to take it, even if two lead to the same state.
    fn successors(&self, state: &State) -> Vec<Step>;

    /// Ω: the relations on pids that the steps depend on. The fewer, the more states fold together;
    /// all of them are always safe.
    fn relations(&self) -> Relations {
        Relations::ALL
    }
}

/// A step of a [`System`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of the action, perhaps with data; pids have no place in it.
    pub action: Cow<'static, str>,
    /// The thread that acts, if one does.
    pub thread: Option<Pid>,
    /// Where it leads.
    pub state: State,
}

impl Step {
    /// A step of `thread`.
    pub fn of(thread: &Pid, action: impl Into<Cow<'static, str>>, state: State) -> Step {
        Step { action: action.into(), thread: Some(thread.clone()), state }
    }

    /// A step that no thread takes.
    pub fn of_nobody(action: impl Into<Cow<'static, str>>, state: State) -> Step {
        Step { action: action.into(), thread: None, state }
    }
}

/// `accept of thread 1.1`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.thread {
            Some(thread) => write!(f, "`{}` of thread {thread}", self.action),
            None => write!(f, "`{}`", self.action),
        }
    }
}

/// What can be explored state by concrete state.
pub trait Concrete {
    /// What can be wrong, found while firing.
    type Fault;

    /// The places that are known in advance, if any.
    fn places(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    /// The names of transitions, where they get their numbers as they are met.
    fn labels(&self) -> Option<&Names> {
        None
    }

    /// The initial states.
    fn initial(&self) -> Vec<State>;

    /// Whether all threads are where they may be for ever: if so, the state is no deadlock.
    fn may_rest(&self, _state: &State) -> bool {
        false
    }

    /// Gives every successor of `state`, with the number of the transition that leads to it, once for each
    /// mode.
    fn successors(&mut self, state: &State, take: &mut Take<'_>) -> Result<(), Self::Fault>;
}

/// Takes a successor of a concrete state, reached by the transition of this number, if one is given. Says
/// whether the run is over its limits, so that looking further is of no use: to be asked now and then where
/// much may be tried before anything fires.
pub type Take<'t> = dyn FnMut(Option<(u32, State)>) -> bool + 't;

/// The state space of a concrete system, state by state: its strings are packed states.
pub struct ConcreteSpace<C> {
    system: C,
    places: Names,
    /// Whether places get their numbers as they are met.
    meets_places: bool,
    /// Hashes of the names of places, as far as they were asked for.
    imprints: Vec<u64>,
    has_threads: bool,
    most: Vec<u64>,
}

impl<C: Concrete> ConcreteSpace<C> {
    /// The states of `system`.
    #[must_use]
    pub fn new(system: C) -> Self {
        let places = system.places();
        let most = vec![0; places.len()];
        let has_threads = system.initial().iter().any(|state| !state.eta().is_empty());
        let (meets_places, places) = (places.is_empty(), places.into_iter().collect());
        ConcreteSpace { system, places, meets_places, imprints: Vec::new(), has_threads, most }
    }

    /// The same states for another worker, which has a system of its own that numbers actions as this one does.
    #[must_use]
    pub fn worker(&self, system: C) -> Self {
        ConcreteSpace { places: self.places.clone(), ..ConcreteSpace::new(system) }
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &C {
        &self.system
    }

    /// The system, to be asked for what needs its scratch memory.
    pub fn system_mut(&mut self) -> &mut C {
        &mut self.system
    }

    /// Decodes a packed state.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> State {
        unpack(&self.places, bytes)
    }

    /// Packs a state.
    #[must_use]
    pub fn encode(&self, state: &State) -> Vec<u8> {
        let mut bytes = Vec::new();
        pack(state, &self.places, &mut bytes);
        bytes
    }

    /// The places that are known by now, in the order of [`ConcreteSpace::most_tokens`].
    #[must_use]
    pub fn places(&self) -> Vec<Arc<str>> {
        self.places.all()
    }

    /// The largest number of tokens in each place, over the states expanded so far.
    #[must_use]
    pub fn most_tokens(&self) -> &[u64] {
        &self.most
    }

    /// Takes a state into account in [`ConcreteSpace::most_tokens`] that is not expanded.
    pub fn observe(&mut self, state: &[u8]) {
        let state = self.decode(state);
        self.count(&state);
    }

    /// What gets numbers as it is met.
    fn names(&self) -> impl Iterator<Item = &Names> {
        [&self.places].into_iter().chain(self.system.labels())
    }

    fn count(&mut self, state: &State) {
        for place in state.marked() {
            let index = self.places.number(place) as usize;
            if index >= self.most.len() {
                self.most.resize(index + 1, 0);
            }
            let held = state.tokens(place).map(|(_, count)| u64::from(count)).sum();
            self.most[index] = self.most[index].max(held);
        }
    }
}

impl<C: Concrete> Space for ConcreteSpace<C> {
    type Fault = C::Fault;

    fn initial(&mut self, found: &mut Successors) -> Result<(), C::Fault> {
        for state in self.system.initial() {
            pack(&state, &self.places, found.buffer());
            found.commit(0, 1);
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, C::Fault> {
        let state = self.decode(state);
        self.count(&state);
        let ConcreteSpace { system, places, .. } = self;
        system.successors(&state, &mut |successor| {
            if let Some((transition, successor)) = successor {
                pack(&successor, places, found.buffer());
                found.commit(transition, 1);
            }
            found.enough()
        })?;
        let is_alive = !state.eta().is_empty() && !self.system.may_rest(&state);
        Ok(standing(is_alive, self.has_threads))
    }

    /// Places that are met are known to others by their names.
    fn imprint(&mut self, state: &[u8]) -> u64 {
        if !self.meets_places {
            return hash_of(state);
        }
        let (mut rest, mut numbers) = (state, Vec::new());
        read_places(&mut rest, &mut numbers);
        numbers.iter().fold(hash_of(rest), |sum, &number| {
            while self.imprints.len() <= number as usize {
                let name = self.places.name(self.imprints.len() as u32);
                self.imprints.push(hash_of(name.as_bytes()));
            }
            // The order of places matters.
            sum.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.imprints[number as usize]
        })
    }

    fn parts(&self, mut state: &[u8], numbers: &mut Vec<u32>) -> bool {
        numbers.clear();
        if self.meets_places {
            read_places(&mut state, numbers);
        }
        self.meets_places
    }

    fn rest<'s>(&self, mut state: &'s [u8]) -> Option<&'s [u8]> {
        self.meets_places.then(|| {
            read_places(&mut state, &mut Vec::new());
            state
        })
    }

    fn part_count(&self) -> u32 {
        if self.meets_places { self.places.all().len() as u32 } else { 0 }
    }

    fn part(&self, number: u32, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.places.name(number).as_bytes());
    }

    fn adopt(&mut self, part: &[u8]) -> u32 {
        self.places.number(str::from_utf8(part).expect("names are text"))
    }

    fn compose(&self, numbers: &mut [u32], rest: &[u8], string: &mut Vec<u8>) {
        push_places(numbers, rest, string);
    }

    fn label_name(&self, label: u32) -> Option<Arc<str>> {
        self.system.labels().and_then(|labels| labels.all().get(label as usize).cloned())
    }

    fn label(&mut self, name: &str) -> u32 {
        self.system.labels().expect("labels are numbered as they are met").number(name)
    }

    /// The mark has the number of places in its lower half, and that of labels in its upper one.
    fn save(&self, mark: u64, to: &mut dyn Write) -> io::Result<u64> {
        let all: Vec<(Vec<Arc<str>>, u32)> =
            self.names().map(Names::all).zip([0, u32::BITS]).collect();
        let next = all.iter().map(|(names, shift)| (names.len() as u64) << shift).sum();
        if next != mark {
            for (names, shift) in &all {
                let before = mark >> shift & u64::from(u32::MAX);
                let new = &names[before as usize..];
                save_strings(before, new.iter().map(|name| name.as_bytes()), to)?;
            }
        }
        Ok(next)
    }

    fn restore(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let wrong = |why| Error::new(ErrorKind::InvalidData, why);
        for names in self.names() {
            restore_strings(from, |number, name| {
                let name = str::from_utf8(name).map_err(|_| wrong("a name is not UTF-8"))?;
                match u64::from(names.number(name)) == number {
                    true => Ok(()),
                    false => Err(wrong("names have other numbers already")),
                }
            })?;
        }
        Ok(())
    }
}
