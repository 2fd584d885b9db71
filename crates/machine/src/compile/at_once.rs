//! What is done at once: the statements of an arm, of a step of an object, of a meeting.
//!
//! What is deferred in a block is done on each way out of it: its instructions are repeated there.

use program::graph::{Exit, StopArm};
use program::{
    Action, Arm, Block, Domain, Expr, FieldId, LocalId, LoopId, Operation, Root, Select, Selector,
    Statement, Target, Type,
};

use super::expression::room;
use super::{Compiler, Subroutine};
use crate::code::{Address, Doom, Instruction, Register, StepCall};
use program::FailureKind;

/// What is being compiled: how many registers it needs, and what is around a statement.
pub(super) struct Body<'p> {
    /// The first register that is free.
    pub next: Register,
    /// How many registers are needed.
    pub most: Register,
    /// What is deferred in the blocks around, the innermost last.
    pending: Vec<&'p Block>,
    /// The loops around, the innermost last.
    loops: Vec<Around>,
    /// What a routine that is done at once gives back.
    pub result: Option<&'p Type>,
    /// The arm of a stop that it is, with the type of the variable that gets the result.
    pub arm: Option<(&'p StopArm, Option<Type>)>,
}

struct Around {
    id: LoopId,
    head: Address,
    /// How much is deferred outside of it.
    pending: usize,
    /// The jumps behind it.
    breaks: Vec<Address>,
}

impl<'p> Body<'p> {
    /// A body with variables in its first registers.
    pub fn new(locals: usize) -> Body<'p> {
        let next = locals as Register;
        let (pending, loops) = (Vec::new(), Vec::new());
        Body { next, most: next, pending, loops, result: None, arm: None }
    }

    pub fn temporary(&mut self) -> Register {
        self.block(1)
    }

    /// Registers in a row.
    pub fn block(&mut self, count: usize) -> Register {
        let first = self.next;
        self.next += count as Register;
        self.most = self.most.max(self.next);
        first
    }
}

impl<'p> Compiler<'p> {
    /// The statements of a block, and then what they have deferred.
    pub(super) fn block(&mut self, block: &'p [Statement], body: &mut Body<'p>) {
        let pending = body.pending.len();
        for statement in block {
            self.statement(statement, body);
        }
        self.deferred(pending, body);
        body.pending.truncate(pending);
    }

    /// What is deferred, down to a number of blocks; it stays pending.
    fn deferred(&mut self, down_to: usize, body: &mut Body<'p>) {
        let pending = body.pending.clone();
        for number in (down_to..pending.len()).rev() {
            body.pending.truncate(number);
            self.block(pending[number], body);
        }
        body.pending = pending;
    }

    pub(super) fn statement(&mut self, statement: &'p Statement, body: &mut Body<'p>) {
        let outer = std::mem::replace(&mut self.origin, statement.origin);
        let next = body.next;
        self.action(&statement.action, body);
        body.next = next;
        self.origin = outer;
    }

