//! Which statements are local, by form and types alone (DESIGN §8, *Fusing*).
//!
//! - *Shared* is a global variable or a field that is assigned somewhere, and whether a process has ended.
//! - *Local* is a statement that touches nothing shared, always has an outcome, and cannot fault.
//! - Operands that read what is shared are read in a step of their own, before the statement; so is what is read to
//!   be written to something shared.

use std::collections::HashSet;

use net::{BinaryOp, Literal};
use program::{
    Action, Block, CollectionOp, Domain, Expr, Field, FieldId, Form, FunctionId, GlobalId, LabelId,
    ObjectId, Program, Root, Selector, Source, Statement, Target, Type,
};

use crate::interpreter::Interpreter;

/// What is known of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// For each operand, whether it is read in a step before.
    pub(crate) reads: Vec<bool>,
    /// Whether what is done then is local.
    pub(crate) is_local: bool,
    /// Whether it is the rest of what is written as one statement: only the last part of that has blocks.
    pub(crate) is_rest: bool,
}

/// The variables that are shared.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    globals: HashSet<GlobalId>,
    fields: HashSet<(ObjectId, FieldId)>,
}

impl Shared {
    /// Those that are assigned somewhere.
    pub(crate) fn of(program: &Program) -> Shared {
        let mut shared = Shared::default();
        for object in &program.objects {
            object.steps.iter().for_each(|step| shared.note(&step.routine.body));
            object.meetings.iter().for_each(|meeting| shared.note(&meeting.body));
        }
        let routines = program.processes.iter().chain(&program.functions);
        routines.for_each(|routine| shared.note(&routine.body));
        shared
    }

    fn note(&mut self, block: &Block) {
        for Statement { action, .. } in block {
            for target in action.targets() {
                match &target.root {
                    Root::Global(id) => _ = self.globals.insert(*id),
                    Root::Field(object, field) => {
                        self.fields.insert((object.of.object(), *field));
                    }
                    Root::Local(_) => {}
                }
            }
            action.blocks().into_iter().for_each(|inner| self.note(inner));
        }
    }

    fn is_read(&self, expr: &Expr) -> bool {
        let is_itself = match &expr.form {
            Form::Global(id) => self.globals.contains(id),
            Form::Field(object, field) => self.fields.contains(&(object.of.object(), *field)),
            Form::Ended(_) => true,
            _ => false,
        };
        is_itself || expr.children().into_iter().any(|child| self.is_read(child))
    }
}

