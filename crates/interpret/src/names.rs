//! New numbers for processes and objects.

use crate::state::{Control, Exit, Process, Progress, State, Thread};
use crate::value::{Address, Pid, Value};

/// The new numbers, by the old ones; nothing for what is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Those of processes, by the old [`Pid`].
    pub processes: Vec<Option<Pid>>,
    /// Those of objects, by the old [`Address`].
    pub objects: Vec<Option<Address>>,
}

impl Names {
    /// The new number of a process, if it has one.
    #[must_use]
    pub fn process(&self, pid: Pid) -> Option<Pid> {
        self.processes[pid.index()]
    }

    /// The new number of an object, if it has one.
    #[must_use]
    pub fn object(&self, object: Address) -> Option<Address> {
        self.objects[object.index()]
    }
}

impl State {
    /// The same state with other numbers. What is not dropped refers only to what is not dropped.
    #[must_use]
    pub fn renamed(mut self, names: &Names) -> State {
        let processes = keep(&names.processes, self.processes).into_iter();
        let objects = keep(&names.objects, self.objects).into_iter();
        self.processes = processes.map(|(_, process)| process).collect();
        self.objects = objects.map(|(_, object)| object).collect();
        self.each_value(&mut |value| value.rename(names));
        self
    }

    /// Calls `visit` with each value that a variable, a field or a thread has. It may change.
    pub(crate) fn each_value(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        self.globals.iter_mut().for_each(&mut *visit);
        self.processes.iter_mut().for_each(|process| process.each_value(visit));
        for object in &mut self.objects {
            object.fields.iter_mut().for_each(&mut *visit);
        }
    }
}

/// What has a name, in the order of names.
fn keep<N: Copy + Ord, T>(names: &[Option<N>], all: Vec<T>) -> Vec<(N, T)> {
    let named = names.iter().zip(all).filter_map(|(name, one)| Some(((*name)?, one)));
    let mut kept: Vec<(N, T)> = named.collect();
    kept.sort_by_key(|(name, _)| *name);
    kept
}

impl Process {
    fn each_value(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        match self {
            Process::Running(thread) => thread.each_value(visit),
            Process::Returned(result) => result.iter_mut().for_each(visit),
            Process::Killed => {}
        }
    }
}

impl Thread {
    fn each_value(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        for frame in &mut self.frames {
            frame.locals.iter_mut().flatten().for_each(&mut *visit);
            match &mut frame.progress {
                Progress::Fresh => {}
                Progress::Read(values) | Progress::Waiting(values) => {
                    values.iter_mut().flatten().for_each(&mut *visit);
                }
                Progress::Returned(value, values) => {
                    let values = value.iter_mut().chain(values.iter_mut().flatten());
                    values.for_each(&mut *visit);
                }
            }
            for control in &mut frame.control {
                if let Control::Block { exit: Some(Exit::Return(Some(value))), .. } = control {
                    visit(value);
                }
            }
        }
    }
}

impl Value {
    /// The same with other numbers for processes and objects.
    ///
    /// # Panics
    /// If it mentions one that is dropped.
    pub fn rename(&mut self, names: &Names) {
        match self {
            Value::Process(pid) => *pid = names.process(*pid).expect("it is kept"),
            Value::Object(object) => *object = names.object(*object).expect("it is kept"),
            other => other.change_parts(&mut |part| part.rename(names)),
        }
    }
}
