//! The folded state space.
//!
//! A state is a sorted list of the numbers of its parts (see `families`). A transition that looks
//! at one family only, or at one family and the rest, does the same wherever that family occurs. So
//! its moves are worked out once for each family (and rest), and remembered; to expand a state, the
//! moves of its parts are looked up and the lists put together. Of equal families one is looked at,
//! and its modes count as often as it occurs. What looks at more is fired on the whole state. Parts are
//! gone through in the order of their ranks, so that successors come in an order that depends on the state
//! alone.
//!
//! The rules see the members of classes; parts are made of atoms only (see `members`).

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::io::{self, Read, Write};
use std::iter::repeat_n;

use explore::{Space, Standing, Successors};
use rustc_hash::FxHasher;
use state::Relations;

use crate::members::{Back, Members};
use crate::parts::{PartId, Parts, Rank, read_ids, write_ids, write_merged};
use crate::space::standing;
use crate::{Folder, Reach, Rules, Sink, Working};

/// Moves are forgotten when they take more bytes than this, …
const MOST_REMEMBERED: usize = 1 << 26;
/// … or those of all workers together might take more than this. They can be worked out again.
const MOST_REMEMBERED_BY_ALL: usize = 1 << 28;
/// In place of a part that is not there.
const NONE: PartId = PartId::MAX;

/// What makes atoms of members, and members again.
type Conversion = Box<(Members, Back)>;

/// A state as it is made of parts.
fn embedded<'a>(members: &'a mut Option<Conversion>, working: &'a mut Working) -> &'a mut Working {
    match members {
        Some(members) => members.0.embed(working),
        None => working,
    }
}

/// A state made of parts as rules see it; `scratch` may be overwritten.
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
    parts: Parts,
    moves: Moves,
    /// Where there are classes: what makes atoms of their members, and members again.
    members: Option<Conversion>,
    /// What is fired on, as it is made of parts.
    atoms: Working,
    /// The same as rules see it, where there are classes.
    source: Working,
    part: Working,
    /// The parts of the state being expanded.
    ids: Vec<PartId>,
    /// Its families by rank, each once, with the number of its copies.
    families: Vec<(Rank, PartId, usize)>,
    /// The parts of a successor.
    next: Vec<PartId>,
    /// The parts that a move leaves alone.
    kept: Vec<PartId>,
    counts: Vec<u64>,
    /// The largest number of tokens seen in each place.
    most: Vec<u64>,
}

