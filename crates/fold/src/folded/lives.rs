//! What becomes of threads: along each mode of a state, which thread of it is which one of the successor.
//!
//! A thread of a class is told by its family and by its number in the canonical form of the family. Of families that
//! are alike one stands for all, since an automorphism exchanges them; so the threads of a class are numbered
//! through its different families. A mode that looks at one family does the same to its threads wherever the
//! family occurs, and is followed once; nothing becomes of the others. So the cost of a state is that of
//! expanding it, and one entry for each mode and thread.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

use super::{Folded, NONE, Scope};
use crate::family_table::{FamilyId, FamilyTable, Spot, read_ids, write_ids, write_merged};
use crate::{Folder, Reach, Role, Rules, Sink, Working};
use explore::Successors;

/// Moves are forgotten when they are about more threads than this. They can be followed again.
const MOST_REMEMBERED: usize = 1 << 22;

/// What a mode does to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// The thread, by its number in the state.
    pub thread: u32,
    /// Its part in the mode.
    pub role: Role,
    /// Its number in the successor; none if it is gone.
    pub becomes: Option<u32>,
}

/// What was found out about families and their threads.
pub struct Lives {
    /// For each transition the variables for threads that take part, and their parts.
    roles: Vec<Vec<(usize, Role)>>,
    /// The threads of families that were met: their indices, and whether each is where it may be for ever.
    threads: HashMap<FamilyId, Vec<(u32, bool)>, BuildHasherDefault<FxHasher>>,
    /// The moves of a family and a rest.
    moves: HashMap<(FamilyId, FamilyId, Scope), Vec<Move>, BuildHasherDefault<FxHasher>>,
    /// How many threads they are about, roughly.
    remembered: usize,
    ids: Vec<FamilyId>,
    next: Vec<FamilyId>,
    bytes: Vec<u8>,
    lives: Vec<Life>,
}

/// What happens to the threads of a family.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Move {
    /// The families it leads to.
    pub(super) targets: Vec<FamilyId>,
    /// The part of each thread, in the order of [`Lives::threads`], and where it is afterwards.
    pub(super) threads: Vec<(Role, Option<Spot>)>,
}

impl<R: Rules> Folded<R> {
    /// What is needed to follow threads; `None` where members of classes are folded, too.
    #[must_use]
    pub fn lives(&self) -> Option<Lives> {
        self.members.is_none().then(|| Lives {
            roles: self.rules.roles(),
            threads: HashMap::default(),
            moves: HashMap::default(),
            remembered: 0,
            ids: Vec::new(),
            next: Vec::new(),
            bytes: Vec::new(),
            lives: Vec::new(),
        })
    }

    /// For each thread of a state, of alike ones one, whether it is where it may be for ever.
    pub fn threads(&self, lives: &mut Lives, bytes: &[u8], idle: &mut Vec<bool>) {
        idle.clear();
        let mut ids = std::mem::take(&mut lives.ids);
        read_ids(bytes, &mut ids);
        ids.dedup();
        for &id in &ids {
            idle.extend(self.family_threads(lives, id).iter().map(|(_, idle)| *idle));
        }
        lives.ids = ids;
    }

    /// How many threads of a state have one of these numbers, ascending: as many as there are families that are alike.
    #[must_use]
    pub fn count_threads(&self, lives: &mut Lives, bytes: &[u8], numbers: &[u32]) -> u32 {
        let mut ids = Vec::new();
        read_ids(bytes, &mut ids);
        let (mut count, mut first) = (0, 0);
        for copies in ids.chunk_by(|a, b| a == b) {
            let next = first + self.family_threads(lives, copies[0]).len() as u32;
            let [from, to] = [first, next].map(|end| numbers.partition_point(|n| *n < end));
            count += (to - from) * copies.len();
            first = next;
        }
        count as u32
    }

    /// For each pid of a working state the number of the thread that it is in its class, if it is one.
    pub fn numbers(&mut self, lives: &mut Lives, mut working: Working) -> Vec<Option<u32>> {
        let (mut ids, mut spots) = (Vec::new(), Vec::new());
        self.table.number_followed(&mut working, &mut self.folder, &mut ids, &mut spots);
        ids.iter().for_each(|&id| _ = self.family_threads(lives, id));
        spots.iter().map(|spot| lives.number(&ids, (*spot)?)).collect()
    }

