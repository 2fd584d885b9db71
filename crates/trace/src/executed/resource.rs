//! What threads of programs do to objects and global variables, and to each other by ending.
//!
//! What is told of an access is what it changes. A global variable that never changes in the run, such as one that refers
//! to a lock, is not told of. That a thread has ended, and with which result, is a message from it to those who look.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interpret::{Address, Location, Next, Pid, Process, Value};
use program::GlobalId;

use super::scene::Scene;
use super::tale::ProgramTale;
use crate::interaction::{Kind, Labels, Transfer};
use crate::words::equation;

/// An object or a global variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resource {
    Global(GlobalId),
    Object(Address),
}

impl Resource {
    /// That of a place that is accessed, if it is one.
    fn of(location: Location) -> Option<Resource> {
        match location {
            Location::Global(id) => Some(Resource::Global(id)),
            Location::Field(object, _) | Location::Object(object) => Some(Resource::Object(object)),
            Location::End(_) => None,
        }
    }

    /// All that there are in a run, by what they are known by.
    pub fn all(tale: &ProgramTale) -> BTreeMap<Arc<str>, Resource> {
        let globals = (0..tale.teller.program().globals.len() as u32).map(GlobalId);
        let objects = tale.moments.iter().flat_map(|moment| &moment.objects);
        let objects = objects.map(|object| Resource::Object(*object));
        let all = globals.map(Resource::Global).chain(objects);
        all.map(|one| (one.key(tale), one)).collect()
    }

    /// By which it is known.
    pub fn key(self, tale: &ProgramTale) -> Arc<str> {
        match self {
            Resource::Global(id) => {
                tale.teller.program().globals[id.index()].variable.name.as_str().into()
            }
            Resource::Object(object) => tale.names.object(object).into(),
        }
    }

    fn is_object(self) -> bool {
        matches!(self, Resource::Object(_))
    }

    fn is_in(self, scene: Scene) -> bool {
        match self {
            Resource::Global(_) => true,
            Resource::Object(object) => scene.moment.objects.contains(&object),
        }
    }

    /// Its values.
    fn values<'r>(self, scene: Scene<'_, 'r, '_>) -> &'r [Value] {
        match self {
            Resource::Global(id) => std::slice::from_ref(scene.moment.state.global(id)),
            Resource::Object(object) => &scene.moment.state.objects[object.index()].fields,
        }
    }

    /// What is said of each of its values, unless it is nobody's concern: `holder = 1.2`; of a global variable, whose name
    /// is known, the value.
    fn texts(self, scene: Scene) -> Vec<Option<String>> {
        match self {
            Resource::Global(id) if scene.is_hidden(id) => vec![None],
            Resource::Global(id) => vec![Some(scene.global(id))],
            Resource::Object(object) => {
                let object = &scene.moment.state.objects[object.index()];
                let fields = &scene.program().objects[object.of.index()].fields;
                let said = fields.iter().zip(&object.fields).map(|(field, value)| {
                    let name = &field.variable.name;
                    let text = || equation(name, &scene.value(value, &field.variable.of));
                    (!name.starts_with('$')).then(text)
                });
                said.collect()
            }
        }
    }

    /// What a step changes, if it does.
    fn changes(self, before: Scene, after: Scene) -> Option<String> {
        if !self.is_in(before) || !self.is_in(after) {
            return None;
        }
        let (old, new) = (self.values(before), self.values(after));
        let changed = old.iter().zip(new).zip(self.texts(after)).filter(|((a, b), _)| a != b);
        let texts: Vec<String> = changed.filter_map(|(_, text)| text).collect();
        (old != new).then(|| texts.join(", "))
    }

    /// What is said of it: first, and after which steps something else; and after which of these there is nothing in it.
    /// Fields that never change are left out.
    pub fn labels(self, tale: &ProgramTale) -> (Labels, BTreeSet<Option<usize>>) {
        let all = (0..tale.moments.len()).map(|at| (at, tale.scene(at)));
        let there: Vec<(usize, Scene)> = all.filter(|(_, scene)| self.is_in(*scene)).collect();
        let first = there.first().map_or(&[][..], |(_, scene)| self.values(*scene));
        let varies = |field: usize| {
            !self.is_object()
                || there.iter().any(|(_, scene)| self.values(*scene)[field] != first[field])
        };
        let fields: Vec<usize> = (0..first.len()).filter(|field| varies(*field)).collect();
        let (mut labels, mut vacant) = (Labels::new(), BTreeSet::new());
        for (at, scene) in there {
            let texts = self.texts(scene);
            let is_told = |field: &&usize| texts[**field].is_some();
            let told: Vec<usize> = fields.iter().filter(is_told).copied().collect();
            let said: Vec<&str> =
                told.iter().filter_map(|field| texts[*field].as_deref()).collect();
            let text = said.join(", ");
            if labels.last().is_none_or(|(_, before)| *before != text) {
                let after = at.checked_sub(1);
                let values = self.values(scene);
                if self.is_object() && told.iter().all(|field| is_nothing(&values[*field])) {
                    vacant.insert(after);
                }
                labels.push((after, text));
            }
        }
        (labels, vacant)
    }

    /// `mutex 1 (lock)`.
    pub fn name(self, tale: &ProgramTale) -> String {
        let Resource::Object(object) = self else { return self.key(tale).to_string() };
        let mut scenes = (0..tale.moments.len()).rev().map(|at| tale.scene(at));
        let last = scenes.find(|scene| self.is_in(*scene));
        last.map_or_else(|| self.key(tale).to_string(), |scene| scene.object(object))
    }
}

