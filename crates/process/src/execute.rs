//! What is done at once: the statements of a step, of an `atomic` block, of an arm.
//!
//! Each way through them is a path of its own. It goes on past an `await` only where that holds.

mod assign;

use std::cell::Cell;

use net::{Expr as NetExpr, Origin, Sort};

use crate::evaluate::{Parts, found, then, unless};
use crate::formula::{FALSE, TRUE, all, compute, not};
use crate::graph::Exit;
use crate::layout::{Layout, Scalar};
use crate::path::{Child, Env, Killing, Object, Path, Row, Shared};
use crate::program::{
    Action, Arm, Block, Domain, Expr, LocalId, LoopId, Named, ObjectId, Operation, ProcessId,
    Routine, Statement, StepId, Target, Type,
};

/// How often a loop may go round in what is done at once.
const MOST_ROUNDS: usize = 256;
/// How deep calls may be in it.
const MOST_CALLS: usize = 64;

/// How the statements of a block are left.
#[derive(Clone, Debug)]
pub(crate) enum Flow {
    /// At their end.
    Next,
    /// In another way, with a result where the routine is left.
    Exit(Exit, Option<Row>),
}

/// What executes statements.
pub(crate) struct Executor<'p> {
    pub layout: Layout<'p>,
    /// Whether a loop or a call had no end in sight.
    pub is_endless: Cell<bool>,
}

