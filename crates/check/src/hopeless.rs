//! Threads that can never again act, or never end.
//!
//! The graph of tracks has a node for each thread of each state, and its arcs follow threads along every
//! move. A thread is *stuck* if no node can be reached from its own in which it acts or is ended by some move,
//! unless it is where it may be for ever (idle); it *can never end* if none can be reached in which it is ended by
//! some move, or is idle. A move may end everything, and everybody with it. Nothing is assumed of runs: one run is enough
//! to be hopeful.
//!
//! Where the graph has forgotten choices, a thread has hope *for certain* only if it has it whichever outcome is real: in
//! such a state all moves have to lead to hope (the least fixpoint with an AND-node). Hopeless for certain are still those
//! whom no move helps. In between it *depends* on the data that is not kept.
//!
//! On a part of a graph, a track that leads to a state of which it is not known what follows may lead anywhere. Only
//! those are hopeless of which everything is known that can be reached. So what is found in a part is true of the
//! whole; that nothing is found says something only if all is known.
//!
//! States are looked at from the last to the first: in the order of a breadth-first search most moves lead
//! to states of higher numbers, of which it is mostly known by then that their threads are hopeful. Only the arcs
//! of those threads are kept that have no hope by then, and read backwards in the end.
//!
//! What is hopeless stays so. In the first state with hopeless threads others may still be on their way to the same, so
//! a state is given from which no run leads to one with more of them, along which some are left: the first such.
//! All that such runs come to is known, since the tracks of the hopeless are.
//!
//! Cost: each state is asked once for the fates of its threads, and the arcs that are kept are followed once. If some
//! are hopeless, the states are gone through again for each number of them that there is in some state. Two bits for
//! each node and 12 bytes for each arc that is kept, 8 bytes for each state, and what it takes to read the arcs
//! backwards: 8 bytes for each node and 4 for each arc.

mod hope;
mod tracks;

use budget::{Budget, Exhausted};

use crate::bits::Bits;
use crate::reverse::Reverse;
use tracks::Tracks;

/// What each thread is to be able to come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Prospect {
    /// To act, or to be ended; the idle need not.
    Acting,
    /// To be ended, or to be idle.
    Ending,
}

impl Prospect {
    /// Whether a move fulfils it for a thread that acts in it, or is ended by it.
    #[must_use]
    pub fn is_fulfilled(self, acts: bool, ends: bool) -> bool {
        ends || acts && self == Prospect::Acting
    }
}

/// The threads of the states of a graph.
pub trait Threads {
    /// Writes what becomes of the threads of a state, of which it is known what follows. `fates` is empty.
    ///
    /// # Errors
    /// If the budget is used up before.
    fn fates(&mut self, state: u32, fates: &mut Fates) -> Result<(), Exhausted>;

    /// How many threads of a state have one of these numbers, ascending; alike ones may share one.
    fn count(&mut self, _state: u32, threads: &[u32]) -> u32 {
        threads.len() as u32
    }
}

/// The threads of a state, numbered from 0, and what becomes of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fates {
    /// For each thread whether it is idle.
    pub idle: Vec<bool>,
    /// What moves do to threads, in any order; alike ones may be there once.
    pub ways: Vec<Way>,
    /// Whether a move ends everything, so that nobody is left.
    pub ends_all: bool,
    /// Whether the moves are the outcomes of a test on data that is not kept: exactly one of them is real. Then each
    /// thread has a way for each of them.
    pub is_forgotten: bool,
}

/// What a move does to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The thread.
    pub thread: u32,
    /// Whether it acts.
    pub acts: bool,
    /// Whether it is ended. One that is gone and has not been ended has crashed.
    pub ends: bool,
    /// The state to which the move leads, and which thread it is there, unless it is gone.
    pub becomes: Option<(u32, u32)>,
}

impl Way {
    fn fulfils(&self, prospect: Prospect) -> bool {
        prospect.is_fulfilled(self.acts, self.ends)
    }
}

/// Threads without a prospect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hopeless {
    /// The first state in which there are some, and from which no more can come to be so while some are left.
    pub state: u32,
    /// All that are in it, ascending.
    pub threads: Vec<u32>,
}

