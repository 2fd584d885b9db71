//! Exploring a system that is code, and asking what was found.
//!
//! What [`survey()`](crate::survey()) is to nets, an [`Explorer`] is to implementations of [`System`]: the
//! states are folded up to who is who, each step is held to the rules of thread creation, and in debug
//! builds some states are audited for treating pids as black boxes (see [`fold::Checked`]). A run that
//! is shown consists of steps of the system itself, from one of its own initial states, with its pids.

mod team;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Exhausted, Limits};
use explore::checkpoint::{About, Facts};
use explore::distributed::Lost;
use explore::{
    Checkpoint, CheckpointError, Control, Exploration, Options, Share, Spill, StateId, explore_kept,
};
use fold::{Breach, Checked, ConcreteSpace, Step, System};
use state::{Relations, State};

use crate::graph::{Graph, state_text};
use crate::names;

pub use team::SharedSystem;

/// How many states a debug build audits unless told otherwise.
const AUDITED_BY_DEFAULT: u64 = if cfg!(debug_assertions) { 100 } else { 0 };

/// How to explore a [`System`]. By default folded up to the relations it declares, without limits.
///
/// ```
/// use fold::{Step, System};
/// use state::{Pid, Relations, State};
/// use survey::Explorer;
///
/// /// A thread hands over to a child of its own, for ever.
/// struct Relay;
///
/// impl System for Relay {
///     fn initial(&self) -> Vec<State> {
///         let mut state = State::new();
///         state.activate(Pid::initial(1), 0);
///         assert!(state.put(&"runner".into(), vec![Pid::initial(1).into()], 1));
///         vec![state]
///     }
///
///     fn successors(&self, state: &State) -> Vec<Step> {
///         let mut steps = Vec::new();
///         for runner in state.eta().keys() {
///             let mut after = state.clone();
///             let next = after.spawn(runner).expect("it is active");
///             assert!(after.take("runner", &[runner.clone().into()], 1));
///             assert!(after.put(&"runner".into(), vec![next.into()], 1));
///             after.end(runner);
///             steps.push(Step::of(runner, "hand over", after));
///         }
///         steps
///     }
///
///     fn relations(&self) -> Relations {
///         Relations::NONE
///     }
/// }
///
/// let explored = Explorer::new(&Relay).run()?;
/// assert_eq!(explored.exploration().states(), 1); // infinitely many, all alike
/// let some = Explorer::new(&Relay).full().max_states(10).run()?;
/// assert!(!some.exploration().complete);
/// # Ok::<(), survey::ExplorerError>(())
/// ```
#[must_use = "nothing is explored before `run`"]
pub struct Explorer<'s, S: ?Sized> {
    system: &'s S,
    relations: Option<Relations>,
    full: bool,
    budget: Budget,
    states: Option<u64>,
    until: Option<String>,
    audited: u64,
    seed: u64,
    checkpoint: Option<(PathBuf, String, Duration)>,
    disk: Option<PathBuf>,
}

impl<'s, S: System + ?Sized> Explorer<'s, S> {
    /// The defaults.
    pub fn new(system: &'s S) -> Self {
        Explorer {
            system,
            relations: None,
            full: false,
            budget: Budget::unlimited(),
            states: None,
            until: None,
            audited: AUDITED_BY_DEFAULT,
            seed: 0,
            checkpoint: None,
            disk: None,
        }
    }

    /// Folds up to these relations, which must contain those that the system declares.
    pub fn relations(mut self, relations: Relations) -> Self {
        self.relations = Some(relations);
        self
    }

    /// Explores the states as they are, without folding them.
    pub fn full(mut self) -> Self {
        self.full = true;
        self
    }

    /// Stores at most this many states.
    pub fn max_states(mut self, states: u64) -> Self {
        self.states = Some(states);
        self
    }

    /// Ends when this budget is used up. Those who hold a clone of it can interrupt the run.
    pub fn budget(mut self, budget: &Budget) -> Self {
        self.budget = budget.clone();
        self
    }

    /// Takes at most this time from now on.
    pub fn time(mut self, time: Duration) -> Self {
        self.budget = self.budget.within(time);
        self
    }

