//! Firing one transition and no other, and reading what it has put.

use fold::{Sink, Working};

use super::Firing;
use crate::compile::{Effect, bounds};
use crate::{Compiled, Fault, Net, PlaceId, TransitionId};

impl Compiled {
    /// Fires every mode of one transition that is enabled in a state. What must not fire, and what never does, has none.
    ///
    /// # Errors
    /// If looking for modes faults, or firing one does.
    pub fn fire_transition(
        &mut self,
        working: &Working,
        transition: TransitionId,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        let has_to_wait = self.has_to_wait(working, transition);
        let Compiled { rules, machine, successor, kept, schema, .. } = self;
        let rule = &rules[transition.index()];
        let lacks_input = rule.inputs.iter().any(|input| working.is_empty(input.place));
        if rule.effect != Effect::Fires || lacks_input || has_to_wait {
            return Ok(());
        }
        (machine.stopped, machine.found) = (false, false);
        machine.forget_faults();
        let kept = kept.as_mut().map(|kept| (&*schema, kept));
        let number = transition.0;
        let mut firing = Firing {
            transition: number,
            rule,
            working,
            machine,
            successor,
            kept,
            sink,
            chosen: None,
        };
        firing.run(&rule.steps).map_err(|kind| Fault { transition, kind })
    }
}

impl Net {
    /// What a word of a column of working states stands for, as the bindings of modes
    /// ([`Sink::emit_mode`]) have it.
    #[must_use]
    pub fn number(&self, place: PlaceId, column: usize, word: u32) -> i64 {
        bounds(self, &self.place(place).columns[column]).value(word)
    }
}
