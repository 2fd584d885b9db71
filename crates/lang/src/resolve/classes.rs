//! Enumerations and colour classes: their members and parts.
//!
//! A class whose members all have names of their own is known from the start. One with a size is known
//! from its declaration on, as a constant is. The members of a part that is given by its size are called
//! by the name of the class and their number in it: `Site1`, `Site2`. These names are not stored, but
//! recognised; so a name that is made like them is never a variable, whatever the size.

use std::ops::Range;

use net::{EnumId, Enumeration, Part, Symmetry};

use super::Resolver;
use super::names::Meaning;
use crate::syntax::{ClassDecl, DeclarationKind, Expr, Extent, Name, PartDecl};
use diagnostics::{Diagnostic, Span};

/// No model has more members than this, in all classes together.
pub(super) const MEMBERS: usize = 1 << 20;
/// As many digits have the numbers up to that.
const DIGITS: usize = 7;

/// An enumeration as declared.
#[derive(Debug)]
pub(crate) struct ClassInfo<'a> {
    pub(crate) name: &'a str,
    pub(crate) span: Span,
    /// Whether it is declared by `enum`.
    pub(crate) is_enum: bool,
    pub(crate) extent: Known,
    /// Whether some of its members are called by numbers, and which, by index.
    numbers: Option<Vec<Range<u32>>>,
}

/// How much is known of the members of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// The declaration has not been reached.
    Later,
    /// There is a mistake in it.
    Wrong,
    Whole,
}

