//! Where a routine is: blocks are entered and left.

use program::Source;

use crate::interpreter::{BlockId, Position};
use crate::state::{Control, Exit, Frame, Progress};
use crate::value::Value;

impl Frame {
    /// A routine at the beginning of its body.
    pub(crate) fn new(routine: Source, locals: Vec<Option<Value>>, body: BlockId) -> Frame {
        let (labels, held) = (Vec::new(), Vec::new());
        let (control, progress) = (Vec::new(), Progress::Fresh);
        let mut frame = Frame { routine, locals, control, progress, labels, held };
        frame.enter(body);
        frame
    }

    pub(crate) fn enter(&mut self, block: BlockId) {
        let deferred = Vec::new();
        self.control.push(Control::Block { block, at: 0, deferred, exit: None });
    }

    /// Leaves blocks, one after the other, up to where something deferred is to be done; says if all are left.
    pub(crate) fn leave(&mut self, exit: Exit) -> Option<Exit> {
        self.progress = Progress::Fresh;
        self.is_behind_labels();
        loop {
            let is_deferring = self.is_deferring();
            match self.control.last_mut() {
                Some(Control::Block { deferred, exit: way, .. }) => {
                    if let Some(later) = deferred.pop() {
                        self.labels.iter_mut().for_each(|label| label.is_left |= !is_deferring);
                        *way = Some(exit);
                        self.enter(later);
                        return None;
                    }
                    self.control.pop();
                    if exit == Exit::End {
                        return None;
                    }
                }
                Some(Control::Loop(id, _)) => match exit {
                    Exit::Break(other) if other == *id => {
                        self.control.pop();
                        return None;
                    }
                    Exit::Continue(other) if other == *id => return None,
                    _ => _ = self.control.pop(),
                },
                Some(Control::Turn(_) | Control::Dying(_)) => _ = self.control.pop(),
                None => return Some(exit),
            }
        }
    }

    /// What comes next is elsewhere than right behind the labels.
    pub(crate) fn is_behind_labels(&mut self) {
        self.labels.iter_mut().for_each(|label| label.is_own = false);
    }

    /// A frame begins with the statement that it is before. It is at the labels right before that until it is done, and
    /// leaves the others.
    pub(crate) fn hold_labels(&mut self) {
        let own = self.labels.drain(..).filter(|label| label.is_own);
        self.held.extend(own.map(|label| label.label));
    }

    /// Goes on to the next statement.
    pub(crate) fn advance(&mut self) {
        self.progress = Progress::Fresh;
        match self.control.last_mut() {
            Some(Control::Block { at, .. }) => *at += 1,
            _ => panic!("it is before a statement"),
        }
    }

    /// The statement that it is at, or the end of a block.
    pub(crate) fn position(&self) -> Position {
        match self.control.last() {
            Some(Control::Block { block, at, .. }) => Position { block: *block, at: *at },
            _ => panic!("it is before a statement"),
        }
    }

    /// The operands that were read before.
    pub(crate) fn given(&self) -> Vec<Option<Value>> {
        self.operands().to_vec()
    }
}
