//! Canonical markings as bytes, and back.
//!
//! ```text
//! number of free subclasses, their sizes                 | the sizes
//! number of automorphisms (0: does not fit)              | the shape
//! for each static subclass of two or more elements:      |
//!     number of dynamic subclasses,                      |
//!     the size of each (0: free)                         |
//! a bit for each place, fixed ones aside: if it is marked |
//! for each such place:                                   |
//!     twice the number of entries, plus 1 if all counts are 1
//!     the entries in order: their components, packed     |
//!     unless all counts are 1, the counts                |
//! ```
//!
//! The components of an entry take as many bits as their class and the number of its dynamic
//! subclasses call for, and together whole bytes; if that is more than four, each its own. Places
//! without components have a count only. Numbers are [`varint`]s.

mod count;

use explore::varint;

use crate::explicit::marking::Marking;
use crate::explicit::order::Order;
use crate::explicit::rules::{Column, Kind, Place, Rules};
use crate::word::{dynamic, nth, word};

/// Writes markings in canonical order, and reads them.
#[derive(Debug, Default)]
pub(crate) struct Packer {
    /// By class, the position of its first dynamic subclass, and the bits for one of them.
    first: Vec<u32>,
    bits: Vec<u32>,
    keys: Vec<u64>,
    tuples: Vec<u32>,
    order: Vec<u32>,
}

/// What a marking has in common with the one it was fired from.
pub(crate) struct Unchanged<'a> {
    /// The bytes of that one.
    pub(crate) state: &'a [u8],
    /// What was read from them.
    pub(crate) read: &'a Read,
    /// The places over plain classes that are different, by their index among moving places.
    pub(crate) changes: &'a [u32],
}

/// A marking that was read.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The places over plain classes that are marked, by their index among moving places, and where in
    /// the bytes each of them begins.
    marked: Vec<(u32, u32)>,
    /// Where in the bytes the bits of places begin, and where places over plain classes end.
    bitmap: u32,
    plain_end: u32,
    /// The marking, its dynamic subclasses in canonical order.
    pub(crate) marking: Marking,
    /// The dynamic subclasses that are free, ascending.
    pub(crate) free: Vec<u32>,
    /// The number of automorphisms; 0 if it does not fit.
    pub(crate) automorphisms: u64,
}

/// The number of bits that hold the numbers below `count`.
#[inline]
fn bits_below(count: u32) -> u32 {
    u32::BITS - count.saturating_sub(1).leading_zeros()
}

/// Cuts a marking into sizes and shape.
pub(crate) fn parts<'b>(bytes: &'b [u8], sizes: &mut Vec<u32>) -> &'b [u8] {
    let mut rest = bytes;
    sizes.clear();
    for _ in 0..varint::read(&mut rest) {
        sizes.push(varint::read(&mut rest) as u32);
    }
    rest
}

impl Packer {
    /// Finds where the dynamic subclasses of each class begin, given the static subclasses of all
    /// in canonical order.
    fn lay_out(&mut self, rules: &Rules, subclasses: impl Iterator<Item = u32>) {
        self.first.clear();
        self.first.resize(rules.classes.len() + 1, 0);
        for subclass in subclasses {
            self.first[rules.subclasses[subclass as usize].class as usize + 1] += 1;
        }
        self.add_up(rules);
    }

    /// Makes of the number of dynamic subclasses of each class, which is where the next begins, where
    /// each begins.
    fn add_up(&mut self, rules: &Rules) {
        self.bits.clear();
        for class in 0..rules.classes.len() {
            self.bits.push(bits_below(self.first[class + 1]));
            self.first[class + 1] += self.first[class];
        }
    }

    /// The bits of a component.
    #[inline(always)]
    fn bits_of(&self, column: &Column) -> u32 {
        match column.kind {
            Kind::Symmetric => self.bits[column.class as usize] + bits_below(column.rank),
            _ => bits_below(column.size),
        }
    }

    /// The bits of the components of a place in all.
    #[inline]
    fn width(&self, place: &Place) -> u32 {
        place.columns.iter().map(|column| self.bits_of(column)).sum()
    }

    /// The code of a component in canonical order.
    #[inline(always)]
    fn code(&self, value: u32, column: &Column, order: &Order) -> u32 {
        if column.kind == Kind::Symmetric {
            let position = order.position[dynamic(value) as usize];
            let at = position - self.first[column.class as usize];
            at << bits_below(column.rank) | nth(value)
        } else {
            turned(value, order.rotation[column.class as usize], column.size)
        }
    }

    /// The component with this code.
    #[inline(always)]
    fn value(&self, code: u32, column: &Column) -> u32 {
        if column.kind == Kind::Symmetric {
            let bits = bits_below(column.rank);
            let at = self.first[column.class as usize] + (code >> bits);
            word(at, code & ((1 << bits) - 1))
        } else {
            code
        }
    }

