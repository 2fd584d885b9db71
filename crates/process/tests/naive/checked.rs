//! What is no program is found to be none: changes are planted in a program that has everything. Random programs, and all
//! models of the tree, are programs.

use net::{BinaryOp, EnumId, Literal};
use program::{
    Action, Block, CollectionOp, Domain, Expr, FieldId, Form, FunctionId, GlobalId, LabelId,
    LocalId, LoopId, ObjectId, Operation, ProcessId, Program, RecordId, Root, Selector, StepId,
    Type, check,
};
use random::{Random, Seed, daily};

use crate::generate::{self, Features};

/// Changes something, and says whether there was such a thing.
type Change = fn(&mut Program) -> bool;

fn truth() -> Expr {
    Expr { form: Form::Literal(Literal::Bool(true)), of: Type::Bool }
}

fn number(value: i64) -> Expr {
    Expr { form: Form::Literal(Literal::Int(value)), of: Type::Int { min: value, max: value } }
}

/// The blocks of a program.
fn blocks(program: &mut Program) -> Vec<&mut Block> {
    let steps = program.objects.iter_mut().flat_map(|object| &mut object.steps);
    let routines = program.processes.iter_mut().chain(&mut program.functions);
    let routines = routines.chain(steps.map(|step| &mut step.routine));
    routines.map(|routine| &mut routine.body).collect()
}

/// Changes the first action that can be changed in a way.
fn action(program: &mut Program, mut change: impl FnMut(&mut Action) -> bool) -> bool {
    fn within(block: &mut Block, change: &mut dyn FnMut(&mut Action) -> bool) -> bool {
        block.iter_mut().any(|statement| {
            change(&mut statement.action)
                || statement.action.blocks_mut().into_iter().any(|block| within(block, change))
        })
    }
    blocks(program).into_iter().any(|block| within(block, &mut change))
}

/// Changes the first expression that can be changed in a way.
fn expr(program: &mut Program, mut change: impl FnMut(&mut Expr) -> bool) -> bool {
    fn within(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr) -> bool) -> bool {
        change(expr) || expr.children_mut().into_iter().any(|child| within(child, change))
    }
    action(program, |action| action.exprs_mut().into_iter().any(|expr| within(expr, &mut change)))
}

/// Changes the first operation that is waited for.
fn operation(program: &mut Program, mut change: impl FnMut(&mut Operation) -> bool) -> bool {
    action(program, |action| match action {
        Action::Select(select) => select.arms.iter_mut().any(|arm| change(&mut arm.operation)),
        _ => false,
    })
}

/// Does it, which is possible.
fn set<T>(to: &mut T, value: T) -> bool {
    *to = value;
    true
}

const FAR: u32 = 1_000;

/// Changes of declarations and routines.
const DECLARED: [(&str, Change); 8] = [
    ("a type of a variable", |p| set(&mut p.globals[0].variable.of, Type::Record(RecordId(FAR)))),
    ("an empty range", |p| set(&mut p.processes[0].locals[0].of, Type::Int { min: 1, max: 0 })),
    ("a first value", |p| {
        let of = |of: &Type| matches!(of, Type::Int { .. });
        let global = p.globals.iter_mut().find(|global| of(&global.variable.of));
        global.is_some_and(|global| set(&mut global.initial, truth()))
    }),
    ("a first process with parameters", |p| {
        let main = p.main.expect("there is one").index();
        set(&mut p.processes[main].parameters, 1)
    }),
    ("too many parameters", |p| set(&mut p.functions[0].parameters, 1_000)),
    ("a step of another object", |p| {
        set(&mut p.objects[0].steps[0].routine.locals[0].of, Type::Bool)
    }),
    ("what undoes a step", |p| set(&mut p.objects[0].steps[0].undo, Some(StepId(FAR)))),
    ("a meeting", |p| {
        let mut meetings = p.objects.iter_mut().flat_map(|object| &mut object.meetings);
        meetings.next().is_some_and(|meeting| set(&mut meeting.second, StepId(FAR)))
    }),
];

