//! The unary tuples and loops of each atom, compared exactly.
//!
//! Most atoms have at most one; a code per atom decides those at once, and the sorted rows are
//! made only when an atom with more of them has to be compared.

use std::cmp::Ordering;

use crate::structure::Structure;

const ONE: u64 = 1 << 32;

#[derive(Debug, Default)]
pub(crate) struct Unary {
    /// The number of tuples above 32 bits, and their labels added up. Below two tuples, this
    /// determines them.
    codes: Vec<u64>,
    /// `(atom, is it a loop, label)`, sorted.
    entries: Vec<(u32, bool, u32)>,
    rows: Vec<(u32, u32)>,
    coded: bool,
    sorted: bool,
}

impl Unary {
    /// Forgets the structure compared before.
    pub(crate) fn reset(&mut self) {
        self.coded = false;
        self.sorted = false;
    }

    /// Orders two atoms of `s` by their unary tuples and loops.
    #[inline]
    pub(crate) fn compare(&mut self, s: &Structure, a: u32, b: u32) -> Ordering {
        if !self.coded {
            self.code(s);
        }
        let code = self.codes[a as usize];
        let order = code.cmp(&self.codes[b as usize]);
        if order != Ordering::Equal || code < 2 * ONE {
            return order;
        }
        self.compare_rows(s, a, b)
    }

    fn compare_rows(&mut self, s: &Structure, a: u32, b: u32) -> Ordering {
        if !self.sorted {
            self.sort(s);
        }
        let row = |a: u32| {
            let (from, to) = self.rows[a as usize];
            self.entries[from as usize..to as usize].iter().map(|entry| (entry.1, entry.2))
        };
        row(a).cmp(row(b))
    }

    fn code(&mut self, s: &Structure) {
        self.coded = true;
        self.codes.clear();
        self.codes.resize(s.len(), 0);
        for &(label, a) in &s.unary {
            self.codes[a as usize] += ONE + u64::from(label);
        }
        for &(label, a) in &s.loops {
            self.codes[a as usize] += 2 * ONE + u64::from(label);
        }
    }

    fn sort(&mut self, s: &Structure) {
        self.sorted = true;
        self.entries.clear();
        self.entries.extend(s.unary.iter().map(|&(label, a)| (a, false, label)));
        self.entries.extend(s.loops.iter().map(|&(label, a)| (a, true, label)));
        self.entries.sort_unstable();
        self.rows.clear();
        self.rows.resize(s.len(), (0, 0));
        let mut at = 0;
        for run in self.entries.chunk_by(|a, b| a.0 == b.0) {
            self.rows[run[0].0 as usize] = (at, at + run.len() as u32);
            at += run.len() as u32;
        }
    }
}
