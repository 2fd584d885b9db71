//! The edges of the explored graph: for each state its distinct (label, target), sorted.
//!
//! Compressed rows: 8 bytes per edge and 8 per state, each at most a quarter more as allocated. Both can be put on
//! disk.

use std::io;
use std::path::Path;

use crate::StateId;
use crate::disk::Column;

/// The graph whose nodes are the stored states. Where states are classes of an equivalence it is
/// the quotient of the state space.
///
/// The rows of states that were not expanded are empty, but for the one whose expansion was cut
/// short by a limit: that one may lack edges.
#[derive(Default, Debug)]
pub struct Quotient {
    /// `label << 32 | target`, row after row.
    edges: Column<u64>,
    /// Where the row of each state ends. The states behind these have no edges.
    ends: Column<u64>,
    /// The number of states behind these.
    without_row: usize,
}

impl Quotient {
    /// Adds the row of the next state: sorted, distinct words `label << 32 | target`.
    pub(crate) fn push_row(&mut self, row: &[u64]) {
        self.edges.extend(row);
        self.ends.push(self.edges.len() as u64);
    }

    /// Says how many states there are, some of which may have no row. Allocates nothing: there may be
    /// no memory left.
    pub(crate) fn finish(&mut self, states: usize) {
        self.without_row = states.saturating_sub(self.ends.len());
    }

    /// The number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.ends.len() + self.without_row
    }

    /// The number of edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// The edges that leave a state: label and target, sorted by both.
    ///
    /// # Panics
    ///
    /// If there is no such state.
    pub fn successors(&self, id: StateId) -> impl ExactSizeIterator<Item = (u32, StateId)> + Clone {
        assert!(id.index() < self.states(), "no state {}", id.0);
        let end_of = |at: usize| match at < self.ends.len() {
            true => self.ends.get(at) as usize,
            false => self.edges.len(),
        };
        let start = id.index().checked_sub(1).map_or(0, end_of);
        self.edges.cells(start..end_of(id.index())).map(unpack)
    }

    /// All edges: source, label and target, sorted by all three.
    pub fn iter(&self) -> impl Iterator<Item = (StateId, u32, StateId)> {
        (0..self.states() as u32).map(StateId).flat_map(|source| {
            self.successors(source).map(move |(label, target)| (source, label, target))
        })
    }

    /// The memory held, in bytes, as allocated.
    #[must_use]
    pub fn allocated_bytes(&self) -> u64 {
        self.edges.allocated_bytes() + self.ends.allocated_bytes()
    }

    /// Puts the edges on disk, whole rows; in case of an error they stay in memory.
    pub(crate) fn spill(&mut self, directory: &Path, most_mapped: u64) -> io::Result<()> {
        self.edges.spill(directory, most_mapped)?;
        self.ends.spill(directory, most_mapped)
    }

    /// The bytes on disk.
    pub(crate) fn disk_bytes(&self) -> u64 {
        self.edges.disk_bytes() + self.ends.disk_bytes()
    }
}

pub(crate) fn pack(label: u32, target: StateId) -> u64 {
    u64::from(label) << 32 | u64::from(target.0)
}

pub(crate) fn unpack(edge: u64) -> (u32, StateId) {
    ((edge >> 32) as u32, StateId(edge as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let mut quotient = Quotient::default();
        quotient.push_row(&[pack(1, StateId(2)), pack(u32::MAX, StateId(0))]);
        quotient.push_row(&[]);
        quotient.push_row(&[pack(0, StateId(1))]);
        quotient.finish(5);
        assert_eq!((quotient.states(), quotient.edges()), (5, 3));
        let all: Vec<_> = quotient.iter().collect();
        assert_eq!(
            all,
            [
                (StateId(0), 1, StateId(2)),
                (StateId(0), u32::MAX, StateId(0)),
                (StateId(2), 0, StateId(1)),
            ]
        );
        assert_eq!(quotient.successors(StateId(0)).len(), 2);
        assert_eq!(quotient.successors(StateId(4)).len(), 0);
    }
}
