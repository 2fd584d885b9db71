//! Paths: what happens from one stop to the next, with values that are not known yet.
//!
//! A path starts with the thread at a stop: its live variables are variables of the transition-to-be. What is done is
//! worked out on expressions over them. Where the way depends on a value the path is split, and each part has a
//! condition more. What is looked at of globals and objects is read from their tokens; of two references that may
//! lead to one object or to two there are two paths. At the end each path is a transition.

use std::collections::BTreeMap;

use net::{Expr, FreshId, Sort, Var, Variable};

use crate::formula::{self, FALSE, TRUE};
use crate::graph::{NodeId, RoutineId, Site};
use crate::layout::Scalar;
use crate::program::{GlobalId, LocalId, ObjectId, ProcessId};

/// A value: its scalars, as expressions over the variables of the transition.
pub(crate) type Row = Vec<Expr>;

/// What the variables of a routine hold; nothing before they are assigned.
pub(crate) type Env = BTreeMap<LocalId, Row>;

/// A part of the state that is shared, as far as a path has come.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// What it holds now.
    pub row: Row,
    /// The variables that hold what it held at first; none of an object that is made on the path.
    pub read: Vec<Var>,
    pub is_written: bool,
}

/// An object that a path looks at.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub of: ObjectId,
    pub id: Expr,
    pub fields: Shared,
    pub is_new: bool,
}

/// A call that a thread is in.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub routine: RoutineId,
    pub env: Env,
    /// The call in it that has not returned, unless it is the innermost.
    pub at: Option<NodeId>,
}

/// A frame that was made before the path, and is taken by a return on it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The call that made it.
    pub site: Site,
    pub id: Expr,
    /// What was kept in it: the frame of the caller first, if it is a function.
    pub kept: Vec<Var>,
}

/// A thread that takes part.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub var: Var,
    /// The calls that the path knows of, the innermost last.
    pub calls: Vec<Call>,
    /// The frame that waits for the outermost of them to return; of a process there is none.
    pub frame: Option<Expr>,
}

/// A thread that is started on the path.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub var: Var,
    pub parent: Var,
    pub process: ProcessId,
    pub env: Env,
}

/// A thread that is ended on the path, if it has not ended before.
#[derive(Clone, Debug)]
pub(crate) struct Killing {
    pub thread: Expr,
    /// Whether it runs what is pending first.
    pub is_kill: bool,
}

/// Whether a thread has ended.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    pub thread: Expr,
    pub has_ended: bool,
}

/// What happens from one stop to the next, as far as it is worked out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    pub variables: Vec<Variable>,
    pub parameters: Vec<(Var, Sort)>,
    pub guard: Vec<Expr>,
    pub globals: BTreeMap<GlobalId, Shared>,
    pub objects: Vec<Object>,
    pub news: Vec<(Var, FreshId)>,
    pub threads: Vec<Thread>,
    pub children: Vec<Child>,
    pub endings: Vec<Ending>,
    pub killings: Vec<Killing>,
    pub frames: Vec<Frame>,
    /// The results of threads that have ended, as they are read: the process, the handle and the variables.
    pub results: Vec<(ProcessId, Expr, Vec<Var>)>,
    /// The thread that acts, by its index.
    pub acting: usize,
    /// The variables of the steps that are being executed, the innermost last.
    pub steps: Vec<Env>,
}

impl Path {
    /// A new variable.
    pub(crate) fn variable(&mut self, scalar: Scalar) -> Var {
        let var = Var(self.variables.len() as u32);
        let variable = Variable::new(format!("v{}", var.0), scalar.sort.into());
        self.variables.push(Variable { optional: scalar.optional, ..variable });
        var
    }

    /// New variables for the scalars of a value.
    pub(crate) fn fresh_row(&mut self, scalars: &[Scalar]) -> Vec<Var> {
        scalars.iter().map(|scalar| self.variable(*scalar)).collect()
    }

    /// The variables that are in scope.
    pub(crate) fn env(&mut self) -> &mut Env {
        match self.steps.last_mut() {
            Some(env) => env,
            None => {
                let thread = &mut self.threads[self.acting];
                &mut thread.calls.last_mut().expect("a thread is in a routine").env
            }
        }
    }

    /// Goes on only where a condition holds. Says `false` if it cannot.
    pub(crate) fn require(&mut self, condition: Expr) -> bool {
        if condition == FALSE {
            return false;
        }
        if condition != TRUE && !self.guard.contains(&condition) {
            self.guard.push(condition);
        }
        true
    }

    /// The part of the path where a condition holds, and the part where it does not; as far as there are such.
    pub(crate) fn split(self, condition: &Expr) -> [Option<Path>; 2] {
        let mut with = self.clone();
        let mut without = self;
        let holds = with.require(condition.clone()).then_some(with);
        let fails = without.require(formula::not(condition.clone())).then_some(without);
        [holds, fails]
    }

    /// Whether an object was made on this path, so that it is none that was there before.
    pub(crate) fn is_new(&self, object: &Expr) -> bool {
        matches!(object, Expr::Var(var) if self.news.iter().any(|(new, _)| new == var))
    }
}
