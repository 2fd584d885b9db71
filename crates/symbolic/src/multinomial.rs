//! Sums of multinomial coefficients: how many concrete markings there are in the orbits of symbolic ones.
//!
//! The elements of each static subclass are distributed over its dynamic ones, in as many ways as a
//! multinomial coefficient says, and what automorphisms exchange is the same. Coefficients of many
//! markings are added up as in Horner's rule: markings are sorted by their sizes, and what has a size in
//! common is multiplied by its binomial once, where [`Row`]s are walked in order. Cost: for each different
//! list of sizes a few operations on a big integer with a word.

use explore::{StateId, Store};
use num_bigint::BigUint;

use crate::binomial::Row;
use crate::explicit::large::Large;

/// Numbers that are counted for markings, each marking times its multinomial coefficients.
#[derive(Debug, Default)]
pub(crate) struct Orbits<const N: usize> {
    /// The number of automorphisms and, for each static subclass, the sizes in it in ascending
    /// order but for the greatest, and 0; as words with the highest byte first, so that the order
    /// of bytes is that of numbers.
    keys: Store,
    counts: Vec<[Large; N]>,
    /// Numbers of automorphisms that do not fit into a word; the first has the number `u64::MAX`.
    groups: Vec<BigUint>,
    key: Vec<u8>,
}

impl<const N: usize> Orbits<N> {
    /// Begins a marking with this number of automorphisms, 0 standing for the one that is found.
    pub(crate) fn begin(&mut self, mut automorphisms: u64, find: impl FnOnce() -> BigUint) {
        if automorphisms == 0 {
            let group = find();
            let known = self.groups.iter().position(|other| *other == group);
            let number = known.unwrap_or_else(|| {
                self.groups.push(group);
                self.groups.len() - 1
            });
            automorphisms = u64::MAX - number as u64;
        }
        self.key.clear();
        self.key.extend_from_slice(&automorphisms.to_be_bytes());
    }

    /// Adds the sizes of the dynamic subclasses of the next static subclass that has several elements.
    pub(crate) fn sizes(&mut self, sizes: &mut [u32]) {
        sizes.sort_unstable();
        let sizes = sizes[..sizes.len() - 1].iter().chain(&[0]);
        sizes.for_each(|size| self.key.extend_from_slice(&size.to_be_bytes()));
    }

    /// What is counted for all markings like the one that was begun.
    pub(crate) fn counts(&mut self) -> &mut [Large; N] {
        let (id, new) = self.keys.insert(&self.key);
        if new {
            self.counts.push(std::array::from_fn(|_| Large::default()));
        }
        &mut self.counts[id.index()]
    }

    /// The sums, given the sizes of the static subclasses that have several elements, and the order of the
    /// group that permutes nothing else.
    pub(crate) fn sum(&self, subclasses: &[u32], others: &BigUint) -> [BigUint; N] {
        let mut ids: Vec<StateId> = self.keys.iter().map(|(id, _)| id).collect();
        ids.sort_unstable_by_key(|&id| self.keys.get(id));
        let group_of = |id: &StateId| {
            let bytes = self.keys.get(*id)[..8].try_into().expect("eight bytes");
            u64::from_be_bytes(bytes)
        };
        let mut total = [const { BigUint::ZERO }; N];
        for run in ids.chunk_by(|a, b| group_of(a) == group_of(b)) {
            let sums = self.sum_of(run, 8, subclasses, subclasses.first().copied());
            let group = group_of(&run[0]);
            let group = match usize::try_from(u64::MAX - group) {
                Ok(number) if number < self.groups.len() => self.groups[number].clone(),
                _ => BigUint::from(group),
            };
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum * others / &group);
        }
        total
    }

    /// The sums over keys that agree up to byte `at`, where `left` elements are left of the first of
    /// the static subclasses.
    fn sum_of(
        &self,
        ids: &[StateId],
        at: usize,
        subclasses: &[u32],
        left: Option<u32>,
    ) -> [BigUint; N] {
        let Some(left) = left else {
            return self.counts[ids[0].index()].each_ref().map(Large::total);
        };
        let size = |id: &StateId| {
            let bytes = self.keys.get(*id)[at..at + 4].try_into().expect("four bytes");
            u32::from_be_bytes(bytes)
        };
        let mut sums = [const { BigUint::ZERO }; N];
        let mut row = Row::new(left);
        for run in ids.chunk_by(|a, b| size(a) == size(b)) {
            let chosen = size(&run[0]);
            let inner = match chosen {
                0 => self.sum_of(run, at + 4, &subclasses[1..], subclasses.get(1).copied()),
                _ => self.sum_of(run, at + 4, subclasses, Some(left - chosen)),
            };
            for (sum, inner) in sums.iter_mut().zip(inner) {
                if chosen == 0 {
                    *sum += inner;
                } else if inner != BigUint::ZERO {
                    *sum += inner * row.at(chosen);
                }
            }
        }
        sums
    }
}
