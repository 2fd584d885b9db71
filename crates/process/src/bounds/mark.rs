//! Putting what was found into a program.

use super::{Bounds, Found};
use crate::program::{Action, Block, Domain, Expr, Form, Operation, Root, Selector, Target, Type};

impl Found {
    /// Marks what never faults in a block.
    pub(super) fn mark(&self, block: &mut Block) {
        for statement in block {
            exprs(&mut statement.action).into_iter().for_each(|expr| self.mark_expr(expr, false));
            blocks(&mut statement.action).into_iter().for_each(|block| self.mark(block));
        }
    }

    fn mark_expr(&self, expr: &mut Expr, is_sure: bool) {
        let at: *const Expr = expr;
        let own = matches!(expr.form, Form::Sure(_));
        children(expr).into_iter().for_each(|child| self.mark_expr(child, own));
        if let (Some(Bounds { least, most }), Type::Int { min, max }) =
            (self.fitting.get(&at), &mut expr.of)
        {
            (*min, *max) = ((*min).max(*least), (*max).min(*most));
        }
        if self.faults.get(&at) == Some(&false) && !is_sure && can_be_marked(expr) {
            let of = expr.of.clone();
            let inner = std::mem::replace(expr, Expr { form: Form::None, of });
            expr.form = Form::Sure(Box::new(inner));
        }
    }
}

/// Whether an operation is one that might fault otherwise.
fn can_be_marked(expr: &Expr) -> bool {
    let inner = expr.children().into_iter().any(crate::facts::can_fault);
    !inner && crate::facts::can_fault(expr)
}

/// The expressions right under one.
fn children(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.form {
        Form::Literal(_)
        | Form::Initial(_)
        | Form::None
        | Form::Local(_)
        | Form::Global(_)
        | Form::This => vec![],
        Form::Some(a)
        | Form::Unwrap(a)
        | Form::Sure(a)
        | Form::Field(a, _)
        | Form::Ended(a)
        | Form::Component(a, _)
        | Form::Is(a, _)
        | Form::Payload(a, ..)
        | Form::Unary(_, a)
        | Form::Shift(a, _) => vec![a],
        Form::Record(all) | Form::Case(_, all) | Form::Collection(all) | Form::On(_, all) => {
            all.iter_mut().collect()
        }
        Form::Quantified(_, _, a, b) | Form::Binary(_, a, b) => vec![a, b],
        Form::If(a, b, c) => vec![a, b, c],
    }
}

/// The expressions right inside of a statement.
fn exprs(action: &mut Action) -> Vec<&mut Expr> {
    match action {
        Action::Assign(target, value) => within(target).into_iter().chain([value]).collect(),
        Action::New(target, _, arguments) => within(target).into_iter().chain(arguments).collect(),
        Action::Spawn(target, _, arguments) | Action::Call(target, _, arguments) => {
            target.iter_mut().flat_map(within).chain(arguments).collect()
        }
        Action::If(condition, ..) | Action::Assert(condition) | Action::Require(condition) => {
            vec![condition]
        }
        Action::Return(value) => value.iter_mut().collect(),
        Action::Choose(_, domain, when) => {
            let domain = match domain {
                Domain::Range(from, to) => vec![from, to],
                Domain::Collection(over) => vec![over],
                Domain::Type(_) => Vec::new(),
            };
            domain.into_iter().chain(when).collect()
        }
        Action::Kill(handle) | Action::Crash(handle) => vec![handle],
        Action::Select(select) => {
            let arms = select.arms.iter_mut();
            arms.flat_map(|arm| arm.when.iter_mut().chain(operands(&mut arm.operation))).collect()
        }
        _ => Vec::new(),
    }
}

fn operands(operation: &mut Operation) -> Vec<&mut Expr> {
    match operation {
        Operation::Step { object, arguments, .. } => {
            [object].into_iter().chain(arguments).collect()
        }
        Operation::Join(handle, _) | Operation::JoinAny(handle, ..) => vec![handle],
        Operation::Await(condition) => vec![condition],
    }
}

fn within(target: &mut Target) -> Vec<&mut Expr> {
    let object = match &mut target.root {
        Root::Field(object, _) => Some(object),
        Root::Local(_) | Root::Global(_) => None,
    };
    let indices = target.path.iter_mut().filter_map(|way| match way {
        Selector::Element(index) => Some(index),
        Selector::Component(_) | Selector::Payload(..) => None,
    });
    object.into_iter().chain(indices).collect()
}

/// The blocks right inside of a statement.
fn blocks(action: &mut Action) -> Vec<&mut Block> {
    match action {
        Action::If(_, a, b) => vec![a, b],
        Action::Loop(_, block)
        | Action::Block(block)
        | Action::Atomic(block)
        | Action::Defer(block) => vec![block],
        Action::Either(blocks) => blocks.iter_mut().collect(),
        Action::Select(select) => {
            let arms = select.arms.iter_mut().map(|arm| &mut arm.body);
            arms.chain(&mut select.otherwise).collect()
        }
        _ => Vec::new(),
    }
}
