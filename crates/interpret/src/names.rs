//! New numbers for processes and objects.

use crate::state::{Control, Exit, Object, Process, Progress, State, Thread};
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
        self.globals.iter_mut().for_each(|value| value.rename(names));
        let mut processes: Vec<(Pid, Process)> =
            keep(&names.processes, std::mem::take(&mut self.processes));
        let mut objects: Vec<(Address, Object)> =
            keep(&names.objects, std::mem::take(&mut self.objects));
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
}

/// What has a name, in the order of names.
fn keep<N: Copy + Ord, T>(names: &[Option<N>], all: Vec<T>) -> Vec<(N, T)> {
    let named = names.iter().zip(all).filter_map(|(name, one)| Some(((*name)?, one)));
    let mut kept: Vec<(N, T)> = named.collect();
    kept.sort_by_key(|(name, _)| *name);
    kept
}

impl Process {
    fn rename(&mut self, names: &Names) {
        match self {
            Process::Running(thread) => thread.rename(names),
            Process::Returned(result) => result.iter_mut().for_each(|value| value.rename(names)),
            Process::Killed => {}
        }
    }
}

impl Thread {
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

impl Value {
    /// The same with other numbers for processes and objects.
    ///
    /// # Panics
    /// If it mentions one that is dropped.
    pub fn rename(&mut self, names: &Names) {
        match self {
            Value::Process(pid) => *pid = names.process(*pid).expect("it is kept"),
            Value::Object(object) => *object = names.object(*object).expect("it is kept"),
            Value::Some(value) => value.rename(names),
            Value::Sequence(all) | Value::Record(all) | Value::Case(_, all) => {
                all.iter_mut().for_each(|value| value.rename(names));
            }
            Value::Set(all) => {
                let renamed = std::mem::take(all).into_iter().map(|mut value| {
                    value.rename(names);
                    value
                });
                *all = renamed.collect();
            }
            Value::Map(all) => {
                let renamed = std::mem::take(all).into_iter().map(|(mut key, mut value)| {
                    key.rename(names);
                    value.rename(names);
                    (key, value)
                });
                *all = renamed.collect();
            }
            Value::Int(_) | Value::Bool(_) | Value::Member(_) | Value::Nothing => {}
        }
    }
}
