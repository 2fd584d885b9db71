//! Constants, and what was given for them from outside.

use std::collections::HashMap;

use net::{Constant, EnumId, Kind, Literal};

use super::Resolver;
use super::names::Meaning;
use super::scope::{Scope, Usage};
use crate::Override;
use crate::keyword::Keyword;
use crate::parser::written_integer;
use crate::syntax::{ClassDecl, DeclarationKind, Expr, Name};
use diagnostics::{Diagnostic, Span, nearest};

/// What is computed in the order of writing.
enum Step<'a> {
    Constant(Name<'a>, &'a Expr<'a>),
    Class(EnumId, &'a ClassDecl<'a>),
}

impl<'a> Resolver<'a, '_> {
    /// Adds a name to the values; tells whether it is new.
    pub(super) fn declare_value(&mut self, name: Name<'a>, meaning: Meaning) -> bool {
        match self.values.get(name.text) {
            None => {
                self.values.insert(name.text, (meaning, name.span));
                true
            }
            Some(&(_, first)) => {
                self.report_duplicate("the name", name, first);
                false
            }
        }
    }

    /// Constants and the sizes of classes, in their order: one may use those before it.
    pub(super) fn constants(&mut self, overrides: &[Override]) {
        let model = self.model;
        let mut declared = Vec::new();
        let mut steps = Vec::new();
        let mut classes = (0..).map(EnumId);
        for declaration in &model.declarations {
            match &declaration.kind {
                DeclarationKind::Const { name, value }
                    if self.declare_value(*name, Meaning::Later) =>
                {
                    declared.push(name.text);
                    steps.push(Step::Constant(*name, value));
                }
                DeclarationKind::Class(class) => {
                    steps.extend(classes.next().map(|id| Step::Class(id, class)))
                }
                _ => {}
            }
        }
        let mut given: HashMap<&str, &Override> = HashMap::new();
        for one in overrides {
            if let Some(first) = given.insert(one.name.as_str(), one) {
                let (name, a, b) = (&one.name, &first.value, &one.value);
                let message = format!("the constant `{name}` is given two values: {a} and {b}");
                self.diagnostics.push(Diagnostic::error("E0604", message).help("give it one"));
            }
            if !declared.contains(&one.name.as_str()) {
                self.report_unknown_override(one, &declared);
            }
        }
        for step in steps {
            let (name, value) = match step {
                Step::Constant(name, value) => (name, value),
                Step::Class(id, class) => {
                    self.complete_class(id, class);
                    continue;
                }
            };
            let mut literal = self.constant(value, "the value of a constant");
            if let Some(one) = given.get(name.text) {
                literal = self.overridden(one, name.span, literal);
            }
            self.values.insert(name.text, (Meaning::Constant(literal), name.span));
            if let Some(value) = literal {
                self.net.constants.push(Constant { name: name.text.into(), value });
            }
        }
    }

    fn report_unknown_override(&mut self, one: &Override, names: &[&str]) {
        if self.model.skipped.contains(one.name.as_str()) {
            return;
        }
        let diagnostic =
            Diagnostic::error("E0601", format!("the model has no constant `{}` to set", one.name));
        let help = match nearest(&one.name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "the model has no constants at all".into(),
            None => {
                format!("its constants are: {}", names[..names.len().min(10)].join(", "))
            }
        };
        self.diagnostics.push(diagnostic.help(help));
    }

    /// The value given from outside, which must be of the type of the one written.
    fn overridden(
        &mut self,
        one: &Override,
        span: Span,
        written: Option<Literal>,
    ) -> Option<Literal> {
        let written = written?;
        let text = one.value.trim();
        let (name, code) = (&one.name, "E0602");
        let (sign, number) = text.strip_prefix('-').map_or((1, text), |number| (-1, number));
        let given = match (written_integer(number), Keyword::parse(text), self.meaning(text)) {
            (Some(Some(number)), ..) => Some(Literal::Int(sign * number)),
            (Some(None), ..) => {
                let message = format!("the value {text} for `{name}` is too large");
                Diagnostic::error("E0603", message)
                    .also(span, "the constant is declared here")
                    .help("integers that are written lie between -2^53 and 2^53")
                    .report(self.diagnostics);
                return None;
            }
            (_, Some(Keyword::True), _) => Some(Literal::Bool(true)),
            (_, Some(Keyword::False), _) => Some(Literal::Bool(false)),
            (_, None, Some((Meaning::Member(id, index), _))) => Some(Literal::Enum(id, index)),
            _ => None,
        };
        if given.map(Literal::kind) == Some(written.kind()) {
            return given;
        }
        let shown: String = one.value.chars().take(40).collect();
        let expected = self.kind_name(written.kind());
        let help = match written.kind() {
            Kind::Int => "give an integer, such as 3".into(),
            Kind::Bool => "give `true` or `false`".into(),
            Kind::Enum(id) => {
                let members = &self.net.enumerations[id.index()].members;
                let some: Vec<&str> = members.iter().take(10).map(|m| &**m).collect();
                format!("give one of: {}", some.join(", "))
            }
            Kind::Pid | Kind::Object(_) => String::new(),
        };
        Diagnostic::error(code, format!("the value `{shown}` for `{name}` is not {expected}"))
            .also(span, format!("the constant is {expected}"))
            .help(help)
            .report(self.diagnostics);
        None
    }

    /// The value of a constant expression; `what` is what it is called where it is not constant.
    pub fn constant(&mut self, expr: &Expr<'a>, what: &'static str) -> Option<Literal> {
        let mut scope = Scope::new(Usage::Constant(what));
        let typed = self.typed(expr, &mut scope);
        if typed.is_nothing() {
            self.report_nothing(expr.span, what);
            return None;
        }
        typed.as_literal()
    }

    /// The value of a constant expression that must be an integer.
    pub(super) fn constant_int(&mut self, expr: &Expr<'a>, what: &'static str) -> Option<i64> {
        let mut scope = Scope::new(Usage::Constant(what));
        let typed = self.typed(expr, &mut scope);
        self.demand(&typed, expr.span, Kind::Int, what);
        match typed.as_literal() {
            Some(Literal::Int(number)) => Some(number),
            _ => None,
        }
    }

    /// How many: a constant between `least` and a million.
    pub(super) fn count(&mut self, expr: Option<&Expr<'a>>, least: u32) -> Option<u32> {
        const MOST: u32 = 1_000_000;
        let Some(expr) = expr else { return Some(1) };
        let number = self.constant_int(expr, "a multiplicity")?;
        match u32::try_from(number) {
            Ok(count) if (least..=MOST).contains(&count) => Some(count),
            _ => {
                let sort = format!("the multiplicity is {number}");
                Diagnostic::error("E0406", sort)
                    .at(expr.span, format!("expected {least} to {MOST}"))
                    .report(self.diagnostics);
                None
            }
        }
    }
}
