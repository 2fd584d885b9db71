//! Threads that can never again act, or never end.
//!
//! The graph of tracks has a node for each thread of each state, and its arcs follow threads along every
//! move. A thread is *stuck* if no node can be reached from its own in which it acts or is ended by some move,
//! unless it is where it may be for ever (idle); it *can never end* if none can be reached in which it is ended by
//! some move, or is idle. A move may end everything, and everybody with it. Nothing is assumed of runs: one run is enough
//! to be hopeful.
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

use budget::{Budget, Exhausted};

use crate::bits::Bits;
use crate::reverse::Reverse;

/// What each thread is to be able to come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Prospect {
    /// To act, or to be ended; the idle need not.
    Acting,
    /// To be ended, or to be idle.
    Ending,
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
        match prospect {
            Prospect::Acting => self.acts || self.ends,
            Prospect::Ending => self.ends,
        }
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
    let mut tracks = Tracks {
        first: vec![0; expanded as usize],
        nodes: 0,
        hopeful: Bits::default(),
        exempt: Bits::default(),
        arcs: Vec::new(),
    };
    let mut fates = Fates::default();
    for state in (0..expanded).rev() {
        fates.idle.clear();
        fates.ways.clear();
        fates.ends_all = false;
        threads.fates(state, &mut fates)?;
        tracks.add(state, &fates, prospect);
        budget.check()?;
    }
    budget.require(tracks.arcs.len() as u64 * 12)?;
    tracks.look_back(budget)?;
    budget.require(u64::from(expanded) * 4)?;
    let mut counts = vec![0; expanded as usize];
    for (state, count) in (0..).zip(&mut counts) {
        budget.check()?;
        let lost = tracks.lost_in(state);
        if !lost.is_empty() {
            *count = threads.count(state, &lost);
        }
    }
    if counts.iter().all(|count| *count == 0) {
        return Ok(None);
    }
    let moves = Reverse::new(expanded, || tracks.moves(), budget)?;
    let state = first_of_most(&counts, &moves, budget)?;
    Ok(state.map(|state| Hopeless { state, threads: tracks.lost_in(state) }))
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
        moves.spread(&mut to_more, |_| true, budget)?;
    }
    Ok(found)
}

/// The tracks of the states looked at so far, which are the last ones.
struct Tracks {
    /// The node of the first thread of each state.
    first: Vec<u32>,
    nodes: u32,
    /// Nodes that have what is asked for before them, or lead to what is not known.
    hopeful: Bits,
    /// Nodes that need not have it.
    exempt: Bits,
    /// From nodes of which nothing is known yet: to which thread of which state.
    arcs: Vec<(u32, u32, u32)>,
}

impl Tracks {
    fn add(&mut self, state: u32, fates: &Fates, prospect: Prospect) {
        let start = self.nodes;
        self.first[state as usize] = start;
        let count = u32::try_from(fates.idle.len()).ok().and_then(|count| start.checked_add(count));
        self.nodes = count.expect("fewer than 2^32 threads of states fit into memory");
        self.hopeful.grow(self.nodes);
        self.exempt.grow(self.nodes);
        for (node, _) in (start..).zip(&fates.idle).filter(|(_, idle)| **idle) {
            match prospect {
                Prospect::Acting => self.exempt.set(node),
                Prospect::Ending => self.hopeful.set(node),
            }
        }
        if fates.ends_all {
            (start..self.nodes).for_each(|node| self.hopeful.set(node));
        }
        let expanded = self.first.len() as u32;
        for way in &fates.ways {
            // A state before this one has no nodes yet.
            let leads_on = |(to, thread): (u32, u32)| {
                to >= expanded || to >= state && self.hopeful.get(self.first[to as usize] + thread)
            };
            if way.fulfils(prospect) || way.becomes.is_some_and(leads_on) {
                self.hopeful.set(start + way.thread);
            }
        }
        for way in &fates.ways {
            let from = start + way.thread;
            if let Some((to, thread)) = way.becomes.filter(|_| !self.hopeful.get(from)) {
                self.arcs.push((from, to, thread));
            }
        }
    }

    /// To all nodes from which a hopeful one can be reached.
    fn look_back(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let Tracks { first, nodes, hopeful, arcs, .. } = self;
        let node = |(state, thread): (u32, u32)| first[state as usize] + thread;
        let arcs = || arcs.iter().map(|&(from, state, thread)| (from, node((state, thread))));
        Reverse::new(*nodes, arcs, budget)?.spread(hopeful, |_| true, budget)
    }

    fn is_lost(&self, node: u32) -> bool {
        !self.hopeful.get(node) && !self.exempt.get(node)
    }

    /// The threads of a state that are hopeless. Nodes are numbered from the last state to the first.
    fn lost_in(&self, state: u32) -> Vec<u32> {
        let start = self.first[state as usize];
        let before = state.checked_sub(1).map(|before| self.first[before as usize]);
        let nodes = start..before.unwrap_or(self.nodes);
        nodes.filter(|&node| self.is_lost(node)).map(|node| node - start).collect()
    }

    /// The moves by which somebody hopeless is left, source and target.
    fn moves(&self) -> impl Iterator<Item = (u32, u32)> {
        let state_of = |node| self.first.partition_point(|&start| start > node) as u32;
        let left = self.arcs.iter().filter(|(from, ..)| self.is_lost(*from));
        left.map(move |&(from, to, _)| (state_of(from), to))
    }
}
