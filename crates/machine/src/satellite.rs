//! Cores and satellites as they are read back from their strings, and put together to heaps.

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::code::{Code, PointId};
use crate::form::{LOCAL, Read, Reader};
use crate::heap::{Class, Heap};
use crate::mistake::{Mistake, planted};
use crate::value::{Arena, BagPlace, Value};

/// The hubs of a state, as a heap in which elements of bags are left out.
#[derive(Debug, Default)]
pub(crate) struct Core {
    pub heap: Heap,
    /// The bags of hubs: where they are, and the composite value.
    pub bags: Vec<(BagPlace, u32)>,
    /// The hubs that are threads that run.
    pub threads: Vec<u32>,
}

/// What becomes of the hubs in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct HubMap {
    /// Their new names; [`LOST`](HubMap::LOST) for those that are hubs no longer. All keep theirs if it is empty.
    pub names: Vec<u32>,
    /// The bags of hubs, by their old names, that have lost what was in them.
    pub cleared: Vec<BagPlace>,
}

impl HubMap {
    /// The name of those that are hubs no longer.
    pub(crate) const LOST: u32 = u32::MAX;

    /// The new name of a hub.
    pub(crate) fn hub(&self, hub: u32) -> u32 {
        self.names.get(hub as usize).copied().unwrap_or(hub)
    }

    pub(crate) fn is_identity(&self) -> bool {
        self.cleared.is_empty() && { self.names.iter() }.zip(0..).all(|(name, hub)| *name == hub)
    }

    /// Whether a satellite mentions a hub that is one no longer.
    pub(crate) fn loses(&self, satellite: &Satellite) -> bool {
        satellite.hubs.iter().any(|hub| self.hub(*hub) == HubMap::LOST)
    }
}

/// A satellite. Objects of its own are known by their positions in the order in which they are written.
#[derive(Debug, Default)]
pub(crate) struct Satellite {
    objects: Vec<Object>,
    values: Vec<Read>,
    /// The members of its own bags, as they are added: the owner, the number of the bag, the member, by its name.
    own_members: Vec<(u32, u32, u32)>,
    /// Its members of bags of hubs: the bag, and the member.
    pub members: Vec<(BagPlace, u32)>,
    /// Of each object the first one that is interchangeable with it.
    pub first_alike: Vec<u32>,
    /// The threads that run, and those among them that are the first of their kind.
    pub threads: Vec<u32>,
    pub first_threads: Vec<u32>,
    /// Of the latter, who may wait for ever where it is.
    pub idle: Vec<bool>,
    /// The hubs that are mentioned, sorted.
    pub hubs: Vec<u32>,
    /// Whether one of its threads may be met: as the first, as the second.
    pub gives: bool,
    pub takes: bool,
    /// Whether one of them asks for data that is not kept.
    pub is_forgotten: bool,
    /// Its place among others, which depends on nothing but its string.
    pub rank: u64,
}

#[derive(Debug)]
struct Object {
    class: Class,
    fields: u32,
    values: Range<u32>,
}

/// Builds the values of fields.
struct Builder<'b> {
    arena: &'b mut Arena,
    /// The object whose fields are built, and the bags that it has so far.
    owner: u32,
    bags: Vec<u32>,
}

impl Builder<'_> {
    /// Builds a value that begins at a place among those that were read.
    fn value(&mut self, values: &[Read], at: &mut usize, name: &dyn Fn(u32) -> Value) -> Value {
        let read = values[*at];
        *at += 1;
        match read {
            Read::Nothing => Value::Nothing,
            Read::Integer(number) => Value::Number(number),
            Read::Name(one) => name(one),
            Read::Composite(kind, _) if kind.is_bag() => {
                // Its members are added when all objects are there.
                let made = self.arena.make(kind, &[]);
                if let Value::Composite(id) = made {
                    self.bags.push(id);
                }
                made
            }
            Read::Composite(kind, length) => {
                let parts = (0..length).map(|_| self.value(values, at, name));
                let parts: Vec<Value> = parts.collect();
                self.arena.make(kind, &parts)
            }
        }
    }
}

/// Reads a value and all that belongs to it. Names of members of bags are set apart.
fn read_value(
    reader: &mut Reader,
    values: &mut Vec<Read>,
    bags: &mut u32,
    name: &dyn Fn(u32) -> u32,
    member: &mut dyn FnMut(u32, u32),
) {
    let read = match reader.read() {
        Read::Name(one) => Read::Name(name(one)),
        other => other,
    };
    values.push(read);
    if let Read::Composite(kind, length) = read {
        if kind.is_bag() {
            for _ in 0..length {
                let Read::Name(one) = reader.read() else { unreachable!("members have names") };
                member(*bags, name(one));
            }
            *bags += 1;
            return;
        }
        for _ in 0..length {
            read_value(reader, values, bags, name, member);
        }
    }
}

