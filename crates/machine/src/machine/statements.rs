//! What is said of single states.

use program::{LabelId, Source};

use super::Machine;
use crate::claim::{Look, Statement};
use crate::heap::Heap;
use crate::run::Execution;
use crate::turn::Turn;

impl Machine<'_> {
    /// Whether an arm with one of these labels is taken in a step of a label.
    #[must_use]
    pub fn takes_arm(&self, step: u32, labels: &[(Source, LabelId)]) -> bool {
        self.code.takes_arm(self.turn(step), labels)
    }

    /// The objects of a heap that are threads which run.
    #[must_use]
    pub fn running(&self, heap: &Heap) -> Vec<u32> {
        (0..heap.len()).filter(|object| self.code.is_running(heap.class(*object))).collect()
    }

    /// Says of statements whether they hold in a state, of which the labels of what can happen next are given. Where
    /// something has gone wrong, none does; nor does one of a thread that is followed as long as there is none.
    pub fn holding(
        &mut self,
        state: &[u8],
        next: &[u32],
        statements: &[u32],
        holds: &mut Vec<bool>,
    ) {
        holds.clear();
        let is_of_state = |statement: &u32| {
            matches!(self.code.statements[*statement as usize], Statement::State(_))
        };
        let mut heap = std::mem::take(&mut self.scratch.heap);
        let is_there = match statements.iter().any(is_of_state) || self.followed.is_some() {
            true => self.build(state, &mut heap),
            false => self.failure(state).is_none(),
        };
        let followed = self.followed.as_ref().filter(|_| is_there);
        let bound = followed.and_then(|of| Some((of.bound, self.followed_in(&heap)?)));
        if is_there && (self.followed.is_none() || bound.is_some()) {
            let next: Vec<Turn> = next.iter().map(|label| self.turn(*label)).collect();
            let mut execution = std::mem::replace(&mut self.execution, Execution::new(self.code));
            execution.core = None;
            for statement in statements {
                holds.push(match &self.code.statements[*statement as usize] {
                    Statement::Race => self.race(state).is_some(),
                    Statement::State(said) => {
                        let (code, heap, next) = (self.code, &heap, &next[..]);
                        let (execution, bound) = (&mut execution, bound.into_iter().collect());
                        Look { code, heap, execution, next, bound }.holds(said)
                    }
                });
            }
            self.execution = execution;
        } else {
            holds.resize(statements.len(), false);
        }
        self.scratch.heap = heap;
    }
}
