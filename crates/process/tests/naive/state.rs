//! States: processes with their stacks, objects on a heap, global variables.

use program::{FieldId, FunctionId, GlobalId, LabelId, LoopId, ObjectId, ProcessId};

use crate::code::BlockId;
use crate::value::{Identity, Names, Value};

/// A state. Processes and objects are numbered as they come.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub processes: Vec<Process>,
    pub objects: Vec<Object>,
    pub globals: Vec<Value>,
}

/// A process that runs, or what is left of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Process {
    Running(Thread),
    /// With its result; nothing if it was killed or crashed.
    Ended(Option<Option<Value>>),
}

/// A process that runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread {
    pub kind: ProcessId,
    /// The innermost call is the last.
    pub frames: Vec<Frame>,
    /// Whether it was killed, and runs what it has deferred.
    pub is_killed: bool,
}

/// A routine that runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame {
    pub routine: RoutineRef,
    pub locals: Vec<Option<Value>>,
    /// The blocks and loops that it is in; the innermost is the last.
    pub control: Vec<Control>,
    pub progress: Progress,
    /// The labels that it is at before it has begun to leave them.
    pub labels: Vec<AtLabel>,
    /// The labels of a statement that has been begun, and is not yet done.
    pub held: Vec<LabelId>,
}

/// A label that a thread is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtLabel {
    pub label: LabelId,
    /// Where it is written.
    pub at: u32,
    /// Whether what comes next stands right behind it, in the same block.
    pub is_own: bool,
}

/// A process or a function, which is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoutineRef {
    Process(ProcessId),
    Function(FunctionId),
}

/// What a routine is in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Control {
    /// Others have their turn; the number is where that is written.
    Turn(u32),
    /// Likewise, and then what is around it is left by a thread that was killed.
    Dying(u32),
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
pub enum Exit {
    End,
    Break(LoopId),
    Continue(LoopId),
    Return(Option<Value>),
    Killed,
}

/// How far a statement has been done that takes several steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Progress {
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
    pub of: ObjectId,
    pub fields: Vec<Value>,
}

impl State {
    pub fn thread(&self, pid: u32) -> Option<&Thread> {
        match &self.processes[pid as usize] {
            Process::Running(thread) => Some(thread),
            Process::Ended(_) => None,
        }
    }

    pub fn thread_mut(&mut self, pid: u32) -> &mut Thread {
        match &mut self.processes[pid as usize] {
            Process::Running(thread) => thread,
            Process::Ended(_) => panic!("{pid} has ended"),
        }
    }

    pub fn field(&self, object: u32, field: FieldId) -> &Value {
        &self.objects[object as usize].fields[field.index()]
    }

    pub fn global(&self, id: GlobalId) -> &Value {
        &self.globals[id.index()]
    }

    pub fn running(&self) -> usize {
        self.processes.iter().filter(|process| matches!(process, Process::Running(_))).count()
    }
}

impl Thread {
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a thread that runs is in a routine")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a thread that runs is in a routine")
    }

    /// Calls `visit` with each value that it holds.
    pub fn values<'a>(&'a self, visit: &mut dyn FnMut(&'a Value)) {
        for frame in &self.frames {
            frame.locals.iter().flatten().for_each(&mut *visit);
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

    fn rename(&mut self, names: &Names) {
        for frame in &mut self.frames {
            frame.locals.iter_mut().flatten().for_each(|value| value.rename(names));
            match &mut frame.progress {
                Progress::Fresh => {}
                Progress::Read(values) | Progress::Waiting(values) => {
                    values.iter_mut().flatten().for_each(|value| value.rename(names));
                }
                Progress::Returned(value, values) => {
                    let values = value.iter_mut().chain(values.iter_mut().flatten());
                    values.for_each(|value| value.rename(names));
                }
            }
            for control in &mut frame.control {
                if let Control::Block { exit: Some(Exit::Return(Some(value))), .. } = control {
                    value.rename(names);
                }
            }
        }
    }
}

impl Process {
    /// Calls `visit` with each value that it holds.
    pub fn values<'a>(&'a self, visit: &mut dyn FnMut(&'a Value)) {
        match self {
            Process::Running(thread) => thread.values(visit),
            Process::Ended(result) => result.iter().flatten().for_each(visit),
        }
    }

    fn rename(&mut self, names: &Names) {
        match self {
            Process::Running(thread) => thread.rename(names),
            Process::Ended(result) => {
                result.iter_mut().flatten().for_each(|value| value.rename(names));
            }
        }
    }
}

/// In [`Names`]: dropped.
pub const GONE: u32 = u32::MAX;

impl State {
    /// The same state with other numbers; what has none is dropped.
    pub fn renamed(mut self, names: &Names) -> State {
        self.globals.iter_mut().for_each(|value| value.rename(names));
        let mut processes: Vec<(u32, Process)> =
            names.processes.iter().copied().zip(self.processes).collect();
        processes.retain(|(name, _)| *name != GONE);
        processes.sort_by_key(|(name, _)| *name);
        let mut objects: Vec<(u32, Object)> =
            names.objects.iter().copied().zip(self.objects).collect();
        objects.retain(|(name, _)| *name != GONE);
        objects.sort_by_key(|(name, _)| *name);
        processes.iter_mut().for_each(|(_, process)| process.rename(names));
        for (_, object) in &mut objects {
            object.fields.iter_mut().for_each(|value| value.rename(names));
        }
        State {
            processes: processes.into_iter().map(|(_, process)| process).collect(),
            objects: objects.into_iter().map(|(_, object)| object).collect(),
            globals: self.globals,
        }
    }

    /// What can be reached: from threads that run, and from global variables.
    pub fn reached(&self) -> (Vec<bool>, Vec<bool>) {
        let mut processes = vec![false; self.processes.len()];
        let mut objects = vec![false; self.objects.len()];
        let mut open = Vec::new();
        for (pid, process) in (0..).zip(&self.processes) {
            if matches!(process, Process::Running(_)) {
                open.push(Identity::Process(pid));
            }
        }
        self.globals.iter().for_each(|value| value.identities(&mut |id| open.push(id)));
        while let Some(id) = open.pop() {
            match id {
                Identity::Process(pid) => {
                    if !std::mem::replace(&mut processes[pid as usize], true) {
                        self.processes[pid as usize]
                            .values(&mut |value| value.identities(&mut |id| open.push(id)));
                    }
                }
                Identity::Object(id) => {
                    if !std::mem::replace(&mut objects[id as usize], true) {
                        for value in &self.objects[id as usize].fields {
                            value.identities(&mut |id| open.push(id));
                        }
                    }
                }
            }
        }
        (processes, objects)
    }
}
