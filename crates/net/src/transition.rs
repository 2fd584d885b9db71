//! Transitions: who takes part, what is taken, read, put and spawned, under which guard.
//!
//! A pattern is a list of optional expressions, one a column: `None` matches anything; a variable that
//! nothing has bound yet is bound by the match; any other expression must equal what is there.

use crate::{Expr, FreshId, Kind, Origin, PlaceId, Sort, Var};

/// A variable of a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// Whether it may stand for nothing.
    pub optional: bool,
}

impl Variable {
    /// One that always stands for something.
    pub fn new(name: impl Into<String>, kind: Kind) -> Variable {
        Variable { name: name.into(), kind, optional: false }
    }
}

/// What becomes of a thread that takes part.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It goes on to a flow place, with new data after it.
    Move {
        /// Where to.
        to: PlaceId,
        /// What follows the thread in its new token.
        values: Vec<Expr>,
    },
    /// It stays as it is.
    Stay,
    /// It ends; its pid may live on in tokens.
    End,
    /// It ends as it should not: for states the same, but no end for those who ask whether threads can end.
    Crash,
}

impl Fate {
    /// Whether the thread is gone afterwards.
    #[must_use]
    pub fn ends(&self) -> bool {
        matches!(self, Fate::End | Fate::Crash)
    }
}

/// A thread that takes part in a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Participant {
    /// The variable for the thread; no two participants have the same.
    pub thread: Var,
    /// The flow place it is at.
    pub from: PlaceId,
    /// What must follow the thread in its token.
    pub pattern: Vec<Option<Expr>>,
    /// What becomes of it.
    pub fate: Fate,
    /// Whether this is done to it by others: it is not enabled by such a mode, and does not act when it fires.
    pub passive: bool,
}

impl Participant {
    /// What follows the thread in its new token, where it moves.
    #[must_use]
    pub fn values(&self) -> &[Expr] {
        match &self.fate {
            Fate::Move { values, .. } => values,
            Fate::Stay | Fate::End | Fate::Crash => &[],
        }
    }
}

/// Children that a participant creates.
#[derive(Clone, Debug, PartialEq)]
pub struct Spawn {
    /// The participant that creates them.
    pub parent: Var,
    /// The name of the child, where there is exactly one; it may occur in what is put.
    pub child: Option<Var>,
    /// How many.
    pub count: u32,
    /// The flow place they start in; nothing if they have ended as soon as they are created. Then their pids are
    /// used up all the same, and may occur in what is put.
    pub to: Option<PlaceId>,
    /// What follows the thread in its token.
    pub values: Vec<Expr>,
}

/// Tokens of an ordinary place that are taken, read or put; or a thread that is read where it is,
/// without taking part (then the first column is the thread).
#[derive(Clone, Debug, PartialEq)]
pub struct Arc {
    /// The place.
    pub place: PlaceId,
    /// The components of the token. All are `Some` where a token is put.
    pub pattern: Vec<Option<Expr>>,
    /// How many copies of the token.
    pub count: u32,
    /// Variables that go through all members of their enumerations: there is a token, `count` times, for
    /// each choice that meets the condition. Nothing else uses them, and such an arc binds no others:
    /// what else occurs in its pattern is bound elsewhere.
    pub each: Vec<Var>,
    /// The condition on the choice, where there is one. It may use the variables of the transition, too.
    pub condition: Option<Expr>,
}

impl Arc {
    /// A number of copies of one token.
    #[must_use]
    pub fn new(place: PlaceId, pattern: Vec<Option<Expr>>, count: u32) -> Arc {
        Arc { place, pattern, count, each: Vec::new(), condition: None }
    }

    /// Every expression of the arc: the pattern and the condition.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.pattern.iter().flatten().chain(&self.condition)
    }
}

/// What disables a transition: tokens, or threads where they are, that are there together.
///
/// Variables that nothing else binds are its own. It disables while for some choice of them, and of a token for
/// each arc, the tokens are there beside one another, match their patterns, and the condition holds: two arcs that
/// choose the same token need it twice, as arcs that read do. Where there is only one arc, it may have a count
/// above one, and then disables while at least so many tokens of the place match, copies counted, whatever its
/// own variables are for each. The arcs go through no members, and have no conditions of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inhibitor {
    /// What must be there for it to disable; at least one arc.
    pub arcs: Vec<Arc>,
    /// The condition, where there is one. It may use all variables that the arcs bind.
    pub condition: Option<Expr>,
}

