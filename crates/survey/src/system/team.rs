//! Systems that several processes explore together, each of which holds a part of the states.
//!
//! Places and actions get their numbers as they are met, so each process has numbers of its own. What travels has names:
//! a name is sent once on each way, and has a number on that way from then on (`explore::distributed`). Which process owns
//! a state depends on the names in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use budget::Budget;
use explore::checkpoint::digest;
use explore::distributed::{
    Destination, DistributedSearch, Gathered, Lost, Path, Totals, exchange_on, from_portable,
    portable,
};
use explore::{Options, StateId, Stop};
use fold::{Breach, Checked, ConcreteSpace, System};
use state::{Relations, State};

use super::{Explored, Explorer, ExplorerError, SystemRun, followed};
use crate::spaces::GRACE;
use crate::{Tally, Team};

type Space<S> = ConcreteSpace<Checked<'static, S>>;

/// What several processes have shown of a system. Functions that take `&mut self` are called by all of them, in the same
/// order, and give all of them the same.
pub struct SharedSystem<S: System + Sync + ?Sized + 'static> {
    search: DistributedSearch<Space<S>>,
    /// What looks at states here.
    space: Space<S>,
    totals: Totals,
    actions: BTreeMap<Arc<str>, u64>,
    most_tokens: BTreeMap<Arc<str>, u64>,
    relations: Relations,
    full: bool,
    budget: Budget,
}

/// The processes of a team explore a system together. It has to be there as long as the program runs: a `static`, or what
/// [`Box::leak`] gives.
impl<S: System + Sync + ?Sized + 'static> Explorer<'static, S> {
    /// Explores with the processes of a team, all of which call this for the same system. Each holds a part of the
    /// states; edges are counted, and not kept. Each worker audits as many states as were asked for.
    ///
    /// # Errors
    ///
    /// If the system breaks the rules or observes more than it is folded up to, a process is gone or explores something
    /// else, or the run is to be kept or put on disk.
    pub fn run_by(self, team: &Team) -> Result<SharedSystem<S>, ExplorerError> {
        self.searched(team, false)
    }

    /// Explores with the processes of a team, all of which call this for the same system, and gathers the graph on the
    /// first process, which has it as if it had explored alone; the others have none. If it is too large for the
    /// memory of that process, it is not complete.
    ///
    /// # Errors
    ///
    /// As [`Explorer::run_by`].
    pub fn run_gathered_by(
        self,
        team: &Team,
    ) -> Result<Option<Explored<'static, S>>, ExplorerError> {
        self.searched(team, true)?.gathered()
    }

    fn searched(self, team: &Team, keep_edges: bool) -> Result<SharedSystem<S>, ExplorerError> {
        if self.checkpoint.is_some() || self.disk.is_some() {
            return Err(ExplorerError::NotKept);
        }
        let (checked, relations) = self.checked()?;
        let facts = self.facts(relations);
        let first = ConcreteSpace::new(checked.worker());
        let options = Options {
            budget: self.budget.clone(),
            states: self.states,
            keep_edges,
            // The first to be numbered, on all processes.
            until_label: self.until.as_ref().map(|action| checked.actions().number(action)),
            ..Options::default()
        };
        let begin = checked.system().initial();
        let begin: Vec<String> = begin.iter().map(ToString::to_string).collect();
        let said = format!("{facts:?} {:?} {keep_edges} {}", self.states, begin.join("\n"));
        agree(team, &said)?;
        let workers = 0..team.network.threads();
        let spaces = workers.map(|_| first.worker(checked.worker())).collect();
        let describe = Arc::new(|breach: Breach| (None, breach.to_string()));
        let mut search =
            DistributedSearch::begin(team.network.clone(), spaces, &options, describe)?;
        let never: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
        search.advance(u64::MAX, &never, &mut |progress| {
            if let Some(watch) = &team.watch {
                watch(progress);
            }
        })?;
        let totals = search.totals();
        let mut shared = SharedSystem {
            search,
            space: first,
            totals,
            actions: BTreeMap::new(),
            most_tokens: BTreeMap::new(),
            relations,
            full: self.full,
            budget: self.budget,
        };
        if let Some(fault) = shared.totals.fault.take() {
            let at = fault.state.map(|state| Destination { depth: fault.depth, state });
            // A system that is broken need not have a run that can be followed.
            let run = at.and_then(|at| shared.run_to(at).ok()).map(Box::new);
            return Err(ExplorerError::BreachFound { what: fault.what, run });
        }
        shared.count()?;
        Ok(shared)
    }
}

