//! The folded state space.
//!
//! A state is a sorted list of the numbers of its families (see `families`). A transition that looks
//! at one family only, or at one family and the rest, does the same wherever that family occurs. So
//! its moves are computed once for each family (and rest), and remembered; to expand a state, the
//! moves of its families are looked up and the lists put together. Of equal families one is looked at,
//! and its modes count as often as it occurs. What looks at more is fired on the whole state. Families are
//! gone through in the order of their ranks, so that successors come in an order that depends on the state
//! alone.
//!
//! Where rules say that a part of what is enabled is enough, that is fired instead (see `reduced`).
//!
//! The rules see the members of classes; families are made of atoms only (see `members`).

mod lives;
mod prospects;
mod reduced;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::io::{self, Read, Write};
use std::iter::repeat_n;

use explore::{Space, Standing, Successors};
use rustc_hash::FxHasher;
use state::Relations;

use crate::family_table::{FamilyId, FamilyTable, Rank, read_ids, write_ids, write_merged};
use crate::members::{Back, Members};
use crate::space::standing;
use crate::{Folder, Reach, Rules, Sink, Working};

pub use lives::{Life, Lives};
pub use prospects::Lost;
use reduced::Outside;

/// Moves are forgotten when they take more bytes than this, …
const MOST_REMEMBERED: usize = 1 << 26;
/// … or those of all workers together might take more than this. They can be computed again.
const MOST_REMEMBERED_BY_ALL: usize = 1 << 28;
/// Instead of a rest or a family where there is none.
const NONE: FamilyId = FamilyId::MAX;

/// What is fired on a family and a rest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Scope {
    /// What looks at the family alone; there is no rest.
    Family,
    /// What looks at the rest, too.
    WithRest,
    /// Some of both, where threads of other families are at the places of this number.
    Alone(u32),
}

impl Scope {
    fn of(reach: Reach) -> Scope {
        if reach == Reach::Family { Scope::Family } else { Scope::WithRest }
    }
}

/// What makes atoms of members, and members again.
type Conversion = Box<(Members, Back)>;

/// A state as it is made of families.
fn embedded<'a>(members: &'a mut Option<Conversion>, working: &'a mut Working) -> &'a mut Working {
    match members {
        Some(members) => members.0.embed(working),
        None => working,
    }
}

/// A state made of families as rules see it; `scratch` may be overwritten.
fn projected<'a>(
    members: &mut Option<Conversion>,
    atoms: &'a Working,
    scratch: &'a mut Working,
) -> &'a Working {
    match members.as_deref_mut() {
        Some((members, back)) => {
            members.project(atoms, scratch, back);
            scratch
        }
        None => atoms,
    }
}

/// The folded state space of a system given by rules.
pub struct Folded<R> {
    rules: R,
    relations: Relations,
    folder: Folder,
    table: FamilyTable,
    moves: Moves,
    /// Where there are classes: what makes atoms of their members, and members again.
    members: Option<Conversion>,
    /// What is fired on, as it is made of families.
    atoms: Working,
    /// The same as rules see it, where there are classes.
    source: Working,
    /// A family that is decoded.
    scratch: Working,
    /// The families of the state being expanded.
    ids: Vec<FamilyId>,
    /// Those of them that have pids, by rank, each once, with the number of its copies.
    families: Vec<(Rank, FamilyId, usize)>,
    /// The families of a successor.
    next: Vec<FamilyId>,
    /// The families that a move leaves alone.
    kept: Vec<FamilyId>,
    counts: Vec<u64>,
    /// The largest number of tokens seen in each place.
    most: Vec<u64>,
    /// Where threads may not be for ever; nothing if there is nowhere that they may.
    busy: Option<Vec<usize>>,
    /// Where threads learn how a test on data that is not kept turns out.
    forgotten: Vec<usize>,
    /// Where threads of other families are.
    outside: Outside,
}

