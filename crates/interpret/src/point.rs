//! Where processes stand.

use net::Origin;
use program::{Action, Expr, FailureKind, LabelId, Statement};

use crate::control::Stop;
use crate::evaluate::Scope;
use crate::interpreter::Interpreter;
use crate::state::{State, Thread};
use crate::value::{Pid, Value};

/// Where a process stands.
#[derive(Clone, Debug)]
pub struct Point<'p> {
    /// What is written there. Nothing is known of it at the beginning of a function, before its first statement.
    pub origin: Origin,
    /// The statement that it does next; nothing where it does nothing, but others have their turn.
    pub statement: Option<&'p Statement>,
    /// Whether it reads operands of the statement first, in a step of their own.
    pub reads_first: bool,
    /// Whether what it does next is local.
    pub is_local: bool,
    /// Whether it may wait there for ever.
    pub is_idle: bool,
    /// The labels before the statement, those that are observed.
    pub labels: Vec<LabelId>,
}

impl<'p> Interpreter<'p> {
    /// Where a process stands, if it runs.
    #[must_use]
    pub fn point(&self, state: &State, pid: Pid) -> Option<Point<'p>> {
        let mut state = state.clone();
        let stop = self.settle(&mut state, pid);
        let thread = state.thread(pid)?;
        let is_local = self.is_local(thread, &stop);
        let labels = thread.frame().labels.iter().map(|at| at.label).collect();
        let (origin, statement, reads_first) = match stop {
            Stop::Left(_) => return None,
            Stop::Turn(position) => {
                let origin = position.map_or(Origin::default(), |position| self.origin(position));
                (origin, None, false)
            }
            Stop::Before(statement, known) => {
                (statement.origin, Some(statement), thread.frame().reads_first(known))
            }
        };
        let is_idle = match statement.map(|statement| &statement.action) {
            Some(Action::Select(select)) => select.idle && !reads_first,
            _ => false,
        };
        Some(Point { origin, statement, reads_first, is_local, is_idle, labels })
    }

    /// The calls by which a process has come to where it is, from the outermost inwards: one for each of its routines but
    /// the innermost.
    #[must_use]
    pub fn calls(&self, thread: &Thread) -> Vec<Origin> {
        let (_, callers) = thread.frames.split_last().expect("a thread that runs is in a routine");
        callers.iter().map(|frame| self.origin(frame.position())).collect()
    }

    /// Whether a process is where it may wait for ever.
    #[must_use]
    pub fn is_idle(&self, state: &State, pid: Pid) -> bool {
        self.point(state, pid).is_some_and(|point| point.is_idle)
    }

    /// The value that an expression has for a process that runs, in the routine that it is in.
    ///
    /// # Errors
    /// If it has none.
    ///
    /// # Panics
    /// If the process has ended, or if the expression does not belong to the routine.
    pub fn evaluate(&self, state: &State, pid: Pid, expr: &Expr) -> Result<Value, FailureKind> {
        let locals = &state.thread(pid).expect("it runs").frame().locals;
        Scope { this: Some(pid), locals, ..self.outside(state) }
            .eval(expr)
            .map_err(|cause| cause.kind)
    }
}
