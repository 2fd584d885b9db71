//! What a binding needs and changes at one place, added up by tuple.

/// Tuples with what must be there, what is taken and what is put.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    arity: usize,
    tuples: Vec<u32>,
    amounts: Vec<Amount>,
    /// The tuples in order, when there are many.
    sorted: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amount {
    pub(crate) need: u64,
    pub(crate) take: u64,
    pub(crate) put: u64,
    /// Whether the tuple was found among the entries of the place.
    met: bool,
}

/// Up to this many tuples are looked through one by one.
const FEW: usize = 8;

impl Changes {
    pub(crate) fn begin(&mut self, arity: usize) {
        self.arity = arity;
        self.tuples.clear();
        self.amounts.clear();
        self.sorted.clear();
    }

    pub(crate) fn push(&mut self, tuple: &[u32], amount: Amount) {
        self.tuples.extend_from_slice(tuple);
        self.amounts.push(amount);
    }

    fn tuple(&self, i: usize) -> &[u32] {
        &self.tuples[i * self.arity..(i + 1) * self.arity]
    }

    /// Adds up what was pushed for one tuple. Terms of which there is only one give no tuple twice.
    pub(crate) fn add_up(&mut self, several: bool) {
        let count = self.amounts.len();
        if count > FEW {
            self.sorted.extend(0..count as u32);
            let (tuples, arity) = (&self.tuples, self.arity);
            let tuple = |i: u32| &tuples[i as usize * arity..(i as usize + 1) * arity];
            self.sorted.sort_unstable_by(|&a, &b| tuple(a).cmp(tuple(b)));
            let amounts = &mut self.amounts;
            self.sorted.dedup_by(|later, first| {
                let same = tuple(*later) == tuple(*first);
                if same {
                    let more = std::mem::take(&mut amounts[*later as usize]);
                    amounts[*first as usize].add(more);
                }
                same
            });
        } else if several {
            for later in 1..count {
                let first = (0..later).find(|&first| self.tuple(first) == self.tuple(later));
                if let Some(first) = first {
                    let more = std::mem::take(&mut self.amounts[later]);
                    self.amounts[first].add(more);
                }
            }
        }
    }

    /// What a tuple needs and what becomes of it, if anything; it counts as met.
    #[inline]
    pub(crate) fn meet(&mut self, tuple: &[u32]) -> Option<Amount> {
        let i = if self.sorted.is_empty() {
            // Tuples are short: a loop is faster than a call to compare memory.
            let same = |i: &usize| self.tuple(*i).iter().zip(tuple).all(|(a, b)| a == b);
            (0..self.amounts.len()).find(same)?
        } else {
            let found = self.sorted.binary_search_by(|&i| self.tuple(i as usize).cmp(tuple));
            self.sorted[found.ok()?] as usize
        };
        self.amounts[i].met = true;
        Some(self.amounts[i])
    }

    /// The number of tuples, some of which may have been added to others.
    pub(crate) fn len(&self) -> usize {
        self.amounts.len()
    }

    /// A tuple, and what it needs and what becomes of it.
    pub(crate) fn get(&self, i: usize) -> (&[u32], Amount) {
        (self.tuple(i), self.amounts[i])
    }

    /// Notes that a tuple was met.
    pub(crate) fn meet_at(&mut self, i: usize) {
        self.amounts[i].met = true;
    }

    /// The tuples that were not met.
    pub(crate) fn unmet(&self) -> impl Iterator<Item = (&[u32], Amount)> {
        let unmet = self.amounts.iter().enumerate().filter(|(_, amount)| !amount.met);
        unmet.map(|(i, &amount)| (self.tuple(i), amount))
    }
}

impl Amount {
    pub(crate) fn new(need: u32, take: u32, put: u32) -> Self {
        Self { need: need.into(), take: take.into(), put: put.into(), met: false }
    }

    /// What becomes of this many tokens: `None` if more are needed, nothing if they cannot be
    /// counted.
    #[inline]
    pub(crate) fn change(self, count: u32) -> Option<Option<u32>> {
        let count = u64::from(count);
        (count >= self.need)
            .then(|| u32::try_from((count - self.take).saturating_add(self.put)).ok())
    }

    pub(crate) fn add(&mut self, more: Self) {
        self.need = self.need.saturating_add(more.need);
        self.take = self.take.saturating_add(more.take);
        self.put = self.put.saturating_add(more.put);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_tuples_are_added_up_alike() {
        for copies in [1, 20] {
            let mut changes = Changes::default();
            changes.begin(2);
            for i in 0..copies {
                changes.push(&[i, 0], Amount::new(1, 1, 0));
                changes.push(&[i, 1], Amount::new(0, 0, 3));
                changes.push(&[i, 0], Amount::new(2, 0, 5));
            }
            changes.add_up(true);
            for i in 0..copies {
                let amount = changes.meet(&[i, 0]).unwrap();
                assert_eq!((amount.need, amount.take, amount.put), (3, 1, 5));
            }
            assert!(changes.meet(&[copies, 0]).is_none());
            let unmet = changes.unmet().filter(|(_, amount)| amount.put > 0);
            assert_eq!(unmet.count() as u32, copies);
        }
    }
}