    /// Lets the process have at most this many bytes of memory.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.budget = self.budget.child(Limits { memory: Some(bytes), ..Limits::default() });
        self
    }

    /// Stops as soon as this action has been taken.
    pub fn until(mut self, action: impl Into<String>) -> Self {
        self.until = Some(action.into());
        self
    }

    /// Audits the first `states` states: compares their steps with those of equivalent states, which
    /// are drawn at random from `seed`. In debug builds a hundred are audited unless told otherwise, in
    /// release builds none.
    pub fn audit(mut self, states: u64, seed: u64) -> Self {
        self.audited = states;
        self.seed = seed;
        self
    }

    /// Keeps what is found in this directory, whenever this much time has passed, and at the end. If something is
    /// kept there already, the exploration goes on from there, and finds what it would have found.
    ///
    /// The key stands for the system: it is to be another one whenever the system has other states or steps. What was
    /// kept under another key, or explored in another way, is refused.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use fold::{Step, System};
    /// # use state::{Relations, State};
    /// # use survey::Explorer;
    /// # struct Idle;
    /// # impl System for Idle {
    /// #     fn initial(&self) -> Vec<State> { vec![State::new()] }
    /// #     fn successors(&self, _: &State) -> Vec<Step> { Vec::new() }
    /// # }
    /// # let directory = tempfile::tempdir()?;
    /// let minute = Duration::from_secs(60);
    /// let explored = Explorer::new(&Idle).checkpoint(directory.path(), "idle, version 1", minute).run()?;
    /// let again = Explorer::new(&Idle).checkpoint(directory.path(), "idle, version 1", minute).run()?;
    /// assert_eq!(again.exploration().states(), explored.exploration().states());
    /// assert!(Explorer::new(&Idle).checkpoint(directory.path(), "busy", minute).run().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn checkpoint(
        mut self,
        directory: impl Into<PathBuf>,
        key: impl Into<String>,
        every: Duration,
    ) -> Self {
        self.checkpoint = Some((directory.into(), key.into(), every));
        self
    }

    /// Puts what memory is too small for into files in this directory, which are gone with the process. Where the run
    /// is kept, that is done in any case, in the directory of the checkpoint.
    pub fn disk(mut self, directory: impl Into<PathBuf>) -> Self {
        self.disk = Some(directory.into());
        self
    }

    /// The system as it is explored, and Ω.
    fn checked(&self) -> Result<(Checked<'s, S>, Relations), ExplorerError> {
        let declared = self.system.relations();
        let relations = self.relations.unwrap_or(declared);
        if !relations.includes(declared) {
            return Err(ExplorerError::TooFewRelations { missing: declared.without(relations) });
        }
        let checked = Checked::new(self.system, relations, !self.full)
            .map_err(|breach| ExplorerError::Breach { breach: Box::new(breach), run: None })?
            .audited(self.audited, self.seed);
        Ok((checked, relations))
    }

    /// What must be the same for an exploration to go on from what was kept.
    fn facts(&self, relations: Relations) -> Facts {
        Facts::from([
            ("the set of relations".to_owned(), format!("{{{relations}}}")),
            ("whether states are folded".to_owned(), (!self.full).to_string()),
            ("the action looked for".to_owned(), format!("{:?}", self.until)),
        ])
    }

    /// Explores.
    ///
    /// # Errors
    /// If the system breaks the rules, or observes more than it is folded up to.
    pub fn run(self) -> Result<Explored<'s, S>, ExplorerError> {
        self.run_watched(&mut |_| {})
    }

    /// Explores, and tells `watch` now and then how far it has come.
    ///
    /// # Errors
    /// Like [`Explorer::run`].
    pub fn run_watched(
        self,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<Explored<'s, S>, ExplorerError> {
        let (checked, relations) = self.checked()?;
        let facts = self.facts(relations);
        let kept_in = self.checkpoint.as_ref().map(|(directory, _, _)| directory);
        let disk = self.disk.as_ref().or(kept_in);
        let options = Options {
            spill: disk.map(|directory| Spill { directory: directory.clone(), share: Share::Half }),
            budget: self.budget,
            states: self.states,
            keep_edges: true,
            until_label: self.until.map(|action| checked.actions().number(&action)),
            ..Options::default()
        };
        let mut space = ConcreteSpace::new(checked);
        let mut watch = |progress: &Exploration| {
            watch(progress);
            Control::Continue
        };
        let mut unobserved = None;
        let mut trouble = None;
        let explored = match self.checkpoint {
            None => explore::explore(&mut space, &options, &mut watch),
            Some((directory, key, every)) => {
                let version = env!("CARGO_PKG_VERSION").to_owned();
                let run = Facts::from([("system".into(), key), ("kinfold".into(), version)]);
                let about = About { facts: run, ..About::default() };
                let checkpoint = Checkpoint::open(&directory, &about, &[], every)?;
                let spaces = std::slice::from_mut(&mut space);
                let mut journal = checkpoint.journal(&facts, spaces, &options)?;
                if let Some(restored) = journal.restored() {
                    space.system_mut().skip_audits(restored.expanded);
                    unobserved = Some(0);
                }
                let explored = explore_kept(&mut space, &options, &mut journal, &mut watch);
                trouble = checkpoint.trouble();
                explored
            }
        };
        let full = self.full;
        match explored {
            Ok(exploration) => {
                let from = unobserved.unwrap_or(exploration.expanded);
                let mut explored = Explored { space, exploration, relations, full, trouble };
                explored.observe_from(from);
                Ok(explored)
            }
            Err(failed) => {
                let exploration = *failed.exploration;
                let mut explored = Explored { space, exploration, relations, full, trouble };
                // A system that is broken need not have a run that can be followed.
                let run = failed.at.and_then(|at| explored.run_to(at).ok());
                let breach = Box::new(failed.fault);
                Err(ExplorerError::Breach { breach, run: run.map(Box::new) })
            }
        }
    }
}