impl From<Arc> for Inhibitor {
    /// Tokens of one place, with the condition of the arc.
    fn from(mut arc: Arc) -> Inhibitor {
        let condition = arc.condition.take();
        Inhibitor { arcs: vec![arc], condition }
    }
}

impl Inhibitor {
    /// The only arc, with the condition; nothing if there are several.
    #[must_use]
    pub fn alone(&self) -> Option<Arc> {
        match &self.arcs[..] {
            [arc] => Some(Arc { condition: self.condition.clone(), ..arc.clone() }),
            _ => None,
        }
    }

    /// Every expression of it: the patterns and the condition.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.arcs.iter().flat_map(Arc::expressions).chain(&self.condition)
    }
}

/// A transition. A *mode* of it is a binding of its variables under which it can fire.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// Its variables: all that occur, also those of inhibitors, definitions and spawned children.
    pub variables: Vec<Variable>,
    /// Variables that range freely over a sort of data.
    pub parameters: Vec<(Var, Sort)>,
    /// The threads that take part.
    pub participants: Vec<Participant>,
    /// The tokens taken.
    pub takes: Vec<Arc>,
    /// The tokens looked at. They must be there beside those that are taken.
    pub reads: Vec<Arc>,
    /// What disables it.
    pub inhibitors: Vec<Inhibitor>,
    /// Local definitions; one may use those before it. Evaluated only when needed.
    pub definitions: Vec<(Var, Expr)>,
    /// What must hold, from left to right.
    pub guard: Vec<Expr>,
    /// The children created, in this order for each parent.
    pub spawns: Vec<Spawn>,
    /// The objects created. The variables may occur in what is put.
    pub news: Vec<(Var, FreshId)>,
    /// The tokens put.
    pub puts: Vec<Arc>,
    /// What is wrong with the model if it can fire, where it stands for something that must not happen.
    pub failure: Option<String>,
    /// Whether the failure is a limit of how the model was made of something else, or what the model is made of goes on after
    /// it: nothing is known of what would come then.
    pub is_limit: bool,
    /// Whether everything is over when it fires. Nothing is left to be said of what comes after it, so it changes nothing:
    /// only who is waiting for ever looks at it ([`Net::ended_by_failures`](crate::Net::ended_by_failures)).
    pub ends_all: bool,
    /// Whether it is a *probe*, which never fires: it has no modes. Properties may ask whether it is enabled, that is,
    /// whether it would have one.
    pub probe: bool,
    /// Where it is written.
    pub origin: Origin,
}

impl Transition {
    /// The arcs that take, read and put, in this order.
    pub fn arcs(&self) -> impl Iterator<Item = &Arc> {
        self.takes.iter().chain(&self.reads).chain(&self.puts)
    }

    /// The variables that a mode gives a value: all but those that an arc or an inhibitor has for itself.
    pub fn bound_variables(&self) -> impl Iterator<Item = Var> {
        let arcs = self.takes.iter().chain(&self.reads).filter(|arc| arc.each.is_empty());
        self.bound_without_arcs().chain(arcs.flat_map(|arc| plain_variables(&arc.pattern)))
    }

    /// Those that have a value even if no arc gives them one.
    pub(crate) fn bound_without_arcs(&self) -> impl Iterator<Item = Var> {
        let threads = self.participants.iter();
        let threads = threads.flat_map(|p| plain_variables(&p.pattern).chain([p.thread]));
        let parameters = self.parameters.iter().map(|(var, _)| *var);
        threads.chain(parameters).chain(self.definitions.iter().map(|(var, _)| *var))
    }

    /// Whether a variable is a local definition.
    #[must_use]
    pub fn defines(&self, var: Var) -> bool {
        self.definitions.iter().any(|(defined, _)| *defined == var)
    }

    /// Every expression of the transition: patterns, conditions, definitions, guard, outputs.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let participants = self.participants.iter();
        participants
            .flat_map(|participant| {
                participant.pattern.iter().flatten().chain(participant.values())
            })
            .chain(self.arcs().flat_map(Arc::expressions))
            .chain(self.inhibitors.iter().flat_map(Inhibitor::expressions))
            .chain(self.definitions.iter().map(|(_, expr)| expr))
            .chain(&self.guard)
            .chain(self.spawns.iter().flat_map(|spawn| &spawn.values))
    }
}

/// The components of a pattern that are mere variables.
pub(crate) fn plain_variables(pattern: &[Option<Expr>]) -> impl Iterator<Item = Var> {
    pattern.iter().flatten().filter_map(|expr| match expr {
        Expr::Var(var) => Some(*var),
        _ => None,
    })
}
