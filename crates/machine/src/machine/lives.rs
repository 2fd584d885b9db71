//! What becomes of the threads of a state, move by move.
//!
//! Alike threads are one: those of equal satellites, and those that are interchangeable within one. Whatever one of them
//! can do, each of them can; a move that one makes leaves the others where they are.

use check::{Fates, Way};

use super::expand::AsWhole;
use super::{Machine, State, Step};
use crate::code::PointId;
use crate::form::{Read, Reader};
use crate::heap::Heap;
use crate::moves::{CoreChange, Life, Move, NONE, Target, ThreadAt};
use crate::run::{Execution, Stack};

/// Gives the number of a state.
pub type NumberOf<'n> = &'n mut dyn FnMut(&[u8]) -> u32;

impl Machine<'_> {
    /// The threads that run in a state, of alike ones one.
    fn threads(&self, state: &State) -> Vec<ThreadAt> {
        let shape = self.core_info(state.core).shape;
        let hubs = self.threads_by_shape[shape as usize].iter();
        let hubs = hubs.map(|hub| ThreadAt { satellite: NONE, position: *hub });
        let own = state.satellites.iter().flat_map(|(satellite, _)| {
            let read = self.read(*satellite);
            let at = |position: &u32| ThreadAt { satellite: *satellite, position: *position };
            read.first_threads.iter().map(at)
        });
        hubs.chain(own).collect()
    }

    /// The number of a thread among those of a state.
    fn thread_number(&self, state: &State, thread: ThreadAt) -> u32 {
        let shape = self.core_info(state.core).shape;
        let hubs = &self.threads_by_shape[shape as usize];
        if thread.satellite == NONE {
            return hubs.binary_search(&thread.position).expect("it runs") as u32;
        }
        let mut number = hubs.len();
        for (satellite, _) in &state.satellites {
            let first = &self.read(*satellite).first_threads;
            if *satellite == thread.satellite {
                return (number + first.binary_search(&thread.position).expect("it runs")) as u32;
            }
            number += first.len();
        }
        unreachable!("its satellite is there")
    }

    /// The objects of the heap of a state ([`Self::build`]) that its threads are, by their numbers: each is one of those
    /// that are alike.
    #[must_use]
    pub fn thread_objects(&mut self, state: &[u8]) -> Vec<u32> {
        let mut parts = State::default();
        parts.read(state);
        self.learn(&parts);
        let places = self.places(state);
        let threads = self.threads(&parts).into_iter();
        let object = |thread| places.iter().position(|place| *place == thread);
        threads.map(|thread| object(thread).expect("it is there") as u32).collect()
    }

    /// What each object of the heap of a state is: a hub, or one of a satellite; of alike ones the first.
    pub(super) fn places(&self, state: &[u8]) -> Vec<ThreadAt> {
        let mut parts = State::default();
        parts.read(state);
        let mut rows = Vec::new();
        self.rows_of(parts.core, &mut rows);
        let hubs = (0..rows.len() as u32).map(|hub| ThreadAt { satellite: NONE, position: hub });
        let own = self.in_order(&parts.satellites).into_iter().flat_map(|(satellite, count)| {
            let first_alike = &self.read(satellite).first_alike;
            let copies = (0..count).flat_map(move |_| first_alike);
            copies.map(move |position| ThreadAt { satellite, position: *position })
        });
        hubs.chain(own).collect()
    }

    /// Writes what becomes of the threads of a state. Where it is enough to know that a thread can act, no more is written
    /// of it.
    pub fn fates(
        &mut self,
        state: &[u8],
        acting_is_enough: bool,
        number: NumberOf<'_>,
        fates: &mut Fates,
    ) {
        let mut parts = State::default();
        if !parts.read(state) {
            return;
        }
        self.learn(&parts);
        let threads = self.threads(&parts);
        self.note_idle(&parts, &mut fates.idle);
        fates.is_forgotten = self.asks_for_forgotten(&parts);
        let mut settled = vec![false; threads.len()];
        let mut by_parts = Vec::new();
        let mut next = Vec::new();
        let made = self.each_move(&parts, &mut |machine, one, used, scratch| {
            next.clear();
            let joined = machine.step(one, used, &parts, scratch, &mut next)?;
            let mut target = State::default();
            if !target.read(&next) {
                fates.ends_all = true;
                return Ok(());
            }
            machine.learn(&target);
            let mut to = None;
            for (thread, at) in (0..).zip(&threads) {
                if settled[thread as usize] {
                    continue;
                }
                let acts = one.acts.contains(at);
                let lives = machine.lives_of(*at, one, used, &parts);
                for life in machine.followed(lives, &joined) {
                    let ends = life == Life::Ended;
                    let becomes = match life {
                        Life::At(place) => {
                            let to = *to.get_or_insert_with(|| number(&next));
                            Some((to, machine.thread_number(&target, place)))
                        }
                        Life::Ended | Life::Crashed => None,
                    };
                    by_parts.push(Way { thread, acts, ends, becomes });
                    settled[thread as usize] |= acting_is_enough && (acts || ends);
                }
            }
            Ok(())
        });
        if made.is_ok() {
            fates.ways.append(&mut by_parts);
            return;
        }
        fates.ends_all = false;
        let places = self.places(state);
        for Step { acting, born, crashed, becomes, state: next, .. } in self.steps(state) {
            let Ok(becomes) = becomes else {
                fates.ends_all = true;
                continue;
            };
            let mut target = State::default();
            target.read(&next);
            self.learn(&target);
            let next_places = self.places(&next);
            let mut next_heap = Heap::default();
            self.build(&next, &mut next_heap);
            // Where a thread is after the step, if it runs.
            let after = |object: u32| {
                let object = becomes[object as usize]? as usize;
                let runs = self.code.is_running(next_heap.class(object as u32));
                runs.then(|| next_places[object])
            };
            let lives: Vec<Option<ThreadAt>> = (0..places.len() as u32).map(after).collect();
            let onward = acting.iter().chain(&born).filter_map(|object| after(*object));
            let onward: Vec<ThreadAt> = onward.collect();
            let mut last = target.clone();
            let joined = self.run_on(&mut last, &onward);
            let mut string = Vec::new();
            State::write(last.core, &last.satellites, &mut string);
            self.learn(&last);
            let to = number(&string);
            for ((object, place), life) in (0..).zip(&places).zip(lives) {
                let Some(thread) = threads.iter().position(|thread| thread == place) else {
                    continue;
                };
                let thread = thread as u32;
                let acts = acting.contains(&object);
                let Some(life) = life else {
                    let ends = !crashed.contains(&object);
                    fates.ways.push(Way { thread, acts, ends, becomes: None });
                    continue;
                };
                for life in self.followed(vec![Life::At(life)], &joined) {
                    let becomes = life.place().map(|at| (to, self.thread_number(&last, at)));
                    fates.ways.push(Way { thread, acts, ends: life == Life::Ended, becomes });
                }
            }
        }
    }

    /// Writes of each thread of a state whether it may wait for ever where it is.
    pub fn idle(&mut self, state: &[u8], idle: &mut Vec<bool>) {
        let mut parts = State::default();
        if parts.read(state) {
            self.learn(&parts);
            self.note_idle(&parts, idle);
        }
    }

    /// Whether each thread of a state that may not wait for ever has hope, at first sight: all of them can act, or a move goes
    /// wrong, or leads to a state of which the same is known. For who does not act in a move, and is not ended by it, is
    /// where it was, and may have hope there.
    ///
    /// It may be so though this says `false`: where data is tested that is not kept, where the state has to be executed as a
    /// whole, where threads are ended by others, and if it becomes known later of one of the states to which moves lead:
    /// these are given.
    pub fn has_hope(
        &mut self,
        state: &[u8],
        number: NumberOf<'_>,
        is_known: &dyn Fn(u32) -> bool,
        targets: &mut Vec<u32>,
    ) -> bool {
        targets.clear();
        let mut parts = State::default();
        if !parts.read(state) {
            return true;
        }
        if self.code.has_dooms {
            return false;
        }
        self.learn(&parts);
        let mut acting: Vec<ThreadAt> = Vec::new();
        let (mut next, mut is_found) = (Vec::new(), false);
        let asked = self.each_move(&parts, &mut |machine, one, used, scratch| {
            next.clear();
            machine.step(one, used, &parts, scratch, &mut next)?;
            is_found = matches!(one.to, Target::Failed(_));
            if !is_found {
                let target = number(&next);
                targets.push(target);
                is_found = is_known(target);
            }
            acting.extend(&one.acts);
            // The other moves need not be looked at.
            if is_found { Err(AsWhole) } else { Ok(()) }
        });
        let acts = |machine: &Self| {
            let mut idle = Vec::new();
            machine.note_idle(&parts, &mut idle);
            let mut threads = machine.threads(&parts).into_iter().zip(idle);
            threads.all(|(thread, idle)| idle || acting.contains(&thread))
        };
        is_found || asked.is_ok() && acts(self)
    }

    fn note_idle(&self, state: &State, idle: &mut Vec<bool>) {
        let mut rows = Vec::new();
        self.rows_of(state.core, &mut rows);
        let hubs = &self.threads_by_shape[self.core_info(state.core).shape as usize];
        let is_idle = |hub: &u32| self.code.stop(self.point_of(rows[*hub as usize])).is_idle;
        idle.extend(hubs.iter().map(is_idle));
        for (satellite, _) in &state.satellites {
            idle.extend(&self.read(*satellite).idle);
        }
    }

    /// Where a hub is that is a thread which runs, by the number of its string.
    pub(super) fn point_of(&self, row: u32) -> PointId {
        let point = self.parts.look(row, |_, bytes| {
            let mut reader = Reader::new(bytes);
            let (_, _) = (reader.number(), reader.number());
            reader.read()
        });
        let Read::Integer(point) = point else { unreachable!("a thread is at a point") };
        Stack::point_of(point)
    }

    /// What may become of a thread in a move: of alike ones some may take part, and others not.
    pub(super) fn lives_of(
        &self,
        at: ThreadAt,
        one: &Move,
        used: [u32; 2],
        state: &State,
    ) -> Vec<Life> {
        let listed = one.lives.iter().filter(|(thread, _)| *thread == at);
        let mut lives: Vec<Life> = listed.map(|(_, life)| *life).collect();
        if at.satellite == NONE {
            if lives.is_empty() {
                let hub = match &one.to {
                    Target::State { change: CoreChange::Core(_, map), .. } => {
                        self.moves.map(*map).hub(at.position)
                    }
                    Target::State { .. } | Target::Failed(_) => at.position,
                };
                lives.push(Life::At(ThreadAt { satellite: NONE, position: hub }));
            }
            return lives;
        }
        let count = state.satellites.iter().find(|(satellite, _)| *satellite == at.satellite);
        let count = count.map_or(0, |(_, count)| *count as usize);
        let taking_part = used.iter().filter(|satellite| **satellite == at.satellite).count();
        if count > taking_part {
            match &one.to {
                Target::State { change: CoreChange::Core(_, map), .. } => {
                    let renamed = self.moves.renamed(*map, at.satellite).flatten();
                    let renamed = renamed.expect("the move was made");
                    let threads = renamed.threads.iter();
                    let own = threads.filter(|(position, _)| *position == at.position);
                    lives.extend(own.map(|(_, place)| Life::At(*place)));
                }
                Target::State { change: CoreChange::Rows(_), .. } | Target::Failed(_) => {
                    lives.push(Life::At(at));
                }
            }
        }
        lives
    }

    /// Whether a thread that may not wait for ever waits in a state in which nothing can happen.
    #[must_use]
    pub fn is_deadlock(&self, state: &[u8]) -> bool {
        let mut heap = Heap::default();
        self.build(state, &mut heap)
            && Execution::threads(self.code, &heap).any(|one| !self.code.is_idle(&heap, one))
    }

    /// Two threads that race in a state, by their objects in its heap; only where races were asked for when the program
    /// was compiled.
    pub fn race(&mut self, state: &[u8]) -> Option<[u32; 2]> {
        let mut parts = State::default();
        if !parts.read(state) {
            return None;
        }
        self.learn(&parts);
        match self.race_in_parts(&parts) {
            Ok(None) => None,
            // Where there is one, who takes part is found in the whole.
            Ok(Some(_)) | Err(_) => self.race_in_whole(state),
        }
    }

    fn race_in_whole(&mut self, state: &[u8]) -> Option<[u32; 2]> {
        let mut heap = Heap::default();
        self.build(state, &mut heap);
        let mut execution = Execution::new(self.code);
        execution.accesses = Some(Vec::new());
        let expanded = execution.expand(&heap, &mut |_, _, _, _| {});
        assert!(expanded.is_ok(), "all of the state is there");
        let mut all = std::mem::take(&mut execution.gathered);
        all.retain(|(_, access)| !self.code.is_atomic(heap.class(access.object), access.field));
        for (number, (thread, access)) in all.iter().enumerate() {
            for (other, one) in &all[..number] {
                if other != thread && one.conflicts(access) {
                    return Some([*other, *thread]);
                }
            }
        }
        None
    }

    /// Whether a thread of a state asks for data that is not kept: then nobody else has a turn.
    pub(super) fn asks_for_forgotten(&self, state: &State) -> bool {
        self.code.has_forgotten
            && (self.core_info(state.core).is_forgotten || { state.satellites.iter() }
                .any(|(number, _)| self.read(*number).is_forgotten))
    }

    /// Whether the string of a hub is that of a thread that asks for data that is not kept.
    pub(super) fn hub_is_forgotten(&self, row: u32) -> bool {
        self.code.is_running(self.class_of(row)) && self.code.stop(self.point_of(row)).is_forgotten
    }
}
