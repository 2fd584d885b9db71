//! Notes the moves that are found of a part of a state.

use program::Failure;

use super::{Fate, Part};
use crate::heap::Heap;
use crate::machine::Machine;
use crate::moves::{Move, Target, ThreadAt};
use crate::run::Execution;
use crate::turn::{Elsewhere, Turn};

/// Finds moves of a part of a state.
pub(super) struct Finder<'f, 'c> {
    pub machine: &'f mut Machine<'c>,
    pub part: &'f Part<'f>,
    /// The moves, and who polls, if it is one of those who make them only if they can meet nobody.
    pub found: Vec<(Option<u32>, Move)>,
    pub polling: Option<u32>,
    pub elsewhere: bool,
}

impl<'c> Finder<'_, 'c> {
    pub fn alone(
        &mut self,
        execution: &mut Execution<'c>,
        heap: &Heap,
        thread: u32,
    ) -> Result<bool, Elsewhere> {
        self.polling = None;
        execution.alone(heap, thread, &mut |execution, turn, acting, outcome| {
            self.find(execution, turn, acting, outcome);
        })
    }

    pub fn together(
        &mut self,
        execution: &mut Execution<'c>,
        heap: &Heap,
        pair: [u32; 2],
    ) -> Result<bool, Elsewhere> {
        self.polling = None;
        execution.together(heap, pair, &mut |execution, turn, acting, outcome| {
            self.find(execution, turn, acting, outcome);
        })
    }

    pub fn otherwise(
        &mut self,
        execution: &mut Execution<'c>,
        heap: &Heap,
        thread: u32,
    ) -> Result<bool, Elsewhere> {
        self.polling = Some(thread);
        execution.otherwise(heap, thread, &mut |execution, turn, acting, outcome| {
            self.find(execution, turn, acting, outcome);
        })
    }

    fn find(
        &mut self,
        execution: &Execution<'c>,
        turn: Turn,
        acting: [Option<u32>; 2],
        outcome: Result<(), Failure>,
    ) {
        let Finder { machine, part, .. } = self;
        let label = machine.code.label(turn);
        let acts = acting.into_iter().flatten().map(|thread| machine.thread_at(part, thread));
        let acts: Box<[ThreadAt]> = acts.collect();
        let found = match outcome {
            Err(failure) => {
                let to = Target::Failed(machine.code.failure_number(failure));
                Some((to, Fate::default()))
            }
            Ok(()) => machine.target(part, execution),
        };
        match found {
            Some((to, Fate { lives, onward })) => {
                self.found.push((self.polling, Move { label, to, acts, lives, onward }));
            }
            None => self.elsewhere = true,
        }
    }
}