    fn action(&mut self, action: &'p Action, body: &mut Body<'p>) {
        match action {
            Action::Assign(target, value) => self.assign(target, value, body),
            Action::New(target, object, arguments) => {
                let made = body.temporary();
                let parameters = &self.program.objects[object.index()].parameters;
                let base = body.block(parameters.len());
                self.arguments(arguments, parameters, base, body);
                let routine = self.subroutine(Subroutine::Constructor(*object));
                self.push(Instruction::Call { to: made, routine, base });
                self.store(target, made, &Type::Object(*object), body);
            }
            Action::If(condition, yes, no) => {
                let condition = self.value(condition, body);
                let jump = self.unless(condition);
                self.block(yes, body);
                let end = self.jump();
                self.land(jump);
                self.block(no, body);
                self.land(end);
            }
            Action::Loop(id, inner) => {
                let (head, pending) = (self.here(), body.pending.len());
                body.loops.push(Around { id: *id, head, pending, breaks: Vec::new() });
                self.block(inner, body);
                self.push(Instruction::Jump { to: head });
                let around = body.loops.pop().expect("it was put there");
                around.breaks.into_iter().for_each(|jump| self.land(jump));
            }
            Action::Break(id) => self.leave_loop(*id, Exit::Break(*id), body),
            Action::Continue(id) => self.leave_loop(*id, Exit::Continue(*id), body),
            Action::Block(block) | Action::Atomic(block) => self.block(block, body),
            Action::Return(value) => self.give_back(value.as_ref(), body),
            Action::Choose(local, domain, when) => self.choose(*local, domain, when.as_ref(), body),
            Action::Either(blocks) => {
                let fork = self.fork();
                let (mut ways, mut ends) = (Vec::new(), Vec::new());
                for block in blocks {
                    ways.push(self.here());
                    self.block(block, body);
                    ends.push(self.jump());
                }
                self.code.ways[fork] = ways.into();
                ends.into_iter().for_each(|end| self.land(end));
            }
            Action::Assert(condition) => self.assertion(condition, FailureKind::Assertion, body),
            Action::Require(condition) => self.assertion(condition, FailureKind::Requirement, body),
            Action::Label(_) => {}
            Action::Spawn(target, process, arguments) => {
                let made = target.as_ref().map(|_| body.temporary());
                let routine = &self.program.processes[process.index()];
                let from = body.block(routine.parameters);
                self.arguments(arguments, &routine.locals[..routine.parameters], from, body);
                self.push(Instruction::Spawn { to: made, process: process.0 as u16, from });
                if let (Some(target), Some(made)) = (target, made) {
                    self.store(target, made, &Type::Handle(Some(*process)), body);
                }
            }
            Action::Kill(handle) => self.end(handle, Doom::Kill, body),
            Action::Crash(handle) => self.end(handle, Doom::Crash, body),
            Action::Defer(block) => body.pending.push(block),
            Action::Call(target, function, arguments) => {
                let routine = &self.program.functions[function.index()];
                let made = body.temporary();
                let base = body.block(routine.parameters);
                self.arguments(arguments, &routine.locals[..routine.parameters], base, body);
                let number = self.subroutine(Subroutine::Function(*function));
                self.push(Instruction::Call { to: made, routine: number, base });
                if let (Some(target), Some(of)) = (target, &routine.result) {
                    self.store(target, made, of, body);
                }
            }
            Action::Select(select) => self.select(select, body),
        }
    }

    fn assertion(&mut self, condition: &'p Expr, kind: FailureKind, body: &mut Body<'p>) {
        let condition = self.value(condition, body);
        self.push(Instruction::Claim { condition, kind });
    }

    fn end(&mut self, handle: &'p Expr, doom: Doom, body: &mut Body<'p>) {
        let thread = self.present(handle, body);
        self.push(Instruction::End { thread, doom });
    }

    /// Room for the ways of a fork.
    fn fork(&mut self) -> usize {
        let ways = self.ways();
        self.push(Instruction::Fork { ways: ways as u32 });
        ways
    }

    fn ways(&mut self) -> usize {
        self.code.ways.push(Box::default());
        self.code.ways.len() - 1
    }

    fn leave_loop(&mut self, id: LoopId, exit: Exit, body: &mut Body<'p>) {
        let around = body.loops.iter().rposition(|around| around.id == id);
        match around {
            Some(number) => {
                let (head, pending) = (body.loops[number].head, body.loops[number].pending);
                self.deferred(pending, body);
                match exit {
                    Exit::Continue(_) => _ = self.push(Instruction::Jump { to: head }),
                    Exit::Break(_) | Exit::Return => {
                        let jump = self.jump();
                        body.loops[number].breaks.push(jump);
                    }
                }
            }
            None => {
                self.deferred(0, body);
                self.done(exit, body);
            }
        }
    }

    /// An arm is left.
    fn done(&mut self, exit: Exit, body: &Body<'p>) {
        let (arm, _) = body.arm.as_ref().expect("only arms lead elsewhere");
        let at = arm.exits.iter().position(|(other, _)| *other == exit);
        let exit = 1 + at.expect("the ways out are known") as u16;
        self.push(Instruction::Done { exit });
    }

