//! Expressions. What is called in one is done first, in statements of its own.

use net::Literal;
use program::{Expr as Value, Form, GlobalId, LocalId, Type};

use super::body::{Binding, Calls, Kind};
use super::call::Place;
use super::declared::Decl;
use super::{Lowering, interval};
use crate::resolve::names::Meaning;
use crate::resolve::scope::{Scope, Usage};
use crate::syntax::{Expr, ExprKind, Infix, Name, Prefix};
use diagnostics::Span;

impl<'a> Lowering<'a, '_, '_> {
    /// The value of an expression; `hint` is what it will be, where that helps.
    pub(super) fn expr(&mut self, expr: &'a Expr<'a>, hint: Option<&Type>) -> Option<Value> {
        match &expr.kind {
            ExprKind::Int(number) => Some(int(*number)),
            ExprKind::Bool(truth) => Some(boolean(*truth)),
            ExprKind::Name(text) => self.named(Name { text, span: expr.span }, hint),
            ExprKind::Paren(inner) => self.expr(inner, hint),
            ExprKind::Tuple(list) if list.is_empty() => Some(self.nothing()),
            ExprKind::Unary(Prefix::Data(op), operand) => self.unary(*op, operand, expr.span),
            ExprKind::Binary(Infix::Data(op), span, a, b) => self.binary(*op, *span, a, b),
            ExprKind::If(condition, a, b) => self.either(condition, a, b, hint),
            ExprKind::Member(inner, name) => self.member(inner, *name),
            ExprKind::Index(inner, index) => self.element(inner, index),
            ExprKind::Value(inner) => {
                let value = self.expr(inner, None)?;
                match &value.of {
                    Type::Optional(of) => {
                        let of = Type::clone(of);
                        Some(Value { form: Form::Unwrap(Box::new(value)), of })
                    }
                    _ => {
                        let of = value.of.clone();
                        self.report_mismatch(&of, "what may be `none`", inner.span, "before `!`");
                        None
                    }
                }
            }
            ExprKind::List(list) => self.list(list, hint, expr.span),
            ExprKind::Pairs(list) => self.pairs(list, hint, expr.span),
            ExprKind::Repeated(value, count) => self.repeated(value, count, hint, expr.span),
            ExprKind::Is(value, case) => self.is_case(value, *case),
            ExprKind::Has(value, collection) => self.has(value, collection),
            ExprKind::Over { quantifier, name, range, body } => {
                self.over(*quantifier, *name, range, body)
            }
            ExprKind::New(of, arguments) => {
                self.new_object(of, arguments, hint, expr.span, Place::Temp)
            }
            ExprKind::Call(..) | ExprKind::Spawn(..) | ExprKind::Join(_) => {
                match self.called(expr, hint, Place::Temp)? {
                    Some(value) => Some(value),
                    None => {
                        self.error(
                            "E1007",
                            "this gives no value",
                            expr.span,
                            "nothing is returned",
                        )
                        .help("call it as a statement of its own")
                        .report(self.resolver.diagnostics);
                        None
                    }
                }
            }
            ExprKind::Predicate(..) => {
                let message = "a predicate is only an argument";
                self.error("E1010", message, expr.span, "not here")
                    .help("give it to a step: `c.receive_where(m => m != 0)`")
                    .report(self.resolver.diagnostics);
                None
            }
            _ if self.body.kind == Kind::Claim => self.claimed(expr, hint),
            _ => {
                self.error("E1010", "this means nothing in a process", expr.span, "not here")
                    .help("what is asked about all states is a `property`")
                    .report(self.resolver.diagnostics);
                None
            }
        }
    }

    /// The value of type `unit`.
    pub(super) fn nothing(&mut self) -> Value {
        let of = Type::Record(self.unit());
        Value { form: Form::Record(Vec::new()), of }
    }

