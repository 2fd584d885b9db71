//! What the statements of claims say of the states seen so far.

use check::Bits;
use explore::{SoFar, StateId};
use net::interpret::{self, Bindings};
use net::{FaultKind, Formula, Look, Net, TransitionId, Var};

use super::claim::{Atom, Atoms};
use super::follow::Following;
use survey::Reader;

/// Which statements hold in which of the expanded states.
#[derive(Default)]
pub(super) struct Valuation {
    /// For each statement the states in which it holds.
    pub(super) values: Vec<Bits>,
    /// The states looked at: those below this number.
    pub(super) seen: u32,
}

impl Valuation {
    /// Looks at the states that were expanded since the last time. Of a thread that is followed nothing holds
    /// before there is one.
    pub(super) fn look(
        &mut self,
        net: &Net,
        atoms: &Atoms,
        followed: Option<(&Following, Var)>,
        so_far: &SoFar,
        reader: &mut dyn Reader,
    ) -> Result<(), FaultKind> {
        let quotient = so_far.quotient().expect("edges are kept");
        let expanded = so_far.expanded().min(quotient.states() as u32);
        self.values.resize_with(atoms.all.len(), Bits::default);
        self.values.iter_mut().for_each(|bits| bits.grow(so_far.store().len()));
        let mut values = vec![0; atoms.variables()];
        let has_threads = net.has_threads();
        for id in (self.seen..expanded).map(StateId) {
            let bytes = so_far.store().get(id);
            let row = || quotient.successors(id).map(|(label, _)| label);
            let enabled = |transition: TransitionId| row().any(|label| label == transition.0);
            let deadlock = |is_alive: bool| row().len() == 0 && (!has_threads || is_alive);
            if let Some(working) = reader.working(bytes) {
                if let Some((following, thread)) = followed {
                    let Some(pid) = following.thread_in(&working) else { continue };
                    values[thread.index()] = i64::from(pid);
                }
                let look = Look { net, working: &working, enabled: &enabled };
                let is_alive = working.kinship.kin().iter().any(|kin| kin.active);
                self.note(atoms, id, deadlock(is_alive), |formula| {
                    look.holds(formula, &mut values)
                })?;
            } else {
                let state = reader.state(bytes);
                let bindings = match followed {
                    None => Some(Bindings::new()),
                    Some((following, thread)) => following.bindings(&state, thread),
                };
                let Some(bindings) = bindings else { continue };
                let deadlock = deadlock(!state.eta().is_empty());
                let holds = |formula: &Formula| interpret::holds(net, &state, formula, &bindings);
                self.note(atoms, id, deadlock, holds)?;
            }
        }
        self.seen = expanded;
        Ok(())
    }

    /// Notes which statements hold in a state.
    fn note(
        &mut self,
        atoms: &Atoms,
        id: StateId,
        is_deadlock: bool,
        mut holds: impl FnMut(&Formula) -> Result<bool, FaultKind>,
    ) -> Result<(), FaultKind> {
        for (atom, bits) in atoms.all.iter().zip(&mut self.values) {
            let is_so = match atom {
                Atom::Says(formula) => holds(formula)?,
                Atom::Deadlock => is_deadlock,
            };
            if is_so {
                bits.set(id.0);
            }
        }
        Ok(())
    }
}
