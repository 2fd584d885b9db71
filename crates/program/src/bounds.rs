//! What a program makes sure of: operations that find what they need whenever they are come to.
//!
//! A statement that can fault is a step of its own, so it matters where one cannot. Each process and function is gone
//! through with bounds for its variables: of numbers, and of how many elements collections have. As long as they are
//! few, the cases are kept apart, so that what is counted in a loop is known round by round. What turns out never to
//! fault is marked in the program, as [`Form::Sure`] or by a narrower range, and so everybody who reads the program
//! sees the same.
//!
//! Nothing is known of a variable before it is assigned, nor of those that deferred blocks assign to.

mod mark;
mod value;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use net::BinaryOp;

use crate::facts::can_fault;
use crate::{
    Action, Arm, Block, Domain, Expr, Form, LocalId, LoopId, Meeting, Operation, Program, Root,
    Routine, Select, Selector, Statement, Target, Type,
};

/// As many cases are kept apart at a point.
const MOST_CASES: usize = 64;
/// As often a loop is gone round before it is looked at as a whole.
const MOST_ROUNDS: usize = 64;
/// A routine is given up when this many statements have been gone through.
const MOST_STATEMENTS: usize = 100_000;

/// Marks what can never fault in the processes and functions of a program, and drops meetings that never happen.
pub fn mark_sure(program: &mut Program) {
    let happens = |meeting: &Meeting| Walk::new(program, None).may_happen(&meeting.body);
    let meetings = program.objects.iter().map(|object| object.meetings.iter().map(happens));
    let meetings: Vec<Vec<bool>> = meetings.map(Iterator::collect).collect();
    for (object, happens) in program.objects.iter_mut().zip(meetings) {
        let mut happens = happens.into_iter();
        object.meetings.retain(|_| happens.next().expect("one for each"));
    }
    let of = |routine: &Routine| Found::of(program, routine);
    let processes: Vec<Found> = program.processes.iter().map(of).collect();
    let functions: Vec<Found> = program.functions.iter().map(of).collect();
    let routines = program.processes.iter_mut().chain(&mut program.functions);
    for (routine, found) in routines.zip(processes.into_iter().chain(functions)) {
        found.mark(&mut routine.body);
    }
}

/// Bounds of a number, or of how many elements a collection has; both are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bounds {
    least: i64,
    most: i64,
}

impl Bounds {
    /// What the values of a type are between; nothing for other types than numbers and collections.
    fn of(of: &Type) -> Option<Bounds> {
        match of {
            Type::Int { min, max } => Some(Bounds { least: *min, most: *max }),
            Type::Sequence(_, room) | Type::Set(_, room) | Type::Map(_, _, room) => {
                Some(Bounds { least: 0, most: (*room).into() })
            }
            _ => None,
        }
    }

    fn hull(self, other: Bounds) -> Bounds {
        Bounds { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// What is in both; nothing if that is empty.
    fn meet(self, other: Bounds) -> Option<Bounds> {
        let met = Bounds { least: self.least.max(other.least), most: self.most.min(other.most) };
        (met.least <= met.most).then_some(met)
    }

    fn is_within(self, outer: Bounds) -> bool {
        outer.least <= self.least && self.most <= outer.most
    }
}

/// What is known of variables.
type Known = BTreeMap<LocalId, Bounds>;

/// The cases that there may be at a point.
type Cases = BTreeSet<Known>;

/// What was found out about the expressions of a routine, which are known by where they are in memory.
#[derive(Default)]
struct Found {
    /// Whether an operation can fault by itself.
    faults: HashMap<*const Expr, bool>,
    /// The bounds of numbers that have to fit somewhere.
    fitting: HashMap<*const Expr, Bounds>,
}

impl Found {
    fn of(program: &Program, routine: &Routine) -> Found {
        let mut walk = Walk::new(program, routine.result.as_ref());
        assigned_later(&routine.body, &mut walk.unknown);
        walk.block(&routine.body, Cases::from([Known::new()]));
        if walk.left == 0 { Found::default() } else { walk.found }
    }
}

/// Goes through a routine.
struct Walk<'p> {
    program: &'p Program,
    result: Option<&'p Type>,
    /// The variables that deferred blocks assign to.
    unknown: HashSet<LocalId>,
    loops: Vec<Around>,
    /// How many statements may be gone through yet.
    left: usize,
    found: Found,
}

/// A loop around a statement, and the cases in which it goes round, or is left.
struct Around {
    id: LoopId,
    again: Cases,
    after: Cases,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, result: Option<&'p Type>) -> Walk<'p> {
        let (unknown, loops, found) = (HashSet::new(), Vec::new(), Found::default());
        Walk { program, result, unknown, loops, left: MOST_STATEMENTS, found }
    }

    /// Whether what is waited for before anything else in a block may ever hold, or there may be a fault before.
    fn may_happen(&mut self, block: &'p [Statement]) -> bool {
        let awaited = block.iter().map_while(|statement| match &statement.action {
            Action::Select(Select { arms, otherwise: None, .. }) => match &arms[..] {
                [Arm { when: None, operation: Operation::Await(condition), .. }] => Some(condition),
                _ => None,
            },
            _ => None,
        });
        let mut conditions = awaited.flat_map(conjuncts).take_while(|one| !can_fault(one));
        conditions.all(|condition| self.refined(condition, true, Known::new()).is_some())
    }

