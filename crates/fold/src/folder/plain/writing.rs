//! Writing plain states, once their pids are in order.

use super::reading::{Other, Pair};
use super::{Around, PID_BITS, Plain};
use crate::Sight;
use crate::folder::repeated;
use crate::labels::LABELS;
use crate::writer::Writer;

/// Where the first pid of a token, its label, the number of its pids, and the second pid are in its key.
const FIRST_AT: u32 = u64::BITS - PID_BITS;
const LABEL_AT: u32 = FIRST_AT - LABELS.ilog2();
const COUNT_AT: u32 = LABEL_AT - 2;
const _: () = assert!(COUNT_AT >= PID_BITS, "there is room for the second pid");

impl Plain {
    /// Writes the state; the same as the long way would, if pids had the same order.
    #[inline(always)]
    pub(super) fn write(&mut self, ancestors: Sight, writer: &mut Writer) {
        self.write_pids(ancestors, writer);
        self.write_tokens(writer);
        if !self.repeated.is_empty() {
            repeated::write(&mut self.repeated, &self.readings, &self.position, writer);
        }
    }

    #[inline(always)]
    fn write_pids(&self, ancestors: Sight, writer: &mut Writer) {
        let (pids, position) = (self.pids.as_slice(), self.position.as_slice());
        let n = pids.len() - 1;
        let low = (1 << (usize::BITS - n.leading_zeros())) - 1;
        let shift = 1 + u32::from(ancestors.far && ancestors.close);
        let mut room = writer.room(1 + 2 * n);
        room.write(n as u32);
        for key in &self.keys {
            let Around { up, own, kind, .. } = pids[(key & low) as usize];
            let above = position[up as usize].wrapping_add(1);
            room.write_pid((above << shift).wrapping_add(kind), own);
        }
    }

    /// Writes the tokens that are nobody's own, in the order of their first pids, labels, and other pids.
    #[inline(always)]
    fn write_tokens(&mut self, writer: &mut Writer) {
        let Plain { pairs, others, bare, keys, sorter, position, pids, .. } = self;
        let n = pids.len() - 1;
        let position = &position[..=n];
        let at = |pid: u32| u64::from(position[pid as usize]);
        let key = |first: u64, label: u32, count: u64| {
            first << FIRST_AT | u64::from(label) << LABEL_AT | count << COUNT_AT
        };
        keys.clear();
        keys.extend(bare.iter().map(|&label| key(0, label, 0)));
        keys.extend(others.iter().map(|&Other { label, pid }| key(at(pid), label, 1)));
        let single = pairs.iter().filter(|pair| pair.count == 1);
        keys.extend(single.map(|&Pair { label, from, to, .. }| key(at(from), label, 2) | at(to)));
        sorter.sort(keys, FIRST_AT, n);
        let mut room = writer.room(1 + 3 * keys.len());
        room.write(keys.len() as u32);
        for &key in &*keys {
            let count = (key >> COUNT_AT) as u32 & 3;
            let label = (key >> LABEL_AT) as u32 & (LABELS - 1);
            let second = key as u32 & ((1 << COUNT_AT) - 1);
            room.write_few(count as usize + 1, [label, (key >> FIRST_AT) as u32, second]);
        }
    }
}
