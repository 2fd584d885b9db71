//! How often each label was fired.

use std::collections::BTreeMap;

/// Labels below this have a place in an array; labels are usually small, but need not be.
const DENSE: u32 = 1 << 16;

/// The number of modes fired, per label. A sum that does not fit stays at `u64::MAX`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Fired {
    dense: Vec<u64>,
    sparse: BTreeMap<u32, u64>,
}

impl Fired {
    #[inline]
    pub(crate) fn add(&mut self, label: u32, modes: u64) {
        let sum = if label < DENSE {
            let index = label as usize;
            if index >= self.dense.len() {
                self.dense.resize(index + 1, 0);
            }
            &mut self.dense[index]
        } else {
            self.sparse.entry(label).or_default()
        };
        *sum = sum.saturating_add(modes);
    }

    /// The number of modes of this label that were fired.
    #[must_use]
    pub fn of(&self, label: u32) -> u64 {
        if label < DENSE {
            self.dense.get(label as usize).copied().unwrap_or(0)
        } else {
            self.sparse.get(&label).copied().unwrap_or(0)
        }
    }

    /// The labels that were fired, in increasing order, each with its number of modes.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        let dense = (0..).zip(self.dense.iter().copied());
        let sparse = self.sparse.iter().map(|(&label, &modes)| (label, modes));
        dense.chain(sparse).filter(|&(_, modes)| modes > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_small_and_large_labels_alike() {
        let mut fired = Fired::default();
        for (label, modes) in [(3, 1), (u32::MAX, 5), (3, 2), (DENSE, 7), (DENSE - 1, 4), (0, 1)] {
            fired.add(label, modes);
        }
        let all: Vec<_> = fired.iter().collect();
        assert_eq!(all, [(0, 1), (3, 3), (DENSE - 1, 4), (DENSE, 7), (u32::MAX, 5)]);
        assert!(all.iter().all(|&(label, modes)| fired.of(label) == modes));
        assert_eq!((fired.of(1), fired.of(70_000)), (0, 0));
        fired.add(3, u64::MAX);
        assert_eq!(fired.of(3), u64::MAX);
    }
}