/// Whether there is nothing in a value.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Nothing | Value::Int(0) | Value::Bool(false) => true,
        Value::Sequence(all) => all.is_empty(),
        Value::Set(all) => all.is_empty(),
        Value::Map(all) => all.is_empty(),
        Value::Record(all) | Value::Case(0, all) => all.iter().all(is_nothing),
        Value::Int(_)
        | Value::Bool(_)
        | Value::Member(..)
        | Value::Process(_)
        | Value::Object(_)
        | Value::Some(_)
        | Value::Case(..) => false,
    }
}

/// What each step of a run does to objects, global variables and threads that have ended; changes last.
pub(super) fn transfers(tale: &ProgramTale) -> Vec<Vec<Transfer>> {
    let states = || tale.moments.iter().map(|moment| moment.state);
    let is_constant = |resource: Resource| match resource {
        Resource::Global(id) => {
            states().all(|state| state.global(id) == tale.moments[0].state.global(id))
        }
        Resource::Object(_) => false,
    };
    // The step that has changed each of them last, or has ended a thread.
    let mut writers: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for (event, (next, step)) in tale.steps().enumerate() {
        let [before, after] = [event, event + 1].map(|at| tale.scene(at));
        let (mut looks, mut puts) = (Vec::new(), Vec::new());
        for location in accessed(next) {
            if let Location::End(pid) = location {
                looks.extend(ends(tale, before, pid, &writers));
            }
            let Some(resource) = Resource::of(location) else { continue };
            if is_constant(resource) || !resource.is_in(before) {
                continue;
            }
            let change = resource.changes(before, after);
            let kind = if change.is_some() { Kind::Put } else { Kind::Read };
            let values = change.unwrap_or_else(|| "read".to_owned());
            let key = resource.key(tale);
            let writer = writers.get(&key).copied();
            if kind == Kind::Put {
                writers.insert(key, event);
                puts.push(transfer(tale, resource, kind, values, vec![writer]));
            } else {
                looks.push(transfer(tale, resource, kind, values, vec![writer]));
            }
        }
        let objects = after.moment.objects.difference(&before.moment.objects);
        let mut new: Vec<Resource> = objects.map(|object| Resource::Object(*object)).collect();
        new.sort_by_cached_key(|one| one.key(tale));
        for resource in new {
            writers.insert(resource.key(tale), event);
            puts.push(transfer(tale, resource, Kind::Put, "new".to_owned(), Vec::new()));
        }
        for standing in &before.moment.standings {
            if step.state.thread(standing.pid).is_none() {
                writers.insert(end_key(tale, standing.pid), event);
            }
        }
        all.push(looks.into_iter().chain(puts).collect());
    }
    all
}

/// What a step accesses, each object and each variable once: first what it writes; variables come before objects.
fn accessed(next: &Next) -> Vec<Location> {
    let mut found: Vec<(bool, Location)> = Vec::new();
    for access in &next.accesses {
        let is_same = |other: Location| match (Resource::of(access.location), Resource::of(other)) {
            (None, None) => access.location == other,
            (one, other) => one == other,
        };
        match found.iter_mut().find(|(_, other)| is_same(*other)) {
            Some((is_written, _)) => *is_written |= access.is_write,
            None => found.push((access.is_write, access.location)),
        }
    }
    let variable = |location: &Location| match location {
        Location::Global(id) => id.index(),
        Location::Field(..) | Location::Object(_) | Location::End(_) => usize::MAX,
    };
    found.sort_by_key(|(is_written, location)| (!is_written, variable(location)));
    found.into_iter().map(|(_, location)| location).collect()
}

fn transfer(
    tale: &ProgramTale,
    resource: Resource,
    kind: Kind,
    values: String,
    producers: Vec<Option<usize>>,
) -> Transfer {
    let place = resource.key(tale);
    Transfer {
        kind,
        tokens: format!("{place}: {values}"),
        place,
        label: Some(values.clone()),
        values,
        producers,
        is_object: resource.is_object(),
    }
}

fn end_key(tale: &ProgramTale, thread: Pid) -> Arc<str> {
    format!("end of {}", tale.names.pid(thread)).into()
}

/// That a thread has ended, and with which result, for one that looks.
fn ends(
    tale: &ProgramTale,
    before: Scene,
    pid: Pid,
    writers: &BTreeMap<Arc<str>, usize>,
) -> Vec<Transfer> {
    let process = &before.moment.state.processes[pid.index()];
    let mut moments = tale.moments.iter().rev();
    let standing = moments.find_map(|moment| moment.standing(pid));
    let kind = standing.map(|standing| &tale.teller.program().processes[standing.kind.index()]);
    let of = kind.and_then(|kind| kind.result.as_ref());
    let result = of.map(|of| match process {
        Process::Returned(Some(value)) => format!("result = {}", before.value(value, of)),
        _ => "result = none".to_owned(),
    });
    let key = end_key(tale, pid);
    let producers: Vec<Option<usize>> =
        writers.get(&key).map(|event| Some(*event)).into_iter().collect();
    let has_ended = !matches!(process, Process::Running(_));
    let said = ["end".to_owned()].into_iter().chain(result).filter(|_| has_ended);
    let transfers = said.map(|said| Transfer {
        kind: Kind::Read,
        place: key.clone(),
        tokens: said.clone(),
        values: said.clone(),
        label: Some(said),
        producers: producers.clone(),
        is_object: false,
    });
    transfers.collect()
}