/// Why an exploration has no outcome.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ExplorerError {
    /// The relations given do not contain what the system declares.
    #[error("the system observes {}, which the relations given do not contain", names(*missing))]
    TooFewRelations {
        /// What is missing.
        missing: Relations,
    },
    /// The system does what no system of threads may do.
    #[error("{breach}{}", after(.run.as_deref()))]
    Breach {
        /// What it does.
        breach: Box<Breach>,
        /// A shortest run to where it does, if the system can be followed that far.
        run: Option<Box<SystemRun>>,
    },
    /// The exploration cannot be kept, or cannot go on from what was kept.
    #[error("{0}")]
    Checkpoint(Arc<CheckpointError>),
    /// The system does what no system of threads may do, and one of several processes has found it.
    #[error("{what}{}", after(.run.as_deref()))]
    BreachFound {
        /// What it does.
        what: String,
        /// A shortest run to where it does, if the system can be followed that far.
        run: Option<Box<SystemRun>>,
    },
    /// Processes cannot go on exploring together.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// The budget was used up before what is asked for was found.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// What several processes explore of a system can neither be kept nor put on disk.
    #[error(
        "what several processes explore of a system can neither be kept nor put on disk: leave out `checkpoint` and \
         `disk`, or explore with one process"
    )]
    NotKept,
}

impl From<CheckpointError> for ExplorerError {
    fn from(error: CheckpointError) -> Self {
        ExplorerError::Checkpoint(Arc::new(error))
    }
}

fn after(run: Option<&SystemRun>) -> String {
    match run {
        Some(run) if !run.steps.is_empty() => {
            let steps: Vec<String> = run.steps.iter().map(Step::to_string).collect();
            format!("\n(reached by {})", steps.join(", "))
        }
        _ => String::new(),
    }
}

/// A run of a system from an initial state, with the pids the system gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemRun {
    /// Where it starts.
    pub initial: State,
    /// Its steps.
    pub steps: Vec<Step>,
}

impl SystemRun {
    /// The state it ends in.
    #[must_use]
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}

/// A state on each line, the steps between them.
impl fmt::Display for SystemRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "    {}", self.initial)?;
        for (number, step) in (1..).zip(&self.steps) {
            write!(f, "\n{number:>3} {step}\n    {}", step.state)?;
        }
        Ok(())
    }
}

/// What exploring a system has shown.
pub struct Explored<'s, S: ?Sized> {
    space: ConcreteSpace<Checked<'s, S>>,
    exploration: Exploration,
    relations: Relations,
    full: bool,
    trouble: Option<String>,
}