/// That all processes explore the same.
fn agree(team: &Team, said: &str) -> Result<(), Lost> {
    let all = exchange_on(&*team.network, digest(said.as_bytes()).into_bytes())?;
    match all.iter().position(|other| *other != all[0]) {
        Some(other) => Err(Lost(format!("process {other} explores something else than process 0"))),
        None => Ok(()),
    }
}

impl<S: System + Sync + ?Sized + 'static> SharedSystem<S> {
    /// What was counted.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let Totals { states, edges, deadlocks, terminated, .. } = self.totals;
        Tally { states, edges, deadlocks, terminated, depth: self.totals.depth() }
    }

    /// The number of states of each level.
    #[must_use]
    pub fn levels(&self) -> &[u64] {
        &self.totals.levels
    }

    /// Whether every reachable state was found and expanded.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.totals.complete
    }

    /// Why not.
    #[must_use]
    pub fn reason(&self) -> Option<Stop> {
        self.totals.reason
    }

    /// Ω.
    #[must_use]
    pub fn relations(&self) -> Relations {
        self.relations
    }

    /// Whether states were not folded.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The actions that were taken, and how often.
    #[must_use]
    pub fn actions(&self) -> &BTreeMap<Arc<str>, u64> {
        &self.actions
    }

    /// The largest number of tokens seen in each place.
    #[must_use]
    pub fn most_tokens(&self) -> &BTreeMap<Arc<str>, u64> {
        &self.most_tokens
    }

    /// A shortest run to a state in which something holds, if there is one. Of a class, its representative is asked.
    ///
    /// # Errors
    ///
    /// If a process is gone, the budget is used up before, or the system breaks Assumption 1, so that what the
    /// representatives can do is not what its own states can do.
    pub fn run_to_first(
        &mut self,
        holds: impl Fn(&State) -> bool,
    ) -> Result<Option<SystemRun>, ExplorerError> {
        let nearest = self.nearest(|space, found, id| holds(&space.decode(found.store.get(id))));
        self.run_to_nearest(nearest)
    }

    /// A shortest run to a deadlock, if there is one.
    ///
    /// # Errors
    ///
    /// As [`SharedSystem::run_to_first`].
    pub fn run_to_deadlock(&mut self) -> Result<Option<SystemRun>, ExplorerError> {
        let nearest = self.nearest(|_, found, id| found.is_deadlock(id));
        self.run_to_nearest(nearest)
    }

    /// A shortest run that ends with the action that was looked for ([`Explorer::until`]), if it was taken.
    ///
    /// # Errors
    ///
    /// As [`SharedSystem::run_to_first`].
    pub fn run_to_action(&mut self) -> Result<Option<SystemRun>, ExplorerError> {
        let Some(label) = self.totals.label_reached() else { return Ok(None) };
        let path = self.search.path_to_label(label, &self.budget.grace(GRACE))??;
        path.map(|path| self.run_along(path)).transpose()
    }

    /// The nearest state of this process, and the least of those, for which something holds.
    fn nearest(
        &self,
        holds: impl Fn(&Space<S>, &explore::Exploration, StateId) -> bool,
    ) -> Option<Destination> {
        let workers = 0..self.search.network().threads();
        let of_worker = |worker| {
            self.search.look(worker, |portion, space| {
                let found = portion.found();
                let mut all = (0..found.store.len()).map(StateId);
                let first = all.find(|id| holds(space, found, *id))?;
                let depth = portion.depth_of(first);
                let level = (first.0..portion.level(depth).end).map(StateId);
                let states = level.filter(|id| holds(space, found, *id));
                let state = states.map(|id| portable(space, found.store.get(id))).min()?;
                Some(Destination { depth, state })
            })
        };
        workers.filter_map(of_worker).min()
    }

    fn run_to_nearest(
        &mut self,
        here: Option<Destination>,
    ) -> Result<Option<SystemRun>, ExplorerError> {
        let all = self.told::<Option<Destination>>(&here)?;
        let nearest = all.into_iter().flatten().min();
        nearest.map(|nearest| self.run_to(nearest)).transpose()
    }

    fn run_to(&mut self, to: Destination) -> Result<SystemRun, ExplorerError> {
        let paths = self.search.paths_to(&[to], &self.budget.grace(GRACE))?;
        self.run_along(paths?.swap_remove(0))
    }

    fn run_along(&mut self, path: Path) -> Result<SystemRun, ExplorerError> {
        let Path { start, steps } = path;
        let mut state = |bytes: &[u8]| {
            let string = from_portable(&mut self.space, bytes);
            self.space.decode(&string)
        };
        let origin = state(&start);
        let targets: Vec<(u32, State)> =
            steps.iter().map(|step| (step.label, state(&step.state))).collect();
        followed(self.space.system_mut(), origin, &targets)
            .map_err(|breach| ExplorerError::Breach { breach: Box::new(breach), run: None })
    }

    /// Counts what was fired, and tokens, with all other processes.
    fn count(&mut self) -> Result<(), ExplorerError> {
        let fired = self.search.fired()?;
        let actions = self.space.system().actions();
        self.actions = fired.iter().map(|(label, modes)| (actions.name(label), modes)).collect();
        let mut most: BTreeMap<String, u64> = BTreeMap::new();
        for worker in 0..self.search.network().threads() {
            self.search.look(worker, |portion, space| {
                let found = portion.found();
                // Those that were expanded have been seen.
                for id in (found.expanded as u32..found.store.len()).map(StateId) {
                    space.observe(found.store.get(id));
                }
                for (place, &tokens) in space.places().iter().zip(space.most_tokens()) {
                    let held = most.entry(place.to_string()).or_default();
                    *held = tokens.max(*held);
                }
            });
        }
        for seen in self.told::<BTreeMap<String, u64>>(&most)? {
            for (place, tokens) in seen {
                let held = self.most_tokens.entry(place.into()).or_default();
                *held = tokens.max(*held);
            }
        }
        Ok(())
    }

    /// Tells all processes something, and gives what they tell.
    fn told<T: serde::Serialize + for<'d> serde::Deserialize<'d>>(
        &self,
        said: &T,
    ) -> Result<Vec<T>, Lost> {
        let said = serde_json::to_vec(said).expect("numbers and texts");
        let all = self.search.exchange(said)?;
        let nonsense = |error| Lost(format!("another process says what makes no sense: {error}"));
        all.iter().map(|said| serde_json::from_slice(said).map_err(nonsense)).collect()
    }

    /// The whole graph, on the first process.
    fn gathered(self) -> Result<Option<Explored<'static, S>>, ExplorerError> {
        let SharedSystem { search, relations, full, .. } = self;
        let gathered = Gathered::default();
        search.gather(&gathered)?;
        if search.network().process() > 0 {
            return Ok(None);
        }
        let exploration = gathered.into_exploration();
        let (space, _) = search.into_parts().swap_remove(0);
        let mut explored = Explored { space, exploration, relations, full, trouble: None };
        explored.observe_from(0);
        Ok(Some(explored))
    }
}
