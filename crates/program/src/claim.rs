//! What is claimed of a program: properties that speak of its processes, variables and objects.

use net::{BinaryOp, Formula, Literal, Origin, PathOp, Property, Quantifier};
use state::Relation;

use crate::graph::Source;
use crate::{Expr, Form, LabelId, LocalId, Named, ObjectId, ProcessId, Type};

/// A claim about a program.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// What it says, as written.
    pub text: String,
    /// What it mentions. Its expressions use these as local variables, by their index.
    pub mentions: Vec<Mention>,
    /// What it says.
    pub proposition: Proposition,
    /// Where it is written.
    pub origin: Origin,
}

impl From<&Property> for Claim {
    /// A property that speaks of no process, such as `no_one_stuck`.
    fn from(property: &Property) -> Claim {
        Claim {
            name: property.name.clone(),
            text: property.text.clone(),
            mentions: Vec::new(),
            proposition: Proposition::Net(property.formula.clone()),
            origin: property.origin,
        }
    }
}

/// Something that a claim mentions.
#[derive(Clone, Debug)]
pub struct Mention {
    /// Its name and its type.
    pub variable: Named,
    /// What it stands for.
    pub meaning: Meaning,
}

/// A label, once for each routine that is made of the text in which it stands.
pub type Labels = Vec<(Source, LabelId)>;

/// What something that a claim mentions stands for.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A process or an object that a quantifier binds.
    Bound,
    /// How many active processes of a kind there are, or how many are at a label.
    Count(ProcessId, Option<Labels>),
    /// Whether a process that a quantifier binds is at a label.
    At(LocalId, Labels),
    /// A variable of a process that a quantifier binds.
    Variable(LocalId, Source, LocalId),
    /// Whether a process that a quantifier binds has ended.
    Ended(LocalId),
    /// Whether some process can take an arm of this label.
    Enabled(Labels),
    /// How two processes that quantifiers bind are related.
    Kin(Relation, LocalId, LocalId),
    /// An element of a collection, which the expression itself binds.
    Element,
}

/// What a claim says.
#[derive(Clone, Debug)]
pub enum Proposition {
    /// Something that speaks of no process.
    Net(Formula),
    /// No two processes ever stand before conflicting accesses.
    RaceFree,
    /// A condition on the present state. Where it would fault it does not hold, and neither does a comparison with a
    /// variable that is out of scope.
    Holds(Expr),
    /// `not`.
    Not(Box<Proposition>),
    /// `and`, `or`, `implies`.
    Binary(BinaryOp, Box<Proposition>, Box<Proposition>),
    /// A statement about the future.
    Path(PathOp, Box<Proposition>),
    /// LTL: the first holds until the second does, which it will.
    Until(Box<Proposition>, Box<Proposition>),
    /// LTL: whenever the first holds, the second holds then or later.
    LeadsTo(Box<Proposition>, Box<Proposition>),
    /// CTL: until, on all paths.
    AllUntil(Box<Proposition>, Box<Proposition>),
    /// CTL: until, on some path.
    SomeUntil(Box<Proposition>, Box<Proposition>),
    /// A statement about processes or objects.
    Quantified {
        /// All or some.
        quantifier: Quantifier,
        /// What is bound, among the mentions.
        bound: LocalId,
        /// What it ranges over.
        over: Over,
        /// What is said of it.
        body: Box<Proposition>,
    },
}

/// What a quantifier ranges over.
#[derive(Clone, Debug)]
pub enum Over {
    /// The active processes of a kind.
    Processes(ProcessId),
    /// The objects of a type that can be reached.
    Objects(ObjectId),
    /// The processes of a kind at the moment they come to a label: they are followed.
    Entering(ProcessId, Labels),
}

impl Proposition {
    /// Whether it is about branching time.
    #[must_use]
    pub fn is_branching(&self) -> bool {
        match self {
            Proposition::AllUntil(..) | Proposition::SomeUntil(..) => true,
            Proposition::Path(op, inner) => op.is_branching() || inner.is_branching(),
            _ => self.children().into_iter().any(Proposition::is_branching),
        }
    }

    /// Whether it speaks of one state only.
    #[must_use]
    pub fn is_of_state(&self) -> bool {
        match self {
            Proposition::Holds(_) => true,
            Proposition::Net(formula) => formula.is_of_state(),
            Proposition::Quantified { over: Over::Entering(..), .. } => false,
            Proposition::Not(_) | Proposition::Binary(..) | Proposition::Quantified { .. } => {
                self.children().into_iter().all(Proposition::is_of_state)
            }
            _ => false,
        }
    }

    /// A statement about single states: where it never holds, the proposition says nothing.
    #[must_use]
    pub fn premise(&self) -> Option<Proposition> {
        match self {
            // What is said of a process that is followed.
            Proposition::Quantified { over: Over::Entering(..), body, .. } => body.premise(),
            Proposition::Path(PathOp::Always | PathOp::AllGlobally, inner) => match &**inner {
                inner if inner.is_of_state() => inner.premise_of_state(),
                Proposition::Binary(BinaryOp::Implies, a, _) if a.is_of_state() => {
                    Some((**a).clone())
                }
                _ => None,
            },
            Proposition::LeadsTo(a, _) if a.is_of_state() => Some((**a).clone()),
            _ => None,
        }
    }

    /// The premise of `P implies Q`; of `forall x …: F` that there is such an x, with the premise of F.
    fn premise_of_state(&self) -> Option<Proposition> {
        match self {
            Proposition::Binary(BinaryOp::Implies, a, _) => Some((**a).clone()),
            Proposition::Quantified { quantifier: Quantifier::Forall, bound, over, body } => {
                let truth = || {
                    let form = Form::Literal(Literal::Bool(true));
                    Proposition::Holds(Expr { form, of: Type::Bool })
                };
                Some(Proposition::Quantified {
                    quantifier: Quantifier::Exists,
                    bound: *bound,
                    over: over.clone(),
                    body: Box::new(body.premise_of_state().unwrap_or_else(truth)),
                })
            }
            _ => None,
        }
    }

    /// Calls `visit` with each condition on single states.
    pub fn conditions(&self, visit: &mut dyn FnMut(&Expr)) {
        if let Proposition::Holds(condition) = self {
            visit(condition);
        }
        self.children().into_iter().for_each(|inner| inner.conditions(visit));
    }

    /// The propositions right under this one.
    #[must_use]
    pub fn children(&self) -> Vec<&Proposition> {
        match self {
            Proposition::Net(_) | Proposition::RaceFree | Proposition::Holds(_) => Vec::new(),
            Proposition::Not(a)
            | Proposition::Path(_, a)
            | Proposition::Quantified { body: a, .. } => vec![a],
            Proposition::Binary(_, a, b)
            | Proposition::Until(a, b)
            | Proposition::LeadsTo(a, b)
            | Proposition::AllUntil(a, b)
            | Proposition::SomeUntil(a, b) => vec![a, b],
        }
    }
}
