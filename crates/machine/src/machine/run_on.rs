//! Threads that run on: reduction.
//!
//! After a move those who have acted in it, or were born in it, go on within the same step, as long as what they do next
//! cannot be told apart by any order ([`Machine::is_certain`]): it is a move *a* that the thread will make next in any case,
//! and whatever the others may do before it, they may do after it, too, with the same outcome. (A persistent set of one
//! thread; Godefroid 1996.) So a state in between need not be kept. Every state that is kept is expanded for all its
//! threads, and any number of moves may be joined, so running on may end anywhere.
//!
//! What is kept. Let *w* be moves from a state before *a*, in which its thread does not act otherwise: if *a* is among
//! them, it may as well be the first of them; if not, they lead to the same state after *a*, but for *a*. Take
//! the shortest run of single moves to something, and make its first move with all that is joined to it: the rest of the
//! run is left, or a shorter one. By induction this shows
//!
//! - failures: each is met with and without running on;
//! - deadlocks, since *a* can be done in the end of *w*, which is none;
//! - stuck threads: one that can act, or end, still can after *a*; one that never will still is there after *a*, as it is
//!   not the one who does *a*;
//! - threads that can never end: one that can end, or come to where it may wait for ever, still can after *a*, since nobody
//!   runs on from such a place; one that cannot still cannot.
//!
//! Whatever else is asked of states that are not kept cannot be told: variables, labels, races, linear and branching time.
//! Where threads are ended by others ([`Code::has_dooms`](crate::code::Code)), or data is tested that is not kept, nobody
//! runs on.

use std::collections::VecDeque;
use std::sync::Arc;

use super::expand::AsWhole;
use super::{Machine, Scratch, State};
use crate::code::PointId;
use crate::form::Form;
use crate::heap::Heap;
use crate::mistake::{Mistake, planted};
use crate::moves::{Entry, HUB, Life, Move, NONE, Target, ThreadAt};
use crate::run::Execution;

/// As many moves are joined to one. Whatever the number, verdicts are the same.
const MOST_JOINED: usize = 10_000;

/// A move that is joined to those before it.
#[derive(Debug)]
pub(super) enum Joined {
    /// A move that is remembered, those who take part, and the state in which it is made.
    Remembered { entry: Arc<Entry>, number: usize, used: [u32; 2], before: State },
    /// What becomes of threads in a state that is executed as a whole.
    Whole(Vec<(ThreadAt, Life)>),
}

/// What a thread does next: the move, the state to which it leads, and who goes on there.
type Onward = (Joined, State, Vec<ThreadAt>);

impl<'c> Machine<'c> {
    /// Writes the state that comes of a move, with all that is joined to it, and says what that is.
    pub(super) fn step(
        &mut self,
        one: &Move,
        used: [u32; 2],
        state: &State,
        scratch: &mut Scratch,
        to: &mut Vec<u8>,
    ) -> Result<Vec<Joined>, AsWhole> {
        let start = to.len();
        self.apply(one, used, state, scratch, to)?;
        if !self.reduces || matches!(one.to, Target::Failed(_)) {
            return Ok(Vec::new());
        }
        let mut next = State::default();
        next.read(&to[start..]);
        let joined = self.run_on(&mut next, &one.onward);
        if !joined.is_empty() {
            to.truncate(start);
            State::write(next.core, &next.satellites, to);
        }
        Ok(joined)
    }

    /// Writes the state of a canonical form, after all that is joined to the move that led to it: those who acted in it, or
    /// were born, are these.
    pub(super) fn write_joined(
        &mut self,
        form: &Form,
        heap: &Heap,
        onward: impl Iterator<Item = u32>,
        to: &mut Vec<u8>,
    ) {
        let start = to.len();
        self.write_form(form, to);
        if self.reduces {
            let satellites = self.numbered(form);
            let lives = onward.map(|thread| self.life(form, &satellites, heap, thread));
            let onward: Vec<ThreadAt> = lives.filter_map(Life::place).collect();
            let mut next = State::default();
            next.read(&to[start..]);
            self.run_on(&mut next, &onward);
            to.truncate(start);
            State::write(next.core, &next.satellites, to);
        }
    }

    /// Lets threads run on from a state, which becomes the one that they come to.
    pub(super) fn run_on(&mut self, state: &mut State, threads: &[ThreadAt]) -> Vec<Joined> {
        let mut joined: Vec<Joined> = Vec::new();
        let threads = if self.reduces { threads } else { &[] };
        let mut open: VecDeque<ThreadAt> = threads.iter().copied().collect();
        // A state that was come to before, to see that threads go round.
        let (mut earlier, mut until) = (state.clone(), 1);
        while let Some(thread) = open.pop_front() {
            if joined.len() == MOST_JOINED {
                break;
            }
            self.learn(state);
            let Some((one, next, onward)) = self.certain(state, thread) else { continue };
            // Others may have other places then.
            let places = open.into_iter().filter_map(|other| {
                self.followed(vec![Life::At(other)], std::slice::from_ref(&one))
                    .into_iter()
                    .rev()
                    .find_map(Life::place)
            });
            open = onward.into_iter().chain(places).collect();
            joined.push(one);
            *state = next;
            if *state == earlier && !planted(Mistake::GoesRound) {
                break;
            }
            if joined.len() == until {
                (earlier, until) = (state.clone(), 2 * until);
            }
        }
        joined
    }

