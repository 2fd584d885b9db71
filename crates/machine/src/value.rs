//! Values as they are computed with: numbers, references, and composite values in an arena.
//!
//! Truth values are numbers, and so are members of classes, unless some are alike: those are identities. An optional
//! value is the value itself or nothing; only where what is optional is optional itself it is wrapped. Composite values
//! never change: an operation makes a new one in the arena, which is thrown away with the heap that it belongs to.

mod flat;

use std::cmp::Ordering;
use std::ops::Range;

pub(crate) use flat::Flat;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, where there might be something.
    Nothing,
    /// A number, a truth value or a member that is like no other.
    Number(i64),
    /// A thread, an object or a member, by its index in the heap.
    Reference(u32),
    /// A composite value, by its index in the arena.
    Composite(u32),
}

impl Value {
    /// A truth value.
    #[inline]
    pub(crate) fn truth(truth: bool) -> Value {
        Value::Number(i64::from(truth))
    }

    /// The number that it is.
    #[inline]
    pub(crate) fn number(self) -> i64 {
        match self {
            Value::Number(number) => number,
            other => panic!("{other:?} is no number"),
        }
    }

    /// The truth value that it is.
    #[inline]
    pub(crate) fn is_true(self) -> bool {
        self.number() != 0
    }
}

/// What a composite value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Values in a row.
    Sequence,
    /// Different values, sorted, none of which mentions an identity.
    Set,
    /// Keys and values in turn, sorted by the keys, which mention no identity.
    Map,
    /// Different values that may mention identities: they have no order that can be observed.
    Bag,
    /// Keys and values in turn, where keys may mention identities.
    BagMap,
    /// The components of a record.
    Record,
    /// The components of a case of a variant.
    Case(u32),
    /// A value that is there, where it may be nothing itself.
    Present,
}

impl Kind {
    /// Whether elements have no order that can be observed.
    #[inline]
    pub(crate) fn is_bag(self) -> bool {
        matches!(self, Kind::Bag | Kind::BagMap)
    }

    /// How many values each element is: a key and a value in maps.
    #[inline]
    pub(crate) fn width(self) -> usize {
        match self {
            Kind::Map | Kind::BagMap => 2,
            Kind::Sequence
            | Kind::Set
            | Kind::Bag
            | Kind::Record
            | Kind::Case(_)
            | Kind::Present => 1,
        }
    }
}

/// The bag of an object, of which some elements are left out: those in parts of the state that are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BagPlace {
    /// The object in whose fields the bag is.
    pub object: u32,
    /// Which of the bags in its fields it is.
    pub number: u32,
}

/// A composite value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Composite {
    pub kind: Kind,
    start: u32,
    length: u32,
    /// Where the elements that are left out belong to, if some may be.
    pub open: Option<BagPlace>,
}

/// Composite values.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    composites: Vec<Composite>,
    values: Vec<Value>,
}

impl Arena {
    #[inline]
    pub(crate) fn composite(&self, id: u32) -> &Composite {
        &self.composites[id as usize]
    }

    /// From now on some elements of a bag may be left out.
    pub(crate) fn open(&mut self, id: u32, place: BagPlace) {
        self.composites[id as usize].open = Some(place);
    }

    /// From now on all elements of a bag are there.
    pub(crate) fn close(&mut self, id: u32) {
        self.composites[id as usize].open = None;
    }

    /// Adds an element to a set or map, wherever that is part of.
    pub(crate) fn add(&mut self, id: u32, element: &[Value]) {
        let (Ok(at) | Err(at)) = self.find(id, element[0]);
        let Value::Composite(made) = self.splice(id, at..at, element) else {
            unreachable!("it is one")
        };
        let Composite { start, length, .. } = self.composites[made as usize];
        let composite = &mut self.composites[id as usize];
        (composite.start, composite.length) = (start, length);
    }

    fn range(&self, id: u32) -> Range<usize> {
        let Composite { start, length, .. } = *self.composite(id);
        start as usize..(start + length) as usize
    }

