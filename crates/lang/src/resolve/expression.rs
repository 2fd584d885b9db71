//! Types of expressions.

use net::{BinaryOp, Expr as Value, FaultKind, Kind, Literal, UnaryOp, Var};

use super::Resolver;
use super::mismatch::mismatch;
use super::names::{Meaning, SUGGESTIONS, Unknown};
use super::objects::NOTHING;
use super::scope::{Entry, Role, Scope, Usage};
use super::value::{self, Typed};
use crate::syntax::{Declaration, DeclarationKind, Expr, ExprKind, Infix, Name, Prefix};
use diagnostics::{Diagnostic, Span, nearest};

impl<'a> Resolver<'a, '_> {
    /// The expression with its type. All mistakes in it are reported.
    pub(super) fn typed(&mut self, expr: &Expr<'a>, scope: &mut Scope<'a>) -> Typed {
        match &expr.kind {
            ExprKind::Int(number) => Typed::literal(Literal::Int(*number)),
            ExprKind::Bool(truth) => Typed::literal(Literal::Bool(*truth)),
            ExprKind::Name(text) => self.named(Name { text, span: expr.span }, scope),
            ExprKind::Paren(inner) => self.typed(inner, scope),
            ExprKind::Wildcard => {
                Diagnostic::error("E0306", "`_` is no value")
                    .at(expr.span, "")
                    .help("`_` stands alone in a pattern, where any value will do")
                    .report(self.diagnostics);
                Typed::wrong()
            }
            ExprKind::Tuple(_) => {
                Diagnostic::error("E0307", "a tuple is no value")
                    .at(expr.span, "")
                    .help("tuples are only written for the initial tokens of a place")
                    .report(self.diagnostics);
                Typed::wrong()
            }
            ExprKind::Unary(Prefix::Data(op), a) => self.unary(*op, a, expr.span, scope),
            ExprKind::Binary(Infix::Data(op), span, a, b) => {
                self.binary(*op, *span, a, b, expr.span, scope)
            }
            ExprKind::If(c, a, b) => self.conditional(c, a, b, scope),
            ExprKind::Relation(name, arguments) => self.relation(name, arguments, expr.span, scope),
            ExprKind::Nth(name, arguments) => self.nth(*name, arguments, expr.span, scope),
            ExprKind::Shift(direction, arguments) => {
                self.shift(*direction, arguments, expr.span, scope)
            }
            ExprKind::Within(member, part) => self.within(member, *part, scope),
            ExprKind::All(_) => {
                self.report_all(expr.span, scope.usage);
                Typed::wrong()
            }
            _ if scope.usage == Usage::Property => self.property_term(expr, scope),
            _ => self.not_a_property(expr, scope.usage),
        }
    }

    pub(super) fn named(&mut self, name: Name<'a>, scope: &mut Scope<'a>) -> Typed {
        if let Some(entry) = scope.get(name.text) {
            match (entry.role, scope.usage) {
                (
                    Role::Child | Role::Object,
                    Usage::Pattern | Usage::Guard | Usage::Definition(_),
                ) => {
                    self.report_early_child(name, entry);
                    return Typed::wrong();
                }
                (Role::Definition(number), Usage::Definition(current)) if number >= current => {
                    Diagnostic::error("E0209", format!("`{}` is not defined yet", name.text))
                        .at(name.span, "used here")
                        .also(entry.span, "defined here")
                        .help("a `let` may use those before it, and not itself")
                        .report(self.diagnostics);
                    return Typed::wrong();
                }
                _ => {}
            }
            return Typed { value: Some(Value::Var(entry.var)), kind: entry.kind };
        }
        match self.meaning(name.text) {
            Some((Meaning::Constant(Some(Literal::Enum(id, index))), _))
            | Some((Meaning::Member(id, index), _)) => {
                self.member(name.text, name.span, (id, index), scope)
            }
            Some((Meaning::Part(id, part), _)) => self.only_member(name, (id, part), scope),
            Some((Meaning::NoMember(id), _)) => {
                let label = format!("there is no `{}`", name.text);
                self.report_no_member(id, name.span, &label);
                Typed::wrong_of(Kind::Enum(id))
            }
            Some((Meaning::Constant(Some(literal)), _)) => Typed::literal(literal),
            Some((Meaning::Constant(None), _)) => Typed::wrong(),
            Some((Meaning::Later, span)) => {
                self.report_later(name, span);
                Typed::wrong()
            }
            Some((Meaning::Fresh(_), span)) => {
                Diagnostic::error("E0301", format!("`{}` is no value", name.text))
                    .at(name.span, "this is a fresh class")
                    .also(span, "declared here")
                    .help("objects have no names of their own; bind one in a pattern, or create it with `new`")
                    .report(self.diagnostics);
                Typed::wrong()
            }
            None if name.text == NOTHING => Typed::nothing(),
            Some((Meaning::Enumeration(id), span)) => {
                let member = self.net.enumerations[id.index()].members.first();
                let help = match member {
                    Some(member) => format!("write one of its members, such as `{member}`"),
                    None => "write one of its members".into(),
                };
                let word = self.word(Meaning::Enumeration(id));
                Diagnostic::error("E0301", format!("`{}` is no value", name.text))
                    .at(name.span, format!("this is {word}"))
                    .also(span, "declared here")
                    .help(help)
                    .report(self.diagnostics);
                Typed::wrong()
            }
            None => {
                self.report_unbound(name, scope);
                Typed::wrong()
            }
        }
    }

    /// Reports what is declared later, where the order matters.
    pub(super) fn report_later(&mut self, name: Name<'a>, span: Span) {
        Diagnostic::error("E0209", format!("`{}` has no value yet", name.text))
            .at(name.span, "used here")
            .also(span, "declared here")
            .help("constants and sizes of classes may use those before them, and not themselves")
            .report(self.diagnostics);
    }

    pub(super) fn report_early_child(&mut self, name: Name<'a>, entry: Entry) {
        let what = if entry.role == Role::Child { "child" } else { "object" };
        Diagnostic::error("E0505", format!("the {what} `{}` does not exist yet", name.text))
            .at(name.span, format!("this is decided before the {what} is created"))
            .also(entry.span, "created here")
            .help(format!(
                "{} {what} may occur in what is put, and in the values of `move` and `spawn`",
                if what == "child" { "a" } else { "an" }
            ))
            .report(self.diagnostics);
    }

    /// Reports a name that stands for nothing, once in each scope.
    pub(super) fn report_unbound(&mut self, name: Name<'a>, scope: &mut Scope<'a>) {
        let text = name.text;
        if self.model.skipped.contains(text) {
            return;
        }
        if let Usage::Constant(what) = scope.usage {
            let place = self.place_names.contains_key(text);
            let thread = self.threads.get(text).copied();
            if let Some((_, span)) = thread.filter(|_| !place) {
                Diagnostic::error("E0302", "a pid is used as a datum")
                    .at(name.span, format!("this is a start thread, not {what}"))
                    .also(span, "started here")
                    .report(self.diagnostics);
                return;
            }
            self.report_unknown(Unknown::Value, name);
            return;
        }
        if let Some(&ticket) = scope.unbound.get(text) {
            self.diagnostics.again(ticket, name.span);
            return;
        }
        let diagnostic =
            Diagnostic::error("E0203", format!("the variable `{text}` is bound to nothing"));
        let near = if self.diagnostics.len() < SUGGESTIONS {
            let mut names: Vec<&str> = scope.entries.keys().copied().collect();
            names.extend(self.values.keys().copied());
            if scope.usage == Usage::Property {
                names.extend(["no_one_stuck", "everyone_can_end", "deadlock_free"]);
                names.extend(self.model.has_processes().then_some("race_free"));
                let known = |declaration: &Declaration<'a>| match &declaration.kind {
                    DeclarationKind::Shared(decl) => Some(decl.name.text),
                    DeclarationKind::Process(decl) => Some(decl.name.text),
                    _ => None,
                };
                names.extend(self.model.declarations.iter().filter_map(known));
            }
            names.sort_unstable();
            match text {
                "deadlock" | "no_deadlock" => Some("deadlock_free"),
                _ => nearest(text, names),
            }
        } else {
            None
        };
        let diagnostic = if let Some(&help) = scope.elsewhere.get(text) {
            diagnostic.at(name.span, "no value here").help(help)
        } else if let Some(near) = near {
            diagnostic.at(name.span, format!("did you mean `{near}`?"))
        } else {
            diagnostic.at(name.span, "no value").help(match scope.usage {
                Usage::Property if self.model.has_processes() => {
                    "name a `shared` variable, or bind it: `forall w in PROCESS: …`"
                }
                Usage::Property => "bind it with a quantifier, such as `forall p at PLACE: …`",
                Usage::Marking => "name what `all` goes through: `all x`",
                _ => "bind it in a pattern (`take place(x)`), as a parameter, or with `let`",
            })
        };
        let ticket = self.diagnostics.push(diagnostic);
        scope.unbound.insert(text, ticket);
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr<'a>, span: Span, scope: &mut Scope<'a>) -> Typed {
        let operand = self.typed(a, scope);
        let (kind, word) = match op {
            UnaryOp::Not => (Kind::Bool, "the operand of `not`"),
            UnaryOp::Negate => (Kind::Int, "the operand of `-`"),
            UnaryOp::Value => (operand.kind.unwrap_or(Kind::Bool), "the operand of `value`"),
        };
        match self.demand(&operand, a.span, kind, word).then_some(operand.value).flatten() {
            Some(value) => self.operation(Value::Unary(op, Box::new(value)), span, kind),
            None => Typed::wrong_of(kind),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        a: &Expr<'a>,
        b: &Expr<'a>,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Typed {
        use BinaryOp::*;
        let left = self.typed(a, scope);
        // What a constant left side makes superfluous is typed, but not computed.
        let decided = left.as_bool().and_then(|first| op.decided(first));
        self.dead += usize::from(decided.is_some());
        let right = self.typed(b, scope);
        self.dead -= usize::from(decided.is_some());
        let (left, right) = match op {
            Equal | NotEqual => {
                let kinds = (left.kind, right.kind);
                (left.settled(kinds.1), right.settled(kinds.0))
            }
            _ => (left, right),
        };
        let word = &format!("the operand of `{op}`");
        let (operands, result) = match op {
            And | Or | Implies => (Kind::Bool, Kind::Bool),
            Less | LessEqual | Greater | GreaterEqual => {
                let same = left.kind.is_none() || right.kind.is_none() || left.kind == right.kind;
                match left.kind.or(right.kind).filter(|_| same) {
                    Some(Kind::Enum(id)) if self.report_no_order(id, op_span) => {
                        return Typed::wrong_of(Kind::Bool);
                    }
                    Some(kind @ Kind::Enum(_)) => (kind, Kind::Bool),
                    _ => (Kind::Int, Kind::Bool),
                }
            }
            Add | Subtract | Multiply | Divide | Remainder => (Kind::Int, Kind::Int),
            Equal | NotEqual => {
                if let (Some(left), Some(right)) = (left.kind, right.kind)
                    && left != right
                {
                    self.report_incomparable(op_span, (a.span, left), (b.span, right));
                    return Typed::wrong_of(Kind::Bool);
                }
                let Some(kind) = left.kind.or(right.kind) else {
                    if left.is_nothing() && right.is_nothing() {
                        self.report_nothing(span, word);
                    }
                    return Typed::wrong_of(Kind::Bool);
                };
                (kind, Kind::Bool)
            }
        };
        let fits = self.demand(&left, a.span, operands, word);
        // Two operands that are wrong in the same way are one mistake.
        let same = !fits && left.kind == right.kind;
        let fits = (same || self.demand(&right, b.span, operands, word)) && fits;
        if !fits {
            return Typed::wrong_of(result);
        }
        if let Some(truth) = decided {
            return Typed::literal(Literal::Bool(truth));
        }
        let division = matches!(op, Divide | Remainder);
        match (left.as_literal(), right.as_literal()) {
            (None, Some(Literal::Int(0))) if division => {
                self.fault(FaultKind::DivisionByZero, b.span, result)
            }
            (Some(Literal::Bool(true)), None) if matches!(op, And | Implies) => right,
            (Some(Literal::Bool(false)), None) if op == Or => right,
            _ => {
                let value = Value::binary(op, left.into_expr(), right.into_expr());
                self.operation(value, span, result)
            }
        }
    }

    fn conditional(
        &mut self,
        c: &Expr<'a>,
        a: &Expr<'a>,
        b: &Expr<'a>,
        scope: &mut Scope<'a>,
    ) -> Typed {
        let condition = self.typed(c, scope);
        let fits = self.demand(&condition, c.span, Kind::Bool, "the condition of `if`");
        let truth = condition.as_bool();
        self.dead += usize::from(truth == Some(false));
        let then = self.typed(a, scope);
        self.dead -= usize::from(truth == Some(false));
        self.dead += usize::from(truth == Some(true));
        let other = self.typed(b, scope);
        self.dead -= usize::from(truth == Some(true));
        let kinds = (then.kind, other.kind);
        let (then, other) = (then.settled(kinds.1), other.settled(kinds.0));
        let (Some(x), Some(y)) = (then.kind, other.kind) else {
            if then.is_nothing() && other.is_nothing() {
                self.report_nothing(a.span.to(b.span), "the two sides of `if`");
            }
            return Typed { value: None, kind: then.kind.or(other.kind) };
        };
        if x != y {
            let (first, second) = (self.kind_name(x), self.kind_name(y));
            Diagnostic::error(mismatch(x, y), "the two sides of `if` are of different types")
                .at(b.span, format!("this is {second}"))
                .also(a.span, format!("this is {first}"))
                .report(self.diagnostics);
            return Typed::wrong();
        }
        match truth {
            Some(true) => then,
            Some(false) => other,
            None if !fits || then.value.is_none() || other.value.is_none() => Typed::wrong_of(x),
            None => {
                let boxed = |typed: Typed| Box::new(typed.into_expr());
                Typed::new(Value::If(boxed(condition), boxed(then), boxed(other)), x)
            }
        }
    }

    fn relation(
        &mut self,
        name: &'static str,
        arguments: &[Expr<'a>],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Typed {
        let wrong = Typed::wrong_of(Kind::Bool);
        let vars: Vec<Option<Var>> =
            arguments.iter().map(|argument| self.pid_variable(argument, scope)).collect();
        let [a, b] = vars[..] else {
            Diagnostic::error("E0303", format!("`{name}` is between two threads"))
                .at(span, format!("{} given", arguments.len()))
                .help(format!("write `{name}(p, h)`"))
                .report(self.diagnostics);
            return wrong;
        };
        match (a, b, name.parse()) {
            (Some(a), Some(b), Ok(relation)) => {
                Typed::new(Value::Relation(relation, a, b), Kind::Bool)
            }
            _ => wrong,
        }
    }

    /// The variable that stands for a thread; mistakes are reported.
    pub(super) fn pid_variable(&mut self, expr: &Expr<'a>, scope: &mut Scope<'a>) -> Option<Var> {
        let typed = self.typed(expr, scope);
        if !self.demand(&typed, expr.span, Kind::Pid, "what stands here") {
            return None;
        }
        match typed.value {
            Some(Value::Var(v)) => Some(v),
            _ => {
                Diagnostic::error("E0308", "a relation is between variables")
                    .at(expr.span, "this is not a variable")
                    .help("give it a name first: `let q = …`")
                    .report(self.diagnostics);
                None
            }
        }
    }

    /// An operator with its operands, computed where these are literals.
    pub(super) fn operation(&mut self, value: Value, span: Span, kind: Kind) -> Typed {
        match value::computed(&self.net, &value) {
            None => Typed::new(value, kind),
            Some(Ok(number)) if kind == Kind::Int => Typed::literal(Literal::Int(number)),
            Some(Ok(number)) => Typed::literal(Literal::Bool(number != 0)),
            Some(Err(fault)) => self.fault(fault, span, kind),
        }
    }

    /// Reports a constant without a value.
    pub(super) fn fault(&mut self, fault: FaultKind, span: Span, kind: Kind) -> Typed {
        if self.dead > 0 {
            // Never evaluated, so any value will do.
            return Typed::literal(Literal::Int(0));
        }
        match fault {
            FaultKind::DivisionByZero => {
                Diagnostic::error("E0404", "division by zero")
                    .at(span, "the divisor is zero")
                    .help("test the divisor first: `n != 0 and x / n > 1`, or use `if`")
                    .report(self.diagnostics);
            }
            FaultKind::NoMember { enumeration } => {
                let label = "for some members this goes beyond the ends: ask for them first";
                self.report_no_member(enumeration, span, label);
            }
            _ => {
                Diagnostic::error("E0405", "the constant is too large to be computed")
                    .at(span, "this leaves 64 bits")
                    .report(self.diagnostics);
            }
        }
        Typed::wrong_of(kind)
    }
}