    /// What a name stands for.
    pub(super) fn named(&mut self, name: Name<'a>, hint: Option<&Type>) -> Option<Value> {
        if let Some(entry) = self.body.names.get(name.text) {
            return match entry.binding.clone() {
                Binding::Local(id) => Some(self.body.local(id)),
                Binding::Value(value) => Some(value),
                Binding::Wrong => None,
                Binding::Predicate(_) => {
                    self.error("E1010", "a predicate is called", name.span, "it is no value")
                        .help(format!("write `{}(x)`", name.text))
                        .report(self.resolver.diagnostics);
                    None
                }
            };
        }
        if let Some(value) = self.own_field(name) {
            return Some(value);
        }
        match name.text {
            "none" => return self.none(name, hint),
            "self" => return self.own_handle(name),
            "this" => return self.this(name),
            _ => {}
        }
        match self.decl(name) {
            Some(Decl::Shared) if self.body.kind == Kind::Default => {
                self.error("E1017", "a default is constant", name.span, "this may change")
                    .help("use a `const`, or give the value where the object is made")
                    .report(self.resolver.diagnostics);
                return None;
            }
            Some(Decl::Shared) => {
                let number = *self.globals.get(name.text)?;
                let of = self.program.globals[number as usize].variable.of.clone();
                // First values are known, whatever becomes of the variable.
                if self.body.kind == Kind::Constant {
                    return Some(self.program.globals[number as usize].initial.clone());
                }
                return Some(Value { form: Form::Global(GlobalId(number)), of });
            }
            Some(Decl::Case(decl, case)) => return self.case(decl, case, &[], name.span),
            Some(other) => {
                let text = name.text;
                let message = format!("`{text}` is no value");
                let help = match other {
                    Decl::Process(_) if self.body.kind == Kind::Claim => {
                        format!(
                            "count them: `count({text}) > 0`, or bind one: `forall w in {text}: …`"
                        )
                    }
                    Decl::Process(_) => format!("start one: `spawn {text}(…)` gives its handle"),
                    Decl::Object(_) => format!("make one: `new {text}`"),
                    Decl::Variant(_) => "name one of its members".to_owned(),
                    _ => format!("write `{text}(…)`"),
                };
                self.error("E1007", message, name.span, format!("this is {}", other.word()))
                    .help(help)
                    .report(self.resolver.diagnostics);
                return None;
            }
            None => {}
        }
        self.constant(name, hint)
    }

    /// A constant or a member of a class of the net.
    fn constant(&mut self, name: Name<'a>, hint: Option<&Type>) -> Option<Value> {
        match self.resolver.meaning(name.text) {
            None => {
                self.report_unknown_name(name, hint);
                None
            }
            Some((Meaning::Later, _)) => None,
            Some(_) => {
                let mut scope = Scope::new(Usage::Guard);
                let typed = self.resolver.named(name, &mut scope);
                typed.as_literal().map(literal)
            }
        }
    }

    fn none(&mut self, name: Name<'a>, hint: Option<&Type>) -> Option<Value> {
        match hint {
            Some(of @ Type::Optional(_)) => Some(Value { form: Form::None, of: of.clone() }),
            Some(of) => {
                let shown = self.shown(of);
                let message = format!("expected `{shown}`, found `none`");
                self.error("E1007", message, name.span, format!("`{shown}` is always there"))
                    .help(format!("declare it as `{shown}?` if it may be missing"))
                    .report(self.resolver.diagnostics);
                None
            }
            None => {
                self.error(
                    "E1011",
                    "it is not known of what type this is",
                    name.span,
                    "none of what?",
                )
                .help("declare the variable with its type: `let x: worker? = none`, say")
                .report(self.resolver.diagnostics);
                None
            }
        }
    }

    fn own_handle(&mut self, name: Name<'a>) -> Option<Value> {
        let of = match self.body.kind {
            Kind::Process(id) => Type::Handle(Some(id)),
            Kind::Constant | Kind::Default | Kind::Initials(_) | Kind::Claim => {
                let help = match self.body.kind {
                    Kind::Claim => "bind a process: `forall w in worker: …`",
                    _ => "`self` is the process, in processes, functions and steps",
                };
                self.error("E1010", "no process is here", name.span, "whose handle?")
                    .help(help)
                    .report(self.resolver.diagnostics);
                return None;
            }
            _ => Type::Handle(None),
        };
        Some(Value { form: Form::This, of })
    }

