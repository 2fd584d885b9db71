//! Whether a program is one: names are in range, and each expression, statement and routine is of the types that it is used
//! by. Who reads a program relies on it, so front ends make no other; here that is made sure of.
//!
//! Numbers of any range can be where a number is expected, since what does not fit fails when it comes to it. Parts of
//! records, variants and collections are not looked at later: they have to fit by their types.

mod expr;
mod place;
mod statement;

use net::Origin;

use crate::{Block, Expr, LoopId, Meeting, Named, ObjectId, Program, Routine, Type};

/// Something in a program that is not as it has to be.
#[derive(Clone, Debug)]
pub struct IllTyped {
    /// The statement in which it is, or the declaration.
    pub origin: Origin,
    /// What is wrong.
    pub what: String,
}

/// Checks a program.
///
/// # Errors
///
/// All that is wrong with it.
pub fn check(program: &Program) -> Result<(), Vec<IllTyped>> {
    let mut checker = Checker {
        program,
        locals: &[],
        labels: 0,
        result: None,
        loops: Vec::new(),
        origin: Origin::default(),
        found: Vec::new(),
    };
    checker.program();
    if checker.found.is_empty() { Ok(()) } else { Err(checker.found) }
}

struct Checker<'p> {
    program: &'p Program,
    /// Of the routine: its variables, the number of its labels, and what it returns.
    locals: &'p [Named],
    labels: usize,
    result: Option<&'p Type>,
    /// The loops around the statement.
    loops: Vec<LoopId>,
    origin: Origin,
    found: Vec<IllTyped>,
}

impl<'p> Checker<'p> {
    /// Notes what is wrong unless it is right; says whether it is.
    fn require(&mut self, is_right: bool, what: impl FnOnce() -> String) -> bool {
        if !is_right {
            self.found.push(IllTyped { origin: self.origin, what: what() });
        }
        is_right
    }

    fn program(&mut self) {
        let program = self.program;
        let cases = program.variants.iter().flat_map(|variant| &variant.cases);
        for record in program.records.iter().chain(cases) {
            self.declared(&record.components);
        }
        for global in &program.globals {
            self.declared(std::slice::from_ref(&global.variable));
            self.within(&[], |checker| checker.fits(&global.initial, &global.variable.of));
        }
        for object in &program.initial {
            let parameters = program.objects.get(object.of.index()).map(|of| &of.parameters[..]);
            if self.require(parameters.is_some(), || format!("{:?} is no type", object.of)) {
                self.within(&[], |checker| {
                    checker.arguments(&object.arguments, parameters.unwrap_or_default());
                });
            }
        }
        for (id, object) in (0..).map(ObjectId).zip(&program.objects) {
            self.object(id, object);
        }
        for routine in program.functions.iter().chain(&program.processes) {
            self.routine(routine);
        }
        let is_there = program.main.is_none_or(|main| main.index() < program.processes.len());
        self.require(is_there, || "the first process is not there".into());
        let main = program.main.and_then(|main| program.processes.get(main.index()));
        let is_free = main.is_none_or(|main| main.parameters == 0);
        self.require(is_free, || "the first process has parameters".into());
    }

    fn object(&mut self, id: ObjectId, object: &'p crate::ObjectType) {
        self.declared(&object.parameters);
        for field in &object.fields {
            self.declared(std::slice::from_ref(&field.variable));
            self.within(&object.parameters, |checker| {
                checker.fits(&field.initial, &field.variable.of);
            });
        }
        for step in &object.steps {
            self.routine(&step.routine);
            let this = step.routine.locals.first().filter(|_| step.routine.parameters > 0);
            let is_own = this.is_some_and(|this| this.of == Type::Object(id));
            self.require(is_own, || format!("`{}` is of no object", step.routine.name));
            let is_undone = step.undo.is_none_or(|undo| undo.index() < object.steps.len());
            self.require(is_undone, || "what undoes a step is not there".into());
        }
        for meeting in &object.meetings {
            self.meeting(id, object, meeting);
        }
    }

