//! States: processes with their stacks, objects on a heap, global variables.
//!
//! Processes and objects are numbered as they come, and keep their numbers in what comes later: a step adds to both, and
//! takes nothing away. Two states that differ only by numbers, and by what cannot be reached, have the same
//! [canonical form](State::canonical).

use program::{FieldId, GlobalId, LabelId, LoopId, ObjectId, ProcessId, Source};

use crate::interpreter::{BlockId, Position};
use crate::local::Known;
use crate::value::{Address, Identity, Pid, Value};

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The processes, by [`Pid`].
    pub processes: Vec<Process>,
    /// The objects, by [`Address`].
    pub objects: Vec<Object>,
    /// The values of the global variables, by [`GlobalId`].
    pub globals: Vec<Value>,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Process {
    /// It runs.
    Running(Thread),
    /// It has ended by itself, perhaps with a result.
    Returned(Option<Value>),
    /// It was killed, and has done what it had deferred, or it was crashed.
    Killed,
}

/// A process that runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread {
    /// Which process it is.
    pub kind: ProcessId,
    /// The routines that it is in. The innermost call is the last.
    pub frames: Vec<Frame>,
    /// Whether it was killed, and does what it has deferred.
    pub is_killed: bool,
}

/// A routine that runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame {
    /// The process or the function.
    pub routine: Source,
    /// The values of its variables, by [`LocalId`](program::LocalId); nothing where it has not yet got one.
    pub locals: Vec<Option<Value>>,
    /// The blocks and loops that it is in; the innermost is the last.
    pub(crate) control: Vec<Control>,
    /// How far the statement before which it is has been done.
    pub progress: Progress,
    /// The labels that it is at before it has begun to leave them.
    pub(crate) labels: Vec<AtLabel>,
    /// The labels of a statement that has been begun, and is not yet done.
    pub(crate) held: Vec<LabelId>,
}

/// A label that a thread is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AtLabel {
    pub(crate) label: LabelId,
    /// Where it is written.
    pub(crate) at: Position,
    /// Whether what comes next stands right behind it, in the same block.
    pub(crate) is_own: bool,
    /// Whether what comes next is something deferred, and it is not deferred itself.
    pub(crate) is_left: bool,
}

/// What a routine is in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Control {
    /// Others have their turn, by what is written there; by nothing at the beginning of a function.
    Turn(Option<Position>),
    /// Likewise, and then what is around it is left by a thread that was killed.
    Dying(Position),
    /// A loop: when it is the last, the thread is at its head.
    Loop(LoopId, BlockId),
    Block {
        block: BlockId,
        /// The statement that it is at.
        at: usize,
        /// What has been deferred and not been begun, the last one first to be done.
        deferred: Vec<BlockId>,
        /// How the block is being left, when it is.
        exit: Option<Exit>,
    },
}

/// How a block is left.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Exit {
    End,
    Break(LoopId),
    Continue(LoopId),
    Return(Option<Value>),
    Killed,
}

/// How far a statement has been done that takes several steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Progress {
    /// Not at all.
    Fresh,
    /// The operands that are read first, each in its place.
    Read(Vec<Option<Value>>),
    /// Likewise, and others may see that the thread waits.
    Waiting(Vec<Option<Value>>),
    /// The result of the function that was called, and what was read first to assign it.
    Returned(Option<Value>, Vec<Option<Value>>),
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    /// Its type.
    pub of: ObjectId,
    /// The values of its fields, by [`FieldId`].
    pub fields: Vec<Value>,
}

impl State {
    /// A process, if it runs.
    #[must_use]
    pub fn thread(&self, pid: Pid) -> Option<&Thread> {
        match &self.processes[pid.index()] {
            Process::Running(thread) => Some(thread),
            Process::Returned(_) | Process::Killed => None,
        }
    }

    pub(crate) fn thread_mut(&mut self, pid: Pid) -> &mut Thread {
        match &mut self.processes[pid.index()] {
            Process::Running(thread) => thread,
            Process::Returned(_) | Process::Killed => panic!("{pid:?} has ended"),
        }
    }

    /// All processes, those that have ended included.
    pub fn pids(&self) -> impl Iterator<Item = Pid> + use<> {
        (0..self.processes.len() as u32).map(Pid)
    }

    /// The processes that run.
    pub fn running(&self) -> impl Iterator<Item = Pid> {
        self.pids().filter(|pid| self.thread(*pid).is_some())
    }

    /// The value of a field of an object.
    #[must_use]
    pub fn field(&self, object: Address, field: FieldId) -> &Value {
        &self.objects[object.index()].fields[field.index()]
    }