impl Core {
    /// Reads a core: the strings of its hubs.
    pub(crate) fn read<'b>(code: &Code, hubs: impl Iterator<Item = &'b [u8]>) -> Core {
        let mut core = Core::default();
        let mut members: Vec<(BagPlace, u32)> = Vec::new();
        let mut values = Vec::new();
        for bytes in hubs {
            let mut reader = Reader::new(bytes);
            let object = core.heap.len();
            let class = Class(reader.number() as u16);
            let fields = reader.number();
            let mut bags = 0;
            values.clear();
            for _ in 0..fields {
                let mut member = |number, one| members.push((BagPlace { object, number }, one));
                read_value(&mut reader, &mut values, &mut bags, &|one| one, &mut member);
            }
            let mut builder =
                Builder { arena: &mut core.heap.arena, owner: object, bags: Vec::new() };
            let (mut at, mut row) = (0, Vec::new());
            for _ in 0..fields {
                row.push(builder.value(&values, &mut at, &Value::Reference));
            }
            let Builder { bags, owner, .. } = builder;
            for (number, id) in (0..).zip(bags) {
                let place = BagPlace { object: owner, number };
                core.heap.arena.open(id, place);
                core.bags.push((place, id));
            }
            core.heap.add(class, &row);
            if code.is_running(class) {
                core.threads.push(object);
            }
        }
        for (place, one) in members {
            let id = core.bag(place);
            core.heap.arena.add(id, &[Value::Reference(one)]);
        }
        core
    }

    /// The composite value that is a bag.
    pub(crate) fn bag(&self, place: BagPlace) -> u32 {
        let at = self.bags.binary_search_by_key(&place, |(place, _)| *place);
        self.bags[at.expect("there is such a bag")].1
    }

    /// All elements of its bags are there.
    pub(crate) fn close(&self, heap: &mut Heap) {
        self.bags.iter().for_each(|(_, id)| heap.arena.close(*id));
    }
}

impl Satellite {
    /// The place among others of a satellite that has this string.
    pub(crate) fn rank_of(bytes: &[u8]) -> u64 {
        explore::hash_of(bytes)
    }

    /// Reads a satellite.
    pub(crate) fn read(code: &Code, bytes: &[u8]) -> Satellite {
        let mut satellite = Satellite::default();
        let mut reader = Reader::new(bytes);
        satellite.component(&mut reader, bytes, &mut Vec::new());
        debug_assert!(reader.is_at_end());
        if !planted(Mistake::UnsortedMembers) {
            satellite.sort_members(code);
        }
        for (position, object) in (0..).zip(&satellite.objects) {
            if code.is_running(object.class) {
                satellite.threads.push(position);
                let stop = code.stop(satellite.point(position));
                satellite.gives |= stop.gives;
                satellite.takes |= stop.takes;
                satellite.is_forgotten |= stop.is_forgotten;
                if satellite.first_alike[position as usize] == position {
                    satellite.first_threads.push(position);
                    satellite.idle.push(stop.is_idle);
                }
            }
        }
        let values = satellite.values.iter().filter_map(|value| match value {
            Read::Name(name) if name & LOCAL == 0 => Some(*name),
            _ => None,
        });
        let owners = satellite.members.iter().map(|(place, _)| place.object);
        let mentioned = satellite.own_members.iter().map(|(.., member)| *member);
        let mentioned = mentioned.filter(|member| member & LOCAL == 0);
        let mut hubs: Vec<u32> = values.chain(owners).chain(mentioned).collect();
        hubs.sort_unstable();
        hubs.dedup();
        satellite.hubs = hubs;
        satellite.rank = Satellite::rank_of(bytes);
        satellite
    }

    /// Reads a component. Its names are the positions of the objects in which it is.
    fn component(&mut self, reader: &mut Reader, bytes: &[u8], names: &mut Vec<u32>) {
        let outer = names.len();
        let count = reader.number() as u32;
        let first = self.objects.len() as u32;
        names.extend(first..first + count);
        for position in first..first + count {
            self.object(reader, position, names);
        }
        // Equal components that follow each other are interchangeable.
        let mut before: Option<(Range<usize>, u32)> = None;
        for _ in 0..reader.number() {
            let (start, at) = (reader.at, self.objects.len() as u32);
            self.component(reader, bytes, names);
            let string = start..reader.at;
            if let Some((other, first)) = &before
                && (bytes[other.clone()] == bytes[string.clone()]
                    || planted(Mistake::AlikeByLength) && other.len() == string.len())
                && !planted(Mistake::NothingAlike)
            {
                for offset in 0..self.objects.len() as u32 - at {
                    let alike = self.first_alike[(first + offset) as usize];
                    self.first_alike[(at + offset) as usize] = alike;
                }
            }
            before = Some((string, at));
        }
        names.truncate(outer);
    }