    fn block(&mut self, block: &'p [Statement], cases: Cases) -> Cases {
        block.iter().fold(cases, |cases, statement| self.statement(statement, few(cases)))
    }

    fn statement(&mut self, statement: &'p Statement, cases: Cases) -> Cases {
        if cases.is_empty() || self.left == 0 {
            return Cases::new();
        }
        self.left -= 1;
        match &statement.action {
            Action::Block(block) | Action::Atomic(block) => self.block(block, cases),
            Action::Loop(id, body) => self.repeat(*id, body, cases),
            Action::Break(id) => self.leave(*id, cases, false),
            Action::Continue(id) => self.leave(*id, cases, true),
            Action::Either(blocks) => {
                blocks.iter().flat_map(|block| self.block(block, cases.clone())).collect()
            }
            Action::If(condition, yes, no) => {
                let [holds, fails] = [true, false].map(|truth| {
                    cases.iter().filter_map(|known| self.asked(condition, truth, known)).collect()
                });
                let mut after = self.block(yes, holds);
                after.extend(self.block(no, fails));
                after
            }
            Action::Select(select) => self.select(select, cases),
            Action::Defer(block) => {
                // Nobody knows when it is done.
                self.block(block, Cases::from([Known::new()]));
                cases
            }
            Action::Return(value) => {
                for (value, known) in
                    value.iter().flat_map(|value| cases.iter().map(move |known| (value, known)))
                {
                    self.fit(value, self.result, known);
                }
                Cases::new()
            }
            action => cases.into_iter().filter_map(|known| self.simple(action, known)).collect(),
        }
    }

    /// A statement that has no others inside, in one case; nothing if it always faults.
    fn simple(&mut self, action: &'p Action, mut known: Known) -> Option<Known> {
        match action {
            Action::Assign(target, value) => {
                let inside = |of: Type, way: &Selector| self.program.inside(&of, way);
                let of = target.path.iter().fold(target.of.clone(), inside);
                let bounds = self.fit(value, Some(&of), &known);
                self.assign(target, bounds, known)
            }
            Action::New(target, object, arguments) => {
                let parameters = &self.program.objects[object.index()].parameters;
                let types = parameters.iter().map(|parameter| &parameter.of);
                self.pass(arguments, types, &known);
                self.assign(target, None, known)
            }
            Action::Spawn(target, process, arguments) => {
                let routine = &self.program.processes[process.index()];
                self.started(routine, target.as_ref(), arguments, known)
            }
            Action::Call(target, function, arguments) => {
                let routine = &self.program.functions[function.index()];
                self.started(routine, target.as_ref(), arguments, known)
            }
            Action::Choose(local, domain, when) => {
                let bounds = match domain {
                    Domain::Range(from, to) => {
                        let ends = [from, to].map(|end| self.value(end, &known));
                        match ends {
                            [Some(from), Some(to)] => {
                                Some(Bounds { least: from.least, most: to.most })
                            }
                            _ => None,
                        }
                    }
                    Domain::Collection(over) => {
                        self.value(over, &known);
                        None
                    }
                    Domain::Type(_) | Domain::Forgotten(_) => None,
                };
                if bounds.is_some_and(|bounds| bounds.least > bounds.most) {
                    return None;
                }
                self.set(*local, bounds, &mut known);
                match when {
                    Some(when) => self.asked(when, true, &known),
                    None => Some(known),
                }
            }
            Action::Assert(condition) | Action::Require(condition) => {
                self.asked(condition, true, &known)
            }
            Action::Kill(handle) | Action::Crash(handle) => {
                self.value(handle, &known);
                Some(known)
            }
            _ => Some(known),
        }
    }

    fn started(
        &mut self,
        routine: &'p Routine,
        target: Option<&'p Target>,
        arguments: &'p [Expr],
        known: Known,
    ) -> Option<Known> {
        let parameters = routine.locals[..routine.parameters].iter();
        self.pass(arguments, parameters.map(|parameter| &parameter.of), &known);
        match target {
            Some(target) => self.assign(target, None, known),
            None => Some(known),
        }
    }

    /// Arguments are passed.
    fn pass(
        &mut self,
        arguments: &'p [Expr],
        types: impl Iterator<Item = &'p Type>,
        known: &Known,
    ) {
        for (argument, of) in arguments.iter().zip(types) {
            self.fit(argument, Some(of), known);
        }
    }

    /// Gives a target a value with these bounds.
    fn assign(
        &mut self,
        target: &'p Target,
        bounds: Option<Bounds>,
        mut known: Known,
    ) -> Option<Known> {
        for way in &target.path {
            if let Selector::Element(index) = way {
                self.value(index, &known);
            }
        }
        match &target.root {
            Root::Field(object, _) => _ = self.value(object, &known),
            Root::Global(_) => {}
            // A sequence is as long as before.
            Root::Local(_)
                if matches!(target.of, Type::Sequence(..)) && !target.path.is_empty() => {}
            Root::Local(id) if !target.path.is_empty() => self.set(*id, None, &mut known),
            Root::Local(id) => {
                let bounds = match bounds.zip(Bounds::of(&target.of)) {
                    Some((bounds, room)) => Some(bounds.meet(room)?),
                    None => None,
                };
                self.set(*id, bounds, &mut known);
            }
        }
        Some(known)
    }

