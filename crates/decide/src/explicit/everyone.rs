//! What every thread is to be able to come to: that nobody is stuck, that everybody can end.

use budget::{Budget, Exhausted};
use check::{Fates, Hopeless, Prospect, Threads, hopeless};
use explore::{Exploration, StateId, Store};
use fold::Lives;
use net::Whom;
use survey::Reader;

use super::{Explicit, Stage};
use crate::evidence::GraphPath;
use crate::goal::{Answer, Goal};
use crate::individuals::{Memory, Population};

/// The states that are looked at first, at least.
const NEAREST: u32 = 16;

/// What is known of a graph when it is looked at.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    /// The states of which it is known what follows are those before this one.
    pub(super) expanded: u32,
    pub(super) found: &'a Exploration,
    pub(super) stage: Stage,
    pub(super) budget: &'a Budget,
}

impl Explicit<'_, '_, '_, '_> {
    /// Looks for threads that have no prospect, in what is known of the graph.
    pub(super) fn settle_everyone(
        &mut self,
        look: Look<'_>,
        reader: &mut dyn Reader,
    ) -> Result<(), Exhausted> {
        let pending = self.findings.pending().into_iter().filter_map(|(goal, what)| match what {
            Goal::Everyone(prospect) => Some((goal, prospect)),
            _ => None,
        });
        let pending: Vec<(usize, Prospect)> = pending.collect();
        for (goal, prospect) in pending {
            match self.searched(goal, prospect, look, reader)? {
                Some(found) => {
                    let hopeless = Some((prospect, found.threads));
                    let path = GraphPath { hopeless, ..GraphPath::to(found.state) };
                    self.findings.found(goal, Answer::Holds(false), Some(path));
                    self.publish(look.found, reader);
                }
                None if look.stage == Stage::Complete => {
                    self.findings.found(goal, Answer::Holds(true), None);
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Looks first in a small part of the graph near its start, and then in ever larger ones, so that a near state is
    /// found. Parts are of whole levels, and the same whenever this is asked, so how near it is depends neither on that
    /// nor on the order of states within a level. Where no run is to be shown, all that is known is looked at once.
    fn searched(
        &mut self,
        goal: usize,
        prospect: Prospect,
        look: Look<'_>,
        reader: &mut dyn Reader,
    ) -> Result<Option<Hopeless>, Exhausted> {
        loop {
            let searched = self.everyone.get(&goal).copied().unwrap_or(0);
            let mut least = NEAREST;
            while least <= searched {
                least = least.saturating_mul(2);
            }
            let part = match self.showing.is_some() {
                true => look.found.level_end(least - 1).unwrap_or(look.expanded),
                false => look.expanded,
            };
            let is_last = part >= look.expanded;
            if is_last && look.stage == Stage::Exploring {
                return Ok(None);
            }
            let in_part = Look { expanded: part.min(look.expanded), ..look };
            let found = self.found_in(in_part, prospect, reader)?;
            if found.is_some() || is_last {
                return Ok(found);
            }
            self.everyone.insert(goal, part);
        }
    }

    fn found_in(
        &mut self,
        look: Look<'_>,
        prospect: Prospect,
        reader: &mut dyn Reader,
    ) -> Result<Option<Hopeless>, Exhausted> {
        let Look { expanded, budget, .. } = look;
        self.with_threads(look, reader, |threads| hopeless(expanded, threads, prospect, budget))
    }

    /// Lets something be asked of the threads of the graph.
    pub(super) fn with_threads<T>(
        &mut self,
        Look { found, budget, .. }: Look<'_>,
        reader: &mut dyn Reader,
        ask: impl FnOnce(&mut dyn Threads) -> T,
    ) -> T {
        let store = &found.store;
        match self.lives.take().or_else(|| reader.lives()) {
            Some(lives) => {
                let mut followed = Followed { reader, store, lives };
                let answer = ask(&mut followed);
                self.lives = Some(followed.lives);
                answer
            }
            None => {
                let (memory, whom) = (&mut Memory::default(), &[Whom::Threads]);
                ask(&mut Population::new(self.subject, whom, store, reader, memory, budget))
            }
        }
    }
}

/// Threads that are followed from family to family.
struct Followed<'a> {
    reader: &'a mut dyn Reader,
    store: &'a Store,
    lives: Lives,
}

impl Threads for Followed<'_> {
    fn fates(&mut self, state: u32, fates: &mut Fates) -> Result<(), Exhausted> {
        let Followed { reader, store, lives } = self;
        reader.fates(lives, store.get(StateId(state)), store, fates);
        Ok(())
    }

    fn count(&mut self, state: u32, threads: &[u32]) -> u32 {
        let Followed { reader, store, lives } = self;
        reader.count_threads(lives, store.get(StateId(state)), threads)
    }
}
