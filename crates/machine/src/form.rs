//! The canonical form of a heap: the core, and satellites.
//!
//! 1. *Live* is what the roots (the global variables, and the first thread while it runs, if it is the only one of its
//!    kind) and the threads that run reach through references, also those in bags. The rest is dropped.
//! 2. *Hubs* are found breadth-first from the roots through ordered fields, and named by the number of their discovery. A
//!    bag (a set or map of identities) does not name what is in it.
//! 3. *Satellites* are the other objects, in components under references among them, in both directions, and under
//!    membership in their own bags. Hubs do not connect.
//! 4. A named object is written as its class and its fields; of a bag the named elements, sorted. Elements of a named bag
//!    that are not named are written on their own side: each object lists the bags, named before, that contain it.
//! 5. A component is written from each candidate of a cell ([`refine`]): the candidate and what it reaches in order is a
//!    block; what remains falls into components relative to the larger set of names, which are written in the same way and
//!    sorted. The least string counts.
//!
//! So equal strings mean equal heaps up to renaming, since a heap can be read back from them ([`crate::satellite`]), and
//! renamed heaps have equal strings, since no choice depends on numbers: a colliding hash of the refinement only makes
//! cells larger, and all candidates of a cell are tried.
//!
//! Elements of bags that are more than a reference (pairs of maps, records) are objects of their own while a heap is
//! brought into canonical form: nothing refers to them, and they are members of their bag.

mod bytes;
mod flat;
mod refine;

pub(crate) use bytes::{Read, Reader, write_number};
pub(crate) use flat::{Flat, Misplaced, Token};

use bytes::Writer;

use crate::code::Code;
use crate::heap::{GLOBALS, Heap};
use crate::turn::MAIN;

/// The name of an object that has none.
const UNNAMED: u32 = u32::MAX;
/// The names of objects of satellites: they count within their component.
pub(crate) const LOCAL: u32 = 1 << 31;

/// A satellite.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Component {
    /// Its string.
    pub bytes: Vec<u8>,
    /// Its objects, in the order in which they are written.
    pub objects: Vec<u32>,
}

/// The canonical form of a heap.
#[derive(Debug, Default)]
pub(crate) struct Form {
    /// The strings of the hubs, one after the other, and where each ends.
    pub core: Vec<u8>,
    pub ends: Vec<u32>,
    /// The hubs, by their names.
    pub hubs: Vec<u32>,
    /// The satellites, in any order.
    pub satellites: Vec<Component>,
}

/// Brings heaps into canonical form.
#[derive(Debug)]
pub(crate) struct Canoniser<'c> {
    code: &'c Code,
    flat: Flat,
    /// By object.
    names: Vec<u32>,
    parents: Vec<u32>,
    /// The bags that contain an object.
    bags_of: Vec<Vec<u32>>,
}

