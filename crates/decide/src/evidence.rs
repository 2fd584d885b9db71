//! From a path through the graph of states to a concrete run.
//!
//! The plain interpreter executes every step. Where it matters who acts, the moves of the path are followed
//! by name: the state that represents a class is renamed to the concrete one, and so is each mode.
//! What is repeated for ever is executed until it has come back to a state that is equivalent to an earlier
//! one by a renaming of threads alone: members of classes are where they were.

use std::collections::{BTreeMap, BTreeSet};

use budget::{Budget, Exhausted};
use check::{Hop, Prospect};
use explore::{Exploration, StateId};
use fold::equivalent;
use net::interpret::Mode;
use net::{Net, TransitionId, Whom};
use state::{Pid, Relations, State, Value};
use survey::Reader;
use trace::{Back, Hopeless, Run, RunStep, Trace};

use crate::explicit::Subject;
use crate::follow::Following;
use crate::individuals::{Memory, Naming, Population};

/// Steps of the graph of states: their labels, and where they lead.
pub(crate) type Steps = Vec<(u32, StateId)>;

/// A path through the graph of states that shows something.
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphPath {
    /// Where it begins.
    pub(crate) root: u32,
    /// How that is reached, or the step into it, if it matters by which steps.
    pub(crate) stem: Option<Steps>,
    /// The step into it, source and label, if it matters by which: the followed thread enters by it.
    pub(crate) entered: Option<(u32, u32)>,
    /// How it goes on.
    pub(crate) hops: Vec<Hop>,
    /// The number of hops after which the part begins that is repeated for ever.
    pub(crate) back: Option<usize>,
    /// Threads of its last state that lack a prospect, by their numbers.
    pub(crate) hopeless: Option<(Prospect, Vec<u32>)>,
}

impl GraphPath {
    /// A state alone.
    pub(crate) fn to(root: u32) -> GraphPath {
        GraphPath { root, ..GraphPath::default() }
    }
}

/// A run of the net that was explored, and the thread that is followed on it.
#[derive(Clone, Debug)]
pub(crate) struct ShownRun {
    pub(crate) trace: Trace,
    pub(crate) followed: Option<Pid>,
}

/// The run that a path stands for.
///
/// # Errors
///
/// If the budget is used up before it is found.
pub(crate) fn shown_run(
    path: &GraphPath,
    subject: &Subject,
    so_far: &Exploration,
    reader: &mut dyn Reader,
    budget: &Budget,
) -> Result<ShownRun, Exhausted> {
    let net = subject.net;
    let source = path.entered.map_or(path.root, |(source, _)| source);
    let mut stem = path.stem.clone().unwrap_or_else(|| so_far.path_to(StateId(source)));
    stem.extend(path.entered.map(|(_, label)| (label, StateId(path.root))));
    let store = &so_far.store;
    let mut run = Run::at_start(net);
    for (label, target) in stem {
        let is_there = |_: &_, state: &_| reader.stored(state) == store.get(target);
        run.go(net, TransitionId(label), budget, is_there)?;
    }
    if let Some((prospect, numbers)) = &path.hopeless {
        let threads = threads(path.root, numbers, subject, so_far, reader, (run.last(), budget));
        let hopeless = Some(match prospect {
            Prospect::Acting => Hopeless::Stuck(threads),
            Prospect::Ending => Hopeless::Endless(threads),
        });
        return Ok(ShownRun { trace: Trace { hopeless, ..Trace::from(run) }, followed: None });
    }
    let by_name = path.hops.iter().any(|hop| hop.chosen.is_some());
    let memory = &mut Memory::default();
    let mut replay = Replay {
        net,
        budget,
        relations: subject.relations,
        is_projected: subject.observed.is_some(),
        population: Population::new(subject, &[Whom::Threads], store, reader, memory, budget),
        at: path.root,
        naming: None,
        run,
    };
    if by_name {
        replay.naming = Some(replay.population.naming_of(replay.at, replay.run.last()));
    }
    let (stem, cycle) = path.hops.split_at(path.back.unwrap_or(path.hops.len()));
    stem.iter().try_for_each(|hop| replay.go(hop))?;
    let back = path.back.map(|_| replay.round(cycle)).transpose()?;
    let run = replay.run;
    let followed = subject.following.and_then(|(following, thread)| {
        following.bindings(run.last(), thread)?[&thread].as_pid().cloned()
    });
    Ok(ShownRun { trace: Trace { back, ..Trace::from(run) }, followed })
}

