//! Fields of which nobody asks more than whether there is something.
//!
//! A lock that names its holder ties the two together, and gives the holder a name of its own as long as it holds it.
//! Where nothing reads who it is, it is enough to keep that there is one: states that differ in nothing else behave alike,
//! since no condition and no reference tells them apart.

use std::collections::HashSet;

use net::BinaryOp;
use program::{
    Action, Expr, FieldId, Form, ObjectId, Observed, Program, Root, Selector, Statement, Target,
    Type,
};

/// A field of a type of objects.
pub(super) type Field = (ObjectId, FieldId);

/// The fields of references of which only their presence is asked.
pub(super) fn fields(program: &Program, observed: &Observed) -> HashSet<Field> {
    // Where objects are counted, what keeps them from being dropped is seen.
    if observed.all_locals {
        return HashSet::new();
    }
    let mut read = Read { fields: observed.fields.clone() };
    for object in &program.objects {
        object.fields.iter().for_each(|field| read.expr(&field.initial));
        object.steps.iter().for_each(|step| read.block(&step.routine.body));
        for meeting in &object.meetings {
            read.block(&meeting.body);
            meeting.results.iter().flatten().for_each(|result| read.expr(result));
        }
    }
    let routines = program.processes.iter().chain(&program.functions);
    routines.for_each(|routine| read.block(&routine.body));
    program.globals.iter().for_each(|global| read.expr(&global.initial));
    let initial = program.initial.iter();
    initial.for_each(|object| object.arguments.iter().for_each(|argument| read.expr(argument)));
    let is_reference = |of: &Type| match of {
        Type::Optional(inner) => matches!(**inner, Type::Handle(_) | Type::Object(_)),
        _ => false,
    };
    let all = (0..).map(ObjectId).zip(&program.objects).flat_map(|(of, object)| {
        let fields = (0..).map(FieldId).zip(&object.fields);
        let fields = fields.filter(|(_, field)| is_reference(&field.variable.of));
        fields.map(move |(field, _)| (of, field))
    });
    all.filter(|field| !read.fields.contains(field)).collect()
}

/// The fields that are read for what is in them.
struct Read {
    fields: HashSet<Field>,
}

impl Read {
    fn block(&mut self, block: &[Statement]) {
        for Statement { action, .. } in block {
            action.exprs().into_iter().for_each(|expr| self.expr(expr));
            action.targets().into_iter().for_each(|target| self.target(target));
            action.blocks().into_iter().for_each(|block| self.block(block));
            if let Action::Select(select) = action {
                select.arms.iter().for_each(|arm| self.block(&arm.body));
            }
        }
    }

    /// What is changed inside is read.
    fn target(&mut self, target: &Target) {
        if let (Root::Field(object, field), [_, ..]) = (&target.root, &target.path[..]) {
            self.fields.insert((object.of.object(), *field));
        }
        for way in &target.path {
            if let Selector::Element(key) = way {
                self.expr(key);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.form {
            Form::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) if is_none(b) => {
                self.present(a)
            }
            Form::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) if is_none(a) => {
                self.present(b)
            }
            form => {
                if let Form::Field(object, field) = form {
                    self.fields.insert((object.of.object(), *field));
                }
                expr.children().into_iter().for_each(|child| self.expr(child));
            }
        }
    }

    /// An expression of which it is asked whether it is there.
    fn present(&mut self, expr: &Expr) {
        match &expr.form {
            Form::Field(object, _) => self.expr(object),
            _ => self.expr(expr),
        }
    }
}

fn is_none(expr: &Expr) -> bool {
    matches!(expr.form, Form::None | Form::Literal(net::Literal::None(_)))
}
