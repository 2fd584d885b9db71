//! A system held to what a system of threads may do.
//!
//! Every state must be a consistent thread configuration (Klaudel et al. 2009, §3): (i) active pids are
//! in tokens, (ii) all pids were created in the past. In a step, pids come into being through η only: the
//! children of a thread that is active before the step are numbered on from its η without gaps, those
//! of a thread created in the step from 1; each is present afterwards; and the η of a thread that goes on
//! counts them. A thread that has ended stays so. The acting thread is active. All of this is checked in
//! every step that is explored, at the cost of the pids in it. Assumption 1, which speaks of infinitely
//! many states, is [audited](crate::audit) on as many states as asked for.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;

use canon::Canoniser;
use random::Random;
use state::{Inconsistency, Names, Pid, Relations, State};
use thiserror::Error;

use crate::audit::{Asymmetry, compare, disguised};
use crate::{Concrete, Step, System, Take, canonical};

/// What a system does that no system of threads may do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Breach {
    /// An initial state is not a consistent thread configuration.
    #[error("in the initial state {}, {why}", configuration(state))]
    Initial {
        /// The state.
        state: Box<State>,
        /// What is wrong with it.
        why: Inconsistency,
    },
    /// A step breaks a rule.
    #[error(
        "in state {}, step {step} leads to {}, where {why}",
        configuration(state),
        configuration(&step.state)
    )]
    Step {
        /// The state before the step.
        state: Box<State>,
        /// The step.
        step: Box<Step>,
        /// What is wrong with it.
        why: Misstep,
    },
    /// Equivalent states have different steps.
    #[error(transparent)]
    Asymmetry(#[from] Box<Asymmetry>),
    /// The steps of a state are not the same every time.
    #[error("asked twice for the steps from {}, the system gave different answers", configuration(.0))]
    Changed(Box<State>),
}

impl std::error::Error for Asymmetry {}

/// Which rule a step breaks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Misstep {
    /// It leads to a state that is not a consistent thread configuration.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistency),
    /// The acting thread is not active.
    #[error("thread {0}, which acts, was not active before")]
    IdleActor(Pid),
    /// A pid appears that nobody can have created.
    #[error("pid {0} is new, and no active thread can have created it")]
    FromNowhere(Pid),
    /// A pid appears that is not the next child.
    #[error("pid {pid} is new, but the next child of {creator} is {next}")]
    OutOfTurn {
        /// The pid.
        pid: Pid,
        /// Its parent.
        creator: Pid,
        /// The child that comes first.
        next: Pid,
    },
    /// A thread that had ended is active.
    #[error("thread {0} is active, although it had ended before")]
    Revived(Pid),
    /// η does not count the children created.
    #[error(
        "η({pid}) is {counted}, but should be {created}: what it was before the step and one more \
         for each child of {pid} that appears"
    )]
    Miscounted {
        /// The thread.
        pid: Pid,
        /// Its η.
        counted: u32,
        /// What η should be.
        created: u32,
    },
}

/// How many other states of its class each audited state is compared with.
const DRAWS: u32 = 3;

/// A [`System`] as it is explored: checked, its actions numbered, and its states replaced by the
/// representatives of their classes if it is to be folded.
pub struct Checked<'s, S: ?Sized> {
    system: &'s S,
    relations: Relations,
    initial: Vec<State>,
    actions: Names,
    folded: bool,
    /// The states that are still to be audited, by the order in which they are expanded.
    audits: Range<u64>,
    seed: u64,
    canoniser: Canoniser,
}

impl<'s, S: System + ?Sized> Checked<'s, S> {
    /// A system, folded up to `relations` or not.
    pub fn new(system: &'s S, relations: Relations, folded: bool) -> Result<Self, Breach> {
        let initial = system.initial();
        for state in &initial {
            if let Err(why) = state.check_configuration() {
                return Err(Breach::Initial { state: Box::new(state.clone()), why });
            }
        }
        let mut checked = Checked {
            system,
            relations,
            initial: Vec::new(),
            actions: Names::default(),
            folded,
            audits: 0..0,
            seed: 0,
            canoniser: Canoniser::new(),
        };
        checked.initial = initial.into_iter().map(|state| checked.stored(state)).collect();
        Ok(checked)
    }

    /// The same system for another worker, by which actions have the same numbers.
    #[must_use]
    pub fn worker(&self) -> Self {
        Checked {
            system: self.system,
            relations: self.relations,
            initial: self.initial.clone(),
            actions: self.actions.clone(),
            folded: self.folded,
            audits: self.audits.clone(),
            seed: self.seed,
            canoniser: Canoniser::new(),
        }
    }

    /// Audits the first `states` states that are expanded. The seed says with which others they are
    /// compared.
    #[must_use]
    pub fn audited(mut self, states: u64, seed: u64) -> Self {
        self.audits = 0..states;
        self.seed = seed;
        self
    }

    /// Says that this many states were expanded before, so that those that follow are audited as if these had been.
    pub fn skip_audits(&mut self, states: u64) {
        self.audits.start = states.min(self.audits.end);
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &'s S {
        self.system
    }

