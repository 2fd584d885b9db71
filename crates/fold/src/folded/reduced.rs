//! Expanding a state by a part of what is enabled, where that is enough ([`Rules::is_reduced`]).
//!
//! Who may wait is asked of each family first, with what can be seen of the others from outside: at which places their
//! threads are. The answer is the same wherever the family, the rest and these places are the same, and is remembered
//! as moves are. Of the families that may move alone, the first with the fewest moves does. Where none may, there may
//! be several that may together, which is asked of the whole state if there are few.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::iter::repeat_n;

use explore::Successors;
use rustc_hash::FxHasher;

use super::{Folded, NONE, Scope, commit};
use crate::family_table::FamilyId;
use crate::{Reach, Rules, Schema};

/// In a state of more families than this, several that may move together are not looked for.
const FEW: usize = 8;

/// Sets of flow places, numbered.
pub(super) struct Outside {
    flow: Vec<usize>,
    numbers: HashMap<Box<[usize]>, u32, BuildHasherDefault<FxHasher>>,
    sets: Vec<Box<[usize]>>,
    scratch: Vec<usize>,
}

impl Outside {
    pub(super) fn of(schema: &Schema) -> Outside {
        let flow = (0..schema.places.len()).filter(|place| schema.places[*place].flow).collect();
        let (numbers, sets, scratch) = Default::default();
        Outside { flow, numbers, sets, scratch }
    }

    /// The number of the places where there are tokens beside these.
    fn number(&mut self, all: &[u64], own: &[u32]) -> u32 {
        let Outside { flow, numbers, sets, scratch } = self;
        let is_outside = |place: &usize| all[*place] > u64::from(own[*place]);
        scratch.clear();
        scratch.extend(flow.iter().copied().filter(is_outside));
        if let Some(&number) = numbers.get(&**scratch) {
            return number;
        }
        let number = sets.len() as u32;
        sets.push(scratch.as_slice().into());
        numbers.insert(scratch.as_slice().into(), number);
        number
    }

    /// The places of this number.
    pub(super) fn places(&self, number: u32) -> Box<[usize]> {
        self.sets[number as usize].clone()
    }
}

impl<R: Rules> Folded<R> {
    /// Puts the successors of the state that was observed last by a part of what is enabled into `found`; `false` if
    /// it has to be all.
    pub(super) fn expand_reduced(
        &mut self,
        rest: FamilyId,
        found: &mut Successors,
    ) -> Result<bool, R::Fault> {
        if let Some((family, scope)) = self.alone(rest, found)? {
            let moves = self.moves(scope, Reach::State, family, rest, found)?;
            self.commit_moves(moves, family, rest, 1, found);
            return Ok(true);
        }
        if !self.is_of_few() {
            return Ok(false);
        }
        let families = std::mem::take(&mut self.families);
        let copies = families.iter().flat_map(|&(_, id, copies)| repeat_n(id, copies));
        let fired = self.fire_by(copies.chain([rest]), found, commit, |rules, state, sink| {
            rules.fire_some(state, sink)
        });
        self.families = families;
        fired
    }

    /// Whether the state has few families.
    pub(super) fn is_of_few(&self) -> bool {
        self.families.iter().map(|(.., copies)| copies).sum::<usize>() <= FEW
    }

    /// The family that may move alone, if there is one, in the state whose families were found last.
    pub(super) fn alone(
        &mut self,
        rest: FamilyId,
        found: &mut Successors,
    ) -> Result<Option<(FamilyId, Scope)>, R::Fault> {
        if let [] | [(.., 1)] = self.families[..] {
            return Ok(None);
        }
        let mut best: Option<(u32, FamilyId, Scope)> = None;
        for at in 0..self.families.len() {
            let (_, family, _) = self.families[at];
            let Folded { outside, table, counts, .. } = self;
            let scope = Scope::Alone(outside.number(counts, table.tokens(family)));
            let (start, end) = self.moves(scope, Reach::State, family, rest, found)?;
            let moves = end - start;
            if moves > 0 && best.is_none_or(|(fewest, ..)| moves < fewest) {
                best = Some((moves, family, scope));
            }
        }
        Ok(best.map(|(_, family, scope)| (family, scope)))
    }

    /// Fires what is enough of a family and a rest, with these places outside.
    pub(super) fn fire_alone(
        &mut self,
        family: FamilyId,
        rest: FamilyId,
        outside: u32,
        found: &mut Successors,
        take: impl FnMut(u32, &[FamilyId], &mut Successors),
    ) -> Result<(), R::Fault> {
        let places = self.outside.places(outside);
        let part = [family, rest].into_iter();
        let fired = self
            .fire_by(part, found, take, |rules, part, sink| rules.fire_alone(part, &places, sink));
        fired.map(drop)
    }

    /// Finds the families of a state, and gives the one without pids.
    pub(super) fn find_families(&mut self) -> FamilyId {
        let mut rest = NONE;
        self.families.clear();
        for copies in self.ids.chunk_by(|a, b| a == b) {
            let facts = self.table.facts(copies[0]);
            if facts.has_pids {
                self.families.push((facts.rank, copies[0], copies.len()));
            } else {
                rest = copies[0];
            }
        }
        self.families.sort_unstable();
        rest
    }
}
