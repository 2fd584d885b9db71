//! What states are made of, by numbers that all workers share: strings of hubs, cores as rows of such numbers, and
//! satellites.

use std::io::{self, Error, ErrorKind, Read, Write};
use std::sync::{Arc, RwLock};

use explore::{StateId, Store, restore_strings, save_strings};

/// What a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// That of a hub.
    Hub = 0,
    /// The numbers of the strings of hubs.
    Core = 1,
    Satellite = 2,
}

/// A lock is poisoned only if a worker has panicked, and then all panic.
const ALIVE: &str = "no worker has panicked";

/// Strings with numbers.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    store: Arc<RwLock<Store>>,
    key: Vec<u8>,
}

impl Parts {
    /// For another worker, with the same numbers.
    pub(crate) fn share(&self) -> Parts {
        Parts { store: Arc::clone(&self.store), key: Vec::new() }
    }

    /// The number of a string.
    pub(crate) fn number(&mut self, kind: PartKind, string: &[u8]) -> u32 {
        self.key.clear();
        self.key.push(kind as u8);
        self.key.extend_from_slice(string);
        let known = self.store.read().expect(ALIVE).find(&self.key);
        known.unwrap_or_else(|| self.store.write().expect(ALIVE).insert(&self.key).0).0
    }

    /// Looks at the string of a number.
    pub(crate) fn look<T>(&self, number: u32, look: impl FnOnce(PartKind, &[u8]) -> T) -> T {
        let store = self.store.read().expect(ALIVE);
        let (kind, string) = store.get(StateId(number)).split_first().expect("it has a kind");
        let kind = match kind {
            0 => PartKind::Hub,
            1 => PartKind::Core,
            _ => PartKind::Satellite,
        };
        look(kind, string)
    }

    pub(crate) fn count(&self) -> u32 {
        self.store.read().expect(ALIVE).len()
    }

    /// The bytes that a worker holds: each its part of what is shared.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        let workers = Arc::strong_count(&self.store) as u64;
        self.store.read().expect(ALIVE).allocated_bytes() / workers
    }

    /// Writes the strings from a number on.
    pub(crate) fn save(&self, mark: u64, to: &mut dyn Write) -> io::Result<u64> {
        let store = self.store.read().expect(ALIVE);
        let all = u64::from(store.len());
        if mark < all {
            let strings = (mark as u32..store.len()).map(|id| store.get(StateId(id)));
            save_strings(mark, strings, to)?;
        }
        Ok(all)
    }

    /// Reads what was saved: the next strings after those that have numbers.
    pub(crate) fn restore(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let mut store = self.store.write().expect(ALIVE);
        restore_strings(from, |number, bytes| {
            let (id, is_new) = store.insert(bytes);
            match is_new && u64::from(id.0) == number {
                true => Ok(()),
                false => {
                    Err(Error::new(ErrorKind::InvalidData, "parts have other numbers already"))
                }
            }
        })
    }
}
