//! Programs in which one variable is disputed: it is awaited and written plainly, in steps, in `atomic` blocks, and
//! beside rendezvous. Everything else is `atomic`, so that all races are for it.

use net::{BinaryOp, Origin};
use program::{
    Action, Arm, Block, Expr, Field, FieldId, Form, Global, GlobalId, InitialObject, ObjectId,
    Operation, Program, Root, Select, Statement, StepId, Target, Type,
};
use random::Random;

use super::objects::{self, CELL, PORT};
use super::{int, named, number, written};

struct Dispute<'r, 'p> {
    random: &'r mut Random,
    program: &'p mut Program,
    disputed: GlobalId,
    /// Fields of the cell that are disputed, too.
    fields: [FieldId; 2],
    port: Expr,
    cell: Expr,
}

/// Lets processes dispute a variable that is new.
pub fn dispute(random: &mut Random, program: &mut Program) {
    program.globals.iter_mut().for_each(|global| global.atomic = true);
    let objects = program.objects.iter_mut();
    objects.flat_map(|object| &mut object.fields).for_each(|field| field.atomic = true);
    let [port, cell] = [PORT, CELL].map(|of| global_object(of, program));
    let disputed = GlobalId(program.globals.len() as u32);
    let variable = || named("disputed", int(0, 1));
    program.globals.push(Global { variable: variable(), initial: number(0), atomic: false });
    let fields = &mut program.objects[CELL.index()].fields;
    let first = fields.len() as u32;
    for _ in 0..2 {
        fields.push(Field { variable: variable(), initial: number(0), atomic: false });
    }
    let fields = [first, first + 1].map(FieldId);
    let mut dispute = Dispute { random, program, disputed, fields, port, cell };
    let awaited = dispute.awaits();
    let step = objects::step("agree", CELL, vec![], vec![], None, vec![awaited]);
    dispute.program.objects[CELL.index()].steps.push(step);
    for _ in 0..4 + dispute.random.below(3_usize) {
        let statement = dispute.statement();
        let processes = dispute.program.processes.len();
        let process = if dispute.random.percent(20) { 0 } else { dispute.random.below(processes) };
        let routine = &mut dispute.program.processes[process];
        // Others are there by then.
        let is_spawn = |statement: &Statement| matches!(statement.action, Action::Spawn(..));
        let spawned = routine.body.iter().rposition(is_spawn).map_or(0, |last| last + 1);
        let assigned = (routine.locals.len() - routine.parameters).min(routine.body.len());
        let first = assigned.max(if process == 0 { spawned } else { 0 });
        let at = first + dispute.random.below(routine.body.len().min(first + 2) + 1 - first);
        routine.body.insert(at, statement);
    }
    written(program);
}

/// A global variable with an object of a kind that is there from the start.
fn global_object(of: ObjectId, program: &mut Program) -> Expr {
    let number = program.initial.len() as u32;
    let id = GlobalId(program.globals.len() as u32);
    program.initial.push(InitialObject { of, arguments: vec![] });
    let variable = named(format!("disputed {number}"), Type::Object(of));
    let initial = Expr { form: Form::Initial(number), of: Type::Object(of) };
    program.globals.push(Global { variable, initial, atomic: true });
    Expr { form: Form::Global(id), of: Type::Object(of) }
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr { form: Form::Binary(op, a.into(), b.into()), of: Type::Bool }
}

fn now(action: Action) -> Statement {
    Statement { action, origin: Origin::default() }
}

fn arm(operation: Operation, body: Block) -> Arm {
    Arm { label: None, when: None, operation, body, origin: Origin::default() }
}

fn select(arms: Vec<Arm>) -> Statement {
    now(Action::Select(Select { arms, otherwise: None, idle: false }))
}

impl Dispute<'_, '_> {
    fn value(&self) -> Expr {
        Expr { form: Form::Global(self.disputed), of: int(0, 1) }
    }

    fn field(&self, index: usize) -> Expr {
        let form = Form::Field(self.cell.clone().into(), self.fields[index]);
        Expr { form, of: int(0, 1) }
    }

    /// That the variable has a value, or two fields of one object do.
    fn condition(&mut self) -> Expr {
        let is_of_fields = self.random.percent(30);
        let wanted = [0, 1].map(|_| number(self.random.below(2_u32).into()));
        let [first, second] = wanted;
        if !is_of_fields {
            return binary(BinaryOp::Equal, self.value(), first);
        }
        let op = *self.random.pick(&[BinaryOp::And, BinaryOp::Or]);
        let first = binary(BinaryOp::Equal, self.field(0), first);
        binary(op, first, binary(BinaryOp::Equal, self.field(1), second))
    }

    fn awaits(&mut self) -> Statement {
        select(vec![arm(Operation::Await(self.condition()), vec![])])
    }

    fn write(&mut self) -> Statement {
        let root = match self.random.percent(30) {
            true => Root::Field(self.cell.clone(), *self.random.pick(&self.fields)),
            false => Root::Global(self.disputed),
        };
        let path = Vec::new();
        let value = number(self.random.below(2_u32).into());
        now(Action::Assign(Target { root, path, of: int(0, 1) }, value))
    }

    /// One of the two sides of a rendezvous.
    fn meets(&mut self) -> Operation {
        let object = self.port.clone();
        match self.random.percent(50) {
            true => {
                let value = if self.random.percent(20) { self.value() } else { number(1) };
                Operation::Step { object, step: StepId(0), arguments: vec![value], result: None }
            }
            false => Operation::Step { object, step: StepId(1), arguments: vec![], result: None },
        }
    }

    fn statement(&mut self) -> Statement {
        match self.random.below(10) {
            0 | 1 => self.write(),
            2 => self.awaits(),
            3 => now(Action::Atomic(vec![self.awaits(), self.write()])),
            4 => now(Action::Atomic(vec![self.awaits()])),
            5 => {
                let object = self.cell.clone();
                let steps = self.program.objects[CELL.index()].steps.len() as u32;
                let (step, arguments) = (StepId(steps - 1), vec![]);
                select(vec![arm(Operation::Step { object, step, arguments, result: None }, vec![])])
            }
            6 | 7 => {
                let disputed = if self.random.percent(70) { self.write() } else { self.awaits() };
                let meets = self.meets();
                let mut block = vec![select(vec![arm(meets, vec![])])];
                block.insert(self.random.below(2_usize), disputed);
                now(Action::Atomic(block))
            }
            8 => {
                let meets = self.meets();
                let looks = arm(Operation::Await(self.condition()), vec![]);
                select(vec![arm(meets, vec![]), looks])
            }
            _ => {
                let meets = self.meets();
                select(vec![arm(meets, vec![])])
            }
        }
    }
}
