//! Where a thread is, and how it goes on: blocks and loops, what is deferred, calls and returns.

use program::{Action, Statement};

use crate::interpreter::{BlockId, Interpreter, Position};
use crate::local::Known;
use crate::state::{AtLabel, Control, Exit, Frame, Process, Progress, State, Thread};
use crate::value::Pid;

/// Where a thread or a frame stops that goes on as far as there is nothing to be done.
pub(crate) enum Stop<'c, 'p> {
    /// Others have their turn, by what is written there; by nothing at the beginning of a function.
    Turn(Option<Position>),
    /// Before a statement.
    Before(&'p Statement, &'c Known),
    /// The frame is left; the thread has ended.
    Left(Exit),
}

/// How many heads of loops stand one right inside of the other, at most.
pub(crate) const MOST_HEADS: usize = 100;

impl<'p> Interpreter<'p> {
    /// Goes on as far as there is nothing to be done, and says where the thread is then.
    pub(crate) fn settle<'c>(&'c self, state: &mut State, pid: Pid) -> Stop<'c, 'p> {
        while let Process::Running(thread) = &mut state.processes[pid.index()] {
            match self.settle_frame(thread.frame_mut(), false) {
                Stop::Left(exit) => self.leave_frame(state, pid, exit),
                stop => return stop,
            }
        }
        Stop::Left(Exit::End)
    }

    /// The same for a frame. At the head of a loop it says that there is a turn if there is one, or if it is asked to.
    pub(crate) fn settle_frame<'c>(&'c self, frame: &mut Frame, at_heads: bool) -> Stop<'c, 'p> {
        // The head of a loop that is labelled: the label is that of the first statement inside, if it can be.
        let mut heads: Vec<Frame> = Vec::new();
        let stop = self.settle_on(frame, at_heads, &mut heads);
        let is_local = match &stop {
            Stop::Before(statement, known) => {
                self.is_local_at(frame, statement, known) && !self.chooses_openly(statement)
            }
            _ => is_turn_of_label(frame, &stop),
        };
        match heads.into_iter().find(|head| head.labels == frame.labels) {
            Some(head) if is_local => {
                *frame = head;
                at_label(frame).expect("it is at a label")
            }
            _ => stop,
        }
    }

    fn settle_on<'c>(
        &'c self,
        frame: &mut Frame,
        at_heads: bool,
        heads: &mut Vec<Frame>,
    ) -> Stop<'c, 'p> {
        loop {
            self.forget_done(frame);
            let Some(control) = frame.control.last_mut() else {
                return at_label(frame).unwrap_or(Stop::Left(Exit::Return(None)));
            };
            let left = match control {
                Control::Turn(at) => return Stop::Turn(*at),
                Control::Dying(at) => return Stop::Turn(Some(*at)),
                Control::Loop(_, body) => {
                    let body = *body;
                    if let Some(turn) = at_label(frame) {
                        if heads.iter().any(|head| head.control == frame.control) {
                            return turn;
                        }
                        heads.push(frame.clone());
                    } else if at_heads || self.comes_round(frame) {
                        return Stop::Turn(Some(self.loop_of(body)));
                    }
                    frame.enter(body);
                    None
                }
                Control::Block { exit: Some(exit), .. } => {
                    let exit = exit.clone();
                    frame.leave(exit)
                }
                Control::Block { .. } => {
                    let position = frame.position();
                    match self.statement(position) {
                        None => frame.leave(Exit::End),
                        Some(statement) => {
                            let known = self.known(position);
                            let is_own = |label: &AtLabel| label.is_own || is_end(statement, frame);
                            if goes_elsewhere(statement) && frame.labels.iter().any(is_own) {
                                return Stop::Before(statement, known);
                            }
                            match self.pass(frame, statement, known) {
                                Some(left) => left,
                                None => return self.before(frame, statement, known),
                            }
                        }
                    }
                }
            };
            if let Some(exit) = left {
                let Some(label) = frame.labels.last() else { return Stop::Left(exit) };
                // It lingers, and is left then.
                let turn = Control::Turn(Some(label.at));
                let block = BlockId(0);
                let exit = Some(exit);
                frame.control.push(Control::Block { block, at: 0, deferred: Vec::new(), exit });
                frame.control.push(turn);
            }
        }
    }

    fn before<'c>(
        &self,
        frame: &Frame,
        statement: &'p Statement,
        known: &'c Known,
    ) -> Stop<'c, 'p> {
        // Where a `select` with `else` may look for those that wait, coming to wait is a step.
        let has_read = match &frame.progress {
            Progress::Fresh => !known.reads.contains(&true),
            Progress::Read(_) => true,
            _ => false,
        };
        match &statement.action {
            action if has_read && self.is_polled(action) => Stop::Turn(Some(frame.position())),
            _ => Stop::Before(statement, known),
        }
    }

    /// Passes a statement at which there is nothing to be done; says whether the frame is left by it.
    pub(crate) fn pass(
        &self,
        frame: &mut Frame,
        statement: &Statement,
        known: &Known,
    ) -> Option<Option<Exit>> {
        match &statement.action {
            Action::Label(label) => {
                if !known.is_local {
                    let at = frame.position();
                    let label = AtLabel { label: *label, at, is_own: true, is_left: false };
                    frame.labels.push(label);
                }
                frame.advance();
            }
            Action::Block(inner) => {
                frame.advance();
                frame.enter(self.id(inner));
            }
            Action::Defer(later) => {
                frame.advance();
                let Some(Control::Block { deferred, .. }) = frame.control.last_mut() else {
                    unreachable!("it is in a block")
                };
                deferred.push(self.id(later));
            }
            Action::Loop(id, body) => {
                frame.advance();
                frame.is_behind_labels();
                frame.control.push(Control::Loop(*id, self.id(body)));
            }
            Action::Break(id) => return Some(frame.leave(Exit::Break(*id))),
            Action::Continue(id) => return Some(frame.leave(Exit::Continue(*id))),
            Action::Return(None) => return Some(frame.leave(Exit::Return(None))),
            Action::Call(None, ..) if matches!(frame.progress, Progress::Returned(..)) => {
                frame.advance();
            }
            _ => return None,
        }
        Some(None)
    }

    /// Leaves blocks and routines, up to where something deferred is to be done.
    pub(crate) fn leave(&self, state: &mut State, pid: Pid, exit: Exit) {
        if let Some(exit) = state.thread_mut(pid).frame_mut().leave(exit) {
            self.leave_frame(state, pid, exit);
        }
    }

    /// A routine is left.
    pub(crate) fn leave_frame(&self, state: &mut State, pid: Pid, exit: Exit) {
        let thread = state.thread_mut(pid);
        thread.frames.pop();
        let is_last = thread.frames.is_empty();
        match exit {
            Exit::Return(value) if is_last => {
                let result = (!thread.is_killed).then_some(value);
                state.processes[pid.index()] = result.map_or(Process::Killed, Process::Returned);
            }
            Exit::Killed if is_last => state.processes[pid.index()] = Process::Killed,
            Exit::Return(value) => {
                let frame = thread.frame_mut();
                let has_turn = self.has_turn_after(frame);
                let position = frame.position();
                frame.progress = Progress::Returned(value, Vec::new());
                if has_turn {
                    frame.control.push(Control::Turn(Some(position)));
                }
            }
            Exit::Killed => {
                let kind = thread.kind;
                let frame = thread.frame_mut();
                if !self.has_turn_when_dying(kind, frame) {
                    self.leave(state, pid, Exit::Killed);
                    return;
                }
                let position = frame.position();
                frame.control.push(Control::Dying(position));
            }
            _ => panic!("there is no such loop around"),
        }
    }

    /// Whether what a thread stands before is local.
    pub(crate) fn is_local(&self, thread: &Thread, stop: &Stop) -> bool {
        match stop {
            Stop::Turn(_) | Stop::Left(_) => false,
            Stop::Before(statement, known) => self.is_local_at(thread.frame(), statement, known),
        }
    }

    pub(crate) fn is_local_at(&self, frame: &Frame, statement: &Statement, known: &Known) -> bool {
        match (&statement.action, &frame.progress) {
            (Action::Call(Some(target), function, _), Progress::Returned(..)) => {
                self.is_result_local(target, *function)
            }
            (_, Progress::Fresh) if known.reads.contains(&true) => false,
            _ => known.is_local,
        }
    }

    /// Goes on after a turn.
    pub(crate) fn take_turn(&self, mut state: State, pid: Pid) -> State {
        let frame = state.thread_mut(pid).frame_mut();
        let stop = self.settle_frame(&mut frame.clone(), false);
        if is_turn_of_label(frame, &stop) {
            frame.hold_labels();
            if !matches!(frame.control.last(), Some(Control::Turn(_))) {
                return state;
            }
        }
        match frame.control.last() {
            Some(Control::Loop(_, body)) => {
                let body = *body;
                frame.enter(body);
            }
            Some(Control::Turn(_)) => _ = frame.control.pop(),
            Some(Control::Dying(_)) => {
                frame.control.pop();
                self.leave(&mut state, pid, Exit::Killed);
            }
            _ => {
                frame.hold_labels();
                frame.progress = Progress::Waiting(frame.given());
            }
        }
        state
    }

    /// The labels of a statement that is done are left.
    fn forget_done(&self, frame: &mut Frame) {
        let is_done = match frame.control.last() {
            Some(Control::Turn(_) | Control::Dying(_)) => false,
            Some(Control::Block { exit: None, .. }) => {
                let position = frame.position();
                self.statement(position).is_none_or(|_| !self.known(position).is_rest)
            }
            _ => true,
        };
        if is_done && frame.progress == Progress::Fresh {
            frame.held.clear();
        }
    }

    /// Whether a frame has to do something local before it can be killed, at a label or elsewhere. At the end there is
    /// nothing to be done.
    pub(crate) fn is_before_local(&self, frame: &Frame) -> bool {
        let mut frame = frame.clone();
        match self.settle_frame(&mut frame, false) {
            Stop::Before(statement, known) => {
                return self.is_local_at(&frame, statement, known) && !is_end(statement, &frame);
            }
            stop if !is_turn_of_label(&frame, &stop) => return false,
            _ => {}
        }
        frame.labels.clear();
        for _ in 0..MOST_HEADS {
            match (self.settle_frame(&mut frame, true), frame.control.last()) {
                (Stop::Turn(_), Some(Control::Loop(_, body))) => {
                    let body = *body;
                    frame.enter(body);
                }
                (Stop::Before(statement, _), _) => return !is_end(statement, &frame),
                _ => return false,
            }
        }
        true
    }
}

/// The turn of a label that a frame is at, if it is at one.
fn at_label<'c, 'p>(frame: &Frame) -> Option<Stop<'c, 'p>> {
    frame.labels.last().map(|label| Stop::Turn(Some(label.at)))
}

/// Whether a frame stops only since it is at a label.
fn is_turn_of_label(frame: &Frame, stop: &Stop) -> bool {
    matches!((stop, frame.labels.last()), (Stop::Turn(at), Some(label)) if *at == Some(label.at))
}

/// Whether a routine ends by a statement, with nothing pending.
pub(crate) fn is_end(statement: &Statement, frame: &Frame) -> bool {
    let is_pending = |part: &Control| match part {
        Control::Block { deferred, exit, .. } => !deferred.is_empty() || exit.is_some(),
        _ => false,
    };
    matches!(statement.action, Action::Return(_)) && !frame.control.iter().any(is_pending)
}

/// Whether a statement only says where it goes on.
pub(crate) fn goes_elsewhere(statement: &Statement) -> bool {
    match &statement.action {
        Action::Break(_) | Action::Continue(_) | Action::Return(None) | Action::Defer(_) => true,
        Action::Block(block) => block.is_empty(),
        _ => false,
    }
}
