//! The syntax tree of properties. `lang` produces it, `check` decides it.

use crate::{BinaryOp, Expr, Literal, Net, Origin, PlaceId, TransitionId, Var, Variable};

/// A claim about the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it says, as written.
    pub text: String,
    /// The variables its quantifiers bind.
    pub variables: Vec<Variable>,
    /// What it says.
    pub formula: Formula,
    /// Where it is written.
    pub origin: Origin,
}

/// Whether all or some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// All of them.
    Forall,
    /// At least one.
    Exists,
}

/// What a quantifier ranges over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The threads that are at a flow place.
    At(PlaceId),
    /// The tokens in an ordinary place; the variables stand for the components, `None` for any.
    In(PlaceId, Vec<Option<Var>>),
    /// The threads at the moment they come to one of these flow places from elsewhere: a followed thread.
    Entering(Vec<PlaceId>),
}

/// An operator on the future, with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathOp {
    /// LTL: from now on.
    Always,
    /// LTL: never from now on.
    Never,
    /// LTL: now or some time.
    Eventually,
    /// LTL: in the next state.
    Next,
    /// Some reachable state.
    Reachable,
    /// CTL: on all paths, always.
    AllGlobally,
    /// CTL: on all paths, eventually.
    AllFinally,
    /// CTL: in all successors.
    AllNext,
    /// CTL: on some path, always.
    SomeGlobally,
    /// CTL: on some path, eventually.
    SomeFinally,
    /// CTL: in some successor.
    SomeNext,
}

impl PathOp {
    /// Whether it is about branching time.
    #[must_use]
    pub fn is_branching(self) -> bool {
        use PathOp::{AllFinally, AllGlobally, AllNext, SomeFinally, SomeGlobally, SomeNext};
        matches!(self, AllGlobally | AllFinally | AllNext | SomeGlobally | SomeFinally | SomeNext)
    }
}

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// No reachable state is a deadlock.
    DeadlockFree,
    /// In no reachable state there is a thread that never again acts nor is ended, whatever happens, unless it
    /// is where it may be for ever.
    NoOneStuck,
    /// From every reachable state each thread can be brought to its end, or to where it may be for ever.
    EveryoneCanEnd,
    /// Nothing can fire, in the present state.
    Deadlock,
    /// An expression of truth value, in the present state.
    Term(Expr),
    /// `not`.
    Not(Box<Formula>),
    /// `and`, `or`, `implies`: only these operators occur.
    Binary(BinaryOp, Box<Formula>, Box<Formula>),
    /// A statement about the future.
    Path(PathOp, Box<Formula>),
    /// LTL: the first holds until the second does, which it will.
    Until(Box<Formula>, Box<Formula>),
    /// LTL: whenever the first holds, the second holds then or later.
    LeadsTo(Box<Formula>, Box<Formula>),
    /// CTL: until, on all paths.
    AllUntil(Box<Formula>, Box<Formula>),
    /// CTL: until, on some path.
    SomeUntil(Box<Formula>, Box<Formula>),
    /// A statement about threads or tokens. `thread` is bound where the subject is threads.
    Quantified {
        /// All or some.
        quantifier: Quantifier,
        /// The variable for the thread, where the subject is threads.
        thread: Option<Var>,
        /// What is ranged over.
        subject: Subject,
        /// What is said of it.
        body: Box<Formula>,
    },
}

impl Net {
    /// What is checked of a model without properties: of a net that it has no deadlock, of processes that nobody is
    /// stuck, and that there are no races if anything could be raced for.
    #[must_use]
    pub fn default_properties(&self) -> Vec<Property> {
        let property = |name: &str, formula: Formula| Property {
            name: name.into(),
            text: name.into(),
            variables: Vec::new(),
            formula,
            origin: Origin::default(),
        };
        if self.listing.is_none() {
            return vec![property("deadlock_free", Formula::DeadlockFree)];
        }
        let stuck = property("no_one_stuck", Formula::NoOneStuck);
        let races = self.has_probes().then(|| property("race_free", self.race_free()));
        std::iter::once(stuck).chain(races).collect()
    }

    /// Whether there are probes. In a net that was made of processes, there is something then that could be raced for.
    #[must_use]
    pub fn has_probes(&self) -> bool {
        self.transitions.iter().any(|transition| transition.probe)
    }

