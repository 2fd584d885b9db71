//! States as wholes: built, executed and brought into canonical form without anything that is remembered.

use std::sync::Arc;

use explore::Successors;
use program::Failure;

use super::{Machine, State, add};
use crate::form::Form;
use crate::heap::Heap;
use crate::run::Execution;
use crate::satellite::Satellite;
use crate::turn::Turn;

/// A step from one state to the next.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is done, and the label of that.
    pub turn: Turn,
    /// See above.
    pub label: u32,
    /// Who acts, who is born and who is crashed, by their places in the heap of the state before; those who are born come
    /// after all that are in it.
    pub acting: Vec<u32>,
    /// See above.
    pub born: Vec<u32>,
    /// See above.
    pub crashed: Vec<u32>,
    /// Where each object is in the heap of the next state; nothing for garbage. Or what goes wrong.
    pub becomes: Result<Vec<Option<u32>>, Failure>,
    /// The next state.
    pub state: Vec<u8>,
}

/// Called with each step: after it the heap is that of the next state, whose canonical form is given.
type EachStep<'e, 'c> =
    &'e mut dyn FnMut(&mut Machine<'c>, &Execution<'c>, Made, Result<Form, Failure>);

/// A step that is made.
#[derive(Clone, Copy, Debug)]
struct Made {
    turn: Turn,
    acting: [Option<u32>; 2],
    /// Whether a thread is followed from there.
    enters: bool,
}

impl<'c> Machine<'c> {
    /// Builds the heap of a state: the hubs, then the satellites, copy by copy. Says `false` if something has gone wrong
    /// there.
    pub fn build(&self, state: &[u8], heap: &mut Heap) -> bool {
        let mut parts = State::default();
        if !parts.read(state) {
            return false;
        }
        let mut rows = Vec::new();
        self.rows_of(parts.core, &mut rows);
        let core = self.read_core(&rows);
        heap.clone_from(&core.heap);
        for (number, count) in self.in_order(&parts.satellites) {
            // Another worker may have found it.
            let known = self.read_satellites.get(number as usize).cloned().flatten();
            let satellite = known.unwrap_or_else(|| Arc::new(self.read_part(number)));
            for _ in 0..count {
                satellite.build(self.code, &core, heap);
            }
        }
        core.close(heap);
        true
    }

    /// Satellites, with how many there are of each, in an order that does not depend on their numbers: these depend on who
    /// was faster.
    pub(super) fn in_order(&self, satellites: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut all = satellites.to_vec();
        all.sort_by_cached_key(|(number, _)| (self.rank(*number), *number));
        all
    }

    fn rank(&self, satellite: u32) -> u64 {
        match self.read_satellites.get(satellite as usize) {
            Some(Some(known)) => known.rank,
            _ => self.parts.look(satellite, |_, bytes| Satellite::rank_of(bytes)),
        }
    }

    /// Writes the state of a canonical form.
    pub(super) fn write_form(&mut self, form: &Form, to: &mut Vec<u8>) {
        let rows = self.form_rows(form);
        let core = self.core_of(&rows);
        let mut satellites = Vec::new();
        for part in &form.satellites {
            let satellite = self.satellite(&part.bytes);
            add(&mut satellites, satellite, 1);
        }
        State::write(core, &satellites, to);
    }

    /// Calls `each` with everything that can happen next in a state.
    fn each_step(&mut self, state: &[u8], each: EachStep<'_, 'c>) {
        let mut heap = std::mem::take(&mut self.scratch.heap);
        if self.build(state, &mut heap) {
            let mut execution = std::mem::replace(&mut self.execution, Execution::new(self.code));
            execution.core = None;
            let expanded = execution.expand(&heap, &mut |execution, turn, acting, outcome| {
                let form = outcome.map(|()| {
                    self.canoniser.form(&execution.heap).expect("all of the state is there")
                });
                let has_failed = form.is_err();
                let made = Made { turn, acting, enters: false };
                each(self, execution, made, form);
                if self.followed.is_none() || has_failed {
                    return;
                }
                for thread in self.entering(&heap, &execution.heap) {
                    self.follow_from(thread, &mut execution.heap);
                    let form = self.canoniser.form(&execution.heap);
                    let form = Ok(form.expect("all of the state is there"));
                    each(self, execution, Made { enters: true, ..made }, form);
                }
            });
            assert!(expanded.is_ok(), "all of the state is there");
            self.execution = execution;
        }
        self.scratch.heap = heap;
    }

    /// Expands a state.
    pub(super) fn expand_whole(&mut self, state: &[u8], successors: &mut Successors) {
        self.each_step(state, &mut |machine, execution, made, outcome| {
            let label = machine.label(made.turn, made.enters);
            let onward = made.acting.into_iter().flatten().chain(execution.born.iter().copied());
            match outcome {
                Ok(form) => {
                    machine.write_joined(&form, &execution.heap, onward, successors.buffer());
                }
                Err(failure) => {
                    let number = machine.code.failure_number(failure);
                    Machine::write_failure(number, successors.buffer());
                }
            }
            successors.commit(label, 1);
        });
    }

    /// Everything that can happen next in a state, by its heap ([`Self::build`]). Nobody runs on.
    #[must_use]
    pub fn steps(&mut self, state: &[u8]) -> Vec<Step> {
        let mut steps = Vec::new();
        self.each_step(state, &mut |machine, execution, made, outcome| {
            let mut state = Vec::new();
            let becomes = outcome.map(|form| {
                machine.write_form(&form, &mut state);
                machine.becomes(&form, execution.heap.len())
            });
            if let Err(failure) = becomes {
                let number = machine.code.failure_number(failure);
                Machine::write_failure(number, &mut state);
            }
            steps.push(Step {
                turn: made.turn,
                label: machine.label(made.turn, made.enters),
                acting: made.acting.into_iter().flatten().collect(),
                born: execution.born.clone(),
                crashed: execution.crashed.clone(),
                becomes,
                state,
            });
        });
        steps
    }

    /// Where the objects of a heap are in the heap of the state that it is.
    fn becomes(&mut self, form: &Form, objects: u32) -> Vec<Option<u32>> {
        let mut becomes = vec![None; objects as usize];
        for (name, hub) in (0..).zip(&form.hubs) {
            becomes[*hub as usize] = Some(name);
        }
        let mut ranked: Vec<(u64, u32, &[u32])> = Vec::new();
        for part in &form.satellites {
            let number = self.satellite(&part.bytes);
            ranked.push((self.rank(number), number, &part.objects));
        }
        ranked.sort_by_key(|(rank, number, _)| (*rank, *number));
        let own = ranked.into_iter().flat_map(|(.., objects)| objects);
        for (at, object) in (form.hubs.len() as u32..).zip(own) {
            // Elements of bags are no objects of the heap.
            if let Some(becomes) = becomes.get_mut(*object as usize) {
                *becomes = Some(at);
            }
        }
        becomes
    }
}
