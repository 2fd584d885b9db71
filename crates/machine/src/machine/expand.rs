//! States as parts: what each part can do is looked up, or worked out and remembered.

use std::rc::Rc;

use explore::Successors;

use super::{Machine, Scratch, State, add};
use crate::form::{LOCAL, Read, Reader};
use crate::heap::Heap;
use crate::mistake::{self, Mistake, planted};
use crate::moves::{CoreChange, Entry, Move, NONE, Poll, Target, ThreadAt, Whose};
use crate::run::{Execution, Stack};
use crate::satellite::{Core, HubMap};
use crate::turn::Elsewhere;

/// A heap of a core and up to two satellites.
struct Part<'p> {
    rows: &'p [u32],
    core: &'p Core,
    /// The satellites, and where their first objects are.
    satellites: [u32; 2],
    firsts: [u32; 2],
}

impl Machine<'_> {
    /// Expands a state; says `false` if it has to be executed as a whole. What was found until then is right.
    pub(super) fn expand_parts(&mut self, state: &State, successors: &mut Successors) -> bool {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.rows_of(state.core, &mut scratch.rows);
        let is_done = self.expand_by(state, &mut scratch, successors);
        // What is used by others meanwhile is smaller.
        scratch.state = std::mem::take(&mut self.scratch.state);
        self.scratch = scratch;
        is_done
    }

    fn expand_by(
        &mut self,
        state: &State,
        scratch: &mut Scratch,
        successors: &mut Successors,
    ) -> bool {
        let shape = self.core_infos[state.core as usize].shape;
        let mut meets: Vec<ThreadAt> = Vec::new();
        let mut polling: Vec<(Rc<Entry>, [u32; 2])> = Vec::new();
        let alone = state.satellites.iter().map(|(satellite, _)| [*satellite, NONE]);
        let parts: Vec<[u32; 2]> =
            [[NONE; 2]].into_iter().chain(alone).chain(self.pairs(state)).collect();
        for satellites in parts {
            let shape = if planted(Mistake::NoShape) { 0 } else { shape };
            let whose = Whose { satellites, shape };
            let known = self.moves.get(whose, state.core, &scratch.rows);
            let entry = match known {
                Some(entry) => entry,
                None => self.work_out(whose, state.core, &scratch.rows),
            };
            if entry.elsewhere {
                return false;
            }
            for one in &entry.moves {
                if !self.apply(one, satellites, state, scratch, successors) {
                    return false;
                }
            }
            meets.extend(&entry.meets);
            if !entry.polls.is_empty() {
                polling.push((entry, satellites));
            }
        }
        for (entry, satellites) in polling {
            for Poll { thread, moves } in &entry.polls {
                if planted(Mistake::OwnPolls) && !entry.meets.contains(thread) {
                    // It does not ask for others.
                } else if meets.contains(thread) {
                    continue;
                }
                for one in moves {
                    if !self.apply(one, satellites, state, scratch, successors) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The pairs of satellites that may meet.
    fn pairs(&self, state: &State) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for (number, (one, count)) in state.satellites.iter().enumerate() {
            let first = &self.read_satellites[*one as usize];
            if !first.gives && !first.takes {
                continue;
            }
            for (other, _) in &state.satellites[number..] {
                let second = &self.read_satellites[*other as usize];
                let can_meet = first.gives && second.takes || first.takes && second.gives;
                let are_two = *count > 1 && !planted(Mistake::EqualCopies);
                if can_meet && (one != other || are_two) {
                    pairs.push([*one, *other]);
                }
            }
        }
        pairs
    }

    /// Puts what comes of a move into the successors; says `false` if the state has to be executed as a whole.
    fn apply(
        &mut self,
        one: &Move,
        used: [u32; 2],
        state: &State,
        scratch: &mut Scratch,
        successors: &mut Successors,
    ) -> bool {
        let (change, satellites) = match &one.to {
            Target::Failed(failure) => {
                Machine::write_failure(*failure, successors.buffer());
                successors.commit(one.label, 1);
                return true;
            }
            Target::State { change, satellites } => (change, satellites),
        };
        let next = &mut scratch.satellites;
        next.clone_from(&state.satellites);
        for satellite in used.into_iter().filter(|satellite| *satellite != NONE) {
            let at = next.binary_search_by_key(&satellite, |(other, _)| *other);
            next[at.expect("it takes part")].1 -= 1;
        }
        let core = match change {
            CoreChange::Rows(changed) if changed.is_empty() => state.core,
            CoreChange::Rows(changed) => {
                scratch.changed.clone_from(&scratch.rows);
                for (hub, row) in changed {
                    scratch.changed[*hub as usize] = *row;
                }
                self.core_of(&scratch.changed)
            }
            CoreChange::Core(core, map) => {
                let before = std::mem::take(next);
                for (satellite, count) in before.iter().filter(|(_, count)| *count > 0) {
                    let Some(renamed) = self.renamed(*core, *map, *satellite) else { return false };
                    for satellite in &*renamed {
                        add(next, *satellite, *count);
                    }
                }
                *core
            }
        };
        for satellite in satellites {
            add(next, *satellite, 1);
        }
        State::write(core, next, successors.buffer());
        successors.commit(one.label, 1);
        true
    }

    /// What a satellite becomes where hubs are renamed; nothing if it mentions one that is lost. The core is that after
    /// the step.
    fn renamed(&mut self, core: u32, map: u32, satellite: u32) -> Option<Rc<[u32]>> {
        if let Some(known) = self.moves.renamed(map, satellite) {
            return known;
        }
        let hub_map = self.moves.map(map);
        let read = &self.read_satellites[satellite as usize];
        let renamed = match hub_map.loses(read) {
            _ if planted(Mistake::NotRenamed) => Some([satellite].into()),
            true if planted(Mistake::LostHubs) => Some([satellite].into()),
            true => None,
            false => {
                let mut rows = Vec::new();
                self.rows_of(core, &mut rows);
                let core = self.read_core(&rows);
                let mut heap = core.heap.clone();
                read.build_renamed(self.code, &core, &mut heap, hub_map);
                let wrong = [Mistake::NotCanonisedAgain, Mistake::OrderKept];
                let form = mistake::instead(wrong, || self.canoniser.form(&heap));
                let form = form.expect("bags are where they were");
                let parts = form.satellites.iter();
                Some(parts.map(|part| self.satellite(&part.bytes)).collect())
            }
        };
        self.moves.put_renamed(map, satellite, renamed.clone());
        renamed
    }

    /// Works out what a part of a state can do, and remembers it.
    fn work_out(&mut self, whose: Whose, core_number: u32, rows: &[u32]) -> Rc<Entry> {
        let core = self.read_core(rows);
        let mut heap = core.heap.clone();
        let mut firsts = [0; 2];
        for (satellite, first) in whose.satellites.iter().zip(&mut firsts) {
            if *satellite != NONE {
                let read = &self.read_satellites[*satellite as usize];
                *first = read.build(self.code, &core, &mut heap);
            }
        }
        let part = Part { rows, core: &core, satellites: whose.satellites, firsts };
        let mut execution = std::mem::replace(&mut self.execution, Execution::new(self.code));
        execution.core = Some(rows.len() as u32);
        execution.looked_at.clear();
        let mut entry = Entry::default();
        if self.part_moves(&part, &heap, &mut execution, &mut entry).is_err() {
            entry = Entry { elsewhere: true, ..Entry::default() };
        }
        execution.core = None;
        let looked_at = std::mem::take(&mut execution.looked_at);
        self.execution = execution;
        let all_moves = || entry.polls.iter().flat_map(|poll| &poll.moves).chain(&entry.moves);
        let by_rows = all_moves().all(|one| match &one.to {
            Target::Failed(_) => true,
            Target::State { change, .. } => matches!(change, CoreChange::Rows(_)),
        });
        let entry = Rc::new(entry);
        match by_rows && !entry.elsewhere {
            true => self.moves.put(whose, rows, &looked_at, Rc::clone(&entry)),
            false => self.moves.put_whole(whose, core_number, Rc::clone(&entry)),
        }
        entry
    }

    /// Finds the moves of a part of a state.
    fn part_moves(
        &mut self,
        part: &Part,
        heap: &Heap,
        execution: &mut Execution,
        entry: &mut Entry,
    ) -> Result<(), Elsewhere> {
        let code = self.code;
        let at = |satellite: usize, positions: &[u32]| -> Vec<u32> {
            positions.iter().map(|position| part.firsts[satellite] + position).collect()
        };
        let read = |number: usize| &self.read_satellites[part.satellites[number] as usize];
        // Those whose moves are asked for, and those whom they may meet.
        let (own, others) = match part.satellites {
            [NONE, _] => (part.core.threads.clone(), part.core.threads.clone()),
            [_, NONE] => {
                let mut others = match planted(Mistake::FirstMet) {
                    true => at(0, &read(0).first_threads),
                    false => at(0, &read(0).threads),
                };
                others.extend(&part.core.threads);
                (at(0, &read(0).first_threads), others)
            }
            _ => (at(0, &read(0).first_threads), at(1, &read(1).first_threads)),
        };
        let are_two = part.satellites[1] != NONE;
        let mut elsewhere = false;
        let mut alone: Vec<bool> = Vec::new();
        let mut found: Vec<(Option<u32>, Move)> = Vec::new();
        macro_rules! each {
            ($polling:expr) => {
                &mut |execution: &mut Execution, turn, _, outcome: Result<(), _>| {
                    let label = self.label(turn);
                    let to = match outcome {
                        Err(failure) => Some(Target::Failed(self.failure_number(failure))),
                        Ok(()) => self.target(part, execution),
                    };
                    match to {
                        Some(to) => found.push(($polling, Move { label, to })),
                        None => elsewhere = true,
                    }
                }
            };
        }
        if !are_two {
            for thread in &own {
                alone.push(execution.alone(heap, *thread, each!(None))?);
            }
        }
        let mut met: Vec<u32> = Vec::new();
        for one in &own {
            // Who neither gives nor takes need not look for others.
            execution.look_at(*one);
            let stop = code.stop(Stack::point(heap, *one));
            if !stop.gives && !stop.takes {
                continue;
            }
            for other in others.iter().filter(|other| *other != one) {
                for pair in [[*one, *other], [*other, *one]] {
                    let is_again = pair[0] == *other && own.contains(other);
                    if !is_again && execution.together(heap, pair, each!(None))? {
                        met.extend(pair);
                    }
                }
            }
        }
        if !are_two {
            for (thread, can_act) in own.iter().zip(alone) {
                if !can_act && !met.contains(thread) {
                    execution.otherwise(heap, *thread, each!(Some(*thread)))?;
                }
            }
        }
        if elsewhere {
            return Err(Elsewhere);
        }
        for (polling, one) in found {
            let Some(thread) = polling else {
                entry.moves.push(one);
                continue;
            };
            let may_meet = code.stop(Stack::point(heap, thread));
            let thread = self.thread_at(part, thread);
            match entry.polls.iter_mut().find(|poll| poll.thread == thread) {
                _ if !may_meet.gives && !may_meet.takes => entry.moves.push(one),
                Some(poll) => poll.moves.push(one),
                None => entry.polls.push(Poll { thread, moves: vec![one] }),
            }
        }
        entry.meets = met.into_iter().map(|thread| self.thread_at(part, thread)).collect();
        Ok(())
    }

    /// Which thread of the state an object is: of alike ones, the first.
    fn thread_at(&self, part: &Part, object: u32) -> ThreadAt {
        let hubs = part.rows.len() as u32;
        if object < hubs {
            return ThreadAt { satellite: NONE, position: object };
        }
        let is_second = part.satellites[1] != NONE && object >= part.firsts[1];
        let number = usize::from(is_second);
        let satellite = part.satellites[number];
        let position = (object - part.firsts[number]) as usize;
        let position = match planted(Mistake::PolledOnce) {
            true => position as u32,
            false => self.read_satellites[satellite as usize].first_alike[position],
        };
        ThreadAt { satellite, position }
    }

    /// What comes of a move, by the heap after it; nothing if a bag is not where it was.
    fn target(&mut self, part: &Part, execution: &Execution) -> Option<Target> {
        let form = self.canoniser.form(&execution.heap).ok()?;
        let rows = self.form_rows(&form);
        let mut names = vec![HubMap::LOST; part.rows.len()];
        for (name, hub) in (0..).zip(&form.hubs) {
            if let Some(old) = names.get_mut(*hub as usize) {
                *old = name;
            }
        }
        let open = &self.canoniser.flat().open;
        let bags = part.core.bags.iter().map(|(place, _)| *place);
        let cleared = bags
            .filter(|place| names[place.object as usize] != HubMap::LOST && !open.contains(place));
        let cleared = cleared.filter(|_| !planted(Mistake::ClearedBags));
        let map = HubMap { cleared: cleared.collect(), names };
        let mut satellites = Vec::new();
        for component in &form.satellites {
            satellites.push(self.satellite(&component.bytes));
        }
        let stays = map.is_identity()
            && rows.len() == part.rows.len()
            && part.rows.iter().zip(&rows).all(|(a, b)| a == b || self.refer_alike(*a, *b));
        let change = match stays {
            true => {
                let changed = (0..).zip(part.rows.iter().zip(&rows));
                let changed = changed.filter(|(_, (before, after))| before != after);
                CoreChange::Rows(changed.map(|(hub, (_, after))| (hub, *after)).collect())
            }
            false => CoreChange::Core(self.core_of(&rows), self.moves.map_number(map)),
        };
        Some(Target::State { change, satellites: satellites.into() })
    }

    /// Whether two strings of a hub refer to the same hubs, in the same order.
    fn refer_alike(&self, one: u32, other: u32) -> bool {
        let references = |row: u32| {
            let mut found = Vec::new();
            let mut reader = Reader::new(self.rows.get(row));
            let (_, _) = (reader.number(), reader.number());
            while !reader.is_at_end() {
                match reader.read() {
                    Read::Name(name) => found.push(name & !LOCAL),
                    Read::Composite(kind, length) if kind.is_bag() => {
                        // What is in a bag is not named by it.
                        (0..length).for_each(|_| _ = reader.read());
                    }
                    Read::Nothing | Read::Integer(_) | Read::Composite(..) => {}
                }
            }
            found
        };
        references(one) == references(other) || planted(Mistake::HubReferences)
    }
}
