//! Twins in small states; see [`plain`](super::plain).

use super::{MOST, PID_AT, Small, repeated};
use crate::Kin;

impl Small {
    /// Whether pids whose keys are next to each other, and differ only in the pid, are twins.
    pub(super) fn are_twins_where_tied(&self, keys: &[u32], kin: &[Kin]) -> bool {
        keys.windows(2).all(|pair| {
            let is_tied = (pair[0] ^ pair[1]) < MOST as u32;
            let [a, b] = [pair[0], pair[1]].map(|key| key % MOST as u32);
            !is_tied || self.are_twins(kin, a, b)
        })
    }

    /// Whether interchanging two pids keeps the state. Exact.
    ///
    /// Nobody descends from himself, so neither may be above anyone: its children would have to be those of both.
    fn are_twins(&self, kin: &[Kin], a: u32, b: u32) -> bool {
        const PIDS: u32 = 0xff << PID_AT | 0xff;
        let swapped = |pid: u32| match pid {
            pid if pid == a => b,
            pid if pid == b => a,
            pid => pid,
        };
        let from = |token: u32| swapped(token >> PID_AT) << PID_AT;
        let of_single = |token: u32| token & !PIDS | from(token);
        let of_pair = |token: u32| token & !PIDS | from(token) | swapped(token & 0xff);
        let [one, other] = [a as usize, b as usize];
        // No token is there twice, so it is enough that the image of each is there.
        let (singles, pairs) = (&self.singles[..self.single_count], &self.pairs[..self.pair_count]);
        let repeated = &self.repeated[..self.repeated_count];
        // Those without a token have 0, and others their pid in it.
        (self.own[one] & !PIDS) == (self.own[other] & !PIDS)
            && (kin[one].active, kin[one].ancestor) == (kin[other].active, kin[other].ancestor)
            && !self.above[..kin.len()].iter().any(|&pid| [a, b].contains(&u32::from(pid)))
            && singles.iter().all(|&token| singles.contains(&of_single(token)))
            && pairs.iter().all(|&token| pairs.contains(&of_pair(token)))
            && repeated::are_kept(repeated, &self.plain_readings, swapped)
    }
}