    fn meeting(&mut self, id: ObjectId, object: &'p crate::ObjectType, meeting: &'p Meeting) {
        self.declared(&meeting.locals);
        let steps = [meeting.first, meeting.second].map(|step| object.steps.get(step.index()));
        let [Some(first), Some(second)] = steps else {
            _ = self.require(false, || "two meet at steps that are not there".into());
            return;
        };
        let parameters = |routine: &'p Routine| &routine.locals[1..routine.parameters.max(1)];
        let passed = parameters(&first.routine).iter().chain(parameters(&second.routine));
        let types = [Type::Object(id)].into_iter().chain(passed.map(|local| local.of.clone()));
        let own = meeting.locals.iter().map(|local| &local.of);
        let types: Vec<Type> = types.collect();
        let is_passed = types.len() <= meeting.locals.len() && own.zip(&types).all(|(a, b)| a == b);
        self.require(is_passed, || "who meets is passed something else".into());
        self.within(&meeting.locals, |checker| {
            checker.block(&meeting.body);
            for (value, step) in meeting.results.iter().zip([first, second]) {
                checker.returned(value.as_ref(), step.routine.result.as_ref());
            }
        });
    }

    fn routine(&mut self, routine: &'p Routine) {
        self.origin = routine.origin;
        self.declared(&routine.locals);
        routine.result.iter().for_each(|of| self.of(of));
        let is_declared = routine.parameters <= routine.locals.len();
        self.require(is_declared, || format!("`{}` has too many parameters", routine.name));
        self.within(&routine.locals, |checker| {
            (checker.labels, checker.result) = (routine.labels.len(), routine.result.as_ref());
            checker.block(&routine.body);
            (checker.labels, checker.result) = (0, None);
        });
    }

    /// Checks something with these variables.
    fn within(&mut self, locals: &'p [Named], check: impl FnOnce(&mut Self)) {
        self.locals = locals;
        check(self);
        self.locals = &[];
    }

    fn block(&mut self, block: &'p Block) {
        for statement in block {
            let around = std::mem::replace(&mut self.origin, statement.origin);
            self.action(&statement.action);
            self.origin = around;
        }
    }

    fn declared(&mut self, all: &[Named]) {
        for named in all {
            self.of(&named.of);
        }
    }

    /// Checks a type.
    fn of(&mut self, of: &Type) {
        let program = self.program;
        let is_there = match of {
            Type::Int { min, max } => min <= max,
            Type::Bool | Type::Handle(None) => true,
            Type::Member(id) => id.index() < program.enumerations.len(),
            Type::Handle(Some(id)) => id.index() < program.processes.len(),
            Type::Object(id) => id.index() < program.objects.len(),
            Type::Record(id) => id.index() < program.records.len(),
            Type::Variant(id) => id.index() < program.variants.len(),
            Type::Optional(inner) => {
                self.of(inner);
                true
            }
            Type::Sequence(..) | Type::Set(..) | Type::Map(..) => {
                of.elements().into_iter().for_each(|element| self.of(element));
                true
            }
        };
        self.require(is_there, || format!("{of:?} is no type"));
    }

    /// Checks an expression whose value is to be one of a type, or fails to be.
    fn fits(&mut self, expr: &'p Expr, of: &Type) {
        self.expr(expr);
        self.require(is_alike(of, &expr.of), || format!("{:?} where {of:?} is expected", expr.of));
    }

    /// Checks an expression that is a part of a value of some type.
    fn is_part(&mut self, expr: &'p Expr, of: &Type) {
        self.expr(expr);
        self.require(of.includes(&expr.of), || format!("{:?} as a part that is {of:?}", expr.of));
    }

    fn arguments(&mut self, arguments: &'p [Expr], parameters: &[Named]) {
        let (given, wanted) = (arguments.len(), parameters.len());
        self.require(given == wanted, || format!("{given} arguments for {wanted} parameters"));
        for (argument, parameter) in arguments.iter().zip(parameters) {
            self.fits(argument, &parameter.of);
        }
    }

    /// Checks what is returned, if something is.
    fn returned(&mut self, value: Option<&'p Expr>, of: Option<&Type>) {
        match (value, of) {
            (Some(value), Some(of)) => self.fits(value, of),
            (value, of) => {
                let is_right = value.is_none() && of.is_none();
                self.require(is_right, || format!("{of:?} is returned by {value:?}"));
            }
        }
    }
}

/// Whether values of a type may be where another is expected: perhaps not all of them.
fn is_alike(of: &Type, found: &Type) -> bool {
    match (of, found) {
        (Type::Int { .. }, Type::Int { .. }) => true,
        (Type::Handle(None), Type::Handle(_)) => true,
        (Type::Optional(a), Type::Optional(b)) => is_alike(a, b),
        (Type::Optional(a), b) => is_alike(a, b),
        (Type::Sequence(a, _), Type::Sequence(b, _)) | (Type::Set(a, _), Type::Set(b, _)) => {
            is_alike(a, b)
        }
        (Type::Map(a, b, _), Type::Map(c, d, _)) => is_alike(a, c) && is_alike(b, d),
        _ => of == found,
    }
}
