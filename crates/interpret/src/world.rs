//! A state in the middle of a step.

use std::collections::BTreeMap;
use std::rc::Rc;

use net::Origin;
use program::{Expr, Form, LocalId, Program};

use crate::access::{Access, Log, Looks};
use crate::evaluate::Scope;
use crate::failure::{Cause, Failed};
use crate::meet::Role;
use crate::next::{Actor, Birth, Choice, Chosen};
use crate::obstacle::Hindrance;
use crate::state::State;
use crate::value::{Pid, Value};

/// A state in which a process is doing something.
#[derive(Clone, Debug)]
pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    pub(crate) state: State,
    pub(crate) this: Pid,
    /// Who acts in the step, this one last.
    pub(crate) actors: Vec<Actor>,
    /// The variables of what it is in; the innermost is the last.
    pub(crate) scopes: Vec<Vec<Option<Value>>>,
    /// Who else was moved, and has to go on to where it stops.
    pub(crate) moved: Vec<Pid>,
    pub(crate) births: Vec<Birth>,
    /// Who was killed, or crashed.
    pub(crate) killed: Vec<Pid>,
    pub(crate) crashed: Vec<Pid>,
    /// What is done to those that act, when they have done what they do.
    pub(crate) dooms: BTreeMap<Pid, Doom>,
    pub(crate) choices: Vec<Choice>,
    /// The statement that is being done.
    pub(crate) statement: Origin,
    /// What was read and written by this one, and before by another one with whom it acts.
    pub(crate) accesses: Log,
    pub(crate) earlier: Vec<Access>,
    /// In how many steps and atomic blocks it is, and in how many calls of them.
    pub(crate) inside: u32,
    /// What it is to a rendezvous, and who the other one is.
    pub(crate) role: Role,
    pub(crate) partner: Option<Pid>,
    /// Where among the accesses those begin that are done together with another one, while they are.
    pub(crate) joint_from: Option<usize>,
    /// What was looked at on all ways.
    pub(crate) looks: Rc<Looks<'p>>,
}

/// What becomes of one who kills or crashes itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doom {
    Kill,
    Crash,
}

/// A way on which something has gone wrong.
#[derive(Clone, Debug)]
pub(crate) struct Fault<'p> {
    pub(crate) failed: Failed,
    /// How far it had come.
    pub(crate) world: World<'p>,
}

/// What comes of something that is done.
pub(crate) type Outcome<'p, T> = Result<(World<'p>, T), Box<Fault<'p>>>;

/// Goes on with each outcome.
pub(crate) fn then<'p, T, U>(
    outcomes: Vec<Outcome<'p, T>>,
    mut go_on: impl FnMut(World<'p>, T) -> Vec<Outcome<'p, U>>,
) -> Vec<Outcome<'p, U>> {
    let mut all = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok((world, found)) => all.extend(go_on(world, found)),
            Err(fault) => all.push(Err(fault)),
        }
    }
    all
}

/// Something has gone wrong, or it has not.
pub(crate) fn one<'p, T>(world: World<'p>, found: Result<T, Cause>) -> Vec<Outcome<'p, T>> {
    match found {
        Ok(found) => vec![Ok((world, found))],
        Err(kind) => vec![Err(world.fault(kind))],
    }
}

impl<'p> World<'p> {
    /// Nothing has been done yet.
    pub(crate) fn new(
        program: &'p Program,
        state: State,
        this: Pid,
        looks: &Rc<Looks<'p>>,
    ) -> World<'p> {
        World {
            program,
            state,
            this,
            actors: Vec::new(),
            scopes: Vec::new(),
            moved: Vec::new(),
            births: Vec::new(),
            killed: Vec::new(),
            crashed: Vec::new(),
            dooms: BTreeMap::new(),
            choices: Vec::new(),
            statement: Origin::default(),
            accesses: Log::default(),
            earlier: Vec::new(),
            inside: 0,
            role: Role::Alone,
            partner: None,
            joint_from: None,
            looks: Rc::clone(looks),
        }
    }

    /// The process begins to do something: its variables are taken out of the state.
    pub(crate) fn begin(mut self) -> World<'p> {
        assert!(self.scopes.is_empty(), "it has done what it did before");
        let frame = self.state.thread_mut(self.this).frame_mut();
        self.scopes = vec![std::mem::take(&mut frame.locals)];
        self
    }

    /// The process acts by something that is written there.
    pub(crate) fn acts(mut self, origin: Origin) -> World<'p> {
        self.actors.push(Actor { pid: self.this, origin });
        self
    }

    /// The process has done it: its variables are put back.
    pub(crate) fn put_back(&mut self) {
        if let Some(locals) = self.scopes.pop() {
            self.state.thread_mut(self.this).frame_mut().locals = locals;
        }
        assert!(self.scopes.is_empty(), "everything that was begun is done");
    }

    /// Another process acts in the same step. What that one reads and writes is noted apart.
    pub(crate) fn handed_to(mut self, this: Pid) -> World<'p> {
        self.put_back();
        let (inside, role, joint_from) = (0, Role::Alone, None);
        let (earlier, accesses, partner) = (self.all_accesses(), Log::default(), Some(self.this));
        World { this, accesses, earlier, inside, role, joint_from, partner, ..self }
    }

    /// The process goes on to the next statement.
    pub(crate) fn advanced(mut self) -> World<'p> {
        self.put_back();
        self.state.thread_mut(self.this).frame_mut().advance();
        self
    }

    pub(crate) fn scope(&self) -> Scope<'_> {
        Scope {
            program: self.program,
            state: &self.state,
            this: Some(self.this),
            locals: self.scopes.last().expect("it is in something"),
            reader: Some(self.reader()),
        }
    }

    pub(crate) fn local(&mut self, local: LocalId) -> &mut Option<Value> {
        &mut self.scopes.last_mut().expect("it is in something")[local.index()]
    }

    /// Whether a condition holds. It counts as looked at even if nothing comes of it: if it does not hold, and if it does
    /// but the operation that it allows has to wait.
    pub(crate) fn awaits(&self, condition: &Expr) -> Result<bool, Cause> {
        let before = self.accesses.len();
        let holds = self.scope().eval(condition).map(|value| value.bool());
        self.accesses.are_conditions(before);
        if let Ok(false) = holds
            && !matches!(condition.form, Form::Literal(_))
        {
            self.obstruct(|| Hindrance::Condition(self.failing(condition)));
        }
        if holds.is_ok() {
            self.looks.look(self);
        }
        holds
    }

    pub(crate) fn choose(&mut self, chosen: Chosen) {
        self.choices.push(Choice { by: self.this, statement: self.statement, chosen });
    }

    /// Something goes wrong.
    pub(crate) fn fault(&self, cause: impl Into<Cause>) -> Box<Fault<'p>> {
        let failed = cause.into().at(self.statement);
        Box::new(Fault { failed, world: self.clone() })
    }
}