    /// That no probe is ever enabled. In a net that was made of processes these stand for races.
    #[must_use]
    pub fn race_free(&self) -> Formula {
        let numbers = (0..self.transitions.len() as u32).map(TransitionId);
        let probes = numbers.filter(|number| self.transition(*number).probe);
        let probes: Vec<TransitionId> = probes.collect();
        Formula::Path(PathOp::Never, Box::new(any_enabled(&probes)))
    }
}

/// Whether some transition is enabled. There may be thousands, so each half is a formula of its own: one below the other,
/// they would be deeper than a stack.
fn any_enabled(transitions: &[TransitionId]) -> Formula {
    match transitions {
        [] => Formula::Term(Expr::Literal(Literal::Bool(false))),
        [only] => Formula::Term(Expr::Enabled(*only)),
        _ => {
            let (first, second) = transitions.split_at(transitions.len() / 2);
            let [first, second] = [first, second].map(|half| Box::new(any_enabled(half)));
            Formula::Binary(BinaryOp::Or, first, second)
        }
    }
}

impl Formula {
    /// The formulas right under this one.
    pub fn children(&self) -> impl Iterator<Item = &Formula> {
        let children: [Option<&Formula>; 2] = match self {
            Formula::DeadlockFree
            | Formula::NoOneStuck
            | Formula::EveryoneCanEnd
            | Formula::Deadlock
            | Formula::Term(_) => [None, None],
            Formula::Not(f) | Formula::Path(_, f) | Formula::Quantified { body: f, .. } => {
                [Some(f), None]
            }
            Formula::Binary(_, f, g)
            | Formula::Until(f, g)
            | Formula::LeadsTo(f, g)
            | Formula::AllUntil(f, g)
            | Formula::SomeUntil(f, g) => [Some(f), Some(g)],
        };
        children.into_iter().flatten()
    }

    /// Whether something is true of the formula, or of one inside of it.
    pub fn any(&self, is_true: &dyn Fn(&Formula) -> bool) -> bool {
        is_true(self) || self.children().any(|child| child.any(is_true))
    }

    /// Visits every expression in the formula, also those inside of others.
    pub fn for_each_term(&self, visit: &mut dyn FnMut(&Expr)) {
        if let Formula::Term(term) = self {
            term.walk(visit);
        }
        self.children().for_each(|formula| formula.for_each_term(visit));
    }

    /// Calls `change` on every expression in the formula, also on those inside of others.
    pub(crate) fn change_terms(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        match self {
            Formula::DeadlockFree
            | Formula::NoOneStuck
            | Formula::EveryoneCanEnd
            | Formula::Deadlock => {}
            Formula::Term(term) => term.change(change),
            Formula::Not(f) | Formula::Path(_, f) | Formula::Quantified { body: f, .. } => {
                f.change_terms(change);
            }
            Formula::Binary(_, f, g)
            | Formula::Until(f, g)
            | Formula::LeadsTo(f, g)
            | Formula::AllUntil(f, g)
            | Formula::SomeUntil(f, g) => {
                f.change_terms(change);
                g.change_terms(change);
            }
        }
    }

    /// Whether it speaks of one state only.
    #[must_use]
    pub fn is_of_state(&self) -> bool {
        match self {
            Formula::Term(_) | Formula::Deadlock => true,
            Formula::Quantified { subject: Subject::Entering(_), .. } => false,
            Formula::Not(_) | Formula::Binary(..) | Formula::Quantified { .. } => {
                self.children().all(Formula::is_of_state)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Transition;

    /// Of formulas inside of each other, this one included.
    fn depth(formula: &Formula) -> usize {
        1 + formula.children().map(depth).max().unwrap_or_default()
    }

    #[test]
    fn races_of_many_kinds_are_no_deep_formula() {
        let probe = Transition { probe: true, ..Transition::default() };
        for (probes, deep) in [(0, 2), (1, 2), (2, 3), (100_000, 19)] {
            let net = Net { transitions: vec![probe.clone(); probes], ..Net::default() };
            let formula = net.race_free();
            assert_eq!(depth(&formula), deep, "{probes}");
            let mut found = 0;
            formula
                .for_each_term(&mut |term| found += usize::from(matches!(term, Expr::Enabled(_))));
            assert_eq!(found, probes);
        }
    }
}
