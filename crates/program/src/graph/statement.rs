//! From statements to nodes.

use net::Origin;

use super::inline::Renaming;
use super::{
    Around, Builder, Context, Exit, Inlined, Local, Node, NodeId, RoutineId, Source, StopArm, Way,
    loops,
};
use crate::facts::{assignment_can_fault, can_fault, is_seen};
use crate::live::Locals;
use crate::{
    Action, Arm, Block, Domain, Expr, Form, FunctionId, LabelId, LocalId, LoopId, Named,
    ObjectType, Operation, Refusal, Select, Selector, Statement, Target, Type,
};

/// As many calls are put into the deferred blocks of a routine, with all copies of these.
const MOST_INLINED: u32 = 256;

impl<'p> Builder<'p> {
    /// A statement, and then `next`.
    pub(crate) fn statement(
        &mut self,
        statement: &Statement,
        context: &Context,
        next: NodeId,
    ) -> NodeId {
        let origin = statement.origin;
        let now = |action: Action| vec![Statement { action, origin }];
        match &statement.action {
            Action::Assign(target, value) => self.assign(target, value, origin, context, next),
            Action::New(target, object, arguments) => {
                let ObjectType { parameters, fields, .. } = &self.program.objects[object.index()];
                let fits = |(p, a): (&Named, &Expr)| p.of.includes(&a.of) && !can_fault(a);
                let is_local = !is_seen(target)
                    && target.path.is_empty()
                    && parameters.iter().zip(arguments).all(fits)
                    && fields.iter().all(|field| {
                        fits((&field.variable, &field.initial))
                            && !self.facts.is_shared(&field.initial)
                    });
                self.with_operands(arguments, origin, context, |builder, arguments| {
                    let made = Action::New(target.clone(), *object, arguments);
                    match is_local {
                        true => {
                            let statement = Statement { action: made, origin };
                            builder.local(Node::Do(statement, next), origin, context)
                        }
                        false => builder.stop(now(made), origin, context, next),
                    }
                })
            }
            Action::If(condition, then, otherwise) => {
                let ways = [then, otherwise].map(|block| self.block(block, context, next));
                self.branch(condition, ways, origin, context)
            }
            Action::Block(block) => {
                let labels = std::mem::take(&mut self.labels);
                self.labelled_block(&labels, block, context, next)
            }
            Action::Loop(id, body) => {
                // Who goes round has left the labels before it.
                self.labels.clear();
                self.repeat(*id, body, origin, context, next)
            }
            Action::Break(id) => self.leave_loop(*id, false, context),
            Action::Continue(id) => self.leave_loop(*id, true, context),
            Action::Return(value) => self.give_back(value.as_ref(), origin, context),
            Action::Choose(_, Domain::Forgotten(_), _) => {
                self.forgotten_choice(statement.clone(), context, next)
            }
            Action::Choose(local, domain, when) => {
                let is_local = when.is_none() && has_values(domain);
                match (is_local, self.sees_choices()) {
                    (true, false) => {
                        self.local(Node::Choose(*local, domain.clone(), next), origin, context)
                    }
                    (true, true) => {
                        self.open_choice(vec![statement.clone()], origin, context, next)
                    }
                    (false, _) => self.stop(vec![statement.clone()], origin, context, next),
                }
            }
            Action::Either(blocks) => {
                let way = |block: &Block| Way::of(block, origin);
                let ways = blocks.iter();
                let ways = ways.map(|block| (self.block(block, context, next), way(block)));
                let ways = ways.collect();
                match self.sees_choices() {
                    true => {
                        let choice = self.node(Node::Choice(ways));
                        self.open_choice(Vec::new(), origin, context, choice)
                    }
                    false => self.local(Node::Choice(ways), origin, context),
                }
            }
            Action::Atomic(block) => self.atomic(block, origin, context, next),
            Action::Assert(_) | Action::Require(_) => {
                self.stop(vec![statement.clone()], origin, context, next)
            }
            Action::Label(label) => {
                let label = (self.source(context), *label);
                match self.observed.labels.contains(&label) {
                    true => self.local(Node::Label(label, next), origin, context),
                    false => next,
                }
            }
            Action::Spawn(target, process, arguments) => {
                self.with_operands(arguments, origin, context, |builder, arguments| {
                    let spawn = Action::Spawn(target.clone(), *process, arguments);
                    builder.stop(now(spawn), origin, context, next)
                })
            }
            Action::Kill(handle) | Action::Crash(handle) => {
                let is_kill = matches!(statement.action, Action::Kill(_));
                let handle = std::slice::from_ref(handle);
                self.with_operands(handle, origin, context, |builder, mut handle| {
                    let handle = handle.remove(0);
                    let end = if is_kill { Action::Kill(handle) } else { Action::Crash(handle) };
                    builder.stop(now(end), origin, context, next)
                })
            }
            Action::Defer(_) => unreachable!("its block sees to what is deferred in it"),
            Action::Call(target, function, arguments) => {
                self.call(target.as_ref(), *function, arguments, origin, context, next)
            }
            Action::Select(select) => self.select(select, origin, context, next),
        }
    }