    /// The names of the actions; the number of an action is that of its transitions.
    #[must_use]
    pub fn actions(&self) -> &Names {
        &self.actions
    }

    /// What is stored for a state: the representative of its class, or the state if nothing is folded.
    pub fn stored(&mut self, state: State) -> State {
        if self.folded {
            canonical(&state, self.relations, &mut self.canoniser).state
        } else {
            state
        }
    }

    /// The steps from a state, each of which keeps the rules.
    pub fn steps(&self, state: &State) -> Result<Vec<Step>, Breach> {
        let steps = self.system.successors(state);
        for step in &steps {
            if let Err(why) = check(state, step) {
                let (state, step) = (Box::new(state.clone()), Box::new(step.clone()));
                return Err(Breach::Step { state, step, why });
            }
        }
        Ok(steps)
    }

    /// The step from `state` by the action of this number to a state stored as `target`. If the class of
    /// `state` has such a step and `state` itself has none, that is a breach, which is reported.
    pub fn step_to(&mut self, state: &State, action: u32, target: &State) -> Result<Step, Breach> {
        let steps = self.steps(state)?;
        let name = self.actions.name(action);
        for step in steps.iter().filter(|step| *step.action == *name) {
            if self.stored(step.state.clone()) == *target {
                return Ok(step.clone());
            }
        }
        if self.folded {
            let to = canonical(state, self.relations, &mut self.canoniser);
            let others = self.steps(&to.state)?;
            let (ours, theirs) = ((state, &*steps), (&to.state, &*others));
            compare(ours, theirs, &to.renamed, self.relations, &mut self.canoniser)?;
        }
        Err(Breach::Changed(Box::new(state.clone())))
    }

    fn audit(&mut self, number: u64, state: &State, steps: &[Step]) -> Result<(), Breach> {
        let mut random = Random::named(&[self.seed, number]);
        for draw in 0..DRAWS {
            let drawn = disguised(state, self.relations, draw == 0, &mut random);
            let others = self.steps(&drawn.state)?;
            let (ours, theirs) = ((state, steps), (&drawn.state, &*others));
            compare(ours, theirs, &drawn.renamed, self.relations, &mut self.canoniser)?;
        }
        Ok(())
    }
}

impl<S: System + ?Sized> Concrete for Checked<'_, S> {
    type Fault = Breach;

    fn labels(&self) -> Option<&Names> {
        Some(&self.actions)
    }

    fn initial(&self) -> Vec<State> {
        self.initial.clone()
    }

    fn successors(&mut self, state: &State, take: &mut Take<'_>) -> Result<(), Breach> {
        let steps = self.steps(state)?;
        if let Some(number) = self.audits.next() {
            self.audit(number, state, &steps)?;
        }
        for step in steps {
            let action = self.actions.number(&step.action);
            if take(Some((action, self.stored(step.state)))) {
                break;
            }
        }
        Ok(())
    }
}

/// Holds a step against the rules.
fn check(state: &State, step: &Step) -> Result<(), Misstep> {
    let after = &step.state;
    after.check_configuration()?;
    if let Some(thread) = &step.thread
        && !state.eta().contains_key(thread)
    {
        return Err(Misstep::IdleActor(thread.clone()));
    }
    // The children created, by the threads that may create some. Parents come before their children in the
    // order of pids, elder siblings before younger ones.
    let mut created: BTreeMap<Pid, u32> = state.eta().clone();
    let before = state.pids();
    for pid in after.pids() {
        if before.contains(&pid) {
            continue;
        }
        let creator = pid.parent();
        let children = creator.as_ref().and_then(|creator| created.get_mut(creator));
        let (Some(creator), Some(children)) = (&creator, children) else {
            return Err(Misstep::FromNowhere(pid));
        };
        match children.checked_add(1) {
            Some(next) if next == pid.last() => *children = next,
            Some(next) => {
                let next = creator.child(next);
                return Err(Misstep::OutOfTurn { pid, creator: creator.clone(), next });
            }
            None => return Err(Misstep::FromNowhere(pid)),
        }
        created.insert(pid, 0);
    }
    for (pid, &counted) in after.eta() {
        let pid = pid.clone();
        match created.get(&pid) {
            Some(&created) if created == counted => {}
            Some(&created) => return Err(Misstep::Miscounted { pid, counted, created }),
            None => return Err(Misstep::Revived(pid)),
        }
    }
    Ok(())
}

/// A state with its η, in braces: `{S(1) S(2) | η: 1 ↦ 0, 2 ↦ 1}`.
pub(crate) fn configuration(state: &State) -> String {
    let eta = state.eta();
    match (state.marked().next().is_some(), eta.is_empty()) {
        (_, true) => format!("{{{state}}}"),
        (true, false) => format!("{{{state} | η: {}}}", renaming(eta)),
        (false, false) => format!("{{η: {}}}", renaming(eta)),
    }
}

/// `1 ↦ 2, 2 ↦ 1`.
pub(crate) fn renaming<A: Display, B: Display>(map: &BTreeMap<A, B>) -> String {
    let pairs: Vec<String> = map.iter().map(|(a, b)| format!("{a} ↦ {b}")).collect();
    pairs.join(", ")
}