    fn give_back(&mut self, value: Option<&'p Expr>, body: &mut Body<'p>) {
        let given = value.map(|value| {
            let given = body.temporary();
            self.put(value, given, body);
            (given, &value.of)
        });
        self.deferred(0, body);
        match body.arm.clone() {
            None => {
                if let (Some((given, from)), Some(of)) = (given, body.result) {
                    self.fit(given, from, of);
                }
                self.push(Instruction::Return { from: given.map(|(given, _)| given) });
            }
            Some((arm, of)) => {
                if let (Some((given, from)), Some(local), Some(of)) = (given, arm.result, of) {
                    self.fit(given, from, &of);
                    let to = local.0 as Register;
                    self.push(Instruction::Copy { to, from: given });
                }
                self.done(Exit::Return, body);
            }
        }
    }

    /// Gives a variable any value of a domain for which a condition holds.
    pub(super) fn choose(
        &mut self,
        local: LocalId,
        domain: &'p Domain,
        when: Option<&'p Expr>,
        body: &mut Body<'p>,
    ) {
        let to = local.0 as Register;
        let guard = std::mem::replace(&mut self.is_guard, true);
        match domain {
            Domain::Range(from, until) => {
                let (low, high) = (self.value(from, body), self.value(until, body));
                self.push(Instruction::ChooseNumber { to, low, high });
            }
            Domain::Type(Type::Member(id)) | Domain::Forgotten(Type::Member(id)) => {
                self.any_member(*id, to, body);
            }
            Domain::Type(of) | Domain::Forgotten(of) => {
                let [low, high] = [(); 2].map(|()| body.temporary());
                let (least, most) = match of {
                    Type::Int { min, max } => (*min, *max),
                    Type::Bool => (0, 1),
                    other => unreachable!("nobody chooses from {other:?}"),
                };
                self.push(Instruction::Number { to: low, number: least });
                self.push(Instruction::Number { to: high, number: most });
                self.push(Instruction::ChooseNumber { to, low, high });
            }
            Domain::Collection(over) => {
                let of = self.value(over, body);
                self.push(Instruction::ChooseElement { to, of });
            }
        }
        if let Some(when) = when {
            let condition = self.value(when, body);
            self.push(Instruction::Await { condition });
        }
        self.is_guard = guard;
    }

    /// Waits until a condition holds.
    pub(super) fn await_(&mut self, condition: &'p Expr, body: &mut Body<'p>) {
        let guard = std::mem::replace(&mut self.is_guard, true);
        let condition = self.value(condition, body);
        self.is_guard = guard;
        self.push(Instruction::Await { condition });
    }

    /// Where things are done at once: takes an arm, or what is to be done if none can be taken.
    fn select(&mut self, select: &'p Select, body: &mut Body<'p>) {
        let mut ends = Vec::new();
        if let Some(otherwise) = &select.otherwise {
            let attempts = self.ways();
            self.push(Instruction::Unless { ways: attempts as u32 });
            let jump = self.jump();
            self.block(otherwise, body);
            ends.push(self.jump());
            let mut ways = Vec::new();
            for arm in &select.arms {
                ways.push(self.here());
                self.waited(arm, body);
                self.push(Instruction::Able);
            }
            self.code.ways[attempts] = ways.into();
            self.land(jump);
        }
        let fork = self.fork();
        let mut ways = Vec::new();
        for arm in &select.arms {
            ways.push(self.here());
            self.waited(arm, body);
            self.block(&arm.body, body);
            ends.push(self.jump());
        }
        self.code.ways[fork] = ways.into();
        ends.into_iter().for_each(|end| self.land(end));
    }

    /// What an arm waits for.
    fn waited(&mut self, arm: &'p Arm, body: &mut Body<'p>) {
        let next = body.next;
        if let Some(when) = &arm.when {
            self.await_(when, body);
        }
        self.operation(&arm.operation, body);
        body.next = next;
    }