    /// Whether each choice is to be a step of its own: branching time tells who has chosen when, and a step in which both
    /// a test turns out and something is chosen is neither a test nor a choice.
    fn sees_choices(&self) -> bool {
        self.observed.branching || self.facts.has_forgotten
    }

    /// A choice that is seen to be made: local all the same.
    fn open_choice(
        &mut self,
        actions: Block,
        origin: Origin,
        context: &Context,
        next: NodeId,
    ) -> NodeId {
        let stop = self.stop(actions, origin, context, next);
        if let Node::Stop(stop) = &mut self.nodes[stop.0 as usize] {
            stop.is_local = true;
        }
        stop
    }

    /// A test on data that is not kept. It is a stop, so that it is seen that nobody chooses, and counts as a local
    /// statement otherwise: nobody else has a turn there.
    fn forgotten_choice(
        &mut self,
        statement: Statement,
        context: &Context,
        next: NodeId,
    ) -> NodeId {
        let origin = statement.origin;
        let choice = self.open_choice(vec![statement], origin, context, next);
        if let Node::Stop(stop) = &mut self.nodes[choice.0 as usize] {
            stop.is_forgotten = true;
            let (held, seen) = (stop.held.clone(), stop.seen.clone());
            let (killed, is_rest) = (stop.killed, self.is_rest);
            self.local.insert(choice, Local { killed, held, seen, is_rest, origin });
        }
        choice
    }

    /// Reads operands that are shared at a stop of its own, before `then`.
    fn with_operands(
        &mut self,
        operands: &[Expr],
        origin: Origin,
        context: &Context,
        then: impl FnOnce(&mut Self, Vec<Expr>) -> NodeId,
    ) -> NodeId {
        let mut operands = operands.to_vec();
        let reads = self.reads(operands.iter_mut(), origin);
        let then = then(self, operands);
        if reads.is_empty() { then } else { self.stop(reads, origin, context, then) }
    }