impl<R: Rules> Folded<R> {
    /// The states of `rules` up to `relations`.
    #[must_use]
    pub fn new(rules: R, relations: Relations) -> Self {
        let places = rules.schema().places.len();
        let members = Members::of(rules.schema(), relations);
        let schema = members.as_ref().map_or(rules.schema(), Members::schema);
        let empty = Working::new(schema, relations);
        let busy = |place: &usize| rules.schema().places[*place].flow && !rules.is_idle(*place);
        let has_idle = (0..places).any(|place| rules.is_idle(place));
        let busy = has_idle.then(|| (0..places).filter(busy).collect());
        let forgotten = (0..places).filter(|place| rules.is_forgotten(*place)).collect();
        Folded {
            folder: Folder::new(schema, relations),
            table: FamilyTable::new(places),
            moves: Moves::default(),
            source: Working::new(rules.schema(), relations),
            atoms: empty.clone(),
            scratch: empty,
            members: members.map(|members| Box::new((members, Back::default()))),
            ids: Vec::new(),
            families: Vec::new(),
            next: Vec::new(),
            kept: Vec::new(),
            counts: Vec::new(),
            most: vec![0; places],
            busy,
            forgotten,
            outside: Outside::of(rules.schema()),
            relations,
            rules,
        }
    }

    /// The same space for another worker: each understands the strings of the other.
    #[must_use]
    pub fn worker(&self) -> Self
    where
        R: Clone,
    {
        let mut worker = Folded::new(self.rules.clone(), self.relations);
        worker.table = self.table.share();
        worker
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// Decodes a string.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> Working {
        let mut ids = Vec::new();
        read_ids(bytes, &mut ids);
        self.table.sort(&mut ids);
        let (mut atoms, mut scratch) = (self.atoms.emptied(), self.scratch.emptied());
        for id in ids {
            self.table.append(id, &self.folder, &mut scratch, &mut atoms);
        }
        let Some(members) = &self.members else { return atoms };
        let mut working = self.source.emptied();
        members.0.project(&atoms, &mut working, &mut Back::default());
        working
    }

    /// The numbers of the families that a state consists of: they share no pid, and the same number is the
    /// same family in any state. `false` where members of classes are folded, too, and there are none.
    pub fn families(&self, bytes: &[u8], numbers: &mut Vec<u32>) -> bool {
        numbers.clear();
        if self.members.is_some() {
            return false;
        }
        read_ids(bytes, numbers);
        true
    }

    /// The family of this number.
    #[must_use]
    pub fn family(&self, number: u32) -> Working {
        let (mut atoms, mut scratch) = (self.atoms.emptied(), self.scratch.emptied());
        self.table.append(number, &self.folder, &mut scratch, &mut atoms);
        atoms
    }

    /// The string of a working state.
    #[must_use]
    pub fn fold(&mut self, mut working: Working) -> Vec<u8> {
        let mut bytes = Vec::new();
        let atoms = embedded(&mut self.members, &mut working);
        self.table.number(atoms, &mut self.folder, &mut self.next);
        write_ids(&self.next, &mut bytes);
        bytes
    }

    /// The largest number of tokens in each place, over the states expanded so far.
    #[must_use]
    pub fn most_tokens(&self) -> &[u64] {
        &self.most
    }

    /// The memory of the families, in bytes, as allocated. It comes on top of that of the states.
    #[must_use]
    pub fn family_bytes(&self) -> u64 {
        self.table.shared_bytes() + self.table.own_bytes()
    }

    /// Whether all threads of the state observed last are where they may be for ever.
    fn may_rest(&self) -> bool {
        let tokens = |place: &usize| self.counts[*place] == 0;
        self.busy.as_ref().is_some_and(|busy| busy.iter().all(tokens))
    }

    /// Whether some thread of a family that was learnt learns how a test on data that is not kept turns out.
    fn is_forgotten_family(&self, family: FamilyId) -> bool {
        let tokens = self.table.tokens(family);
        self.forgotten.iter().any(|place| tokens[*place] > 0)
    }