impl Interpreter<'_> {
    /// What is known of the statements of a block.
    pub(crate) fn known_in(&self, block: &Block, routine: Source) -> Vec<Known> {
        let mut known: Vec<Known> =
            block.iter().map(|statement| self.find(statement, routine)).collect();
        for (pair, known) in block.windows(2).zip(known.iter_mut().skip(1)) {
            let [before, this] = [0, 1].map(|index| pair[index].origin.range());
            known.is_rest = before.is_some()
                && before == this
                && !matches!(pair[0].action, Action::Label(_))
                && !pair[0].action.has_blocks();
        }
        known
    }

    fn find(&self, statement: &Statement, routine: Source) -> Known {
        let is_shared = |expr: &Expr| self.shared.is_read(expr);
        let is_plain = |expr: &Expr| !is_shared(expr) && !can_fault(expr);
        let fits = |of: &Type, expr: &Expr| !can_fault(expr) && of.includes(&expr.of);
        let shared: Vec<bool> = operands(&statement.action).into_iter().map(is_shared).collect();
        let nothing = Vec::new();
        let (reads, is_local) = match &statement.action {
            Action::Assign(target, value) => match &target.root {
                Root::Local(_) => {
                    let of = self.type_of(target);
                    (nothing, is_place_local(target) && !is_shared(value) && fits(&of, value))
                }
                Root::Global(_) | Root::Field(..) => (shared, false),
            },
            Action::New(target, object, arguments) => {
                let made = &self.program.objects[object.index()];
                let is_plain = |field: &Field| {
                    fits(&field.variable.of, &field.initial) && !is_shared(&field.initial)
                };
                let is_local = matches!(target.root, Root::Local(_))
                    && target.path.is_empty()
                    && made.parameters.iter().zip(arguments).all(|(p, a)| fits(&p.of, a))
                    && made.fields.iter().all(is_plain);
                (shared, is_local)
            }
            Action::If(condition, ..) => (nothing, is_plain(condition)),
            Action::Return(Some(value)) => {
                let result = self.routine(routine).result.as_ref();
                let of = result.unwrap_or(&value.of);
                (nothing, !is_shared(value) && fits(of, value))
            }
            Action::Choose(_, domain, when) => (nothing, when.is_none() && has_values(domain)),
            Action::Call(_, function, arguments) => {
                let parameters = &self.program.functions[function.index()].locals;
                let pairs = parameters.iter().zip(arguments).zip(shared);
                (pairs.map(|((p, a), shared)| shared || !fits(&p.of, a)).collect(), true)
            }
            Action::Spawn(..) | Action::Kill(_) | Action::Crash(_) | Action::Select(_) => {
                (shared, false)
            }
            Action::Either(_)
            | Action::Block(_)
            | Action::Loop(..)
            | Action::Break(_)
            | Action::Continue(_)
            | Action::Return(None)
            | Action::Defer(_) => (nothing, true),
            Action::Label(label) => (nothing, !self.is_observed(routine, *label)),
            Action::Atomic(_) | Action::Assert(_) | Action::Require(_) => (nothing, false),
        };
        Known { reads, is_local, is_rest: false }
    }

    fn is_observed(&self, routine: Source, label: LabelId) -> bool {
        self.observed.labels.contains(&(routine, label))
    }

    /// The type of what a target leads to.
    fn type_of(&self, target: &Target) -> Type {
        let inside = |of: Type, way: &Selector| self.program.inside(&of, way);
        target.path.iter().fold(target.of.clone(), inside)
    }

    /// Whether assigning the result of a function is local.
    pub(crate) fn is_result_local(&self, target: &Target, function: FunctionId) -> bool {
        let result = &self.program.functions[function.index()].result;
        let result = result.as_ref().expect("a function whose result is used has one");
        is_place_local(target) && self.type_of(target).includes(result)
    }

    /// What of a target is read before the result of a function is assigned to it.
    pub(crate) fn reads_of_target(&self, target: &Target) -> Vec<bool> {
        match target.root {
            Root::Local(_) => Vec::new(),
            Root::Global(_) | Root::Field(..) => {
                target.operands().into_iter().map(|expr| self.shared.is_read(expr)).collect()
            }
        }
    }
}

/// Whether finding a target touches nothing shared, and cannot fault.
fn is_place_local(target: &Target) -> bool {
    matches!(target.root, Root::Local(_))
        && target.path.iter().all(|way| matches!(way, Selector::Component(_)))
}

/// What is evaluated when a statement is come to, in order.
pub(crate) fn operands(action: &Action) -> Vec<&Expr> {
    match action {
        Action::Assign(target, value) if !matches!(target.root, Root::Local(_)) => {
            let mut found = target.operands();
            found.push(value);
            found
        }
        Action::New(_, _, arguments)
        | Action::Spawn(_, _, arguments)
        | Action::Call(_, _, arguments) => arguments.iter().collect(),
        Action::Kill(handle) | Action::Crash(handle) => vec![handle],
        Action::Select(select) => {
            select.arms.iter().flat_map(|arm| arm.operation.operands()).collect()
        }
        _ => Vec::new(),
    }
}

fn can_fault(expr: &Expr) -> bool {
    if let Form::Sure(inner) = &expr.form {
        return inner.children().into_iter().any(can_fault);
    }
    let is_itself = match &expr.form {
        Form::Unwrap(_) | Form::Payload(..) | Form::Shift(..) => true,
        Form::Field(object, _) => matches!(object.of, Type::Optional(_)),
        Form::On(op, _) => {
            !matches!(op, CollectionOp::Len | CollectionOp::Has | CollectionOp::Without)
        }
        Form::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, by) => {
            !matches!(by.form, Form::Literal(Literal::Int(number)) if number != 0)
        }
        _ => false,
    };
    is_itself || expr.children().into_iter().any(can_fault)
}

/// Whether one sees that there is something to choose from.
fn has_values(domain: &Domain) -> bool {
    match domain {
        Domain::Type(_) | Domain::Forgotten(_) => true,
        Domain::Collection(_) => false,
        Domain::Range(from, to) => match (&from.form, &to.form) {
            (Form::Literal(Literal::Int(from)), Form::Literal(Literal::Int(to))) => from <= to,
            _ => false,
        },
    }
}