    /// Gives the successor of each mode of a state to `take`, with what becomes of the threads. Modes that
    /// are alike may be given once.
    ///
    /// # Errors
    /// If the model faults.
    pub fn follow(
        &mut self,
        lives: &mut Lives,
        bytes: &[u8],
        take: &mut dyn FnMut(&[u8], &[Life]),
    ) -> Result<(), R::Fault> {
        let mut ids = std::mem::take(&mut lives.ids);
        read_ids(bytes, &mut ids);
        self.table.learn(&ids, &self.folder, &mut self.scratch);
        ids.iter().for_each(|&id| _ = self.family_threads(lives, id));
        let rest = ids.iter().copied().find(|&id| !self.table.facts(id).has_pids).unwrap_or(NONE);
        let is_choice = ids.iter().any(|id| self.is_forgotten_family(*id));
        let is_reduced = !is_choice && self.rules.is_reduced();
        if is_reduced && self.follow_reduced(lives, bytes, &ids, rest, take)? {
            lives.ids = ids;
            return Ok(());
        }
        for copies in ids.chunk_by(|a, b| a == b).filter(|copies| copies[0] != rest) {
            if is_choice && !self.is_forgotten_family(copies[0]) {
                continue;
            }
            for (reach, rest) in [(Reach::Family, NONE), (Reach::FamilyAndRest, rest)] {
                if self.rules.has_reach(reach) {
                    let part = (copies[0], rest);
                    self.follow_family(lives, &ids, (Scope::of(reach), reach), part, take)?;
                }
            }
        }
        if self.rules.has_reach(Reach::Rest) && !is_choice {
            let what = (Scope::WithRest, Reach::Rest);
            self.follow_family(lives, &ids, what, (NONE, rest), take)?;
        }
        if self.rules.has_reach(Reach::State) {
            self.follow_whole(lives, &ids, rest, take, |rules, state, sink| {
                rules.fire(state, Reach::State, sink).map(|()| true)
            })?;
        }
        lives.ids = ids;
        Ok(())
    }

    /// Follows a part of what is enabled, as it is fired where a state is expanded; `false` if that is all.
    fn follow_reduced(
        &mut self,
        lives: &mut Lives,
        bytes: &[u8],
        ids: &[FamilyId],
        rest: FamilyId,
        take: &mut dyn FnMut(&[u8], &[Life]),
    ) -> Result<bool, R::Fault> {
        self.observe(bytes);
        self.find_families();
        if let Some((family, scope)) = self.alone(rest, &mut Successors::default())? {
            self.follow_family(lives, ids, (scope, Reach::State), (family, rest), take)?;
            return Ok(true);
        }
        match self.is_of_few() {
            true => self.follow_whole(lives, ids, rest, take, |rules, state, sink| {
                rules.fire_some(state, sink)
            }),
            false => Ok(false),
        }
    }

    /// Follows what happens within a family and a rest (`NONE` where there is none) of a state.
    fn follow_family(
        &mut self,
        lives: &mut Lives,
        ids: &[FamilyId],
        (scope, reach): (Scope, Reach),
        (family, rest): (FamilyId, FamilyId),
        take: &mut dyn FnMut(&[u8], &[Life]),
    ) -> Result<(), R::Fault> {
        let key = (family, rest, scope);
        let moves = match lives.moves.remove(&key) {
            Some(moves) => moves,
            None => self.find_lives(lives, (scope, reach), family, rest)?,
        };
        let mut kept = ids.to_vec();
        for left in [family, rest].into_iter().filter(|&id| id != NONE) {
            kept.remove(kept.iter().position(|&id| id == left).expect("it is one of the state"));
        }
        for step in &moves {
            lives.bytes.clear();
            write_merged(&kept, &step.targets, &mut lives.bytes);
            lives.tell(ids, family, &kept, step);
            take(&lives.bytes, &lives.lives);
        }
        if lives.remembered > MOST_REMEMBERED {
            lives.remembered = 0;
            lives.moves.clear();
        }
        lives.moves.insert(key, moves);
        Ok(())
    }