    /// Replaces operands that are shared by hidden variables, and gives the statements that read them.
    fn reads<'e>(&mut self, operands: impl Iterator<Item = &'e mut Expr>, origin: Origin) -> Block {
        let mut reads = Vec::new();
        for operand in operands {
            if self.facts.is_shared(operand) {
                let local = self.hidden(operand.of.clone());
                let read = Expr::local(local, operand.of.clone());
                let value = std::mem::replace(operand, read);
                let action = Action::Assign(Target::local(local, value.of.clone()), value);
                reads.push(Statement { action, origin });
            }
        }
        reads
    }

    fn assign(
        &mut self,
        target: &Target,
        value: &Expr,
        origin: Origin,
        context: &Context,
        next: NodeId,
    ) -> NodeId {
        let (mut target, mut value) = (target.clone(), value.clone());
        if is_seen(&target) {
            let operands = target.operands_mut().into_iter().chain([&mut value]);
            let reads = self.reads(operands, origin);
            let write = Statement { action: Action::Assign(target, value), origin };
            let write = self.stop(vec![write], origin, context, next);
            return match reads.is_empty() {
                true => write,
                false => self.stop(reads, origin, context, write),
            };
        }
        let inside = |of: Type, way: &Selector| self.program.inside(&of, way);
        let of = target.path.iter().fold(target.of.clone(), inside);
        let is_local = !self.facts.is_shared(&value)
            && !self.facts.finds_by_shared(&target)
            && !assignment_can_fault(&target, &of, &value);
        let statement = Statement { action: Action::Assign(target, value), origin };
        match is_local {
            true => self.local(Node::Do(statement, next), origin, context),
            false => self.stop(vec![statement], origin, context, next),
        }
    }

    fn branch(
        &mut self,
        condition: &Expr,
        ways: [NodeId; 2],
        origin: Origin,
        context: &Context,
    ) -> NodeId {
        if !self.facts.is_shared(condition) && !can_fault(condition) {
            return self.local(Node::Branch(condition.clone(), ways), origin, context);
        }
        // To look at it and to go one way or the other is one step.
        let local = self.hidden(Type::Bool);
        let branch = self.node(Node::Branch(Expr::local(local, Type::Bool), ways));
        let action = Action::Assign(Target::local(local, Type::Bool), condition.clone());
        self.stop(vec![Statement { action, origin }], origin, context, branch)
    }

    fn repeat(
        &mut self,
        id: LoopId,
        body: &Block,
        origin: Origin,
        context: &Context,
        after: NodeId,
    ) -> NodeId {
        let head = self.local(Node::Next(after), origin, context);
        let mut inside = context.clone();
        inside.loops.push(Around { id, head, after, pending: context.pending.clone() });
        let entry = self.block(body, &inside, head);
        self.nodes[head.0 as usize] = Node::Next(entry);
        head
    }

    fn leave_loop(&mut self, id: LoopId, again: bool, context: &Context) -> NodeId {
        let around = context.loops.iter().rev().find(|around| around.id == id);
        let around = around.expect("the program was checked: the loop is around").clone();
        let to = if again { around.head } else { around.after };
        self.leave(context, &around.pending, &mut |_| to)
    }

    /// Leaves the routine, or the function that is put in, with a result.
    fn give_back(&mut self, value: Option<&Expr>, origin: Origin, context: &Context) -> NodeId {
        let inlined = context.inlined.last().cloned();
        let until = inlined.as_ref().and_then(|inlined| inlined.pending.clone());
        let end = |builder: &mut Self, value: Option<Expr>| match &inlined {
            Some(inlined) => inlined.after,
            None => builder.node(Node::Return(value)),
        };
        let is_end = context.pending.is_none() && inlined.is_none();
        let (Some(value), of) = (value, self.result(context)) else {
            if is_end {
                return self.local(Node::Return(None), origin, context);
            }
            return self.leave(context, &until, &mut |builder| end(builder, None));
        };
        let result = of.unwrap_or_else(|| value.of.clone());
        let is_local =
            !self.facts.is_shared(value) && !can_fault(value) && result.includes(&value.of);
        if is_local && is_end {
            return self.local(Node::Return(Some(value.clone())), origin, context);
        }
        let local = match inlined.as_ref().and_then(|inlined| inlined.result.clone()) {
            Some((local, _)) => local,
            None => self.hidden(result.clone()),
        };
        let given = self.leave(context, &until, &mut |builder| {
            end(builder, Some(Expr::local(local, result.clone())))
        });
        let action = Action::Assign(Target::local(local, result), value.clone());
        let statement = Statement { action, origin };
        match is_local {
            // To return from a function is nothing.
            true if inlined.is_some() => self.node(Node::Do(statement, given)),
            true => self.local(Node::Do(statement, given), origin, context),
            false => self.stop(vec![statement], origin, context, given),
        }
    }

    /// The type of what is returned here.
    fn result(&self, context: &Context) -> Option<Type> {
        match context.inlined.last() {
            Some(inlined) => self.program.functions[inlined.function.index()].result.clone(),
            None => self.id.of(self.program).result.clone(),
        }
    }

    /// The routine that a statement is written in.
    pub(crate) fn source(&self, context: &Context) -> Source {
        match context.inlined.last() {
            Some(inlined) => Source::Function(inlined.function),
            None => self.id.source(),
        }
    }

    fn call(
        &mut self,
        target: Option<&Target>,
        function: FunctionId,
        arguments: &[Expr],
        origin: Origin,
        context: &Context,
        next: NodeId,
    ) -> NodeId {
        let labels = std::mem::take(&mut self.labels);
        let mut context = context.clone();
        context.held.extend(self.visible(&context, &labels));
        let context = &context;
        let routine = &self.program.functions[function.index()];
        let (result, next) = match (target, &routine.result) {
            (Some(target), Some(of)) => {
                let local = self.hidden(of.clone());
                let value = Expr::local(local, of.clone());
                (Some(local), self.assign(target, &value, origin, context, next))
            }
            _ => (None, next),
        };
        if context.is_deferred {
            return self.inline(function, arguments, result, origin, context, next);
        }
        let killed = self.way_out(context);
        let mut arguments = arguments.to_vec();
        let before = self.passed(&mut arguments, &routine.locals, origin);
        let routine = RoutineId::Function(self.id.process(), function);
        let passed =
            self.passed.arguments((self.id, routine), &context.seen, &labels, self.program);
        let seen = match self.observed.all_locals {
            true => context.seen.clone(),
            false => Locals::new(),
        };
        let call = Node::Call { routine, arguments, passed, seen, result, next, killed };
        let call = self.local(call, origin, context);
        if before.is_empty() { call } else { self.stop(before, origin, context, call) }
    }

    /// Puts a function in: its parameters are assigned, then its statements follow.
    fn inline(
        &mut self,
        function: FunctionId,
        arguments: &[Expr],
        result: Option<LocalId>,
        origin: Origin,
        context: &Context,
        next: NodeId,
    ) -> NodeId {
        let name = &self.program.functions[function.index()].name;
        if context.inlined.iter().any(|inlined| inlined.function == function) {
            let what = format!("`{name}`, which calls itself, is called in what is deferred");
            let help =
                "what is deferred may only call functions that do not call themselves".into();
            self.refusals.push(Refusal { origin, what, help });
            return next;
        }
        self.inlined += 1;
        if self.inlined > MOST_INLINED {
            if self.inlined == MOST_INLINED + 1 {
                let what = format!(
                    "`{name}` is one call too many in what is deferred: at most {MOST_INLINED}, \
                     with all copies"
                );
                let help = "defer less: a block is copied to each way out of the block around it";
                self.refusals.push(Refusal { origin, what, help: help.into() });
            }
            return next;
        }
        let routine = &self.program.functions[function.index()];
        let renaming = Renaming { locals: self.locals.len() as u32, loops: self.next_loop };
        self.next_loop += loops(&routine.body);
        let hidden = |named: &Named| Named { name: format!("${}", named.name), ..named.clone() };
        self.locals.extend(routine.locals.iter().map(hidden));
        let mut inside = context.clone();
        inside.inlined.push(Inlined {
            function,
            after: next,
            result: result.zip(routine.result.clone()),
            pending: context.pending.clone(),
        });
        let body = renaming.block(&routine.body);
        let entry = self.block(&body, &inside, next);
        let mut arguments = arguments.to_vec();
        let before = self.passed(&mut arguments, &routine.locals, origin);
        let pass = |(number, argument): (u32, Expr)| {
            let target = Target::local(LocalId(number), self.locals[number as usize].of.clone());
            Statement { action: Action::Assign(target, argument), origin }
        };
        let pass: Block = (renaming.locals..).zip(arguments).map(pass).collect();
        // To come to its first statement is something that a thread does.
        let pass = Statement { action: Action::Block(pass), origin };
        let entry = self.local(Node::Do(pass, entry), origin, context);
        if before.is_empty() { entry } else { self.stop(before, origin, context, entry) }
    }

    /// Arguments as they are passed: those that are shared or can fault are put into hidden variables before.
    fn passed(&mut self, arguments: &mut [Expr], parameters: &[Named], origin: Origin) -> Block {
        let mut before = self.reads(arguments.iter_mut(), origin);
        for (argument, parameter) in arguments.iter_mut().zip(parameters) {
            if can_fault(argument) || !parameter.of.includes(&argument.of) {
                let local = self.hidden(parameter.of.clone());
                let passed = Expr::local(local, parameter.of.clone());
                let value = std::mem::replace(argument, passed);
                let action = Action::Assign(Target::local(local, parameter.of.clone()), value);
                before.push(Statement { action, origin });
            }
        }
        before
    }

    fn atomic(&mut self, block: &Block, origin: Origin, context: &Context, next: NodeId) -> NodeId {
        let mut arm = StopArm::plain(block.clone(), origin, next);
        arm.is_atomic = true;
        for exit in exits(block) {
            let to = match exit {
                Exit::Break(id) => self.leave_loop(id, false, context),
                Exit::Continue(id) => self.leave_loop(id, true, context),
                Exit::Return => {
                    let result = self.result(context);
                    let inlined = context.inlined.last().cloned();
                    let known = inlined.as_ref().and_then(|inlined| inlined.result.clone());
                    let local = match (known, &result) {
                        (Some((local, _)), _) => Some(local),
                        (None, Some(of)) => Some(self.hidden(of.clone())),
                        (None, None) => None,
                    };
                    arm.result = local;
                    let value = local.zip(result).map(|(local, of)| Expr::local(local, of));
                    let until = inlined.as_ref().and_then(|inlined| inlined.pending.clone());
                    self.leave(context, &until, &mut |builder| match &inlined {
                        Some(inlined) => inlined.after,
                        None => builder.node(Node::Return(value.clone())),
                    })
                }
            };
            arm.exits.push((exit, to));
        }
        let is_polled = self.facts.is_polled(block);
        let stop = self.stop_with(vec![arm], None, false, origin, context);
        self.arriving(stop, is_polled, origin, context)
    }

    /// Where somebody may look whether a thread waits, to come to wait is a step.
    fn arriving(
        &mut self,
        stop: NodeId,
        is_polled: bool,
        origin: Origin,
        context: &Context,
    ) -> NodeId {
        if is_polled { self.stop(Vec::new(), origin, context, stop) } else { stop }
    }

    /// Gives a stop labels.
    fn named(&mut self, stop: NodeId, labels: Vec<(Source, LabelId)>) {
        if let Node::Stop(stop) = &mut self.nodes[stop.0 as usize] {
            stop.labels = labels;
        }
    }

    fn select(
        &mut self,
        select: &Select,
        origin: Origin,
        context: &Context,
        next: NodeId,
    ) -> NodeId {
        let mut operations: Vec<Operation> =
            select.arms.iter().map(|arm| arm.operation.clone()).collect();
        let operands = operations.iter_mut().flat_map(Operation::operands_mut);
        let reads = self.reads(operands, origin);
        let mut arms = Vec::new();
        for (arm, operation) in select.arms.iter().zip(operations) {
            let results = arm.operation.results().into_iter().filter(|id| self.is_seen(**id));
            let mut inside = context.clone();
            inside.seen.extend(results);
            let after = self.block(&arm.body, &inside, next);
            let only = Arm { when: None, operation, body: Vec::new(), ..arm.clone() };
            let select = Select { arms: vec![only], otherwise: None, idle: false };
            let action = Action::Select(select);
            let actions = vec![Statement { action, origin: arm.origin }];
            let plain = StopArm::plain(actions, arm.origin, after);
            let label = arm.label.map(|label| (self.source(context), label));
            arms.push(StopArm { when: arm.when.clone(), label, ..plain });
        }
        let labels = arms.iter().filter_map(|arm| arm.label).collect();
        let otherwise = select.otherwise.as_ref().map(|block| self.block(block, context, next));
        let is_polled = otherwise.is_none()
            && arms.iter().any(|arm: &StopArm| self.facts.is_polled(&arm.actions));
        let stop = self.stop_with(arms, otherwise, select.idle, origin, context);
        // Fairness to an arm depends on where it can be taken.
        self.named(stop, labels);
        let stop = self.arriving(stop, is_polled, origin, context);
        if reads.is_empty() { stop } else { self.stop(reads, origin, context, stop) }
    }
}

