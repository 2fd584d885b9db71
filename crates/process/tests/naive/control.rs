//! Where a thread is, and how it goes on: blocks and loops, what is deferred, calls and returns.

use process::program::{Action, Block, Statement};

use crate::at_once::World;
use crate::code::{BlockId, Code, Known};
use crate::state::{Control, Exit, Frame, Process, Progress, RoutineRef, State, Thread};
use crate::value::Value;

/// Where a thread is.
pub enum Point<'c, 'p> {
    /// At the head of a loop, or the entry of a function, where others have their turn.
    Turn,
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
            let frame = thread.frame_mut();
            let Some(control) = frame.control.last_mut() else {
                self.leave(state, pid, Exit::Return(None));
                continue;
            };
            let (block, at) = match control {
                Control::Entry(_) => return Point::Turn,
                Control::Loop(_, body) if self.heads.contains(body) => return Point::Turn,
                Control::Loop(_, body) => {
                    let body = *body;
                    frame.enter(body);
                    continue;
                }
                Control::Block { exit: Some(exit), .. } => {
                    let exit = exit.clone();
                    self.leave(state, pid, exit);
                    continue;
                }
                Control::Block { block, at, .. } => (*block, *at),
            };
            let Some(statement) = self.statement(block, at) else {
                self.leave(state, pid, Exit::End);
                continue;
            };
            let known = self.known(block, at);
            match &statement.action {
                Action::Label(_) if known.is_local => frame.advance(),
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
                    frame.control.push(Control::Loop(*id, self.id(body)));
                }
                Action::Break(id) => self.leave(state, pid, Exit::Break(*id)),
                Action::Continue(id) => self.leave(state, pid, Exit::Continue(*id)),
                Action::Return(None) => self.leave(state, pid, Exit::Return(None)),
                Action::Call(None, ..) if matches!(frame.progress, Progress::Returned(..)) => {
                    frame.advance();
                }
                _ => return Point::Before(statement, known),
            }
        }
    }

    /// Leaves blocks, one after the other; stops where something deferred is to be done.
    pub fn leave(&self, state: &mut State, pid: u32, exit: Exit) {
        let thread = state.thread_mut(pid);
        loop {
            let frame = thread.frame_mut();
            frame.progress = Progress::Fresh;
            match frame.control.last_mut() {
                Some(Control::Block { deferred, exit: way, .. }) => {
                    if let Some(later) = deferred.pop() {
                        *way = Some(exit);
                        frame.enter(later);
                        return;
                    }
                    frame.control.pop();
                    if exit == Exit::End {
                        return;
                    }
                }
                Some(Control::Loop(id, _)) => match exit {
                    Exit::Break(other) if other == *id => {
                        frame.control.pop();
                        return;
                    }
                    Exit::Continue(other) if other == *id => return,
                    _ => _ = frame.control.pop(),
                },
                Some(Control::Entry(_)) => _ = frame.control.pop(),
                None => match (&exit, thread.frames.len()) {
                    (Exit::Return(value), 1) => {
                        let result = (!thread.is_killed).then(|| value.clone());
                        state.processes[pid as usize] = Process::Ended(result);
                        return;
                    }
                    (Exit::Killed, 1) => {
                        state.processes[pid as usize] = Process::Ended(None);
                        return;
                    }
                    (Exit::Return(value), _) => {
                        let value = value.clone();
                        thread.frames.pop();
                        thread.frame_mut().progress = Progress::Returned(value, Vec::new());
                        return;
                    }
                    (Exit::Killed, _) => _ = thread.frames.pop(),
                    _ => panic!("there is no such loop around"),
                },
            }
        }
    }

    /// Whether what a thread stands before is local.
    pub fn is_local(&self, thread: &Thread, point: &Point) -> bool {
        match point {
            Point::Turn => true,
            Point::Ended => false,
            Point::Before(statement, known) => {
                match (&statement.action, &thread.frame().progress) {
                    (Action::Call(Some(target), function, _), Progress::Returned(..)) => {
                        self.is_result_local(target, *function)
                    }
                    (_, Progress::Fresh) if known.reads.contains(&true) => false,
                    _ => known.is_local,
                }
            }
        }
    }

    /// Does what is local. There may be several ways.
    pub fn do_local(&self, mut state: State, pid: u32) -> Vec<State> {
        let thread = state.thread_mut(pid);
        let frame = thread.frame_mut();
        match frame.control.last() {
            Some(Control::Loop(_, body)) => {
                let body = *body;
                frame.enter(body);
                return vec![state];
            }
            Some(Control::Entry(body)) => {
                let body = *body;
                frame.control.pop();
                frame.enter(body);
                return vec![state];
            }
            _ => {}
        }
        let (block, at) = frame.position();
        let statement = self.statement(block, at).expect("it is before a statement");
        match &statement.action {
            Action::Either(blocks) => {
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
                };
                let body = self.id(&routine.body);
                match self.entries.contains(function) {
                    true => frame.control.push(Control::Entry(body)),
                    false => frame.enter(body),
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

impl Frame {
    pub fn enter(&mut self, block: BlockId) {
        let deferred = Vec::new();
        self.control.push(Control::Block { block, at: 0, deferred, exit: None });
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
            Progress::Read(values) | Progress::Returned(_, values) => values.clone(),
        }
    }
}

impl World {
    /// A thread begins to do something.
    pub fn of(mut state: State, pid: u32) -> World {
        let locals = std::mem::take(&mut state.thread_mut(pid).frame_mut().locals);
        World { state, this: pid, scopes: vec![locals], moved: Vec::new() }
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
