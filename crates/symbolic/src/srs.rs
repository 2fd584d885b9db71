//! The symbolic symbolic reachability set: all symbolic markings of a net in one decision diagram.
//!
//! After Y. Thierry-Mieg, J.-M. Ilié, D. Poitrenaud, *A Symbolic Symbolic State Space
//! Representation*, FORTE 2004. A symbolic marking ([`Marking`](crate::Marking)) is a sequence of
//! assignments: the sizes of the dynamic subclasses, static subclass by static subclass, and the
//! tensors of the places (`layout.rs`, `tensor.rs`). Sets of such sequences are Data Decision
//! Diagrams, and what is done with them are inductive homomorphisms, each of which passes over a
//! marking once (`pass.rs`):
//!
//! - *fire* splits off the elements that a transition names, and follows its arcs (`fire.rs`);
//! - *group* makes dynamic subclasses as large as can be again (`group.rs`);
//! - *sort* puts them in order (`sort.rs`), and what it leaves tied is put into canonical form one
//!   by one (`repair.rs`).
//!
//! `reach.rs` closes a set under these; `orbits.rs` counts the concrete markings that a set stands for. The set has the same symbolic markings that the explicit
//! engine ([`Symbolic`](crate::Symbolic)) finds, each once.
//!
//! # Cost
//!
//! What operations decide does not depend on how large a dynamic subclass is, from a size on that
//! the net gives: larger sizes are shifted, all at once. But arcs for them there are, and each
//! operation visits each arc. So cost follows the number of nodes and arcs of the diagram, times the
//! symbolic bindings, and tied markings cost `canon` each.
//!
//! # Where we deviate from the paper
//!
//! - Cells for the diagonal: a tensor says which components are the same element (`tensor.rs`).
//! - Sorting is by what no renaming changes, and repaired where that does not suffice; the paper's is
//!   not canonical (`sort.rs`). Sizes do not take part in it.
//! - Firing says which elements it named, so grouping is one pass for each of them.
//! - Each transition is fired once from each marking, and never again from those of earlier rounds.
//!   Every operation begins with the first motif, so there is no part of a marking below which
//!   transitions could be closed on their own (`ddd`'s saturation): the paper's order of transitions
//!   and their fixpoints one by one are what there is.
//! - In the form that is counted, zero cells and the last size of a motif are left out
//!   (`written.rs`).
//!
//! # What is not supported
//!
//! Nets with cyclic classes, and what [`Unsupported`] lists. They are refused.

mod fire;
mod flow;
mod group;
mod instance;
mod layout;
mod orbits;
mod pass;
mod reach;
mod repair;
mod sort;
mod tensor;
mod written;

use budget::Phase;
use ddd::Limits;
use num_bigint::BigUint;

use crate::explicit::compile::{Given, compile};
use crate::{Fault, Flaw, SymmetricNet};
use layout::Layout;
use reach::Reach;

/// What a net, which may be fine, has that sets of symbolic markings are not made for: a class that is
/// rotated, or too much of something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

/// Why there is no reachability set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SrsError {
    /// The net has flaws.
    #[error("the net has flaws{}", .0.first().map_or(String::new(), |flaw| format!(": {flaw}")))]
    Flaws(Vec<Flaw>),
    /// This form of the engine does not explore the net.
    #[error("sets of symbolic markings cannot be used here: {0}")]
    Unsupported(#[from] Unsupported),
    /// A marking cannot be represented.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A limit of the diagrams was reached, so the set is not complete.
    #[error(transparent)]
    Diagram(#[from] ddd::Error),
}

/// A symbolic reachability set, in the figures of the paper's table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Srs {
    /// The number of symbolic markings.
    pub markings: BigUint,
    /// The number of concrete markings that they stand for.
    pub concrete_markings: BigUint,
    /// Nodes of the diagram that has all of them, written out as motifs.
    pub final_nodes: usize,
    /// The most nodes that there were at once while the set was computed, garbage included. Tensors
    /// are not written out meanwhile.
    pub peak_nodes: usize,
    /// What sharing saves: 0.8 if the diagram is a fifth of the size of all markings one by one.
    pub average_share: f64,
    /// Assignments per marking, written out as motifs.
    pub average_length: f64,
}

impl Srs {
    /// The reachability set of a net. It ends if the set is finite, or when a limit is reached.
    ///
    /// ```
    /// use symbolic::{Condition, Srs, SymmetricNet, Symmetry, Term, Transition, Variable};
    ///
    /// // A thousand processes, who go and come back one by one.
    /// let mut net = SymmetricNet::new();
    /// let process = net.class("Process", Symmetry::Symmetric(vec![1000]));
    /// let [here, away] = ["here", "away"].map(|name| net.place(name, &[process]));
    /// let one = Term::one(&[Variable(0).into()]);
    /// net.initially(here, one.clone().for_all(&[process], Condition::always()));
    /// let step = |name, from, to| {
    ///     Transition::new(name, &[process]).take(from, one.clone()).put(to, one.clone())
    /// };
    /// net.transition(step("go", here, away));
    /// net.transition(step("return", away, here));
    ///
    /// let srs = Srs::of(&net, ddd::Limits::default())?;
    /// assert_eq!(srs.markings, 1001u32.into());
    /// assert_eq!(srs.concrete_markings.bits(), 1001); // 2 to the power of 1000
    /// assert!(srs.final_nodes < 20);
    /// # Ok::<(), symbolic::SrsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the net has flaws or is not supported, if a marking cannot be represented, or if a limit
    /// is reached.
    pub fn of(net: &SymmetricNet, limits: Limits) -> Result<Self, SrsError> {
        let flaws = net.flaws();
        if !flaws.is_empty() {
            return Err(SrsError::Flaws(flaws));
        }
        let _under = limits.budget.progress().during(Phase::Diagram);
        let rules = compile(net, Given::Nothing, &limits.budget).map_err(ddd::Error::from)?;
        let mut reach = Reach::new(net, Layout::of(net, rules)?, limits);
        reach.figures().map_err(|error| reach.reason(error))
    }
}
