//! Looking for tokens that inhibit.
//!
//! A depth-first walk through the places of an inhibitor. Where nothing can fault, it ends as soon as enough was
//! found.

use fold::Working;

use super::{Machine, matches};
use crate::FaultKind;
use crate::compile::Inhibit;

impl Machine {
    /// Whether an inhibitor lets the mode at hand pass.
    pub(super) fn is_free_of(
        &mut self,
        inhibit: &Inhibit,
        working: &Working,
    ) -> Result<bool, FaultKind> {
        self.forbidden.clear();
        let mut found = 0;
        self.search(inhibit, working, &mut found)?;
        Ok(found < u64::from(inhibit.count))
    }

    /// Counts what is found in the next place, and in those after it; `forbidden` has the entries chosen before.
    fn search(
        &mut self,
        inhibit: &Inhibit,
        working: &Working,
        found: &mut u64,
    ) -> Result<(), FaultKind> {
        let depth = self.forbidden.len();
        let arc = &inhibit.arcs[depth];
        for (at, entry) in working.entries(arc.place).enumerate() {
            let claimed = arc.rivals.iter().filter(|&&rival| self.forbidden[rival] == at).count();
            if (entry[0] as usize) <= claimed
                || !matches(&arc.cells, entry, &mut self.values)
                || !self.all_hold(&arc.tests, working)?
            {
                continue;
            }
            if depth + 1 < inhibit.arcs.len() {
                self.forbidden.push(at);
                self.search(inhibit, working, found)?;
                self.forbidden.pop();
            } else if self.all_hold(&inhibit.late, working)? {
                *found += if depth == 0 { u64::from(entry[0]) } else { 1 };
            }
            if inhibit.late.is_empty() && *found >= u64::from(inhibit.count) {
                break;
            }
        }
        Ok(())
    }

    fn all_hold(&self, tests: &[crate::Expr], working: &Working) -> Result<bool, FaultKind> {
        for test in tests {
            if self.eval(&working.kinship, test)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
