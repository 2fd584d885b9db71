//! The order of the pids of a small state, by hashes of what is around them.

use canon::sort_few;

use super::{K1, K2, MOST, PLACES, Small};
use crate::Kin;

impl Small {
    /// Finds the position of each pid; `false` if some are tied that are no twins. There are `N`, or at most [`MOST`], if
    /// `N` is that.
    ///
    /// Each pid counts the hashes that are less than its own. As many pairs of pids are counted as have two hashes, so the
    /// sum tells whether some are tied. Sorting takes no more instructions, but then positions are stored where hashes
    /// say, and what reads them soon has to wait.
    #[inline(always)]
    pub(super) fn rank<const N: usize>(&mut self, kin: &[Kin]) -> bool {
        let are_ranked = match N {
            0..=4 => self.rank_few::<N>(),
            5..=8 => self.rank_several::<8>(kin.len()),
            _ => self.rank_several::<MOST>(kin.len()),
        };
        are_ranked || self.order_tied(kin)
    }

    /// Finds the positions of `N` pids; `false` if some are tied. Words are long so that they are compared one by one,
    /// which is done sooner than several at once.
    #[inline(always)]
    fn rank_few<const N: usize>(&mut self) -> bool {
        let hashes: [u64; N] = std::array::from_fn(|pid| self.hash(pid));
        let mut all = 0;
        for (pid, hash) in hashes.iter().enumerate() {
            let rank: u64 = hashes.iter().map(|other| u64::from(other < hash)).sum();
            self.position[pid] = rank as u32;
            all += rank;
        }
        all == (N * N.saturating_sub(1) / 2) as u64
    }

    /// Finds the positions of at most `N` pids, several at once; `false` if some are tied.
    #[inline(always)]
    fn rank_several<const N: usize>(&mut self, n: usize) -> bool {
        // What is beyond is greater than all hashes.
        let hash = |pid: usize| if pid < n { self.hash(pid) as i32 } else { i32::MAX };
        let hashes: [i32; N] = std::array::from_fn(hash);
        let mut ranks = [0_i32; N];
        for hash in hashes {
            for (rank, other) in ranks.iter_mut().zip(&hashes) {
                *rank += i32::from(*other > hash);
            }
        }
        for (position, rank) in self.position.iter_mut().zip(ranks) {
            *position = rank as u32;
        }
        let all = n * (2 * N - n).wrapping_sub(1) / 2;
        ranks.iter().sum::<i32>() == all as i32
    }

    /// Finds the positions where hashes are tied, if that is between twins.
    #[inline(never)]
    fn order_tied(&mut self, kin: &[Kin]) -> bool {
        let mut keys = [0; MOST];
        let keys = &mut keys[..kin.len()];
        keys.iter_mut().enumerate().for_each(|(pid, key)| {
            *key = (self.hash(pid) as u32) << MOST.ilog2() | pid as u32;
        });
        sort_few(keys);
        for (at, &key) in (0..).zip(&*keys) {
            self.position[key as usize % MOST] = at;
        }
        self.takes_ties_for_twins || self.are_twins_where_tied(keys, kin)
    }

    /// A hash of what is around a pid, its ancestor among it.
    #[inline(always)]
    fn hash(&self, pid: usize) -> u64 {
        let word = self.words[pid].wrapping_mul(K1);
        let above = self.words[usize::from(self.above[pid]) % PLACES].rotate_left(17);
        let sum = self.sums[pid].wrapping_add(word).wrapping_add(above);
        sum.wrapping_mul(K2) >> (self.cut_bits % u64::BITS)
    }
}
