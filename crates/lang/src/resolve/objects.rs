//! Fresh classes and their objects, what may be nothing, and who owns what.
//!
//! `none` is no reserved word: it stands for nothing where no variable and no value is called like it. What is not
//! there is of the type that is expected, or of the type of what it is compared with.

use std::sync::Arc;

use net::{
    Expr as Value, FreshClass, FreshId, Hold, InitialValue, Kind, PlaceKind, Sort, Transition,
    UnaryOp,
};

use super::Resolver;
use super::names::{Meaning, Unknown};
use super::places::ColumnInfo;
use super::scope::{Scope, Usage};
use super::value::Typed;
use crate::syntax::{DeclarationKind, Expr, Name};
use diagnostics::{Diagnostic, Span};

/// How nothing is written.
pub(super) const NOTHING: &str = "none";

/// No model starts with more objects than this.
const OBJECTS: usize = 100_000;

impl<'a> Resolver<'a, '_> {
    pub(super) fn declare_fresh(&mut self, name: Name<'a>) {
        let id = FreshId(u32::try_from(self.net.fresh.len()).expect("fewer than bytes"));
        self.declare_value(name, Meaning::Fresh(id));
        self.net.fresh.push(FreshClass { name: Arc::from(name.text) });
    }

    /// The fresh class of this name; reported if there is none.
    pub(super) fn fresh_class(&mut self, name: Name<'a>) -> Option<FreshId> {
        let text = name.text;
        match self.meaning(text) {
            Some((Meaning::Fresh(id), _)) => Some(id),
            Some((meaning, span)) => {
                let word = self.word(meaning);
                Diagnostic::error("E0902", format!("`{text}` is no fresh class"))
                    .at(name.span, "objects are created of fresh classes only")
                    .also(span, format!("this is {word}"))
                    .help("declare one: `class NAME fresh`")
                    .report(self.diagnostics);
                None
            }
            None if self.place_names.contains_key(text) || self.model.skipped.contains(text) => {
                self.report_unknown(Unknown::Class, name);
                None
            }
            None => {
                Diagnostic::error("E0902", format!("there is no fresh class named `{text}`"))
                    .at(name.span, "not declared")
                    .help(format!("declare it: `class {text} fresh`"))
                    .report(self.diagnostics);
                None
            }
        }
    }

    /// The objects that are there from the start.
    pub(super) fn initial_objects(&mut self) {
        let model = self.model;
        for declaration in &model.declarations {
            let DeclarationKind::New(list) = &declaration.kind else { continue };
            for object in list {
                let class = self.fresh_class(object.class);
                if let Some(&(_, first)) = self.objects.get(object.name.text) {
                    self.report_duplicate("the object", object.name, first);
                    continue;
                }
                self.report_shadowing(object.name);
                let index = self.net.objects.len();
                if index == OBJECTS {
                    Diagnostic::error("E0409", "too many objects are there from the start")
                        .at(object.name.span, format!("at most {OBJECTS} in all"))
                        .report(self.diagnostics);
                }
                self.objects.insert(object.name.text, (index, object.name.span));
                if index < OBJECTS {
                    self.net.objects.push(class.unwrap_or(FreshId(0)));
                }
            }
        }
    }

    /// A component of an initial token that must be an object; `None` if it is something else.
    pub(super) fn initial_object(
        &mut self,
        component: &Expr<'a>,
        column: ColumnInfo<'a>,
        scope: &Scope<'a>,
    ) -> Option<Option<InitialValue>> {
        let name = component.as_name()?;
        let Some(Sort::Object(class)) = column.sort else { return None };
        let known = self.objects.get(name.text).copied();
        if self.meaning(name.text).is_some() || scope.get(name.text).is_some() {
            return None;
        }
        let Some((index, span)) = known else {
            if name.text == NOTHING {
                return None;
            }
            let (text, class) = (name.text, &self.net.fresh[class.index()].name);
            if !self.model.skipped.contains(text) {
                Diagnostic::error("E0208", format!("there is no object named `{text}`"))
                    .at(name.span, "not declared")
                    .help(format!("create it: `new {text}: {class}`"))
                    .report(self.diagnostics);
            }
            return Some(None);
        };
        let found = self.net.objects.get(index).copied()?;
        if found != class {
            let (is, holds) =
                (self.kind_name(Kind::Object(found)), self.kind_name(Kind::Object(class)));
            Diagnostic::error("E0301", format!("expected {holds}, found {is}"))
                .at(name.span, format!("this is {is}"))
                .also(span, "created here")
                .also(column.span, format!("the column holds {holds}"))
                .report(self.diagnostics);
            return Some(None);
        }
        Some(Some(InitialValue::Object(index)))
    }

    /// What the tokens of a place keep from being dropped: whether a column owns them.
    pub(super) fn hold(&mut self, kind: PlaceKind, columns: &[ColumnInfo<'a>]) -> Hold {
        let mut owners = columns.iter().enumerate().filter_map(|(i, c)| Some((i, c, c.owner?)));
        let Some((index, column, span)) = owners.next() else { return Hold::Root };
        let second = owners.next();
        let problem = match column.sort {
            _ if second.is_some() => Some("the tokens of a place have one owner"),
            _ if kind == PlaceKind::Flow => Some("nobody owns a thread"),
            Some(Sort::Pid | Sort::Object(_)) if column.optional => {
                Some("an owner is always there")
            }
            None | Some(Sort::Pid | Sort::Object(_)) => None,
            Some(_) => Some("an owner is a thread or an object"),
        };
        let Some(problem) = problem else { return Hold::Owned(index) };
        let diagnostic = Diagnostic::error("E0904", problem);
        let diagnostic = match second {
            Some((_, _, second)) => diagnostic.at(second, "a second one").also(span, "the first"),
            None => diagnostic.at(span, "not this"),
        };
        self.diagnostics.push(diagnostic.help(
            "write `owner` before one column of a `place` that holds `pid` or a fresh class: the tokens \
             are dropped when nothing can reach it any more",
        ));
        Hold::Root
    }

    /// `value(x)`: what is there, where there might be nothing.
    pub(super) fn value_of(
        &mut self,
        arguments: &[Expr<'a>],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Typed {
        let [argument] = arguments else {
            Diagnostic::error("E0303", "`value` is of one thing")
                .at(span, format!("{} given", arguments.len()))
                .help("write `value(x)`")
                .report(self.diagnostics);
            return Typed::wrong();
        };
        let typed = self.typed(argument, scope);
        if typed.is_nothing() {
            self.report_nothing(argument.span, "the operand of `value`");
        }
        match (typed.value, typed.kind) {
            (Some(value), Some(kind)) => {
                Typed::new(Value::Unary(UnaryOp::Value, value.into()), kind)
            }
            (_, kind) => Typed { value: None, kind },
        }
    }

    /// Reports `none` where there must be something, or where it is not known what.
    pub(super) fn report_nothing(&mut self, span: Span, what: &str) {
        Diagnostic::error("E0903", "`none` is no value by itself")
            .at(span, format!("{what} must be something"))
            .help("compare with it (`x == none`), or put it into a column that may be nothing")
            .report(self.diagnostics);
    }

    /// Whether an expression may be nothing. That it computes with what may be is reported.
    pub(super) fn may_be_nothing(&mut self, typed: &Typed, span: Span, scope: &Scope<'a>) -> bool {
        if typed.is_nothing() {
            self.report_nothing(span, "what is given a name");
        }
        let Some(value) = typed.value.as_ref().filter(|_| typed.kind.is_some()) else {
            return false;
        };
        let optional = |var: net::Var| scope.variables[var.index()].optional;
        let may_be = self.net.may_be_nothing(&optional, value);
        if may_be.is_none() {
            Diagnostic::error("E0903", "this computes with what may be nothing")
                .at(span, "something in it may be `none`")
                .help("only `==` and `!=` know `none`: write `x != none and value(x) > 0`, say")
                .report(self.diagnostics);
        }
        may_be.unwrap_or(false)
    }

    /// Reports a condition that may be nothing.
    pub(super) fn check_something(&mut self, typed: &Typed, span: Span, scope: &Scope<'a>) {
        if !typed.is_nothing() && self.may_be_nothing(typed, span, scope) {
            self.report_may_be_nothing(span, "the condition");
        }
    }

    fn report_may_be_nothing(&mut self, span: Span, what: &str) {
        Diagnostic::error("E0903", format!("{what} may be nothing"))
            .at(span, "this may be `none`")
            .help("write `value(…)`, where it is known that there is something")
            .report(self.diagnostics);
    }

    /// Whether a value of the type of a column fits it: in what is put, only if nothing may be there, too.
    pub(super) fn fits_column(
        &mut self,
        value: &Value,
        argument: &Expr<'a>,
        column: ColumnInfo<'a>,
        scope: &Scope<'a>,
    ) -> bool {
        let kind = column.kind();
        let typed = Typed { value: Some(value.clone()), kind };
        let before = self.diagnostics.len();
        let may_be = self.may_be_nothing(&typed, argument.span, scope);
        let is_written = matches!(value, Value::Literal(net::Literal::None(_)));
        let is_matched = matches!(scope.usage, Usage::Pattern | Usage::Property) && !is_written;
        if may_be && !column.optional && !is_matched {
            let (label, help) = match is_written {
                true => ("this is nothing", "let the column be nothing: put `?` behind its sort"),
                false => (
                    "this may be `none`",
                    "write `value(…)`, or let the column be nothing: put `?` behind its sort",
                ),
            };
            Diagnostic::error("E0903", "the column is never nothing")
                .at(argument.span, label)
                .also(column.span, "there is always something here")
                .help(help)
                .report(self.diagnostics);
        }
        self.diagnostics.len() == before
    }

    /// Reports tokens that are looked for before it is known who owns them.
    pub(super) fn check_owners(&mut self, name: Name<'a>, transition: &Transition) {
        for (place, inhibits) in self.net.unknown_owners(transition) {
            let info = &self.places[place.index()];
            let message = match inhibits {
                false => format!("it is not known who owns the token of `{}`", info.name),
                true => {
                    format!("it is not known who owns the tokens of `{}` that disable", info.name)
                }
            };
            let span = info.span;
            Diagnostic::error("E0905", message)
                .at(name.span, "in this transition")
                .also(span, "declared with an owner")
                .help(
                    "name the owner, and bind it first: by a thread or its data, or by a token of a \
                     place that nobody owns, or whose owner is known",
                )
                .report(self.diagnostics);
        }
    }
}
