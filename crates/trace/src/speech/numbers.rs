//! Objects keep their numbers along a run.
//!
//! In states an object has the least number that is free, and one that is garbage leaves its number to the next. In
//! what is told each object has a number of its own, in the order in which they were made.

use std::collections::{BTreeMap, BTreeSet};

use net::Net;
use net::interpret::Mode;
use state::{State, Value};

use super::kind;
use crate::{Run, RunStep};

/// The numbers by which the objects of a state are told.
#[derive(Clone, Default)]
pub(crate) struct Numbers {
    /// Whether the net was not made of processes: then objects have the numbers that they have in states.
    is_plain: bool,
    given: BTreeMap<Value, u32>,
    /// How many objects there have been of each kind.
    last: BTreeMap<String, u32>,
}

/// The run with each object under a number of its own, and those of its last state.
pub(crate) fn numbered(run: &Run) -> (Run, Numbers) {
    let mut numbers = Numbers::default();
    numbers.go_on(&run.initial);
    let mut told = Run { initial: numbers.state(&run.initial), steps: Vec::new() };
    for step in &run.steps {
        let mode = numbers.mode(&step.mode);
        numbers.go_on(&step.state);
        let state = numbers.state(&step.state);
        told.steps.push(RunStep { mode, children: step.children.clone(), state });
    }
    (told, numbers)
}

/// A state by itself, with the objects of each kind under numbers of their own, whatever their types are filled in
/// with.
pub(crate) fn numbered_state(state: &State) -> State {
    let mut numbers = Numbers::default();
    numbers.go_on(state);
    numbers.state(state)
}

impl Numbers {
    /// Those before the first state of a run.
    pub fn of(net: &Net) -> Numbers {
        Numbers { is_plain: net.listing.is_none(), ..Numbers::default() }
    }

    /// To the state that comes next: what is in both states is the same object, since numbers of the state before
    /// are not given to new ones.
    pub fn go_on(&mut self, state: &State) {
        if self.is_plain {
            return;
        }
        let objects: BTreeSet<&Value> =
            state.values().filter(|value| matches!(value, Value::Object(..))).collect();
        self.given.retain(|object, _| objects.contains(object));
        for object in objects {
            if let (Value::Object(class, _), false) = (object, self.given.contains_key(object)) {
                let last = self.last.entry(kind(class).to_owned()).or_default();
                *last += 1;
                self.given.insert(object.clone(), *last);
            }
        }
    }

    /// Whether all objects of the state have the numbers there by which they are told.
    fn has_own_numbers(&self) -> bool {
        let own =
            |(object, number): (&Value, &u32)| matches!(object, Value::Object(_, n) if n == number);
        self.given.iter().all(own)
    }

    fn value(&self, value: &Value) -> Value {
        match (value, self.given.get(value)) {
            (Value::Object(class, _), Some(number)) => Value::Object(class.clone(), *number),
            _ => value.clone(),
        }
    }

    fn token(&self, token: &[Value]) -> Vec<Value> {
        token.iter().map(|value| self.value(value)).collect()
    }

    /// The state as it is told.
    pub fn state(&self, state: &State) -> State {
        if self.has_own_numbers() {
            return state.clone();
        }
        let mut told = State::new();
        for place in state.marked() {
            for (token, count) in state.tokens(place) {
                let fits = told.put(place, self.token(token), count);
                assert!(fits, "tokens that differ stay different");
            }
        }
        for (pid, children) in state.eta() {
            told.activate(pid.clone(), *children);
        }
        told
    }

    /// A mode of that state as it is told.
    pub fn mode(&self, mode: &Mode) -> Mode {
        let binding = mode.binding.iter().map(|(var, value)| (*var, self.value(value)));
        Mode {
            transition: mode.transition,
            binding: binding.collect(),
            tokens: mode.tokens.iter().map(|token| self.token(token)).collect(),
        }
    }
}
