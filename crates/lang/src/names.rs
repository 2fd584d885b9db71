//! Every name in a text: what it defines or stands for. For editors, so also in texts that are wrong.
//!
//! Made of the syntax tree alone, by the rules of scope that `docs/language.md` and `docs/processes.md` give; nothing
//! is computed, and nothing is reported. What a name after a dot stands for depends on the type of what is before it,
//! which is followed as far as names depend on it (`shape`): objects, records, handles, collections, and what
//! functions return. Where that is not known, a name [means](Meant) nobody, and whoever renames has to ask.
//!
//! What did not parse is not in the tree. A brace that is not closed would take a whole declaration with it, so the
//! text is read with braces put where they are missed, without moving anything; of a statement that is wrong the
//! names can be [guessed](Names::guess). Costs about linear time. That the compiler sees the same is tested by renaming
//! everything that can be named, and compiling what comes out.

mod collect;
mod expression;
mod net;
mod process;
mod shape;

use std::collections::HashMap;
use std::ops::Range;

use diagnostics::Diagnostics;

use crate::lexer::{self, TokenKind};
use crate::parser;
use shape::Shape;

/// What a name is a name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// The model.
    Model,
    /// A constant.
    Constant,
    /// An enumeration.
    Enumeration,
    /// A colour class.
    Class,
    /// A part of a class.
    Part,
    /// A member of an enumeration or a class; of one whose members carry data, a case.
    Member,
    /// A class whose objects are created.
    Fresh,
    /// A place where threads are.
    Flow,
    /// A place where tokens are.
    Place,
    /// A column of a place.
    Column,
    /// A thread that starts, or an object that is there from the start.
    Start,
    /// A transition.
    Transition,
    /// A parameter of a transition, a process, a function, a step or an object.
    Parameter,
    /// A variable of a transition, a property, or a local one of a process.
    Variable,
    /// A property.
    Property,
    /// A variable that all processes share.
    Shared,
    /// A record.
    Record,
    /// A component of a record or a member.
    Component,
    /// A type of objects.
    Object,
    /// A type that a type of objects is made for.
    TypeParameter,
    /// A field of an object.
    Field,
    /// A step of an object.
    Step,
    /// A function, also of an object.
    Function,
    /// A process.
    Process,
    /// A point, a loop or an arm with a name.
    Label,
}

impl NameKind {
    /// What it is, in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            NameKind::Model => "model",
            NameKind::Constant => "constant",
            NameKind::Enumeration => "enumeration",
            NameKind::Class => "class",
            NameKind::Part => "part of a class",
            NameKind::Member => "member",
            NameKind::Fresh => "fresh class",
            NameKind::Flow => "flow place",
            NameKind::Place => "place",
            NameKind::Column => "column",
            NameKind::Start => "name from the start",
            NameKind::Transition => "transition",
            NameKind::Parameter => "parameter",
            NameKind::Variable => "variable",
            NameKind::Property => "property",
            NameKind::Shared => "shared variable",
            NameKind::Record => "record",
            NameKind::Component => "component",
            NameKind::Object => "type of objects",
            NameKind::TypeParameter => "type parameter",
            NameKind::Field => "field",
            NameKind::Step => "step",
            NameKind::Function => "function",
            NameKind::Process => "process",
            NameKind::Label => "label",
        }
    }

    /// Whether it is found after a dot, and belongs to what is before it.
    #[must_use]
    pub fn is_member(self) -> bool {
        matches!(
            self,
            NameKind::Column
                | NameKind::Component
                | NameKind::Field
                | NameKind::Step
                | NameKind::Label
        )
    }
}

/// A definition, by its index in [`Names::definitions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(pub usize);