impl<'c> Canoniser<'c> {
    pub(crate) fn new(code: &'c Code) -> Canoniser<'c> {
        let (names, parents, bags_of) = Default::default();
        Canoniser { code, flat: Flat::default(), names, parents, bags_of }
    }

    /// The heap as it was read last.
    pub(crate) fn flat(&self) -> &Flat {
        &self.flat
    }

    /// The canonical form of a heap. In a part of a state elements of the bags of hubs may be left out; it is an error if
    /// such a bag is anywhere but where it was.
    pub(crate) fn form(&mut self, heap: &Heap) -> Result<Form, Misplaced> {
        let is_main = |object| heap.class(object) == self.code.running_class(self.code.main());
        let has_main = self.code.is_main_single && heap.len() > MAIN && is_main(MAIN);
        let roots: &[u32] = if has_main { &[GLOBALS, MAIN] } else { &[GLOBALS] };
        self.flat.read(self.code, heap, roots)?;
        let count = self.flat.len();
        self.names.clear();
        self.names.resize(count, UNNAMED);
        self.parents.resize(count.max(self.parents.len()), 0);
        for bags in &mut self.bags_of {
            bags.clear();
        }
        self.bags_of.resize_with(count.max(self.bags_of.len()), Vec::new);
        for (number, bag) in self.flat.bags.iter().enumerate() {
            for member in self.flat.members(bag) {
                self.bags_of[*member as usize].push(number as u32);
            }
        }
        let mut form = Form::default();
        for root in roots {
            self.names[*root as usize] = form.hubs.len() as u32;
            form.hubs.push(*root);
        }
        let mut next = form.hubs.len() as u32;
        self.discover(0, &mut form.hubs, &mut next, 0);
        for hub in form.hubs.clone() {
            self.object(&mut form.core, hub);
            form.ends.push(form.core.len() as u32);
        }
        let live = self.flat.live().iter().copied();
        let rest: Vec<u32> =
            live.filter(|object| self.names[*object as usize] == UNNAMED).collect();
        for component in self.components(&rest) {
            form.satellites.push(self.component(&component, 0));
        }
        Ok(form)
    }

    /// Names what the objects of a list, from a place on, reach through ordered fields. They are added to it.
    fn discover(&mut self, from: usize, found: &mut Vec<u32>, next: &mut u32, flag: u32) {
        let mut at = from;
        while at < found.len() {
            for token in self.flat.tokens(found[at]) {
                if let Token::Reference(other) = token
                    && self.names[*other as usize] == UNNAMED
                {
                    self.names[*other as usize] = *next | flag;
                    *next += 1;
                    found.push(*other);
                }
            }
            at += 1;
        }
    }

    /// Writes a named object: all that it refers to in order is named.
    fn object(&self, to: &mut Vec<u8>, object: u32) {
        let mut writer = Writer(to);
        writer.number(u64::from(self.flat.class(object).0));
        writer.number(u64::from(self.flat.fields(object)));
        for token in self.flat.tokens(object) {
            match *token {
                Token::Nothing => writer.nothing(),
                Token::Number(number) => writer.integer(number),
                Token::Reference(other) => writer.name(self.names[other as usize]),
                Token::Composite(kind, length) => writer.composite(kind, length),
                Token::Bag(bag) => {
                    let bag = &self.flat.bags[bag as usize];
                    let named = self.flat.members(bag).iter().map(|one| self.names[*one as usize]);
                    let mut named: Vec<u32> = named.filter(|name| *name != UNNAMED).collect();
                    named.sort_unstable();
                    writer.composite(bag.kind, named.len() as u32);
                    named.into_iter().for_each(|name| writer.name(name));
                }
            }
        }
    }

    /// The components of objects that have no name.
    fn components(&mut self, objects: &[u32]) -> Vec<Vec<u32>> {
        if objects.len() <= 1 {
            return objects.iter().map(|object| vec![*object]).collect();
        }
        for object in objects {
            self.parents[*object as usize] = *object;
        }
        for object in objects {
            for number in 0..self.flat.tokens(*object).len() {
                match self.flat.tokens(*object)[number] {
                    Token::Reference(other) => self.join(*object, other),
                    Token::Bag(bag) => {
                        for at in 0..self.flat.members(&self.flat.bags[bag as usize]).len() {
                            let member = self.flat.members(&self.flat.bags[bag as usize])[at];
                            self.join(*object, member);
                        }
                    }
                    Token::Nothing | Token::Number(_) | Token::Composite(..) => {}
                }
            }
        }
        let mut found: Vec<Vec<u32>> = Vec::new();
        let mut numbers: Vec<(u32, usize)> = Vec::new();
        for object in objects {
            let root = self.root(*object);
            match numbers.iter().find(|(other, _)| *other == root) {
                Some((_, number)) => found[*number].push(*object),
                None => {
                    numbers.push((root, found.len()));
                    found.push(vec![*object]);
                }
            }
        }
        found
    }

    fn root(&mut self, object: u32) -> u32 {
        let mut at = object;
        while self.parents[at as usize] != at {
            let parent = self.parents[at as usize];
            self.parents[at as usize] = self.parents[parent as usize];
            at = parent;
        }
        at
    }

    fn join(&mut self, one: u32, other: u32) {
        if self.names[other as usize] == UNNAMED {
            let (one, other) = (self.root(one), self.root(other));
            self.parents[one as usize] = other;
        }
    }

    /// Writes a component of objects without names; names are given from a number on, and taken back.
    fn component(&mut self, objects: &[u32], base: u32) -> Component {
        let mut best: Option<Component> = None;
        for candidate in self.candidates(objects) {
            let (mut block, mut next) = (vec![candidate], base + 1);
            self.names[candidate as usize] = base | LOCAL;
            self.discover(0, &mut block, &mut next, LOCAL);
            let mut bytes = Vec::new();
            write_number(&mut bytes, block.len() as u64);
            for object in &block {
                self.object(&mut bytes, *object);
                self.memberships(&mut bytes, *object, base);
            }
            let others = objects.iter().copied();
            let others: Vec<u32> =
                others.filter(|object| self.names[*object as usize] == UNNAMED).collect();
            let mut inner: Vec<Component> = Vec::new();
            for component in self.components(&others) {
                inner.push(self.component(&component, next));
            }
            inner.sort();
            write_number(&mut bytes, inner.len() as u64);
            let mut order = block;
            for component in inner {
                bytes.extend(component.bytes);
                order.extend(component.objects);
            }
            for object in objects {
                self.names[*object as usize] = UNNAMED;
            }
            if best.as_ref().is_none_or(|best| bytes < best.bytes) {
                best = Some(Component { bytes, objects: order });
            }
        }
        best.expect("a component has candidates")
    }

    /// Writes the bags that contain an object, of those whose owners were named before its block.
    fn memberships(&self, to: &mut Vec<u8>, object: u32, base: u32) {
        let bags = self.bags_of[object as usize].iter().map(|bag| &self.flat.bags[*bag as usize]);
        let named = bags.map(|bag| (self.names[bag.owner as usize], bag.number));
        let is_before = |name: u32| name != UNNAMED && (name & LOCAL == 0 || name & !LOCAL < base);
        let mut named: Vec<(u32, u32)> = named.filter(|(name, _)| is_before(*name)).collect();
        named.sort_unstable();
        let mut writer = Writer(to);
        writer.number(named.len() as u64);
        for (name, number) in named {
            writer.name(name);
            writer.number(u64::from(number));
        }
    }
}