impl<'a> Resolver<'a, '_> {
    /// The names of all classes. Members and parts follow where no size has to be computed.
    pub(super) fn enumerations(&mut self) {
        let model = self.model;
        for declaration in &model.declarations {
            if let DeclarationKind::Fresh(name) = &declaration.kind {
                self.declare_fresh(*name);
            }
            let DeclarationKind::Class(class) = &declaration.kind else { continue };
            let number = u32::try_from(self.net.enumerations.len()).expect("fewer than bytes");
            let id = EnumId(number);
            self.declare_value(class.name, Meaning::Enumeration(id));
            let is_sized = class.parts.iter().any(|part| matches!(part.extent, Extent::Size(_)));
            self.net.enumerations.push(Enumeration {
                name: class.name.text.into(),
                symmetry: class.symmetry,
                round: class.round,
                ..Enumeration::default()
            });
            self.classes.push(ClassInfo {
                name: class.name.text,
                span: class.name.span,
                is_enum: class.is_enum,
                extent: Known::Later,
                numbers: is_sized.then(Vec::new),
            });
            for part in &class.parts {
                if let Some(name) = part.name {
                    self.declare_value(name, Meaning::Later);
                }
                if let Extent::Members(members) = &part.extent {
                    for member in members {
                        self.declare_value(*member, Meaning::Later);
                    }
                }
            }
            if !is_sized {
                self.complete_class(id, class);
            }
        }
    }

    /// The members and parts of a class, if they are not known yet.
    pub(super) fn complete_class(&mut self, id: EnumId, class: &'a ClassDecl<'a>) {
        if self.classes[id.index()].extent != Known::Later {
            return;
        }
        self.classes[id.index()].extent = Known::Whole;
        for (index, part) in (0..).zip(&class.parts) {
            let start = self.net.enumerations[id.index()].members.len();
            match &part.extent {
                Extent::Members(members) if members.is_empty() => {
                    self.report_empty(id, part, "no members here");
                }
                Extent::Members(members) => self.name_members(id, members),
                Extent::Size(size) => self.number_members(id, size, part),
            }
            let enumeration = &mut self.net.enumerations[id.index()];
            let size = enumeration.members.len() - start;
            if let Some(name) = part.name {
                let size = u32::try_from(size).expect("their number is limited");
                enumeration.parts.push(Part { name: name.text.into(), size });
                self.mean(name, Meaning::Part(id, index));
            }
        }
        if class.symmetry == Symmetry::Rotations
            && let Some(part) = class.parts.iter().find_map(|part| part.name)
        {
            self.classes[id.index()].extent = Known::Wrong;
            Diagnostic::error("E0711", "a cyclic class has no parts")
                .at(part.span, "a rotation takes members out of it")
                .also(class.name.span, "this class is cyclic")
                .help("leave the parts out, or declare the class `symmetric` or `ordered`")
                .report(self.diagnostics);
        }
    }

    /// Gives a name that was declared for later its meaning; of a duplicate it has another.
    fn mean(&mut self, name: Name<'a>, meaning: Meaning) -> bool {
        match self.values.get_mut(name.text) {
            Some((later, span)) if span.range() == name.span.range() => {
                *later = meaning;
                true
            }
            _ => false,
        }
    }

    fn name_members(&mut self, id: EnumId, members: &[Name<'a>]) {
        for member in members {
            let index = self.net.enumerations[id.index()].members.len();
            let meaning = Meaning::Member(id, u32::try_from(index).expect("fewer than bytes"));
            if self.mean(*member, meaning) {
                self.net.enumerations[id.index()].members.push(member.text.into());
            } else {
                self.classes[id.index()].extent = Known::Wrong;
            }
        }
    }

    fn number_members(&mut self, id: EnumId, size: &Expr<'a>, part: &PartDecl<'a>) {
        let Some(number) = self.constant_int(size, "the size of a class") else {
            self.classes[id.index()].extent = Known::Wrong;
            return;
        };
        if number < 1 {
            self.report_empty(id, part, &format!("this is {number}"));
            return;
        }
        let others: usize = self.net.enumerations.iter().map(|e| e.members.len()).sum();
        let room = MEMBERS.saturating_sub(others);
        let number = match usize::try_from(number) {
            Ok(number) if number <= room => number,
            _ => {
                self.classes[id.index()].extent = Known::Wrong;
                let name = self.classes[id.index()].name;
                let beside =
                    if others > 0 { ", those of other classes and parts included" } else { "" };
                Diagnostic::error("E0706", format!("the class `{name}` has too many members"))
                    .at(size.span, format!("this is {number}"))
                    .help(format!("a model has at most 2^20 members{beside}"))
                    .report(self.diagnostics);
                return;
            }
        };
        let Enumeration { name, members, .. } = &mut self.net.enumerations[id.index()];
        let start = members.len();
        members.extend((start + 1..=start + number).map(|i| format!("{name}{i}").into()));
        let index = |i| u32::try_from(i).expect("their number is limited");
        let range = index(start)..index(start + number);
        self.classes[id.index()].numbers.get_or_insert_default().push(range);
    }

    fn report_empty(&mut self, id: EnumId, part: &PartDecl<'a>, label: &str) {
        let class = self.classes[id.index()].name;
        self.classes[id.index()].extent = Known::Wrong;
        let message = match part.name {
            Some(name) => format!("the part `{}` of `{class}` is empty", name.text),
            None => format!("the class `{class}` is empty"),
        };
        Diagnostic::error("E0705", message)
            .at(part.span, label)
            .help("a class has at least one member, and so has each of its parts")
            .report(self.diagnostics);
    }

    /// Whether some members of a class are called by numbers.
    pub(super) fn is_numbered(&self, id: EnumId) -> bool {
        self.classes[id.index()].numbers.is_some()
    }

    /// What a name among the values stands for, and where it is declared.
    pub(super) fn meaning(&self, name: &str) -> Option<(Meaning, Span)> {
        self.values.get(name).copied().or_else(|| self.numbered(name))
    }

    /// The member that is called by a number.
    fn numbered(&self, name: &str) -> Option<(Meaning, Span)> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        (1..=digits.min(DIGITS)).find_map(|length| {
            let (class, number) = name.split_at(name.len() - length);
            let (&Meaning::Enumeration(id), span) = self.values.get(class).map(|(m, s)| (m, *s))?
            else {
                return None;
            };
            let class = &self.classes[id.index()];
            let numbers = class.numbers.as_ref().filter(|_| !number.starts_with('0'))?;
            let index = number.parse::<u32>().ok()?.checked_sub(1)?;
            let meaning = match class.extent {
                Known::Later => Meaning::Later,
                Known::Wrong => Meaning::Constant(None),
                Known::Whole if numbers.iter().any(|range| range.contains(&index)) => {
                    Meaning::Member(id, index)
                }
                Known::Whole => Meaning::NoMember(id),
            };
            Some((meaning, span))
        })
    }

    /// Reports names that members called by numbers have, too.
    pub(super) fn check_numbered_names(&mut self) {
        if self.classes.iter().all(|class| class.numbers.is_none()) {
            return;
        }
        let mut clashes = Vec::new();
        for (&text, &(meaning, span)) in &self.values {
            let is_class = matches!(meaning, Meaning::Enumeration(id) if self.classes[id.index()].numbers.is_some());
            match self.numbered(text) {
                Some((Meaning::Member(..), class)) => clashes.push((Name { text, span }, class)),
                // What its members are called could be read in two ways.
                Some((Meaning::NoMember(_), class)) if is_class => {
                    clashes.push((Name { text, span }, class));
                }
                _ => {}
            }
        }
        clashes.sort_by_key(|(name, _)| name.span.start);
        for (name, class) in clashes {
            let text = name.text;
            Diagnostic::error("E0204", format!("members of a class are called like `{text}`"))
                .at(name.span, "this has the same name")
                .also(class, "the members of this class have its name and a number")
                .help("choose another name for one of them")
                .report(self.diagnostics);
        }
    }
}
