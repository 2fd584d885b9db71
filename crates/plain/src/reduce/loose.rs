//! Places that nobody looks at, which keeps everything; and transitions without effect, which keeps reachability:
//! a run that never ends may consist of them, and where they are enabled there is no deadlock.

use super::Problem;

impl Problem {
    /// Drops places that nobody tests and that are not compared; whether there were any.
    pub(super) fn drop_untested(&mut self) -> bool {
        let mut is_seen = self.visible();
        for transition in &self.net.transitions {
            for arc in transition.arcs.iter().filter(|arc| arc.needs() || arc.inhibits()) {
                is_seen[arc.place as usize] = true;
            }
            for &place in transition.sums.iter().flat_map(|(places, _)| places) {
                is_seen[place as usize] = true;
            }
        }
        let mut changed = false;
        for transition in &mut self.net.transitions {
            let before = transition.arcs.len();
            transition.arcs.retain(|arc| is_seen[arc.place as usize]);
            changed |= transition.arcs.len() < before;
        }
        changed
    }

    /// Drops transitions that lead nowhere else; whether there were any.
    pub(super) fn drop_effectless(&mut self) -> bool {
        self.retain(|transition| transition.has_effect())
    }
}
