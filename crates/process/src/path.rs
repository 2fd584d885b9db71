//! Paths: what happens from one stop to the next, with values that are not known yet.
//!
//! A path starts with the thread at a stop: its live variables are variables of the transition-to-be. What is done is
//! worked out on expressions over them. Where the way depends on a value the path is split, and each part has a
//! condition more. What is looked at of globals and objects is read from their tokens; of two references that may
//! lead to one object or to two there are two paths. At the end each path is a transition.

use std::collections::BTreeMap;
use std::rc::Rc;

use net::{BinaryOp, Expr, FreshId, Inhibitor, Sort, UnaryOp, Var, Variable};

use crate::cases::Cases;
use crate::formula::{self, FALSE, TRUE};
use crate::layout::Scalar;
use crate::meet::Rendezvous;
use program::graph::{NodeId, RoutineId, Site, StopId, Way};
use program::{FieldId, GlobalId, LocalId, Named, ObjectId, ProcessId};

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

impl Shared {
    /// Makes it what it was at first.
    fn restore(&mut self) {
        self.row = self.read.iter().map(|var| Expr::Var(*var)).collect();
        self.is_written = false;
    }
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

/// Where a thread that takes part is before the step.
#[derive(Clone, Debug)]
pub(crate) enum Begin {
    /// At a stop, with these variables in its token.
    At(StopId, Vec<Var>),
    /// Nowhere: this thread starts it.
    Born(Var),
}

/// Where a thread is after the step.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// At a stop of the routine that it is in.
    Stop(NodeId),
    /// It has come to its end, perhaps with a result.
    Returned(Option<Row>),
    /// It was killed, and all that was pending is done.
    Killed,
    /// It was ended at once.
    Crashed,
}

impl End {
    /// What a thread that has ended gives back.
    pub(crate) fn result(&self) -> Option<Row> {
        match self {
            End::Returned(result) => result.clone(),
            _ => None,
        }
    }

    /// Whether it has come to its end by itself.
    pub(crate) fn is_return(&self) -> bool {
        matches!(self, End::Returned(_))
    }
}

/// A thread that takes part.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub var: Var,
    pub begin: Begin,
    /// The calls that the path knows of, the innermost last.
    pub calls: Vec<Call>,
    /// The frame that waits for the outermost of them to return; of a process there is none.
    pub frame: Option<Expr>,
    /// Nothing as long as it is not worked out; a thread for which it never is only is looked at.
    pub end: Option<End>,
    /// Whether it does the step, alone or with another one.
    pub acts: bool,
    /// What is done to it when the step is done, if it acts.
    pub doom: Option<Doom>,
    /// Its calls and its frame before anything was done.
    before: Rc<(Vec<Call>, Option<Expr>)>,
}

impl Thread {
    pub(crate) fn new(var: Var, begin: Begin, calls: Vec<Call>, frame: Option<Expr>) -> Thread {
        let before = Rc::new((calls.clone(), frame.clone()));
        Thread { var, begin, calls, frame, end: None, acts: false, doom: None, before }
    }

    /// The thread as it was before something was done to it.
    fn undone(&self) -> Thread {
        let (calls, frame) = (*self.before).clone();
        Thread::new(self.var, self.begin.clone(), calls, frame)
    }

    /// Whether it ends on this path.
    pub(crate) fn has_ended(&self) -> bool {
        !matches!(self.end, None | Some(End::Stop(_)))
    }
}

/// How a thread is ended from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doom {
    Kill,
    Crash,
}

/// Whether a thread has ended.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    pub thread: Expr,
    pub has_ended: bool,
    /// The variable for whether it came to its end by itself, if that is asked.
    pub how: Option<Var>,
}

impl Ending {
    pub(crate) fn new(thread: Expr, has_ended: bool) -> Ending {
        Ending { thread, has_ended, how: None }
    }
}

/// Something shared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Location {
    Global(GlobalId),
    /// A field of an object.
    Field(ObjectId, Expr, FieldId),
}

