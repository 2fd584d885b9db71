//! Whether a model keeps the symmetry it declares.
//!
//! A class with a symmetry promises that permutations of its members make no difference: all that keep
//! each part, or all rotations. So no expression may name a member that could be taken to another, ask
//! for an order that is not kept, or for a successor where there is none; and the initial state must be
//! the same under each permutation. Of a property less is asked: where it names a member, that member is
//! told from the others while the property is checked, and there only.

use net::{Distinction, EnumId, Initial, Kind, Literal, Symmetry};

use super::Resolver;
use super::scope::{Scope, Usage};
use super::value::Typed;
use diagnostics::{Diagnostic, Span};

impl<'a> Resolver<'a, '_> {
    /// A member that is written down, as `shown`.
    pub(super) fn member(
        &mut self,
        shown: &str,
        span: Span,
        (id, index): (EnumId, u32),
        scope: &Scope<'a>,
    ) -> Typed {
        let is_told = !matches!(scope.usage, Usage::Constant(_) | Usage::Property);
        if !is_told || !self.net.enumerations[id.index()].has_likes(index) {
            return Typed::literal(Literal::Enum(id, index));
        }
        let wrong = Typed::wrong_of(Kind::Enum(id));
        if let Some(&ticket) = self.distinguished.get(&(id, index)) {
            self.diagnostics.again(ticket, span);
            return wrong;
        }
        let class = &self.net.enumerations[id.index()];
        let (name, member) = (&class.name, &class.members[index as usize]);
        let rest = class.members.len() - 1;
        let (word, help) = match class.symmetry {
            Symmetry::Rotations => (
                "cyclic",
                format!(
                    "mark one member by a token that a first transition puts, or declare \
                     `{name}` as `ordered`"
                ),
            ),
            _ if !class.parts.is_empty() => {
                ("symmetric", format!("declare `{member}` as a part of its own"))
            }
            _ if self.is_numbered(id) => (
                "symmetric",
                format!(
                    "declare one as a part of its own: `class {name} symmetric first 1, others \
                     {rest}`, and write `first`"
                ),
            ),
            _ => (
                "symmetric",
                format!(
                    "declare it as a part of its own: `class {name} symmetric first {{ {member} }}, \
                     others {{ … }}`"
                ),
            ),
        };
        let diagnostic =
            Diagnostic::error("E0701", format!("the model tells `{shown}` from members like it"))
                .at(span, format!("`{name}` is {word}, so this is as good as any other"))
                .also(self.classes[id.index()].span, format!("declared {word} here"))
                .help(help);
        let ticket = self.diagnostics.push(diagnostic);
        self.distinguished.insert((id, index), ticket);
        wrong
    }

    /// Reports `succ` or `pred` in a class that has no order at all; tells whether it has none.
    pub(super) fn report_no_successor(&mut self, id: EnumId, span: Span, word: &str) -> bool {
        let class = &self.net.enumerations[id.index()];
        if class.symmetry != Symmetry::Full {
            return false;
        }
        let name = &class.name;
        Diagnostic::error("E0703", format!("`{name}` is symmetric: no member is next to another"))
            .at(span, format!("`{word}` would tell members apart that are alike"))
            .also(self.classes[id.index()].span, "declared symmetric here")
            .help(format!("declare `class {name} cyclic …` if its members go round"))
            .report(self.diagnostics);
        true
    }

    /// Reports a comparison in a class whose members have no order; tells whether they have none.
    pub(super) fn report_no_order(&mut self, id: EnumId, span: Span) -> bool {
        let class = &self.net.enumerations[id.index()];
        let word = match class.symmetry {
            Symmetry::None => return false,
            Symmetry::Rotations => "cyclic",
            Symmetry::Full => "symmetric",
        };
        let name = &class.name;
        Diagnostic::error("E0704", format!("`{name}` is {word}: its members have no order"))
            .at(span, "this would tell members apart that are alike")
            .also(self.classes[id.index()].span, format!("declared {word} here"))
            .help(format!("compare with `==` and `!=`, or declare `class {name} ordered …`"))
            .report(self.diagnostics);
        true
    }

    /// Reports an initial state that is another under a permutation, once for each class.
    pub(super) fn check_initial(&mut self) {
        for Distinction { class: id, member, other, at, here, there } in self.net.distinctions() {
            let span = match at {
                Initial::Thread(index) => self.thread_spans[index],
                Initial::Token(index) => self.token_spans[index],
            };
            let class = &self.net.enumerations[id.index()];
            let name = &class.name;
            let [a, b] = [member, other].map(|index| &class.members[index as usize]);
            let (word, label) = match class.symmetry {
                Symmetry::Rotations => (
                    "cyclic",
                    format!("there is {here} of this, and {there} with each member one step on"),
                ),
                _ => (
                    "symmetric",
                    format!("there is {here} of this, and {there} with `{a}` and `{b}` swapped"),
                ),
            };
            let help = if matches!(at, Initial::Thread(_)) {
                format!(
                    "a start thread holds one member; let a transition choose it: \
                     `transition begin(x: {name}) {{ … }}`"
                )
            } else if word == "symmetric" {
                format!(
                    "write `all` for one of each; or declare `{a}` as a part of its own; or declare \
                     `{name}` as `ordered`"
                )
            } else {
                format!("write `all` for one of each, or declare `{name}` as `ordered`")
            };
            Diagnostic::error("E0702", format!("the initial state tells `{a}` from `{b}`"))
                .at(span, label)
                .also(self.classes[id.index()].span, format!("`{name}` is declared {word} here"))
                .help(help)
                .report(self.diagnostics);
        }
    }
}
