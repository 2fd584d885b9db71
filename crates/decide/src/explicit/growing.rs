//! Threads that lack a prospect while states go on for ever.
//!
//! Of a model that creates threads in an endless loop, no part is ever known completely. What is known is what can become
//! of families ([`fold::Lost`]): that is found once, when there are many states, and then looked for in each state.

use budget::Exhausted;
use check::Prospect;
use explore::StateId;
use fold::Lost;
use survey::Reader;

use super::everyone::Look;
use super::forgotten::Runs;
use super::{Explicit, Known, Stage};
use crate::evidence::GraphPath;
use crate::goal::{Answer, Goal};

/// With fewer states, it is soon known what can follow.
const MANY: u32 = 1 << 11;

/// A state is shown when so many times as many are known. By then it is mostly known what can follow it, and a state is
/// shown in which all are stuck who ever will be.
const PATIENCE: u32 = 1 << 4;

/// What was found out of the families, for one prospect.
pub(super) struct Growing {
    prospect: Prospect,
    /// Nothing if it could not be found out.
    lost: Option<Lost>,
    /// The states that hold nobody who is lost.
    looked_at: u32,
}

impl Explicit<'_, '_, '_, '_> {
    /// Looks for a state with a thread that has no prospect, whatever becomes of all others.
    pub(super) fn settle_growing(
        &mut self,
        known: &Known,
        look: Look<'_>,
        reader: &mut dyn Reader,
    ) -> Result<(), Exhausted> {
        let near = match look.stage {
            Stage::Exploring if known.expanded < MANY => return Ok(()),
            Stage::Exploring => known.expanded / PATIENCE,
            _ => known.expanded,
        };
        for (goal, what) in self.findings.pending() {
            let Goal::Everyone(prospect) = what else { continue };
            let Some(mut lives) = self.lives.take().or_else(|| reader.lives()) else {
                return Ok(());
            };
            let store = &look.found.store;
            let growing = match self.growing.iter().position(|one| one.prospect == prospect) {
                Some(at) => &mut self.growing[at],
                None => {
                    let first = store.get(StateId(0)).to_vec();
                    let fulfils = |role: &fold::Role| prospect.is_fulfilled(role.acts, role.ends);
                    let is_over = || look.budget.is_exhausted();
                    let lost = reader.lost(&mut lives, &first, &fulfils, &is_over);
                    self.growing.push(Growing { prospect, lost, looked_at: 0 });
                    self.growing.last_mut().expect("it was just put there")
                }
            };
            let mut found = None;
            if let Some(lost) = growing.lost.as_ref().filter(|lost| !lost.is_empty()) {
                let mut lost_in = |state: u32| {
                    let threads = reader.lost_in(&mut lives, store.get(StateId(state)), lost);
                    (!threads.is_empty()).then_some(threads)
                };
                found = if self.subject.net.has_forgotten() {
                    let untested = Runs::untested(known, look.budget)?;
                    let mut states = (0..near).filter(|state| untested.has(*state));
                    states.find_map(|state| {
                        let threads = lost_in(state)?;
                        Some((untested.path(state)?, threads))
                    })
                } else {
                    let mut states = growing.looked_at..near;
                    growing.looked_at = near;
                    states.find_map(|state| Some((GraphPath::to(state), lost_in(state)?)))
                };
            }
            self.lives = Some(lives);
            if let Some((path, threads)) = found {
                let path = GraphPath { hopeless: Some((prospect, threads)), ..path };
                self.findings.found(goal, Answer::Holds(false), Some(path));
                self.publish(look.found, reader);
            }
        }
        Ok(())
    }
}
