//! Working states: what firing works on, and what canonical bytes decode to.
//!
//! Pids are named by their index in the [`Kinship`] table, members of classes and data by numbers. A
//! place holds *entries*:
//! a multiplicity followed by one word for each column, no two entries with the same columns; where a place
//! has groups, entries are in normal form (see [`Group`]). All of a working state lives in vectors that are reused, so that copying, firing and sweeping allocate
//! nothing once they have grown.

use state::Relations;

use crate::group::normalise;
use crate::{Group, Kinship};

/// What a component of a token is, as far as folding cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// A pid.
    Pid,
    /// A datum: a number of this many bits, at most 32.
    Data(u32),
    /// A member of a class, by the index of the class in [`Schema::classes`]. Members are numbered from 0.
    Member(u32),
    /// A pid, or [`NONE`].
    OptionalPid,
    /// A member of a class, or [`NONE`].
    OptionalMember(u32),
}

/// In place of a pid or a member, where there may be none.
pub const NONE: u32 = u32::MAX;

/// A colour class: numbers of which some permutations make no difference. Those of several classes are
/// independent of each other, and of who is who among the pids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// All permutations that keep each part. The parts are runs of numbers, one after the other; these
    /// are their sizes.
    Symmetric(Vec<u32>),
    /// The rotations of this many numbers.
    Cyclic(u32),
}

impl Class {
    /// The number of its members.
    #[must_use]
    pub fn size(&self) -> u32 {
        match self {
            Class::Symmetric(parts) => parts.iter().sum(),
            Class::Cyclic(size) => *size,
        }
    }
}

impl Column {
    /// Data with this many values.
    #[must_use]
    pub fn data(values: u32) -> Column {
        Column::Data(u32::BITS - values.saturating_sub(1).leading_zeros())
    }

    /// Whether it holds pids, and perhaps [`NONE`].
    pub(crate) fn holds_pids(self) -> bool {
        matches!(self, Column::Pid | Column::OptionalPid)
    }

    /// What a word of this column becomes where pids get other indices.
    pub(crate) fn renamed(self, word: u32, index: impl FnOnce(u32) -> u32) -> u32 {
        if self.holds_pids() && word != NONE { index(word) } else { word }
    }
}

/// The components of the tokens of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The columns.
    pub columns: Vec<Column>,
    /// Whether threads are here: each active pid is then the first component of exactly one token in
    /// all such places, and no other pid is.
    pub flow: bool,
    /// What its tokens keep.
    pub hold: Hold,
    /// Which columns are records whose order makes no difference. They do not overlap.
    pub groups: Vec<Group>,
}

/// What is not garbage: what the tokens of a place keep from being dropped, and themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hold {
    /// Tokens are kept, and whatever they mention.
    #[default]
    Root,
    /// A token is kept, and whatever it mentions, if the pid in this column is: it is a pid that is always there.
    Owned(usize),
    /// Tokens are kept, but not what they mention.
    Weak,
}

impl Shape {
    /// The number of words of an entry: a multiplicity and the columns.
    #[must_use]
    pub fn stride(&self) -> usize {
        1 + self.columns.len()
    }

    /// Brings a token into normal form: the records of its groups are sorted.
    pub fn normalise(&self, token: &mut [u32]) {
        normalise(token, &self.columns, &self.groups);
    }

    /// The pids of an entry.
    pub(crate) fn pids<'a>(&'a self, entry: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let words = self.columns.iter().zip(&entry[1..]);
        words.filter(|(column, word)| column.holds_pids() && **word != NONE).map(|(_, &word)| word)
    }
}

/// The shapes of all places, and the classes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schema {
    /// The places, by index.
    pub places: Vec<Shape>,
    /// The classes whose members may be in tokens.
    pub classes: Vec<Class>,
}

/// A state up to Ω.
#[derive(Clone, Debug)]
pub struct Working {
    /// The pids present.
    pub kinship: Kinship,
    places: Vec<Place>,
}

#[derive(Clone, Debug)]
struct Place {
    stride: usize,
    words: Vec<u32>,
}

impl Working {
    /// The state without tokens and threads.
    #[must_use]
    pub fn new(schema: &Schema, relations: Relations) -> Working {
        let place = |shape: &Shape| Place { stride: shape.stride(), words: Vec::new() };
        Working {
            kinship: Kinship::new(relations),
            places: schema.places.iter().map(place).collect(),
        }
    }

    /// A state of the same places and relations without tokens and threads, and without their memory.
    #[must_use]
    pub fn emptied(&self) -> Working {
        let place = |place: &Place| Place { stride: place.stride, words: Vec::new() };
        Working { kinship: self.kinship.emptied(), places: self.places.iter().map(place).collect() }
    }

    /// Forgets all tokens and pids.
    pub fn clear(&mut self) {
        self.kinship.clear();
        self.places.iter_mut().for_each(|place| place.words.clear());
    }