    fn set(&self, local: LocalId, bounds: Option<Bounds>, known: &mut Known) {
        match bounds.filter(|_| !self.unknown.contains(&local)) {
            Some(bounds) => _ = known.insert(local, bounds),
            None => _ = known.remove(&local),
        }
    }

    /// The case in which a condition holds, or does not; nothing if it is never so.
    fn asked(&mut self, condition: &'p Expr, truth: bool, known: &Known) -> Option<Known> {
        self.value(condition, known);
        self.refined(condition, truth, known.clone())
    }

    fn select(&mut self, select: &'p Select, cases: Cases) -> Cases {
        let mut after = Cases::new();
        for arm in &select.arms {
            let taken = cases.iter().filter_map(|known| self.taken(arm, known)).collect();
            after.extend(self.block(&arm.body, taken));
        }
        if let Some(block) = &select.otherwise {
            after.extend(self.block(block, cases));
        }
        after
    }

    /// An arm is taken, up to its body.
    fn taken(&mut self, arm: &'p Arm, known: &Known) -> Option<Known> {
        let mut known = known.clone();
        if let Some(when) = &arm.when {
            known = self.asked(when, true, &known)?;
        }
        match &arm.operation {
            Operation::Step { object, step, arguments, .. } => {
                self.value(object, &known);
                let of = &self.program.objects[object.of.object().index()];
                let routine = &of.steps[step.index()].routine;
                let parameters = routine.locals[1..routine.parameters].iter();
                self.pass(arguments, parameters.map(|parameter| &parameter.of), &known);
            }
            Operation::Join(handle, _) | Operation::JoinAny(handle, ..) => {
                self.value(handle, &known);
            }
            Operation::Await(condition) => known = self.asked(condition, true, &known)?,
        }
        for local in arm.operation.results() {
            known.remove(local);
        }
        Some(known)
    }

    fn leave(&mut self, id: LoopId, cases: Cases, is_again: bool) -> Cases {
        if let Some(around) = self.loops.iter_mut().rev().find(|around| around.id == id) {
            if is_again { &mut around.again } else { &mut around.after }.extend(cases);
        }
        Cases::new()
    }

    fn repeat(&mut self, id: LoopId, body: &'p Block, cases: Cases) -> Cases {
        let (mut seen, mut open, mut after) = (Cases::new(), cases, Cases::new());
        for round in 0.. {
            open.retain(|known| !seen.contains(known));
            if open.is_empty() || self.left == 0 {
                break;
            }
            seen.extend(open.iter().cloned());
            // In all rounds there may be, only what the body leaves alone is known.
            let is_whole = round >= MOST_ROUNDS || seen.len() > MOST_CASES;
            if is_whole {
                let mut known = seen.iter().cloned().reduce(joined).expect("there are cases");
                let mut changed = HashSet::new();
                assigned(body, &mut changed);
                known.retain(|local, _| !changed.contains(local));
                open = Cases::from([known]);
            }
            self.loops.push(Around { id, again: Cases::new(), after: Cases::new() });
            let end = self.block(body, open);
            let around = self.loops.pop().expect("it was pushed");
            after.extend(around.after);
            if is_whole {
                break;
            }
            open = around.again;
            open.extend(end);
        }
        after
    }
}

/// What has to hold for a condition to hold, in the order in which it is looked at.
fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match &condition.form {
        Form::Binary(BinaryOp::And, a, b) => [conjuncts(a), conjuncts(b)].concat(),
        _ => vec![condition],
    }
}

/// What is known in either case.
fn joined(one: Known, other: Known) -> Known {
    let both = |(local, bounds): (LocalId, Bounds)| Some((local, bounds.hull(*other.get(&local)?)));
    one.into_iter().filter_map(both).collect()
}

/// Cases that are too many, as one.
fn few(cases: Cases) -> Cases {
    match cases.len() > MOST_CASES {
        true => cases.into_iter().reduce(joined).into_iter().collect(),
        false => cases,
    }
}

/// The variables that a block assigns to.
fn assigned(block: &Block, found: &mut HashSet<LocalId>) {
    for statement in block {
        found.extend(statement.action.locals());
        if let Action::Select(select) = &statement.action {
            found.extend(select.arms.iter().flat_map(|arm| arm.operation.results()));
        }
        statement.action.blocks().into_iter().for_each(|block| assigned(block, found));
    }
}

/// The variables that deferred blocks assign to.
fn assigned_later(block: &Block, found: &mut HashSet<LocalId>) {
    for statement in block {
        match &statement.action {
            Action::Defer(block) => assigned(block, found),
            action => action.blocks().into_iter().for_each(|block| assigned_later(block, found)),
        }
    }
}
