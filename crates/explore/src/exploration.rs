//! What a search has found, while it is under way and when it is over.

use std::io;
use std::path::Path;

use budget::{Account, Budget, Exhausted, Known};

use crate::disk::{Share, Spill, SpillTrouble, most_mapped};
use crate::tree::Tree;
use crate::{Fired, Options, Quotient, StateId, Store, growth};

/// Why a run ended before everything was seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Stop {
    /// A further state was found, and no more may be stored.
    #[error("the limit on states was reached")]
    States,
    /// The budget was used up; or the caller, who watches the search, asked to stop.
    #[error(transparent)]
    Exhausted(Exhausted),
    /// The label looked for was fired.
    #[error("the label looked for was fired")]
    Label,
}

/// The first step found with the label looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The state in which it was fired; no state nearer to the start fires it.
    pub source: StateId,
    /// The label.
    pub label: u32,
    /// Where it leads. There may be shorter ways to this state, with other labels.
    pub target: StateId,
}

/// What a search has found: so far, or in the end.
///
/// The states with numbers below [`expanded`](Self::expanded) have been expanded: all their
/// successors are stored. Where a limit cut an expansion short, that is the state with number
/// `expanded`; what had been fired from it is counted nevertheless.
#[derive(Default, Debug)]
pub struct Exploration {
    /// The states, numbered in the order in which they were found.
    pub store: Store,
    /// The number of distinct (state, label, state) in which a step leads from one to the other.
    pub edges: u64,
    /// The number of modes fired (at most `u64::MAX`).
    pub modes: u64,
    /// The modes fired, per label.
    pub fired: Fired,
    /// The number of expanded states.
    pub expanded: u64,
    /// The expanded states without successor in which something is alive, in the order of discovery, so
    /// the nearest first.
    pub deadlocks: Vec<StateId>,
    /// The expanded states without successor in which everything has ended, likewise.
    pub terminated: Vec<StateId>,
    /// Whether every reachable state is stored and expanded.
    pub complete: bool,
    /// Why not, if the search is over.
    pub reason: Option<Stop>,
    /// The edges, if they were to be kept. While the search is under way, states that are not expanded
    /// may have no row, or one that lacks edges.
    pub quotient: Option<Quotient>,
    /// Where the label looked for was fired.
    pub reached: Option<Reached>,
    /// How long it took.
    pub seconds: f64,
    /// Why what memory is too small for could not be put on disk, if it could not.
    pub disk_trouble: Option<SpillTrouble>,
    pub(crate) initial: u32,
    pub(crate) tree: Tree,
    /// The numbers of states at which what was found was reviewed.
    pub(crate) reviews: Vec<u32>,
}

/// The bytes that are gathered in memory before they are put on disk, …
const WORTH_WRITING: u64 = 1 << 22;
/// … or one in so many of those allowed, if that is less.
const GATHERED: u64 = 32;

/// The number of states at the first review.
const FIRST_REVIEW: u32 = 1 << 6;