    /// The moves of a family and a rest.
    pub(super) fn find_lives(
        &mut self,
        lives: &mut Lives,
        (scope, reach): (Scope, Reach),
        family: FamilyId,
        rest: FamilyId,
    ) -> Result<Vec<Move>, R::Fault> {
        let (mut found, mut met) = (Vec::new(), Vec::new());
        let threads = lives.threads.get(&family).cloned().unwrap_or_default();
        let follow = |next: &[FamilyId], spots: &[Option<Spot>], acting: &[(u32, Role)]| {
            let of = |&(pid, _): &(u32, bool)| (role(acting, pid), spots[pid as usize]);
            met.extend_from_slice(next);
            found.push(Move { targets: next.to_vec(), threads: threads.iter().map(of).collect() });
        };
        let outside = match scope {
            Scope::Family | Scope::WithRest => None,
            Scope::Alone(outside) => Some(self.outside.places(outside)),
        };
        let part = [family, rest].into_iter();
        self.watch(part, &lives.roles, follow, |rules, part, sink| match &outside {
            None => rules.fire(part, reach, sink),
            Some(outside) => rules.fire_alone(part, outside, sink).map(drop),
        })?;
        met.iter().for_each(|&id| _ = self.family_threads(lives, id));
        for step in &mut found {
            for (_, spot) in &mut step.threads {
                *spot = spot.filter(|spot| lives.is_thread(*spot));
            }
        }
        found.sort_unstable();
        found.dedup();
        lives.remembered += found.len() * (1 + threads.len());
        Ok(found)
    }

    /// Follows what `fire` fires on the whole state, and says what it says.
    fn follow_whole(
        &mut self,
        lives: &mut Lives,
        ids: &[FamilyId],
        rest: FamilyId,
        take: &mut dyn FnMut(&[u8], &[Life]),
        fire: impl FnOnce(&mut R, &Working, &mut dyn Sink) -> Result<bool, R::Fault>,
    ) -> Result<bool, R::Fault> {
        let mut found = Vec::new();
        // In the order in which a state is expanded: what is fired may depend on it.
        let mut families: Vec<FamilyId> = ids.iter().copied().filter(|&id| id != rest).collect();
        self.table.sort(&mut families);
        // The first pid of each family, all in a row, and the threads in it.
        let mut pids = Vec::new();
        let mut first = 0;
        for &family in &families {
            let threads = &lives.threads[&family];
            let numbers = threads.iter().map(|&(pid, _)| lives.number(ids, (family, pid)));
            let numbers = numbers.map(|number| number.expect("it is a thread of the state"));
            pids.extend(threads.iter().map(|&(pid, _)| first + pid).zip(numbers));
            first += self.table.pids(family, &self.folder, &mut self.scratch);
        }
        let families = families.into_iter().chain([rest]);
        let follow = |next: &[FamilyId], spots: &[Option<Spot>], acting: &[(u32, Role)]| {
            let of = |&(pid, number): &(u32, u32)| (number, role(acting, pid), spots[pid as usize]);
            found.push((next.to_vec(), pids.iter().map(of).collect::<Vec<_>>()));
        };
        let fired = self.watch(families, &lives.roles, follow, fire)?;
        for (next, threads) in found {
            next.iter().for_each(|&id| _ = self.family_threads(lives, id));
            lives.lives.clear();
            for (thread, role, spot) in threads {
                let becomes = spot.and_then(|spot| lives.number(&next, spot));
                lives.lives.push(Life { thread, role, becomes });
            }
            lives.bytes.clear();
            write_ids(&next, &mut lives.bytes);
            take(&lives.bytes, &lives.lives);
        }
        Ok(fired)
    }

    /// Lets `fire` fire on some families (`NONE` where there is none). Gives the families of each
    /// successor to `take`, where each pid is, and who takes part.
    fn watch<T>(
        &mut self,
        families: impl Iterator<Item = FamilyId>,
        roles: &[Vec<(usize, Role)>],
        take: impl FnMut(&[FamilyId], &[Option<Spot>], &[(u32, Role)]),
        fire: impl FnOnce(&mut R, &Working, &mut dyn Sink) -> T,
    ) -> T {
        let Folded { rules, folder, table, atoms, scratch, next, .. } = self;
        atoms.clear();
        for id in families.filter(|&id| id != NONE) {
            table.append(id, folder, scratch, atoms);
        }
        let (spots, acting) = (Vec::new(), Vec::new());
        let mut sink = Watch { folder, table, next, roles, spots, acting, take };
        fire(rules, atoms, &mut sink)
    }

