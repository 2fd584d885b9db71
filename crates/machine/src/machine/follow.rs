//! Following one thread: it is a global variable, which is nothing until the thread comes to one of its labels.
//!
//! Which thread is followed is chosen once. Each step by which a thread comes there leads to two states: in one it is
//! followed from then on, in the other it is not.

use super::Machine;
use crate::claim::{Claim, Followed};
use crate::code::{ClassKind, Code};
use crate::heap::{GLOBALS, Heap};
use crate::run::Stack;
use crate::turn::{MAIN, Turn};
use crate::value::Value;

/// Added to the label of a step by which the thread comes that is followed.
pub(super) const ENTERS: u32 = 1 << 31;

impl Followed {
    /// Whether a thread is where it is followed from.
    fn is_met(&self, code: &Code, heap: &Heap, thread: u32) -> bool {
        let class = code.class(heap.class(thread));
        class == ClassKind::Running(self.process) && {
            let stop = code.stop(Stack::point(heap, thread));
            stop.labels[..stop.standing].iter().any(|label| self.labels.contains(label))
        }
    }
}

impl Machine<'_> {
    /// Follows a thread, if a claim is about the runs of single ones. Other machines of a search are made after that.
    pub fn follow(&mut self, claim: &Claim) {
        self.followed.clone_from(&claim.followed);
    }

    /// Whether by a step of a label the thread comes that is followed.
    #[must_use]
    pub fn enters(&self, label: u32) -> bool {
        label & ENTERS != 0
    }

    pub(super) fn label(&self, turn: Turn, enters: bool) -> u32 {
        self.code.label(turn) | if enters { ENTERS } else { 0 }
    }

    /// The thread that is followed in a heap.
    pub(super) fn followed_in(&self, heap: &Heap) -> Option<u32> {
        match heap.fields(GLOBALS)[usize::from(self.code.followed?)] {
            Value::Reference(thread) => Some(thread),
            _ => None,
        }
    }

    /// The threads that come, between two heaps, to where one is followed from; none if one is followed already.
    pub(super) fn entering(&self, before: &Heap, after: &Heap) -> Vec<u32> {
        let Some(followed) = self.followed.as_ref().filter(|_| self.followed_in(before).is_none())
        else {
            return Vec::new();
        };
        let comes = |thread: &u32| {
            let was_there = *thread < before.len() && followed.is_met(self.code, before, *thread);
            !was_there && followed.is_met(self.code, after, *thread)
        };
        (0..after.len()).filter(comes).collect()
    }

    pub(super) fn follow_from(&self, thread: u32, heap: &mut Heap) {
        let field = self.code.followed.expect("some claim follows threads");
        heap.set_field(GLOBALS, usize::from(field), Value::Reference(thread));
    }

    /// The first heap, if the first thread is followed from the start.
    pub(super) fn followed_from_start(&self, first: &Heap) -> Option<Heap> {
        let followed = self.followed.as_ref()?;
        followed.is_met(self.code, first, MAIN).then(|| {
            let mut heap = first.clone();
            self.follow_from(MAIN, &mut heap);
            heap
        })
    }
}
