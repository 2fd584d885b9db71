//! The statements of a function in those of its caller, with variables and loops of their own.
//!
//! In deferred blocks functions are not called but put in: so all that a thread has yet to do there is in one graph,
//! and one that is killed on the way can be let to finish it.

use crate::program::{
    Action, Arm, Block, Domain, Expr, Form, LocalId, LoopId, Operation, Root, Select, Selector,
    Statement, Target,
};

/// Gives variables and loops other numbers.
#[derive(Clone, Copy)]
pub(super) struct Renaming {
    /// What is added to the numbers of variables.
    pub locals: u32,
    /// What is added to the numbers of loops.
    pub loops: u32,
}

impl Renaming {
    pub(super) fn block(self, block: &Block) -> Block {
        let statement = |statement: &Statement| Statement {
            action: self.action(&statement.action),
            origin: statement.origin,
        };
        // Labels are those of the function.
        let has_meaning = |statement: &&Statement| !matches!(statement.action, Action::Label(_));
        block.iter().filter(has_meaning).map(statement).collect()
    }

    fn action(self, action: &Action) -> Action {
        let exprs = |all: &[Expr]| all.iter().map(|expr| self.expr(expr)).collect();
        let target = |of: &Option<Target>| of.as_ref().map(|target| self.target(target));
        match action {
            Action::Assign(to, value) => Action::Assign(self.target(to), self.expr(value)),
            Action::New(to, object, all) => Action::New(self.target(to), *object, exprs(all)),
            Action::If(c, a, b) => Action::If(self.expr(c), self.block(a), self.block(b)),
            Action::Loop(id, body) => Action::Loop(self.a_loop(*id), self.block(body)),
            Action::Break(id) => Action::Break(self.a_loop(*id)),
            Action::Continue(id) => Action::Continue(self.a_loop(*id)),
            Action::Block(block) => Action::Block(self.block(block)),
            Action::Return(value) => Action::Return(value.as_ref().map(|value| self.expr(value))),
            Action::Choose(local, domain, when) => {
                let when = when.as_ref().map(|when| self.expr(when));
                Action::Choose(self.local(*local), self.domain(domain), when)
            }
            Action::Either(blocks) => {
                Action::Either(blocks.iter().map(|block| self.block(block)).collect())
            }
            Action::Atomic(block) => Action::Atomic(self.block(block)),
            Action::Assert(condition) => Action::Assert(self.expr(condition)),
            Action::Require(condition) => Action::Require(self.expr(condition)),
            Action::Label(label) => Action::Label(*label),
            Action::Spawn(to, process, all) => Action::Spawn(target(to), *process, exprs(all)),
            Action::Kill(handle) => Action::Kill(self.expr(handle)),
            Action::Crash(handle) => Action::Crash(self.expr(handle)),
            Action::Defer(block) => Action::Defer(self.block(block)),
            Action::Call(to, function, all) => Action::Call(target(to), *function, exprs(all)),
            Action::Select(select) => Action::Select(Select {
                arms: select.arms.iter().map(|arm| self.arm(arm)).collect(),
                otherwise: select.otherwise.as_ref().map(|block| self.block(block)),
                idle: select.idle,
            }),
        }
    }

    fn arm(self, arm: &Arm) -> Arm {
        let result = |local: &Option<LocalId>| local.map(|local| self.local(local));
        Arm {
            label: None,
            when: arm.when.as_ref().map(|when| self.expr(when)),
            operation: match &arm.operation {
                Operation::Step { object, step, arguments, result: local } => Operation::Step {
                    object: self.expr(object),
                    step: *step,
                    arguments: arguments.iter().map(|argument| self.expr(argument)).collect(),
                    result: result(local),
                },
                Operation::Join(handle, local) => Operation::Join(self.expr(handle), result(local)),
                Operation::JoinAny(handles, which, local) => {
                    Operation::JoinAny(self.expr(handles), result(which), result(local))
                }
                Operation::Await(condition) => Operation::Await(self.expr(condition)),
            },
            body: self.block(&arm.body),
            origin: arm.origin,
        }
    }

    fn domain(self, domain: &Domain) -> Domain {
        match domain {
            Domain::Range(from, to) => Domain::Range(self.expr(from), self.expr(to)),
            Domain::Type(of) => Domain::Type(of.clone()),
            Domain::Collection(over) => Domain::Collection(self.expr(over)),
        }
    }

    fn target(self, target: &Target) -> Target {
        let selector = |selector: &Selector| match selector {
            Selector::Element(index) => Selector::Element(self.expr(index)),
            other => other.clone(),
        };
        Target {
            root: match &target.root {
                Root::Local(local) => Root::Local(self.local(*local)),
                Root::Global(id) => Root::Global(*id),
                Root::Field(object, field) => Root::Field(self.expr(object), *field),
            },
            path: target.path.iter().map(selector).collect(),
            of: target.of.clone(),
        }
    }

    fn expr(self, expr: &Expr) -> Expr {
        let one = |inner: &Expr| Box::new(self.expr(inner));
        let all = |all: &[Expr]| all.iter().map(|expr| self.expr(expr)).collect();
        let form = match &expr.form {
            Form::Literal(_) | Form::Initial(_) | Form::None | Form::Global(_) | Form::This => {
                expr.form.clone()
            }
            Form::Local(id) => Form::Local(self.local(*id)),
            Form::Some(a) => Form::Some(one(a)),
            Form::Unwrap(a) => Form::Unwrap(one(a)),
            Form::Field(a, field) => Form::Field(one(a), *field),
            Form::Ended(a) => Form::Ended(one(a)),
            Form::Record(components) => Form::Record(all(components)),
            Form::Component(a, index) => Form::Component(one(a), *index),
            Form::Case(case, components) => Form::Case(*case, all(components)),
            Form::Is(a, case) => Form::Is(one(a), *case),
            Form::Payload(a, case, index) => Form::Payload(one(a), *case, *index),
            Form::Collection(elements) => Form::Collection(all(elements)),
            Form::On(op, operands) => Form::On(*op, all(operands)),
            Form::Quantified(quantifier, local, over, body) => {
                Form::Quantified(*quantifier, self.local(*local), one(over), one(body))
            }
            Form::Unary(op, a) => Form::Unary(*op, one(a)),
            Form::Binary(op, a, b) => Form::Binary(*op, one(a), one(b)),
            Form::If(c, a, b) => Form::If(one(c), one(a), one(b)),
            Form::Shift(a, steps) => Form::Shift(one(a), *steps),
        };
        Expr { form, of: expr.of.clone() }
    }

    fn local(self, id: LocalId) -> LocalId {
        LocalId(id.0 + self.locals)
    }

    fn a_loop(self, id: LoopId) -> LoopId {
        LoopId(id.0 + self.loops)
    }
}
