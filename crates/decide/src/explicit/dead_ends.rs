//! Walks to where nothing can happen any more.
//!
//! That somebody is stuck is known when everything is that can still happen, and where there are many states a search
//! by breadth comes to that late: all that others may do meanwhile has to be seen before. A walk that always goes on at
//! random comes to a state without successors soon, if there are such. Whoever is alive there, and not idle, is stuck;
//! and a walk may meet a failure. What is found is no shortest run. So there are walks only where a model is not
//! small, they take a fraction of what the search does, and what they have found is said only if the search does not
//! come to it: because it ends before, or has found [`MANY`] states.
//!
//! Walks depend on the model and on how many there were before, so the same is found whenever a model is checked.

use budget::{Budget, Exhausted};
use check::Prospect;
use explore::{Space, Successors};
use fold::Folded;
use net::{Compiled, Net, TransitionId};
use random::Random;
use state::{Pid, State};
use survey::{Engine, FaultyRun, Reader};
use trace::{Hopeless, Run, Trace};

use super::{Explicit, Subject};
use crate::evidence::ShownRun;
use crate::goal::{Answer, Goal};

/// A model with fewer states is small.
const SMALL: u64 = 1 << 12;
/// A search that has found so many states need not come to the same.
const MANY: u64 = 1 << 17;
/// The steps of all walks together: this many, and one more for this many states found.
const FIRST_STEPS: u64 = 1 << 11;
const STATES_PER_STEP: u64 = 4;
/// The steps of one walk.
const LONGEST: usize = 1 << 12;

/// The walks that were made, and what they have found.
#[derive(Default)]
pub(super) struct Walks {
    space: Option<Box<Folded<Compiled>>>,
    made: u64,
    steps: u64,
    /// A run to where somebody is stuck.
    stuck: Option<Trace>,
    /// A run to a failure.
    pub(super) failure: Option<FaultyRun>,
}

/// The steps from the initial state, each with what the state after it is stored as.
type Path = Vec<(TransitionId, Vec<u8>)>;

/// Where a walk has come to.
enum End {
    /// Nothing can happen any more.
    Dead(Path),
    /// Something must not happen, and can.
    Failure(Path, TransitionId),
}

impl Walks {
    /// Makes as many walks as the number of states found allows, until one comes to an end that matters.
    fn go(&mut self, states: u64, subject: &Subject, budget: &Budget) -> Option<End> {
        let most = FIRST_STEPS + states / STATES_PER_STEP;
        while self.steps < most && !budget.is_exhausted() {
            self.made += 1;
            let end = self.walk(subject, budget);
            if end.is_some() {
                return end;
            }
        }
        None
    }

    fn walk(&mut self, subject: &Subject, budget: &Budget) -> Option<End> {
        let rules = || Folded::new(subject.compiled().clone(), subject.relations);
        let space = self.space.get_or_insert_with(|| Box::new(rules()));
        let mut random = Random::new(self.made);
        let mut found = Successors::within(budget);
        let mut path = Path::new();
        space.initial(&mut found).ok()?;
        let mut state = found.iter().next()?.2.to_vec();
        // Also a walk that ends at once is work.
        self.steps += 1;
        for _ in 0..LONGEST {
            // What comes after a test on data that is not kept is no proof of anything.
            if space.is_forgotten_choice(&state) {
                return None;
            }
            found.clear();
            if let Err(fault) = space.expand(&state, &mut found) {
                let transition = subject.net.transition(fault.transition);
                let is_failure = transition.failure.is_some() && !transition.is_limit;
                return is_failure.then_some(End::Failure(path, fault.transition));
            }
            if found.enough() {
                return None;
            }
            self.steps += 1;
            let ways: Vec<(u32, &[u8])> = found.iter().map(|(label, _, to)| (label, to)).collect();
            if ways.is_empty() {
                return Some(End::Dead(path));
            }
            let (label, next) = ways[random.below(ways.len())];
            let label = TransitionId(label);
            if subject.net.transition(label).ends_all {
                return None;
            }
            state = next.to_vec();
            path.push((label, state.clone()));
        }
        None
    }

    /// The run along a path.
    fn run(&mut self, subject: &Subject, path: Path, budget: &Budget) -> Result<Run, Exhausted> {
        let space = self.space.as_mut().expect("there was a walk");
        Run::along(subject.net, path, budget, |state, target| space.stored(state) == *target)
    }
}

/// The threads of a state that are not where they may be for ever.
fn busy(net: &Net, state: &State) -> Vec<Pid> {
    let idle = net.places.iter().filter(|place| place.idle);
    let idle = idle.flat_map(|place| state.tokens(&place.name)).map(|(token, _)| &token[0]);
    let idle: Vec<&Pid> = idle.filter_map(|value| value.as_pid()).collect();
    state.eta().keys().filter(|pid| !idle.contains(pid)).cloned().collect()
}

impl Explicit<'_, '_, '_, '_> {
    /// Walks, where there are many states and somebody may be stuck.
    pub(super) fn walk(&mut self, states: u64, budget: &Budget) -> Result<(), Exhausted> {
        let Self { subject, walks, .. } = self;
        if states < SMALL || !subject.net.has_threads() || subject.following.is_some() {
            return Ok(());
        }
        if walks.stuck.is_none() && self.everyone_acts().is_some() {
            self.look_for_ends(states, budget)?;
        }
        if states >= MANY {
            self.settle_walked();
        }
        Ok(())
    }

    /// The goal that everybody can act, if it is not reached.
    fn everyone_acts(&self) -> Option<usize> {
        let pending = self.findings.pending().into_iter();
        let mut asked = pending.filter(|(_, goal)| *goal == Goal::Everyone(Prospect::Acting));
        asked.next().map(|(number, _)| number)
    }

    fn look_for_ends(&mut self, states: u64, budget: &Budget) -> Result<(), Exhausted> {
        let Self { subject, walks, .. } = self;
        while let Some(end) = walks.go(states, subject, budget) {
            match end {
                End::Dead(path) => {
                    let run = walks.run(subject, path, budget)?;
                    let stuck = busy(subject.net, run.last());
                    if !stuck.is_empty() {
                        let hopeless = Some(Hopeless::Stuck(stuck));
                        walks.stuck = Some(Trace { hopeless, ..Trace::from(run) });
                        break;
                    }
                }
                End::Failure(path, transition) if walks.failure.is_none() => {
                    let run = walks.run(subject, path, budget)?;
                    let found = FaultyRun::after(run, subject.net, Some(transition), budget)?;
                    walks.failure = Some(found);
                }
                End::Failure(..) => {}
            }
        }
        Ok(())
    }

    /// Says what walks have found, since the search does not come to it.
    pub(super) fn settle_walked(&mut self) {
        let Some(goal) = self.everyone_acts() else { return };
        let Some(trace) = self.walks.stuck.take() else { return };
        let found = (goal, Answer::Holds(false), Some(Ok(ShownRun { trace, followed: None })));
        self.findings.board.settle_shown(Engine::Explicit, [found]);
    }
}
