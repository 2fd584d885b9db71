//! What is asked of a model, and what was found.

use net::{
    EnumId, Expr, Formula, Kind, Literal, Net, PlaceId, Property, Sort, Subject, Symmetry, Var,
};
use num_bigint::BigInt;
use state::Pid;
use survey::Engine;
use trace::Trace;

use crate::Refusal;
use crate::lower::prospect;

/// What is asked of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether this holds: of the initial state, and if it is of linear time, of all runs from there.
    Holds(Property),
    /// The greatest value of a number in a reachable state.
    Greatest(Expr),
}

impl Question {
    /// Whether a formula without variables holds.
    #[must_use]
    pub fn holds(formula: Formula) -> Question {
        let (name, text, origin) = Default::default();
        Question::Holds(Property { name, text, variables: Vec::new(), formula, origin })
    }

    /// The property, if it is asked whether one holds.
    pub(crate) fn property(&self) -> Option<&Property> {
        match self {
            Question::Holds(property) => Some(property),
            Question::Greatest(_) => None,
        }
    }

    /// The thread that is followed, and the places of which it enters one.
    pub(crate) fn followed(&self) -> Option<(Var, &[PlaceId])> {
        match &self.property()?.formula {
            Formula::Quantified { subject: Subject::Entering(places), thread, .. } => {
                Some(((*thread)?, places))
            }
            _ => None,
        }
    }

    /// Whether it is about all threads of a net, and there are none.
    pub(crate) fn is_about_nobody(&self, net: &Net) -> bool {
        let formula = self.property().map(|property| &property.formula);
        !net.has_threads() && formula.is_some_and(|formula| prospect(formula).is_some())
    }

    /// Whether it asks for races, which probes look for.
    pub(crate) fn is_about_races(&self, net: &Net) -> bool {
        let mut found = false;
        if let Some(property) = self.property() {
            property.formula.for_each_term(&mut |term| {
                found |= matches!(term, Expr::Enabled(id) if net.transition(*id).probe);
            });
        }
        found
    }

    /// Whether it tells members of classes apart that are alike in the model: it names them, or compares
    /// them by their order.
    pub(crate) fn names_members(&self, net: &Net) -> bool {
        let Some(property) = self.property() else { return false };
        let is_class = |id: EnumId| net.enumerations[id.index()].symmetry != Symmetry::None;
        let is_member = |term: &Expr| match term {
            Expr::Literal(Literal::Enum(id, _)) => is_class(*id),
            Expr::Var(var) => {
                matches!(property.variables[var.index()].kind, Kind::Enum(id) if is_class(id))
            }
            Expr::Field(_, place, column) => {
                let sort = &net.place(*place).columns[*column].sort;
                matches!(sort, Sort::Enum(id) if is_class(*id))
            }
            _ => false,
        };
        let mut found = false;
        property.formula.for_each_term(&mut |term| match term {
            Expr::Literal(_) => found |= is_member(term),
            Expr::Binary(op, a, b) if op.is_order() => found |= is_member(a) || is_member(b),
            _ => {}
        });
        found
    }
}

/// What kind of property it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// That there is no deadlock, or that nobody is stuck.
    Deadlock,
    /// What some states or paths are like: invariants, bounds, reachability, branching time.
    State,
    /// What all runs are like: linear time, and followed threads.
    Run,
}

/// What was found of a question.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The name of the property.
    pub name: String,
    /// What it says, as written.
    pub text: String,
    /// What kind of property it is.
    pub concern: Concern,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Who decided, if anybody did.
    pub engine: Option<Engine>,
    /// The classes that were explored for it.
    pub states: u64,
}

impl Outcome {
    /// That nothing has been found yet.
    pub(crate) fn open(question: &Question) -> Outcome {
        let (name, text, concern) = match question.property() {
            None => (String::new(), String::new(), Concern::State),
            Some(Property { name, text, formula, .. }) => {
                let asks_deadlock = matches!(formula, Formula::DeadlockFree | Formula::NoOneStuck);
                let concern = if asks_deadlock { Concern::Deadlock } else { Concern::State };
                (name.clone(), text.clone(), concern)
            }
        };
        let verdict = Verdict::Unknown(String::new());
        Outcome { name, text, concern, verdict, engine: None, states: 0 }
    }
}

/// Whether a property holds; or how great a number becomes.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds.
    Holds {
        /// Only since what it is about never happens.
        vacuously: bool,
        /// A run that shows it, where one can.
        witness: Option<Evidence>,
    },
    /// It fails.
    Fails(Option<Evidence>),
    /// The greatest value.
    Greatest(BigInt),
    /// There is no greatest value.
    Unbounded,
    /// It is not known, since a limit was reached or something else came in between.
    Unknown(String),
    /// It is not known, since it depends on data of which nothing is kept.
    Depends {
        /// The test that decides.
        on: String,
        /// A run that would show that it fails, or holds if that is asked, if the tests turned out that way.
        run: Option<Evidence>,
    },
    /// It cannot be decided.
    Refused(Refusal),
}

impl Verdict {
    /// The verdict on a property, in one word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds { .. } => "holds",
            Verdict::Fails(_) => "fails",
            // Properties have no greatest value.
            Verdict::Unknown(_)
            | Verdict::Depends { .. }
            | Verdict::Greatest(_)
            | Verdict::Unbounded => "unknown",
            Verdict::Refused(_) => "refused",
        }
    }

    /// The run that it comes with.
    #[must_use]
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Verdict::Fails(run)
            | Verdict::Holds { witness: run, .. }
            | Verdict::Depends { run, .. } => run.as_ref(),
            _ => None,
        }
    }

    /// Why it is as it is, where there is more to say than the word.
    #[must_use]
    pub fn why(&self, net: &Net) -> Option<String> {
        match self {
            Verdict::Holds { vacuously: true, .. } => {
                Some("vacuously: what it speaks of never happens".into())
            }
            Verdict::Fails(Some(evidence)) => match &evidence.trace.hopeless {
                Some(hopeless) => Some(hopeless.summary(net, evidence.trace.run.last())),
                None => Some(evidence.trace.told_races(net).first()?.summary()),
            },
            Verdict::Unknown(why) => Some(why.clone()),
            Verdict::Depends { on, .. } => {
                Some(format!("depends on {on}, of which nothing is kept"))
            }
            Verdict::Refused(why) => Some(why.to_string()),
            _ => None,
        }
    }
}

/// A run that shows that a property holds or fails.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The run.
    pub trace: Trace,
    /// The variable for the thread followed, and who it is.
    pub followed: Option<(String, Pid)>,
}
