//! What a part of a state can do: worked out on a heap of the core and up to two satellites.

mod finder;

use std::sync::Arc;

use super::Machine;
use crate::code::Code;
use crate::form::{LOCAL, Read, Reader};
use crate::heap::Heap;
use crate::mistake::{Mistake, planted};
use crate::moves::{
    CoreChange, Entry, HubAccess, Life, NONE, Next, Poll, Target, ThreadAt, Whose, hub,
    is_satellite,
};
use crate::run::{Access, Execution, Stack, Touch};
use crate::satellite::{Core, HubMap};
use crate::turn::Elsewhere;
use finder::Finder;

/// A heap of a core and up to two satellites.
struct Part<'p> {
    rows: &'p [u32],
    core: &'p Core,
    /// Who takes part: satellites, with where their first objects are, or hubs.
    satellites: [u32; 2],
    firsts: [u32; 2],
}

impl<'c> Machine<'c> {
    /// Works out what a part of a state can do, and remembers it.
    pub(super) fn work_out(&mut self, whose: Whose, core_number: u32, rows: &[u32]) -> Arc<Entry> {
        let core = self.read_core(rows);
        let mut heap = core.heap.clone();
        let mut firsts = [0; 2];
        for (satellite, first) in whose.iter().zip(&mut firsts) {
            if is_satellite(*satellite) {
                let read = self.read(*satellite);
                *first = read.build(self.code, &core, &mut heap);
            }
        }
        let part = Part { rows, core: &core, satellites: whose, firsts };
        let mut execution = std::mem::replace(&mut self.execution, Execution::new(self.code));
        execution.core = Some(rows.len() as u32);
        execution.looked_at.clear();
        execution.accesses = self.code.has_races.then(Vec::new);
        execution.gathered.clear();
        let mut entry = Entry::default();
        if self.part_moves(&part, &heap, &mut execution, &mut entry).is_err() {
            entry = Entry { elsewhere: true, ..Entry::default() };
        }
        execution.core = None;
        execution.accesses = None;
        execution.touches = None;
        let looked_at = std::mem::take(&mut execution.looked_at);
        self.execution = execution;
        let all_moves = || entry.polls.iter().flat_map(|poll| &poll.moves).chain(&entry.moves);
        let by_rows = all_moves().all(|one| match &one.to {
            Target::Failed(_) => true,
            Target::State { change, .. } => matches!(change, CoreChange::Rows(_)),
        });
        let entry = Arc::new(entry);
        match by_rows && !entry.elsewhere {
            true => self.moves.put(whose, rows, &looked_at, Arc::clone(&entry)),
            false => self.moves.put_whole(whose, core_number, Arc::clone(&entry)),
        }
        entry
    }

