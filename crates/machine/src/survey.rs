//! What was found of a program that has been explored: deadlocks, threads that are stuck or can never end, races.

use budget::{Budget, Exhausted};
use check::{Bits, Fates, Hopeless, Prospect, Threads, hopeless};
use explore::{Exploration, StateId};
use program::Failure;

use crate::Machine;

/// A program that has been explored by a machine.
pub struct Survey<'s, 'c> {
    machine: &'s mut Machine<'c>,
    found: &'s Exploration,
}

impl<'s, 'c> Survey<'s, 'c> {
    /// What a machine has found, of which all states are known.
    pub fn new(machine: &'s mut Machine<'c>, found: &'s Exploration) -> Survey<'s, 'c> {
        Survey { machine, found }
    }

    /// The first state in which nothing can happen, and some thread waits that may not wait for ever.
    #[must_use]
    pub fn deadlock(&self) -> Option<StateId> {
        let dead = self.found.deadlocks.iter().copied();
        { dead }.find(|id| self.machine.is_deadlock(self.found.store.get(*id)))
    }

    /// The failures that were met, each with the first state after it.
    #[must_use]
    pub fn failures(&self) -> Vec<(StateId, Failure)> {
        let states = self.found.store.iter();
        states.filter_map(|(id, state)| Some((id, self.machine.failure(state)?))).collect()
    }

    /// A state in which threads have no prospect of acting, or of ending. Their numbers are those of
    /// [`Machine::thread_objects`].
    ///
    /// # Errors
    ///
    /// If the budget is used up before.
    pub fn hopeless(
        &mut self,
        prospect: Prospect,
        budget: &Budget,
    ) -> Result<Option<Hopeless>, Exhausted> {
        let known = match prospect {
            Prospect::Acting => self.known_to_have_hope(budget)?,
            Prospect::Ending => Bits::new(self.found.store.len()),
        };
        let Survey { machine, found } = self;
        let states = found.store.len();
        if known.count() == u64::from(states) {
            return Ok(None);
        }
        hopeless(states, &mut Lives { machine, found, prospect, known }, prospect, budget)
    }

    /// The states of which it is found at first sight that all their threads can act some time, but for those that may wait
    /// for ever. From the last to the first, since most moves lead to states of higher numbers; then from those that are
    /// known back to those of which that was not known in time.
    fn known_to_have_hope(&mut self, budget: &Budget) -> Result<Bits, Exhausted> {
        let Survey { machine, found } = self;
        let store = &found.store;
        let mut number = |state: &[u8]| store.find(state).expect("all states are known").0;
        let mut known = Bits::new(store.len());
        let mut targets = Vec::new();
        // Where a move leads to, and from where.
        let mut moves: Vec<(u32, u32)> = Vec::new();
        for state in (0..store.len()).rev() {
            budget.check()?;
            let string = store.get(StateId(state));
            if machine.has_hope(string, &mut number, &|other| known.get(other), &mut targets) {
                known.set(state);
            } else {
                moves.extend(targets.iter().map(|target| (*target, state)));
            }
        }
        moves.sort_unstable();
        let mut open: Vec<u32> = moves.iter().map(|(target, _)| *target).collect();
        open.dedup();
        open.retain(|target| known.get(*target));
        while let Some(target) = open.pop() {
            budget.check()?;
            let first = moves.partition_point(|(other, _)| *other < target);
            let from = moves[first..].iter().take_while(|(other, _)| *other == target);
            for (_, state) in from.filter(|(_, state)| !known.get(*state)).collect::<Vec<_>>() {
                known.set(*state);
                open.push(*state);
            }
        }
        Ok(known)
    }

    /// The first state in which two threads race, and their objects in its heap.
    ///
    /// # Errors
    ///
    /// If the budget is used up before.
    pub fn race(&mut self, budget: &Budget) -> Result<Option<(StateId, [u32; 2])>, Exhausted> {
        for (id, state) in self.found.store.iter() {
            budget.check()?;
            if let Some(threads) = self.machine.race(state) {
                return Ok(Some((id, threads)));
            }
        }
        Ok(None)
    }
}

/// The threads of what was explored.
struct Lives<'l, 'c> {
    machine: &'l mut Machine<'c>,
    found: &'l Exploration,
    prospect: Prospect,
    /// The states whose threads are known to have a prospect, but for those that may wait for ever.
    known: Bits,
}

impl Threads for Lives<'_, '_> {
    fn fates(&mut self, state: u32, fates: &mut Fates) -> Result<(), Exhausted> {
        let store = &self.found.store;
        let mut number = |state: &[u8]| {
            let id = store.find(state).expect("all states are known");
            id.index() as u32
        };
        let acting_is_enough = self.prospect == Prospect::Acting;
        let is_known = self.known.get(state);
        let state = store.get(StateId(state));
        if is_known {
            // Whatever leads there is as good as acting.
            self.machine.idle(state, &mut fates.idle);
            fates.ends_all = true;
            return Ok(());
        }
        self.machine.fates(state, acting_is_enough, &mut number, fates);
        Ok(())
    }
}