impl<S: System + ?Sized> Explored<'_, S> {
    /// The counts and the graph, by the numbers of states.
    #[must_use]
    pub fn exploration(&self) -> &Exploration {
        &self.exploration
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

    /// Why what was found in the end is not in the checkpoint, if it could not be written. What was kept before is
    /// still there.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// A state; of a folded exploration, the representative of the class.
    ///
    /// # Panics
    /// If there is no such state.
    #[must_use]
    pub fn state(&self, id: StateId) -> State {
        self.space.decode(self.exploration.store.get(id))
    }

    /// All states, the nearest to the start first.
    pub fn states(&self) -> impl Iterator<Item = (StateId, State)> {
        (0..self.exploration.store.len()).map(StateId).map(|id| (id, self.state(id)))
    }

    /// The number of the class of a state, if it was found.
    pub fn find(&mut self, state: &State) -> Option<StateId> {
        let stored = self.space.system_mut().stored(state.clone());
        self.exploration.store.find(&self.space.encode(&stored))
    }

    /// The name of the action that edges with this label take.
    ///
    /// # Panics
    /// If there is no such label.
    #[must_use]
    pub fn action_name(&self, label: u32) -> Arc<str> {
        self.space.system().actions().name(label)
    }

    /// The actions that were taken, and how often.
    #[must_use]
    pub fn actions(&self) -> BTreeMap<Arc<str>, u64> {
        let fired = self.exploration.fired.iter();
        fired.map(|(label, modes)| (self.action_name(label), modes)).collect()
    }

    /// The largest number of tokens seen in each place.
    #[must_use]
    pub fn most_tokens(&self) -> BTreeMap<Arc<str>, u64> {
        self.space.places().into_iter().zip(self.space.most_tokens().iter().copied()).collect()
    }

    /// A shortest run to a state of this class.
    ///
    /// # Errors
    /// If the system breaks Assumption 1, so that what the representatives can do is not what its own
    /// states can do.
    pub fn run_to(&mut self, id: StateId) -> Result<SystemRun, Breach> {
        let (origin, path) = (self.exploration.origin_of(id), self.exploration.path_to(id));
        self.run_along(origin, &path)
    }

    /// A shortest run that ends with this action, if it was ever taken.
    ///
    /// # Errors
    /// Like [`Explored::run_to`].
    pub fn run_to_action(&mut self, action: &str) -> Result<Option<SystemRun>, Breach> {
        let label = self.space.system().actions().find(action);
        // Edges are sorted by their sources, and these by their distance from the start.
        let mut edges = self.exploration.quotient.iter().flat_map(|quotient| quotient.iter());
        let Some((source, label, target)) = edges.find(|edge| Some(edge.1) == label) else {
            return Ok(None);
        };
        drop(edges);
        let mut path = self.exploration.path_to(source);
        path.push((label, target));
        self.run_along(self.exploration.origin_of(source), &path).map(Some)
    }

    /// The graph that was explored, under a title.
    #[must_use]
    pub fn graph<'a>(&'a self, title: &'a str) -> Graph<'a> {
        let actions = self.space.system().actions();
        Graph {
            title,
            relations: self.relations,
            full: self.full,
            exploration: &self.exploration,
            state: Box::new(|id| self.state(id)),
            action: Box::new(|label| actions.name(label)),
            action_text: Box::new(|label| actions.name(label)),
            text: Box::new(|state| state_text(state.marked(), state)),
        }
    }

    fn run_along(&mut self, origin: StateId, path: &[(u32, StateId)]) -> Result<SystemRun, Breach> {
        let origin = self.state(origin);
        let targets: Vec<(u32, State)> =
            path.iter().map(|&(label, target)| (label, self.state(target))).collect();
        followed(self.space.system_mut(), origin, &targets)
    }

    /// States that a limit kept from being expanded count for [`Explored::most_tokens`] too, and so do those that were
    /// expanded before the exploration went on.
    fn observe_from(&mut self, first: u64) {
        for id in (first..self.exploration.states()).map(|id| StateId(id as u32)) {
            self.space.observe(self.exploration.store.get(id));
        }
    }
}

/// The run of a system from a state that is stored as `origin`, by actions to states that are stored like this.
fn followed<S: System + ?Sized>(
    checked: &mut Checked<'_, S>,
    origin: State,
    targets: &[(u32, State)],
) -> Result<SystemRun, Breach> {
    let mut initial = checked.system().initial().into_iter();
    let initial = initial.find(|state| checked.stored(state.clone()) == origin);
    let initial = initial.ok_or_else(|| Breach::Changed(Box::new(origin)))?;
    let mut run = SystemRun { initial, steps: Vec::new() };
    for (label, target) in targets {
        run.steps.push(checked.step_to(run.last(), *label, target)?);
    }
    Ok(run)
}
