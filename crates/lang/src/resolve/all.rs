//! Tokens for all members of a class: `unused(s, all r) with r != s`.
//!
//! Each `all` is a variable that goes through the members of the class of its column, with conditions:
//! those of `in`, `except` and `with`. Such a token binds nothing else, since it stands for many.

use net::{Arc, BinaryOp, EnumId, Expr as Value, Kind, PlaceId, Sort, Var};

use super::Resolver;
use super::names::Meaning;
use super::places::ColumnInfo;
use super::scope::{Entry, Role, Scope, Usage};
use super::value::WRONG;
use crate::syntax::{All, Expr, ExprKind, Tokens};
use diagnostics::{Diagnostic, Span};

/// No token stands for more choices of members than this: the limit of `net`.
pub(super) const CHOICES: usize = 1 << 20;
/// What a variable without a name is called in the net: no variable of a text can be.
pub(crate) const UNNAMED: &str = "all";
/// Why a variable has no value outside the token it is made for.
const ELSEWHERE: &str = "a variable of `all` is known only within its token";
/// Why a variable beside `all` has no value.
const BINDS_NOTHING: &str = "a token for all members binds no variables: bind it in another pattern, \
                             or as a parameter";

/// The variables that go through all members, and their classes.
pub(super) type Each = Vec<(Var, EnumId)>;

