//! Threads without a prospect, by what can become of their families.
//!
//! Where threads are created for ever, the states never come to an end, and of no state is it ever known what can follow.
//! But families do not know each other: if no transition looks at several, what becomes of one depends on it and on the
//! rest alone. So all families and rests that may ever be there are found by firing each family with each rest, as if
//! any could meet any. That is more than can happen, so a thread that has no prospect there has none in any state in which
//! its family is.
//!
//! These may have no end either, where something is counted. Then it is known of some families all the same what becomes of
//! them: of those that were fired and do nothing with a rest, as long as they become such families, and if nothing ends
//! everything or fails.
//!
//! Cost: each family is fired once alone, and once with each rest with which it may do something, until [`MOST`] threads
//! were.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

use super::lives::{Lives, Move};
use super::{Folded, NONE, Scope};
use crate::family_table::{FamilyId, read_ids};
use crate::{Reach, Role, Rules};

/// No more threads are fired, those of a family as often as it is.
const MOST: usize = 1 << 12;

type ByFamily<T> = HashMap<FamilyId, T, BuildHasherDefault<FxHasher>>;

/// The threads of families that have no prospect, whatever else there is, by their indices.
pub struct Lost(ByFamily<Vec<u32>>);

impl Lost {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What may ever be there.
#[derive(Default)]
struct Closure {
    /// What each family may do; nothing if that is not known.
    moves: ByFamily<Option<Vec<Move>>>,
    /// The families that may do something with a rest.
    meeting: Vec<FamilyId>,
    rests: Vec<FamilyId>,
    is_rest: HashSet<FamilyId, BuildHasherDefault<FxHasher>>,
    /// What is to be fired: a family, a rest, or both.
    tasks: Vec<(Reach, FamilyId, FamilyId)>,
    /// Whether there was more to fire.
    is_cut: bool,
}

impl Closure {
    fn put(&mut self, reach: Reach, family: FamilyId, rest: FamilyId) {
        match self.tasks.len() < MOST {
            true => self.tasks.push((reach, family, rest)),
            false => self.is_cut = true,
        }
    }

    /// Adds a family. It may do something with a rest if it `meets` one.
    fn add_family(&mut self, family: FamilyId, meets: bool) {
        if self.moves.contains_key(&family) {
            return;
        }
        self.moves.insert(family, None);
        self.put(Reach::Family, family, NONE);
        if meets {
            self.meeting.push(family);
            for at in 0..self.rests.len() {
                self.put(Reach::FamilyAndRest, family, self.rests[at]);
            }
        }
    }

