//! The places of the net that a program becomes.
//!
//! One for each global variable, with one token; one for each type of objects, whose tokens are owned by the object;
//! a flow place for each stop; one for each call that may wait, whose tokens are owned by the frame; and for threads
//! that have ended, one that tells so, and one for the results of each kind, owned by the thread.

use std::collections::{BTreeMap, HashMap};

use net::{Column, FreshClass, FreshId, Hold, Net, Place, PlaceId, PlaceKind, Sort};

use crate::layout::Scalar;
use crate::run::Runner;
use program::graph::{Site, StopId};
use program::{ProcessId, Program, Type};

/// The places of a program.
pub(crate) struct Places {
    pub globals: Vec<PlaceId>,
    pub objects: Vec<PlaceId>,
    pub stops: BTreeMap<StopId, PlaceId>,
    pub frames: BTreeMap<Site, PlaceId>,
    pub frame_class: FreshId,
    pub ended: PlaceId,
    /// Whether its tokens say how threads have ended.
    pub says_how: bool,
    /// The places of the results of each kind of process that has one.
    pub results: BTreeMap<ProcessId, PlaceId>,
}

impl Places {
    /// Adds the places of a program to a net. The classes of objects and of frames are there.
    pub(crate) fn new(program: &Program, runner: &Runner, net: &mut Net) -> Places {
        let layout = &runner.layout;
        let Sort::Object(frame_class) = runner.frames else { unreachable!("frames are objects") };
        // Variables come last in a token.
        let mut add = |name: String,
                       kind,
                       first: Option<Sort>,
                       scalars: Vec<Scalar>,
                       hold,
                       types: Vec<&Type>| {
            let first = first.map(Column::of);
            let rest = scalars.into_iter().map(|scalar| scalar.column(None));
            let columns: Vec<Column> = first.into_iter().chain(rest).collect();
            let width: usize = types.iter().map(|of| layout.width(of)).sum();
            let groups = layout.groups(types, columns.len() - width);
            net.places.push(Place { hold, groups, ..Place::new(name, kind, columns) });
            PlaceId(net.places.len() as u32 - 1)
        };
        let ordinary = PlaceKind::Ordinary;
        let owned = Hold::Owned(0);
        let mut globals = Vec::new();
        for global in &program.globals {
            let scalars = layout.scalars(&global.variable.of);
            let (name, types) = (global.variable.name.clone(), vec![&global.variable.of]);
            globals.push(add(name, ordinary, None, scalars, Hold::Root, types));
        }
        let mut objects = Vec::new();
        for (id, object) in (0..).map(program::ObjectId).zip(&program.objects) {
            let class = Some(Sort::Object(layout.class_of(id)));
            let scalars = layout.field_scalars(id);
            let types = object.fields.iter().map(|field| &field.variable.of).collect();
            objects.push(add(object.name.clone(), ordinary, class, scalars, owned, types));
        }
        let (mut stops, mut frames) = (BTreeMap::new(), BTreeMap::new());
        let mut names = Names::default();
        for ((id, at), stop) in runner.routines.stops() {
            let routine = id.of(program);
            let label = stop.label(program).map(|(of, label)| format!("{}.{label}", of.name));
            let line = program.written(stop.origin).map(|line| line.line);
            let name = match (label, line) {
                (Some(label), _) => label,
                (None, Some(line)) => format!("{}:{line}", routine.name),
                (None, None) => format!("{}.{}", routine.name, at.0),
            };
            let name = names.new_name(name);
            let thread = Some(Sort::Pid);
            let scalars = runner.stop_scalars(id, at);
            let locals = &runner.routines.graph(id).locals;
            let live = runner.routines.live(id).at(at).iter();
            let types = live.map(|local| &locals[local.index()].of).collect();
            let place = add(name, PlaceKind::Flow, thread, scalars, Hold::Root, types);
            stops.insert((id, at), place);
        }
        for (id, at) in runner.routines.calls() {
            let name = names.new_name(format!("{} calls", id.of(program).name));
            let scalars = runner.kept_scalars((id, at));
            let locals = &runner.routines.graph(id).locals;
            let kept = runner.kept((id, at)).into_iter();
            let types = kept.map(|local| &locals[local.index()].of).collect();
            let place = add(name, ordinary, Some(runner.frames), scalars, owned, types);
            frames.insert((id, at), place);
        }
        let says_how = runner.routines.asks_how();
        let how = says_how.then_some(Scalar { sort: Sort::Bool, optional: false });
        let how = how.into_iter().collect();
        let ended = add("ended".into(), ordinary, Some(Sort::Pid), how, owned, Vec::new());
        let mut results = BTreeMap::new();
        for (id, process) in (0..).map(ProcessId).zip(&program.processes) {
            let Some(of) = process.result.clone() else { continue };
            let name = format!("result of {}", process.name);
            let of = Type::Optional(Box::new(of));
            let place = add(name, ordinary, Some(Sort::Pid), layout.scalars(&of), owned, vec![&of]);
            results.insert(id, place);
        }
        for (id, stop) in runner.routines.stops() {
            let place = &mut net.places[stops[&id].index()];
            (place.idle, place.forgotten) = (stop.idle, stop.is_forgotten);
        }
        Places { globals, objects, stops, frames, frame_class, ended, says_how, results }
    }
}

/// Adds the classes of objects and of frames to a net; gives the first, and that of frames.
pub(crate) fn classes(program: &Program, net: &mut Net) -> (FreshId, FreshId) {
    let first = FreshId(net.fresh.len() as u32);
    let names = program.objects.iter().map(|object| object.name.as_str()).chain(["frame"]);
    net.fresh.extend(names.map(|name| FreshClass { name: name.into() }));
    (first, FreshId(net.fresh.len() as u32 - 1))
}

/// Names that are given once: the next ones get numbers.
#[derive(Default)]
pub(crate) struct Names(HashMap<String, usize>);

impl Names {
    pub(crate) fn new_name(&mut self, name: String) -> String {
        let times = self.0.entry(name.clone()).or_default();
        *times += 1;
        match *times {
            1 => name,
            times => format!("{name} #{times}"),
        }
    }
}
