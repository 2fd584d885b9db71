//! What has gone from memory to disk, and is read as if it were still there.
//!
//! Where memory runs short, the strings, the breadth-first tree and the edges, which only grow, go to files
//! ([`pages`]); [`column`] has arrays of which the first elements are there. The files have no use once the process
//! is gone: a run that is to survive it is kept by a [checkpoint](crate::checkpoint).
//!
//! What stays in memory for a state are 6.4 bytes of table for each place in it (see `store`), a quarter of a byte to
//! find its string, and while it is new some 35 bytes (see `parallel`).

mod column;
mod mapping;
mod pages;

use std::path::PathBuf;
use std::sync::Arc;

use budget::Budget;

pub(crate) use column::Column;
pub(crate) use pages::Pages;

/// Where to put what memory is too small for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spill {
    /// A directory for files that have no name and are gone with the process.
    pub directory: PathBuf,
    /// The share of the memory allowed that may be in use before anything goes there.
    pub share: Share,
}

/// When memory is short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// From the start.
    Nothing,
    /// When half of what is allowed is in use.
    Half,
}

/// What of the memory allowed may be mapped files, as one in so many, …
const MAPPED: u64 = 64;
/// … for each of the files, but not less than this, …
const LEAST_MAPPED: u64 = 1 << 20;
/// … nor more.
const MOST_MAPPED: u64 = 1 << 26;

impl Spill {
    /// Whether memory is short.
    pub(crate) fn is_due(&self, budget: &Budget) -> bool {
        match self.share {
            Share::Nothing => true,
            Share::Half => budget
                .memory_limit()
                .zip(budget.memory_left())
                .is_some_and(|(limit, left)| left < limit / 2),
        }
    }
}

/// Why something could not be put on disk. What could not is still in memory.
pub type SpillTrouble = Arc<str>;

/// The bytes of a file that may be in memory at a time.
pub(crate) fn most_mapped(budget: &Budget) -> u64 {
    let limit = budget.memory_limit().unwrap_or(u64::MAX);
    (limit / MAPPED).clamp(LEAST_MAPPED, MOST_MAPPED)
}
