//! What can happen in a state: who acts, what is chosen, and what comes of it.

use net::Origin;

use crate::access::Access;
use crate::failure::Failed;
use crate::state::State;
use crate::value::{Pid, Value};

/// One way in which a state goes on.
#[derive(Clone, Debug)]
pub struct Next {
    /// Who acts: one process, or two that meet, of which the first gives.
    pub actors: Vec<Actor>,
    /// What they read and wrote of what is shared, in the order in which they did.
    pub accesses: Vec<Access>,
    /// What came of it.
    pub outcome: Result<Step, Failed>,
}

/// A process that acts.
#[derive(Clone, Copy, Debug)]
pub struct Actor {
    /// The process.
    pub pid: Pid,
    /// What it does: a statement, or the arm of a `select`. Nothing is known of it at the beginning of a function, before
    /// its first statement.
    pub origin: Origin,
}

/// A step from one state to another.
#[derive(Clone, Debug)]
pub struct Step {
    /// The new state. Everyone keeps the number of before.
    pub state: State,
    /// What was chosen, in the order in which it was.
    pub choices: Vec<Choice>,
    /// Who was born.
    pub births: Vec<Birth>,
    /// Who has ended, those included that were born in the same step.
    pub deaths: Vec<Pid>,
    /// Who was killed. Not all of them have ended: what they have deferred comes first.
    pub killed: Vec<Pid>,
    /// Who was crashed.
    pub crashed: Vec<Pid>,
}

/// A process is born. Its number is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Birth {
    /// The process.
    pub child: Pid,
    /// The one that has started it.
    pub parent: Pid,
}

/// A choice that a process has made.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Who has made it.
    pub by: Pid,
    /// The statement at which there was something to choose.
    pub statement: Origin,
    /// What was chosen.
    pub chosen: Chosen,
}

/// What can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// This of the blocks of an `either`.
    Block(usize),
    /// The value of a variable.
    Value(Value),
    /// This of the arms of a `select`.
    Arm(usize),
    /// The `else` of a `select`.
    Otherwise,
    /// Whose end it is that was waited for.
    Joined(Pid),
}

impl Next {
    /// Whether a process acts.
    #[must_use]
    pub fn is_by(&self, pid: Pid) -> bool {
        self.actors.iter().any(|actor| actor.pid == pid)
    }

    /// Where what is done is written: of two that meet, what the first does.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.actors[0].origin
    }

    /// The new state, if nothing has gone wrong.
    #[must_use]
    pub fn state(&self) -> Option<&State> {
        self.outcome.as_ref().ok().map(|step| &step.state)
    }
}