    /// Becomes a copy of `other`, in the memory it has.
    pub fn copy(&mut self, other: &Working) {
        self.kinship.copy(&other.kinship);
        self.copy_tokens(other);
    }

    /// Takes over the tokens of the places that `other` has, too.
    pub(crate) fn copy_tokens(&mut self, other: &Working) {
        for (place, other) in self.places.iter_mut().zip(&other.places) {
            place.words.clear();
            place.words.extend_from_slice(&other.words);
        }
    }

    /// The number of places.
    #[must_use]
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// The entries of a place: each a multiplicity and the columns.
    pub fn entries(&self, place: usize) -> impl ExactSizeIterator<Item = &[u32]> {
        let place = &self.places[place];
        place.words.chunks_exact(place.stride)
    }

    /// The entries of a place, one after the other.
    pub(crate) fn words(&self, place: usize) -> &[u32] {
        &self.places[place].words
    }

    /// The entries of each place, one after the other.
    pub(crate) fn all_words(&self) -> impl Iterator<Item = &[u32]> {
        self.places.iter().map(|place| place.words.as_slice())
    }

    /// The number of words that all entries take.
    pub(crate) fn count_words(&self) -> usize {
        self.places.iter().map(|place| place.words.len()).sum()
    }

    /// The number of entries of a place.
    #[must_use]
    pub fn len(&self, place: usize) -> usize {
        self.places[place].words.len() / self.places[place].stride
    }

    /// Whether a place holds no token.
    #[must_use]
    pub fn is_empty(&self, place: usize) -> bool {
        self.places[place].words.is_empty()
    }

    /// The entry of a place by its index.
    #[must_use]
    pub fn entry(&self, place: usize, index: usize) -> &[u32] {
        let place = &self.places[place];
        &place.words[index * place.stride..][..place.stride]
    }

    /// The number of tokens of a place, copies counted.
    #[must_use]
    pub fn tokens(&self, place: usize) -> u64 {
        self.entries(place).map(|entry| u64::from(entry[0])).sum()
    }

    /// Adds `count` copies of a token in normal form. Says `false` if there would be more than `u32::MAX`.
    #[must_use]
    pub fn put(&mut self, place: usize, token: &[u32], count: u32) -> bool {
        let place = &mut self.places[place];
        debug_assert_eq!(token.len() + 1, place.stride);
        if let Some(entry) = place.words.chunks_exact_mut(place.stride).find(|e| e[1..] == *token) {
            return match entry[0].checked_add(count) {
                Some(sum) => {
                    entry[0] = sum;
                    true
                }
                None => false,
            };
        }
        if count > 0 {
            place.words.push(count);
            place.words.extend_from_slice(token);
        }
        true
    }

    /// Adds an entry that is known to be new, its columns written by `columns`.
    pub(crate) fn put_new(
        &mut self,
        place: usize,
        count: u32,
        columns: impl FnOnce(&mut Vec<u32>),
    ) {
        let words = &mut self.places[place].words;
        words.push(count);
        columns(words);
    }

    /// Removes `count` copies of a token that is there as often or more.
    ///
    /// # Panics
    /// If it is not.
    pub fn take(&mut self, place: usize, token: &[u32], count: u32) {
        let place = &mut self.places[place];
        let stride = place.stride;
        let at = place.words.chunks_exact(stride).position(|e| e[1..] == *token);
        let at = at.expect("the token is there") * stride;
        place.words[at] = place.words[at].checked_sub(count).expect("enough copies are there");
        if place.words[at] == 0 {
            let last = place.words.len() - stride;
            place.words.copy_within(last.., at);
            place.words.truncate(last);
        }
    }

    /// How often a token is in a place.
    #[must_use]
    pub fn count(&self, place: usize, token: &[u32]) -> u32 {
        self.entries(place).find(|entry| entry[1..] == *token).map_or(0, |entry| entry[0])
    }

    /// Adds the pids and tokens of `other`; its pids come after those that are here. Tokens without
    /// pids must not be in both.
    pub(crate) fn append(&mut self, other: &Working, schema: &Schema) {
        let offset = self.kinship.kin().len() as u32;
        self.kinship.append(&other.kinship);
        debug_assert!(schema.classes.is_empty(), "members are atoms by now");
        for ((place, other), shape) in self.places.iter_mut().zip(&other.places).zip(&schema.places)
        {
            let start = place.words.len();
            place.words.extend_from_slice(&other.words);
            for (column, kind) in shape.columns.iter().enumerate() {
                if kind.holds_pids() {
                    let words = place.words[start..].iter_mut().skip(1 + column);
                    let present = words.step_by(place.stride).filter(|word| **word != NONE);
                    present.for_each(|pid| *pid += offset);
                }
            }
        }
    }

    /// Brings the entries of a place into normal form, after a renaming.
    pub(crate) fn normalise(&mut self, place: usize, shape: &Shape) {
        if !shape.groups.is_empty() {
            let Place { stride, words } = &mut self.places[place];
            words.chunks_exact_mut(*stride).for_each(|entry| shape.normalise(&mut entry[1..]));
        }
    }