/// The threads of a state of a class that have these numbers.
fn threads(
    class: u32,
    wanted: &[u32],
    subject: &Subject,
    so_far: &Exploration,
    reader: &mut dyn Reader,
    (state, budget): (&State, &Budget),
) -> Vec<Pid> {
    let numbers = match reader.lives() {
        Some(mut lives) => reader.thread_numbers(&mut lives, state),
        None => {
            let memory = &mut Memory::default();
            let (store, whom) = (&so_far.store, &[Whom::Threads]);
            Population::new(subject, whom, store, reader, memory, budget).numbers(class, state)
        }
    };
    let named = numbers.into_iter().filter(|(_, number)| wanted.contains(number));
    named.map(|(pid, _)| pid).collect()
}

/// A run of the net that was explored, executed on the model as it is. Variables have the same names in
/// both, and stand for the same: who takes part matters, also where others could have done it.
///
/// # Errors
///
/// If the budget is used up before it is executed.
pub(crate) fn executed(
    run: &Run,
    model: &Net,
    net: &Net,
    following: Option<&Following>,
    budget: &Budget,
) -> Result<Run, Exhausted> {
    let mut executed = Run::at_start(model);
    for step in &run.steps {
        let transition = following.map_or(step.mode.transition, |following| {
            following.original[step.mode.transition.index()]
        });
        let meant = meaning(net, &step.mode);
        executed.go(model, transition, budget, |mode, state| {
            let leads_there = match following {
                Some(following) => following.is_of(&step.state, state),
                None => step.state == *state,
            };
            leads_there && meaning(model, mode).is_subset(&meant)
        })?;
    }
    Ok(executed)
}

/// What the variables of a transition stand for, by their names.
fn meaning<'m>(net: &'m Net, mode: &'m Mode) -> BTreeSet<(&'m str, &'m Value)> {
    let variables = &net.transition(mode.transition).variables;
    mode.binding.iter().map(|(var, value)| (&*variables[var.index()].name, value)).collect()
}

/// A path under way.
struct Replay<'a> {
    net: &'a Net,
    budget: &'a Budget,
    relations: Relations,
    /// Whether states are folded by what is still observed of them.
    is_projected: bool,
    population: Population<'a>,
    at: u32,
    /// How the state that represents the class is renamed to the one the run has come to, if it is followed.
    naming: Option<Naming>,
    run: Run,
}

impl Replay<'_> {
    fn go(&mut self, hop: &Hop) -> Result<(), Exhausted> {
        let Some(label) = hop.label else { return Ok(()) };
        match (&self.naming, hop.chosen) {
            (Some(naming), Some(chosen)) => {
                let (mode, step, next) =
                    self.population.fired(self.at, chosen, self.run.last(), naming)?;
                let net::interpret::Step { children, state, .. } = step;
                self.run.steps.push(RunStep { mode, children, state });
                self.naming = Some(next);
            }
            _ => {
                let population = &mut self.population;
                let target = hop.target;
                let is_there = |_: &_, state: &_| population.is_stored(state, target);
                self.run.go(self.net, TransitionId(label), self.budget, is_there)?;
                if self.naming.is_some() {
                    self.naming = Some(self.population.naming_of(target, self.run.last()));
                }
            }
        }
        self.at = hop.target;
        Ok(())
    }

    /// Goes round until it is where it has been after some round.
    fn round(&mut self, cycle: &[Hop]) -> Result<Back, Exhausted> {
        if cycle.iter().all(|hop| hop.label.is_none()) {
            let threads = self.run.last().eta().keys();
            let replaced = threads.map(|pid| (pid.clone(), pid.clone())).collect();
            return Ok(Back { to: self.run.steps.len(), replaced });
        }
        let mut rounds = vec![(self.run.steps.len(), self.naming.clone())];
        loop {
            cycle.iter().try_for_each(|hop| self.go(hop))?;
            for (to, naming) in &rounds {
                if let Some(replaced) = self.replaced(*to, naming.as_ref()) {
                    return Ok(Back { to: *to, replaced });
                }
            }
            rounds.push((self.run.steps.len(), self.naming.clone()));
        }
    }

    /// Who has taken whose place since an earlier state, if that tells all the difference.
    fn replaced(&mut self, to: usize, before: Option<&Naming>) -> Option<BTreeMap<Pid, Pid>> {
        let (state, last) = (self.run.state(to), self.run.last());
        match (&self.naming, before) {
            (Some(now), Some(before)) => {
                if !now.names_members_like(before) {
                    return None;
                }
                let before = before.threads_by_origin(state);
                let now = now.threads_by_origin(last);
                Some(now.into_iter().map(|(origin, pid)| (pid, before[&origin].clone())).collect())
            }
            // Objects may have other numbers, and records may be in another order.
            _ if self.net.has_objects() || self.is_projected => {
                let renaming = self.population.renaming(last, state)?;
                let threads = renaming.threads_by_origin(state);
                renaming.keeps_members().then_some(threads)
            }
            _ => {
                let map = equivalent(last, state, self.relations)?;
                Some(map.into_iter().filter(|(pid, _)| last.eta().contains_key(pid)).collect())
            }
        }
    }
}