/// Something that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name, without backticks.
    pub name: String,
    /// What it is.
    pub kind: NameKind,
    /// Where the name is, with its backticks; in the text or, if so, in [`PRELUDE`](crate::PRELUDE).
    pub span: Range<usize>,
    /// Where all of it is.
    pub whole: Range<usize>,
    /// What it begins with, before a body in braces.
    pub head: Range<usize>,
    /// What it is a part of.
    pub owner: Option<DefinitionId>,
    /// Whether it is in the prelude.
    pub in_prelude: bool,
    /// Where the name can be used, if not everywhere.
    pub scope: Option<Range<usize>>,
    /// Its parameters, components or columns with names, in their order.
    pub parameters: Vec<DefinitionId>,
    /// Where its sort or type is written, in the same text.
    pub of: Option<Range<usize>>,
}

/// What a name in the text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// This.
    Definition(DefinitionId),
    /// Something of a value whose type is not known.
    Member,
    /// Nothing that is declared, or something that the language has.
    Nobody,
}

/// A name in the text, where it is used or defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Where, with its backticks.
    pub span: Range<usize>,
    /// What it stands for.
    pub meant: Meant,
    /// Whether it is defined here.
    pub defines: bool,
}

/// The names of a text.
#[derive(Clone, Debug)]
pub struct Names {
    /// What has a name: first what the prelude declares, if the text has processes, then what the text does.
    pub definitions: Vec<Definition>,
    /// Where names are, in the order of the text.
    pub uses: Vec<Use>,
    /// Whether all of the text was read, so that no name is left out.
    pub is_complete: bool,
    /// Whether the text speaks of processes.
    pub has_processes: bool,
    shapes: Vec<Shape>,
    /// What values have after a dot, by name.
    members: HashMap<DefinitionId, Vec<DefinitionId>>,
}

/// As many braces are put where they are missed.
const REPAIRS: usize = 16;

/// The names of a text; of one that is too long, none.
#[must_use]
pub fn names(text: &str) -> Names {
    if crate::too_long(text).is_some() {
        return collect::nothing();
    }
    let mut repaired: Option<String> = None;
    for repairs in 0.. {
        let source = repaired.as_deref().unwrap_or(text);
        let mut diagnostics = Diagnostics::default();
        let model = parser::parse(source, &mut diagnostics);
        let is_complete = !diagnostics.has_errors() && repairs == 0;
        let is_open = diagnostics.has_errors() && repairs < REPAIRS;
        match is_open.then(|| with_brace(source, diagnostics)).flatten() {
            Some(better) => {
                drop(model);
                repaired = Some(better);
            }
            None => {
                let mut names = collect::names(&model, is_complete);
                names.uses.retain(|one| one.span.end <= text.len());
                return names;
            }
        }
    }
    unreachable!("repairs come to an end")
}

/// The text with a brace where one is missed, in the place of a blank, or at its end.
fn with_brace(text: &str, found: Diagnostics) -> Option<String> {
    let report = found.finish(text);
    let missing = report.iter().find(|one| one.code == "E0112")?;
    let at = missing.labels.iter().find(|label| label.primary)?.span.end;
    match text.as_bytes().get(at) {
        None => Some(format!("{text}}}")),
        Some(b' ' | b'\t' | b'\r' | b'\n') => Some(format!("{}}}{}", &text[..at], &text[at + 1..])),
        Some(_) => None,
    }
}

