//! What threads and objects are called along a run.
//!
//! The interpreter numbers both as they come, and gives no number twice. A thread is called by its parent and by how many
//! that one had started before. Objects are numbered by kind, in the order in which they are first to be seen in a state:
//! what nobody keeps beyond the step that has made it has no number.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use interpret::{Address, Birth, Identity, State, Value};
use program::{ObjectId, Program};

use crate::words::kind;

/// The names of threads and objects.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Those of threads, by their numbers, and how many children each has had.
    threads: Vec<(state::Pid, u32)>,
    objects: HashMap<Address, (String, u32)>,
    /// How many objects there have been of each kind.
    last: BTreeMap<String, u32>,
}

impl Names {
    /// Those of no state yet. The first process is there.
    pub fn new() -> Names {
        let threads = vec![(state::Pid::initial(1), 0)];
        Names { threads, objects: HashMap::new(), last: BTreeMap::new() }
    }

    /// Names those who were born.
    pub fn add_births(&mut self, births: &[Birth]) {
        for birth in births {
            let (parent, children) = &mut self.threads[birth.parent.index()];
            *children += 1;
            let child = parent.child(*children);
            assert_eq!(birth.child.index(), self.threads.len(), "they are numbered as they come");
            self.threads.push((child, 0));
        }
    }

    /// Names the objects of a state that have no name yet, given those that can be seen.
    pub fn add_objects(&mut self, program: &Program, state: &State, seen: &BTreeSet<Address>) {
        let of = |object: &Address| state.objects[object.index()].of;
        let new = seen.iter().filter(|object| !self.objects.contains_key(object));
        let mut new: Vec<Address> = new.copied().collect();
        new.sort_by_key(|object| (&program.objects[of(object).index()].name, *object));
        for object in new {
            self.add_object(program, object, of(&object));
        }
    }

    fn add_object(&mut self, program: &Program, object: Address, of: ObjectId) {
        let kind = kind(&program.objects[of.index()].name).to_owned();
        let number = self.last.entry(kind.clone()).or_default();
        *number += 1;
        self.objects.insert(object, (kind, *number));
    }

    /// `1.2`.
    pub fn pid(&self, pid: interpret::Pid) -> &state::Pid {
        &self.threads[pid.index()].0
    }

    /// The thread that has a name.
    pub fn thread(&self, name: &state::Pid) -> Option<interpret::Pid> {
        let at = self.threads.iter().position(|(other, _)| other == name)?;
        Some(interpret::Pid(at as u32))
    }

    /// The number of an object.
    pub fn number(&self, object: Address) -> u32 {
        self.objects.get(&object).map_or(u32::MAX, |(_, number)| *number)
    }

    /// `mutex 1`.
    pub fn object(&self, object: Address) -> String {
        match self.objects.get(&object) {
            Some((kind, number)) => format!("{kind} {number}"),
            None => "an object".to_owned(),
        }
    }
}

/// The objects, and the processes that have ended, that can be reached from some values.
pub(super) fn reached<'v>(
    state: &State,
    values: impl IntoIterator<Item = &'v Value>,
) -> (BTreeSet<Address>, BTreeSet<interpret::Pid>) {
    let (mut objects, mut processes) = (BTreeSet::new(), BTreeSet::new());
    let mut open = Vec::new();
    values.into_iter().for_each(|value| value.identities(&mut |id| open.push(id)));
    while let Some(id) = open.pop() {
        match id {
            Identity::Object(object) if objects.insert(object) => {
                let fields = &state.objects[object.index()].fields;
                fields.iter().for_each(|value| value.identities(&mut |id| open.push(id)));
            }
            Identity::Process(pid) if state.thread(pid).is_none() && processes.insert(pid) => {
                let process = &state.processes[pid.index()];
                process.values(&mut |value| value.identities(&mut |id| open.push(id)));
            }
            Identity::Object(_) | Identity::Process(_) => {}
        }
    }
    (objects, processes)
}
