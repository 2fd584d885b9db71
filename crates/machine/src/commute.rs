//! Whether a step of an object can be told from the same step later, after steps of others.
//!
//! The steps are [those](crate::later::OwnStep) that look at nothing but the fields of the object, so they are tried on the
//! object alone. With the fields that it has now, and with all that others can make of them before, the step must be
//! possible, with the same result; whatever others can do before it they must be able to do after it, with the same
//! result, and the fields must be the same in the end. What others can *not* do before it does not matter: they wait.

use std::collections::HashSet;

use program::FailureKind;

use crate::code::{Address, Code};
use crate::heap::{Class, Heap};
use crate::later::MANY;
use crate::mistake::{Mistake, planted};
use crate::run::{Called, Execution, Halt, Pause};
use crate::value::{Flat, Value};

/// As many fields of an object are tried at most.
const MOST_FIELDS: usize = 4_096;

/// What comes of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done {
        fields: Flat,
        result: Flat,
    },
    Failed(FailureKind, Address),
    Blocked,
    /// It is not known, or not certain.
    Unknown,
}

/// Steps of one object.
pub(crate) struct Trial<'t, 'c> {
    pub execution: &'t mut Execution<'c>,
    pub class: Class,
}

/// A step that others may do, and how often at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Other {
    pub routine: u32,
    pub times: u32,
}

/// Without a bound.
pub(crate) const UNBOUNDED: u32 = u32::MAX;

/// As often as something is done by as many threads.
pub(crate) fn times(of_each: u8, threads: u32) -> u32 {
    if of_each == MANY { UNBOUNDED } else { u32::from(of_each).saturating_mul(threads) }
}

impl Trial<'_, '_> {
    /// What comes of a step that is done to an object with these fields.
    pub(crate) fn outcome(&mut self, fields: &Flat, routine: u32, arguments: &Flat) -> Outcome {
        let Trial { execution, class } = self;
        let code: &Code = execution.code;
        let (registers, entry) = {
            let routine = code.routines[routine as usize];
            (routine.registers, routine.entry)
        };
        execution.begin(&Heap::default(), [None; 2]);
        execution.script.clear();
        let row = fields.values(&mut execution.heap.arena);
        let object = execution.heap.add(*class, &row);
        // The result, and then the registers of the step.
        let mut given = vec![Value::Nothing, Value::Reference(object)];
        given.extend(arguments.values(&mut execution.heap.arena));
        let mut stack = execution.take_stack();
        stack.begin(registers, &given, code.landing);
        let done = execution.run(&mut stack, object, entry);
        let outcome = match done {
            Ok(Pause::Able) => {
                let flat = |values: &[Value]| {
                    let mut flat = Flat::default();
                    values.iter().for_each(|value| flat.push(&execution.heap.arena, *value));
                    flat
                };
                let fields = flat(execution.heap.fields(object));
                Outcome::Done { fields, result: flat(&[stack.get(0)]) }
            }
            Ok(other) => unreachable!("{other:?} in the middle of a step"),
            Err(Halt::Blocked) => Outcome::Blocked,
            Err(Halt::Failed(kind, at)) => Outcome::Failed(kind, at),
            Err(Halt::Elsewhere) => Outcome::Unknown,
        };
        execution.give_stack(stack);
        outcome
    }

    /// Whether a step can be done now, and not be told from the same step after any steps of others.
    pub(crate) fn commutes(&mut self, now: Flat, called: &Called, others: &[Other]) -> bool {
        let Called { routine, arguments, .. } = called;
        let Outcome::Done { result, .. } = self.outcome(&now, *routine, arguments) else {
            return false;
        };
        let once = |other: &Other| if planted(Mistake::TriedOnce) { 1 } else { other.times };
        let first = (now, others.iter().map(once).collect::<Vec<u32>>());
        let mut seen = HashSet::from([first.clone()]);
        let mut open = vec![first];
        while let Some((fields, times)) = open.pop() {
            let Outcome::Done { fields: after, result: own } =
                self.outcome(&fields, *routine, arguments)
            else {
                return false;
            };
            if own != result || seen.len() > MOST_FIELDS {
                return false;
            }
            for (number, other) in others.iter().enumerate().filter(|(at, _)| times[*at] > 0) {
                let nothing = Flat::default();
                let before = self.outcome(&fields, other.routine, &nothing);
                if before == Outcome::Blocked {
                    continue;
                }
                let then = self.outcome(&after, other.routine, &nothing);
                match (before, then) {
                    (
                        Outcome::Done { fields: next, result: one },
                        Outcome::Done { fields: both, result: other },
                    ) if one == other || planted(Mistake::AnyResult) => {
                        match self.outcome(&next, *routine, arguments) {
                            Outcome::Done { fields, .. }
                                if fields == both || planted(Mistake::AnyOrder) => {}
                            _ if planted(Mistake::TriedNow) => {}
                            _ => return false,
                        }
                        let mut left = times.clone();
                        if left[number] != UNBOUNDED {
                            left[number] -= 1;
                        }
                        let next = (next, left);
                        if !planted(Mistake::TriedNow) && seen.insert(next.clone()) {
                            open.push(next);
                        }
                    }
                    (_, Outcome::Blocked) if planted(Mistake::KeepsOff) => {}
                    (Outcome::Failed(..), _) if planted(Mistake::NobodyFails) => {}
                    (Outcome::Failed(kind, at), then) if then == Outcome::Failed(kind, at) => {}
                    _ => return false,
                }
            }
        }
        true
    }
}