    fn operation(&mut self, operation: &'p Operation, body: &mut Body<'p>) {
        let guard = std::mem::replace(&mut self.is_guard, true);
        match operation {
            Operation::Await(condition) => {
                self.is_guard = guard;
                self.await_(condition, body);
            }
            Operation::Join(handle, result) => {
                let has_result = self.has_result(&handle.of);
                let thread = self.present(handle, body);
                let to = result.map(|local| local.0 as Register);
                self.push(Instruction::Join { thread, to, has_result });
            }
            Operation::JoinAny(handles, which, result) => {
                let (Type::Set(kind, _) | Type::Sequence(kind, _)) = &handles.of else {
                    unreachable!("a collection of handles")
                };
                let has_result = self.has_result(kind);
                let of = self.value(handles, body);
                let thread = which.map_or_else(|| body.temporary(), |local| local.0 as Register);
                self.push(Instruction::ChooseElement { to: thread, of });
                let to = result.map(|local| local.0 as Register);
                self.push(Instruction::Join { thread, to, has_result });
            }
            Operation::Step { object, step, arguments, result } => {
                let of = object.of.object();
                let meetings = &self.program.objects[of.index()].meetings;
                let may_give = meetings.iter().any(|meeting| meeting.first == *step);
                let parameters = &self.program.objects[of.index()].steps[step.index()].routine;
                let base = body.block(1 + arguments.len());
                let found = self.present(object, body);
                if found != base {
                    self.push(Instruction::Copy { to: base, from: found });
                }
                self.arguments(
                    arguments,
                    &parameters.locals[1..parameters.parameters],
                    base + 1,
                    body,
                );
                let routine = self.subroutine(Subroutine::Step(of, *step));
                let to = result.map(|local| local.0 as Register);
                let arguments = arguments.len() as u16;
                let step = *step;
                let call = StepCall { of, step, base, arguments, routine, to, may_give };
                self.code.steps.push(call);
                let step = self.code.steps.len() as u32 - 1;
                self.push(Instruction::Step { step });
            }
        }
        self.is_guard = guard;
    }

    /// Whether a process of a handle gives a result.
    fn has_result(&self, of: &Type) -> bool {
        match of {
            Type::Optional(inner) => self.has_result(inner),
            Type::Handle(Some(kind)) => self.program.processes[kind.index()].result.is_some(),
            _ => false,
        }
    }

    fn assign(&mut self, target: &'p Target, value: &'p Expr, body: &mut Body<'p>) {
        if let (Root::Local(local), []) = (&target.root, &target.path[..]) {
            let to = local.0 as Register;
            if target.of.includes(&value.of) {
                return self.put(value, to, body);
            }
        }
        let from = body.temporary();
        self.put(value, from, body);
        self.store(target, from, &value.of, body);
    }

    /// Gives a target the value of a register.
    pub(super) fn store(
        &mut self,
        target: &'p Target,
        from: Register,
        of: &Type,
        body: &mut Body<'p>,
    ) {
        let inside = |of: Type, way: &Selector| self.program.inside(&of, way);
        let innermost = target.path.iter().fold(target.of.clone(), inside);
        let object = match &target.root {
            Root::Field(object, _) => Some(self.present(object, body)),
            Root::Local(_) | Root::Global(_) => None,
        };
        // Keys, found from the outside to the inside.
        let mut around = target.of.clone();
        let mut keys: Vec<Option<Register>> = Vec::new();
        for way in &target.path {
            keys.push(match way {
                Selector::Element(expr) => {
                    let key = self.value(expr, body);
                    if let Type::Map(of, ..) = &around {
                        self.fit(key, &expr.of, &of.clone());
                    }
                    Some(key)
                }
                Selector::Component(_) | Selector::Payload(..) => None,
            });
            around = self.program.inside(&around, way);
        }
        let index = keys.first().copied().flatten();
        let index = index.filter(|_| matches!(target.of, Type::Sequence(..)));
        let access = self.observed.races.then(|| self.note(index, true));
        match &target.root {
            Root::Local(local) => {
                let to = local.0 as Register;
                self.fit(from, of, &innermost);
                let new = self.changed(to, from, target, &keys, body);
                self.push(Instruction::Copy { to, from: new });
            }
            Root::Global(id) => {
                let global = id.0 as u16;
                if let Some(access) = access {
                    self.push(Instruction::NoteGlobal { global, access });
                }
                self.fit(from, of, &innermost);
                let mut new = from;
                if !target.path.is_empty() {
                    let old = body.temporary();
                    self.push(Instruction::Global { to: old, global });
                    new = self.changed(old, from, target, &keys, body);
                }
                self.push(Instruction::SetGlobal { global, from: new });
            }
            Root::Field(expr, field) => {
                let class = expr.of.object();
                let object = object.expect("it was evaluated");
                let field = field.0 as u16;
                // Who would write a value that does not fit stands before a write all the same.
                if let Some(access) = access {
                    self.push(Instruction::NoteField { object, field, access });
                }
                self.fit(from, of, &innermost);
                let mut new = from;
                if !target.path.is_empty() {
                    let old = body.temporary();
                    self.push(Instruction::Field { to: old, object, field });
                    new = self.changed(old, from, target, &keys, body);
                }
                if self.presence.contains(&(class, FieldId(u32::from(field)))) {
                    let to = body.temporary();
                    self.push(Instruction::Presence { to, from: new });
                    new = to;
                }
                self.push(Instruction::SetField { object, field, from: new });
            }
        }
    }

