//! Whether a model keeps the symmetry it declares.
//!
//! A class with a symmetry promises that permutations of its members make no difference: all that keep
//! each part, or all rotations. So no expression may name a member that could be taken to another, ask
//! for an order that is not kept, or for a successor where there is none; and the initial state must be
//! the same under each permutation. Of a property less is asked: where it names a member, that member is
//! told from the others while the property is checked, and there only.
//!
//! An initial token that goes through all members is the same under every permutation, since its
//! condition is. What remains is the same exactly if each token is there as often as what neighbours
//! swapped, or one step of the rotation, make of it; so the check costs no more than the tokens that name
//! members.

use std::collections::HashMap;

use net::{EnumId, InitialToken, InitialValue, Kind, Literal, PlaceId, Symmetry};

use super::Resolver;
use super::scope::{Scope, Usage};
use super::value::Typed;
use diagnostics::{Diagnostic, Span};

/// A component of an initial token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Component {
    Thread(usize),
    Data(Literal),
}

/// Initial tokens that name members, in the order of writing.
#[derive(Debug, Default)]
pub(crate) struct Named {
    count: HashMap<(PlaceId, Vec<Component>), u64>,
    written: Vec<(PlaceId, Vec<Component>, Span)>,
}

/// Two members that are distinguished: how often a token is there, and how often what it is taken to.
#[derive(Clone, Copy, Debug)]
struct Distinction {
    index: u32,
    other: u32,
    here: u64,
    there: u64,
}

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
        if !is_told || !self.has_likes(id, index) {
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

    /// Whether a permutation takes the member to another.
    fn has_likes(&self, id: EnumId, index: u32) -> bool {
        let class = &self.net.enumerations[id.index()];
        match class.symmetry {
            Symmetry::None => false,
            Symmetry::Rotations => true,
            Symmetry::Full => class.part_of(index).len() > 1,
        }
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

    /// Notes an initial token or thread that names members that are like others.
    pub(super) fn note_initial(
        &self,
        token: &InitialToken,
        thread: Option<usize>,
        span: Span,
        members: &[u32],
        named: &mut Named,
    ) {
        let is_like_others = |value: &InitialValue| match *value {
            InitialValue::Data(Literal::Enum(id, index)) => self.has_likes(id, index),
            _ => false,
        };
        if !token.values.iter().any(is_like_others) {
            return;
        }
        let values = token.values.iter().map(|value| match *value {
            InitialValue::Thread(index) => Component::Thread(index),
            InitialValue::Data(literal) => Component::Data(literal),
            InitialValue::Each(i) => Component::Data(Literal::Enum(token.each[i], members[i])),
        });
        let values: Vec<_> = thread.map(Component::Thread).into_iter().chain(values).collect();
        *named.count.entry((token.place, values.clone())).or_default() += u64::from(token.count);
        named.written.push((token.place, values, span));
    }

    /// Reports an initial state that is another under a permutation, once for each class.
    pub(super) fn check_initial(&mut self, named: &Named) {
        let mut reported: Vec<EnumId> = Vec::new();
        for (place, values, span) in &named.written {
            for value in values {
                let Component::Data(Literal::Enum(id, index)) = *value else { continue };
                if !reported.contains(&id)
                    && let Some(told) = self.told_apart(named, *place, values, (id, index))
                {
                    reported.push(id);
                    self.report_told_apart(*place, *span, id, told);
                }
            }
        }
    }

    /// A member to which a permutation takes this one, if the token is then not there as often.
    fn told_apart(
        &self,
        named: &Named,
        place: PlaceId,
        values: &[Component],
        (id, index): (EnumId, u32),
    ) -> Option<Distinction> {
        let class = &self.net.enumerations[id.index()];
        let count = |token: Vec<Component>| named.count.get(&(place, token)).copied().unwrap_or(0);
        let told = |other: u32, renamed: &dyn Fn(u32) -> u32| {
            let image = values.iter().map(|value| match *value {
                Component::Data(Literal::Enum(other, i)) if other == id => {
                    Component::Data(Literal::Enum(id, renamed(i)))
                }
                value => value,
            });
            let (here, there) = (count(values.to_vec()), count(image.collect()));
            (here != there).then_some(Distinction { index, other, here, there })
        };
        match class.symmetry {
            Symmetry::None => None,
            Symmetry::Rotations => {
                let size = u32::try_from(class.members.len()).expect("their number is limited");
                let next = |i: u32| (i + 1) % size;
                told(next(index), &next)
            }
            Symmetry::Full => {
                let part = class.part_of(index);
                let neighbours = [index.checked_sub(1), index.checked_add(1)];
                neighbours.into_iter().flatten().filter(|i| part.contains(i)).find_map(|other| {
                    let swapped = |i| match i {
                        _ if i == index => other,
                        _ if i == other => index,
                        _ => i,
                    };
                    told(other, &swapped)
                })
            }
        }
    }

    fn report_told_apart(
        &mut self,
        place: PlaceId,
        span: Span,
        id: EnumId,
        Distinction { index, other, here, there }: Distinction,
    ) {
        let class = &self.net.enumerations[id.index()];
        let (name, members) = (&class.name, &class.members);
        let (a, b) = (&members[index as usize], &members[other as usize]);
        let is_flow = self.net.place(place).is_flow();
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
        let help = if is_flow {
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
