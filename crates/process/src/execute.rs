//! What is done at once: the statements of a step, of an `atomic` block, of an arm.
//!
//! Each way through them is a path of its own. It goes on past an `await` only where that holds.

mod assign;
mod threads;

use net::{BinaryOp, Expr as NetExpr, Literal, Origin, Sort};

use crate::evaluate::{Halt, Parts, awaited, blocked, found, guarded, then, unless};
use crate::formula::{FALSE, all, bare, compute, either, equal, not};
use crate::layout::Scalar;
use crate::meet::StepCall;
use crate::path::{Choice, Doom, Env, Object, Path, Row, Script, Shared};
use crate::run::{Runner, innermost};
use program::graph::{Exit, Way};
use program::{
    Action, Arm, Block, Domain, Expr, LocalId, LoopId, Named, ObjectId, Operation, Routine, Select,
    Statement, StepId, Target, Type,
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
    /// In another way, with a result and its type where the routine is left.
    Exit(Exit, Option<(Row, Type)>),
}

impl Runner<'_> {
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
            if let Err(Halt::Fault(fault)) = found {
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
                found(path, Flow::Exit(Exit::Return, Some((row, value.of.clone()))))
            }),
            Action::Choose(local, domain, when) => self.choose(*local, domain, when.as_ref(), path),
            Action::Either(blocks) => {
                let ways = path.ways(blocks.len()).into_iter();
                let chosen = ways.flat_map(|(mut path, number)| {
                    let block = &blocks[number];
                    path.note_branch(number, blocks.len(), Way::of(block, origin));
                    self.block(block, path)
                });
                chosen.collect()
            }
            Action::Assert(condition) | Action::Require(condition) => {
                self.claim(condition, origin, path)
            }
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
                let doom = match action {
                    Action::Kill(_) => Doom::Kill,
                    _ => Doom::Crash,
                };
                then(self.kill(handle, doom, path), next)
            }
            Action::Defer(_) => unreachable!("its block sees to what is deferred in it"),
            Action::Call(target, function, arguments) => {
                let routine = &layout.program.functions[function.index()];
                if path.steps.len() >= MOST_CALLS {
                    let what = format!("calls within one step are more than {MOST_CALLS} deep");
                    self.refuse(
                        what,
                        "a function that is called at once must not call itself for ever",
                    );
                    return Vec::new();
                }
                let parameters = &routine.locals[..routine.parameters];
                then(self.arguments(parameters, arguments, path), |path, env| {
                    self.routine(routine, env, target.as_ref(), path)
                })
            }
            Action::Select(select) => self.select(select, origin, path),
        }
    }

    /// Executes an arm that can be taken, or what is to be done if none can.
    fn select(&self, select: &Select, origin: Origin, path: Path) -> Parts<Flow> {
        let mut parts = Vec::new();
        if let Some(otherwise) = &select.otherwise {
            let mut unable = vec![path.clone()];
            for arm in &select.arms {
                let attempt =
                    |path: Path| self.arm(&Arm { body: vec![], ..arm.clone() }, origin, path);
                unable = unable.into_iter().flat_map(|path| self.unable(path, &attempt)).collect();
            }
            parts.extend(unable.into_iter().flat_map(|path| self.block(otherwise, path)));
        }
        for (path, way) in path.ways(select.arms.len()) {
            parts.extend(self.arm(&select.arms[way], origin, path));
        }
        parts
    }

    /// The parts of a path on which something cannot be done, whatever is chosen on the way.
    pub(crate) fn unable<T>(&self, path: Path, attempt: &dyn Fn(Path) -> Parts<T>) -> Vec<Path> {
        let mut open = vec![(path.clone(), Script::default())];
        let mut unable = Vec::new();
        while let Some((known, script)) = open.pop() {
            for (mut after, outcome) in attempt(Path { script: Some(script), ..known }) {
                if !matches!(outcome, Err(Halt::Blocked)) {
                    continue;
                }
                let next = after.script.take().and_then(Script::next);
                let after = after.undone(&path);
                match next {
                    Some(script) => open.push((after, script)),
                    None => unable.push(after),
                }
            }
        }
        unable
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
                if let Err(Halt::Fault(fault)) = found {
                    fault.origin.get_or_insert(origin);
                }
            }
            then(parts, |path, ()| self.block(&arm.body, path))
        })
    }

    /// Goes on only where a condition holds.
    pub(crate) fn await_(&self, condition: &Expr, path: Path) -> Parts<()> {
        let evaluated = guarded(path, |path| self.layout.condition(condition, path));
        then(evaluated, |path, holds| awaited(&holds, path))
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

    /// A step of an object: by itself, or together with another thread that does another step of it.
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
        then(guarded(path, |path| self.layout.object(object, path)), |path, at| {
            let object = path.objects[at].id.clone();
            let arguments = |path| self.arguments(parameters, arguments, path);
            then(guarded(path, arguments), |path, env| {
                let arguments: Vec<Row> = env.into_values().collect();
                let rows = [vec![object.clone()]].into_iter().chain(arguments.iter().cloned());
                let env = (0..).map(LocalId).zip(rows).collect();
                let call = StepCall { of, step, object: object.clone(), arguments, result };
                let mut parts = self.meet(&call, &path);
                let done = self.routine(routine, env, target.as_ref(), path);
                parts.extend(then(done, |path, _| found(path, ())));
                parts
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
            match (flow, &routine.result) {
                (Flow::Exit(Exit::Return, Some((row, from))), Some(of)) => {
                    then(self.layout.fit(row, &from, of, path), |path, row| match target {
                        Some(target) => {
                            let assigned = self.assign(target, of, row, path);
                            then(assigned, |path, ()| found(path, Flow::Next))
                        }
                        None => found(path, Flow::Next),
                    })
                }
                _ => found(path, Flow::Next),
            }
        })
    }

    fn rounds(&self, id: LoopId, body: &Block, left: usize, path: Path) -> Parts<Flow> {
        if left == 0 {
            let what = format!("a loop within one step goes round more than {MOST_ROUNDS} times");
            self.refuse(
                what,
                "what is in a step or an `atomic` block is done at once: its loops have an end",
            );
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

    fn claim(&self, condition: &Expr, origin: Origin, path: Path) -> Parts<Flow> {
        let message = || match self.layout.program.written(origin) {
            Some(line) => format!("`{}` does not hold", line.text),
            None => "what is claimed does not hold".to_owned(),
        };
        then(self.layout.condition(condition, path), |path, holds| {
            unless(not(holds), message, path, |path| found(path, Flow::Next))
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
            Domain::Type(of) | Domain::Forgotten(of) => {
                let sort =
                    self.layout.sort(of).expect("the front end sees to it: it is one scalar");
                self.any_of(sort, path)
            }
            Domain::Range(from, to) => {
                let ends = [from.clone(), to.clone()];
                then(guarded(path, |path| self.layout.each(&ends, path)), |path, rows| {
                    let (Type::Int { min, .. }, Type::Int { max, .. }) = (&from.of, &to.of) else {
                        unreachable!("ranges are of numbers");
                    };
                    if min > max {
                        return blocked(path);
                    }
                    then(self.any_of(Sort::Int { min: *min, max: *max }, path), |path, chosen| {
                        let from =
                            compute(BinaryOp::LessEqual, rows[0][0].clone(), chosen[0].clone());
                        let to =
                            compute(BinaryOp::LessEqual, chosen[0].clone(), rows[1][0].clone());
                        then(awaited(&all([from, to]), path), |path, ()| {
                            found(path, chosen.clone())
                        })
                    })
                })
            }
            Domain::Collection(over) => {
                then(guarded(path, |path| self.layout.eval(over, path)), |path, row| {
                    self.any_element(&over.of, &row, path)
                })
            }
        };
        then(chosen, |mut path, row| {
            if path.steps.is_empty() {
                let graph = self.routines.graph(innermost(&path));
                let named = graph.locals[local.index()].clone();
                path.choices.push(Choice::Value(named, row.clone()));
            }
            path.env().insert(local, row);
            match when {
                Some(when) => then(self.await_(when, path), |path, ()| found(path, Flow::Next)),
                None => found(path, Flow::Next),
            }
        })
    }

    /// Any element of a collection.
    fn any_element(&self, of: &Type, row: &[NetExpr], path: Path) -> Parts<Row> {
        let elements = self.layout.elements(of, row);
        if elements.is_empty() {
            return blocked(path);
        }
        if elements.len() > 1 && path.is_whole() {
            return self.any_index(&elements, path);
        }
        let ways = path.ways(elements.len()).into_iter();
        let parts = ways.flat_map(|(path, way)| {
            let (is_there, element) = elements[way].clone();
            then(awaited(&is_there, path), |path, ()| found(path, element.clone()))
        });
        parts.collect()
    }

    /// Any element, by its index: one path for all of them.
    fn any_index(&self, elements: &[(NetExpr, Row)], path: Path) -> Parts<Row> {
        let (last, others) = elements.split_last().expect("there are some");
        let sort = Sort::Int { min: 0, max: others.len() as i64 };
        then(self.any_of(sort, path), |path, index| {
            let mut any = last.clone();
            for (number, (is_there, element)) in others.iter().enumerate().rev() {
                let is_it = equal(index[0].clone(), NetExpr::int(number as i64));
                let row = element.iter().cloned().zip(any.1);
                let row = row.map(|(one, other)| either(&is_it, one, other)).collect();
                any = (either(&is_it, is_there.clone(), any.0), row);
            }
            let (is_there, element) = any;
            then(awaited(&is_there, path), |path, ()| found(path, element.clone()))
        })
    }

    /// Any value of a sort. Where it is asked what cannot be done, each is tried.
    fn any_of(&self, sort: Sort, mut path: Path) -> Parts<Row> {
        if path.script.is_none() {
            let var = path.variable(Scalar { sort, optional: false });
            path.parameters.push((var, sort));
            return found(path, vec![NetExpr::Var(var)]);
        }
        let values = self.layout.values(sort);
        if values.is_none() {
            let help = "choose from fewer values, which are not members of a symmetric class";
            self.refuse("what is chosen here cannot be tried one by one, as `else` needs", help);
        }
        let values = values.unwrap_or_default();
        let ways = path.ways(values.len()).into_iter();
        ways.map(|(path, way)| (path, Ok(vec![NetExpr::Literal(values[way])]))).collect()
    }

    fn parameters(&self, object: ObjectId) -> Vec<Named> {
        self.layout.program.objects[object.index()].parameters.clone()
    }

    /// The arguments of a call, as the callee sees them.
    pub(crate) fn arguments(
        &self,
        parameters: &[Named],
        arguments: &[Expr],
        path: Path,
    ) -> Parts<Env> {
        let mut parts = found(path, Env::new());
        for (number, (parameter, argument)) in (0..).zip(parameters.iter().zip(arguments)) {
            parts = then(parts, |path, env| {
                then(self.layout.eval(argument, path), |path, row| {
                    then(self.layout.fit(row, &argument.of, &parameter.of, path), |path, row| {
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
                    let fitting = self.layout.fit(row, &field.initial.of, &field.variable.of, path);
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

    /// Goes on where a process has ended, with its result.
    fn join(&self, handle: &Expr, result: Option<LocalId>, path: Path) -> Parts<()> {
        then(guarded(path, |path| self.layout.eval(handle, path)), |path, row| {
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
        then(guarded(path, |path| self.layout.eval(handles, path)), |path, row| {
            then(self.any_element(&handles.of, &row, path), |mut path, row| {
                if let Some(which) = which {
                    path.env().insert(which, row.clone());
                }
                self.joined(of, row[0].clone(), result, path)
            })
        })
    }

    fn joined(&self, of: &Type, thread: NetExpr, result: Option<LocalId>, path: Path) -> Parts<()> {
        let thread = bare(thread);
        then(self.layout.ended(thread.clone(), path), |mut path, has_ended| {
            if has_ended[0] == FALSE {
                return blocked(path);
            }
            if let Some(local) = result {
                let row = self.result(of, &thread, &mut path);
                path.env().insert(local, row);
            }
            found(path, ())
        })
    }

    /// What a thread that has ended has given back: nothing if it was killed or crashed.
    fn result(&self, of: &Type, thread: &NetExpr, path: &mut Path) -> Row {
        let layout = &self.layout;
        let process = match of {
            Type::Optional(inner) => return self.result(inner, thread, path),
            Type::Handle(process) => *process,
            _ => None,
        };
        let value = process.and_then(|process| {
            let result = layout.program.processes[process.index()].result.clone();
            result.map(|of| (process, of))
        });
        let here = path.threads.iter().find(|other| NetExpr::Var(other.var) == *thread);
        match (value, here.and_then(|here| here.end.clone())) {
            (Some((_, of)), Some(end)) => layout.optional(&of, end.result()),
            (None, Some(end)) => vec![NetExpr::Literal(Literal::Bool(end.is_return()))],
            (Some((process, of)), None) => {
                let known =
                    path.results.iter().find(|(other, by, _)| (*other, by) == (process, thread));
                let vars = match known {
                    Some((.., vars)) => vars.clone(),
                    None => {
                        let optional = Type::Optional(Box::new(of));
                        let vars = path.fresh_row(&layout.scalars(&optional));
                        path.results.push((process, thread.clone(), vars.clone()));
                        vars
                    }
                };
                vars.into_iter().map(NetExpr::Var).collect()
            }
            (None, None) => {
                let number = path.endings.iter().position(|ending| ending.thread == *thread);
                let number = number.expect("it is known that it has ended");
                let var = match path.endings[number].how {
                    Some(var) => var,
                    None => path.variable(Scalar { sort: Sort::Bool, optional: false }),
                };
                path.endings[number].how = Some(var);
                vec![NetExpr::Var(var)]
            }
        }
    }
}
