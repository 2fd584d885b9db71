//! What is said of members of a class: which one, the one after it, the part it is in.

use net::{BinaryOp, EnumId, Expr as Value, Kind, Literal};

use super::Resolver;
use super::classes::Known;
use super::names::{Meaning, Unknown};
use super::scope::{Scope, Usage};
use super::value::Typed;
use crate::syntax::{Direction, Expr, Name};
use diagnostics::{Diagnostic, Span};

/// No successor is farther away than this.
const STEPS: i64 = 1_000_000;

impl<'a> Resolver<'a, '_> {
    /// A part as a value: its only member.
    pub(super) fn only_member(
        &mut self,
        name: Name<'a>,
        (id, part): (EnumId, u32),
        scope: &Scope<'a>,
    ) -> Typed {
        let class = &self.net.enumerations[id.index()];
        let members = class.part(part as usize);
        if self.classes[id.index()].extent == Known::Wrong {
            return Typed::wrong_of(Kind::Enum(id));
        }
        if members.len() == 1 {
            return self.member(name.text, name.span, (id, members.start), scope);
        }
        let (count, text) = (members.len(), name.text);
        let declared = self.classes[id.index()].span;
        Diagnostic::error("E0710", format!("`{text}` is no value: it has {count} members"))
            .at(name.span, "this is a part of a class")
            .also(declared, "of this class")
            .help(format!("ask `x in {text}`, or go through `all in {text}`"))
            .report(self.diagnostics);
        Typed::wrong_of(Kind::Enum(id))
    }

    /// `Level(3)`.
    pub(super) fn nth(
        &mut self,
        name: Name<'a>,
        arguments: &[Expr<'a>],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Typed {
        let text = name.text;
        if text == "value" && self.meaning(text).is_none() {
            return self.value_of(arguments, span, scope);
        }
        let Some((Meaning::Enumeration(id), _)) = self.meaning(text) else {
            let words = [
                ("G", "always"),
                ("F", "eventually"),
                ("X", "next"),
                ("A", "AG`, `AF` or `AU"),
                ("E", "EG`, `EF` or `EU"),
            ];
            let diagnostic = match words.iter().find(|(letter, _)| *letter == text) {
                Some((_, word)) => {
                    Diagnostic::error("E0105", format!("`{text}` is no operator here"))
                        .at(name.span, format!("write `{word}`"))
                }
                None => Diagnostic::error("E0101", format!("`{text}` is no function"))
                    .at(name.span, "arguments mean nothing here")
                    .help(format!(
                        "for the number of tokens write `count({text}(…))`; the functions are \
                         `parent`, `ancestor`, `next_sibling`, `elder_sibling`, `succ`, `pred` and `value`"
                    )),
            };
            self.diagnostics.push(diagnostic);
            return Typed::wrong();
        };
        let wrong = Typed::wrong_of(Kind::Enum(id));
        let [number] = arguments else {
            Diagnostic::error("E0303", "a member of a class has one number")
                .at(span, format!("{} given", arguments.len()))
                .help(format!("write `{text}(1)`"))
                .report(self.diagnostics);
            return wrong;
        };
        let Some(number) = self.constant_int(number, "the number of a member") else {
            return wrong;
        };
        let size = self.net.enumerations[id.index()].members.len();
        match self.classes[id.index()].extent {
            Known::Wrong => wrong,
            Known::Later => {
                self.report_later(Name { text, span: name.span }, self.classes[id.index()].span);
                wrong
            }
            Known::Whole => match usize::try_from(number) {
                Ok(number) if (1..=size).contains(&number) => {
                    let index = u32::try_from(number - 1).expect("their number is limited");
                    let shown = span.text(self.model.text);
                    self.member(shown, span, (id, index), scope)
                }
                _ => {
                    self.report_no_member(id, span, &format!("there is no number {number}"));
                    wrong
                }
            },
        }
    }

    /// Reports a member that a class does not have.
    pub(super) fn report_no_member(&mut self, id: EnumId, span: Span, label: &str) {
        let class = &self.net.enumerations[id.index()];
        let name = class.name.clone();
        let help = match (class.members.first(), class.members.last(), class.members.len()) {
            (Some(first), Some(last), size) if size > 1 => {
                format!("it has {size} members: `{first}` to `{last}`")
            }
            (Some(only), ..) => format!("its only member is `{only}`"),
            _ => "it has none".into(),
        };
        let declared = self.classes[id.index()].span;
        Diagnostic::error("E0713", format!("there is no such member of `{name}`"))
            .at(span, label)
            .also(declared, "declared here")
            .help(help)
            .report(self.diagnostics);
    }

    /// `succ(x)`, `pred(x, 2)`.
    pub(super) fn shift(
        &mut self,
        direction: Direction,
        arguments: &[Expr<'a>],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Typed {
        let word = direction.word();
        let (argument, steps) = match arguments {
            [argument] => (argument, Some(1)),
            [argument, steps] => (argument, self.steps(steps)),
            _ => {
                Diagnostic::error("E0303", format!("`{word}` is of one member"))
                    .at(span, format!("{} given", arguments.len()))
                    .help(format!("write `{word}(x)`, or `{word}(x, 2)` for two steps"))
                    .report(self.diagnostics);
                return Typed::wrong();
            }
        };
        let typed = self.typed(argument, scope);
        let id = match typed.kind {
            Some(Kind::Enum(id)) => id,
            Some(kind) => {
                self.report_no_class_member(kind, argument.span, word);
                return Typed::wrong();
            }
            None => return Typed::wrong(),
        };
        let kind = Kind::Enum(id);
        let wrong = Typed::wrong_of(kind);
        if self.report_no_successor(id, span, word) {
            return wrong;
        }
        let Some(steps) = steps else { return wrong };
        let steps = if direction == Direction::Forward { steps } else { -steps };
        match typed.value {
            None => wrong,
            Some(Value::Literal(Literal::Enum(_, member))) => {
                let class = &self.net.enumerations[id.index()];
                match class.shifted(member, steps) {
                    Some(shifted) => Typed::literal(Literal::Enum(id, shifted)),
                    // Never evaluated, so any value will do.
                    None if self.dead > 0 => Typed::literal(Literal::Enum(id, member)),
                    None => {
                        let side = if steps > 0 { "after" } else { "before" };
                        let name = class.members[member as usize].clone();
                        let label = format!("there is none so far {side} `{name}`");
                        self.report_no_member(id, span, &label);
                        wrong
                    }
                }
            }
            Some(value) => Typed::new(Value::Shift(Box::new(value), id, steps), kind),
        }
    }

    fn steps(&mut self, expr: &Expr<'a>) -> Option<i32> {
        let number = self.constant_int(expr, "the number of steps")?;
        if number.abs() <= STEPS {
            return i32::try_from(number).ok();
        }
        Diagnostic::error("E0406", format!("the number of steps is {number}"))
            .at(expr.span, format!("expected -{STEPS} to {STEPS}"))
            .report(self.diagnostics);
        None
    }

    fn report_no_class_member(&mut self, found: Kind, span: Span, word: &str) {
        let shown = self.kind_name(found);
        let code = if found == Kind::Pid { "E0302" } else { "E0301" };
        let diagnostic =
            Diagnostic::error(code, format!("expected a member of a class, found {shown}"))
                .at(span, format!("the operand of `{word}` must be a member of a class"));
        self.diagnostics.push(match found {
            Kind::Int => diagnostic.help("write `x + 1` or `x - 1` for integers"),
            Kind::Pid => diagnostic.help("the order of threads is `next_sibling` and its kin"),
            _ => diagnostic,
        });
    }

    /// `x in leader`.
    pub(super) fn within(
        &mut self,
        member: &Expr<'a>,
        part: Name<'a>,
        scope: &mut Scope<'a>,
    ) -> Typed {
        let typed = self.typed(member, scope);
        let wrong = Typed::wrong_of(Kind::Bool);
        let Some((id, index)) = self.part_named(part) else { return wrong };
        let Some(kind) = typed.kind else { return wrong };
        if !self.demand_part(id, part, member.span, kind) {
            return wrong;
        }
        let Some(value) = typed.value else { return wrong };
        let members = self.net.enumerations[id.index()].part(index as usize);
        // Properties know no parts, but members.
        let value = if scope.usage == Usage::Property && members.len() == 1 {
            let only = Value::Literal(Literal::Enum(id, members.start));
            Value::binary(BinaryOp::Equal, value, only)
        } else {
            Value::Within(Box::new(value), id, index)
        };
        self.operation(value, member.span, Kind::Bool)
    }

    /// Reports a value that can be in no part of this class; tells whether it can.
    pub(super) fn demand_part(
        &mut self,
        id: EnumId,
        part: Name<'a>,
        span: Span,
        kind: Kind,
    ) -> bool {
        if kind == Kind::Enum(id) {
            return true;
        }
        let (text, shown) = (part.text, self.kind_name(kind));
        let class = self.classes[id.index()].name;
        let declared = self.classes[id.index()].span;
        Diagnostic::error("E0709", format!("{shown} is never in `{text}`"))
            .at(span, format!("this is {shown}"))
            .also(part.span, format!("this is a part of `{class}`"))
            .also(declared, "declared here")
            .report(self.diagnostics);
        false
    }

    /// The part that a name stands for.
    pub(super) fn part_named(&mut self, name: Name<'a>) -> Option<(EnumId, u32)> {
        let text = name.text;
        match self.meaning(text) {
            Some((Meaning::Part(id, part), _)) => Some((id, part)),
            Some((Meaning::Enumeration(_), span)) => {
                Diagnostic::error("E0211", format!("there is no part `{text}`"))
                    .at(name.span, "this is the whole class")
                    .also(span, "declared here")
                    .help("every member is in it; `in` asks for one of its parts")
                    .report(self.diagnostics);
                None
            }
            Some((Meaning::Constant(None), _)) => None,
            _ => {
                self.report_unknown(Unknown::Part, name);
                None
            }
        }
    }
}