impl<R: Rules> Folded<R> {
    /// The states of `rules` up to `relations`.
    #[must_use]
    pub fn new(rules: R, relations: Relations) -> Self {
        let places = rules.schema().places.len();
        let members = Members::of(rules.schema(), relations);
        let schema = members.as_ref().map_or(rules.schema(), Members::schema);
        let empty = Working::new(schema, relations);
        Folded {
            folder: Folder::new(schema, relations),
            parts: Parts::new(places),
            moves: Moves::default(),
            source: Working::new(rules.schema(), relations),
            atoms: empty.clone(),
            part: empty,
            members: members.map(|members| Box::new((members, Back::default()))),
            ids: Vec::new(),
            families: Vec::new(),
            next: Vec::new(),
            kept: Vec::new(),
            counts: Vec::new(),
            most: vec![0; places],
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
        worker.parts = self.parts.share();
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
        self.parts.sort(&mut ids);
        let (mut atoms, mut part) = (self.atoms.emptied(), self.part.emptied());
        for id in ids {
            self.parts.append(id, &self.folder, &mut part, &mut atoms);
        }
        let Some(members) = &self.members else { return atoms };
        let mut working = self.source.emptied();
        members.0.project(&atoms, &mut working, &mut Back::default());
        working
    }

    /// The numbers of the parts that a state consists of: they share no pid, and the same number is the same
    /// part in any state. `false` where members of classes are folded, too, and there are none.
    pub fn parts(&self, bytes: &[u8], numbers: &mut Vec<u32>) -> bool {
        numbers.clear();
        if self.members.is_some() {
            return false;
        }
        read_ids(bytes, numbers);
        true
    }

    /// The part of this number.
    #[must_use]
    pub fn part(&self, number: u32) -> Working {
        let (mut atoms, mut part) = (self.atoms.emptied(), self.part.emptied());
        self.parts.append(number, &self.folder, &mut part, &mut atoms);
        atoms
    }

    /// The string of a working state.
    #[must_use]
    pub fn fold(&mut self, mut working: Working) -> Vec<u8> {
        let mut bytes = Vec::new();
        let atoms = embedded(&mut self.members, &mut working);
        self.parts.number(atoms, &mut self.folder, &mut self.next);
        write_ids(&self.next, &mut bytes);
        bytes
    }

    /// The largest number of tokens in each place, over the states expanded so far.
    #[must_use]
    pub fn most_tokens(&self) -> &[u64] {
        &self.most
    }

    /// The memory of the parts, in bytes, as allocated. It comes on top of that of the states.
    #[must_use]
    pub fn part_bytes(&self) -> u64 {
        self.parts.shared_bytes() + self.parts.own_bytes()
    }

    /// Takes a state into account in [`Folded::most_tokens`] that is not expanded.
    pub fn observe(&mut self, state: &[u8]) {
        read_ids(state, &mut self.ids);
        self.parts.learn(&self.ids, &self.folder, &mut self.part);
        self.counts.clear();
        self.counts.resize(self.most.len(), 0);
        for &id in &self.ids {
            let tokens = self.parts.tokens(id);
            self.counts.iter_mut().zip(tokens).for_each(|(count, &more)| *count += u64::from(more));
        }
        let counts = self.counts.iter();
        self.most.iter_mut().zip(counts).for_each(|(most, &count)| *most = (*most).max(count));
    }

    /// Puts the successors by what happens within a family and a rest (`NONE` where there is none)
    /// into `found`, for each of this many copies of the family.
    fn expand_part(
        &mut self,
        reach: Reach,
        family: PartId,
        rest: PartId,
        copies: u64,
        found: &mut Successors,
    ) -> Result<(), R::Fault> {
        if !self.rules.has_reach(reach) {
            return Ok(());
        }
        let key = (family, rest, reach == Reach::Family);
        let moves = match self.moves.of.get(&key) {
            Some(&range) => range,
            None => self.work_out(reach, family, rest, found)?,
        };
        let Folded { ids, kept, moves: Moves { all, targets, .. }, .. } = self;
        kept.clear();
        kept.extend_from_slice(ids);
        for left in [family, rest].into_iter().filter(|&id| id != NONE) {
            let at = kept.iter().position(|&id| id == left).expect("it is a part");
            kept.remove(at);
        }
        for step in &all[moves.0 as usize..moves.1 as usize] {
            let targets = &targets[step.start as usize..step.end as usize];
            write_merged(kept, targets, found.buffer());
            found.commit(step.transition, step.modes * copies);
        }
        Ok(())
    }

    /// Finds the moves of the transitions of a reach in a family and a rest, and remembers them.
    fn work_out(
        &mut self,
        reach: Reach,
        family: PartId,
        rest: PartId,
        found: &mut Successors,
    ) -> Result<(u32, u32), R::Fault> {
        let Folded { rules, members, folder, parts, moves, source, atoms, part, next, .. } = self;
        moves.forget_if_more(MOST_REMEMBERED.min(MOST_REMEMBERED_BY_ALL / parts.workers()));
        atoms.clear();
        for id in [family, rest].into_iter().filter(|&id| id != NONE) {
            parts.append(id, folder, part, atoms);
        }
        let source = projected(members, atoms, source);
        let start = moves.all.len();
        let mut sink = Numbering {
            members,
            folder,
            parts,
            next,
            found,
            take: |transition, next: &[PartId], _: &mut Successors| {
                moves.add(transition, next);
            },
        };
        rules.fire(source, reach, &mut sink)?;
        moves.merge(start);
        let range = (start as u32, moves.all.len() as u32);
        // A search that was cut short has not seen all moves.
        if !found.enough() {
            moves.of.insert((family, rest, reach == Reach::Family), range);
        }
        Ok(range)
    }

    /// Puts the successors by what looks at the whole state into `found`.
    fn expand_whole(&mut self, rest: PartId, found: &mut Successors) -> Result<(), R::Fault> {
        if !self.rules.has_reach(Reach::State) {
            return Ok(());
        }
        let Folded { rules, members, folder, parts, source, atoms, part, next, families, .. } =
            self;
        atoms.clear();
        let copies = families.iter().flat_map(|&(_, id, copies)| repeat_n(id, copies));
        for id in copies.chain([rest]).filter(|&id| id != NONE) {
            parts.append(id, folder, part, atoms);
        }
        let source = projected(members, atoms, source);
        let mut sink = Numbering {
            members,
            folder,
            parts,
            next,
            found,
            take: |transition, next: &[PartId], found: &mut Successors| {
                write_ids(next, found.buffer());
                found.commit(transition, 1);
            },
        };
        rules.fire(source, Reach::State, &mut sink)
    }
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
        let mut rest = NONE;
        self.families.clear();
        for copies in self.ids.chunk_by(|a, b| a == b) {
            let facts = self.parts.facts(copies[0]);
            if facts.is_family {
                self.families.push((facts.rank, copies[0], copies.len()));
            } else {
                rest = copies[0];
            }
        }
        self.families.sort_unstable();
        for at in 0..self.families.len() {
            let (_, family, copies) = self.families[at];
            self.expand_part(Reach::Family, family, NONE, copies as u64, found)?;
            self.expand_part(Reach::FamilyAndRest, family, rest, copies as u64, found)?;
        }
        self.expand_part(Reach::Rest, NONE, rest, 1, found)?;
        self.expand_whole(rest, found)?;
        let is_alive = self.ids.iter().any(|&id| self.parts.facts(id).is_alive);
        Ok(standing(is_alive, self.rules.has_threads()))
    }

