//! States as parts: what each part can do is looked up, or worked out and remembered.

use std::rc::Rc;

use explore::Successors;

use super::{Machine, Scratch, State, add};
use crate::form::{Form, LOCAL, Read, Reader};
use crate::heap::Heap;
use crate::moves::{
    CoreChange, Entry, HubAccess, Life, Move, NONE, Poll, Renamed, Target, ThreadAt, Whose,
};
use crate::run::{Access, Execution, Stack};
use crate::satellite::{Core, HubMap};
use crate::turn::{Elsewhere, Turn};
use program::Failure;

/// That a state has to be executed as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct AsWhole;

/// Called with each move that can be made in a state, and the satellites that take part.
pub(super) type EachMove<'e, 'c> =
    &'e mut dyn FnMut(&mut Machine<'c>, &Move, [u32; 2], &mut Scratch) -> Result<(), AsWhole>;

/// A heap of a core and up to two satellites.
struct Part<'p> {
    rows: &'p [u32],
    core: &'p Core,
    /// The satellites, and where their first objects are.
    satellites: [u32; 2],
    firsts: [u32; 2],
}

impl<'c> Machine<'c> {
    /// Expands a state; says `false` if it has to be executed as a whole. What was found until then is right.
    pub(super) fn expand_parts(&mut self, state: &State, successors: &mut Successors) -> bool {
        let made = self.each_move(state, &mut |machine, one, used, scratch| {
            machine.apply(one, used, state, scratch, successors.buffer())?;
            successors.commit(one.label, 1);
            Ok(())
        });
        made.is_ok()
    }