/// Threads of whom it depends on a forgotten choice whether they have a prospect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The first state with such threads.
    pub state: u32,
    /// All of them, ascending.
    pub threads: Vec<u32>,
    /// The state whose choice decides about the first of them: with one outcome it has hope, with another it need not.
    pub choice: u32,
}

/// Looks for threads without a prospect in a graph of which it is known what follows its first `expanded`
/// states.
///
/// # Errors
///
/// If the budget is used up before that is known.
pub fn hopeless(
    expanded: u32,
    threads: &mut dyn Threads,
    prospect: Prospect,
    budget: &Budget,
) -> Result<Option<Hopeless>, Exhausted> {
    Outlook::of(expanded, threads, prospect, budget)?.hopeless(threads, |_| true, budget)
}

/// What the threads of a graph can come to.
pub struct Outlook {
    tracks: Tracks,
    expanded: u32,
}

impl Outlook {
    /// What the threads of the first `expanded` states can come to.
    ///
    /// # Errors
    ///
    /// If the budget is used up before.
    pub fn of(
        expanded: u32,
        threads: &mut dyn Threads,
        prospect: Prospect,
        budget: &Budget,
    ) -> Result<Outlook, Exhausted> {
        let mut tracks = Tracks::new(expanded);
        let mut fates = Fates::default();
        for state in (0..expanded).rev() {
            fates.idle.clear();
            fates.ways.clear();
            (fates.ends_all, fates.is_forgotten) = (false, false);
            threads.fates(state, &mut fates)?;
            tracks.add(state, &fates, prospect);
            budget.check()?;
        }
        tracks.look_back(budget)?;
        Ok(Outlook { tracks, expanded })
    }

    /// The first state with hopeless threads, of those that `counts` says to count.
    ///
    /// # Errors
    ///
    /// If the budget is used up before.
    pub fn hopeless(
        &self,
        threads: &mut dyn Threads,
        counts: impl Fn(u32) -> bool,
        budget: &Budget,
    ) -> Result<Option<Hopeless>, Exhausted> {
        let Outlook { tracks, expanded } = self;
        budget.require(u64::from(*expanded) * 4)?;
        let mut lost = vec![0; *expanded as usize];
        for (state, count) in (0..).zip(&mut lost).filter(|(state, _)| counts(*state)) {
            budget.check()?;
            let threads_lost = tracks.lost_in(state);
            if !threads_lost.is_empty() {
                *count = threads.count(state, &threads_lost);
            }
        }
        if lost.iter().all(|count| *count == 0) {
            return Ok(None);
        }
        let moves = Reverse::new(*expanded, || tracks.moves(), budget)?;
        let state = first_of_most(&lost, &moves, budget)?;
        Ok(state.map(|state| Hopeless { state, threads: tracks.lost_in(state) }))
    }

    /// The states in which some thread is hopeless.
    #[must_use]
    pub fn hopeless_states(&self) -> Bits {
        Bits::where_true(self.expanded, |state| !self.tracks.lost_in(state).is_empty())
    }

    /// The first state in which it depends on a forgotten choice whether some thread has a prospect.
    #[must_use]
    pub fn open(&self) -> Option<Open> {
        let tracks = &self.tracks;
        (0..self.expanded).find_map(|state| {
            let (threads, first) = tracks.open_in(state)?;
            Some(Open { state, threads, choice: tracks.deciding(first) })
        })
    }
}

/// The first of the states with a count from which none can be reached that has a greater one.
fn first_of_most(
    counts: &[u32],
    moves: &Reverse,
    budget: &Budget,
) -> Result<Option<u32>, Exhausted> {
    let mut values: Vec<u32> = counts.iter().copied().filter(|&count| count > 0).collect();
    values.sort_unstable();
    values.dedup();
    let mut found = None;
    // From the greatest count down: all from which a greater one can be reached.
    let mut to_more = Bits::default();
    to_more.grow(counts.len() as u32);
    for value in values.into_iter().rev() {
        let having = (0..).zip(counts).filter(|(_, count)| **count == value);
        let having: Vec<u32> = having.map(|(state, _)| state).collect();
        let most = having.iter().copied().find(|&state| !to_more.get(state));
        found = [found, most].into_iter().flatten().min();
        having.into_iter().for_each(|state| to_more.set(state));
        moves.spread(&mut to_more, |_, _| true, budget)?;
    }
    Ok(found)
}