impl<'a> Resolver<'a, '_> {
    /// Tokens that are taken, read or put for all members; `usage` is that of their values.
    pub(super) fn for_all(
        &mut self,
        tokens: &Tokens<'a>,
        place: PlaceId,
        count: Option<u32>,
        usage: Usage,
        scope: &mut Scope<'a>,
    ) -> Option<Arc> {
        let columns = self.columns_of(&tokens.atom, place)?;
        let arguments = tokens.atom.arguments();
        let before = std::mem::replace(&mut scope.usage, usage);
        // What else the token holds must be known without it.
        let free = self.free_names(&tokens.atom, &Default::default());
        scope.elsewhere.extend(free.into_iter().map(|(name, _)| (name.text, BINDS_NOTHING)));
        let (variables, each) = self.each(arguments, &columns, scope);
        let mut pattern = Vec::with_capacity(columns.len());
        for ((argument, column), variable) in arguments.iter().zip(&columns).zip(&variables) {
            let value = match (variable, &argument.kind) {
                (Some(var), _) => Some(Value::Var(*var)),
                (None, ExprKind::Wildcard) => {
                    Diagnostic::error("E0306", "`_` cannot stand beside `all`")
                        .at(argument.span, "the token is not known")
                        .help("a token for all members is given wholly: write what stands here")
                        .report(self.diagnostics);
                    None
                }
                (None, _) if argument.as_all().is_some() => None,
                _ => self.fitting(argument, *column, scope),
            };
            pattern.push(Some(value.unwrap_or(WRONG)));
        }
        if usage == Usage::Pattern {
            scope.usage = Usage::Guard;
        }
        let condition = tokens.condition.as_ref();
        let condition = self.all_conditions(arguments, &variables, condition, scope);
        scope.usage = before;
        self.forget_locals(scope, ELSEWHERE);
        let each = self.limited(each?, tokens.atom.span)?;
        let each = each.into_iter().map(|(var, _)| var).collect();
        Some(Arc { place, pattern, count: count?, each, condition })
    }

    /// Declares the variables of the `all`s among some arguments. Gives the variable of each argument
    /// that is one, and all of them if there is no mistake.
    pub(super) fn each(
        &mut self,
        arguments: &[Expr<'a>],
        columns: &[ColumnInfo<'a>],
        scope: &mut Scope<'a>,
    ) -> (Vec<Option<Var>>, Option<Each>) {
        let mut variables = Vec::with_capacity(arguments.len());
        let mut each = Some(Vec::new());
        for (argument, column) in arguments.iter().zip(columns) {
            let Some(all) = argument.as_all() else {
                variables.push(None);
                continue;
            };
            let id = match column.sort {
                Some(Sort::Enum(id)) => Some(id),
                Some(sort) => {
                    self.report_no_class(argument.span, *column, sort);
                    None
                }
                None => None,
            };
            let kind = id.map(Kind::Enum);
            let var = scope.variable(all.name.map_or(UNNAMED, |name| name.text), kind);
            self.declare_local(all, var, kind, scope);
            variables.push(id.map(|_| var));
            each = each.zip(id).map(|(mut each, id)| {
                each.push((var, id));
                each
            });
        }
        (variables, each)
    }

    fn declare_local(
        &mut self,
        all: &All<'a>,
        var: Var,
        kind: Option<Kind>,
        scope: &mut Scope<'a>,
    ) {
        let Some(name) = all.name else { return };
        if let Some((Meaning::Enumeration(_), span)) = self.meaning(name.text) {
            let text = name.text;
            Diagnostic::error("E0205", format!("the variable `{text}` has the name of a class"))
                .at(name.span, "a variable stands here")
                .also(span, "the class is declared here")
                .help("write `all`: it goes through the class of its column")
                .report(self.diagnostics);
            return;
        }
        if let Some(entry) = scope.get(name.text) {
            self.report_duplicate("the variable", name, entry.span);
            return;
        }
        let kind = if self.report_shadowing(name) { None } else { kind };
        let entry = Entry { var, kind, role: Role::Bound, span: name.span };
        scope.locals.insert(name.text, entry);
    }

    fn report_no_class(&mut self, span: Span, column: ColumnInfo<'a>, sort: Sort) {
        let shown = self.net.sort_name(sort);
        let diagnostic = Diagnostic::error("E0707", "`all` goes through the members of a class")
            .at(span, format!("the column is {shown}, which is no class"))
            .also(column.span, "declared here");
        self.diagnostics.push(match sort {
            Sort::Int { .. } => {
                diagnostic.help("use a class instead of the range: `class Level ordered 5`, say")
            }
            Sort::Bool => diagnostic.help("write a token for `true` and one for `false`"),
            _ => diagnostic.help("how many threads there are is not known beforehand"),
        });
    }

    /// What `in`, `except` and `with` demand, joined.
    pub(super) fn all_conditions(
        &mut self,
        arguments: &[Expr<'a>],
        variables: &[Option<Var>],
        with: Option<&Expr<'a>>,
        scope: &mut Scope<'a>,
    ) -> Option<Value> {
        let mut conditions = Vec::new();
        for (argument, variable) in arguments.iter().zip(variables) {
            if let Some(all) = argument.as_all() {
                self.restrictions(all, argument.span, *variable, &mut conditions, scope);
            }
        }
        if let Some(with) = with {
            let typed = self.typed(with, scope);
            self.demand(&typed, with.span, Kind::Bool, "what follows `with`");
            self.check_something(&typed, with.span, scope);
            if typed.as_bool() != Some(true) {
                conditions.push(typed.into_expr());
            }
        }
        conditions.into_iter().reduce(|a, b| Value::binary(BinaryOp::And, a, b))
    }

    fn restrictions(
        &mut self,
        all: &All<'a>,
        span: Span,
        variable: Option<Var>,
        conditions: &mut Vec<Value>,
        scope: &mut Scope<'a>,
    ) {
        let kind = variable.map(|var| scope.variables[var.index()].kind);
        let member = || variable.map_or(WRONG, Value::Var);
        if let Some(part) = all.part
            && let Some((id, index)) = self.part_named(part)
            && kind.is_none_or(|kind| self.demand_part(id, part, span, kind))
        {
            conditions.push(Value::Within(Box::new(member()), id, index));
        }
        for one in &all.except {
            let typed = self.typed(one, scope);
            let fits = kind
                .is_none_or(|kind| self.demand(&typed, one.span, kind, "what follows `except`"));
            if fits {
                conditions.push(Value::binary(BinaryOp::NotEqual, member(), typed.into_expr()));
            }
        }
    }

    /// Reports too many choices of members.
    pub(super) fn limited(&mut self, each: Each, span: Span) -> Option<Each> {
        let size = |id: EnumId| self.net.enumerations[id.index()].members.len();
        let choices = each.iter().map(|(_, id)| size(*id)).fold(1, usize::saturating_mul);
        if choices <= CHOICES {
            return Some(each);
        }
        Diagnostic::error("E0712", "the token stands for too many choices of members")
            .at(span, "this goes through more than 2^20 of them")
            .help("use fewer `all`, or smaller classes")
            .report(self.diagnostics);
        None
    }

    /// Reports `with` where there is nothing to go through; tells whether it is written.
    pub(super) fn report_with(&mut self, condition: Option<&Expr<'a>>, help: &str) -> bool {
        let Some(condition) = condition else { return false };
        Diagnostic::error("E0714", "`with` restricts `all` or `unless`")
            .at(condition.span, "there is neither here")
            .help(help)
            .report(self.diagnostics);
        true
    }

    /// Reports `all` where one value is needed.
    pub(super) fn report_all(&mut self, span: Span, usage: Usage) {
        let help = match usage {
            Usage::Pattern => "one token has one member: write a variable, or `_` for any",
            Usage::Output => "a thread has one member; `all` is for tokens that are put",
            Usage::Property => {
                "write `_` to match any member; `count` gives how many there are, and `forall x in …` speaks of each"
            }
            Usage::Constant("an initial value") => {
                "a start thread has one member; `all` is for initial tokens"
            }
            _ => "`all` stands alone, for a column of tokens that are taken, read, put or initial",
        };
        Diagnostic::error("E0708", "`all` is no value")
            .at(span, "one value is needed here")
            .help(help)
            .report(self.diagnostics);
    }
}