    fn allocated_bytes(&self) -> u64 {
        let shared = self.parts.shared_bytes() / self.parts.workers() as u64;
        shared + self.parts.own_bytes() + self.moves.allocated_bytes()
    }

    /// Moves are not saved: they are worked out again.
    fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        self.parts.save(to)
    }

    fn restore(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.parts.restore(from)
    }
}

/// What happens within families, as far as it was worked out.
#[derive(Default)]
struct Moves {
    /// Of a family, a rest, and whether the rest is of no importance: `all[start..end]`.
    of: HashMap<(PartId, PartId, bool), (u32, u32), BuildHasherDefault<FxHasher>>,
    all: Vec<Move>,
    /// The parts that moves lead to.
    targets: Vec<PartId>,
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
    fn leads_to(&self, step: &Move) -> &[PartId] {
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
        let entry = size_of::<((PartId, PartId, bool), (u32, u32))>() + 1;
        let moves = self.all.capacity() * size_of::<Move>() + self.targets.capacity() * 4;
        (self.of.capacity() * 8 / 7 * entry + moves) as u64
    }

    fn add(&mut self, transition: u32, targets: &[PartId]) {
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

/// Numbers the parts of successors, and hands the numbers on.
struct Numbering<'a, F> {
    members: &'a mut Option<Conversion>,
    folder: &'a mut Folder,
    parts: &'a mut Parts,
    next: &'a mut Vec<PartId>,
    found: &'a mut Successors,
    take: F,
}

impl<F: FnMut(u32, &[PartId], &mut Successors)> Sink for Numbering<'_, F> {
    fn emit(&mut self, transition: u32, successor: &mut Working) {
        self.parts.number(embedded(self.members, successor), self.folder, self.next);
        (self.take)(transition, self.next, self.found);
    }

    fn enough(&mut self) -> bool {
        self.found.enough()
    }
}
