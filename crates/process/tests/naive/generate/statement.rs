//! Random statements.

use net::{BinaryOp, Origin};
use program::{
    Action, Arm, Block, Domain, Expr, FieldId, Form, FunctionId, LocalId, LoopId, ObjectId,
    Operation, ProcessId, Root, Select, Statement, StepId, Target, Type,
};

use super::expression::compare;
use super::members::mentions_member;
use super::{CELL, Context, Features, Generator, MUTEX, NODE, PORT, int, number, optional};

/// Whether one may have to wait at a step.
fn may_block(of: ObjectId, step: usize) -> bool {
    match of {
        MUTEX => step == 0,
        CELL => step == 0 || step == 1 || step == 6,
        NODE => step == 3,
        _ => true,
    }
}

impl Generator<'_> {
    /// A step of the first process at which it does not wait.
    pub(super) fn first_step(&mut self) -> Statement {
        let globals = self.globals_of(|of| !matches!(of, Type::Object(_)));
        let id = *self.random.pick(&globals);
        let of = self.program.globals[id.index()].variable.of.clone();
        let value = self.first(&of);
        self.statement(Action::Assign(Target { root: Root::Global(id), path: vec![], of }, value))
    }

    pub(super) fn block_of(&mut self, context: &mut Context, size: usize) -> Block {
        let mut block = Vec::new();
        for _ in 0..size {
            let statement = self.any_statement(context);
            let leaves = matches!(
                statement.action,
                Action::Break(_) | Action::Continue(_) | Action::Return(_)
            );
            block.push(statement);
            if leaves {
                break;
            }
        }
        block
    }

    fn inner(&mut self, context: &Context, size: usize) -> Block {
        let mut inner = Context { depth: context.depth + 1, ..context.clone() };
        self.block_of(&mut inner, size)
    }

    fn any_statement(&mut self, context: &mut Context) -> Statement {
        let action = match context.at_once {
            true => self.action_at_once(context),
            false => self.action(context),
        };
        self.statement(action)
    }

    fn action_at_once(&mut self, context: &mut Context) -> Action {
        let size = 1;
        match self.random.below(12) {
            0..=3 => self.assignment(context),
            4 if context.depth < 4 => {
                let condition = self.condition(context, 1);
                let (yes, no) = (self.inner(context, size), self.inner(context, size));
                Action::If(condition, yes, no)
            }
            5 if context.depth < 4 => {
                Action::Either(vec![self.inner(context, size), self.inner(context, size)])
            }
            6 => self.choice(context),
            7 => self.wait_for(context),
            8 if self.features.faults && self.percent(15) => {
                Action::Assert(self.condition(context, 1))
            }
            9 if !context.is_step => self.step_call(context),
            11 if !context.is_step && context.depth < 4 => self.ending_or_else(context),
            10 if context.can_return && !context.is_deferred => self.exit(context),
            _ => self.assignment(context),
        }
    }

    /// `kill`, `crash`, or a `select` with `else`, in what is done at once.
    fn ending_or_else(&mut self, context: &mut Context) -> Action {
        let handle = self.handle(context);
        match (self.random.below(4), handle) {
            (0, Some(handle)) if self.features.kill => Action::Kill(handle),
            (1, Some(handle)) if self.features.crash => Action::Crash(handle),
            _ if self.features.otherwise => {
                let Some(operation) = self.step_operation(context) else {
                    return self.assignment(context);
                };
                let when = self.percent(20).then(|| self.condition(context, 0));
                let (body, origin) = (self.inner(context, 1), Origin::default());
                let arm = Arm { label: None, when, operation, body, origin };
                let otherwise = Some(self.inner(context, 1));
                Action::Select(Select { arms: vec![arm], otherwise, idle: false })
            }
            _ => self.assignment(context),
        }
    }

    fn action(&mut self, context: &mut Context) -> Action {
        let is_deep = context.depth >= 3;
        match self.random.below(40) {
            0..=5 => self.assignment(context),
            6..=8 if !is_deep => {
                let condition = self.condition(context, 1);
                let size = 1 + self.random.below(2_usize);
                let yes = self.inner(context, size);
                let no = if self.percent(40) { self.inner(context, 1) } else { vec![] };
                Action::If(condition, yes, no)
            }
            9..=11 if !is_deep => self.repetition(context),
            12 if !is_deep => Action::Either(vec![self.inner(context, 1), self.inner(context, 1)]),
            13 => self.choice(context),
            14 | 37 if !is_deep => {
                let mut inside =
                    Context { at_once: true, depth: context.depth + 1, ..context.clone() };
                match self.features.meetings && self.percent(40) {
                    true => Action::Atomic(self.block_with_meeting(&mut inside)),
                    false => Action::Atomic(self.block_of(&mut inside, 2)),
                }
            }
            15 if self.features.faults && self.percent(25) => {
                let condition = self.condition(context, 1);
                if self.percent(50) {
                    Action::Assert(condition)
                } else {
                    Action::Require(condition)
                }
            }
            16 if self.features.labels => Action::Label(self.label()),
            17 => self.spawn(context).action,
            18 | 19 if self.features.kill => match self.handle(context) {
                Some(handle) => Action::Kill(handle),
                None => self.step_call(context),
            },
            20 if self.features.crash => match self.handle(context) {
                Some(handle) => Action::Crash(handle),
                None => self.step_call(context),
            },
            21..=23 if self.features.defers && !is_deep => {
                let mut inside = Context {
                    is_deferred: true,
                    can_return: false,
                    loops: vec![],
                    depth: context.depth + 1,
                    ..context.clone()
                };
                let size = 1 + self.random.below(2_usize);
                Action::Defer(self.block_of(&mut inside, size))
            }
            24..=26 if self.features.functions && !self.functions.is_empty() => self.call(context),
            27 if context.can_return && self.percent(25) => self.exit(context),
            28 if !is_deep => Action::Block(self.inner(context, 2)),
            29 | 30 => self.new_object(context),
            31..=33 if !is_deep => self.select(context),
            34 if self.percent(50) => self.wait_for(context),
            35 | 36 => self.join(context).unwrap_or_else(|| self.step_call(context)),
            _ => self.step_call(context),
        }
    }

    /// Statements that are done at once, with a rendezvous among them. Nothing else goes wrong there, and nobody is
    /// ended.
    fn block_with_meeting(&mut self, context: &mut Context) -> Block {
        let features = self.features;
        let (kill, crash, otherwise, faults) = (false, false, false, false);
        self.features = Features { kill, crash, otherwise, faults, ..features };
        let ports = self.references(PORT, context);
        let size = self.random.below(3_usize);
        let mut block = self.block_of(context, size);
        if !ports.is_empty() {
            let operation = self.operation_on(&ports, context);
            let mut action = self.select_one(operation);
            if self.percent(20) {
                let meets = vec![self.statement(action)];
                action = Action::Either(vec![meets, self.inner(context, 1)]);
            }
            let at = self.random.below(block.len() + 1);
            let meets = self.statement(action);
            block.insert(at, meets);
        }
        self.features = features;
        block
    }

    /// Something that is not local.
    pub(super) fn step_for_sure(&mut self, context: &mut Context) -> Statement {
        if self.percent(60) {
            return self.first_step();
        }
        let action = self.step_call(context);
        self.statement(action)
    }

    fn exit(&mut self, context: &mut Context) -> Action {
        match context.loops.last() {
            Some(_) if self.percent(60) => {
                let id = *self.random.pick(&context.loops);
                if self.percent(60) { Action::Break(id) } else { Action::Continue(id) }
            }
            _ => match &context.result.clone() {
                Some(of) => Action::Return(Some(self.expression(of, context, 1))),
                None => Action::Return(None),
            },
        }
    }

    /// A local variable of a type.
    fn local_of(&mut self, context: &Context, fits: impl Fn(&Type) -> bool) -> Option<LocalId> {
        let locals = (0..).map(LocalId).zip(context.locals.iter().zip(&context.writable));
        let found = locals.filter(|(_, (of, writable))| **writable && fits(of));
        let found: Vec<LocalId> = found.map(|(id, _)| id).collect();
        (!found.is_empty()).then(|| *self.random.pick(&found))
    }

    fn assignment(&mut self, context: &mut Context) -> Action {
        let objects: Vec<Expr> =
            [CELL, NODE].iter().flat_map(|of| self.references(*of, context)).collect();
        let target = match self.random.below(10) {
            0..=2 => {
                let is_there = |of: &Type| context.has_member() || !mentions_member(of);
                let globals = self.globals_of(|of| !matches!(of, Type::Object(_)) && is_there(of));
                let id = *self.random.pick(&globals);
                let of = self.program.globals[id.index()].variable.of.clone();
                Target { root: Root::Global(id), path: vec![], of }
            }
            3 | 4 if !objects.is_empty() => {
                let object = self.random.pick(&objects).clone();
                let (field, of) = match object.of.object() {
                    CELL if self.percent(50) => (0, int(0, 2)),
                    CELL => (1, Type::Bool),
                    _ if self.percent(50) => (0, optional(Type::Object(NODE))),
                    _ => (1, optional(Type::Handle(None))),
                };
                Target { root: Root::Field(object, FieldId(field)), path: vec![], of }
            }
            _ => match self.local_of(context, |of| !matches!(of, Type::Object(_))) {
                Some(local) => Target::local(local, context.locals[local.index()].clone()),
                None => return self.wait_for(context),
            },
        };
        let mut target = target;
        let mut of = target.of.clone();
        if let Type::Record(_) = of
            && self.percent(50)
        {
            let index = self.random.below(2_usize);
            let way = program::Selector::Component(index);
            of = self.program.inside(&of, &way);
            target.path.push(way);
        } else if let Type::Sequence(_, _) = of
            && self.features.faults
            && self.percent(10)
        {
            let way = program::Selector::Element(number(0));
            of = self.program.inside(&of, &way);
            target.path.push(way);
        }
        let value = self.expression(&of, context, 2);
        let fits = self.features.faults || of.includes(&value.of);
        let value = if fits || matches!(of, Type::Object(_)) { value } else { self.first(&of) };
        Action::Assign(target, value)
    }

    /// References to objects of a type, perhaps some that may be none.
    fn references(&mut self, of: ObjectId, context: &Context) -> Vec<Expr> {
        let mut found = Vec::new();
        for (index, local) in (0..).zip(&context.locals) {
            let is_one = *local == Type::Object(of);
            let may_be = self.features.faults && *local == optional(Type::Object(of));
            if is_one || (may_be && self.percent(8)) {
                found.push(Expr::local(LocalId(index), local.clone()));
            }
        }
        for id in self.globals_of(|global| *global == Type::Object(of)) {
            found.push(Expr { form: Form::Global(id), of: Type::Object(of) });
        }
        found
    }

    /// A handle of a process, perhaps one that may be none.
    fn handle(&mut self, context: &Context) -> Option<Expr> {
        let mut found = Vec::new();
        for (index, local) in (0..).zip(&context.locals) {
            let handle = Expr::local(LocalId(index), local.clone());
            match local {
                Type::Handle(_) => found.push(handle),
                Type::Optional(inner)
                    if matches!(**inner, Type::Handle(_))
                        && self.features.faults
                        && self.percent(12) =>
                {
                    found.push(handle);
                }
                _ => {}
            }
        }
        if self.percent(10) {
            found.push(Expr { form: Form::This, of: Type::Handle(None) });
        }
        (!found.is_empty()).then(|| self.random.pick(&found).clone())
    }

    fn choice(&mut self, context: &mut Context) -> Action {
        if context.has_member() && self.percent(60) {
            return self.choice_of_members(context);
        }
        let Some(local) = self.local_of(context, |of| matches!(of, Type::Int { .. })) else {
            return self.wait_for(context);
        };
        let Type::Int { max, .. } = context.locals[local.index()] else {
            unreachable!("it is a number")
        };
        let top = match self.percent(30) {
            true => {
                let top = self.expression(&int(0, max), context, 0);
                if int(0, max).includes(&top.of) { top } else { number(max) }
            }
            false => number(max),
        };
        let when = self.percent(30).then(|| self.condition(context, 0));
        Action::Choose(local, Domain::Range(number(0), top), when)
    }

    fn wait_for(&mut self, context: &mut Context) -> Action {
        let condition = self.condition(context, 1);
        self.select_one(Operation::Await(condition))
    }

    fn select_one(&mut self, operation: Operation) -> Action {
        let origin = Origin::default();
        let arm = Arm { label: None, when: None, operation, body: vec![], origin };
        let idle = self.features.idle && self.percent(10);
        Action::Select(Select { arms: vec![arm], otherwise: None, idle })
    }

    fn step_operation(&mut self, context: &Context) -> Option<Operation> {
        let kinds = self.program.objects.len() as u32;
        let mut objects = Vec::new();
        for kind in (0..kinds).map(ObjectId) {
            if kind == PORT && (context.at_once || !self.features.meetings) {
                continue;
            }
            objects.extend(self.references(kind, context));
        }
        (!objects.is_empty()).then(|| self.operation_on(&objects, context))
    }

    /// A step of one of some objects.
    fn operation_on(&mut self, objects: &[Expr], context: &Context) -> Operation {
        // Fewer of those at which one may have to wait.
        let mut tries = 0;
        let (object, of, index) = loop {
            tries += 1;
            let object = self.random.pick(objects).clone();
            let of = object.of.object();
            let mut index = self.random.below(self.program.objects[of.index()].steps.len());
            if (of, index) == (MUTEX, 1) && !self.features.faults {
                // Not to be held would be a fault.
                index = 2;
            }
            if tries == 4 || !may_block(of, index) || self.percent(35) {
                break (object, of, index);
            }
        };
        let steps = &self.program.objects[of.index()].steps;
        let routine = steps[index].routine.clone();
        let mut arguments = Vec::new();
        for parameter in &routine.locals[1..routine.parameters] {
            let argument = self.expression(&parameter.of, context, 1);
            let fits = self.features.faults || parameter.of.includes(&argument.of);
            arguments.push(if fits { argument } else { self.first(&parameter.of) });
        }
        let result = match &routine.result {
            Some(of) => self.local_of(context, |local| local == of),
            None => None,
        };
        Operation::Step { object, step: StepId(index as u32), arguments, result }
    }

    fn step_call(&mut self, context: &mut Context) -> Action {
        match self.step_operation(context) {
            Some(operation) => self.select_one(operation),
            None => {
                let is_there = |of: &Type| context.has_member() || !mentions_member(of);
                let globals = self.globals_of(|of| !matches!(of, Type::Object(_)) && is_there(of));
                let id = globals[0];
                let of = self.program.globals[id.index()].variable.of.clone();
                let value = self.first(&of);
                Action::Assign(Target { root: Root::Global(id), path: vec![], of }, value)
            }
        }
    }

    fn join_operation(&mut self, context: &Context) -> Option<Operation> {
        let collections: Vec<LocalId> = (0..)
            .map(LocalId)
            .zip(&context.locals)
            .filter(|(_, of)| match of {
                Type::Set(of, _) | Type::Sequence(of, _) => matches!(**of, Type::Handle(_)),
                _ => false,
            })
            .map(|(id, _)| id)
            .collect();
        if !collections.is_empty() && self.percent(50) {
            let id = *self.random.pick(&collections);
            let all = Expr::local(id, context.locals[id.index()].clone());
            let which = self.local_of(context, |of| *of == Type::Handle(None));
            return Some(Operation::JoinAny(all, which, None));
        }
        let handle = self.handle(context)?;
        let kind = match &handle.of {
            Type::Handle(kind) => *kind,
            Type::Optional(inner) => match **inner {
                Type::Handle(kind) => kind,
                _ => None,
            },
            _ => None,
        };
        let result = kind.and_then(|kind| self.processes[kind.index()].1.clone());
        let local = match result {
            Some(of) => self.local_of(context, |local| *local == optional(of.clone())),
            None => self.local_of(context, |local| *local == Type::Bool),
        };
        Some(Operation::Join(handle, local))
    }

    fn join(&mut self, context: &mut Context) -> Option<Action> {
        let operation = self.join_operation(context)?;
        Some(self.select_one(operation))
    }

    fn select(&mut self, context: &mut Context) -> Action {
        let origin = Origin::default();
        let mut arms = Vec::new();
        for _ in 0..1 + self.random.below(3_usize) {
            let operation = match self.random.below(4) {
                0 => Operation::Await(self.condition(context, 1)),
                1 => match self.join_operation(context) {
                    Some(operation) => operation,
                    None => continue,
                },
                _ => match self.step_operation(context) {
                    Some(operation) => operation,
                    None => continue,
                },
            };
            let when = self.percent(25).then(|| self.condition(context, 0));
            arms.push(Arm { label: None, when, operation, body: vec![], origin });
        }
        for arm in &mut arms {
            let size = self.random.below(2_usize);
            arm.body = self.inner(context, size);
        }
        let otherwise = (self.features.otherwise && self.percent(35)).then(|| {
            let size = self.random.below(2_usize);
            self.inner(context, size)
        });
        let idle = self.features.idle && otherwise.is_none() && self.percent(10);
        Action::Select(Select { arms, otherwise, idle })
    }

    /// A loop that goes round by a step, and is perhaps never left.
    pub(super) fn endless(&mut self, context: &Context) -> Statement {
        self.next_loop += 1;
        let id = LoopId(self.next_loop);
        let mut inside = context.clone();
        inside.loops.push(id);
        inside.depth += 2;
        let mut body = Vec::new();
        let size = self.random.below(2_usize);
        if self.percent(60) {
            body.extend(self.of_mutex(0, context));
            body.extend(self.block_of(&mut inside, size));
            body.extend(self.of_mutex(2, context));
        }
        if body.len() < 2 {
            body.push(self.step_for_sure(&mut inside));
            body.extend(self.block_of(&mut inside, size + 1));
        }
        self.statement(Action::Loop(id, body))
    }

    /// A step of a mutex that all processes know, if there is one.
    pub(super) fn of_mutex(&mut self, step: u32, context: &Context) -> Option<Statement> {
        let known = self.references(MUTEX, context).into_iter();
        let object = { known }.find(|object| matches!(object.form, Form::Global(_)))?;
        let step = StepId(step);
        let operation = Operation::Step { object, step, arguments: vec![], result: None };
        let action = self.select_one(operation);
        Some(self.statement(action))
    }

    fn repetition(&mut self, context: &mut Context) -> Action {
        self.next_loop += 1;
        let id = LoopId(self.next_loop);
        let mut inside = context.clone();
        inside.loops.push(id);
        inside.depth += 1;
        let mut body = Vec::new();
        if !self.features.loops_without_steps || self.percent(70) {
            body.push(self.step_for_sure(&mut inside));
        }
        let size = 1 + self.random.below(2_usize);
        body.extend(self.block_of(&mut inside, size));
        if !body.iter().any(|s| matches!(s.action, Action::Break(_) | Action::Return(_)))
            && self.percent(60)
        {
            let leave = self.statement(Action::Break(id));
            let condition = self.condition(&inside, 1);
            let leave = self.statement(Action::If(condition, vec![leave], vec![]));
            body.insert(self.random.below(body.len() + 1), leave);
        }
        Action::Loop(id, body)
    }

    pub(super) fn spawn(&mut self, context: &mut Context) -> Statement {
        let kinds = self.processes.len() as u32;
        let kind = ProcessId(1 + self.random.below(kinds - 1));
        let parameters = self.processes[kind.index()].0.clone();
        let mut arguments = Vec::new();
        for of in &parameters {
            if let Type::Object(object) = of
                && self.references(*object, context).iter().all(|r| r.of != *of)
            {
                let fallback = self.step_call(context);
                return self.statement(fallback);
            }
            let argument = self.expression(of, context, 0);
            let fits = of.includes(&argument.of);
            arguments.push(if fits { argument } else { self.first(of) });
        }
        let handle = Type::Handle(Some(kind));
        let target = self.local_of(context, |of| *of == handle || *of == Type::Handle(None));
        let target = target.map(|id| Target::local(id, context.locals[id.index()].clone()));
        self.statement(Action::Spawn(target, kind, arguments))
    }

    fn call(&mut self, context: &mut Context) -> Action {
        // In something deferred functions that call themselves are refused.
        let own = context.function.filter(|own| self.is_ordered[own.index()]);
        let is_limited = own.is_some() || context.is_deferred;
        let ids = (0..self.functions.len() as u32).map(FunctionId);
        let may_be_called = |id: &FunctionId| {
            !is_limited || (self.is_ordered[id.index()] && own.is_none_or(|own| own < *id))
        };
        let ids: Vec<FunctionId> = ids.filter(may_be_called).collect();
        if ids.is_empty() {
            return self.step_call(context);
        }
        let id = *self.random.pick(&ids);
        let (parameters, result) = self.functions[id.index()].clone();
        let mut arguments = Vec::new();
        let is_inner = context.function.is_some();
        for (index, of) in parameters.iter().enumerate() {
            if let Type::Object(object) = of
                && self.references(*object, context).iter().all(|r| r.of != *of)
            {
                return self.step_call(context);
            }
            let argument = match index {
                0 if is_inner => {
                    let form = Form::Binary(
                        BinaryOp::Subtract,
                        Box::new(Expr::local(LocalId(0), int(0, 3))),
                        Box::new(number(1)),
                    );
                    Expr { form, of: int(-1, 2) }
                }
                0 => number(2 + i64::from(self.random.below(2))),
                _ => self.expression(of, context, 0),
            };
            let fits = of.includes(&argument.of) || index == 0;
            arguments.push(if fits { argument } else { self.first(of) });
        }
        let target = result.and_then(|of| {
            let local = self.local_of(context, |local| *local == of)?;
            Some(Target::local(local, of))
        });
        let call = Action::Call(target, id, arguments);
        if !is_inner {
            return call;
        }
        // It ends: the first parameter gets smaller.
        let call = self.statement(call);
        let some = compare(BinaryOp::Greater, Expr::local(LocalId(0), int(0, 3)), number(0));
        Action::If(some, vec![call], vec![])
    }

    fn new_object(&mut self, context: &mut Context) -> Action {
        let Some(local) = self.local_of(context, |of| matches!(of, Type::Object(_))) else {
            return self.step_call(context);
        };
        let of = context.locals[local.index()].clone();
        Action::New(Target::local(local, of.clone()), of.object(), vec![])
    }
}
