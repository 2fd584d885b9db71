//! What every thread is to be able to come to: that nobody is stuck, that everybody can end.

use budget::{Budget, Exhausted};
use check::{Fates, Prospect, Threads, hopeless};
use explore::{Exploration, StateId, Store};
use fold::Lives;
use net::Whom;
use survey::Reader;

use super::{Explicit, Known};
use crate::evidence::GraphPath;
use crate::goal::{Answer, Goal};
use crate::individuals::{Memory, Population};

impl Explicit<'_, '_, '_, '_> {
    /// Looks for threads that have no prospect, in what is known of the graph.
    pub(super) fn settle_everyone(
        &mut self,
        known: &Known,
        so_far: &Exploration,
        reader: &mut dyn Reader,
        is_complete: bool,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let pending = self.findings.pending().into_iter().filter_map(|(goal, what)| match what {
            Goal::Everyone(prospect) => Some((goal, prospect)),
            _ => None,
        });
        let pending: Vec<(usize, Prospect)> = pending.collect();
        for (goal, prospect) in pending {
            let store = &so_far.store;
            let found = match self.lives.take().or_else(|| reader.lives()) {
                Some(lives) => {
                    let mut followed = Followed { reader, store, lives };
                    let found = hopeless(known.expanded, &mut followed, prospect, budget);
                    self.lives = Some(followed.lives);
                    found
                }
                None => {
                    let memory = &mut Memory::default();
                    let whom = &[Whom::Threads];
                    let mut named = Population::new(self.subject, whom, store, reader, memory);
                    hopeless(known.expanded, &mut named, prospect, budget)
                }
            };
            match found? {
                Some(found) => {
                    let hopeless = Some((prospect, found.threads));
                    let path = GraphPath { hopeless, ..GraphPath::to(found.state) };
                    self.findings.found(goal, Answer::Holds(false), Some(path));
                }
                None if is_complete => self.findings.found(goal, Answer::Holds(true), None),
                None => {}
            }
        }
        Ok(())
    }
}

/// Threads that are followed from family to family.
struct Followed<'a> {
    reader: &'a mut dyn Reader,
    store: &'a Store,
    lives: Lives,
}

impl Threads for Followed<'_> {
    fn fates(&mut self, state: u32, fates: &mut Fates) {
        let Followed { reader, store, lives } = self;
        reader.fates(lives, store.get(StateId(state)), store, fates);
    }
}
