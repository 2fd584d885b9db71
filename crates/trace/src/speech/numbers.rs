//! Objects keep their numbers along a run.
//!
//! In states an object has the least number that is free, and one that is garbage leaves its number to the next. In
//! what is told each object has a number of its own, in the order in which they were made. From one state to the next
//! only what differs is looked at, and told anew.

use std::collections::BTreeMap;

use net::Net;
use net::interpret::Mode;
use state::{Difference, State, Token, Value};

use super::kind;
use crate::change::ended;
use crate::{Run, RunStep};

/// The numbers by which the objects of a state are told.
#[derive(Clone, Default)]
pub(crate) struct Numbers {
    /// Whether the net was not made of processes: then objects have the numbers that they have in states.
    is_plain: bool,
    given: BTreeMap<Value, Given>,
    /// How many objects there have been of each kind.
    last: BTreeMap<String, u32>,
}

/// The number of an object.
#[derive(Clone, Copy)]
struct Given {
    number: u32,
    /// How often the object is in tokens.
    uses: usize,
}

/// The run with each object under a number of its own, and those of its last state.
pub(crate) fn numbered(run: &Run) -> (Run, Numbers) {
    let mut numbers = Numbers::default();
    numbers.go_on(&State::new(), &run.initial);
    let mut told = Run { initial: numbers.state(&run.initial), steps: Vec::new() };
    let mut before = &run.initial;
    for step in &run.steps {
        let mode = numbers.mode(&step.mode);
        let state = numbers.next(before, told.last(), &step.state);
        told.steps.push(RunStep { mode, children: step.children.clone(), state });
        before = &step.state;
    }
    (told, numbers)
}

/// A state by itself, with the objects of each kind under numbers of their own, whatever their types are filled in
/// with.
pub(crate) fn numbered_state(state: &State) -> State {
    let mut numbers = Numbers::default();
    numbers.go_on(&State::new(), state);
    numbers.state(state)
}

impl Numbers {
    /// Those after so many steps of a run, and those one step before.
    pub fn after(run: &Run, steps: usize, net: &Net) -> (Option<Numbers>, Numbers) {
        let mut numbers = Numbers { is_plain: net.listing.is_none(), ..Numbers::default() };
        numbers.go_on(&State::new(), &run.initial);
        let mut before = None;
        for step in 1..=steps {
            if step == steps {
                before = Some(numbers.clone());
            }
            numbers.go_on(run.state(step - 1), run.state(step));
        }
        (before, numbers)
    }

    /// From a state to the one that comes next: what is in both states is the same object, since numbers of the state
    /// before are not given to new ones.
    pub fn go_on(&mut self, before: &State, after: &State) {
        if !self.is_plain {
            self.follow(&before.differences(after));
        }
    }

    fn follow(&mut self, differences: &[Difference]) {
        let mut new: BTreeMap<&Value, usize> = BTreeMap::new();
        for object in differences.iter().filter(|one| one.before == 0).flat_map(objects) {
            match self.given.get_mut(object) {
                Some(given) => given.uses += 1,
                None => *new.entry(object).or_default() += 1,
            }
        }
        for object in differences.iter().filter(|one| one.after == 0).flat_map(objects) {
            if let Some(given) = self.given.get_mut(object) {
                given.uses -= 1;
                if given.uses == 0 {
                    self.given.remove(object);
                }
            }
        }
        for (object, uses) in new {
            if let Value::Object(class, _) = object {
                let number = self.last.entry(kind(class).to_owned()).or_default();
                *number += 1;
                self.given.insert(object.clone(), Given { number: *number, uses });
            }
        }
    }

    /// Goes on from a state to the next, and tells that, given the state before as it was told.
    pub fn next(&mut self, before: &State, told: &State, after: &State) -> State {
        if self.is_plain {
            return after.clone();
        }
        let differences = before.differences(after);
        let mut told = told.clone();
        for one in differences.iter().filter(|one| one.before > one.after) {
            let taken = told.take(one.place, &self.token(one.token), one.before - one.after);
            assert!(taken, "what is in a state is told of it");
        }
        self.follow(&differences);
        for one in differences.iter().filter(|one| one.before < one.after) {
            self.put(&mut told, one.place, one.token, one.after - one.before);
        }
        if !std::ptr::eq(before.eta(), after.eta()) {
            ended(before, after).iter().for_each(|pid| told.end(pid));
            let changed = after.eta().iter().filter(|(pid, n)| before.eta().get(*pid) != Some(n));
            changed.for_each(|(pid, children)| told.activate(pid.clone(), *children));
        }
        told
    }

    /// Whether all objects of the state have the numbers there by which they are told.
    fn has_own_numbers(&self) -> bool {
        let is_own = |(object, given): (&Value, &Given)| matches!(object, Value::Object(_, number) if *number == given.number);
        self.given.iter().all(is_own)
    }

    fn value(&self, value: &Value) -> Value {
        match (value, self.given.get(value)) {
            (Value::Object(class, _), Some(given)) => Value::Object(class.clone(), given.number),
            _ => value.clone(),
        }
    }

    fn token(&self, token: &[Value]) -> Token {
        token.iter().map(|value| self.value(value)).collect()
    }

    fn put(&self, told: &mut State, place: &std::sync::Arc<str>, token: &Token, count: u32) {
        let fits = told.put(place, self.token(token), count);
        assert!(fits, "tokens that differ stay different");
    }

    /// The state as it is told.
    pub fn state(&self, state: &State) -> State {
        if self.has_own_numbers() {
            return state.clone();
        }
        let mut told = State::new();
        for place in state.marked() {
            state.tokens(place).for_each(|(token, n)| self.put(&mut told, place, token, n));
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

/// The objects in a token that is in one of two states only.
fn objects<'s>(one: &Difference<'s>) -> impl Iterator<Item = &'s Value> {
    one.token.iter().filter(|value| matches!(value, Value::Object(..)))
}