    /// The object whose step or function this is.
    pub(super) fn this(&mut self, name: Name<'a>) -> Option<Value> {
        match self.body.this {
            Some(id) => Some(Value::local(LocalId(0), Type::Object(id))),
            None => {
                self.error("E1010", "no object is here", name.span, "`this` of what?")
                    .help("`this` is the object, in its steps and functions; `self` is the process")
                    .report(self.resolver.diagnostics);
                None
            }
        }
    }

    /// A field of the object whose step this is, or what it was made with.
    pub(super) fn own_field(&mut self, name: Name<'a>) -> Option<Value> {
        let id = self.body.this?;
        let this = Value::local(LocalId(0), Type::Object(id));
        self.field_of(this, id, name.text)
    }

    /// A field of an object, or what it was made with.
    pub(super) fn field_of(
        &mut self,
        object: Value,
        id: program::ObjectId,
        name: &str,
    ) -> Option<Value> {
        self.open(id);
        let info = &self.objects[id.index()];
        let field = match info.fields.get(name) {
            Some(field) => *field,
            None => {
                let parameters = &info.decl.parameters;
                let number = parameters.iter().position(|other| other.name.text == name)?;
                self.parameter_field(id, number)
            }
        };
        let of = self.program.objects[id.index()].fields[field.index()].variable.of.clone();
        Some(Value { form: Form::Field(Box::new(object), field), of })
    }

    /// Counts a call; tells whether there may be one.
    pub(super) fn note_call(&mut self, span: Span) -> Option<()> {
        match self.body.calls {
            Calls::Free => {
                self.body.calls = Calls::Made(span);
                Some(())
            }
            Calls::Made(first) => {
                let first = self.place(first);
                self.error("E1004", "an expression has at most one call", span, "a second one")
                    .also(first, "the first one")
                    .help("give the result of one to a variable before: `let x = …`")
                    .report(self.resolver.diagnostics);
                None
            }
            Calls::Refused(what) => {
                let message = format!("nothing can be called in {what}");
                self.error("E1004", message, span, "this is a call")
                    .help("it is evaluated at once: call it before, and use the result")
                    .report(self.resolver.diagnostics);
                None
            }
        }
    }

    fn either(
        &mut self,
        condition: &'a Expr<'a>,
        a: &'a Expr<'a>,
        b: &'a Expr<'a>,
        hint: Option<&Type>,
    ) -> Option<Value> {
        let condition = self.condition(condition, "the condition of `if`");
        let first = self.expr(a, hint);
        let hint = hint.cloned().or_else(|| first.as_ref().map(|value| value.of.clone()));
        let second = self.expr(b, hint.as_ref());
        let (condition, first, second) = (condition?, first?, second?);
        let (first, second) = self.unified(first, second, b.span)?;
        let of = match (&first.of, &second.of) {
            (Type::Int { min: a, max: b }, Type::Int { min: c, max: d }) => {
                let (min, max) = interval::joined((*a, *b), (*c, *d));
                Type::Int { min, max }
            }
            (Type::Handle(a), Type::Handle(b)) if a != b => Type::Handle(None),
            (a, b) => {
                if a.includes(b) {
                    a.clone()
                } else {
                    b.clone()
                }
            }
        };
        let first = self.exact(first, &of, a.span)?;
        let second = self.exact(second, &of, b.span)?;
        let form = Form::If(Box::new(condition), Box::new(first), Box::new(second));
        Some(Value { form, of })
    }
}

/// A number.
pub(super) fn int(number: i64) -> Value {
    let of = Type::Int { min: number, max: number };
    Value { form: Form::Literal(Literal::Int(number)), of }
}

/// What was looked at before, so that it is there.
pub(super) fn sure(value: Value) -> Value {
    let of = value.of.clone();
    Value { form: Form::Sure(Box::new(value)), of }
}

/// A truth value.
pub(super) fn boolean(truth: bool) -> Value {
    Value { form: Form::Literal(Literal::Bool(truth)), of: Type::Bool }
}

/// A constant of the net.
pub(super) fn literal(literal: Literal) -> Value {
    match literal {
        Literal::Int(number) => int(number),
        Literal::Bool(truth) => boolean(truth),
        Literal::Enum(id, _) => Value { form: Form::Literal(literal), of: Type::Member(id) },
        Literal::None(_) => unreachable!("no constant is nothing"),
    }
}
