//! Codes of numbers: asked for each part of each row, so a table with open addressing.

/// The codes that numbers have, from 1 in the order in which they were given.
#[derive(Debug, Default)]
pub(super) struct Codes {
    /// Number and code; code 0 is a free slot. At most half are full.
    slots: Vec<(u32, u32)>,
    len: usize,
}

impl Codes {
    /// The code of a number, and whether it is new.
    #[inline]
    pub(super) fn code(&mut self, number: u32) -> (u32, bool) {
        if (self.len + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let at = self.slot(number);
        if self.slots[at].1 != 0 {
            return (self.slots[at].1, false);
        }
        self.len += 1;
        self.slots[at] = (number, self.len as u32);
        (self.len as u32, true)
    }

    /// The number of codes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Forgets all codes.
    pub(super) fn clear(&mut self) {
        *self = Codes::default();
    }

    /// The memory held, in bytes, as allocated.
    pub(super) fn allocated_bytes(&self) -> u64 {
        (self.slots.capacity() * size_of::<(u32, u32)>()) as u64
    }

    /// Where a number is, or would be.
    #[inline]
    fn slot(&self, number: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (number.wrapping_mul(0x9E37_79B9) >> 7) as usize & mask;
        while self.slots[at].1 != 0 && self.slots[at].0 != number {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let wider = vec![(0, 0); (self.slots.len() * 2).max(64)];
        let old = std::mem::replace(&mut self.slots, wider);
        for entry in old.into_iter().filter(|entry| entry.1 != 0) {
            let at = self.slot(entry.0);
            self.slots[at] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_keeps_its_code() {
        let mut codes = Codes::default();
        let number = |i: u32| i.wrapping_mul(0x0100_0193) ^ i << 20;
        for round in 0..2 {
            for i in 0..5000 {
                assert_eq!(codes.code(number(i)), (i + 1, round == 0));
            }
        }
        assert_eq!(codes.len(), 5000);
        codes.clear();
        assert_eq!(codes.code(7), (1, true));
    }
}