    /// Whether in a state some thread learns how a test on data that is not kept turns out. Then its successors are the
    /// outcomes, and nothing else.
    pub fn is_forgotten_choice(&mut self, state: &[u8]) -> bool {
        if self.forgotten.is_empty() {
            return false;
        }
        read_ids(state, &mut self.ids);
        self.table.learn(&self.ids, &self.folder, &mut self.scratch);
        self.ids.iter().any(|id| self.is_forgotten_family(*id))
    }

    /// Takes a state into account in [`Folded::most_tokens`] that is not expanded.
    pub fn observe(&mut self, state: &[u8]) {
        read_ids(state, &mut self.ids);
        self.table.learn(&self.ids, &self.folder, &mut self.scratch);
        self.counts.clear();
        self.counts.resize(self.most.len(), 0);
        for &id in &self.ids {
            let tokens = self.table.tokens(id);
            self.counts.iter_mut().zip(tokens).for_each(|(count, &more)| *count += u64::from(more));
        }
        let counts = self.counts.iter();
        self.most.iter_mut().zip(counts).for_each(|(most, &count)| *most = (*most).max(count));
    }

    /// Puts the successors by what happens within a family and a rest (`NONE` where there is none)
    /// into `found`, for each of this many copies of the family.
    fn expand_family(
        &mut self,
        reach: Reach,
        family: FamilyId,
        rest: FamilyId,
        copies: u64,
        found: &mut Successors,
    ) -> Result<(), R::Fault> {
        if !self.rules.has_reach(reach) {
            return Ok(());
        }
        let moves = self.moves(Scope::of(reach), reach, family, rest, found)?;
        self.commit_moves(moves, family, rest, copies, found);
        Ok(())
    }

    /// Puts the successors by these moves of a family and a rest into `found`.
    fn commit_moves(
        &mut self,
        moves: (u32, u32),
        family: FamilyId,
        rest: FamilyId,
        copies: u64,
        found: &mut Successors,
    ) {
        let Folded { ids, kept, moves: Moves { all, targets, .. }, .. } = self;
        kept.clear();
        kept.extend_from_slice(ids);
        for left in [family, rest].into_iter().filter(|&id| id != NONE) {
            let at = kept.iter().position(|&id| id == left).expect("it is a family of the state");
            kept.remove(at);
        }
        for step in &all[moves.0 as usize..moves.1 as usize] {
            let targets = &targets[step.start as usize..step.end as usize];
            write_merged(kept, targets, found.buffer());
            found.commit(step.transition, step.modes * copies);
        }
    }