    fn add_rest(&mut self, rest: FamilyId) {
        if !self.is_rest.insert(rest) {
            return;
        }
        self.rests.push(rest);
        if rest != NONE {
            self.put(Reach::Rest, NONE, rest);
        }
        for at in 0..self.meeting.len() {
            self.put(Reach::FamilyAndRest, self.meeting[at], rest);
        }
    }
}

impl<R: Rules> Folded<R> {
    /// The threads that have no prospect wherever their family is, of all families that may be there after a state, as far
    /// as that is known. A move fulfils the prospect of a thread if its part says so. Nothing if something looks at several
    /// families, ends everything or faults.
    pub fn lost(
        &mut self,
        lives: &mut Lives,
        first: &[u8],
        fulfils: &dyn Fn(&Role) -> bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Lost> {
        if self.rules.has_reach(Reach::State) || self.members.is_some() {
            return None;
        }
        let needed = self.rules.needed_beside_rest();
        let mut ids = Vec::new();
        read_ids(first, &mut ids);
        self.table.learn(&ids, &self.folder, &mut self.scratch);
        let mut closure = Closure::default();
        self.close(&mut closure, &needed, &ids, true);
        let (mut done, mut fired) = (0, 0);
        while let Some(&(reach, family, rest)) = closure.tasks.get(done) {
            if fired >= MOST || is_over() {
                closure.is_cut = true;
                break;
            }
            done += 1;
            fired += 1;
            let scope = if reach == Reach::Family { Scope::Family } else { Scope::WithRest };
            let mut found = Vec::new();
            if self.rules.has_reach(reach) {
                if family != NONE {
                    fired += self.family_threads(lives, family).len();
                }
                found = self.find_lives(lives, (scope, reach), family, rest).ok()?;
            }
            for step in &found {
                if step.threads.iter().any(|(role, _)| role.ends_all) {
                    return None;
                }
                self.close(&mut closure, &needed, &step.targets, reach != Reach::Family);
            }
            if let Some(moves) = closure.moves.get_mut(&family) {
                moves.get_or_insert_default().append(&mut found);
            }
        }
        if closure.is_cut {
            // It may end everything where nothing was fired.
            if self.rules.can_end_all() {
                return None;
            }
            for family in &closure.meeting {
                closure.moves.insert(*family, None);
            }
        }
        Some(self.without_hope(lives, &closure, fulfils))
    }

    /// Adds what there is after a step: families, and the rest if that may be another one.
    fn close(
        &self,
        closure: &mut Closure,
        needed: &[Vec<usize>],
        ids: &[FamilyId],
        has_rest: bool,
    ) {
        let is_family = |id: &&FamilyId| self.table.facts(**id).has_pids;
        for id in ids.iter().filter(is_family) {
            let tokens = self.table.tokens(*id);
            let is_there = |place: &usize| tokens[*place] > 0;
            closure.add_family(*id, needed.iter().any(|places| places.iter().all(is_there)));
        }
        if has_rest {
            closure.add_rest(ids.iter().copied().find(|id| !is_family(&id)).unwrap_or(NONE));
        }
    }

    /// The threads from which no move leads to one that fulfils their prospect.
    fn without_hope(
        &self,
        lives: &mut Lives,
        closure: &Closure,
        fulfils: &dyn Fn(&Role) -> bool,
    ) -> Lost {
        // Whoever is in a family of which it is not known what it does has hope.
        let mut hopes: ByFamily<Vec<(u32, bool)>> = ByFamily::default();
        for (&family, moves) in &closure.moves {
            let threads = self.family_threads(lives, family).iter();
            let threads = threads.map(|(pid, idle)| (*pid, *idle || moves.is_none()));
            hopes.insert(family, threads.collect());
        }
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for (family, moves) in &closure.moves {
                let mut threads = hopes[family].clone();
                for step in moves.iter().flatten() {
                    for ((_, hope), (role, spot)) in threads.iter_mut().zip(&step.threads) {
                        let goes_on = |(family, pid): &(FamilyId, u32)| {
                            hopes[family].iter().any(|(other, hope)| other == pid && *hope)
                        };
                        if !*hope && (fulfils(role) || spot.as_ref().is_some_and(goes_on)) {
                            *hope = true;
                            has_changed = true;
                        }
                    }
                }
                hopes.insert(*family, threads);
            }
        }
        let lost = hopes.into_iter().filter_map(|(family, threads)| {
            let lost = threads.into_iter().filter(|(_, hope)| !hope).map(|(pid, _)| pid);
            let lost: Vec<u32> = lost.collect();
            (!lost.is_empty()).then_some((family, lost))
        });
        Lost(lost.collect())
    }

    /// The threads of a state that are lost, by their numbers, ascending.
    pub fn lost_in(&self, lives: &mut Lives, bytes: &[u8], lost: &Lost) -> Vec<u32> {
        let mut ids = Vec::new();
        read_ids(bytes, &mut ids);
        if !ids.iter().any(|id| lost.0.contains_key(id)) {
            return Vec::new();
        }
        ids.iter().for_each(|&id| _ = self.family_threads(lives, id));
        let mut families = ids.clone();
        families.dedup();
        let spots = families.iter().filter_map(|id| Some((*id, lost.0.get(id)?)));
        let spots = spots.flat_map(|(id, pids)| pids.iter().map(move |pid| (id, *pid)));
        spots.filter_map(|spot| lives.number(&ids, spot)).collect()
    }
}
