//! Threads without a prospect, by what can become of their families.
//!
//! Where threads are created for ever, the states never come to an end, and of no state is it ever known what can follow.
//! But families do not know each other: if no transition looks at several, what becomes of one depends on it and on the
//! rest alone. So all families and rests that may ever be there are found by firing each family with each rest, as if
//! any could meet any. That is more than can happen, so a thread that has no prospect there has none in any state in which
//! its family is.
//!
//! Cost: each family is fired once with each rest, up to [`MOST_PAIRS`] of them; beyond that nothing is said.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

use super::lives::{Lives, Move};
use super::{Folded, NONE, Scope};
use crate::family_table::{FamilyId, read_ids};
use crate::{Reach, Role, Rules};

/// No more families are fired with a rest.
const MOST_PAIRS: usize = 1 << 14;

/// The threads of families that have no prospect, whatever else there is, by their indices.
pub struct Lost(HashMap<FamilyId, Vec<u32>, BuildHasherDefault<FxHasher>>);

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
    families: Vec<FamilyId>,
    rests: Vec<FamilyId>,
    /// What each family may do.
    moves: HashMap<FamilyId, Vec<Move>, BuildHasherDefault<FxHasher>>,
}

impl Closure {
    /// Adds the families among these, and gives the rest.
    fn add_families<R: Rules>(&mut self, folded: &Folded<R>, ids: &[FamilyId]) -> FamilyId {
        let mut rest = NONE;
        for &id in ids {
            if !folded.table.facts(id).has_pids {
                rest = id;
            } else if !self.moves.contains_key(&id) {
                self.moves.insert(id, Vec::new());
                self.families.push(id);
            }
        }
        rest
    }

    /// The same, and the rest is added, too.
    fn add<R: Rules>(&mut self, folded: &Folded<R>, ids: &[FamilyId]) {
        let rest = self.add_families(folded, ids);
        if !self.rests.contains(&rest) {
            self.rests.push(rest);
        }
    }
}

impl<R: Rules> Folded<R> {
    /// The threads that have no prospect wherever their family is, of all families that may ever be there after a state.
    /// A move fulfils the prospect of a thread if its part says so. Nothing if that is not known: something looks at
    /// several families, ends everything or may fault, there are too many, or there is no more time.
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
        let mut ids = Vec::new();
        read_ids(first, &mut ids);
        self.table.learn(&ids, &self.folder, &mut self.scratch);
        let mut closure = Closure::default();
        closure.add(self, &ids);
        // The families and rests that have been fired, each with each of the others.
        let (mut families, mut rests) = (0, 0);
        while families < closure.families.len() || rests < closure.rests.len() {
            let is_family = families < closure.families.len();
            let pairs: Vec<(FamilyId, FamilyId)> = match is_family {
                true => {
                    let family = closure.families[families];
                    families += 1;
                    closure.rests[..rests].iter().map(|rest| (family, *rest)).collect()
                }
                false => {
                    let rest = closure.rests[rests];
                    rests += 1;
                    closure.families[..families].iter().map(|family| (*family, rest)).collect()
                }
            };
            if families * rests > MOST_PAIRS || is_over() {
                return None;
            }
            let alone = match is_family {
                true => (Scope::Family, Reach::Family, (closure.families[families - 1], NONE)),
                false => (Scope::WithRest, Reach::Rest, (NONE, closure.rests[rests - 1])),
            };
            let with = |pair| (Scope::WithRest, Reach::FamilyAndRest, pair);
            for (scope, reach, (family, rest)) in pairs.into_iter().map(with).chain([alone]) {
                if !self.rules.has_reach(reach) || reach == Reach::Rest && rest == NONE {
                    continue;
                }
                if family != NONE {
                    self.family_threads(lives, family);
                }
                let found = self.find_lives(lives, (scope, reach), family, rest).ok()?;
                for step in found {
                    if step.threads.iter().any(|(role, _)| role.ends_all) {
                        return None;
                    }
                    match reach {
                        Reach::Family => _ = closure.add_families(self, &step.targets),
                        _ => closure.add(self, &step.targets),
                    }
                    if let Some(moves) = closure.moves.get_mut(&family) {
                        moves.push(step);
                    }
                }
            }
        }
        Some(self.without_hope(lives, &closure, fulfils))
    }

    /// The threads from which no move leads to one that fulfils their prospect.
    fn without_hope(
        &self,
        lives: &mut Lives,
        closure: &Closure,
        fulfils: &dyn Fn(&Role) -> bool,
    ) -> Lost {
        let mut hopes: HashMap<FamilyId, Vec<(u32, bool)>, BuildHasherDefault<FxHasher>> =
            HashMap::default();
        for &family in &closure.families {
            hopes.insert(family, self.family_threads(lives, family).to_vec());
        }
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for family in &closure.families {
                let mut threads = hopes[family].clone();
                for step in &closure.moves[family] {
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
