//! Asking whether a probe is enabled.

use fold::{Sink, Working};

use super::Firing;
use crate::compile::Effect;
use crate::{Compiled, Fault, TransitionId};

/// What is told nothing, and has never enough.
struct Nobody;

impl Sink for Nobody {
    fn emit(&mut self, _: u32, _: &mut Working) {}

    fn enough(&mut self) -> bool {
        false
    }
}

impl Compiled {
    /// Whether a probe is enabled in a state.
    ///
    /// # Errors
    /// If looking for modes faults.
    ///
    /// # Panics
    /// If the transition is no probe.
    pub fn probes(&mut self, working: &Working, probe: TransitionId) -> Result<bool, Fault> {
        let Compiled { rules, machine, successor, .. } = self;
        let rule = &rules[probe.index()];
        assert!(rule.effect == Effect::Probes, "`probes` is asked of what fires");
        if rule.inputs.iter().any(|input| working.is_empty(input.place)) {
            return Ok(false);
        }
        (machine.stopped, machine.found) = (false, false);
        machine.forget_faults();
        let (transition, sink) = (probe.0, &mut Nobody);
        let (chosen, kept) = (None, None);
        let mut firing =
            Firing { transition, rule, working, machine, successor, kept, sink, chosen };
        firing.run(&rule.steps).map_err(|kind| Fault { transition: probe, kind })?;
        Ok(machine.found)
    }
}