    /// The words of a column of a place, one for each entry.
    pub(crate) fn column_mut(
        &mut self,
        place: usize,
        column: usize,
    ) -> impl Iterator<Item = &mut u32> {
        let place = &mut self.places[place];
        place.words.iter_mut().skip(1 + column).step_by(place.stride)
    }

    /// The same state with its pids in another order and its tokens too, and with the members of classes
    /// permuted; `below(n)` is a number below `n` for each of the choices.
    #[must_use]
    pub fn renamed(&self, schema: &Schema, mut below: impl FnMut(usize) -> usize) -> Working {
        let mut shuffle = |n: usize| {
            let mut order: Vec<u32> = (0..n as u32).collect();
            (1..n).rev().for_each(|i| order.swap(i, below(i + 1)));
            order
        };
        let order = shuffle(self.kinship.kin().len());
        let mut index = vec![0; order.len()];
        (0..).zip(&order).for_each(|(new, &old)| index[old as usize] = new);
        let permuted: Vec<Vec<u32>> = schema
            .classes
            .iter()
            .map(|class| match class {
                Class::Symmetric(parts) => {
                    let mut members = Vec::new();
                    for &part in parts {
                        let start = members.len() as u32;
                        members.extend(shuffle(part as usize).into_iter().map(|at| start + at));
                    }
                    members
                }
                Class::Cyclic(size) => {
                    let by = shuffle(*size as usize)[0];
                    (0..*size).map(|member| (member + by) % size).collect()
                }
            })
            .collect();
        let mut renamed = self.clone();
        renamed.clear();
        renamed.kinship.add_renamed(&self.kinship, &order, &index);
        for (place, shape) in schema.places.iter().enumerate() {
            for at in shuffle(self.len(place)) {
                let entry = self.entry(place, at as usize);
                let columns = shape.columns.iter().zip(&entry[1..]);
                renamed.put_new(place, entry[0], |words| {
                    words.extend(columns.map(|(column, &word)| match column {
                        Column::Member(class) | Column::OptionalMember(class) if word != NONE => {
                            permuted[*class as usize][word as usize]
                        }
                        _ => column.renamed(word, |pid| index[pid as usize]),
                    }));
                });
            }
            renamed.normalise(place, shape);
        }
        renamed
    }

    /// Removes the tokens that are garbage: those whose owners are not kept. `kept` is scratch.
    pub fn collect(&mut self, schema: &Schema, kept: &mut Vec<bool>) {
        let owner = |shape: &Shape| match shape.hold {
            Hold::Owned(column) => Some(1 + column),
            Hold::Root | Hold::Weak => None,
        };
        if !schema.places.iter().any(|shape| owner(shape).is_some()) {
            return;
        }
        kept.clear();
        kept.extend(self.kinship.kin().iter().map(|kin| kin.active));
        for (place, shape) in self.places.iter().zip(&schema.places) {
            if shape.hold == Hold::Root {
                for entry in place.words.chunks_exact(place.stride) {
                    shape.pids(entry).for_each(|pid| kept[pid as usize] = true);
                }
            }
        }
        // What is found to be kept may keep more.
        let mut is_stable = false;
        while !std::mem::replace(&mut is_stable, true) {
            for (place, shape) in self.places.iter().zip(&schema.places) {
                let Some(owner) = owner(shape) else { continue };
                for entry in place.words.chunks_exact(place.stride) {
                    if kept[entry[owner] as usize] {
                        for pid in shape.pids(entry) {
                            is_stable &= std::mem::replace(&mut kept[pid as usize], true);
                        }
                    }
                }
            }
        }
        for (place, shape) in self.places.iter_mut().zip(&schema.places) {
            let Some(owner) = owner(shape) else { continue };
            let mut end = 0;
            for at in (0..place.words.len()).step_by(place.stride) {
                if kept[place.words[at + owner] as usize] {
                    place.words.copy_within(at..at + place.stride, end);
                    end += place.stride;
                }
            }
            place.words.truncate(end);
        }
    }

    /// Removes the pids that are neither active nor in a token. `used` and `renamed` are scratch.
    pub fn sweep(&mut self, schema: &Schema, used: &mut Vec<bool>, renamed: &mut Vec<u32>) {
        used.clear();
        used.resize(self.kinship.kin().len(), false);
        self.for_each_pid(schema, |pid| used[*pid as usize] = true);
        if self.kinship.sweep(used, renamed) {
            self.for_each_pid(schema, |pid| *pid = renamed[*pid as usize]);
        }
    }

    fn for_each_pid(&mut self, schema: &Schema, mut visit: impl FnMut(&mut u32)) {
        for (place, shape) in schema.places.iter().enumerate() {
            for (column, kind) in shape.columns.iter().enumerate() {
                if kind.holds_pids() {
                    let words = self.column_mut(place, column);
                    words.filter(|word| **word != NONE).for_each(&mut visit);
                }
            }
        }
    }
}