/// Whether something is always there to choose.
fn has_values(domain: &Domain) -> bool {
    match domain {
        Domain::Type(_) | Domain::Forgotten(_) => true,
        Domain::Range(from, to) => match (&from.form, &to.form) {
            (Form::Literal(from), Form::Literal(to)) => from.number() <= to.number(),
            _ => false,
        },
        Domain::Collection(_) => false,
    }
}

/// The ways by which an atomic block leaves what is around it.
fn exits(block: &Block) -> Vec<Exit> {
    let mut found = Vec::new();
    collect_exits(block, &mut Vec::new(), &mut found);
    found
}

fn collect_exits(block: &Block, inside: &mut Vec<LoopId>, found: &mut Vec<Exit>) {
    for statement in block {
        let exit = match &statement.action {
            Action::Break(id) if !inside.contains(id) => Some(Exit::Break(*id)),
            Action::Continue(id) if !inside.contains(id) => Some(Exit::Continue(*id)),
            Action::Return(_) => Some(Exit::Return),
            _ => None,
        };
        found.extend(exit.filter(|exit| !found.contains(exit)));
        let depth = inside.len();
        if let Action::Loop(id, _) = &statement.action {
            inside.push(*id);
        }
        statement.action.blocks().into_iter().for_each(|block| collect_exits(block, inside, found));
        inside.truncate(depth);
    }
}
