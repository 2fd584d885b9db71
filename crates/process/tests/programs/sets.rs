//! Sets and maps of processes: compared by what is in them.

use std::sync::Arc;

use explore::{Control, Exploration, Options, explore};
use fold::Folded;
use net::{Compiled, Literal, Net, Origin};
use process::compile;
use program::Observed;
use program::{
    Action, CollectionOp, Expr, Form, Global, GlobalId, Named, ProcessId, Program, Root, Routine,
    Statement, Target, Type,
};

const MEMBERS: GlobalId = GlobalId(0);
const SEEN: GlobalId = GlobalId(1);

fn now(action: Action) -> Statement {
    Statement { action, origin: Origin::default() }
}

fn named(name: &str, of: Type) -> Named {
    Named { name: name.into(), of, origin: Origin::default() }
}

fn set() -> Type {
    Type::Set(Box::new(Type::Handle(None)), 3)
}

/// A map from processes to sets of processes.
fn map() -> Type {
    Type::Map(Box::new(Type::Handle(None)), Box::new(set()), 3)
}

fn this() -> Expr {
    Expr { form: Form::This, of: Type::Handle(None) }
}

fn collected(elements: Vec<Expr>, of: Type) -> Expr {
    Expr { form: Form::Collection(elements), of }
}

/// `members = OP(members, …)`, at once.
fn changed(op: CollectionOp, operands: Vec<Expr>, of: &Type) -> Statement {
    let members = Expr { form: Form::Global(MEMBERS), of: of.clone() };
    let operands = std::iter::once(members).chain(operands).collect();
    let value = Expr { form: Form::On(op, operands), of: of.clone() };
    let target = Target { root: Root::Global(MEMBERS), path: vec![], of: of.clone() };
    now(Action::Atomic(vec![now(Action::Assign(target, value))]))
}

/// Workers that join, say that they have seen it, and leave.
fn program(workers: usize, of: Type) -> Program {
    let more = match of {
        Type::Map(..) => vec![this(), collected(vec![this()], set())],
        _ => vec![this()],
    };
    let is_seen = Expr { form: Form::Literal(Literal::Bool(true)), of: Type::Bool };
    let seen = Target { root: Root::Global(SEEN), path: vec![], of: Type::Bool };
    let worker = vec![
        changed(CollectionOp::With, more, &of),
        now(Action::Atomic(vec![now(Action::Assign(seen, is_seen))])),
        changed(CollectionOp::Without, vec![this()], &of),
    ];
    let main = (0..workers).map(|_| now(Action::Spawn(None, ProcessId(1), vec![]))).collect();
    let routine = |name: &str, body| Routine { name: name.into(), body, ..Routine::default() };
    let global =
        |name: &str, of: Type, initial| Global { variable: named(name, of), initial, atomic: true };
    let unseen = Expr { form: Form::Literal(Literal::Bool(false)), of: Type::Bool };
    Program {
        globals: vec![
            global("members", of.clone(), collected(vec![], of)),
            global("seen", Type::Bool, unseen),
        ],
        processes: vec![routine("main", main), routine("worker", worker)],
        main: Some(ProcessId(0)),
        ..Program::default()
    }
}

fn compiled(program: &Program) -> Net {
    let net = compile(program, &Net::default(), &Observed::default(), &[]).expect("it can be").net;
    let breaches = net.check();
    assert!(breaches.is_empty(), "{breaches:?}");
    net
}

fn explored(net: Net) -> Exploration {
    let relations = net.relations();
    let mut folded = Folded::new(Compiled::new(Arc::new(net), relations), relations);
    let explored = explore(&mut folded, &Options::default(), &mut |_| Control::Continue);
    explored.unwrap_or_else(|failed| panic!("{:?}", failed.fault))
}

#[test]
fn sets_are_compared_by_what_is_in_them() {
    for of in [set(), map()] {
        let net = compiled(&program(3, of.clone()));
        let mut ordered = net.clone();
        ordered.places.iter_mut().for_each(|place| place.groups.clear());
        let (unordered, ordered) = (explored(net), explored(ordered));
        assert!(unordered.complete);
        // By workers before each of their steps and ended, with main having started some: 1 + 4 + 10 + 20.
        assert_eq!(unordered.states(), 35, "{of:?}");
        assert!(ordered.states() > unordered.states(), "{of:?}: the order is seen");
        assert_eq!(unordered.terminated.len(), 1);
    }
}

/// Sleepers of a condition, all of whom are woken.
fn sleepers(number: usize) -> String {
    format!(
        "model sleepers
        const n = {number}
        shared m = new mutex
        shared c = new condition
        shared here: 0..=n = 0
        process main {{ repeat n {{ spawn sleeper() }} }}
        process sleeper {{
            with m.lock() {{
                here += 1
                if here == n {{ c.broadcast() }} else {{ while here < n {{ c.wait(m) }} }}
            }}
        }}"
    )
}

#[test]
fn any_number_is_a_limit_of_nets() {
    let claims = |verdict| [("deadlock_free", verdict), ("always here <= n", verdict)];
    crate::require(&sleepers(3), &claims("holds"));
    crate::require(&sleepers(10), &claims("unknown"));
}
