//! What is asked of a model, and what was found.

use net::{Formula, Property, Term};
use num_bigint::BigInt;
use state::Pid;
use trace::Trace;

use crate::Refusal;

/// What is asked of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether this holds: of the initial state, and if it is of linear time, of all runs from there.
    Holds(Property),
    /// The greatest value of a number in a reachable state.
    Greatest(Term),
}

impl Question {
    /// Whether a formula without variables holds.
    #[must_use]
    pub fn holds(formula: Formula) -> Question {
        let (name, text, origin) = Default::default();
        Question::Holds(Property { name, text, variables: Vec::new(), formula, origin })
    }
}

/// What kind of property it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// That there is no deadlock.
    Deadlock,
    /// What some states or paths are like: invariants, bounds, reachability, branching time.
    State,
    /// What all runs are like: linear time, and followed threads.
    Run,
}

/// What decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// States, or classes of them, one by one.
    Explicit,
    /// Sets of states in decision diagrams.
    Diagrams,
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
    /// It cannot be decided.
    Refused(Refusal),
}

/// A run that shows that a property holds or fails.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The run.
    pub trace: Trace,
    /// The variable for the thread followed, and who it is.
    pub followed: Option<(String, Pid)>,
}