    /// Calls `each` with the moves that can be made in a state.
    pub(super) fn each_move(
        &mut self,
        state: &State,
        each: EachMove<'_, 'c>,
    ) -> Result<(), AsWhole> {
        if self.asks_for_forgotten(state) {
            return Err(AsWhole);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        self.rows_of(state.core, &mut scratch.rows);
        let made = self.each_move_by(state, &mut scratch, each);
        // What others use meanwhile is smaller.
        scratch.state = std::mem::take(&mut self.scratch.state);
        self.scratch = scratch;
        made
    }

    fn each_move_by(
        &mut self,
        state: &State,
        scratch: &mut Scratch,
        each: EachMove<'_, 'c>,
    ) -> Result<(), AsWhole> {
        let mut meets: Vec<ThreadAt> = Vec::new();
        let mut polling: Vec<(Rc<Entry>, [u32; 2])> = Vec::new();
        for satellites in self.parts(state) {
            let entry = self.entry(satellites, state.core, &scratch.rows)?;
            for one in &entry.moves {
                each(self, one, satellites, scratch)?;
            }
            meets.extend(&entry.meets);
            if !entry.polls.is_empty() {
                polling.push((entry, satellites));
            }
        }
        for (entry, satellites) in polling {
            for Poll { thread, moves } in &entry.polls {
                if !meets.contains(thread) {
                    for one in moves {
                        each(self, one, satellites, scratch)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The parts of a state whose moves are looked up: the core, each satellite, and pairs that may meet.
    fn parts(&self, state: &State) -> Vec<[u32; 2]> {
        let alone = state.satellites.iter().map(|(satellite, _)| [*satellite, NONE]);
        [[NONE; 2]].into_iter().chain(alone).chain(self.pairs(state)).collect()
    }

    /// What a part of a state can do.
    fn entry(
        &mut self,
        satellites: [u32; 2],
        core: u32,
        rows: &[u32],
    ) -> Result<Rc<Entry>, AsWhole> {
        let whose = Whose { satellites, shape: self.core_infos[core as usize].shape };
        let known = self.moves.get(whose, core, rows);
        let entry = match known {
            Some(entry) => entry,
            None => self.work_out(whose, core, rows),
        };
        if entry.elsewhere { Err(AsWhole) } else { Ok(entry) }
    }

    /// Two threads that race in a state, if there are such; only where races were asked for when the program was compiled.
    pub(super) fn race_in_parts(
        &mut self,
        state: &State,
    ) -> Result<Option<[ThreadAt; 2]>, AsWhole> {
        let mut rows = Vec::new();
        self.rows_of(state.core, &mut rows);
        let mut all: Vec<HubAccess> = Vec::new();
        for satellites in self.parts(state) {
            let entry = self.entry(satellites, state.core, &rows)?;
            if entry.race.is_some() {
                return Ok(entry.race);
            }
            all.extend(&entry.accesses);
        }
        let count = |satellite: u32| {
            let at = state.satellites.binary_search_by_key(&satellite, |(other, _)| *other);
            at.map_or(1, |at| state.satellites[at].1)
        };
        for (number, one) in all.iter().enumerate() {
            for other in &all[..=number] {
                let are_two = one.thread != other.thread || count(one.thread.satellite) > 1;
                if are_two && one.conflicts(other) {
                    return Ok(Some([one.thread, other.thread]));
                }
            }
        }
        Ok(None)
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
                if can_meet && (one != other || *count > 1) {
                    pairs.push([*one, *other]);
                }
            }
        }
        pairs
    }

    /// Writes the state that comes of a move.
    pub(super) fn apply(
        &mut self,
        one: &Move,
        used: [u32; 2],
        state: &State,
        scratch: &mut Scratch,
        to: &mut Vec<u8>,
    ) -> Result<(), AsWhole> {
        let (change, satellites) = match &one.to {
            Target::Failed(failure) => {
                Machine::write_failure(*failure, to);
                return Ok(());
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
                    let renamed = self.renamed(*core, *map, *satellite).ok_or(AsWhole)?;
                    for satellite in &renamed.satellites {
                        add(next, *satellite, *count);
                    }
                }
                *core
            }
        };
        for satellite in satellites {
            add(next, *satellite, 1);
        }
        State::write(core, next, to);
        Ok(())
    }

    /// What a satellite becomes where hubs are renamed; nothing if it mentions one that is lost. The core is that after
    /// the step.
    pub(super) fn renamed(&mut self, core: u32, map: u32, satellite: u32) -> Option<Rc<Renamed>> {
        if let Some(known) = self.moves.renamed(map, satellite) {
            return known;
        }
        let hub_map = self.moves.map(map);
        let read = &self.read_satellites[satellite as usize];
        let renamed = match hub_map.loses(read) {
            true => None,
            false => {
                let mut rows = Vec::new();
                self.rows_of(core, &mut rows);
                let core = self.read_core(&rows);
                let mut heap = core.heap.clone();
                let first = read.build_renamed(self.code, &core, &mut heap, hub_map);
                let threads = read.threads.clone();
                let alike = threads.iter().map(|thread| read.first_alike[*thread as usize]);
                let alike: Vec<u32> = alike.collect();
                let form = self.canoniser.form(&heap).expect("bags are where they were");
                let satellites = self.numbered(&form);
                let places = threads.iter().zip(alike).filter_map(|(thread, alike)| {
                    match self.life(&form, &satellites, &heap, first + thread) {
                        Life::At(place) => Some((alike, place)),
                        Life::Ended | Life::Crashed => None,
                    }
                });
                let threads = places.collect();
                Some(Rc::new(Renamed { satellites, threads }))
            }
        };
        self.moves.put_renamed(map, satellite, renamed.clone());
        renamed
    }

    /// The numbers of the satellites of a canonical form, in its order.
    fn numbered(&mut self, form: &Form) -> Vec<u32> {
        let mut numbers = Vec::new();
        for part in &form.satellites {
            numbers.push(self.satellite(&part.bytes));
        }
        numbers
    }

    /// What a thread is in the state of a canonical form, whose satellites have these numbers. Who is not there has
    /// ended.
    fn life(&self, form: &Form, satellites: &[u32], heap: &Heap, thread: u32) -> Life {
        if !self.code.is_running(heap.class(thread)) {
            return Life::Ended;
        }
        if let Some(hub) = form.hubs.iter().position(|hub| *hub == thread) {
            return Life::At(ThreadAt { satellite: NONE, position: hub as u32 });
        }
        for (part, satellite) in form.satellites.iter().zip(satellites) {
            if let Some(at) = part.objects.iter().position(|object| *object == thread) {
                let read = &self.read_satellites[*satellite as usize];
                let position = read.first_alike[at];
                return Life::At(ThreadAt { satellite: *satellite, position });
            }
        }
        unreachable!("threads that run are live")
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
        execution.accesses = self.code.has_races.then(Vec::new);
        execution.gathered.clear();
        let mut entry = Entry::default();
        if self.part_moves(&part, &heap, &mut execution, &mut entry).is_err() {
            entry = Entry { elsewhere: true, ..Entry::default() };
        }
        execution.core = None;
        execution.accesses = None;
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
        execution: &mut Execution<'c>,
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
                let mut others = at(0, &read(0).threads);
                others.extend(&part.core.threads);
                (at(0, &read(0).first_threads), others)
            }
            _ => (at(0, &read(0).first_threads), at(1, &read(1).first_threads)),
        };
        let are_two = part.satellites[1] != NONE;
        let mut finder =
            Finder { machine: self, part, found: Vec::new(), polling: None, elsewhere: false };
        let mut alone: Vec<bool> = Vec::new();
        if !are_two {
            for thread in &own {
                alone.push(finder.alone(execution, heap, *thread)?);
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
        entry.meets = met.into_iter().map(|thread| self.thread_at(part, thread)).collect();
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
            if *satellite != NONE {
                let read = &self.read_satellites[*satellite as usize];
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
        let is_second = part.satellites[1] != NONE && object >= part.firsts[1];
        let number = usize::from(is_second);
        let satellite = part.satellites[number];
        let position = (object - part.firsts[number]) as usize;
        let position = self.read_satellites[satellite as usize].first_alike[position];
        ThreadAt { satellite, position }
    }

    /// What comes of a move, by the heap after it, and what becomes of the threads; nothing if a bag is not where it was.
    fn target(&mut self, part: &Part, execution: &Execution) -> Option<(Target, Lives)> {
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
        let map = HubMap { cleared: cleared.collect(), names };
        let satellites = self.numbered(&form);
        let mut lives = Vec::new();
        for thread in self.threads_of(part) {
            let life = match execution.crashed.contains(&thread) {
                true => Life::Crashed,
                false => self.life(&form, &satellites, &execution.heap, thread),
            };
            lives.push((self.thread_at(part, thread), life));
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
        Some((Target::State { change, satellites: satellites.into() }, lives.into()))
    }

    /// The threads that run in a part of a state.
    fn threads_of(&self, part: &Part) -> Vec<u32> {
        let mut threads = part.core.threads.clone();
        for (satellite, first) in part.satellites.iter().zip(part.firsts) {
            if *satellite != NONE {
                let read = &self.read_satellites[*satellite as usize];
                threads.extend(read.threads.iter().map(|thread| first + thread));
            }
        }
        threads
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
        references(one) == references(other)
    }
}

/// What becomes of threads.
type Lives = Box<[(ThreadAt, Life)]>;

/// Finds moves of a part of a state.
struct Finder<'f, 'c> {
    machine: &'f mut Machine<'c>,
    part: &'f Part<'f>,
    /// The moves, and who polls, if it is one of those who make them only if they can meet nobody.
    found: Vec<(Option<u32>, Move)>,
    polling: Option<u32>,
    elsewhere: bool,
}

impl<'c> Finder<'_, 'c> {
    fn alone(
        &mut self,
        execution: &mut Execution<'c>,
        heap: &Heap,
        thread: u32,
    ) -> Result<bool, Elsewhere> {
        self.polling = None;
        execution.alone(heap, thread, &mut |execution, turn, acting, outcome| {
            self.find(execution, turn, acting, outcome);
        })
    }

    fn together(
        &mut self,
        execution: &mut Execution<'c>,
        heap: &Heap,
        pair: [u32; 2],
    ) -> Result<bool, Elsewhere> {
        self.polling = None;
        execution.together(heap, pair, &mut |execution, turn, acting, outcome| {
            self.find(execution, turn, acting, outcome);
        })
    }

    fn otherwise(
        &mut self,
        execution: &mut Execution<'c>,
        heap: &Heap,
        thread: u32,
    ) -> Result<bool, Elsewhere> {
        self.polling = Some(thread);
        execution.otherwise(heap, thread, &mut |execution, turn, acting, outcome| {
            self.find(execution, turn, acting, outcome);
        })
    }

    fn find(
        &mut self,
        execution: &Execution<'c>,
        turn: Turn,
        acting: [Option<u32>; 2],
        outcome: Result<(), Failure>,
    ) {
        let Finder { machine, part, .. } = self;
        let label = machine.label(turn);
        let acts = acting.into_iter().flatten().map(|thread| machine.thread_at(part, thread));
        let acts: Box<[ThreadAt]> = acts.collect();
        let found = match outcome {
            Err(failure) => {
                let to = Target::Failed(machine.failure_number(failure));
                Some((to, Lives::default()))
            }
            Ok(()) => machine.target(part, execution),
        };
        match found {
            Some((to, lives)) => self.found.push((self.polling, Move { label, to, acts, lives })),
            None => self.elsewhere = true,
        }
    }
}
