//! Places whose tokens never change.
//!
//! Nets often keep tables in places: who is whose neighbour, what follows what. Every transition
//! that takes from such a place puts back what it took. If all its components are of plain classes,
//! the place holds its initial marking for ever, whatever is permuted, and so need not be part of
//! markings at all: nothing of it is copied, compared or stored.
//!
//! A place is *fixed* when each transition puts there just the terms that it takes. Then all that a
//! transition wants of the place is that entries are there, which its plan looks up in a [`Table`]:
//! the entries sorted by the components that are known when it comes to them. Only where a
//! transition asks a place for several terms, which may be the same tokens, or for one with local
//! variables, that is looked at once more. Places with more than [`MOST_TUPLES`] tuples are treated
//! like any other.
//!
//! Cost: a lookup is a binary search; a table is made once for each place where a plan needs one.

use crate::SymmetricNet;
use crate::explicit::changes::Amount;
use crate::explicit::marking::Marking;
use crate::explicit::rules::{Kind, Place, Subclass, Term};
use crate::explicit::spread::Spread;
use crate::model;

/// A place with more tuples is not worth being written out before it is known to be explored.
const MOST_TUPLES: u64 = 1 << 22;

/// What a fixed place holds.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    /// Entries: a count and the components, in ascending order of components.
    pub(crate) words: Vec<u32>,
    /// The tokens in all.
    pub(crate) tokens: u64,
    /// The largest count of an entry.
    pub(crate) most: u32,
}

/// Of each place, whether some transition puts there something else than what it takes.
///
/// Linear in the net, but for the arcs of one transition, which are compared with each other.
pub(crate) fn changing(net: &SymmetricNet) -> Vec<bool> {
    let mut changing = vec![false; net.places.len()];
    for transition in &net.transitions {
        let counts = |arc: &&model::Arc| arc.term.count > 0;
        let mut puts: Vec<&model::Arc> = transition.puts.iter().filter(counts).collect();
        for take in transition.takes.iter().filter(counts) {
            let put_back =
                puts.iter().position(|put| put.place == take.place && put.term == take.term);
            match put_back {
                Some(found) => drop(puts.swap_remove(found)),
                None => changing[take.place.0 as usize] = true,
            }
        }
        puts.iter().for_each(|put| changing[put.place.0 as usize] = true);
    }
    changing
}

impl Fixed {
    /// What a place over plain classes holds initially, given the terms of its initial marking;
    /// `None` if that is too much.
    pub(crate) fn new(
        place: &Place,
        terms: &[(Amount, Term)],
        subclasses: &[Subclass],
    ) -> Option<Self> {
        let tuples = terms.iter().map(|(_, term)| {
            let sizes = term.locals.iter().map(|local| u64::from(local.size));
            sizes.fold(1, u64::saturating_mul)
        });
        if tuples.fold(0, u64::saturating_add) > MOST_TUPLES
            || place.columns.iter().any(|column| column.kind != Kind::Plain)
        {
            return None;
        }
        let mut entries: Vec<(Vec<u32>, u64)> = Vec::new();
        let (mut spread, nothing) = (Spread::default(), Marking::default());
        for (_, term) in terms.iter().filter(|(_, term)| term.count > 0) {
            // What a plain place holds does not depend on constants of symmetric classes.
            spread.values.clear();
            spread.values.resize(term.first_local as usize, 0);
            let mut push = |tuple: &[u32]| entries.push((tuple.to_vec(), term.count.into()));
            spread.for_each_tuple(subclasses, &nothing, place, term, &mut push);
        }
        entries.sort_unstable();
        entries.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 = first.1.saturating_add(later.1);
            }
            same
        });
        let mut fixed = Self { words: Vec::new(), tokens: 0, most: 0 };
        for (tuple, count) in entries {
            let count = u32::try_from(count).ok()?;
            fixed.words.push(count);
            fixed.words.extend_from_slice(&tuple);
            fixed.tokens += u64::from(count);
            fixed.most = fixed.most.max(count);
        }
        Some(fixed)
    }

    /// How many tokens of a tuple there are.
    pub(crate) fn count(&self, tuple: &[u32]) -> u32 {
        let stride = tuple.len() + 1;
        let at = partition_point(self.words.len() / stride, |i| {
            self.words[i * stride + 1..(i + 1) * stride] < *tuple
        });
        match self.words.get(at * stride..(at + 1) * stride) {
            Some(entry) if entry[1..] == *tuple => entry[0],
            _ => 0,
        }
    }
}