    /// The threads of a family.
    pub(super) fn family_threads<'l>(
        &self,
        lives: &'l mut Lives,
        id: FamilyId,
    ) -> &'l [(u32, bool)] {
        lives.threads.entry(id).or_insert_with(|| {
            let family = self.family(id);
            let mut threads = Vec::new();
            let flows = self.rules.schema().places.iter().enumerate().filter(|(_, at)| at.flow);
            for (place, _) in flows {
                let idle = self.rules.is_idle(place);
                threads.extend(family.entries(place).map(|entry| (entry[1], idle)));
            }
            threads.sort_unstable();
            threads
        })
    }
}

impl Lives {
    fn is_thread(&self, (family, pid): Spot) -> bool {
        let threads = &self.threads[&family];
        threads.binary_search_by_key(&pid, |(pid, _)| *pid).is_ok()
    }

    /// The number of a thread in a state of these families, which have been met; nothing if it is none.
    pub(super) fn number(&self, ids: &[FamilyId], (family, pid): Spot) -> Option<u32> {
        let mut before = 0;
        for (at, &id) in ids.iter().enumerate().take_while(|(_, id)| **id < family) {
            if at == 0 || ids[at - 1] != id {
                before += self.threads[&id].len();
            }
        }
        let rank = self.threads[&family].binary_search_by_key(&pid, |(pid, _)| *pid).ok()?;
        Some((before + rank) as u32)
    }

    /// Says what becomes of the threads of a state when a family of it moves; `kept` are those that do not.
    fn tell(&mut self, ids: &[FamilyId], family: FamilyId, kept: &[FamilyId], step: &Move) {
        let mut next = std::mem::take(&mut self.next);
        read_ids(&self.bytes, &mut next);
        let mut told = std::mem::take(&mut self.lives);
        told.clear();
        let mut number = 0;
        for copies in ids.chunk_by(|a, b| a == b) {
            let id = copies[0];
            let stays = kept.binary_search(&id).is_ok();
            for (at, &(pid, _)) in self.threads[&id].iter().enumerate() {
                let thread = number + at as u32;
                if id == family {
                    let (role, spot) = step.threads[at];
                    let becomes = spot.and_then(|spot| self.number(&next, spot));
                    told.push(Life { thread, role, becomes });
                }
                if stays {
                    let becomes = self.number(&next, (id, pid));
                    told.push(Life { thread, role: Role::default(), becomes });
                }
            }
            number += self.threads[&id].len() as u32;
        }
        (self.next, self.lives) = (next, told);
    }
}

/// The part of a pid.
fn role(acting: &[(u32, Role)], pid: u32) -> Role {
    acting.iter().find(|(other, _)| *other == pid).map_or(Role::default(), |(_, role)| *role)
}

/// Numbers the families of successors, and follows the pids into them.
struct Watch<'a, F> {
    folder: &'a mut Folder,
    table: &'a mut FamilyTable,
    next: &'a mut Vec<FamilyId>,
    roles: &'a [Vec<(usize, Role)>],
    spots: Vec<Option<Spot>>,
    acting: Vec<(u32, Role)>,
    take: F,
}

impl<F: FnMut(&[FamilyId], &[Option<Spot>], &[(u32, Role)])> Sink for Watch<'_, F> {
    fn emit(&mut self, transition: u32, successor: &mut Working) {
        self.emit_mode(transition, &[], successor);
    }

    fn emit_mode(&mut self, transition: u32, binding: &[i64], successor: &mut Working) {
        let roles = self.roles.get(transition as usize).into_iter().flatten();
        let bound = roles.filter_map(|(var, role)| Some((*binding.get(*var)? as u32, *role)));
        self.acting.clear();
        self.acting.extend(bound);
        self.table.number_followed(successor, self.folder, self.next, &mut self.spots);
        (self.take)(self.next, &self.spots, &self.acting);
    }

    fn enough(&mut self) -> bool {
        false
    }
}
