//! Where a thread is, and how it goes on: blocks and loops, what is deferred, calls and returns.

use program::{Action, Block, Statement};

use crate::access::Log;
use crate::at_once::World;
use crate::code::{BlockId, Code, Known};
use crate::form::Spot;
use crate::meet::Role;
use crate::state::{AtLabel, Control, Exit, Frame, Process, Progress, RoutineRef, State, Thread};
use crate::turns::position;
use crate::value::Value;

/// Where a thread is.
pub enum Point<'c, 'p> {
    /// Others have their turn, by what is written here.
    Turn(u32),
    /// Before a statement.
    Before(&'p Statement, &'c Known),
    Ended,
}

impl<'p> Code<'p> {
    /// Goes on as far as there is nothing to be done, and says where the thread is then.
    pub fn settle<'c>(&'c self, state: &mut State, pid: u32) -> Point<'c, 'p> {
        loop {
            let thread = match &mut state.processes[pid as usize] {
                Process::Running(thread) => thread,
                Process::Ended(_) => return Point::Ended,
            };
            match self.settle_frame(thread.frame_mut(), false) {
                Spot::Turn(at) => return Point::Turn(at),
                Spot::Before(statement, known) => return Point::Before(statement, known),
                Spot::Left(exit) => self.leave_frame(state, pid, exit),
            }
        }
    }

    /// The same for a frame. At the head of a loop it says that there is a turn if there is one, or if it is asked to.
    pub fn settle_frame<'c>(&'c self, frame: &mut Frame, at_heads: bool) -> Spot<'c, 'p> {
        // The head of a loop that is labelled: the label is that of the first statement inside, if it can be.
        let mut head: Option<Frame> = None;
        let spot = self.settle_on(frame, at_heads, &mut head);
        let is_local = match &spot {
            Spot::Before(statement, known) => {
                self.is_local_at(frame, statement, known) && !self.chooses_openly(statement)
            }
            _ => is_turn_of_label(frame, &spot),
        };
        match head {
            Some(head) if is_local && head.labels == frame.labels => {
                *frame = head;
                at_label(frame).expect("it is at a label")
            }
            _ => spot,
        }
    }

    fn settle_on<'c>(
        &'c self,
        frame: &mut Frame,
        at_heads: bool,
        head: &mut Option<Frame>,
    ) -> Spot<'c, 'p> {
        loop {
            self.forget_done(frame);
            let Some(control) = frame.control.last_mut() else {
                return at_label(frame).unwrap_or(Spot::Left(Exit::Return(None)));
            };
            let left = match control {
                Control::Turn(at) | Control::Dying(at) => return Spot::Turn(*at),
                Control::Loop(_, body) => {
                    let body = *body;
                    if let Some(turn) = at_label(frame) {
                        if head.as_ref().is_some_and(|head| head.control == frame.control) {
                            return turn;
                        }
                        head.get_or_insert_with(|| frame.clone());
                    } else if at_heads || self.comes_round(frame) {
                        return Spot::Turn(self.loop_at(body));
                    }
                    frame.enter(body);
                    None
                }
                Control::Block { exit: Some(exit), .. } => {
                    let exit = exit.clone();
                    frame.leave(exit)
                }
                Control::Block { block, at, .. } => {
                    let (block, at) = (*block, *at);
                    match self.statement(block, at) {
                        None => frame.leave(Exit::End),
                        Some(statement) => {
                            let known = self.known(block, at);
                            let is_own = |label: &AtLabel| label.is_own || is_end(statement, frame);
                            if goes_elsewhere(statement) && frame.labels.iter().any(is_own) {
                                return Spot::Before(statement, known);
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
                let Some(label) = frame.labels.last() else { return Spot::Left(exit) };
                // It lingers, and is left then.
                let turn = Control::Turn(label.at);
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
    ) -> Spot<'c, 'p> {
        // Where somebody may look for those who wait, coming to wait is a step.
        let has_read = match &frame.progress {
            Progress::Fresh => !known.reads.contains(&true),
            Progress::Read(_) => true,
            _ => false,
        };
        match &statement.action {
            action if has_read && self.is_polled(action) => Spot::Turn(position(statement.origin)),
            _ => Spot::Before(statement, known),
        }
    }

    /// Passes a statement at which there is nothing to be done; says whether the frame is left by it.
    fn pass(
        &self,
        frame: &mut Frame,
        statement: &Statement,
        known: &Known,
    ) -> Option<Option<Exit>> {
        match &statement.action {
            Action::Label(label) => {
                if !known.is_local {
                    let at = position(statement.origin);
                    frame.labels.push(AtLabel { label: *label, at, is_own: true });
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
    pub fn leave(&self, state: &mut State, pid: u32, exit: Exit) {
        if let Some(exit) = state.thread_mut(pid).frame_mut().leave(exit) {
            self.leave_frame(state, pid, exit);
        }
    }

    /// A routine is left.
    fn leave_frame(&self, state: &mut State, pid: u32, exit: Exit) {
        let thread = state.thread_mut(pid);
        thread.frames.pop();
        let is_last = thread.frames.is_empty();
        match exit {
            Exit::Return(value) if is_last => {
                let result = (!thread.is_killed).then_some(value);
                state.processes[pid as usize] = Process::Ended(result);
            }
            Exit::Killed if is_last => state.processes[pid as usize] = Process::Ended(None),
            Exit::Return(value) => {
                let frame = thread.frame_mut();
                let has_turn = self.turns_after(frame);
                let (block, at) = frame.position();
                frame.progress = Progress::Returned(value, Vec::new());
                if has_turn {
                    let statement = self.statement(block, at).expect("it is before a call");
                    frame.control.push(Control::Turn(position(statement.origin)));
                }
            }
            Exit::Killed => {
                let kind = thread.kind;
                let frame = thread.frame_mut();
                if !self.turns_when_dying(kind, frame) {
                    self.leave(state, pid, Exit::Killed);
                    return;
                }
                let (block, at) = frame.position();
                let statement = self.statement(block, at).expect("it is before a call");
                frame.control.push(Control::Dying(position(statement.origin)));
            }
            _ => panic!("there is no such loop around"),
        }
    }

    /// Whether what a thread stands before is local.
    pub fn is_local(&self, thread: &Thread, point: &Point) -> bool {
        match point {
            Point::Turn(_) | Point::Ended => false,
            Point::Before(statement, known) => self.is_local_at(thread.frame(), statement, known),
        }
    }

    pub fn is_local_at(&self, frame: &Frame, statement: &Statement, known: &Known) -> bool {
        match (&statement.action, &frame.progress) {
            (Action::Call(Some(target), function, _), Progress::Returned(..)) => {
                self.is_result_local(target, *function)
            }
            (_, Progress::Fresh) if known.reads.contains(&true) => false,
            _ => known.is_local,
        }
    }

    /// Goes on after a turn.
    pub fn take_turn(&self, mut state: State, pid: u32) -> State {
        let frame = state.thread_mut(pid).frame_mut();
        let spot = self.settle_frame(&mut frame.clone(), false);
        if is_turn_of_label(frame, &spot) {
            self.hold_labels(frame);
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
                self.hold_labels(frame);
                frame.progress = Progress::Waiting(frame.given());
            }
        }
        state
    }

    /// A frame begins with the statement that it is before. It is at the labels right before that until it is done, and
    /// leaves the others.
    pub fn hold_labels(&self, frame: &mut Frame) {
        let own = frame.labels.drain(..).filter(|label| label.is_own);
        frame.held.extend(own.map(|label| label.label));
    }

    /// The labels of a statement that is done are left.
    fn forget_done(&self, frame: &mut Frame) {
        let is_done = match frame.control.last() {
            Some(Control::Turn(_) | Control::Dying(_)) => false,
            Some(Control::Block { block, at, exit: None, .. }) => {
                let (block, at) = (*block, *at);
                self.statement(block, at).is_none_or(|_| !self.known(block, at).is_rest)
            }
            _ => true,
        };
        if is_done && frame.progress == Progress::Fresh {
            frame.held.clear();
        }
    }

    /// Whether a frame has to do something local before it can be killed, at a label or elsewhere. At the end there is
    /// nothing to be done.
    pub fn is_before_local(&self, frame: &Frame) -> bool {
        let mut frame = frame.clone();
        match self.settle_frame(&mut frame, false) {
            Spot::Before(statement, known) => {
                return self.is_local_at(&frame, statement, known) && !is_end(statement, &frame);
            }
            spot if !is_turn_of_label(&frame, &spot) => return false,
            _ => {}
        }
        frame.labels.clear();
        for _ in 0..100 {
            match (self.settle_frame(&mut frame, true), frame.control.last()) {
                (Spot::Turn(_), Some(Control::Loop(_, body))) => {
                    let body = *body;
                    frame.enter(body);
                }
                (Spot::Before(statement, _), _) => return !is_end(statement, &frame),
                _ => return false,
            }
        }
        true
    }

    /// Does what is local. There may be several ways.
    pub fn do_local(&self, mut state: State, pid: u32) -> Vec<State> {
        let thread = state.thread_mut(pid);
        let frame = thread.frame_mut();
        let (block, at) = frame.position();
        let statement = self.statement(block, at).expect("it is before a statement");
        match &statement.action {
            _ if goes_elsewhere(statement) => {
                self.hold_labels(frame);
                let known = self.known(block, at);
                let left = self.pass(frame, statement, known).expect("there is nothing else to it");
                if let Some(exit) = left {
                    self.leave_frame(&mut state, pid, exit);
                }
                vec![state]
            }
            Action::Either(blocks) => {
                self.hold_labels(frame);
                frame.advance();
                let enter = |block: &Block| {
                    let mut state = state.clone();
                    state.thread_mut(pid).frame_mut().enter(self.id(block));
                    state
                };
                blocks.iter().map(enter).collect()
            }
            Action::Call(_, function, arguments)
                if !matches!(frame.progress, Progress::Returned(..)) =>
            {
                self.hold_labels(frame);
                let given = frame.given();
                let routine = &self.program.functions[function.index()];
                let world = World::of(state, pid);
                let passed = self.arguments(&routine.locals, arguments, &given, &world);
                let passed = passed.expect("local statements cannot fault");
                let mut locals: Vec<Option<Value>> = passed.into_iter().map(Some).collect();
                locals.resize(routine.locals.len(), None);
                let mut state = world.done();
                let mut frame = Frame {
                    routine: RoutineRef::Function(*function),
                    locals,
                    control: Vec::new(),
                    progress: Progress::Fresh,
                    labels: Vec::new(),
                    held: Vec::new(),
                };
                frame.enter(self.id(&routine.body));
                if self.has_turn_at_entry(*function) {
                    frame.control.push(Control::Turn(0));
                }
                state.thread_mut(pid).frames.push(frame);
                vec![state]
            }
            // Everything else is done as where it is not local.
            _ => {
                let outcomes = self.act(&state, pid).into_iter();
                outcomes.map(|done| done.expect("local statements cannot fault").done()).collect()
            }
        }
    }
}

/// The turn of a label that a frame is at, if it is at one.
fn at_label<'c, 'p>(frame: &Frame) -> Option<Spot<'c, 'p>> {
    frame.labels.last().map(|label| Spot::Turn(label.at))
}

/// Whether a frame stops only since it is at a label.
fn is_turn_of_label(frame: &Frame, spot: &Spot) -> bool {
    matches!((spot, frame.labels.last()), (Spot::Turn(at), Some(label)) if *at == label.at)
}

/// Whether a routine ends by a statement, with nothing pending.
fn is_end(statement: &Statement, frame: &Frame) -> bool {
    let is_pending = |part: &Control| match part {
        Control::Block { deferred, exit, .. } => !deferred.is_empty() || exit.is_some(),
        _ => false,
    };
    matches!(statement.action, Action::Return(_)) && !frame.control.iter().any(is_pending)
}

/// Whether a statement only says where it goes on.
fn goes_elsewhere(statement: &Statement) -> bool {
    match &statement.action {
        Action::Break(_) | Action::Continue(_) | Action::Return(None) | Action::Defer(_) => true,
        Action::Block(block) => block.is_empty(),
        _ => false,
    }
}

impl Frame {
    pub fn enter(&mut self, block: BlockId) {
        let deferred = Vec::new();
        self.control.push(Control::Block { block, at: 0, deferred, exit: None });
    }

    /// Leaves blocks, one after the other, up to where something deferred is to be done; says if all are left.
    pub fn leave(&mut self, exit: Exit) -> Option<Exit> {
        self.progress = Progress::Fresh;
        self.is_behind_labels();
        loop {
            match self.control.last_mut() {
                Some(Control::Block { deferred, exit: way, .. }) => {
                    if let Some(later) = deferred.pop() {
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
    fn is_behind_labels(&mut self) {
        self.labels.iter_mut().for_each(|label| label.is_own = false);
    }

    /// Goes on to the next statement.
    pub fn advance(&mut self) {
        self.progress = Progress::Fresh;
        match self.control.last_mut() {
            Some(Control::Block { at, .. }) => *at += 1,
            _ => panic!("it is before a statement"),
        }
    }

    pub fn position(&self) -> (BlockId, usize) {
        match self.control.last() {
            Some(Control::Block { block, at, .. }) => (*block, *at),
            _ => panic!("it is before a statement"),
        }
    }

    /// The operands that were read before.
    pub fn given(&self) -> Vec<Option<Value>> {
        match &self.progress {
            Progress::Fresh => Vec::new(),
            Progress::Read(values) | Progress::Waiting(values) | Progress::Returned(_, values) => {
                values.clone()
            }
        }
    }
}

impl World {
    /// A thread begins to do something.
    pub fn of(mut state: State, pid: u32) -> World {
        let locals = std::mem::take(&mut state.thread_mut(pid).frame_mut().locals);
        let scopes = vec![locals];
        World { scopes, ..World::after(state, pid, Vec::new()) }
    }

    /// What a thread has done, and who else was moved by it.
    pub fn after(state: State, this: u32, moved: Vec<u32>) -> World {
        let (scopes, crashed, accesses) = (Vec::new(), Vec::new(), Log::default());
        let role = Role::Alone;
        let (doom, joint_from) = (None, None);
        World { state, this, scopes, moved, crashed, doom, accesses, inside: 0, role, joint_from }
    }

    /// It has done it.
    pub fn done(mut self) -> State {
        self.put_back();
        self.state
    }

    pub fn put_back(&mut self) {
        if let Some(locals) = self.scopes.pop() {
            self.state.thread_mut(self.this).frame_mut().locals = locals;
        }
        assert!(self.scopes.is_empty(), "everything that was begun is done");
    }
}
