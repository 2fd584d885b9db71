//! Heaps as they are drawn: threads and objects in a list, each with trees of values.

use crate::code::{ClassKind, Code, Point, PointKind, StopCode};
use crate::heap::{Class, Heap};
use crate::value::{Arena, Kind, Value};
use net::Origin;
use program::{ObjectId, ProcessId, RoutineId};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tree {
    Nothing,
    Number(i64),
    Reference(usize),
    Composite(Kind, Vec<Tree>),
}

impl Tree {
    fn of(arena: &Arena, value: Value) -> Tree {
        match value {
            Value::Nothing => Tree::Nothing,
            Value::Number(number) => Tree::Number(number),
            Value::Reference(object) => Tree::Reference(object as usize),
            Value::Composite(id) => {
                let parts = arena.parts(id).iter().map(|part| Tree::of(arena, *part));
                Tree::Composite(arena.composite(id).kind, parts.collect())
            }
        }
    }

    fn value(&self, arena: &mut Arena, places: &[usize]) -> Value {
        match self {
            Tree::Nothing => Value::Nothing,
            Tree::Number(number) => Value::Number(*number),
            Tree::Reference(object) => Value::Reference(places[*object] as u32),
            Tree::Composite(kind, parts) => {
                let parts: Vec<Value> =
                    parts.iter().map(|part| part.value(arena, places)).collect();
                match kind {
                    Kind::Set | Kind::Map | Kind::Bag | Kind::BagMap => {
                        arena.collect(*kind, &parts)
                    }
                    Kind::Sequence | Kind::Record | Kind::Case(_) | Kind::Present => {
                        arena.make(*kind, &parts)
                    }
                }
            }
        }
    }

    /// Calls `visit` with all references and numbers.
    pub fn leaves<'t>(&'t mut self, visit: &mut dyn FnMut(&'t mut Tree)) {
        match self {
            Tree::Composite(_, parts) => parts.iter_mut().for_each(|part| part.leaves(visit)),
            Tree::Nothing | Tree::Number(_) | Tree::Reference(_) => visit(self),
        }
    }
}

/// A heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub objects: Vec<(Class, Vec<Tree>)>,
}

impl Picture {
    pub fn of(heap: &Heap) -> Picture {
        let trees = |object| heap.fields(object).iter().map(|value| Tree::of(&heap.arena, *value));
        let objects = (0..heap.len()).map(|object| (heap.class(object), trees(object).collect()));
        Picture { objects: objects.collect() }
    }

    /// The heap in which each object has the place that is given.
    pub fn heap(&self, places: &[usize]) -> Heap {
        let mut heap = Heap::default();
        let mut order: Vec<usize> = (0..self.objects.len()).collect();
        order.sort_by_key(|object| places[*object]);
        for object in order {
            let (class, fields) = &self.objects[object];
            let fields: Vec<Value> =
                fields.iter().map(|field| field.value(&mut heap.arena, places)).collect();
            heap.add(*class, &fields);
        }
        heap
    }

    /// The same with bags in which equal elements are one.
    pub fn tidied(&self) -> Picture {
        let places: Vec<usize> = (0..self.objects.len()).collect();
        Picture::of(&self.heap(&places))
    }
}

/// The classes of the heaps that are tested.
pub const OBJECTS: u16 = 3;
pub const GLOBALS: Class = Class(0);
pub const MAIN: Class = Class(1 + OBJECTS);
pub const WORKER: Class = Class(2 + OBJECTS);
pub const ENDED_MAIN: Class = Class(3 + OBJECTS);
pub const ENDED_WORKER: Class = Class(4 + OBJECTS);

/// As many points there are at which threads may be.
pub const POINTS: i64 = 3;

/// Code of which only the classes count: three types of objects, two kinds of threads.
pub fn code(is_main_single: bool) -> Code {
    let stop = StopCode {
        arms: Box::default(),
        otherwise: None,
        killed: None,
        is_local: false,
        is_idle: false,
        is_forgotten: false,
        labels: Box::default(),
        standing: 0,
        gives: false,
        takes: false,
    };
    let point = Point {
        later: crate::later::Later::default(),
        routine: RoutineId::Process(ProcessId(0)),
        code: 0,
        origin: Origin::default(),
        kept: Box::default(),
        what: PointKind::Stop(stop),
    };
    let objects = (0..u32::from(OBJECTS)).map(|object| ClassKind::Object(ObjectId(object)));
    let kinds = || [0, 1].into_iter().map(ProcessId);
    let classes = [ClassKind::Globals].into_iter().chain(objects);
    let classes =
        classes.chain(kinds().map(ClassKind::Running)).chain(kinds().map(ClassKind::Ended));
    let mut code = Code::default();
    code.points = vec![point; POINTS as usize];
    code.processes = vec![None; 2];
    code.classes = classes.chain([ClassKind::Element]).collect();
    code.atomic_fields = vec![Vec::new(); usize::from(OBJECTS)];
    code.main = Some(ProcessId(0));
    code.is_main_single = is_main_single;
    code
}
