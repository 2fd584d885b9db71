//! Walks through the local statements of a routine, without looking at values: both ways of each `if`, from one statement
//! to the next. They are made on frames without variables.

use std::collections::HashSet;

use program::{Action, Domain, FunctionId, Source, Statement};

use crate::control::Stop;
use crate::form::Forms;
use crate::interpreter::Interpreter;
use crate::state::{Control, Exit, Frame, Progress};

/// A walk through local statements.
pub(crate) struct Walk<'c, 'p> {
    interpreter: &'c Interpreter<'p>,
    forms: &'c Forms,
    /// Whether it ends at the heads of loops, and after calls, where there is a turn.
    has_turns: bool,
    /// Frames that were come to.
    pub(crate) seen: HashSet<(Vec<Control>, bool)>,
    pub(crate) called: HashSet<FunctionId>,
    /// Whether it comes to the end, and whether one who was killed does.
    pub(crate) leaves: bool,
    pub(crate) dies: bool,
}

impl<'c, 'p> Walk<'c, 'p> {
    pub(crate) fn new(
        interpreter: &'c Interpreter<'p>,
        forms: &'c Forms,
        has_turns: bool,
    ) -> Walk<'c, 'p> {
        let (seen, called) = (HashSet::new(), HashSet::new());
        Walk { interpreter, forms, has_turns, seen, called, leaves: false, dies: false }
    }

    pub(crate) fn go(&mut self, mut open: Vec<Frame>) {
        while let Some(mut frame) = open.pop() {
            let is_returned = matches!(frame.progress, Progress::Returned(..));
            if !self.seen.insert((frame.control.clone(), is_returned)) {
                continue;
            }
            if let Some(Control::Loop(_, body)) = frame.control.last() {
                let body = *body;
                if self.has_turns && self.interpreter.comes_round_in(self.forms, &frame) {
                    continue;
                }
                frame.enter(body);
                open.push(frame);
                continue;
            }
            match self.interpreter.settle_frame(&mut frame, true) {
                _ if !frame.labels.is_empty() => {}
                Stop::Left(Exit::Killed) => self.dies = true,
                Stop::Left(_) => self.leaves = true,
                Stop::Turn(_) if matches!(frame.control.last(), Some(Control::Loop(..))) => {
                    open.push(frame);
                }
                Stop::Turn(_) => {}
                Stop::Before(statement, known) => {
                    if !self.interpreter.is_local_at(&frame, statement, known)
                        || self.interpreter.arrives_in(self.forms, &frame, statement)
                        || self.interpreter.chooses_openly(statement)
                    {
                        continue;
                    }
                    if let Action::Call(_, function, _) = &statement.action
                        && !matches!(frame.progress, Progress::Returned(..))
                    {
                        self.called.insert(*function);
                        let is_passable = self.forms.passable.contains(function);
                        if is_passable
                            && !(self.has_turns
                                && self.interpreter.has_turn_after_in(self.forms, &frame))
                        {
                            frame.progress = Progress::Returned(None, Vec::new());
                            open.push(frame);
                        }
                        continue;
                    }
                    open.extend(self.interpreter.ways(&frame, statement));
                }
            }
        }
    }
}

impl<'p> Interpreter<'p> {
    /// A frame of a function at its beginning, without variables.
    pub(crate) fn entry(&self, function: FunctionId) -> Frame {
        let body = self.id(&self.program.functions[function.index()].body);
        Frame::new(Source::Function(function), Vec::new(), body)
    }

    /// Whether a choice is a step of its own, since branching time sees it.
    pub(crate) fn chooses_openly(&self, statement: &Statement) -> bool {
        self.observed.branching && is_choice(&statement.action)
    }

    /// The frames after a local statement that is no call.
    pub(crate) fn ways(&self, frame: &Frame, statement: &Statement) -> Vec<Frame> {
        let mut next = frame.clone();
        let inside = |block| {
            let mut next = frame.clone();
            next.advance();
            next.enter(self.id(block));
            next
        };
        match &statement.action {
            Action::If(_, yes, no) => vec![inside(yes), inside(no)],
            Action::Either(blocks) => blocks.iter().map(inside).collect(),
            Action::Return(_) => {
                if let Some(exit) = next.leave(Exit::Return(None)) {
                    // It is left: as if at its end.
                    next.control.clear();
                    debug_assert!(matches!(exit, Exit::Return(_)), "that was the way");
                }
                vec![next]
            }
            _ => {
                next.advance();
                vec![next]
            }
        }
    }
}

/// Whether a statement chooses among what may come.
pub(crate) fn is_choice(action: &Action) -> bool {
    match action {
        Action::Choose(_, domain, _) => !matches!(domain, Domain::Forgotten(_)),
        Action::Either(_) => true,
        _ => false,
    }
}

/// Whether a statement is a test on data that is not kept: it is not chosen how it turns out.
pub(crate) fn is_forgotten(action: &Action) -> bool {
    matches!(action, Action::Choose(_, Domain::Forgotten(_), _))
}
