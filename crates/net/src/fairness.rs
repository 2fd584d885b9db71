//! Fairness: what is assumed of infinite runs.

use crate::{ActionId, EnumId, Net, TransitionId};

/// An assumption about infinite runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fairness {
    /// How much is assumed.
    pub strength: Strength,
    /// Of whom.
    pub of: Whom,
}

/// How much is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// What is enabled from some point on acts again and again.
    Weak,
    /// What is enabled again and again acts again and again.
    Strong,
}

/// Of whom something is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whom {
    /// Of each thread: it is enabled when some mode that can fire moves it, keeps it (`stay`) or ends it, unless
    /// that is done to it by others ([`Participant::passive`](crate::Participant::passive)), and acts when such a
    /// mode fires.
    Threads,
    /// Of a transition, whatever the binding.
    Transition(TransitionId),
    /// Of each member of a class: it is enabled when some mode that can fire binds a variable of that class
    /// to it, and acts when such a mode fires.
    Class(EnumId),
    /// Of an action: it is enabled when some mode of one of its transitions can fire, and acts when one fires.
    Action(ActionId),
}

impl Fairness {
    /// What is assumed, as it is written in models; a name may need backticks there.
    #[must_use]
    pub fn text(&self, net: &Net) -> String {
        let name = match self.of {
            Whom::Threads => "threads",
            Whom::Transition(id) => &net.transition(id).name,
            Whom::Class(id) => &net.enumerations[id.index()].name,
            Whom::Action(id) => &net.actions[id.index()].name,
        };
        match self.strength {
            Strength::Weak => format!("fair {name}"),
            Strength::Strong => format!("strongly fair {name}"),
        }
    }
}

/// Several transitions that are one to those who assume something of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// The transitions.
    pub transitions: Vec<TransitionId>,
}
