//! Shortest paths, found from their end.
//!
//! The predecessors of a state on shortest paths are in the level before. All workers expand their states of that level
//! again, and those that lead to the state are offered; of all offers the least is taken, by the state and the label.
//! Several paths are looked for at once. Cost: each state of the levels before is expanded once more.

use std::collections::HashMap;

use budget::{Budget, Exhausted};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};

use super::coding::{from_portable, portable};
use super::network::{Lost, Mailbox, exchange};
use super::search::{DistributedSearch, lock, understood};
use super::worker::Worker;
use crate::{Space, StateId, Successors};

/// A state to which a path is wanted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Destination {
    /// Its depth.
    pub depth: u32,
    /// The state, [portable](super::portable).
    pub state: Vec<u8>,
}

/// A step of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// Its label.
    pub label: u32,
    /// Where it leads, [portable](super::portable).
    pub state: Vec<u8>,
}

/// A shortest path from an initial state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// Where it begins, [portable](super::portable).
    pub start: Vec<u8>,
    /// The steps.
    pub steps: Vec<PathStep>,
}

/// What a worker offers as the step into a state: where from, and the label; by its name if it has one.
type Offer = (Vec<u8>, Option<String>, u32);

impl<S: Space<Fault: 'static> + Send + 'static> DistributedSearch<S> {
    /// Shortest paths to some states, the same on all processes, which all ask for the same.
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone. The inner result says whether the budget of some process was used up before.
    pub fn paths_to(
        &self,
        destinations: &[Destination],
        budget: &Budget,
    ) -> Result<Result<Vec<Path>, Exhausted>, Lost> {
        if destinations.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let found = Arc::new(Mutex::new(Ok(Vec::new())));
        let (destinations, budget, paths) = (destinations.to_vec(), budget.clone(), found.clone());
        self.each(&mut || {}, move |number, worker, mailbox| {
            let gone = gone_back(worker, mailbox, &destinations, &budget)?;
            if number == 0 {
                *lock(&paths) = gone;
            }
            Ok(())
        })?;
        let mut found = lock(&found);
        Ok(std::mem::replace(&mut *found, Ok(Vec::new())))
    }

    /// Shortest path whose last step has the label looked for, if that was fired.
    ///
    /// # Errors
    ///
    /// As [`paths_to`](Self::paths_to).
    pub fn path_to_label(
        &self,
        label: u32,
        budget: &Budget,
    ) -> Result<Result<Option<Path>, Exhausted>, Lost> {
        let totals = self.totals();
        let Some(reached) = totals.reached else { return Ok(Ok(None)) };
        let destination = Destination { depth: reached.depth, state: reached.source };
        let paths = self.paths_to(&[destination], budget)?;
        Ok(paths.map(|mut paths| {
            let mut path = paths.swap_remove(0);
            path.steps.push(PathStep { label, state: reached.target });
            Some(path)
        }))
    }
}

/// Goes back from all destinations.
fn gone_back<S: Space>(
    worker: &mut Worker<S>,
    mailbox: &mut dyn Mailbox,
    destinations: &[Destination],
    budget: &Budget,
) -> Result<Result<Vec<Path>, Exhausted>, Lost> {
    let mut paths: Vec<Path> =
        destinations.iter().map(|to| Path { start: to.state.clone(), steps: Vec::new() }).collect();
    let deepest = destinations.iter().map(|to| to.depth).max().unwrap_or(0);
    for depth in (1..=deepest).rev() {
        let wanted = (0..paths.len()).filter(|at| destinations[*at].depth >= depth);
        let wanted: Vec<usize> = wanted.collect();
        let offers = offers(worker, depth - 1, &wanted, &paths, budget);
        let said = serde_json::to_vec(&offers.ok()).expect("it is made of numbers");
        let mut least: Vec<Option<Offer>> = vec![None; wanted.len()];
        let mut is_cut = false;
        for said in exchange(mailbox, &said)? {
            match understood::<Option<Vec<Option<Offer>>>>(&said)? {
                None => is_cut = true,
                Some(offers) => {
                    for (least, offer) in least.iter_mut().zip(offers) {
                        if least.is_none()
                            || offer.as_ref().is_some_and(|o| Some(o) < least.as_ref())
                        {
                            *least = offer.or(least.take());
                        }
                    }
                }
            }
        }
        if is_cut {
            return Ok(Err(budget.exhausted().unwrap_or(Exhausted::Time)));
        }
        for (&at, offer) in wanted.iter().zip(least) {
            let none = || Lost(format!("no process knows a state before one of depth {depth}"));
            let (source, name, label) = offer.ok_or_else(none)?;
            let label = name.map_or(label, |name| worker.space.label(&name));
            let path = &mut paths[at];
            let state = std::mem::replace(&mut path.start, source);
            path.steps.push(PathStep { label, state });
        }
    }
    paths.iter_mut().for_each(|path| path.steps.reverse());
    Ok(Ok(paths))
}

/// The least steps of this worker from a level into the states to which paths have come.
fn offers<S: Space>(
    worker: &mut Worker<S>,
    depth: u32,
    wanted: &[usize],
    paths: &[Path],
    budget: &Budget,
) -> Result<Vec<Option<Offer>>, Exhausted> {
    let Worker { space, portion, .. } = worker;
    let mut targets: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
    for (at, &path) in wanted.iter().enumerate() {
        targets.entry(from_portable(space, &paths[path].start)).or_default().push(at);
    }
    let mut best: Vec<Option<Offer>> = vec![None; wanted.len()];
    let mut successors = Successors::within(budget);
    for id in portion.level(depth).map(StateId) {
        budget.check()?;
        successors.clear();
        let state = portion.found.store.get(id);
        // A state that faults leads nowhere.
        if space.expand(state, &mut successors).is_err() {
            continue;
        }
        let mut source: Option<Vec<u8>> = None;
        for (label, _, string) in successors.iter() {
            for &at in targets.get(string).into_iter().flatten() {
                let source = source.get_or_insert_with(|| portable(space, state));
                let name = space.label_name(label);
                let name = name.as_deref();
                let is_less =
                    |held: &Offer| (&*source, name, label) < (&held.0, held.1.as_deref(), held.2);
                if best[at].as_ref().is_none_or(is_less) {
                    best[at] = Some((source.clone(), name.map(str::to_owned), label));
                }
            }
        }
    }
    budget.check()?;
    Ok(best)
}
