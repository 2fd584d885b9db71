//! Stubborn sets: states in which some threads may wait, since nothing that the others do concerns them.
//!
//! In a state a set C of threads is chosen, and only the modes fire in which one of them takes part. This is enough
//! if, whatever the others do as long as nobody in C moves, (1) what those in C can do now they still can, in the same
//! ways and no others, and (2) what the others do they still can after one in C has moved, with the same outcome: C's
//! modes are a *persistent* set (P. Godefroid 1996), a kind of stubborn set (A. Valmari 1990). Then no deadlock is
//! lost. If besides no mode that fires changes what a property looks at ([`Seen`]), and none is sticky ([`future`]),
//! every run has one among those that are left that differs in the order of what is independent alone; so runs are the
//! same up to repetition of what a property sees, every transition that can fire does, and so does whoever can act.
//!
//! Where that is taken from: E. Clarke, O. Grumberg, D. Peled, *Model Checking*, chapter 10, conditions C0 to C3. The
//! set is a function of the state, and the cycle proviso is static, so that neither the order of the search nor its
//! memory matters: what was published of provisos that depend on the search is wrong in places (S. Siegel 2019).
//!
//! A state is the representative of its class. For another state of the class the set is the image of C under an
//! isomorphism, and has the same properties; which isomorphism makes no difference to classes.
//!
//! C is closed: with a thread come those who may disturb it. Whom they are is found in three steps.
//! 1. [`access`]: what transitions do with places, and how they come to know the tokens.
//! 2. [`future`]: what a thread may do from where it is, with all its descendants.
//! 3. [`closure`]: in a state, who knows whom: a token that is only found by an atom that others do not know is
//!    beyond their reach, whatever they do to tokens of the same place.
//!
//! The cost of a state is, for each pair of threads, that of what the one may do next.

mod access;
mod closure;
mod endless;
mod future;
mod instance;
mod seen;
mod touch;

use std::sync::Arc;

use access::{Access, Ties, is_atom};
pub(crate) use closure::Choice;
use future::Future;
use instance::Instance;
pub(crate) use instance::threads;
pub use seen::Seen;

use crate::{Column, Net, Place, Sort, Symmetry, Transition};

/// What stubborn sets are to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The states without successor, and no more.
    Deadlocks,
    /// Besides, what can fire at all and who can act; and runs, up to repetition of what is in the places that are
    /// looked at.
    Runs(Seen),
}

/// What is known of a net before it is explored.
pub(crate) struct Stubborn {
    ties: Ties,
    future: Future,
    /// What threads may do next, by the place where they are.
    instances: Vec<Vec<Instance>>,
    /// The flow places.
    flow: Vec<usize>,
    /// For each place the columns with atoms, and those of them that are keyed.
    atoms: Vec<Vec<usize>>,
    keyed: Vec<Vec<usize>>,
    /// For each place whether its tokens are parts of families.
    tied: Vec<bool>,
}

impl Stubborn {
    pub(crate) fn of(net: &Net, keep: &Keep) -> Arc<Stubborn> {
        let future = Future::of(net);
        let changes = |transition: &Transition, seen: &Seen| {
            Access::all(transition)
                .any(|access| access.touch.changes() && seen.contains(access.place))
        };
        let is_sticky = |(transition, goes_round): (&Transition, &bool)| match keep {
            Keep::Deadlocks => false,
            // A run ends where something fails.
            Keep::Runs(_) if transition.failure.is_some() => false,
            Keep::Runs(seen) => *goes_round || changes(transition, seen),
        };
        let is_sticky: Vec<bool> =
            net.transitions.iter().zip(&future.sticky).map(is_sticky).collect();
        let mut instances: Vec<Vec<Instance>> = net.places.iter().map(|_| Vec::new()).collect();
        for instance in Instance::all(net, &is_sticky) {
            instances[instance.place].push(instance);
        }
        let atoms = |place: &Place| {
            let columns = place.columns.iter().enumerate();
            columns.filter(|(_, column)| is_atom(column.sort)).map(|(at, _)| at).collect()
        };
        let atoms = net.places.iter().map(atoms).collect();
        let ties = Ties::of(net);
        let keyed = |columns: &Vec<bool>| (0..columns.len()).filter(|at| columns[*at]).collect();
        let keyed = ties.keyed.iter().map(keyed).collect();
        let flow = (0..net.places.len()).filter(|place| net.places[*place].is_flow()).collect();
        let is_tied = |column: &Column| match column.sort {
            Sort::Pid | Sort::Object(_) => true,
            Sort::Enum(class) => net.enumerations[class.index()].symmetry != Symmetry::None,
            Sort::Int { .. } | Sort::Bool => false,
        };
        let tied = net.places.iter().map(|place| place.columns.iter().any(is_tied)).collect();
        Arc::new(Stubborn { ties, future, instances, flow, atoms, keyed, tied })
    }
}
