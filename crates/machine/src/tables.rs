//! Strings that occur often, by numbers.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Strings with numbers, in the order in which they were met.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    numbers: HashTable<u32>,
    strings: Vec<Arc<[u8]>>,
    bytes: u64,
}

impl Strings {
    /// The number of a string, and whether it is new.
    pub(crate) fn number(&mut self, string: &[u8]) -> (u32, bool) {
        let hash = |string: &[u8]| FxBuildHasher.hash_one(string);
        let Strings { numbers, strings, bytes } = self;
        let is_it = |number: &u32| &*strings[*number as usize] == string;
        if let Some(number) = numbers.find(hash(string), is_it) {
            return (*number, false);
        }
        let number = strings.len() as u32;
        strings.push(string.into());
        *bytes += string.len() as u64 + 16;
        numbers.insert_unique(hash(string), number, |number| hash(&strings[*number as usize]));
        (number, true)
    }

    pub(crate) fn get(&self, number: u32) -> &Arc<[u8]> {
        &self.strings[number as usize]
    }

    pub(crate) fn allocated_bytes(&self) -> u64 {
        let rows = self.strings.capacity() * 16 + self.numbers.capacity() * 5;
        self.bytes + rows as u64
    }
}