    /// What a composite value consists of.
    #[inline]
    pub(crate) fn parts(&self, id: u32) -> &[Value] {
        &self.values[self.range(id)]
    }

    /// Makes a composite value of these; those of sets and maps are sorted already.
    pub(crate) fn make(&mut self, kind: Kind, parts: &[Value]) -> Value {
        let start = self.values.len() as u32;
        self.values.extend_from_slice(parts);
        self.push(kind, start)
    }

    /// Makes a composite value of what follows a place in the values.
    fn push(&mut self, kind: Kind, start: u32) -> Value {
        let length = self.values.len() as u32 - start;
        self.composites.push(Composite { kind, start, length, open: None });
        Value::Composite(self.composites.len() as u32 - 1)
    }

    /// A copy of a composite value in which some parts stand in the place of others.
    pub(crate) fn splice(&mut self, id: u32, at: Range<usize>, by: &[Value]) -> Value {
        let (range, start) = (self.range(id), self.values.len() as u32);
        self.values.extend_from_within(range.start..range.start + at.start);
        self.values.extend_from_slice(by);
        self.values.extend_from_within(range.start + at.end..range.end);
        let Composite { kind, open, .. } = *self.composite(id);
        let made = self.push(kind, start);
        if let (Some(place), Value::Composite(id)) = (open, made) {
            self.open(id, place);
        }
        made
    }

    /// A set or map of elements that are given in any order; of equal keys the last counts.
    pub(crate) fn collect(&mut self, kind: Kind, parts: &[Value]) -> Value {
        let mut made = self.make(kind, &[]);
        for element in parts.chunks_exact(kind.width()) {
            let Value::Composite(id) = made else { unreachable!("it is one") };
            made = match self.find(id, element[0]) {
                Ok(at) => self.splice(id, at..at + element.len(), element),
                Err(at) => self.splice(id, at..at, element),
            };
        }
        made
    }

    /// Where an element or a key of a set or map is, or where it would be.
    pub(crate) fn find(&self, id: u32, key: Value) -> Result<usize, usize> {
        let (parts, width) = (self.parts(id), self.composite(id).kind.width());
        let (mut low, mut high) = (0, parts.len() / width);
        while low < high {
            let middle = (low + high) / 2;
            match self.compare(parts[middle * width], key) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(middle * width),
                Ordering::Greater => high = middle,
            }
        }
        Err(low * width)
    }

    /// The order of values within a heap: total, and equal only for the same content. References are in the order of the
    /// heap, which means nothing.
    pub(crate) fn compare(&self, a: Value, b: Value) -> Ordering {
        let rank = |value: Value| match value {
            Value::Nothing => 0,
            Value::Number(_) => 1,
            Value::Reference(_) => 2,
            Value::Composite(_) => 3,
        };
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => a.cmp(&b),
            (Value::Reference(a), Value::Reference(b)) => a.cmp(&b),
            (Value::Composite(a), Value::Composite(b)) if a == b => Ordering::Equal,
            (Value::Composite(a), Value::Composite(b)) => {
                let kinds = self.composite(a).kind.cmp(&self.composite(b).kind);
                let (a, b) = (self.parts(a), self.parts(b));
                let mut parts = a.iter().zip(b).map(|(a, b)| self.compare(*a, *b));
                kinds
                    .then_with(|| a.len().cmp(&b.len()))
                    .then_with(|| parts.find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
            }
            (a, b) => rank(a).cmp(&rank(b)),
        }
    }

    /// Whether elements of a bag in a value may be left out.
    pub(crate) fn is_open(&self, value: Value) -> bool {
        match value {
            Value::Composite(id) => {
                self.composite(id).open.is_some()
                    || self.parts(id).iter().any(|part| self.is_open(*part))
            }
            Value::Nothing | Value::Number(_) | Value::Reference(_) => false,
        }
    }
}