    /// The moves of a family and a rest, which are remembered.
    fn moves(
        &mut self,
        scope: Scope,
        reach: Reach,
        family: FamilyId,
        rest: FamilyId,
        found: &mut Successors,
    ) -> Result<(u32, u32), R::Fault> {
        let key = (family, rest, scope);
        if let Some(&range) = self.moves.of.get(&key) {
            return Ok(range);
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.forget_if_more(MOST_REMEMBERED.min(MOST_REMEMBERED_BY_ALL / self.table.workers()));
        let start = moves.all.len();
        let add = |transition, next: &[FamilyId], _: &mut Successors| moves.add(transition, next);
        let fired = match scope {
            Scope::Family | Scope::WithRest => {
                self.fire([family, rest].into_iter(), reach, found, add)
            }
            Scope::Alone(outside) => self.fire_alone(family, rest, outside, found, add),
        };
        moves.merge(start);
        let range = (start as u32, moves.all.len() as u32);
        // A search that was cut short has not seen all moves.
        if fired.is_ok() && !found.enough() {
            moves.of.insert(key, range);
        }
        self.moves = moves;
        fired.map(|()| range)
    }

    /// Puts the successors by what looks at the whole state into `found`.
    fn expand_whole(&mut self, rest: FamilyId, found: &mut Successors) -> Result<(), R::Fault> {
        if !self.rules.has_reach(Reach::State) {
            return Ok(());
        }
        let families = std::mem::take(&mut self.families);
        let copies = families.iter().flat_map(|&(_, id, copies)| repeat_n(id, copies));
        let fired = self.fire(copies.chain([rest]), Reach::State, found, commit);
        self.families = families;
        fired
    }

    /// Fires the transitions of a reach on some families (`NONE` where there is none). Gives the families
    /// of each successor to `take`.
    fn fire(
        &mut self,
        families: impl Iterator<Item = FamilyId>,
        reach: Reach,
        found: &mut Successors,
        take: impl FnMut(u32, &[FamilyId], &mut Successors),
    ) -> Result<(), R::Fault> {
        self.fire_by(families, found, take, |rules, source, sink| rules.fire(source, reach, sink))
    }

    /// Lets `fire` fire on some families (`NONE` where there is none). Gives the families of each successor to `take`.
    fn fire_by<T>(
        &mut self,
        families: impl Iterator<Item = FamilyId>,
        found: &mut Successors,
        take: impl FnMut(u32, &[FamilyId], &mut Successors),
        fire: impl FnOnce(&mut R, &Working, &mut dyn Sink) -> T,
    ) -> T {
        let Folded { rules, members, folder, table, source, atoms, scratch, next, .. } = self;
        atoms.clear();
        for id in families.filter(|&id| id != NONE) {
            table.append(id, folder, scratch, atoms);
        }
        let source = projected(members, atoms, source);
        let mut sink = Numbering { members, folder, table, next, found, take };
        fire(rules, source, &mut sink)
    }
}

/// Commits a successor.
fn commit(transition: u32, next: &[FamilyId], found: &mut Successors) {
    write_ids(next, found.buffer());
    found.commit(transition, 1);
}

impl<R: Rules> Space for Folded<R> {
    type Fault = R::Fault;

    fn initial(&mut self, found: &mut Successors) -> Result<(), R::Fault> {
        let mut working = self.source.emptied();
        self.rules.initial(&mut working);
        found.buffer().extend(self.fold(working));
        found.commit(0, 1);
        Ok(())
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, R::Fault> {
        self.observe(state);
        let rest = self.find_families();
        let is_choice = self.forgotten.iter().any(|place| self.counts[*place] > 0);
        let is_reduced = !is_choice && self.rules.is_reduced();
        if !is_reduced || !self.expand_reduced(rest, found)? {
            for at in 0..self.families.len() {
                let (_, family, copies) = self.families[at];
                if is_choice && !self.is_forgotten_family(family) {
                    continue;
                }
                self.expand_family(Reach::Family, family, NONE, copies as u64, found)?;
                self.expand_family(Reach::FamilyAndRest, family, rest, copies as u64, found)?;
            }
            if !is_choice {
                self.expand_family(Reach::Rest, NONE, rest, 1, found)?;
            }
            self.expand_whole(rest, found)?;
        }
        let is_alive = self.ids.iter().any(|&id| self.table.facts(id).is_alive);
        let is_alive = is_alive && !self.may_rest();
        Ok(standing(is_alive, self.rules.has_threads()))
    }

    fn allocated_bytes(&self) -> u64 {
        let shared = self.table.shared_bytes() / self.table.workers() as u64;
        shared + self.table.own_bytes() + self.moves.allocated_bytes()
    }

    /// Moves are not saved: they are computed again.
    fn save(&self, mark: u64, to: &mut dyn Write) -> io::Result<u64> {
        self.table.save(mark, to)
    }

    fn restore(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.table.restore(from)
    }

    /// A sum over the families, since a state is a bag of them.
    fn imprint(&mut self, state: &[u8]) -> u64 {
        self.table.imprint(state).unwrap_or_else(|| {
            read_ids(state, &mut self.next);
            self.table.learn(&self.next, &self.folder, &mut self.scratch);
            self.table.imprint(state).expect("all families were learnt")
        })
    }

    fn parts(&self, state: &[u8], numbers: &mut Vec<u32>) -> bool {
        read_ids(state, numbers);
        true
    }

    fn part_count(&self) -> u32 {
        self.table.count()
    }

    fn part(&self, number: u32, bytes: &mut Vec<u8>) {
        self.table.write(number, bytes);
    }

    fn adopt(&mut self, part: &[u8]) -> u32 {
        self.table.adopt(part)
    }

    fn compose(&self, numbers: &mut [u32], _rest: &[u8], string: &mut Vec<u8>) {
        numbers.sort_unstable();
        write_ids(numbers, string);
    }
}

/// By which moves are remembered.
type Key = (FamilyId, FamilyId, Scope);

/// What happens within families, as far as it was computed.
#[derive(Default)]
struct Moves {
    /// Of a family and a rest: `all[start..end]`.
    of: HashMap<Key, (u32, u32), BuildHasherDefault<FxHasher>>,
    all: Vec<Move>,
    /// The families that moves lead to.
    targets: Vec<FamilyId>,
}

#[derive(Clone, Copy)]
struct Move {
    transition: u32,
    modes: u64,
    /// `targets[start..end]`
    start: u32,
    end: u32,
}

impl Moves {
    fn leads_to(&self, step: &Move) -> &[FamilyId] {
        &self.targets[step.start as usize..step.end as usize]
    }

