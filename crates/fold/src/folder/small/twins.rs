//! Twins in small states; see [`plain`](super::plain).

use super::{MOST, PID_AT, Small, TWO, repeated};

impl Small {
    /// Whether pids whose keys are next to each other, and differ only in the pid, are twins.
    #[inline(never)]
    pub(super) fn are_twins_where_tied(&self, keys: &[u32]) -> bool {
        keys.windows(2).all(|pair| {
            let is_tied = (pair[0] ^ pair[1]) < MOST as u32;
            !is_tied || self.are_twins(keys.len(), pair[0] % MOST as u32, pair[1] % MOST as u32)
        })
    }

    /// Whether interchanging two pids, of `n`, keeps the state. Exact.
    ///
    /// Nobody descends from himself, so neither may be above anyone: its children would have to be those of both.
    fn are_twins(&self, n: usize, a: u32, b: u32) -> bool {
        let (one, other) = (&self.pids[a as usize], &self.pids[b as usize]);
        let swapped = |pid: u32| match pid {
            pid if pid == a => b,
            pid if pid == b => a,
            pid => pid,
        };
        let image = |token: u32| {
            const FIRST: u32 = (MOST as u32 - 1) << PID_AT;
            let first = swapped((token & FIRST) >> PID_AT) << PID_AT;
            let second = if token & TWO > 0 { swapped(token & (TWO - 1)) } else { 0 };
            token & !(FIRST | (TWO - 1)) | first | second
        };
        // No token is there twice, so it is enough that the image of each is there. Pairs that are repeated are among
        // the repeated ones.
        let others = &self.others[..self.other_count];
        (one.own, one.up, one.kind) == (other.own, other.up, other.kind)
            && !self.pids[..n].iter().any(|around| around.up == a || around.up == b)
            && others.iter().all(|&token| image(token) == token || others.contains(&image(token)))
            && repeated::are_kept(&self.repeated, &self.plain_readings, swapped)
    }
}
