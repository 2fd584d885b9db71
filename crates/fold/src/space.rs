//! What can be explored by rules on working states.

use explore::Standing;

use crate::{Schema, Working};

/// Where the successors of a state go.
pub trait Sink {
    /// Takes a successor, reached by firing the transition of this number. The pids that are gone
    /// need not have been swept.
    fn emit(&mut self, transition: u32, successor: &mut Working);

    /// Takes a successor as [`Sink::emit`] does, with what the variables of the transition stand for; pids are
    /// indices into the source, and where they are new, into the successor.
    fn emit_mode(&mut self, transition: u32, _binding: &[i64], successor: &mut Working) {
        self.emit(transition, successor);
    }

    /// Whether the run is over its limits, so that looking further is of no use. To be asked now and
    /// then where much may be tried before anything fires.
    fn enough(&mut self) -> bool;
}

/// The part of a thread in a mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role {
    /// Whether it acts.
    pub acts: bool,
    /// Whether it is ended, and not by a crash.
    pub ends: bool,
    /// Whether everything is ended, everybody else with it.
    pub ends_all: bool,
}

/// How much of a state a transition can look at and change, at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// One family: whatever it takes, reads, is inhibited by and puts is tied to the same pids.
    Family,
    /// The tokens without pids.
    Rest,
    /// One family and the tokens without pids.
    FamilyAndRest,
    /// Several families, or anything else.
    State,
}

impl Reach {
    /// All of them.
    pub const ALL: [Reach; 4] = [Reach::Family, Reach::Rest, Reach::FamilyAndRest, Reach::State];
}

/// A system given by rules on working states. One for each worker; scratch lives inside.
pub trait Rules {
    /// What can be wrong with a model, found while firing.
    type Fault;

    /// The shapes of the places.
    fn schema(&self) -> &Schema;

    /// Whether the model has threads at all. If so, a state where all have ended is no deadlock.
    fn has_threads(&self) -> bool;

    /// Whether some transition has this reach.
    fn has_reach(&self, reach: Reach) -> bool;

    /// For each transition that looks at one family and the tokens without pids, flow places at which threads of the
    /// family have to be.
    fn needed_beside_rest(&self) -> Vec<Vec<usize>> {
        vec![Vec::new()]
    }

    /// Makes `working`, which is empty, the initial state.
    fn initial(&mut self, working: &mut Working);

    /// Whether threads may be in a flow place for ever: a state in which all are in such places is no deadlock,
    /// either.
    fn is_idle(&self, _place: usize) -> bool {
        false
    }

    /// Whether threads learn in a flow place how a test on data that is not kept turns out: while there is one, only
    /// the outcomes fire, which are moves of its family or of the whole state.
    fn is_forgotten(&self, _place: usize) -> bool {
        false
    }

    /// For each transition the threads that take part, by the indices of their variables in the bindings of
    /// modes ([`Sink::emit_mode`]), and their parts.
    fn roles(&self) -> Vec<Vec<(usize, Role)>> {
        Vec::new()
    }

    /// Whether something may end everything, or fail.
    fn can_end_all(&self) -> bool {
        true
    }

    /// Fires every mode enabled in `working` of the transitions of this reach.
    fn fire(
        &mut self,
        working: &Working,
        reach: Reach,
        sink: &mut dyn Sink,
    ) -> Result<(), Self::Fault>;

    /// Whether some of what is enabled may be left out: [`Rules::fire_some`] and [`Rules::fire_alone`] are asked before
    /// everything is fired.
    fn is_reduced(&self) -> bool {
        false
    }

    /// Fires some of the modes enabled in a state that are enough; `false` if it has to be all of them, and none was
    /// fired. It must not depend on who is who.
    fn fire_some(&mut self, _state: &Working, _sink: &mut dyn Sink) -> Result<bool, Self::Fault> {
        Ok(false)
    }

    /// Fires some of the modes of a family and the rest, none of which reaches farther, that are enough in every state
    /// with that family and rest in which the threads of other families are at these places, ascending, and at no
    /// others. `false` as in [`Rules::fire_some`].
    fn fire_alone(
        &mut self,
        _part: &Working,
        _outside: &[usize],
        _sink: &mut dyn Sink,
    ) -> Result<bool, Self::Fault> {
        Ok(false)
    }
}

/// What it means that a state has no successor. In a model without threads it is always a deadlock.
pub(crate) fn standing(is_alive: bool, has_threads: bool) -> Standing {
    if is_alive || !has_threads { Standing::Alive } else { Standing::Ended }
}
