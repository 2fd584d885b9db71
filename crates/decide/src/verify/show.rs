//! From a walk through the graph of states to a concrete run.
//!
//! The plain interpreter executes every step. Where it matters who acts, the moves of the walk are followed
//! by name: the state that represents a class is renamed to the concrete one, and so is each mode.
//! What is repeated for ever is executed until it has come back to a state that is equivalent to an earlier
//! one by a renaming of threads alone: members of classes are where they were.

use std::collections::BTreeMap;

use explore::{SoFar, StateId};
use fold::equivalent;
use net::{Compiled, Net, TransitionId, Whom};
use state::{Pid, Relations};

use super::decide::Shown;
use super::individuals::{Everyone, Memory, Naming};
use survey::Reader;
use trace::{Back, Run, RunStep, Trace};

/// The run that a walk stands for.
pub(super) fn trace(
    shown: &Shown,
    net: &Net,
    compiled: &Compiled,
    so_far: &SoFar,
    reader: &mut dyn Reader,
) -> Trace {
    let mut path = so_far.path_to(StateId(shown.entered.map_or(shown.root, |(source, _)| source)));
    path.extend(shown.entered.map(|(_, label)| (label, StateId(shown.root))));
    let store = so_far.store();
    let mut run = Run::at_start(net);
    for (label, target) in path {
        run.go(net, TransitionId(label), |_, state| reader.stored(state) == store.get(target));
    }
    let by_name = shown.hops.iter().any(|hop| hop.chosen.is_some());
    let memory = &mut Memory::default();
    let mut walk = Walk {
        net,
        relations: compiled.relations(),
        everyone: Everyone::new(compiled, net, &[Whom::Threads], store, reader, memory),
        at: shown.root,
        naming: None,
        run,
    };
    if by_name {
        walk.naming = Some(walk.everyone.naming_of(walk.at, walk.run.last()));
    }
    let (stem, cycle) = shown.hops.split_at(shown.back.unwrap_or(shown.hops.len()));
    stem.iter().for_each(|hop| walk.go(hop));
    let back = shown.back.map(|_| walk.round(cycle));
    Trace { run: walk.run, back }
}

struct Walk<'a> {
    net: &'a Net,
    relations: Relations,
    everyone: Everyone<'a>,
    at: u32,
    /// How the state that represents the class is renamed to the one the run has come to, if it is followed.
    naming: Option<Naming>,
    run: Run,
}

impl Walk<'_> {
    fn go(&mut self, hop: &check::Hop) {
        let Some(label) = hop.label else { return };
        match (&self.naming, hop.chosen) {
            (Some(naming), Some(chosen)) => {
                let (mode, step, next) =
                    self.everyone.fired(self.at, chosen, self.run.last(), naming);
                let net::interpret::Step { children, state, .. } = step;
                self.run.steps.push(RunStep { mode, children, state });
                self.naming = Some(next);
            }
            _ => {
                let everyone = &mut self.everyone;
                let target = hop.target;
                let is_there = |_: &_, state: &_| everyone.is_stored(state, target);
                self.run.go(self.net, TransitionId(label), is_there);
                if self.naming.is_some() {
                    self.naming = Some(self.everyone.naming_of(target, self.run.last()));
                }
            }
        }
        self.at = hop.target;
    }

    /// Goes round until it is where it has been after some round.
    fn round(&mut self, cycle: &[check::Hop]) -> Back {
        if cycle.iter().all(|hop| hop.label.is_none()) {
            let threads = self.run.last().eta().keys();
            let replaced = threads.map(|pid| (pid.clone(), pid.clone())).collect();
            return Back { to: self.run.steps.len(), replaced };
        }
        let mut rounds = vec![(self.run.steps.len(), self.naming.clone())];
        loop {
            cycle.iter().for_each(|hop| self.go(hop));
            for (to, naming) in &rounds {
                if let Some(replaced) = self.replaced(*to, naming.as_ref()) {
                    return Back { to: *to, replaced };
                }
            }
            rounds.push((self.run.steps.len(), self.naming.clone()));
        }
    }

    /// Who has taken whose place since an earlier state, if that tells all the difference.
    fn replaced(&self, to: usize, before: Option<&Naming>) -> Option<BTreeMap<Pid, Pid>> {
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
            _ => {
                let map = equivalent(last, state, self.relations)?;
                Some(map.into_iter().filter(|(pid, _)| last.eta().contains_key(pid)).collect())
            }
        }
    }
}
