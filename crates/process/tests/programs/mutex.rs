//! A mutex, and workers that use it.

use std::sync::Arc;

use explore::{Control, Options, explore};
use fold::Folded;
use net::{BinaryOp, Compiled, Net, Origin};
use process::compile;
use program::Observed;
use program::{
    Action, Arm, Expr, Field, FieldId, Form, Global, GlobalId, InitialObject, LocalId, Named,
    ObjectId, ObjectType, Operation, ProcessId, Program, Root, Routine, Select, Statement, Step,
    StepId, Target, Type,
};

fn now(action: Action) -> Statement {
    Statement { action, origin: Origin::default() }
}

fn named(name: &str, of: Type) -> Named {
    Named { name: name.into(), of, origin: Origin::default() }
}

const MUTEX: ObjectId = ObjectId(0);
const WORKER: ProcessId = ProcessId(1);

/// `holder: any process? = none`, `step lock { await holder == none holder = self }`,
/// `step unlock { require holder != none holder = none }`.
fn mutex() -> ObjectType {
    let handle = || Type::Optional(Box::new(Type::Handle(None)));
    let this = || Expr::local(LocalId(0), Type::Object(MUTEX));
    let holder = || Expr { form: Form::Field(Box::new(this()), FieldId(0)), of: handle() };
    let none = || Expr { form: Form::None, of: handle() };
    let compare =
        |op| Expr { form: Form::Binary(op, Box::new(holder()), Box::new(none())), of: Type::Bool };
    let target = || Target { root: Root::Field(this(), FieldId(0)), path: vec![], of: handle() };
    let own = Expr { form: Form::This, of: Type::Handle(None) };
    let own = Expr { form: Form::Some(Box::new(own)), of: handle() };
    let awaited = Arm {
        label: None,
        when: None,
        operation: Operation::Await(compare(BinaryOp::Equal)),
        body: vec![],
        origin: Origin::default(),
    };
    let awaited = Action::Select(Select { arms: vec![awaited], otherwise: None, idle: false });
    let step = |name: &str, body| Step {
        routine: Routine {
            name: name.into(),
            parameters: 1,
            locals: vec![named("this", Type::Object(MUTEX))],
            body,
            ..Routine::default()
        },
        undo: None,
    };
    ObjectType {
        name: "mutex".into(),
        parameters: vec![],
        fields: vec![Field { variable: named("holder", handle()), initial: none(), atomic: false }],
        steps: vec![
            step("lock", vec![now(awaited), now(Action::Assign(target(), own))]),
            step(
                "unlock",
                vec![
                    now(Action::Require(compare(BinaryOp::NotEqual))),
                    now(Action::Assign(target(), none())),
                ],
            ),
        ],
        meetings: vec![],
    }
}

fn call(step: u32) -> Statement {
    let object = Expr { form: Form::Global(GlobalId(0)), of: Type::Object(MUTEX) };
    let operation = Operation::Step { object, step: StepId(step), arguments: vec![], result: None };
    let origin = Origin::default();
    let arm = Arm { label: None, when: None, operation, body: vec![], origin };
    now(Action::Select(Select { arms: vec![arm], otherwise: None, idle: false }))
}

fn program(workers: usize, worker: Vec<Statement>) -> Program {
    let spawn = || now(Action::Spawn(None, WORKER, vec![]));
    let main = (0..workers).map(|_| spawn()).collect();
    let routine = |name: &str, body| Routine { name: name.into(), body, ..Routine::default() };
    Program {
        initial: vec![InitialObject { of: MUTEX, arguments: vec![] }],
        globals: vec![Global {
            variable: named("lock", Type::Object(MUTEX)),
            initial: Expr { form: Form::Initial(0), of: Type::Object(MUTEX) },
            atomic: false,
        }],
        objects: vec![mutex()],
        processes: vec![routine("main", main), routine("worker", worker)],
        main: Some(ProcessId(0)),
        ..Program::default()
    }
}

fn folded(program: &Program) -> Folded<Compiled> {
    let net = compile(program, &Net::default(), &Observed::default(), &[]).expect("it can be").net;
    let breaches = net.check();
    assert!(breaches.is_empty(), "{breaches:?}\n{:#?}", net.transitions);
    let relations = net.relations();
    Folded::new(Compiled::new(Arc::new(net), relations), relations)
}

fn explored(program: &Program) -> Result<explore::Exploration, net::FaultKind> {
    let mut folded = folded(program);
    let explored = explore(&mut folded, &Options::default(), &mut |_| Control::Continue);
    explored.map_err(|failed| failed.fault.kind)
}

#[test]
fn workers_exclude_each_other() {
    let exploration = explored(&program(2, vec![call(0), call(1)])).expect("no fault");
    assert!(exploration.complete);
    assert_eq!(exploration.deadlocks.len(), 0);
    assert_eq!(exploration.terminated.len(), 1);
    // By workers before, inside, ended, with main having started some of them.
    assert_eq!(exploration.states(), 9);
}

#[test]
fn a_lock_that_is_taken_twice_is_a_deadlock() {
    let exploration = explored(&program(1, vec![call(0), call(0)])).expect("no fault");
    assert_eq!(exploration.deadlocks.len(), 1);
}

#[test]
fn to_unlock_what_is_not_locked_is_a_fault() {
    let fault = explored(&program(1, vec![call(1)])).expect_err("it is required to be locked");
    assert!(matches!(fault, net::FaultKind::Failure { .. }), "{fault:?}");
}
