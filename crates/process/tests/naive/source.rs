//! Programs as text, for people who look for what is wrong.

use std::fmt::Write;

use program::{
    Action, Block, Domain, Expr, Form, Operation, Program, Root, Routine, Selector, Target,
};

use crate::graph::position;

/// A program as text. Each statement has the number by which it is known.
pub fn text(program: &Program) -> String {
    let mut out = String::new();
    for global in &program.globals {
        let variable = &global.variable;
        let first = expr(&global.initial);
        writeln!(out, "shared {}: {:?} = {first}", variable.name, variable.of).expect("memory");
    }
    for object in &program.objects {
        writeln!(out, "object {}", object.name).expect("memory");
        for step in &object.steps {
            routine(&step.routine, "  step", &mut out);
        }
    }
    for process in &program.processes {
        routine(process, "process", &mut out);
    }
    for function in &program.functions {
        routine(function, "fn", &mut out);
    }
    out
}

fn routine(routine: &Routine, what: &str, out: &mut String) {
    let locals: Vec<String> = (0..)
        .zip(&routine.locals)
        .map(|(index, local): (usize, _)| format!("x{index}: {:?}", local.of))
        .collect();
    let (name, count) = (&routine.name, routine.parameters);
    let line = format!("{what} {name}({count} of {}): {:?}", locals.join(", "), routine.result);
    writeln!(
        out,
        "{}",
        line.replace("Int { min: ", "").replace(", max: ", "..=").replace(" }", "")
    )
    .expect("memory");
    block(&routine.body, 2, out);
}

fn block(statements: &Block, depth: usize, out: &mut String) {
    for statement in statements {
        let number = position(statement.origin);
        write!(out, "{number:4}{}", "  ".repeat(depth)).expect("memory");
        let mut inner: Vec<(String, &Block)> = Vec::new();
        let head = match &statement.action {
            Action::Assign(to, value) => format!("{} = {}", target(to), expr(value)),
            Action::New(to, object, arguments) => {
                format!("{} = new {}({})", target(to), object.0, list(arguments))
            }
            Action::If(condition, yes, no) => {
                inner.push((String::new(), yes));
                inner.push(("else".into(), no));
                format!("if {}", expr(condition))
            }
            Action::Loop(id, body) => {
                inner.push((String::new(), body));
                format!("loop {}", id.0)
            }
            Action::Break(id) => format!("break {}", id.0),
            Action::Continue(id) => format!("continue {}", id.0),
            Action::Block(body) => {
                inner.push((String::new(), body));
                "block".into()
            }
            Action::Return(value) => {
                format!("return {}", value.as_ref().map_or(String::new(), expr))
            }
            Action::Choose(local, domain, when) => {
                let domain = match domain {
                    Domain::Range(from, to) => format!("{}..={}", expr(from), expr(to)),
                    Domain::Type(of) | Domain::Forgotten(of) => format!("{of:?}"),
                    Domain::Collection(of) => expr(of),
                };
                let when =
                    when.as_ref().map_or(String::new(), |when| format!(" where {}", expr(when)));
                format!("choose x{} in {domain}{when}", local.0)
            }
            Action::Either(blocks) => {
                inner.extend(blocks.iter().map(|block| ("or".into(), block)));
                "either".into()
            }
            Action::Atomic(body) => {
                inner.push((String::new(), body));
                "atomic".into()
            }
            Action::Assert(condition) => format!("assert {}", expr(condition)),
            Action::Require(condition) => format!("require {}", expr(condition)),
            Action::Label(label) => format!("label {}", label.0),
            Action::Spawn(to, process, arguments) => {
                let to = to.as_ref().map_or(String::new(), target);
                format!("{to} = spawn p{}({})", process.0, list(arguments))
            }
            Action::Kill(handle) => format!("kill {}", expr(handle)),
            Action::Crash(handle) => format!("crash {}", expr(handle)),
            Action::Defer(body) => {
                inner.push((String::new(), body));
                "defer".into()
            }
            Action::Call(to, function, arguments) => {
                let to = to.as_ref().map_or(String::new(), target);
                format!("{to} = f{}({})", function.0, list(arguments))
            }
            Action::Select(select) => {
                for arm in &select.arms {
                    let when = arm.when.as_ref();
                    let when = when.map_or(String::new(), |when| format!(" when {}", expr(when)));
                    inner.push((format!("{}{when}", operation(&arm.operation)), &arm.body));
                }
                if let Some(block) = &select.otherwise {
                    inner.push(("else".into(), block));
                }
                "select".into()
            }
        };
        writeln!(out, "{head}").expect("memory");
        for (head, body) in inner {
            if !head.is_empty()
                && (head != "else"
                    || !body.is_empty()
                    || matches!(statement.action, Action::Select(_)))
            {
                writeln!(out, "    {}{head}", "  ".repeat(depth)).expect("memory");
            }
            block(body, depth + 1, out);
        }
    }
}