    /// Appends the sizes of a marking and then its shape to `bytes`.
    pub(crate) fn write(
        &mut self,
        rules: &Rules,
        marking: &Marking,
        order: &Order,
        unchanged: Option<Unchanged>,
        bytes: &mut Vec<u8>,
    ) {
        let free = order.order.iter().zip(&order.free).filter(|(_, free)| **free);
        varint::push(free.clone().count() as u64, bytes);
        for (&z, _) in free {
            varint::push(u64::from(marking.sizes[z as usize]), bytes);
        }
        varint::push(order.automorphisms, bytes);
        let subclass = |z: u32| marking.subclasses[z as usize];
        let mut at = 0;
        for (id, info) in rules.subclasses.iter().enumerate() {
            let here = order.order[at..].iter().take_while(|&&z| subclass(z) == id as u32).count();
            if info.size > 1 {
                varint::push(here as u64, bytes);
                for i in at..at + here {
                    let size = marking.sizes[order.order[i] as usize];
                    varint::push(if order.free[i] { 0 } else { u64::from(size) }, bytes);
                }
            }
            at += here;
        }
        self.lay_out(rules, order.order.iter().map(|&z| subclass(z)));
        let bitmap = bytes.len();
        bytes.resize(bitmap + rules.moving.len().div_ceil(8), 0);
        let mut written = 0;
        if let Some(unchanged) = unchanged {
            self.write_plain(rules, marking, order, &unchanged, bitmap, bytes);
            written = rules.plain;
        }
        for (i, &id) in (written..).zip(&rules.moving[written..]) {
            if !marking.is_empty(id) {
                bytes[bitmap + i / 8] |= 1 << (i % 8);
                self.write_place(marking, order, id, &rules.places[id as usize], bytes);
            }
        }
    }

    /// Writes the places over plain classes: what has not changed is copied.
    fn write_plain(
        &mut self,
        rules: &Rules,
        marking: &Marking,
        order: &Order,
        unchanged: &Unchanged,
        bitmap: usize,
        bytes: &mut Vec<u8>,
    ) {
        let Unchanged { state, read, changes } = *unchanged;
        let whole = rules.plain / 8;
        let bits = &state[read.bitmap as usize..];
        bytes[bitmap..bitmap + whole].copy_from_slice(&bits[..whole]);
        if !rules.plain.is_multiple_of(8) {
            // Bits of other places are not copied.
            bytes[bitmap + whole] = bits[whole] & ((1 << (rules.plain % 8)) - 1);
        }
        let mut copied = read.bitmap as usize + rules.moving.len().div_ceil(8);
        for &i in changes {
            let at = read.marked.partition_point(|&(other, _)| other < i);
            let begin = |at: usize| read.marked.get(at).map_or(read.plain_end, |&(_, begin)| begin);
            let was_marked = read.marked.get(at).is_some_and(|&(other, _)| other == i);
            bytes.extend_from_slice(&state[copied..begin(at) as usize]);
            copied = begin(at + usize::from(was_marked)) as usize;
            let id = rules.moving[i as usize];
            let bit = 1 << (i % 8);
            if marking.is_empty(id) {
                bytes[bitmap + i as usize / 8] &= !bit;
            } else {
                bytes[bitmap + i as usize / 8] |= bit;
                self.write_place(marking, order, id, &rules.places[id as usize], bytes);
            }
        }
        bytes.extend_from_slice(&state[copied..read.plain_end as usize]);
    }

    fn write_place(
        &mut self,
        marking: &Marking,
        order: &Order,
        id: u32,
        place: &Place,
        bytes: &mut Vec<u8>,
    ) {
        if place.columns.is_empty() {
            return varint::push(u64::from(marking.words[marking.range(id).start]), bytes);
        }
        let width = self.width(place);
        if width > 32 {
            return self.write_wide(marking, order, id, place, bytes);
        }
        self.keys.clear();
        let mut all_one = true;
        for entry in marking.entries(id, place.stride()) {
            let mut key = 0;
            for (&value, column) in entry[1..].iter().zip(&place.columns) {
                key = key << self.bits_of(column) | u64::from(self.code(value, column, order));
            }
            all_one &= entry[0] == 1;
            self.keys.push(key << 32 | u64::from(entry[0]));
        }
        self.keys.sort_unstable();
        varint::push((self.keys.len() as u64) << 1 | u64::from(all_one), bytes);
        let length = width.div_ceil(8) as usize;
        for key in &self.keys {
            // A copy of fixed length is faster, also if some of it is dropped.
            let end = bytes.len() + length;
            bytes.extend_from_slice(&((key >> 32) as u32).to_le_bytes());
            bytes.truncate(end);
        }
        if !all_one {
            self.keys.iter().for_each(|key| varint::push(key & u64::from(u32::MAX), bytes));
        }
    }

