//! Objects keep their numbers along a run.
//!
//! In states an object has the least number that is free, and one that is garbage leaves its number to the next. In
//! what is told each object has a number of its own, in the order in which they were made. From one state to the next
//! only what differs is looked at, and told anew.
//!
//! In a program that was translated objects have names instead (`naming.rs`): what is called as another one was before
//! gets a number after its name. Such an object is told as one of the class that is its name, with the number 0.

use std::collections::BTreeMap;
use std::sync::Arc;

use net::Net;
use net::interpret::Mode;
use state::{Difference, Pid, State, Token, Value};

use super::naming::Naming;
use crate::change::ended;
use crate::words::kind;
use crate::{Run, RunStep};

/// The numbers by which the objects of a state are told.
#[derive(Clone, Default)]
pub(crate) struct Numbers {
    /// Whether the net was not made of processes: then objects have the numbers that they have in states.
    is_plain: bool,
    given: BTreeMap<Value, Given>,
    /// How many objects there have been of each kind.
    last: BTreeMap<String, u32>,
    /// How objects get names, if they do, and how many have had each.
    naming: Option<Arc<Naming>>,
    named: BTreeMap<String, u32>,
}

/// The number of an object.
#[derive(Clone)]
struct Given {
    number: u32,
    /// How often the object is in tokens.
    uses: usize,
    /// What the program calls it, and what it is told as.
    name: Option<(String, Value)>,
}

/// The run with each object under a number of its own, and those of its last state.
pub(crate) fn numbered(net: &Net, run: &Run) -> (Run, Numbers) {
    let mut numbers = Numbers::of(net);
    numbers.go_on(&State::new(), &run.initial, None);
    let mut told = Run { initial: numbers.state(&run.initial), steps: Vec::new() };
    let mut before = &run.initial;
    for step in &run.steps {
        let mode = numbers.mode(&step.mode);
        let maker = maker(&step.mode);
        let state = numbers.next(before, told.last(), &step.state, maker);
        told.steps.push(RunStep { mode, children: step.children.clone(), state });
        before = &step.state;
    }
    (told, numbers)
}

/// A state by itself, with the objects of each kind under numbers of their own, whatever their types are filled in
/// with.
pub(crate) fn numbered_state(net: &Net, state: &State) -> State {
    let mut numbers = Numbers::of(net);
    numbers.go_on(&State::new(), state, None);
    numbers.state(state)
}

/// Who makes what is made in a mode: the first of those who act.
pub(crate) fn maker(mode: &Mode) -> Option<&Pid> {
    mode.tokens.first()?.first()?.as_pid()
}

impl Numbers {
    /// Those of no state yet.
    fn of(net: &Net) -> Numbers {
        let is_plain = net.listing.is_none();
        Numbers { is_plain, naming: Naming::of(net), ..Numbers::default() }
    }

    /// Those after so many steps of a run, and those one step before.
    pub fn after(run: &Run, steps: usize, net: &Net) -> (Option<Numbers>, Numbers) {
        let mut numbers = Numbers::of(net);
        numbers.go_on(&State::new(), &run.initial, None);
        let mut before = None;
        for step in 1..=steps {
            if step == steps {
                before = Some(numbers.clone());
            }
            let maker = maker(&run.steps[step - 1].mode);
            numbers.go_on(run.state(step - 1), run.state(step), maker);
        }
        (before, numbers)
    }

    /// From a state to the one that comes next: what is in both states is the same object, since numbers of the state
    /// before are not given to new ones.
    pub fn go_on(&mut self, before: &State, after: &State, maker: Option<&Pid>) {
        if !self.is_plain {
            self.follow(&before.differences(after), after, maker);
        }
    }

    fn follow(&mut self, differences: &[Difference], after: &State, maker: Option<&Pid>) {
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
                let number = *number;
                let name = self.name(object, class, after, maker);
                self.given.insert(object.clone(), Given { number, uses, name });
            }
        }
    }

    /// What a new object is called, and told as: `channel done`, and the next of this name `channel done#2`.
    fn name(
        &mut self,
        object: &Value,
        class: &str,
        after: &State,
        maker: Option<&Pid>,
    ) -> Option<(String, Value)> {
        let naming = self.naming.clone()?;
        let known = |other: &Value| Some(self.given.get(other)?.name.as_ref()?.0.clone());
        let name = naming.name(after, object, maker, &known)?;
        let label = format!("{} {name}", naming.kind(class));
        let times = self.named.entry(label.clone()).or_default();
        *times += 1;
        let (name, label) = match *times {
            1 => (name, label),
            times => (format!("{name}#{times}"), format!("{label}#{times}")),
        };
        Some((name, Value::Object(label.into(), 0)))
    }

    /// Goes on from a state to the next, and tells that, given the state before as it was told.
    pub fn next(
        &mut self,
        before: &State,
        told: &State,
        after: &State,
        maker: Option<&Pid>,
    ) -> State {
        if self.is_plain {
            return after.clone();
        }
        let differences = before.differences(after);
        let mut told = told.clone();
        for one in differences.iter().filter(|one| one.before > one.after) {
            let taken = told.take(one.place, &self.token(one.token), one.before - one.after);
            assert!(taken, "what is in a state is told of it");
        }
        self.follow(&differences, after, maker);
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
        let is_own = |(object, given): (&Value, &Given)| {
            let is_same = matches!(object, Value::Object(_, number) if *number == given.number);
            is_same && given.name.is_none()
        };
        self.given.iter().all(is_own)
    }

    fn value(&self, value: &Value) -> Value {
        match (value, self.given.get(value)) {
            (Value::Object(..), Some(Given { name: Some((_, told)), .. })) => told.clone(),
            (Value::Object(class, _), Some(given)) => Value::Object(class.clone(), given.number),
            _ => value.clone(),
        }
    }

    fn token(&self, token: &[Value]) -> Token {
        token.iter().map(|value| self.value(value)).collect()
    }

    fn put(&self, told: &mut State, place: &Arc<str>, token: &Token, count: u32) {
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
