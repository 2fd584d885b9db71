//! Strings that were sent a short while ago, and need not be sent again.
//!
//! A state is often found several times within a moment, by different ways. Who is to store it has it already, or will
//! have it before the level ends. Whole strings are compared.

/// The strings remembered, at most.
const SLOTS: usize = 1 << 15;
/// The bytes of them, at most.
const BYTES: usize = 1 << 20;

/// A cache of strings: each has one slot where it can be, by its imprint.
#[derive(Debug, Default)]
pub(super) struct Recent {
    /// Imprint, and where the string is; none where the slot is free.
    slots: Vec<(u64, u32, u32)>,
    bytes: Vec<u8>,
}

impl Recent {
    /// Whether a string is not remembered; from now on it is.
    #[inline]
    pub(super) fn is_new(&mut self, imprint: u64, string: &[u8]) -> bool {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, (0, 0, 0));
        }
        let slot = &mut self.slots[imprint as usize % SLOTS];
        let (held, start, end) = *slot;
        if held == imprint && end > 0 && self.bytes[start as usize..end as usize] == *string {
            return false;
        }
        if self.bytes.len() + string.len() > BYTES {
            self.bytes.clear();
            self.slots.fill((0, 0, 0));
        }
        let slot = &mut self.slots[imprint as usize % SLOTS];
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(string);
        // An empty string is never remembered.
        *slot = (imprint, start, self.bytes.len() as u32);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_was_seen_and_imprints_decide_nothing() {
        let mut recent = Recent::default();
        let mut seen = std::collections::BTreeSet::new();
        let mut repeated = 0;
        for i in 0..200_000_u32 {
            let number = i.wrapping_mul(0x9E37_79B9) >> 19;
            let string = number.to_le_bytes();
            // Few imprints, so that many strings have the same.
            let is_new = recent.is_new(u64::from(number % 5000), &string);
            assert!(is_new || seen.contains(&number));
            repeated += u32::from(!is_new);
            seen.insert(number);
            assert!(number % 3 > 0 || !recent.is_new(u64::from(number % 5000), &string));
        }
        assert!(repeated > 0);
        assert!(recent.is_new(1, &[0; 2 * BYTES]) && recent.is_new(1, b""));
    }
}