/// Changes of statements.
const STATEMENTS: [(&str, Change); 19] = [
    ("a variable that is not there", |p| {
        action(p, |action| match action {
            Action::Assign(target, _) => set(&mut target.root, Root::Local(LocalId(FAR))),
            _ => false,
        })
    }),
    ("a global variable that is not there", |p| {
        action(p, |action| match action {
            Action::Assign(target, _) => set(&mut target.root, Root::Global(GlobalId(FAR))),
            _ => false,
        })
    }),
    ("the type of a target", |p| {
        action(p, |action| match action {
            Action::Assign(target, _) if target.of != Type::Bool => set(&mut target.of, Type::Bool),
            _ => false,
        })
    }),
    ("a way into a number", |p| {
        action(p, |action| match action {
            Action::Assign(target, _) if matches!(target.of, Type::Int { .. }) => {
                target.path.push(Selector::Component(0));
                true
            }
            _ => false,
        })
    }),
    ("what is assigned", |p| {
        action(p, |action| match action {
            Action::Assign(target, value) if matches!(target.of, Type::Int { .. }) => {
                set(value, truth())
            }
            _ => false,
        })
    }),
    ("what is made", |p| {
        action(p, |action| match action {
            Action::New(_, object, _) => set(object, ObjectId(FAR)),
            _ => false,
        })
    }),
    ("what one is made with", |p| {
        action(p, |action| match action {
            Action::New(_, _, arguments) => {
                arguments.push(truth());
                true
            }
            _ => false,
        })
    }),
    ("a condition that is a number", |p| {
        action(p, |action| match action {
            Action::If(condition, ..) => set(condition, number(1)),
            _ => false,
        })
    }),
    ("a loop that is not around", |p| {
        action(p, |action| match action {
            Action::Break(id) => set(id, LoopId(FAR)),
            _ => false,
        })
    }),
    ("a result of what has none", |p| {
        let main = p.main.expect("there is one").index();
        let action = Action::Return(Some(truth()));
        p.processes[main].body[0].action = action;
        true
    }),
    ("no result of what has one", |p| {
        action(p, |action| match action {
            Action::Return(value @ Some(_)) => set(value, None),
            _ => false,
        })
    }),
    ("what is chosen from", |p| {
        action(p, |action| match action {
            Action::Choose(_, domain, _) => set(domain, Domain::Collection(number(1))),
            _ => false,
        })
    }),
    ("nothing to do", |p| {
        action(p, |action| match action {
            Action::Either(blocks) => set(blocks, vec![]),
            _ => false,
        })
    }),
    ("an assertion", |p| {
        action(p, |action| match action {
            Action::Assert(condition) => set(condition, number(1)),
            _ => false,
        })
    }),
    ("a label", |p| {
        action(p, |action| match action {
            Action::Label(label) => set(label, LabelId(FAR)),
            _ => false,
        })
    }),
    ("a process that is not there", |p| {
        action(p, |action| match action {
            Action::Spawn(_, process, _) => set(process, ProcessId(FAR)),
            _ => false,
        })
    }),
    ("an argument too few", |p| {
        action(p, |action| match action {
            Action::Spawn(_, _, arguments) => arguments.pop().is_some(),
            _ => false,
        })
    }),
    ("a function that is not there", |p| {
        action(p, |action| match action {
            Action::Call(_, function, _) => set(function, FunctionId(FAR)),
            _ => false,
        })
    }),
    ("who is killed", |p| {
        action(p, |action| match action {
            Action::Kill(handle) => set(handle, truth()),
            _ => false,
        })
    }),
];