/// An access to something shared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Access {
    pub location: Location,
    /// The index of the element of a sequence; nothing if it is to the whole.
    pub index: Option<Expr>,
    pub is_write: bool,
    /// Whether it is outside of steps and `atomic` blocks.
    pub is_plain: bool,
    /// Whether it is read to find out whether one can go on.
    pub is_guard: bool,
    /// The thread that does it; nothing if two do it together.
    pub by: Option<usize>,
}

impl Access {
    /// Whether two accesses conflict if they are to the same object and element: one of them writes, and one of them
    /// is outside of steps and `atomic` blocks.
    pub(crate) fn may_conflict(&self, other: &Access) -> bool {
        let is_same = match (&self.location, &other.location) {
            (Location::Global(a), Location::Global(b)) => a == b,
            (Location::Field(of, _, a), Location::Field(other, _, b)) => (of, a) == (other, b),
            _ => false,
        };
        is_same && (self.is_write || other.is_write) && (self.is_plain || other.is_plain)
    }
}

/// Something that was chosen on a path, and is told where it is taken.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// One of several blocks, by its number.
    Branch(usize, Way),
    /// A value for a variable of the routine.
    Value(Named, Row),
}

/// What happens from one stop to the next, as far as it is worked out.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub variables: Vec<Variable>,
    pub parameters: Vec<(Var, Sort)>,
    pub guard: Vec<Expr>,
    pub globals: BTreeMap<GlobalId, Shared>,
    pub objects: Vec<Object>,
    pub news: Vec<(Var, FreshId)>,
    pub threads: Vec<Thread>,
    pub endings: Vec<Ending>,
    pub frames: Vec<Frame>,
    /// What must not be there.
    pub inhibitors: Vec<Inhibitor>,
    /// Stops, and threads that are not there.
    pub elsewhere: Vec<(StopId, Expr)>,
    /// The results of threads that have ended, as they are read: the process, the handle and the variables.
    pub results: Vec<(ProcessId, Expr, Vec<Var>)>,
    /// The thread that acts, by its index.
    pub acting: usize,
    /// The variables of the steps that are being executed, the innermost last.
    pub steps: Vec<Env>,
    /// Which way to go where there is a choice; nothing where all ways are gone.
    pub script: Option<Script>,
    /// The rendezvous that the path is about.
    pub meeting: Option<Rendezvous>,
    /// What is looked at and changed, where that is asked for.
    pub accesses: Option<Vec<Access>>,
    /// Whether what is done now is inside of an `atomic` block.
    pub is_atomic: bool,
    /// What was chosen outside of steps.
    pub choices: Vec<Choice>,
    /// Whether what is read now tells whether one can go on.
    pub is_guard: bool,
    /// Whether what is done now is done by two threads together.
    pub is_joint: bool,
    /// The cases of what is worked out, of which it is one.
    pub cases: Rc<Cases>,
}

/// The choices on a path, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// The way that is gone, and how many there are.
    made: Vec<(usize, usize)>,
    /// How many of them are behind.
    done: usize,
}

impl Script {
    /// The next script, if there is one: the last choice that can be made otherwise is.
    pub(crate) fn next(mut self) -> Option<Script> {
        self.made.truncate(self.done);
        while let Some((way, of)) = self.made.pop() {
            if way + 1 < of {
                self.made.push((way + 1, of));
                return Some(Script { done: 0, ..self });
            }
        }
        None
    }
}

impl Path {
    /// A path on which nothing has been done.
    pub(crate) fn new(cases: Rc<Cases>) -> Path {
        Path {
            variables: Vec::new(),
            parameters: Vec::new(),
            guard: Vec::new(),
            globals: BTreeMap::new(),
            objects: Vec::new(),
            news: Vec::new(),
            threads: Vec::new(),
            endings: Vec::new(),
            frames: Vec::new(),
            inhibitors: Vec::new(),
            elsewhere: Vec::new(),
            results: Vec::new(),
            acting: 0,
            steps: Vec::new(),
            script: None,
            meeting: None,
            accesses: None,
            is_atomic: false,
            choices: Vec::new(),
            is_guard: false,
            is_joint: false,
            cases,
        }
    }

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