impl Exploration {
    /// The number of states.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.store.len().into()
    }

    /// The number of states that are stored and not expanded.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.states() - self.expanded
    }

    /// The numbers of states at which what was found so far was reviewed, and the search went on.
    #[must_use]
    pub fn reviews(&self) -> &[u32] {
        &self.reviews
    }

    /// Whether the number of states has doubled since the last review.
    pub(crate) fn is_review_due(&self) -> bool {
        let due = self.reviews.last().map_or(FIRST_REVIEW, |last| last.saturating_mul(2));
        self.store.len() >= due
    }

    /// The memory of the search beside the store, in bytes, as allocated: breadth-first tree, edges,
    /// lists of states.
    #[must_use]
    pub fn search_bytes(&self) -> u64 {
        self.tree.allocated_bytes()
            + self.quotient.as_ref().map_or(0, Quotient::allocated_bytes)
            + growth::allocated(&self.deadlocks)
            + growth::allocated(&self.terminated)
    }

    /// The bytes on disk.
    #[must_use]
    pub fn disk_bytes(&self) -> u64 {
        self.store.disk_bytes()
            + self.tree.disk_bytes()
            + self.quotient.as_ref().map_or(0, Quotient::disk_bytes)
    }

    /// What store and search hold in memory.
    pub(crate) fn held_bytes(&self) -> u64 {
        self.store.allocated_bytes() + self.search_bytes()
    }

    /// Puts strings, tree and edges on disk where memory is short, and has this many tables from then on; more of
    /// them when they have become many. The account is of what is held. `false` if there is no memory left for what
    /// has to stay there.
    pub(crate) fn spill(
        &mut self,
        spill: &Spill,
        tables: usize,
        budget: &Budget,
        account: &mut Account,
    ) -> bool {
        let was_on_disk = self.store.is_on_disk();
        let is_due = match was_on_disk {
            true => {
                let limit = budget.memory_limit().unwrap_or(u64::MAX);
                let held = self.store.held_bytes() + self.search_bytes();
                held >= WORTH_WRITING.min(limit / GATHERED)
            }
            false => spill.is_due(budget),
        };
        if !is_due || self.disk_trouble.is_some() {
            return true;
        }
        if let Err(error) = self.write(&spill.directory, most_mapped(budget)) {
            let directory = spill.directory.display();
            self.disk_trouble = Some(format!("cannot write to {directory}: {error}").into());
            return true;
        }
        account.set(self.held_bytes());
        let has_room = was_on_disk || self.store.make_compact(tables, 0, budget);
        account.set(self.held_bytes());
        has_room
    }

    fn write(&mut self, directory: &Path, most_mapped: u64) -> io::Result<()> {
        self.tree.spill(directory, most_mapped)?;
        self.quotient.iter_mut().try_for_each(|edges| edges.spill(directory, most_mapped))?;
        self.store.spill(directory, most_mapped)
    }

    /// Sees to it that this many strings can be stored, if need be on disk; `false` if there is no memory for that.
    pub(crate) fn make_room(
        &mut self,
        strings: usize,
        options: &Options,
        tables: usize,
        account: &mut Account,
    ) -> bool {
        let budget = &options.budget;
        if self.store.make_room(|_| strings, budget) {
            return true;
        }
        let Some(spill) = options.spill.as_ref().filter(|_| !self.store.is_on_disk()) else {
            return false;
        };
        let now = Spill { share: Share::Nothing, ..spill.clone() };
        self.spill(&now, tables, budget, account)
            && self.store.is_on_disk()
            && self.store.make_room(|_| strings, budget)
    }

    /// Whether an expanded state has no successor, and something is alive in it.
    #[must_use]
    pub fn is_deadlock(&self, id: StateId) -> bool {
        self.deadlocks.binary_search(&id).is_ok()
    }

    /// Whether an expanded state has no successor, and everything has ended.
    #[must_use]
    pub fn is_terminated(&self, id: StateId) -> bool {
        self.terminated.binary_search(&id).is_ok()
    }

    /// The initial states.
    pub fn initial(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.initial).map(StateId)
    }

    /// The step by which a state was first reached: where from, and the label. None if the state is
    /// initial.
    ///
    /// # Panics
    ///
    /// Like all functions of a state, if there is no such state.
    #[must_use]
    pub fn predecessor(&self, id: StateId) -> Option<(StateId, u32)> {
        self.tree.predecessor(id)
    }

    /// The number of steps in the shortest paths from an initial state to this one.
    #[must_use]
    pub fn depth_of(&self, id: StateId) -> u32 {
        assert!(id.0 < self.store.len(), "no state {}", id.0);
        self.tree.depth(id)
    }

    /// The largest depth of a state; 0 if there is none.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.tree.levels().saturating_sub(1)
    }

    /// The number after that of the last state of the level that a state is in, if it is known that the level is
    /// complete. None if there is no such state.
    #[must_use]
    pub fn level_end(&self, id: u32) -> Option<u32> {
        self.tree.level_end(StateId(id))
    }

    /// Says how far the search has come.
    pub fn tell(&self, known: &mut Known) {
        known.states = self.states();
        known.expanded = self.expanded;
        known.edges = self.edges;
        known.depth = self.depth();
        known.levels = self.tree.last_levels(Known::LEVELS);
        let on_disk = self.disk_bytes();
        known.disk_bytes = Some(on_disk).filter(|&bytes| bytes > 0).or(known.disk_bytes);
    }

    /// A shortest path to a state: from [`origin_of`](Self::origin_of) it, each step's label and
    /// the state it leads to. Empty if the state is initial.
    #[must_use]
    pub fn path_to(&self, id: StateId) -> Vec<(u32, StateId)> {
        assert!(id.0 < self.store.len(), "no state {}", id.0);
        self.tree.path_to(id)
    }

    /// The initial state from which [`path_to`](Self::path_to) starts.
    #[must_use]
    pub fn origin_of(&self, id: StateId) -> StateId {
        let sources = |&at: &StateId| self.tree.predecessor(at).map(|(source, _)| source);
        std::iter::successors(Some(id), sources).last().unwrap_or(id)
    }

    /// A shortest path whose last step has the label looked for, if that was fired.
    #[must_use]
    pub fn path_to_label(&self) -> Option<Vec<(u32, StateId)>> {
        let Reached { source, label, target } = self.reached?;
        let mut path = self.path_to(source);
        path.push((label, target));
        Some(path)
    }
}

/// A run that ended because something is wrong with the model.
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub struct Failed<F> {
    /// What is wrong.
    pub fault: F,
    /// The state that was being expanded; none if the fault is in the initial states. The path to
    /// it, and one more step, is the run that led to the fault.
    pub at: Option<StateId>,
    /// What was known up to then, nothing of the state being expanded.
    pub exploration: Box<Exploration>,
}
