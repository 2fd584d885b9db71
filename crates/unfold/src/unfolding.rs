//! From symmetric nets to nets without colours.
//!
//! An unfolded place is a place with a tuple of elements; an unfolded transition is a transition
//! with an assignment of its variables. Most of them are never marked and never enabled, so they
//! are not written out as products of classes: what is *possible* is found first, as the least
//! fixpoint of
//!
//! - a token is possible if the initial marking has it, or a possible binding puts it;
//! - a binding is possible if its guard holds, its arcs can be followed, and the tokens it takes and
//!   reads are possible,
//!
//! which leaves out how often a token is there and what inhibits. Bindings are joins over possible
//! tokens, each found once, when the last of its tokens is ([`join`]).
//!
//! Then what cannot change is resolved ([`reduce`]): tokens in places that stay as they are, such as
//! tables, are tested here and now; bindings that this rules out go, and what they alone could
//! change stays as it is in its turn. Bindings that are left with the same tests and the same
//! effect are one transition, which remembers how many they are.
//!
//! Cost: for each possible binding its tokens, and for each step of a join what it matches.

mod effort;
mod ground;
mod join;
mod possible;
mod reduce;
mod saturate;
mod skeleton;

use ::budget::{Exhausted, Phase};
use net::TransitionId;
use num_bigint::BigUint;

use effort::Effort;
pub use effort::UnfoldLimits;

use symbolic::{Flaw, PlaceId, SymmetricNet};

/// A net without colours, as much of a [`SymmetricNet`] as can ever matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfoldedNet {
    /// The places whose number of tokens may change.
    pub places: Vec<UnfoldedPlace>,
    /// The transitions that may be enabled.
    pub transitions: Vec<UnfoldedTransition>,
    /// Tokens that are in every marking, in places that are not listed: for each place of the
    /// symmetric net how many.
    pub fixed: Vec<BigUint>,
    /// The most of these that are the same token.
    pub most_fixed: u64,
}

/// A place with a tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfoldedPlace {
    /// The place of the symmetric net.
    pub place: PlaceId,
    /// The elements, by number.
    pub tuple: Vec<u32>,
    /// Tokens there at first.
    pub initial: i32,
}

/// Bindings that test and change the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnfoldedTransition {
    /// What it has to do with places, by ascending place, each at most once.
    pub arcs: Vec<UnfoldedArc>,
    /// Places that together have to have fewer than this many tokens; these are at least two places
    /// and two tokens.
    pub sums: Vec<(Vec<u32>, i32)>,
    /// The number of bindings.
    pub bindings: u64,
    /// The transitions whose bindings they are, as the symmetric net
    /// [labels](SymmetricNet::labelled) them; ascending.
    pub labels: Vec<TransitionId>,
}

/// What a transition asks of a place, and what it does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnfoldedArc {
    /// The place, by its index.
    pub place: u32,
    /// The least number of tokens with which it is enabled.
    pub least: i32,
    /// The greatest; `i32::MAX` if there is none.
    pub most: i32,
    /// What is added to them.
    pub change: i32,
}

impl UnfoldedTransition {
    /// Whether firing it leads to another marking.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        self.arcs.iter().any(|arc| arc.change != 0)
    }
}

/// Why a net is not unfolded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotUnfolded {
    /// There is something wrong with it.
    #[error("{0}")]
    Flaw(#[from] Flaw),
    /// It has more than this many places, transitions or arcs: possible tokens, bindings, and what these
    /// have to do with each other.
    #[error("unfolded, it has more than {0} {1}")]
    TooMany(usize, &'static str),
    /// There is too much to try.
    #[error("more than {0} assignments would have to be tried to unfold it")]
    Tries(u64),
    /// A number of tokens is too large.
    #[error("`{0}` has, takes or puts more than 2^31 - 1 tokens of a kind")]
    Tokens(String),
    /// The budget is used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl UnfoldedNet {
    /// Unfolds a net.
    ///
    /// # Errors
    ///
    /// If the net is flawed, or would be larger than it may be.
    pub fn of(net: &SymmetricNet, limits: &UnfoldLimits) -> Result<Self, NotUnfolded> {
        let _under = limits.budget.progress().during(Phase::Unfolding);
        if let Some(flaw) = net.flaws().into_iter().next() {
            return Err(flaw.into());
        }
        let mut effort = Effort::new(limits);
        let rules = ground::Rules::of(net);
        let found = saturate::possible(&rules, &mut effort)?;
        reduce::reduced(net, &rules, found, &mut effort)
    }
}
