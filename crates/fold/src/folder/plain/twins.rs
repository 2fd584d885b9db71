//! Twins: two pids that may be interchanged, everything else staying as it is.

use super::Plain;
use super::reading::{Other, Pair};
use crate::folder::repeated;

impl Plain {
    /// Whether interchanging two pids keeps the state. Exact; linear, but for the tokens that they share with others.
    ///
    /// Nobody descends from himself, so neither may be above anyone: its children would have to be those of both.
    pub(super) fn are_twins(&self, a: u32, b: u32) -> bool {
        let pids = &self.pids[..self.pids.len() - 1];
        let (one, other) = (&pids[a as usize], &pids[b as usize]);
        let is_one = |pid: u32| pid == a || pid == b;
        let swapped = |pid: u32| match pid {
            pid if pid == a => b,
            pid if pid == b => a,
            pid => pid,
        };
        // No token is there twice, so it is enough that the image of each is there.
        (one.own, one.up, one.kind) == (other.own, other.up, other.kind)
            && !pids.iter().any(|around| is_one(around.up))
            && self
                .others
                .iter()
                .filter(|token| is_one(token.pid))
                .all(|token| self.others.contains(&Other { pid: swapped(token.pid), ..*token }))
            && self.pairs.iter().filter(|pair| is_one(pair.from) || is_one(pair.to)).all(|pair| {
                let (from, to) = (swapped(pair.from), swapped(pair.to));
                self.pairs.contains(&Pair { from, to, ..*pair })
            })
            && repeated::are_kept(&self.repeated, &self.readings, swapped)
    }
}
