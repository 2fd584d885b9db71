//! States as parts: what each part can do is looked up, or worked out and remembered.

use std::sync::Arc;

use explore::Successors;

use super::{Machine, Scratch, State, add};
use crate::form::Form;
use crate::heap::Heap;
use crate::mistake::{self, Mistake, planted};
use crate::moves::{
    CoreChange, Entry, HUB, HubAccess, Life, Move, NONE, Poll, Renamed, Target, ThreadAt, hub,
    is_satellite,
};

/// That a state has to be executed as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct AsWhole;

/// Called with each move that can be made in a state, and the satellites that take part.
pub(super) type EachMove<'e, 'c> =
    &'e mut dyn FnMut(&mut Machine<'c>, &Move, [u32; 2], &mut Scratch) -> Result<(), AsWhole>;

impl<'c> Machine<'c> {
    /// Expands a state; says `false` if it has to be executed as a whole. What was found until then is right.
    pub(super) fn expand_parts(&mut self, state: &State, successors: &mut Successors) -> bool {
        let made = self.each_move(state, &mut |machine, one, used, scratch| {
            machine.step(one, used, state, scratch, successors.buffer())?;
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
        let mut polling: Vec<(Arc<Entry>, [u32; 2])> = Vec::new();
        for satellites in self.parts(state, &scratch.rows) {
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
                let own_only = planted(Mistake::OwnPolls) && !entry.meets.contains(thread);
                if !meets.contains(thread) || own_only {
                    for one in moves {
                        each(self, one, satellites, scratch)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The parts of a state whose moves are looked up: hubs that are threads, satellites, and pairs that may meet.
    fn parts(&self, state: &State, rows: &[u32]) -> Vec<[u32; 2]> {
        let shape = self.core_info(state.core).shape;
        let hubs = self.threads_by_shape[shape as usize].iter();
        // In an order that does not depend on the numbers, which depend on who was faster.
        let mut satellites = state.satellites.clone();
        satellites.sort_by_key(|(satellite, _)| self.read(*satellite).rank);
        let own = satellites.iter().map(|(satellite, _)| *satellite);
        let alone = hubs.map(|hub| HUB | hub).chain(own).map(|one| [one, NONE]);
        let mut parts: Vec<[u32; 2]> = alone.collect();
        if !self.code.meetings.is_empty() {
            self.pairs(&satellites, rows, &mut parts);
        }
        parts
    }

    /// What a part of a state can do.
    pub(super) fn entry(
        &mut self,
        satellites: [u32; 2],
        core: u32,
        rows: &[u32],
    ) -> Result<Arc<Entry>, AsWhole> {
        let known = self.moves.get(satellites, core, rows);
        let entry = match known {
            Some(entry) => entry,
            None => self.work_out(satellites, core, rows),
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
        for satellites in self.parts(state, &rows) {
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

    /// Adds the pairs that may meet, of those who are alone in these parts.
    fn pairs(&self, satellites: &[(u32, u32)], rows: &[u32], parts: &mut Vec<[u32; 2]>) {
        let meeting = parts.iter().map(|[one, _]| match hub(*one) {
            Some(hub) => {
                let stop = self.code.stop(self.point_of(rows[hub as usize]));
                (*one, 1, stop.gives, stop.takes)
            }
            None => {
                let read = self.read(*one);
                let (_, count) =
                    satellites.iter().find(|(other, _)| other == one).expect("it is there");
                (*one, *count, read.gives, read.takes)
            }
        });
        let meeting: Vec<_> = meeting.filter(|(.., gives, takes)| *gives || *takes).collect();
        for (number, (one, count, gives, takes)) in meeting.iter().enumerate() {
            for (other, _, also_gives, also_takes) in &meeting[number..] {
                let can_meet = *gives && *also_takes || *takes && *also_gives;
                let are_two = *count > 1 && !planted(Mistake::EqualCopies);
                if can_meet && (one != other || are_two) {
                    parts.push([*one, *other]);
                }
            }
        }
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
        for satellite in used.into_iter().filter(|one| is_satellite(*one)) {
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
    pub(super) fn renamed(&mut self, core: u32, map: u32, satellite: u32) -> Option<Arc<Renamed>> {
        if let Some(known) = self.moves.renamed(map, satellite) {
            return known;
        }
        let hub_map = self.moves.map(map);
        let read = self.read(satellite);
        let stays = || Some(Arc::new(Renamed { satellites: vec![satellite], threads: Vec::new() }));
        let renamed = match hub_map.loses(read) {
            _ if planted(Mistake::NotRenamed) => stays(),
            true if planted(Mistake::LostHubs) => stays(),
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
                let wrong = [Mistake::NotCanonisedAgain, Mistake::OrderKept];
                let form = mistake::instead(wrong, || self.canoniser.form(&heap));
                let form = form.expect("bags are where they were");
                let satellites = self.numbered(&form);
                let places = threads.iter().zip(alike).filter_map(|(thread, alike)| {
                    match self.life(&form, &satellites, &heap, first + thread) {
                        Life::At(place) => Some((alike, place)),
                        Life::Ended | Life::Crashed => None,
                    }
                });
                let threads = places.collect();
                Some(Arc::new(Renamed { satellites, threads }))
            }
        };
        self.moves.put_renamed(map, satellite, renamed.clone());
        renamed
    }

    /// The numbers of the satellites of a canonical form, in its order.
    pub(super) fn numbered(&mut self, form: &Form) -> Vec<u32> {
        let mut numbers = Vec::new();
        for part in &form.satellites {
            numbers.push(self.satellite(&part.bytes));
        }
        numbers
    }

    /// What a thread is in the state of a canonical form, whose satellites have these numbers. Who is not there has
    /// ended.
    pub(super) fn life(&self, form: &Form, satellites: &[u32], heap: &Heap, thread: u32) -> Life {
        if !self.code.is_running(heap.class(thread)) {
            return Life::Ended;
        }
        if let Some(hub) = form.hubs.iter().position(|hub| *hub == thread) {
            return Life::At(ThreadAt { satellite: NONE, position: hub as u32 });
        }
        for (part, satellite) in form.satellites.iter().zip(satellites) {
            if let Some(at) = part.objects.iter().position(|object| *object == thread) {
                let read = self.read(*satellite);
                let position = read.first_alike[at];
                return Life::At(ThreadAt { satellite: *satellite, position });
            }
        }
        unreachable!("threads that run are live")
    }
}