    /// Notes that something is looked at or changed.
    pub(crate) fn note(&mut self, location: Location, index: Option<Expr>, is_write: bool) {
        let is_plain = self.steps.is_empty() && !self.is_atomic;
        let (is_guard, by) = (self.is_guard, (!self.is_joint).then_some(self.acting));
        if let Some(accesses) = &mut self.accesses {
            accesses.push(Access { location, index, is_write, is_plain, is_guard, by });
        }
    }

    /// Notes which of several blocks is chosen.
    pub(crate) fn note_branch(&mut self, number: usize, of: usize, way: Way) {
        if self.steps.is_empty() && of > 1 {
            self.choices.push(Choice::Branch(number, way));
        }
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

    /// The part where a handle leads to a thread that takes part, and the part where it does not.
    pub(crate) fn split_at_thread(self, at: usize, handle: &Expr) -> [Option<Path>; 2] {
        let same = self.same(Expr::Var(self.threads[at].var), handle.clone());
        self.split(&same)
    }

    /// The paths of a choice among this many ways: all, or the one that is laid down.
    pub(crate) fn ways(mut self, of: usize) -> Vec<(Path, usize)> {
        let Some(script) = &mut self.script else {
            return self.copies(of).into_iter().zip(0..).collect();
        };
        if of == 0 {
            return Vec::new();
        }
        if script.done == script.made.len() {
            script.made.push((0, of));
        }
        let way = script.made[script.done].0;
        script.done += 1;
        vec![(self, way)]
    }

    /// Whether it is of interest where it goes no further: it is asked what cannot be done, or what is looked at.
    pub(crate) fn shows_waiting(&self) -> bool {
        self.script.is_some() || self.accesses.is_some()
    }

    /// Whether all that may happen on it is to be found, and it is not only asked whether something can be done, who can
    /// be met, or what is looked at.
    pub(crate) fn is_whole(&self) -> bool {
        self.script.is_none() && self.meeting.is_none() && self.accesses.is_none()
    }

    /// Whether two threads were to meet, but only one has done something, or nothing was changed by either.
    pub(crate) fn is_before_meeting(&self) -> bool {
        match self.meeting {
            Some(Rendezvous::Open) => true,
            Some(Rendezvous::Sought(_)) => {
                let mut shared = self.objects.iter().map(|object| &object.fields);
                let is_born = |thread: &Thread| matches!(thread.begin, Begin::Born(_));
                let is_changed = |thread: &Thread| thread.end.is_some() || thread.doom.is_some();
                self.news.is_empty()
                    && !shared.any(|shared| shared.is_written)
                    && !self.globals.values().any(|shared| shared.is_written)
                    && !self.threads.iter().any(|thread| is_born(thread) || is_changed(thread))
            }
            _ => false,
        }
    }

    /// The path as it was before something was tried, but with all that was found out about the state, and what was read
    /// to find out whether it can be done.
    pub(crate) fn undone(self, before: &Path) -> Path {
        let is_seen = |object: &&Object| !object.is_new;
        let known = before.objects.len();
        let loaded = self.objects[known..].iter().filter(is_seen).cloned().map(|mut object| {
            object.fields.restore();
            object
        });
        let objects = before.objects.iter().cloned().chain(loaded).collect();
        let mut globals = self.globals;
        globals.values_mut().for_each(Shared::restore);
        globals.extend(before.globals.clone());
        let looked_at = self.threads[before.threads.len()..].iter();
        let looked_at = looked_at.filter(|thread| matches!(thread.begin, Begin::At(..)));
        let looked_at = looked_at.map(Thread::undone);
        let threads = before.threads.iter().cloned().chain(looked_at).collect();
        let mut accesses = before.accesses.clone();
        if let (Some(accesses), Some(tried)) = (&mut accesses, self.accesses) {
            let tried = tried.into_iter().skip(accesses.len());
            accesses.extend(tried.filter(|access| access.is_guard));
        }
        Path {
            accesses,
            variables: self.variables,
            guard: self.guard,
            endings: self.endings,
            results: self.results,
            globals,
            objects,
            threads,
            ..before.clone()
        }
    }

    /// The path, once for each of this many cases; none of them if that is too many.
    pub(crate) fn copies(&self, of: usize) -> Vec<Path> {
        let is_possible = self.cases.split(of);
        std::iter::repeat_n(self, of).filter(|_| is_possible).cloned().collect()
    }

    /// Goes on only where a condition holds. Says `false` if it cannot.
    pub(crate) fn require(&mut self, condition: Expr) -> bool {
        let condition = self.told_apart(condition);
        self.assume(condition)
    }

    fn assume(&mut self, condition: Expr) -> bool {
        let contradicts = |known: &Expr| formula::contradict(known, &condition);
        if condition == FALSE || self.guard.iter().any(contradicts) {
            return false;
        }
        if condition != TRUE && !self.guard.contains(&condition) {
            self.guard.push(condition);
        }
        true
    }

    /// The part of the path where a condition holds, and the part where it does not; as far as there are such.
    pub(crate) fn split(self, condition: &Expr) -> [Option<Path>; 2] {
        if !self.cases.look() {
            return [None, None];
        }
        let condition = self.told_apart(condition.clone());
        if condition == TRUE {
            return [Some(self), None];
        }
        if condition == FALSE {
            return [None, Some(self)];
        }
        let (mut with, mut without) = (self.clone(), self);
        match (with.assume(condition.clone()), without.assume(formula::not(condition))) {
            (true, true) if with.cases.split(2) => [Some(with), Some(without)],
            (true, false) => [Some(with), None],
            (false, true) => [None, Some(without)],
            _ => [None, None],
        }
    }

    /// A condition where threads and objects that are made on this path are none that were there before.
    pub(crate) fn told_apart(&self, condition: Expr) -> Expr {
        match condition {
            Expr::Binary(BinaryOp::Equal, a, b) => self.same(*a, *b),
            Expr::Binary(BinaryOp::NotEqual, a, b) => formula::not(self.same(*a, *b)),
            Expr::Binary(BinaryOp::And, a, b) => {
                formula::and(self.told_apart(*a), self.told_apart(*b))
            }
            Expr::Binary(BinaryOp::Or, a, b) => {
                formula::or(self.told_apart(*a), self.told_apart(*b))
            }
            Expr::Unary(UnaryOp::Not, a) => formula::not(self.told_apart(*a)),
            Expr::If(which, a, b) => {
                let which = self.told_apart(*which);
                formula::either(&which, self.told_apart(*a), self.told_apart(*b))
            }
            other => other,
        }
    }

    /// Whether two scalars are the same. What is made on this path may have been put somewhere on it: then it is asked
    /// for each place, so that nothing that is yet to be made is left in the condition.
    fn same(&self, a: Expr, b: Expr) -> Expr {
        let (one, other) = (formula::bare(a.clone()), formula::bare(b.clone()));
        match (one, other) {
            (one, other) if one == other => TRUE,
            (Expr::If(condition, x, y), other) | (other, Expr::If(condition, x, y))
                if self.mentions_made(&x) || self.mentions_made(&y) || self.is_made(&other) =>
            {
                formula::either(&condition, self.same(*x, other.clone()), self.same(*y, other))
            }
            (one, other) if self.is_made(&one) || self.is_made(&other) => FALSE,
            _ => formula::equal(a, b),
        }
    }

    fn mentions_made(&self, expr: &Expr) -> bool {
        let mut is_made = false;
        expr.variables(&mut |var| is_made |= self.is_made(&Expr::Var(var)));
        is_made
    }

    /// Whether a thread or an object is made on this path.
    fn is_made(&self, id: &Expr) -> bool {
        let is_born = |thread: &Thread| {
            matches!(thread.begin, Begin::Born(_)) && Expr::Var(thread.var) == *id
        };
        self.is_new(id) || self.threads.iter().any(is_born)
    }

    /// Whether an object was made on this path, so that it is none that was there before.
    pub(crate) fn is_new(&self, object: &Expr) -> bool {
        matches!(object, Expr::Var(var) if self.news.iter().any(|(new, _)| new == var))
    }
}