    /// Finds the moves of a part of a state.
    fn part_moves(
        &mut self,
        part: &Part,
        heap: &Heap,
        execution: &mut Execution<'c>,
        entry: &mut Entry,
    ) -> Result<(), Elsewhere> {
        let code = self.code;
        let threads = |number: usize, first_only: bool| -> Vec<u32> {
            let one = part.satellites[number];
            if let Some(hub) = hub(one) {
                return vec![hub];
            }
            let read = self.read(one);
            let positions = if first_only { &read.first_threads } else { &read.threads };
            positions.iter().map(|position| part.firsts[number] + position).collect()
        };
        // Those whose moves are asked for, and those whom they may meet.
        let own = threads(0, true);
        let others = match part.satellites {
            [_, NONE] => threads(0, planted(Mistake::FirstMet)),
            _ => threads(1, true),
        };
        let are_two = part.satellites[1] != NONE;
        let mut finder =
            Finder { machine: self, part, found: Vec::new(), polling: None, elsewhere: false };
        let mut alone: Vec<bool> = Vec::new();
        if !are_two {
            for thread in &own {
                execution.touches = finder.machine.reduces.then(Vec::new);
                let can_act = finder.alone(execution, heap, *thread)?;
                alone.push(can_act);
                let touches = execution.touches.take();
                entry.next.extend(touches.map(|all| next(part, heap, code, *thread, can_act, all)));
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
                    if !is_again && finder.together(execution, heap, pair)? {
                        met.extend(pair);
                    }
                }
            }
        }
        if !are_two {
            for (thread, can_act) in own.iter().zip(alone) {
                if !can_act && !met.contains(thread) {
                    finder.otherwise(execution, heap, *thread)?;
                }
            }
        }
        let Finder { found, elsewhere, .. } = finder;
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
        if planted(Mistake::FirstsMeet) && !are_two {
            met.retain(|one| own.contains(one) || (*one as usize) < part.rows.len());
        }
        entry.meets = met.into_iter().map(|thread| self.thread_at(part, thread)).collect();
        if self.reduces && !are_two {
            // Those of whom another one is the first, too.
            for thread in threads_beside(&own, &others) {
                execution.touches = Some(Vec::new());
                let can_act = execution.alone(heap, thread, &mut |_, _, _, _| {})?;
                let touches = execution.touches.take().unwrap_or_default();
                entry.next.push(next(part, heap, code, thread, can_act, touches));
            }
        }
        if execution.accesses.is_some() {
            self.part_accesses(part, heap, execution, entry)?;
        }
        Ok(())
    }

    /// Finds what the threads of a part access next, and those among them that race.
    fn part_accesses(
        &mut self,
        part: &Part,
        heap: &Heap,
        execution: &mut Execution<'c>,
        entry: &mut Entry,
    ) -> Result<(), Elsewhere> {
        // Those of whom another one is the first count, too, and those whom the others were asked about.
        for (satellite, first) in part.satellites.iter().zip(part.firsts) {
            if is_satellite(*satellite) {
                let read = self.read(*satellite);
                let are_two = part.satellites[1] != NONE;
                let is_asked = |thread: &&u32| !are_two && read.first_threads.contains(thread);
                let threads = read.threads.iter().filter(|thread| !is_asked(thread));
                for thread in threads.map(|thread| first + thread).collect::<Vec<_>>() {
                    execution.alone(heap, thread, &mut |_, _, _, _| {})?;
                }
            }
        }
        let mut all: Vec<(u32, Access)> = std::mem::take(&mut execution.gathered);
        all.retain(|(_, access)| !self.code.is_atomic(heap.class(access.object), access.field));
        for (number, (thread, access)) in all.iter().enumerate() {
            let races = |(other, one): &&(u32, Access)| other != thread && one.conflicts(access);
            if let Some((other, _)) = all[..number].iter().find(races) {
                entry.race = Some([*thread, *other].map(|thread| self.thread_at(part, thread)));
                return Ok(());
            }
        }
        for (thread, access) in all {
            if (access.object as usize) < part.rows.len() {
                let Access { object, field, index, is_write, is_plain, .. } = access;
                let thread = self.thread_at(part, thread);
                let access = HubAccess { thread, hub: object, field, index, is_write, is_plain };
                if !entry.accesses.contains(&access) {
                    entry.accesses.push(access);
                }
            }
        }
        Ok(())
    }

    /// Which thread of the state an object is: of alike ones, the first.
    fn thread_at(&self, part: &Part, object: u32) -> ThreadAt {
        let hubs = part.rows.len() as u32;
        if object < hubs {
            return ThreadAt { satellite: NONE, position: object };
        }
        let is_second = is_satellite(part.satellites[1]) && object >= part.firsts[1];
        let number = usize::from(is_second);
        let satellite = part.satellites[number];
        let position = (object - part.firsts[number]) as usize;
        let position = self.read(satellite).first_alike[position];
        ThreadAt { satellite, position }
    }

    /// What comes of a move, by the heap after it, and what becomes of the threads; nothing if a bag is not where it was.
    fn target(&mut self, part: &Part, execution: &Execution) -> Option<(Target, Fate)> {
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
        let satellites = self.numbered(&form);
        let acting =
            { execution.acting.into_iter().flatten() }.chain(execution.born.iter().copied());
        let after = |thread| self.life(&form, &satellites, &execution.heap, thread);
        let onward = acting.filter_map(|thread| after(thread).place()).collect();
        let mut lives = Vec::new();
        for thread in self.threads_of(part) {
            let life = match execution.crashed.contains(&thread) {
                true => Life::Crashed,
                false => self.life(&form, &satellites, &execution.heap, thread),
            };
            let name = map.names.get(thread as usize).copied();
            let by_map = name.map(|hub| Life::At(ThreadAt { satellite: NONE, position: hub }));
            if Some(life) != by_map {
                lives.push((self.thread_at(part, thread), life));
            }
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
        let to = Target::State { change, satellites: satellites.into() };
        Some((to, Fate { lives: lives.into(), onward }))
    }

    /// The threads that run in a part of a state.
    fn threads_of(&self, part: &Part) -> Vec<u32> {
        let mut threads = part.core.threads.clone();
        for (satellite, first) in part.satellites.iter().zip(part.firsts) {
            if is_satellite(*satellite) {
                let read = self.read(*satellite);
                threads.extend(read.threads.iter().map(|thread| first + thread));
            }
        }
        threads
    }

    /// Whether two strings of a hub refer to the same hubs, in the same order.
    fn refer_alike(&self, one: u32, other: u32) -> bool {
        let references = |row: u32| {
            let mut found = Vec::new();
            self.parts.look(row, |_, bytes| {
                let mut reader = Reader::new(bytes);
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
            });
            found
        };
        references(one) == references(other) || planted(Mistake::HubReferences)
    }
}

/// What becomes of threads in a [move](crate::moves::Move).
#[derive(Default)]
struct Fate {
    lives: Box<[(ThreadAt, Life)]>,
    onward: Box<[ThreadAt]>,
}

/// Threads that are among some, and not among others.
fn threads_beside(others: &[u32], all: &[u32]) -> Vec<u32> {
    all.iter().copied().filter(|thread| !others.contains(thread)).collect()
}

/// What a thread of a part does next.
fn next(
    part: &Part,
    heap: &Heap,
    code: &Code,
    thread: u32,
    can_act: bool,
    mut touches: Vec<Touch>,
) -> Next {
    let hubs = part.rows.len() as u32;
    let named = |object: u32| match object < hubs {
        true => object,
        false => LOCAL | (object - part.firsts[0]),
    };
    // What is made on the way is out of reach of others.
    touches.retain(|touch| touch.object < heap.len());
    touches.iter_mut().for_each(|touch| touch.object = named(touch.object));
    let stop = code.stop(Stack::point(heap, thread));
    let polls = stop.otherwise.is_some() && !planted(Mistake::PollersWait);
    let meets = (stop.gives || stop.takes) && !planted(Mistake::MeetersWait);
    let waits = !can_act && !polls && !meets;
    Next { thread: named(thread), waits, touches: touches.into() }
}
