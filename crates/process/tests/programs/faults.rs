//! Faults are found also where something around them can never happen, or never faults by itself.

use std::sync::Arc;

use explore::{Control, Options, explore};
use fold::Folded;
use net::{Compiled, FaultKind, Net, Origin};
use process::compile;
use program::Observed;
use program::{
    Action, CollectionOp, Expr, Form, Global, GlobalId, LocalId, Named, ProcessId, Program,
    Routine, Statement, Target, Type,
};

/// The message of the fault that a net has, if it has one.
fn fault(net: Net) -> Option<String> {
    let (relations, net) = (net.relations(), Arc::new(net));
    let mut folded = Folded::new(Compiled::new(Arc::clone(&net), relations), relations);
    let explored = explore(&mut folded, &Options::default(), &mut |_| Control::Continue);
    match explored.err()?.fault.kind {
        FaultKind::Failure { transition } => net.transition(transition).failure.clone(),
        other => panic!("{other:?}"),
    }
}

/// `let first = list.without_first().first()`, where it is made sure that there is a first then.
#[test]
fn an_operand_of_what_is_sure_may_fault() {
    let number = || Type::Int { min: 0, max: 3 };
    let list = || Type::Sequence(Box::new(number()), 2);
    let named = |name: &str, of| Named { name: name.into(), of, origin: Origin::default() };
    let on = |op, operand, of| Expr { form: Form::On(op, vec![operand]), of };
    let empty = Expr { form: Form::Collection(Vec::new()), of: list() };
    let all = Expr { form: Form::Global(GlobalId(0)), of: list() };
    let rest = on(CollectionOp::WithoutFirst, all, list());
    let first = on(CollectionOp::First, rest, number());
    let sure = Expr { form: Form::Sure(Box::new(first)), of: number() };
    let assign = Action::Assign(Target::local(LocalId(0), number()), sure);
    let main = Routine {
        name: "main".into(),
        locals: vec![named("first", number())],
        body: vec![Statement { action: assign, origin: Origin::default() }],
        ..Routine::default()
    };
    let program = Program {
        globals: vec![Global { variable: named("list", list()), initial: empty, atomic: false }],
        processes: vec![main],
        main: Some(ProcessId(0)),
        ..Program::default()
    };
    let compiled = compile(&program, &Net::default(), &Observed::default(), &[]);
    let found = fault(compiled.expect("it can be compiled").net);
    assert_eq!(found.as_deref(), Some("it is empty"));
}

/// Two that meet, if this holds.
fn meeting(awaited: &str) -> Net {
    let text = format!(
        "model m
object door(open: 0..=1) {{
    list: seq[0..=1, 1] = []
    step enter {{ await open > 1 }}
    step leave {{ await open > 1 }}
    meet enter, leave {{ {awaited} }}
}}
shared gate = new door(open: 1)
process main {{ spawn other()   gate.enter() }}
process other {{ gate.leave() }}
"
    );
    let compilation = lang::compile(&text, &[]);
    let diagnostics = compilation.diagnostics.render("model.kin", &text, false);
    compilation.net.unwrap_or_else(|| panic!("{diagnostics}"))
}

#[test]
fn a_meeting_that_never_happens_may_fault_before() {
    for never in ["await list[0] == 1 and open > 1", "await list[0] == 1   await open > 1"] {
        let found = fault(meeting(never));
        assert_eq!(found.as_deref(), Some("there is no element at this index"), "{never}");
    }
    for never in ["await open > 1 and list[0] == 1", "await open > 1   await list[0] == 1"] {
        assert_eq!(fault(meeting(never)), None, "{never}");
    }
}

#[test]
fn a_first_value_that_goes_wrong_is_refused() {
    for (value, fault) in [
        ("size - 1", "the value is out of range: -1 is not in 0..=3"),
        ("3 / size", "this divides by zero"),
    ] {
        let text = format!(
            "model m\nobject box(size: 0..=3) {{ n: 0..=3 = {value} }}\n\
             shared box_of_none = new box(size: 0)\nprocess main {{}}\n"
        );
        let found = lang::compile(&text, &[]).diagnostics.render("model.kin", &text, false);
        let expected =
            format!("error[E1019]: this goes wrong at the start: {fault}\n --> model.kin:2:");
        assert!(found.contains(&expected), "{found}");
    }
}

#[test]
fn an_object_whose_fields_may_go_wrong_is_made_in_a_step_of_its_own() {
    for before in ["", "n = 1"] {
        let text = format!(
            "model m\nshared n: 0..=1 = 0\nobject box(size: 0..=3) {{ n: 0..=3 = size - 1 }}\n\
             process main {{ {before}\nlet a = new box(size: 0) }}\n"
        );
        let compilation = lang::compile(&text, &[]);
        let net = compilation.net.unwrap_or_else(|| panic!("{before}: it can be compiled"));
        // It is that statement that fails, and not the one before.
        let transition = net.transitions.iter().find(|t| t.failure.is_some());
        let at = transition.and_then(|t| t.participants.first()).expect("it may fail").from;
        assert_eq!(&*net.place(at).name, "main:5");
        assert_eq!(fault(net).as_deref(), Some("the value is out of range: -1 is not in 0..=3"));
    }
}
