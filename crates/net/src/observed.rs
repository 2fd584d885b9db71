//! Ω where it is needed: what can still be observed of the identities in each column.
//!
//! Liveness of variables (any book on compilers), for kinship. For each column of each place that holds pids or objects,
//! and for the threads of each flow place, an [`Interest`]: what transitions, their conditions, what inhibits them, and
//! the properties that are checked may still ask of an identity that is there, now or after it was handed on. It is
//! the least solution of equations that [`flow`] reads off the net, so a larger one is as sound. A column of which
//! nothing is asked is *dead*.
//!
//! From it comes a projection π of states, by which they are folded:
//!
//! 1. A dead column holds one value in all tokens, and where it may be nothing, one of two (`erase`). Tokens that are
//!    the same then are copies of each other.
//! 2. Links of kinship are kept between pids that are still asked for them (`fold::Interests`). A thread without
//!    [`Interest::NEXT`] has no tie to its next pid.
//! 3. What only dead columns mention is garbage, and is dropped as garbage is.
//!
//! **Why this is a strong bisimulation, and who is who among the threads stays.** Let `x` be a variable of a mode. Each
//! column that binds `x` has the interest of whatever is asked of `x` here, and of each column that `x` is put into. So:
//!
//! - *The same modes are enabled in s and π(s), up to dead variables.* What a condition compares or relates has interest
//!   in it, so its value is kept. A variable that occurs in two columns of the inputs is compared. That there is something, not
//!   who it is, is kept of dead columns. An arc that takes or reads several copies of a token compares all columns of two
//!   tokens, which then are not dead; other arcs, counts and what inhibits deal with tokens one by one, and copies are
//!   as many as the tokens were. Faults come by the same conditions.
//! - *What follows is the same: π(t) = π(t') for s → t and π(s) → t'.* An identity that is asked for something in t was
//!   asked for it in s, or is new, so the links that t needs between old pids were kept in s. A child's links are those of
//!   its parent's next pid: where the child is asked as a sibling, its parent has `NEXT`; where it is asked as a
//!   descendant and Ω sees further than to parents, its parent is asked as one.
//! - *Threads stay who they are.* The thread of a flow place is never dead, and is the same pid in s and π(s). So what
//!   follows threads (fairness, stuck and followed threads, what becomes of whom) finds on the quotient what it found
//!   before. The token of a followed thread is a column that its property asks for.
//! - *Garbage.* Each transition knows the owner of an owned token before it looks for it, from threads and tokens that are
//!   reached; the column that told it is compared with that of the owner, hence not dead. So what is reached by dead columns
//!   alone is never looked at. The owner's own column never is dead. A property that counts what is in an owned place,
//!   or ranges over it, sees what is reached: then no column is dead.
//!
//! Two states with isomorphic projections thus have the same steps to such states again, the same tokens in each place, and the
//! same values of the properties that were asked. Groups (sets, maps) are compared as wholes, so their columns are never dead, and records
//! may trade places, so columns that correspond have the same interest.
//!
//! Where this is coarser than it could be: interest is in an identity, not in a pair of them; parent and ancestor are
//! asked for alike, and so are the two relations of siblings; the control flow is taken for possible as written.
//!
//! The cost is the size of the net times the number of rounds until nothing changes, at most five for each column.

mod erase;
mod flow;
mod words;

use std::sync::Arc;

use fold::{Interest, Interests};
use state::{Relation, Relations};

use crate::{Net, PlaceId, Property, Sort, Var};
use flow::Flow;

/// What can still be observed of the identities in each column of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Ω.
    relations: Relations,
    /// For each place, of each column.
    columns: Vec<Vec<Interest>>,
}

/// A thread that a property follows: the variable for it, and the place that holds its pid.
pub type Followed = Option<(Var, PlaceId)>;

impl Net {
    /// What transitions and some properties can still observe of the identities in each column, where states are folded
    /// up to `relations`. A followed thread is looked for in its place.
    #[must_use]
    pub fn observed<'p>(
        &self,
        relations: Relations,
        properties: impl IntoIterator<Item = &'p Property>,
        followed: Followed,
    ) -> Observed {
        let mut flow = Flow::new(self, relations.contains(Relation::Ancestor));
        properties.into_iter().for_each(|property| flow.property(property, followed));
        let columns = flow.solved();
        Observed { relations, columns }
    }
}

impl Observed {
    /// What may still be asked of the identities in a column; of data nothing.
    #[must_use]
    pub fn of(&self, place: PlaceId, column: usize) -> Interest {
        self.columns[place.index()][column]
    }

    /// Ω, as it was given.
    #[must_use]
    pub fn relations(&self) -> Relations {
        self.relations
    }

    /// Whether a column holds identities of which nothing is asked. That of threads never is one.
    #[must_use]
    pub fn is_dead(&self, net: &Net, place: PlaceId, column: usize) -> bool {
        let of = net.place(place);
        is_identity(of.columns[column].sort)
            && !(of.is_flow() && column == 0)
            && !self.of(place, column).any()
    }

    /// Whether states may be told apart less than without it: whether a column is dead, or links are dropped.
    #[must_use]
    pub fn makes_a_difference(&self, net: &Net) -> bool {
        self.has_dead_columns(net) || self.interests(net).is_some()
    }

    fn has_dead_columns(&self, net: &Net) -> bool {
        let places = (0..).map(PlaceId).zip(&net.places);
        { places }.any(|(id, place)| (0..place.columns.len()).any(|c| self.is_dead(net, id, c)))
    }

    /// The net in which dead columns hold no identities; the same if there are none.
    pub(crate) fn erased(&self, net: &Arc<Net>) -> Arc<Net> {
        if self.has_dead_columns(net) { Arc::new(erase::erased(net, self)) } else { net.clone() }
    }

    /// What is asked of the pids in columns, if links are dropped.
    pub(crate) fn interests(&self, net: &Net) -> Option<Interests> {
        let relations = self.relations;
        let has = |relation| relations.contains(relation);
        let mut linked = Interest::NONE;
        if has(Relation::Parent) || has(Relation::Ancestor) {
            linked |= Interest::ANCESTOR | Interest::DESCENDANT;
        }
        if has(Relation::NextSibling) || has(Relation::ElderSibling) {
            linked |= Interest::SIBLING;
        }
        let mut drops = false;
        let mut places = Vec::new();
        for (place, interests) in net.places.iter().zip(&self.columns) {
            let pids = place.columns.iter().zip(interests).enumerate();
            let pids = pids.filter(|(_, (column, _))| column.sort == Sort::Pid);
            let pids: Vec<(usize, Interest)> =
                pids.map(|(at, (_, interest))| (at, *interest)).collect();
            for (at, interest) in &pids {
                drops |= !interest.includes(linked);
                let is_thread = place.is_flow() && *at == 0 && linked.includes(Interest::SIBLING);
                drops |= is_thread && !interest.includes(Interest::NEXT);
            }
            places.push(pids.into_iter().filter(|(_, interest)| interest.any()).collect());
        }
        (drops && linked.any()).then_some(Interests { places })
    }
}

/// Whether it makes no difference who is who among the values of a sort, of which there is no end.
pub(crate) fn is_identity(sort: Sort) -> bool {
    matches!(sort, Sort::Pid | Sort::Object(_))
}