    /// The next move of a thread, what it leads to, and who goes on then; if it is certain.
    fn certain(&mut self, state: &State, thread: ThreadAt) -> Option<Onward> {
        let mut scratch = std::mem::take(&mut self.second);
        self.rows_of(state.core, &mut scratch.rows);
        let found = self.certain_move(state, thread, &mut scratch);
        self.second = scratch;
        found
    }

    fn certain_move(
        &mut self,
        state: &State,
        thread: ThreadAt,
        scratch: &mut Scratch,
    ) -> Option<Onward> {
        let stop = self.code.stop(self.point_in(state, thread));
        let has_one_way = stop.arms.len() == 1 && stop.otherwise.is_none();
        let stays = stop.is_idle && !planted(Mistake::PassesIdle);
        let is_met = (stop.gives || stop.takes) && !planted(Mistake::NobodyMeets);
        if !has_one_way && !planted(Mistake::OnlyWay) || stays || is_met {
            return None;
        }
        let used = match thread.satellite {
            NONE => [HUB | thread.position, NONE],
            satellite => [satellite, NONE],
        };
        let entry = self.entry(used, state.core, &scratch.rows).ok()?;
        let mut own = (0..).zip(&entry.moves).filter(|(_, one)| one.acts.contains(&thread));
        let (number, one) = own.next()?;
        let is_sure = own.next().is_none() || planted(Mistake::AnyOutcome);
        if !is_sure || matches!(one.to, Target::Failed(_)) {
            return None;
        }
        if !self.is_certain(state, thread, &entry, &scratch.rows) {
            return None;
        }
        let mut bytes = Vec::new();
        let onward = match self.apply(one, used, state, scratch, &mut bytes) {
            Ok(()) => {
                let mut next = State::default();
                next.read(&bytes);
                let (onward, before) = (one.onward.to_vec(), state.clone());
                (Joined::Remembered { entry, number, used, before }, next, onward)
            }
            Err(AsWhole) => self.alone_in_whole(state, thread),
        };
        let (_, next, places) = &onward;
        self.learn(next);
        let is_seen = places.iter().any(|thread| self.is_looked_for(next, *thread));
        (!is_seen).then_some(onward)
    }

    /// What a thread does next in a state that is executed as a whole. It can do one thing.
    fn alone_in_whole(&mut self, state: &State, thread: ThreadAt) -> Onward {
        let (mut bytes, mut heap) = (Vec::new(), Heap::default());
        State::write(state.core, &state.satellites, &mut bytes);
        self.build(&bytes, &mut heap);
        let places = self.places(&bytes);
        let object = places.iter().position(|place| *place == thread).expect("it runs") as u32;
        let mut execution = std::mem::replace(&mut self.execution, Execution::new(self.code));
        let mut found = None;
        let done = execution.alone(&heap, object, &mut |execution, _, _, _| {
            let form = self.canoniser.form(&execution.heap).expect("all of the state is there");
            let (mut bytes, mut next) = (Vec::new(), State::default());
            self.write_form(&form, &mut bytes);
            next.read(&bytes);
            let satellites = self.numbered(&form);
            let after = |thread: u32| self.life(&form, &satellites, &execution.heap, thread);
            let lives = Execution::threads(self.code, &heap);
            let lives = lives.map(|one| (places[one as usize], after(one))).collect();
            let acting = [object].into_iter().chain(execution.born.iter().copied());
            let onward = acting.filter_map(|thread| after(thread).place()).collect();
            found = Some((Joined::Whole(lives), next, onward));
        });
        assert!(done.is_ok(), "all of the state is there");
        self.execution = execution;
        found.expect("it can do something")
    }

    /// Whether somebody may look whether a thread waits to be met, and goes another way if not.
    fn is_looked_for(&self, state: &State, thread: ThreadAt) -> bool {
        let stop = self.code.stop(self.point_in(state, thread));
        self.code.has_lookouts && (stop.gives || stop.takes) && !planted(Mistake::UnseenArrivals)
    }

    /// Where a thread of a state is.
    fn point_in(&self, state: &State, thread: ThreadAt) -> PointId {
        match thread.satellite {
            NONE => {
                let mut rows = Vec::new();
                self.rows_of(state.core, &mut rows);
                self.point_of(rows[thread.position as usize])
            }
            satellite => self.read(satellite).point(thread.position),
        }
    }

    /// What becomes of threads by moves that are joined.
    pub(super) fn followed(&self, lives: Vec<Life>, joined: &[Joined]) -> Vec<Life> {
        joined.iter().fold(lives, |lives, one| {
            let mut next: Vec<Life> = Vec::new();
            for life in lives {
                let becomes = match life {
                    Life::At(place) => self.lives_after(place, one),
                    Life::Ended | Life::Crashed => vec![life],
                };
                becomes.into_iter().for_each(|life| {
                    if !next.contains(&life) {
                        next.push(life);
                    }
                });
            }
            next
        })
    }

    fn lives_after(&self, place: ThreadAt, joined: &Joined) -> Vec<Life> {
        match joined {
            Joined::Remembered { entry, number, used, before } => {
                self.lives_of(place, &entry.moves[*number], *used, before)
            }
            Joined::Whole(lives) => {
                let own = lives.iter().filter(|(thread, _)| *thread == place);
                own.map(|(_, life)| *life).collect()
            }
        }
    }
}