    /// Forgets all moves if they take more bytes than this.
    fn forget_if_more(&mut self, bytes: usize) {
        if self.all.len() * size_of::<Move>() + self.targets.len() * 4 > bytes {
            *self = Moves::default();
        }
    }

    /// The memory held, in bytes, as allocated.
    fn allocated_bytes(&self) -> u64 {
        let entry = size_of::<(Key, (u32, u32))>() + 1;
        let moves = self.all.capacity() * size_of::<Move>() + self.targets.capacity() * 4;
        (self.of.capacity() * 8 / 7 * entry + moves) as u64
    }

    fn add(&mut self, transition: u32, targets: &[FamilyId]) {
        let start = self.targets.len() as u32;
        self.targets.extend_from_slice(targets);
        self.all.push(Move { transition, modes: 1, start, end: self.targets.len() as u32 });
    }

    /// Makes one move of those from `start` on that are alike. Transitions stay together, and within
    /// each the moves are in the order in which they were first fired, which is that of their targets.
    fn merge(&mut self, start: usize) {
        let mut fresh = self.all.split_off(start);
        fresh.sort_by(|a, b| {
            a.transition.cmp(&b.transition).then_with(|| self.leads_to(a).cmp(self.leads_to(b)))
        });
        for step in fresh {
            match self.all[start..].last().copied() {
                Some(last)
                    if last.transition == step.transition
                        && self.leads_to(&last) == self.leads_to(&step) =>
                {
                    self.all.last_mut().expect("there is a last one").modes += step.modes;
                }
                _ => self.all.push(step),
            }
        }
        self.all[start..].sort_by_key(|step| (step.transition, step.start));
    }
}

/// Numbers the families of successors, and hands the numbers on.
struct Numbering<'a, F> {
    members: &'a mut Option<Conversion>,
    folder: &'a mut Folder,
    table: &'a mut FamilyTable,
    next: &'a mut Vec<FamilyId>,
    found: &'a mut Successors,
    take: F,
}

impl<F: FnMut(u32, &[FamilyId], &mut Successors)> Sink for Numbering<'_, F> {
    fn emit(&mut self, transition: u32, successor: &mut Working) {
        self.table.number(embedded(self.members, successor), self.folder, self.next);
        (self.take)(transition, self.next, self.found);
    }

    fn enough(&mut self) -> bool {
        self.found.enough()
    }
}
