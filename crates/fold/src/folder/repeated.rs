//! Tokens of plain states that are there more than once. They are written in full, in order.

use super::mixing::mix;
use super::plain::Reading;
use crate::writer::Writer;

/// No token of a plain state has more words: two pids, a datum, and how often it is there.
pub(super) const MOST_STRIDE: usize = 4;

/// A token that is there more than once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Repeated {
    place: u32,
    /// Its words, and zeros where it has fewer.
    entry: [u32; MOST_STRIDE],
}

impl Repeated {
    #[inline(always)]
    pub(super) fn of(place: usize, entry: &[u32]) -> Repeated {
        let mut words = [0; MOST_STRIDE];
        words[..entry.len()].copy_from_slice(entry);
        Repeated { place: place as u32, entry: words }
    }

    /// A word for what it is but for its pids, and the pids. Of each place it is said how it is read.
    pub(super) fn parts<'a>(
        &'a self,
        readings: &[Option<Reading>],
    ) -> (u64, impl Iterator<Item = u32> + 'a) {
        let reading = readings[self.place as usize].expect("it was read");
        let mut word = u64::from(self.place);
        for (at, &part) in self.entry.iter().enumerate() {
            let part = if at > 0 && reading.pids.contains(&at) { 0 } else { part };
            word = mix(word.rotate_left(32) ^ u64::from(part));
        }
        (word, reading.pids.into_iter().filter(|&at| at > 0).map(|at| self.entry[at]))
    }

    /// The token with pids renamed. Of each place it is said how it is read.
    fn renamed(&self, readings: &[Option<Reading>], name: impl Fn(u32) -> u32) -> Repeated {
        let mut renamed = *self;
        let reading = readings[self.place as usize].expect("it was read");
        for at in reading.pids.into_iter().filter(|&at| at > 0) {
            renamed.entry[at] = name(self.entry[at]);
        }
        renamed
    }
}

/// Whether a renaming keeps these tokens. It must be one-to-one, and no token may be listed twice.
pub(super) fn are_kept(
    repeated: &[Repeated],
    readings: &[Option<Reading>],
    name: impl Fn(u32) -> u32,
) -> bool {
    repeated.iter().all(|token| repeated.contains(&token.renamed(readings, &name)))
}

/// Writes these tokens, pids being known by their positions.
#[inline(never)]
pub(super) fn write(
    repeated: &mut [Repeated],
    readings: &[Option<Reading>],
    position: &[u32],
    writer: &mut Writer,
) {
    for token in &mut *repeated {
        *token = token.renamed(readings, |pid| position[pid as usize]);
    }
    repeated.sort_unstable();
    for &Repeated { place, entry } in &*repeated {
        let stride = readings[place as usize].expect("it was read").stride;
        let mut room = writer.room(1 + stride);
        room.write(place);
        entry[..stride].iter().for_each(|&word| room.write(word));
    }
}
