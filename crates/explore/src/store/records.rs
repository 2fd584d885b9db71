//! Strings as they are to lie in an arena, put together beside it.
//!
//! An arena grows at its end, so one thread at a time can add to it. What takes time in that is to bring together
//! strings from many places; several threads do this at once, each for a part of the strings, and what they have made
//! is added in a few large pieces ([`Arena::append`](super::Arena::append)).

use crate::{growth, varint};

/// Records one after the other: of each string its length, a [`varint`], and the string.
#[derive(Default, Debug)]
pub(crate) struct Records {
    pub(crate) bytes: Vec<u8>,
    /// Where each of them begins, and where the last one ends.
    pub(crate) bounds: Vec<usize>,
}

impl Records {
    /// Holds the records of these strings, and of no others. Memory is kept from one time to the next, unless it is
    /// more than `most` bytes.
    pub(crate) fn fill<'s>(
        &mut self,
        strings: impl Iterator<Item = &'s [u8]> + Clone,
        most: usize,
    ) {
        self.clear(most);
        let lengths = strings.clone().map(<[u8]>::len);
        let need = lengths.map(|length| varint::length(length as u64) + length).sum();
        self.bytes.reserve_exact(need);
        growth::push(&mut self.bounds, 0);
        for string in strings {
            varint::push(string.len() as u64, &mut self.bytes);
            self.bytes.extend_from_slice(string);
            growth::push(&mut self.bounds, self.bytes.len());
        }
    }

    /// Forgets the records, and gives memory back that is more than `most` bytes.
    pub(crate) fn clear(&mut self, most: usize) {
        self.bytes.clear();
        self.bytes.shrink_to(most);
        self.bounds.clear();
    }
}
