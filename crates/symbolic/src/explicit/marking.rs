//! Symbolic markings.
//!
//! Each static subclass is partitioned into *dynamic subclasses* (Chiola et al. 1993): sets of
//! elements that are distributed alike, so that only their number matters. A place is marked by
//! *entries*: a tuple of dynamic subclasses with a count, which stands for that many tokens of every
//! tuple of their elements. Where a domain has a class more than once, an entry also says which of
//! its components are the same element: `(Z, Z)` with equal components and `(Z, Z)` with different
//! ones are two entries. So `(s, r) for all s ≠ r` over a class of any size is one entry.
//!
//! Elements `x` and `y` of a static subclass are *alike* when the transposition (x y) leaves the
//! marking as it is. Transpositions (x y) and (y z) generate (x z), so this is an equivalence. Here
//! dynamic subclasses are always its classes: there is no coarser partition, and no choice. (The
//! papers' criterion, equal tensors of rank n − 1, is the same where a domain has each class once.)
//!
//! In cyclic and plain classes components are elements.

use std::cmp::Ordering;

use crate::explicit::rules::{Kind, Place, Rules};
use crate::word::{dynamic, nth, sorting_key, word};

/// A symbolic marking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marking {
    /// The static subclass of each dynamic one, numbered over all classes.
    pub(crate) subclasses: Vec<u32>,
    /// The number of elements of each dynamic subclass; 0 for one that is no more.
    pub(crate) sizes: Vec<u32>,
    /// Entries: a count and a word for each component.
    pub(crate) words: Vec<u32>,
    /// For each place, where in `words` its entries are.
    pub(crate) ranges: Vec<(u32, u32)>,
}

/// A component of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component {
    /// An element of a plain or cyclic class.
    Element(u32),
    /// An element of a dynamic subclass.
    Some {
        /// The dynamic subclass.
        of: u32,
        /// Different elements of it have different numbers, from 0 in the order of components.
        nth: u32,
    },
}

impl Marking {
    /// The dynamic subclasses: for each the static subclass, numbered over all symmetric classes,
    /// and the number of elements.
    pub fn dynamic_subclasses(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        self.subclasses.iter().copied().zip(self.sizes.iter().copied())
    }

    #[inline(always)]
    pub(crate) fn range(&self, place: u32) -> std::ops::Range<usize> {
        let (from, to) = self.ranges[place as usize];
        from as usize..to as usize
    }

    /// Whether a place is not marked.
    #[inline(always)]
    pub(crate) fn is_empty(&self, place: u32) -> bool {
        let (from, to) = self.ranges[place as usize];
        from == to
    }

    /// The entries of a place, `stride` words each.
    #[inline(always)]
    pub(crate) fn entries(&self, place: u32, stride: usize) -> std::slice::ChunksExact<'_, u32> {
        self.words[self.range(place)].chunks_exact(stride)
    }

    /// The entries of a place, also if it is fixed.
    pub(crate) fn all_entries<'m>(
        &'m self,
        id: u32,
        place: &'m Place,
    ) -> std::slice::ChunksExact<'m, u32> {
        match &place.fixed {
            Some(fixed) => fixed.words.chunks_exact(place.stride()),
            None => self.entries(id, place.stride()),
        }
    }

    /// The number of the entry of a place with this tuple. The marking must have been read, since
    /// its entries are sorted then.
    pub(crate) fn find(&self, id: u32, place: &Place, tuple: &[u32]) -> Option<usize> {
        let stride = place.stride();
        let words = &self.words[self.range(id)];
        let key = |i: usize, word: u32| {
            if place.columns[i].kind == Kind::Symmetric { sorting_key(word) } else { word }
        };
        let compare = |entry: usize| {
            let there = &words[entry * stride + 1..(entry + 1) * stride];
            let pairs = there.iter().zip(tuple).enumerate();
            let mut differing = pairs.filter(|(_, (a, b))| a != b);
            let first = differing.next();
            first.map_or(Ordering::Equal, |(i, (&a, &b))| key(i, a).cmp(&key(i, b)))
        };
        let (mut from, mut to) = (0, words.len() / stride);
        while from < to {
            let middle = (from + to) / 2;
            match compare(middle) {
                Ordering::Less => from = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => to = middle,
            }
        }
        None
    }

    pub(crate) fn clear(&mut self) {
        self.subclasses.clear();
        self.sizes.clear();
        self.words.clear();
        self.ranges.clear();
    }

    /// Becomes a copy of `other`, which was read, in the memory it has; but for the places over plain
    /// classes, of which it says nothing then.
    pub(crate) fn copy(&mut self, other: &Self, rules: &Rules) {
        self.subclasses.clone_from(&other.subclasses);
        self.sizes.clone_from(&other.sizes);
        self.words.clear();
        self.ranges.resize(other.ranges.len(), (0, 0));
        let rest = &rules.moving[rules.plain..];
        let Some(&first) = rest.first() else { return };
        let before = other.ranges[first as usize].0;
        self.words.extend_from_slice(&other.words[before as usize..]);
        for &id in rest {
            let (from, to) = other.ranges[id as usize];
            self.ranges[id as usize] = (from - before, to - before);
        }
    }

    /// Copies the entries of one place.
    pub(crate) fn copy_place(&mut self, other: &Self, id: u32) {
        let from = self.words.len() as u32;
        self.words.extend_from_slice(&other.words[other.range(id)]);
        self.ranges[id as usize] = (from, self.words.len() as u32);
    }
}

/// For each dynamic subclass in a tuple, how many different elements of it there are.
pub(crate) fn elements<'t>(
    place: &'t Place,
    tuple: &'t [u32],
) -> impl Iterator<Item = (u32, u32)> + Clone + 't {
    let symmetric = move |i: &usize| place.columns[*i].kind == Kind::Symmetric;
    (0..tuple.len()).filter(symmetric).filter_map(move |i| {
        let of = dynamic(tuple[i]);
        let same = move |j: &usize| symmetric(j) && dynamic(tuple[*j]) == of;
        let is_last = !(i + 1..tuple.len()).any(|j| same(&j));
        is_last.then(|| {
            let met = (0..=i).filter(same).map(|j| nth(tuple[j]) + 1).max();
            (of, met.unwrap_or(0))
        })
    })
}

/// Numbers the elements of each dynamic subclass in the order in which they first occur, among the
/// components of symmetric classes.
#[inline]
pub(crate) fn number_elements(
    tuple: &mut [u32],
    is_symmetric: impl Fn(usize) -> bool,
    scratch: &mut Vec<u32>,
) {
    scratch.clear();
    scratch.extend_from_slice(tuple);
    for i in 0..tuple.len() {
        if !is_symmetric(i) {
            continue;
        }
        let this = scratch[i];
        let mut met = 0;
        let mut again = None;
        for j in 0..i {
            if !is_symmetric(j) || dynamic(scratch[j]) != dynamic(this) {
                continue;
            }
            if scratch[j] == this {
                again = Some(tuple[j]);
                break;
            }
            met = met.max(nth(tuple[j]) + 1);
        }
        tuple[i] = again.unwrap_or(word(dynamic(this), met));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_numbered_as_they_occur() {
        let mut scratch = Vec::new();
        let mut tuple = [word(1, 3), word(0, 1), word(1, 0), word(1, 3), 7, word(0, 1)];
        number_elements(&mut tuple, |i| i != 4, &mut scratch);
        assert_eq!(tuple, [word(1, 0), word(0, 0), word(1, 1), word(1, 0), 7, word(0, 0)]);
    }
}