fn operation(operation: &Operation) -> String {
    match operation {
        Operation::Step { object, step, arguments, result } => {
            let result = result.map_or(String::new(), |local| format!("x{} = ", local.0));
            format!("{result}{}.step{}({})", expr(object), step.0, list(arguments))
        }
        Operation::Join(handle, result) => {
            let result = result.map_or(String::new(), |local| format!("x{} = ", local.0));
            format!("{result}join {}", expr(handle))
        }
        Operation::JoinAny(handles, which, _) => {
            format!("{:?} = join any of {}", which.map(|local| local.0), expr(handles))
        }
        Operation::Await(condition) => format!("await {}", expr(condition)),
    }
}

fn target(target: &Target) -> String {
    let mut text = match &target.root {
        Root::Local(local) => format!("x{}", local.0),
        Root::Global(id) => format!("g[{}]", id.0),
        Root::Field(object, field) => format!("{}.{}", expr(object), field.0),
    };
    for way in &target.path {
        match way {
            Selector::Component(index) => write!(text, ".{index}"),
            Selector::Payload(case, index) => write!(text, ".{case}.{index}"),
            Selector::Element(index) => write!(text, "[{}]", expr(index)),
        }
        .expect("memory");
    }
    text
}

fn list(exprs: &[Expr]) -> String {
    exprs.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn expr(of: &Expr) -> String {
    match &of.form {
        Form::Literal(net::Literal::Int(number)) => number.to_string(),
        Form::Literal(net::Literal::Bool(bool)) => bool.to_string(),
        Form::Literal(other) => format!("{other:?}"),
        Form::Initial(number) => format!("object {number}"),
        Form::None => "none".into(),
        Form::Some(inner) => format!("some({})", expr(inner)),
        Form::Unwrap(inner) => format!("{}!", expr(inner)),
        Form::Sure(inner) => expr(inner),
        Form::Local(local) => format!("x{}", local.0),
        Form::Global(id) => format!("g[{}]", id.0),
        Form::Field(object, field) => format!("{}.{}", expr(object), field.0),
        Form::This => "self".into(),
        Form::Ended(handle) => format!("ended({})", expr(handle)),
        Form::Record(all) => format!("({})", list(all)),
        Form::Component(inner, index) => format!("{}.{index}", expr(inner)),
        Form::Case(case, all) => format!("case{case}({})", list(all)),
        Form::Is(inner, case) => format!("{} is {case}", expr(inner)),
        Form::Payload(inner, case, index) => format!("{}.{case}.{index}", expr(inner)),
        Form::Collection(all) => format!("[{}]", list(all)),
        Form::On(op, all) => format!("{op:?}({})", list(all)),
        Form::Quantified(quantifier, local, over, condition) => {
            format!("{quantifier:?} x{} in {}: {}", local.0, expr(over), expr(condition))
        }
        Form::Unary(op, inner) => format!("{op:?}({})", expr(inner)),
        Form::Binary(op, a, b) => format!("({} {op} {})", expr(a), expr(b)),
        Form::If(a, b, c) => format!("(if {} then {} else {})", expr(a), expr(b), expr(c)),
        Form::Shift(inner, by) => format!("{} shifted by {by}", expr(inner)),
    }
}