/// Changes of what is waited for, and of expressions.
const EXPRESSIONS: [(&str, Change); 18] = [
    ("a step that is not there", |p| {
        operation(p, |operation| match operation {
            Operation::Step { step, .. } => set(step, StepId(FAR)),
            _ => false,
        })
    }),
    ("a step of a truth value", |p| {
        operation(p, |operation| match operation {
            Operation::Step { object, .. } => set(object, truth()),
            _ => false,
        })
    }),
    ("what a step is given", |p| {
        operation(p, |operation| match operation {
            Operation::Step { arguments, .. } => {
                arguments.push(truth());
                true
            }
            _ => false,
        })
    }),
    ("where a result goes", |p| {
        operation(p, |operation| match operation {
            Operation::Join(_, Some(local)) => set(local, LocalId(FAR)),
            _ => false,
        })
    }),
    ("whose end is waited for", |p| {
        operation(p, |operation| match operation {
            Operation::Join(handle, _) => set(handle, number(1)),
            _ => false,
        })
    }),
    ("what is awaited", |p| {
        operation(p, |operation| match operation {
            Operation::Await(condition) => set(condition, number(1)),
            _ => false,
        })
    }),
    ("a number out of its range", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Literal(Literal::Int(number)) => set(number, 1 << 40),
            _ => false,
        })
    }),
    ("a member that is not there", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Literal(Literal::Enum(_, member)) => set(member, FAR),
            _ => false,
        })
    }),
    ("a member of another class", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Literal(Literal::Enum(class, _)) => set(class, EnumId(FAR)),
            _ => false,
        })
    }),
    ("a wider type than that of a variable", |p| {
        expr(p, |expr| match (&expr.form, &mut expr.of) {
            (Form::Local(_), Type::Int { max, .. }) => set(max, *max + 1),
            _ => false,
        })
    }),
    ("a local variable that is not there", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Local(local) => set(local, LocalId(FAR)),
            _ => false,
        })
    }),
    ("a field that is not there", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Field(_, field) => set(field, FieldId(FAR)),
            _ => false,
        })
    }),
    ("a value that is always there", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Unwrap(inner) => set(&mut **inner, truth()),
            _ => false,
        })
    }),
    ("the sum of a truth value", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Binary(BinaryOp::Add, a, _) => set(&mut **a, truth()),
            _ => false,
        })
    }),
    ("a comparison of what is never the same", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Binary(BinaryOp::Equal, a, b) if a.of != Type::Bool => set(&mut **b, truth()),
            _ => false,
        })
    }),
    ("a component too few", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Record(parts) | Form::Case(_, parts) => parts.pop().is_some(),
            _ => false,
        })
    }),
    ("an operation of another kind of collection", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::On(op @ CollectionOp::Append, _) => set(op, CollectionOp::With),
            _ => false,
        })
    }),
    ("a negated number", |p| {
        expr(p, |expr| match &mut expr.form {
            Form::Unary(net::UnaryOp::Not, inner) => set(&mut **inner, number(1)),
            _ => false,
        })
    }),
];

/// A program in which two meet, and processes have results.
const MEETING: &str = "model meeting
    shared n: 0..=3 = 0
    process main {
        let c = new channel[0..=3](capacity: 0)
        let w = spawn worker(c)
        c.send(n)
        let r = join w
        if r != none and r! == n + 1 { kill w }
    }
    process worker(c: channel[0..=3]): 0..=3 {
        let got = c.receive()
        if got == none { return 0 }
        return got!
    }";

#[test]
fn what_is_no_program_is_found_to_be_none() {
    let texts = [include_str!("../../../lang/tests/corpus/processes.kin"), MEETING];
    let programs = texts.map(|text| {
        let compilation = lang::compile(text, &[]);
        let said = format!("{:?}", compilation.diagnostics);
        compilation.processes.unwrap_or_else(|| panic!("{said}")).program
    });
    programs.iter().for_each(|program| check(program).expect("it is one"));
    let (mut impossible, mut unnoticed) = (Vec::new(), Vec::new());
    for (name, change) in DECLARED.iter().chain(&STATEMENTS).chain(&EXPRESSIONS) {
        let changed = programs.iter().find_map(|program| {
            let mut changed = program.clone();
            change(&mut changed).then_some(changed)
        });
        match changed {
            Some(changed) if check(&changed).is_ok() => unnoticed.push(name),
            Some(_) => {}
            None => impossible.push(name),
        }
    }
    assert!(impossible.is_empty(), "there is nothing to be changed for {impossible:?}");
    assert!(unnoticed.is_empty(), "nobody notices {unnoticed:?}");
}

#[test]
fn random_programs_are_programs() {
    for seed in 0..daily(20_000, 100) {
        let _seed = Seed(seed);
        let features = Features { members: seed % 2 == 0, ..Features::ALL };
        let mut program = generate::program(&mut Random::new(seed), features);
        check(&program).expect("it is one");
        program::mark_sure(&mut program);
        check(&program).expect("it is one, with what is sure");
    }
}