    fn object(&mut self, reader: &mut Reader, position: u32, names: &[u32]) {
        let name = |one: u32| match one & LOCAL {
            0 => one,
            _ => names[(one & !LOCAL) as usize] | LOCAL,
        };
        let class = Class(reader.number() as u16);
        let fields = reader.number() as u32;
        let start = self.values.len() as u32;
        let mut bags = 0;
        for _ in 0..fields {
            let own_members = &mut self.own_members;
            let mut member = |number, one| own_members.push((position, number, one));
            read_value(reader, &mut self.values, &mut bags, &name, &mut member);
        }
        let values = start..self.values.len() as u32;
        self.objects.push(Object { class, fields, values });
        self.first_alike.push(position);
        for _ in 0..reader.number() {
            let Read::Name(owner) = reader.read() else { unreachable!("owners have names") };
            let number = reader.number() as u32;
            match owner & LOCAL {
                0 => self.members.push((BagPlace { object: owner, number }, position)),
                _ => {
                    let owner = name(owner) & !LOCAL;
                    self.own_members.push((owner, number, position | LOCAL));
                }
            }
        }
    }

    /// Sorts the members of its own bags: what is in an element of a bag comes before the element.
    fn sort_members(&mut self, code: &Code) {
        let is_element = |one: u32| {
            let object = self.objects.get((one & !LOCAL) as usize);
            one & LOCAL != 0 && object.is_some_and(|object| object.class == code.element_class())
        };
        let elements = self.own_members.iter().filter(|(.., member)| is_element(*member));
        let holders: FxHashMap<u32, u32> =
            elements.map(|(owner, _, element)| (element & !LOCAL, *owner)).collect();
        let depth = |owner: u32| {
            std::iter::successors(holders.get(&owner), |holder| holders.get(*holder)).count()
        };
        self.own_members.sort_by_key(|(owner, ..)| Reverse(depth(*owner)));
    }

    /// Where one of its threads is.
    pub(crate) fn point(&self, thread: u32) -> PointId {
        let object = &self.objects[thread as usize];
        let Read::Integer(point) = self.values[object.values.start as usize] else {
            unreachable!("a thread is at a point")
        };
        PointId(point as u32)
    }

    /// Adds it to a heap that has the core, and says where its first object is.
    pub(crate) fn build(&self, code: &Code, core: &Core, heap: &mut Heap) -> u32 {
        self.build_renamed(code, core, heap, &HubMap::default())
    }

    /// The same, where hubs have other names.
    pub(crate) fn build_renamed(
        &self,
        code: &Code,
        core: &Core,
        heap: &mut Heap,
        map: &HubMap,
    ) -> u32 {
        let first = heap.len();
        let object = |one: u32| match one & LOCAL {
            0 => map.hub(one),
            _ => first + (one & !LOCAL),
        };
        let name = |one: u32| Value::Reference(object(one));
        let mut bags: Vec<Vec<u32>> = Vec::new();
        for (position, object) in (0..).zip(&self.objects) {
            let values = &self.values[object.values.start as usize..object.values.end as usize];
            let mut builder =
                Builder { arena: &mut heap.arena, owner: first + position, bags: Vec::new() };
            let mut at = 0;
            let row = (0..object.fields).map(|_| builder.value(values, &mut at, &name));
            let row: Vec<Value> = row.collect();
            bags.push(builder.bags);
            heap.add(object.class, &row);
        }
        for (owner, number, member) in &self.own_members {
            let id = bags[*owner as usize][*number as usize];
            Satellite::add(code, heap, id, object(*member));
        }
        for (place, member) in &self.members {
            if !map.cleared.contains(place) {
                let place = BagPlace { object: map.hub(place.object), ..*place };
                Satellite::add(code, heap, core.bag(place), first + member);
            }
        }
        first
    }

    /// Adds a member to a bag: a reference to it, or what is in it.
    fn add(code: &Code, heap: &mut Heap, bag: u32, member: u32) {
        match heap.class(member) == code.element_class() {
            false => heap.arena.add(bag, &[Value::Reference(member)]),
            true => {
                let element = heap.fields(member).to_vec();
                heap.arena.add(bag, &element);
            }
        }
    }
}