    /// Writes components one by one.
    fn write_wide(
        &mut self,
        marking: &Marking,
        order: &Order,
        id: u32,
        place: &Place,
        bytes: &mut Vec<u8>,
    ) {
        let stride = place.stride();
        self.tuples.clear();
        for entry in marking.entries(id, stride) {
            for (&value, column) in entry[1..].iter().zip(&place.columns) {
                self.tuples.push(self.code(value, column, order));
            }
            self.tuples.push(entry[0]);
        }
        let tuple = |i: u32| &self.tuples[i as usize * stride..(i as usize + 1) * stride];
        self.order.clear();
        self.order.extend(0..(self.tuples.len() / stride) as u32);
        self.order.sort_unstable_by(|&a, &b| tuple(a).cmp(tuple(b)));
        let all_one = self.order.iter().all(|&i| tuple(i)[stride - 1] == 1);
        varint::push((self.order.len() as u64) << 1 | u64::from(all_one), bytes);
        for &i in &self.order {
            tuple(i)[..stride - 1].iter().for_each(|&code| varint::push(code.into(), bytes));
        }
        if !all_one {
            self.order.iter().for_each(|&i| varint::push(u64::from(tuple(i)[stride - 1]), bytes));
        }
    }

    /// Reads a marking.
    pub(crate) fn read(&mut self, rules: &Rules, mut bytes: &[u8], read: &mut Read) {
        let Read { marked, bitmap: bitmap_at, plain_end, marking, .. } = read;
        let (free_subclasses, automorphisms) = (&mut read.free, &mut read.automorphisms);
        let all = bytes.len();
        marked.clear();
        marking.clear();
        free_subclasses.clear();
        // Sizes are taken from here where they belong.
        let free = varint::read(&mut bytes);
        let mut sizes = bytes;
        (0..free).for_each(|_| {
            varint::read(&mut bytes);
        });
        let rest = &mut bytes;
        *automorphisms = varint::read(rest);
        for (id, info) in rules.subclasses.iter().enumerate() {
            let here = if info.size > 1 { varint::read(rest) } else { u64::from(info.size) };
            for _ in 0..here {
                let mut size = if info.size > 1 { varint::read(rest) } else { 1 };
                if size == 0 {
                    free_subclasses.push(marking.sizes.len() as u32);
                    size = varint::read(&mut sizes);
                }
                marking.subclasses.push(id as u32);
                marking.sizes.push(size as u32);
            }
        }
        self.lay_out(rules, marking.subclasses.iter().copied());
        *bitmap_at = (all - rest.len()) as u32;
        let (bitmap, places) = rest.split_at(rules.moving.len().div_ceil(8));
        *rest = places;
        marking.ranges.resize(rules.places.len(), (0, 0));
        for i in marked_below(bitmap, rules.plain) {
            marked.push((i as u32, (all - rest.len()) as u32));
            let id = rules.moving[i] as usize;
            let from = marking.words.len() as u32;
            self.read_place(&rules.places[id], rest, &mut marking.words);
            marking.ranges[id] = (from, marking.words.len() as u32);
        }
        *plain_end = (all - rest.len()) as u32;
        for (i, &id) in (rules.plain..).zip(&rules.moving[rules.plain..]) {
            let from = marking.words.len() as u32;
            if bitmap[i / 8] >> (i % 8) & 1 == 1 {
                self.read_place(&rules.places[id as usize], rest, &mut marking.words);
            }
            marking.ranges[id as usize] = (from, marking.words.len() as u32);
        }
    }

    fn read_place(&self, place: &Place, bytes: &mut &[u8], words: &mut Vec<u32>) {
        if place.columns.is_empty() {
            return words.push(varint::read(bytes) as u32);
        }
        let width = self.width(place);
        let header = varint::read(bytes);
        let (entries, all_one) = (header >> 1, header & 1 == 1);
        let from = words.len();
        let length = width.div_ceil(8) as usize;
        for _ in 0..entries {
            words.push(1);
            if width > 32 {
                for column in &place.columns {
                    words.push(self.value(varint::read(bytes) as u32, column));
                }
                continue;
            }
            let (key, rest) = bytes.split_at(length);
            *bytes = rest;
            let key = key.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte));
            let mut left = width;
            for column in &place.columns {
                let bits = self.bits_of(column);
                left -= bits;
                let code = key >> left & ((1 << bits) - 1);
                words.push(self.value(code as u32, column));
            }
        }
        if !all_one {
            for count in words[from..].chunks_exact_mut(place.stride()) {
                count[0] = varint::read(bytes) as u32;
            }
        }
    }
}

/// The numbers below `end` whose bits are set, ascending.
fn marked_below(bitmap: &[u8], end: usize) -> impl Iterator<Item = usize> {
    let bytes = bitmap.iter().take(end.div_ceil(8)).enumerate();
    bytes.flat_map(move |(at, &byte)| {
        let last = end - at * 8;
        let mut left = if last < 8 { byte & ((1 << last) - 1) } else { byte };
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(at * 8 + bit)
        })
    })
}

/// An element after a rotation that makes `first` the first.
#[inline]
fn turned(element: u32, first: u32, size: u32) -> u32 {
    if element >= first { element - first } else { element + size - first }
}
