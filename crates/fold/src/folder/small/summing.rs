//! Words for what is around each pid of a small state.

use super::{LABEL_AT, MOST, PID_AT, PLACES, Repeated, Small, kind, plain};
use crate::Kin;

impl Small {
    /// Sums up what is around each pid, and makes the least token of each its own.
    #[inline(always)]
    pub(super) fn add_up<const BOTH: bool>(&mut self, kin: &[Kin]) {
        let Small { own, singles, pairs, repeated, above, words, sums, of_label, .. } = self;
        let of_token = |token: u32| of_label[(token >> LABEL_AT) as usize % of_label.len()];
        for (pid, kin) in kin.iter().enumerate() {
            let kind = u64::from(kind::<BOTH>(kin)) << 56;
            words[pid] = of_token(own[pid]).wrapping_add(kind);
            above[pid] = kin.ancestor.low_bits();
            sums[pid] = 0;
        }
        for listed in singles.iter_mut().take(self.single_count) {
            let token = *listed;
            let pid = (token >> PID_AT) as usize % MOST;
            words[pid] = words[pid].wrapping_add(of_token(token));
            (own[pid], *listed) = (own[pid].min(token), own[pid].max(token));
        }
        if self.repeated_count > 0 {
            add_repeated(&repeated[..self.repeated_count], &self.plain_readings, words);
        }
        for pid in 0..kin.len() {
            let sum = &mut sums[usize::from(above[pid]) % PLACES];
            *sum = sum.wrapping_add(words[pid]);
        }
        for &token in pairs.iter().take(self.pair_count) {
            let (from, to) = ((token >> PID_AT) as usize % MOST, token as usize % MOST);
            let link = of_token(token);
            sums[from] = sums[from].wrapping_add(words[to] ^ link);
            sums[to] = sums[to].wrapping_add(words[from] ^ link.rotate_left(32));
        }
    }
}

/// Adds tokens that are there more than once to the words of their pids.
#[inline(never)]
fn add_repeated(
    repeated: &[Repeated],
    readings: &[Option<plain::Reading>],
    words: &mut [u64; PLACES],
) {
    for token in repeated {
        let (mut what, pids) = token.parts(readings);
        for pid in pids {
            let word = &mut words[pid as usize % MOST];
            *word = word.wrapping_add(what);
            // The second of two pids is not as the first.
            what = what.rotate_left(32);
        }
    }
}