impl Executor<'_> {
    /// Executes a block: its statements, and then what they have deferred.
    pub(crate) fn block(&self, block: &[Statement], path: Path) -> Parts<Flow> {
        let Some((first, rest)) = block.split_first() else { return found(path, Flow::Next) };
        if let Action::Defer(deferred) = &first.action {
            return then(self.block(rest, path), |path, flow| {
                then(self.block(deferred, path), |path, _| found(path, flow.clone()))
            });
        }
        then(self.statement(first, path), |path, flow| match flow {
            Flow::Next => self.block(rest, path),
            exit => found(path, exit),
        })
    }

    fn statement(&self, statement: &Statement, path: Path) -> Parts<Flow> {
        let mut parts = self.action(&statement.action, statement.origin, path);
        for (_, found) in &mut parts {
            if let Err(fault) = found {
                fault.origin.get_or_insert(statement.origin);
            }
        }
        parts
    }

    fn action(&self, action: &Action, origin: Origin, path: Path) -> Parts<Flow> {
        let layout = &self.layout;
        let next = |path: Path, ()| found(path, Flow::Next);
        match action {
            Action::Assign(target, value) => then(layout.eval(value, path), |path, row| {
                then(self.assign(target, &value.of, row, path), next)
            }),
            Action::New(target, object, arguments) => {
                then(self.arguments(&self.parameters(*object), arguments, path), |path, env| {
                    then(self.make(*object, env, path), |path, id| {
                        let of = Type::Object(*object);
                        then(self.assign(target, &of, vec![id], path), next)
                    })
                })
            }
            Action::If(condition, yes, no) => {
                then(layout.condition(condition, path), |path, holds| {
                    let [with, without] = path.split(&holds);
                    let mut parts = Vec::new();
                    parts.extend(with.into_iter().flat_map(|path| self.block(yes, path)));
                    parts.extend(without.into_iter().flat_map(|path| self.block(no, path)));
                    parts
                })
            }
            Action::Loop(id, body) => self.rounds(*id, body, MOST_ROUNDS, path),
            Action::Break(id) => found(path, Flow::Exit(Exit::Break(*id), None)),
            Action::Continue(id) => found(path, Flow::Exit(Exit::Continue(*id), None)),
            Action::Block(block) | Action::Atomic(block) => self.block(block, path),
            Action::Return(None) => found(path, Flow::Exit(Exit::Return, None)),
            Action::Return(Some(value)) => then(layout.eval(value, path), |path, row| {
                found(path, Flow::Exit(Exit::Return, Some(row)))
            }),
            Action::Choose(local, domain, when) => self.choose(*local, domain, when.as_ref(), path),
            Action::Either(blocks) => {
                blocks.iter().flat_map(|block| self.block(block, path.clone())).collect()
            }
            Action::Assert(condition) => self.claim(condition, "the assertion fails", path),
            Action::Require(condition) => self.claim(condition, "what is required fails", path),
            Action::Label(_) => found(path, Flow::Next),
            Action::Spawn(target, process, arguments) => {
                then(self.spawn(*process, arguments, path), |path, child| match target {
                    None => found(path, Flow::Next),
                    Some(target) => {
                        let of = Type::Handle(Some(*process));
                        then(self.assign(target, &of, vec![child], path), next)
                    }
                })
            }
            Action::Kill(handle) | Action::Crash(handle) => {
                let is_kill = matches!(action, Action::Kill(_));
                then(layout.eval(handle, path), |path, row| {
                    let is_missing = layout.is_missing(&handle.of, &row);
                    unless(
                        is_missing,
                        || "there is no process".into(),
                        path,
                        |mut path| {
                            path.killings.push(Killing { thread: row[0].clone(), is_kill });
                            found(path, Flow::Next)
                        },
                    )
                })
            }
            Action::Defer(_) => unreachable!("its block sees to what is deferred in it"),
            Action::Call(target, function, arguments) => {
                let routine = &layout.program.functions[function.index()];
                if path.steps.len() >= MOST_CALLS {
                    self.is_endless.set(true);
                    return Vec::new();
                }
                let parameters = &routine.locals[..routine.parameters];
                then(self.arguments(parameters, arguments, path), |path, env| {
                    self.routine(routine, env, target.as_ref(), path)
                })
            }
            Action::Select(select) => {
                let arms = select.arms.iter();
                arms.flat_map(|arm| self.arm(arm, origin, path.clone())).collect()
            }
        }
    }

    /// Executes an arm: its condition, what it waits for, and its body.
    fn arm(&self, arm: &Arm, origin: Origin, path: Path) -> Parts<Flow> {
        let when = match &arm.when {
            Some(condition) => self.await_(condition, path),
            None => found(path, ()),
        };
        then(when, |path, ()| {
            let mut parts = self.operation(&arm.operation, path);
            for (_, found) in &mut parts {
                if let Err(fault) = found {
                    fault.origin.get_or_insert(origin);
                }
            }
            then(parts, |path, ()| self.block(&arm.body, path))
        })
    }

    /// Goes on only where a condition holds.
    fn await_(&self, condition: &Expr, path: Path) -> Parts<()> {
        then(self.layout.condition(condition, path), |mut path, holds| match path.require(holds) {
            true => found(path, ()),
            false => Vec::new(),
        })
    }

    fn operation(&self, operation: &Operation, path: Path) -> Parts<()> {
        match operation {
            Operation::Await(condition) => self.await_(condition, path),
            Operation::Step { object, step, arguments, result } => {
                self.step(object, *step, arguments, *result, path)
            }
            Operation::Join(handle, result) => self.join(handle, *result, path),
            Operation::JoinAny(handles, which, result) => {
                self.join_any(handles, *which, *result, path)
            }
        }
    }

    /// A step of an object.
    fn step(
        &self,
        object: &Expr,
        step: StepId,
        arguments: &[Expr],
        result: Option<LocalId>,
        path: Path,
    ) -> Parts<()> {
        let of = object.of.object();
        let routine = &self.layout.program.objects[of.index()].steps[step.index()].routine;
        let target = result.zip(routine.result.clone());
        let target = target.map(|(local, of)| Target::local(local, of));
        let parameters = &routine.locals[1..routine.parameters];
        then(self.layout.object(object, path), |path, at| {
            let id = path.objects[at].id.clone();
            then(self.arguments(parameters, arguments, path), |path, env| {
                // The object itself comes before the parameters.
                let shifted = env.into_iter().map(|(local, row)| (LocalId(local.0 + 1), row));
                let env = shifted.chain([(LocalId(0), vec![id.clone()])]).collect();
                then(self.routine(routine, env, target.as_ref(), path), |path, _| found(path, ()))
            })
        })
    }

    /// Executes a routine, and assigns its result.
    fn routine(
        &self,
        routine: &Routine,
        env: Env,
        target: Option<&Target>,
        mut path: Path,
    ) -> Parts<Flow> {
        path.steps.push(env);
        then(self.block(&routine.body, path), |mut path, flow| {
            path.steps.pop();
            match (flow, target, &routine.result) {
                (Flow::Exit(Exit::Return, Some(row)), Some(target), Some(of)) => {
                    let fitting = self.fit(row, of, of, path);
                    then(fitting, |path, row| {
                        then(self.assign(target, of, row, path), |path, ()| found(path, Flow::Next))
                    })
                }
                _ => found(path, Flow::Next),
            }
        })
    }

    fn rounds(&self, id: LoopId, body: &Block, left: usize, path: Path) -> Parts<Flow> {
        if left == 0 {
            self.is_endless.set(true);
            return Vec::new();
        }
        then(self.block(body, path), |path, flow| match flow {
            Flow::Exit(Exit::Break(other), _) if other == id => found(path, Flow::Next),
            Flow::Exit(Exit::Continue(other), _) if other == id => {
                self.rounds(id, body, left - 1, path)
            }
            Flow::Next => self.rounds(id, body, left - 1, path),
            exit => found(path, exit),
        })
    }

    fn claim(&self, condition: &Expr, message: &str, path: Path) -> Parts<Flow> {
        then(self.layout.condition(condition, path), |path, holds| {
            unless(not(holds), || message.into(), path, |path| found(path, Flow::Next))
        })
    }

    /// A variable gets any value of a domain.
    pub(crate) fn choose(
        &self,
        local: LocalId,
        domain: &Domain,
        when: Option<&Expr>,
        path: Path,
    ) -> Parts<Flow> {
        let chosen = match domain {
            Domain::Type => unreachable!("the front end says which values there are"),
            Domain::Range(from, to) => {
                then(self.layout.each(&[from.clone(), to.clone()], path), |path, rows| {
                    let (Type::Int { min, .. }, Type::Int { max, .. }) = (&from.of, &to.of) else {
                        unreachable!("ranges are of numbers");
                    };
                    let (path, chosen) = self.any_of(Sort::Int { min: *min, max: *max }, path);
                    let least =
                        compute(net::BinaryOp::LessEqual, rows[0][0].clone(), chosen.clone());
                    let most =
                        compute(net::BinaryOp::LessEqual, chosen.clone(), rows[1][0].clone());
                    self.chosen(path, all([least, most]), vec![chosen])
                })
            }
            Domain::Collection(over) => then(self.layout.eval(over, path), |path, row| {
                let elements = self.layout.elements(&over.of, &row);
                let ways = elements.into_iter();
                ways.flat_map(|(is_there, row)| self.chosen(path.clone(), is_there, row)).collect()
            }),
        };
        then(chosen, |mut path, row| {
            path.env().insert(local, row);
            match when {
                Some(when) => then(self.await_(when, path), |path, ()| found(path, Flow::Next)),
                None => found(path, Flow::Next),
            }
        })
    }

    fn chosen(&self, mut path: Path, condition: NetExpr, row: Row) -> Parts<Row> {
        match path.require(condition) {
            true => found(path, row),
            false => Vec::new(),
        }
    }

    /// Any value of a sort.
    fn any_of(&self, sort: Sort, mut path: Path) -> (Path, NetExpr) {
        let var = path.variable(Scalar { sort, optional: false });
        path.parameters.push((var, sort));
        (path, NetExpr::Var(var))
    }

    fn parameters(&self, object: ObjectId) -> Vec<Named> {
        self.layout.program.objects[object.index()].parameters.clone()
    }

    /// The arguments of a call, as the callee sees them.
    fn arguments(&self, parameters: &[Named], arguments: &[Expr], path: Path) -> Parts<Env> {
        let mut parts = found(path, Env::new());
        for (number, (parameter, argument)) in (0..).zip(parameters.iter().zip(arguments)) {
            parts = then(parts, |path, env| {
                then(self.layout.eval(argument, path), |path, row| {
                    then(self.fit(row, &argument.of, &parameter.of, path), |path, row| {
                        let mut env = env.clone();
                        env.insert(LocalId(number), row);
                        found(path, env)
                    })
                })
            });
        }
        parts
    }

    /// Makes an object.
    fn make(&self, of: ObjectId, env: Env, mut path: Path) -> Parts<NetExpr> {
        let class = self.layout.class_of(of);
        let var = path.variable(Scalar { sort: Sort::Object(class), optional: false });
        path.news.push((var, class));
        path.steps.push(env);
        let fields = &self.layout.program.objects[of.index()].fields;
        let mut parts = found(path, Row::new());
        for field in fields {
            parts = then(parts, |path, rows| {
                then(self.layout.eval(&field.initial, path), |path, row| {
                    let fitting = self.fit(row, &field.initial.of, &field.variable.of, path);
                    then(fitting, |path, row| found(path, [&rows[..], &row].concat()))
                })
            });
        }
        then(parts, |mut path, row| {
            path.steps.pop();
            let fields = Shared { row, read: Vec::new(), is_written: true };
            path.objects.push(Object { of, id: NetExpr::Var(var), fields, is_new: true });
            found(path, NetExpr::Var(var))
        })
    }

    /// Starts a process.
    fn spawn(&self, process: ProcessId, arguments: &[Expr], path: Path) -> Parts<NetExpr> {
        let routine = &self.layout.program.processes[process.index()];
        let parameters = &routine.locals[..routine.parameters];
        then(self.arguments(parameters, arguments, path), |mut path, env| {
            let parent = path.threads[path.acting].var;
            let var = path.variable(Scalar { sort: Sort::Pid, optional: false });
            path.children.push(Child { var, parent, process, env });
            found(path, NetExpr::Var(var))
        })
    }

    /// Goes on where a process has ended, with its result.
    fn join(&self, handle: &Expr, result: Option<LocalId>, path: Path) -> Parts<()> {
        then(self.layout.eval(handle, path), |path, row| {
            let is_missing = self.layout.is_missing(&handle.of, &row);
            unless(
                is_missing,
                || "there is no process".into(),
                path,
                |path| self.joined(&handle.of, row[0].clone(), result, path),
            )
        })
    }

    fn join_any(
        &self,
        handles: &Expr,
        which: Option<LocalId>,
        result: Option<LocalId>,
        path: Path,
    ) -> Parts<()> {
        let (Type::Set(of, _) | Type::Sequence(of, _)) = &handles.of else {
            unreachable!("a collection of handles");
        };
        then(self.layout.eval(handles, path), |path, row| {
            let elements = self.layout.elements(&handles.of, &row).into_iter();
            let ways = elements.flat_map(|(is_there, row)| {
                then(self.chosen(path.clone(), is_there, row), |mut path, row| {
                    if let Some(which) = which {
                        path.env().insert(which, row.clone());
                    }
                    self.joined(of, row[0].clone(), result, path)
                })
            });
            ways.collect()
        })
    }

    fn joined(&self, of: &Type, thread: NetExpr, result: Option<LocalId>, path: Path) -> Parts<()> {
        then(self.layout.ended(thread.clone(), path), |mut path, has_ended| {
            if has_ended[0] == FALSE {
                return Vec::new();
            }
            debug_assert_eq!(has_ended[0], TRUE, "it is one or the other");
            let process = match of {
                Type::Handle(process) => *process,
                Type::Optional(inner) => match **inner {
                    Type::Handle(process) => process,
                    _ => None,
                },
                _ => None,
            };
            let value = process.and_then(|process| {
                let result = &self.layout.program.processes[process.index()].result;
                Some((process, result.clone()?))
            });
            if let (Some(local), Some((process, value))) = (result, value) {
                let optional = Type::Optional(Box::new(value));
                let vars = path.fresh_row(&self.layout.scalars(&optional));
                let row = vars.iter().map(|var| NetExpr::Var(*var)).collect();
                path.env().insert(local, row);
                path.results.push((process, thread.clone(), vars));
            }
            found(path, ())
        })
    }
}