    /// The value of a global variable.
    #[must_use]
    pub fn global(&self, id: GlobalId) -> &Value {
        &self.globals[id.index()]
    }

    /// The processes and the objects that can be reached: from processes that run, and from global variables.
    #[must_use]
    pub fn reached(&self) -> (Vec<bool>, Vec<bool>) {
        let mut processes = vec![false; self.processes.len()];
        let mut objects = vec![false; self.objects.len()];
        let mut open: Vec<Identity> = self.running().map(Identity::Process).collect();
        self.globals.iter().for_each(|value| value.identities(&mut |id| open.push(id)));
        while let Some(id) = open.pop() {
            match id {
                Identity::Process(pid) => {
                    if !std::mem::replace(&mut processes[pid.index()], true) {
                        self.processes[pid.index()]
                            .values(&mut |value| value.identities(&mut |id| open.push(id)));
                    }
                }
                Identity::Object(object) => {
                    if !std::mem::replace(&mut objects[object.index()], true) {
                        for value in &self.objects[object.index()].fields {
                            value.identities(&mut |id| open.push(id));
                        }
                    }
                }
            }
        }
        (processes, objects)
    }
}

impl Process {
    /// Calls `visit` with each value that it holds.
    pub fn values<'a>(&'a self, visit: &mut dyn FnMut(&'a Value)) {
        match self {
            Process::Running(thread) => thread.values(visit),
            Process::Returned(result) => result.iter().for_each(visit),
            Process::Killed => {}
        }
    }
}

impl Thread {
    /// The innermost routine that it is in.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a thread that runs is in a routine")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a thread that runs is in a routine")
    }

    /// Whether it is at a label, or in a function that is called there. Only labels that are
    /// [observed](program::Observed) are known.
    #[must_use]
    pub fn is_at(&self, source: Source, label: LabelId) -> bool {
        let mut frames = self.frames.iter().filter(|frame| frame.routine == source);
        frames.any(|frame| {
            let labels = frame.labels.iter().map(|at| at.label);
            labels.chain(frame.held.iter().copied()).any(|other| other == label)
        })
    }

    /// Calls `visit` with each value that it holds.
    pub fn values<'a>(&'a self, visit: &mut dyn FnMut(&'a Value)) {
        self.frames.iter().flat_map(|frame| frame.locals.iter().flatten()).for_each(&mut *visit);
        self.pending(visit);
    }

    /// Calls `visit` with each value that it holds besides its variables: what was read for what it is doing, and what it
    /// is about to return.
    pub fn pending<'a>(&'a self, visit: &mut dyn FnMut(&'a Value)) {
        for frame in &self.frames {
            match &frame.progress {
                Progress::Fresh => {}
                Progress::Read(values) | Progress::Waiting(values) => {
                    values.iter().flatten().for_each(&mut *visit);
                }
                Progress::Returned(value, values) => {
                    value.iter().chain(values.iter().flatten()).for_each(&mut *visit);
                }
            }
            for control in &frame.control {
                if let Control::Block { exit: Some(Exit::Return(Some(value))), .. } = control {
                    visit(value);
                }
            }
        }
    }
}

impl Frame {
    /// Whether it does something deferred.
    #[must_use]
    pub fn is_deferring(&self) -> bool {
        let is_left = |part: &Control| matches!(part, Control::Block { exit: Some(_), .. });
        self.control.iter().any(is_left)
    }

    /// Whether something is deferred that it has not yet begun.
    #[must_use]
    pub fn has_deferred(&self) -> bool {
        let is_pending = |part: &Control| match part {
            Control::Block { deferred, .. } => !deferred.is_empty(),
            _ => false,
        };
        self.control.iter().any(is_pending)
    }

    /// The labels that it is at: first those of which it has not yet begun the statement, then the others.
    #[must_use]
    pub fn labels(&self) -> [Vec<LabelId>; 2] {
        [self.labels.iter().map(|at| at.label).collect(), self.held.clone()]
    }

    /// Whether it reads operands before it does the statement before which it is.
    pub(crate) fn reads_first(&self, known: &Known) -> bool {
        self.progress == Progress::Fresh && known.reads.contains(&true)
    }

    /// The operands of the statement before which it is that have been read, each in its place.
    #[must_use]
    pub fn operands(&self) -> &[Option<Value>] {
        match &self.progress {
            Progress::Fresh => &[],
            Progress::Read(values) | Progress::Waiting(values) | Progress::Returned(_, values) => {
                values
            }
        }
    }
}
