//! What the statements of claims say of the states seen so far.

use check::Bits;
use explore::{SoFar, StateId};
use net::interpret::{self, Bindings};
use net::{FaultKind, Net, Var};

use super::claim::{Atom, Atoms};
use super::follow::Following;
use crate::survey::Reader;

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
        self.values.resize_with(atoms.0.len(), Bits::default);
        self.values.iter_mut().for_each(|bits| bits.grow(so_far.store().len()));
        let has_threads = net.places.iter().any(net::Place::is_flow);
        for id in self.seen..expanded {
            let state = reader.state(so_far.store().get(StateId(id)));
            let bindings = match followed {
                None => Some(Bindings::new()),
                Some((following, thread)) => following.bindings(&state, thread),
            };
            let Some(bindings) = bindings else { continue };
            for (atom, bits) in atoms.0.iter().zip(&mut self.values) {
                let holds = match atom {
                    Atom::Says(formula) => interpret::holds(net, &state, formula, &bindings)?,
                    Atom::Deadlock => {
                        let is_last = quotient.successors(StateId(id)).len() == 0;
                        is_last && (!has_threads || !state.eta().is_empty())
                    }
                };
                if holds {
                    bits.set(id);
                }
            }
        }
        self.seen = expanded;
        Ok(())
    }
}