impl Names {
    /// What a definition is.
    #[must_use]
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0]
    }

    /// The name that is written at a byte, or ends there.
    #[must_use]
    pub fn at(&self, offset: usize) -> Option<&Use> {
        let after = self.uses.partition_point(|one| one.span.start <= offset);
        let near = self.uses[..after].iter().rev().take(2);
        near.filter(|one| offset <= one.span.end).max_by_key(|one| one.span.start)
    }

    /// Where a definition is named, its own place included.
    pub fn uses_of(&self, id: DefinitionId) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(move |one| one.meant == Meant::Definition(id))
    }

    /// What can be named at a byte without anything before it, the nearest first.
    pub fn in_scope(&self, offset: usize) -> impl Iterator<Item = DefinitionId> + '_ {
        let all = self.definitions.iter().enumerate();
        let seen = all.filter(move |(_, one)| match &one.scope {
            Some(scope) => !one.in_prelude && scope.start <= offset && offset <= scope.end,
            None => {
                let is_value = matches!(one.kind, NameKind::Member | NameKind::Part);
                one.owner.is_none() || is_value && !one.in_prelude
            }
        });
        let mut seen: Vec<DefinitionId> = seen.map(|(index, _)| DefinitionId(index)).collect();
        seen.sort_by_key(|id| {
            let one = self.definition(*id);
            (one.scope.is_none(), one.in_prelude, std::cmp::Reverse(one.span.start))
        });
        seen.into_iter()
    }

    /// What stands for a value of the type that a definition has, after a dot.
    #[must_use]
    pub fn members_of(&self, id: DefinitionId) -> Vec<DefinitionId> {
        match self.shapes[id.0].owner() {
            Some(owner) => self.members.get(&owner).cloned().unwrap_or_default(),
            None => self.members.get(&id).cloned().unwrap_or_default(),
        }
    }

    /// The object, record, process or place whose members a definition has, if it has any.
    #[must_use]
    pub fn type_of(&self, id: DefinitionId) -> Option<DefinitionId> {
        self.shapes[id.0].owner()
    }

    /// What a way such as `a.b.c` leads to at a byte.
    #[must_use]
    pub fn follow(&self, way: &[&str], offset: usize) -> Option<DefinitionId> {
        let (first, rest) = way.split_first()?;
        let named = |id: &DefinitionId, name: &str| self.definition(*id).name == name;
        let mut at = match *first {
            "this" => self.around(offset, NameKind::Object)?,
            _ => self.in_scope(offset).find(|id| named(id, first))?,
        };
        for name in rest {
            at = self.members_of(at).into_iter().find(|id| named(id, name))?;
        }
        Some(at)
    }

    /// The innermost definition of a kind around a byte.
    #[must_use]
    pub fn around(&self, offset: usize, kind: NameKind) -> Option<DefinitionId> {
        let all = self.definitions.iter().enumerate().rev();
        let mut all = all.filter(|(_, one)| !one.in_prelude && one.kind == kind);
        let found = all.find(|(_, one)| one.whole.contains(&offset))?;
        Some(DefinitionId(found.0))
    }

    /// What a name in a part that did not parse probably stands for: the way that ends with the name at a byte.
    #[must_use]
    pub fn guess(&self, text: &str, offset: usize) -> Option<(Range<usize>, DefinitionId)> {
        let (span, way) = way_at(text, offset)?;
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        Some((span, self.follow(&way, offset)?))
    }
}

/// The names with dots between them that end with the one at a byte, and where that is.
#[must_use]
pub fn way_at(text: &str, offset: usize) -> Option<(Range<usize>, Vec<String>)> {
    // A name is on one line, and the way to it is not long.
    let line = text[..text.floor_char_boundary(offset)].rfind('\n').map_or(0, |end| end + 1);
    let end = text[line..].find('\n').map_or(text.len(), |end| line + end);
    let tokens = lexer::tokens(&text[line..end], &mut Diagnostics::default());
    let is_name = |kind: TokenKind| matches!(kind, TokenKind::Name | TokenKind::Keyword(_));
    let touches = |token: &lexer::Token| {
        let range = token.span.range();
        is_name(token.kind) && line + range.start <= offset && offset <= line + range.end
    };
    let mut at = tokens.iter().position(touches)?;
    let word = |at: usize| tokens[at].span.text(&text[line..end]).trim_matches('`').to_owned();
    let span = tokens[at].span.range();
    let mut way = vec![word(at)];
    while at >= 2 && tokens[at - 1].kind == TokenKind::Dot && is_name(tokens[at - 2].kind) {
        at -= 2;
        way.insert(0, word(at));
    }
    // `f(x).y` and `s[0].y` are not followed.
    if at >= 1 && tokens[at - 1].kind == TokenKind::Dot {
        return None;
    }
    Some((line + span.start..line + span.end, way))
}