/// The first number below `count` of which something is not true that is true of all before it.
fn partition_point(count: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut from, mut to) = (0, count);
    while from < to {
        let middle = (from + to) / 2;
        if is_before(middle) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

/// The entries of a fixed place, to be found by some of their components.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Rows in ascending order: the components looked up, then the others, then the count.
    rows: Vec<u32>,
    stride: usize,
    /// How many components are looked up.
    known: usize,
}

impl Table {
    /// Makes a table of the entries of a fixed place that have at least this many tokens: `known` tells which
    /// components are looked up.
    pub(crate) fn new(fixed: &Fixed, known: &[bool], count: u32) -> Self {
        let stride = known.len() + 1;
        let entries = fixed.words.chunks_exact(stride).filter(|entry| entry[0] >= count);
        let mut rows: Vec<Vec<u32>> = entries
            .map(|entry| {
                let part = |wanted: bool| {
                    let components = entry[1..].iter().zip(known);
                    components.filter(move |&(_, &known)| known == wanted).map(|(&word, _)| word)
                };
                part(true).chain(part(false)).chain([entry[0]]).collect()
            })
            .collect();
        rows.sort_unstable();
        let known = known.iter().filter(|known| **known).count();
        Self { rows: rows.concat(), stride, known }
    }

    /// The rows in which the components looked up are these: for each, the other components and the
    /// count.
    pub(crate) fn rows<'t>(
        &'t self,
        key: &[u32],
    ) -> impl Iterator<Item = (&'t [u32], u32)> + use<'t> {
        let count = self.rows.len() / self.stride;
        let row = |i: usize| &self.rows[i * self.stride..i * self.stride + self.known];
        let from = partition_point(count, |i| row(i) < key);
        let to = from + partition_point(count - from, |i| row(from + i) <= key);
        let rows = self.rows[from * self.stride..to * self.stride].chunks_exact(self.stride);
        rows.map(|row| (&row[self.known..self.stride - 1], row[self.stride - 1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_any_components() {
        let tuples = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [1, 2, 2], [2, 2, 1]];
        let words: Vec<u32> =
            (1..).zip(tuples).flat_map(|(count, [a, b, c])| [count, a, b, c]).collect();
        let fixed = Fixed { words, tokens: 15, most: 5 };
        assert_eq!(tuples.map(|tuple| fixed.count(&tuple)), [1, 2, 3, 4, 5]);
        assert_eq!([[0, 2, 0], [1, 0, 3], [3, 0, 0]].map(|tuple| fixed.count(&tuple)), [0; 3]);
        for choice in 0..8_u32 {
            let known: Vec<bool> = (0..3).map(|i| choice >> i & 1 == 1).collect();
            for least in 1..=3 {
                let table = Table::new(&fixed, &known, least);
                for code in 0..27_u32 {
                    let wanted = [code / 9, code / 3 % 3, code % 3];
                    let part = |tuple: &[u32; 3], which: bool| -> Vec<u32> {
                        (0..3).filter(|&i| known[i] == which).map(|i| tuple[i]).collect()
                    };
                    let key = part(&wanted, true);
                    let all = tuples.iter().zip(1..).filter(|(_, count)| *count >= least);
                    let matching = all.filter(|(tuple, _)| part(tuple, true) == key);
                    let mut expected: Vec<(Vec<u32>, u32)> =
                        matching.map(|(tuple, count)| (part(tuple, false), count)).collect();
                    expected.sort_unstable();
                    let found = table.rows(&key).map(|(others, count)| (others.to_vec(), count));
                    assert_eq!(found.collect::<Vec<_>>(), expected, "{known:?} {wanted:?}");
                }
            }
        }
    }
}