    /// A value with another value inside of it: the register where it is.
    fn changed(
        &mut self,
        root: Register,
        from: Register,
        target: &'p Target,
        keys: &[Option<Register>],
        body: &mut Body<'p>,
    ) -> Register {
        // From the outside to the inside, and back.
        let mut around = vec![root];
        for (way, key) in target.path.iter().zip(keys).take(target.path.len().saturating_sub(1)) {
            let of = *around.last().expect("there is the root");
            let to = body.temporary();
            self.push(match *way {
                Selector::Component(index) => Instruction::Part { to, of, index: index as u16 },
                Selector::Payload(case, index) => {
                    Instruction::CasePart { to, of, case: case as u16, index: index as u16 }
                }
                Selector::Element(_) => {
                    Instruction::Element { to, of, key: key.expect("it has a key") }
                }
            });
            around.push(to);
        }
        let mut types = vec![target.of.clone()];
        for way in &target.path {
            types.push(self.program.inside(types.last().expect("one"), way));
        }
        let mut part = from;
        for (depth, (way, key)) in target.path.iter().zip(keys).enumerate().rev() {
            let (of, to) = (around[depth], body.temporary());
            self.push(match *way {
                Selector::Component(index) => {
                    Instruction::SetPart { to, of, index: index as u16, part }
                }
                Selector::Payload(case, index) => {
                    let (case, index) = (case as u16, index as u16);
                    Instruction::SetCasePart { to, of, case, index, part }
                }
                Selector::Element(_) => {
                    let (key, element) = (key.expect("it has a key"), part);
                    // Only the element itself may be new.
                    let is_last = depth + 1 == target.path.len();
                    let most = if is_last { room(&types[depth]) } else { 0 };
                    Instruction::SetElement { to, of, key, element, most }
                }
            });
            part = to;
        }
        part
    }

    /// An arm of a stop: its condition, and what is done.
    pub(super) fn arm(
        &mut self,
        arm: &'p StopArm,
        of: Option<Type>,
        locals: usize,
    ) -> (Address, u16) {
        let entry = self.here();
        let mut body = Body::new(locals);
        body.arm = Some((arm, of));
        self.origin = arm.origin;
        self.is_plain = !arm.is_atomic;
        self.is_guard = false;
        let looked_at = awaited(&arm.actions).filter(|_| self.observed.races);
        let mut forbidden = None;
        match (&arm.when, looked_at) {
            (Some(when), Some(condition)) => {
                let guard = std::mem::replace(&mut self.is_guard, true);
                let allowed = self.value(when, &mut body);
                self.is_guard = guard;
                forbidden = Some((self.unless(allowed), condition));
            }
            (Some(when), None) => self.await_(when, &mut body),
            (None, _) => {}
        }
        self.block(&arm.actions, &mut body);
        self.origin = arm.origin;
        self.push(Instruction::Done { exit: 0 });
        // What is awaited is looked at whether it is allowed or not.
        if let Some((jump, condition)) = forbidden {
            self.land(jump);
            self.push(Instruction::OnlyLook);
            self.await_(condition, &mut body);
            let condition = body.temporary();
            self.push(Instruction::Number { to: condition, number: 0 });
            self.push(Instruction::Await { condition });
        }
        (entry, body.most)
    }
}

/// What is waited for in the arm of a `select`, if it is a condition.
fn awaited(actions: &Block) -> Option<&Expr> {
    let [Statement { action: Action::Select(select), .. }] = &actions[..] else { return None };
    match &select.arms[..] {
        [Arm { operation: Operation::Await(condition), .. }] => Some(condition),
        _ => None,
    }
}
