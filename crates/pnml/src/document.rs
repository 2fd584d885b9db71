//! The syntax tree of a document: nets, their pages, and what is on them.
//!
//! As ISO/IEC 15909-2 has it: a document holds nets, a net holds pages and declarations, a page holds
//! places, transitions, arcs, references to nodes elsewhere, and further pages. The order of what is of
//! one kind is kept; how kinds are mixed is not. Names and the texts of labels are kept without the
//! blanks around them.
//!
//! Not kept: graphics, and what tools wrote for themselves (`toolspecific`). Documents that were read
//! and written look different on the screen, and mean the same.

use std::fmt;

use crate::declaration::Declaration;
use crate::sort::Sort;
use crate::term::Term;
use diagnostics::{Report, Span};

/// A name in the text and where it stands: of something, or of what is referred to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Id {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

/// The name, with as many `_` after it as it needs to be free.
pub(crate) fn free(mut name: String, mut is_taken: impl FnMut(&str) -> bool) -> String {
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// A document. Two are equal if they say the same, whatever was skipped in them.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Its nets; at least one if it was read.
    pub nets: Vec<Net>,
    /// What was skipped, or understood though it is not in the standard.
    pub warnings: Report,
}

impl PartialEq for Document {
    fn eq(&self, other: &Document) -> bool {
        self.nets == other.nets
    }
}

impl Eq for Document {}

/// What kind a net is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Place/transition nets: tokens are all alike.
    PlaceTransition,
    /// Symmetric nets: tokens are of finite sorts.
    Symmetric,
}

impl Kind {
    /// The address that stands for the kind in documents.
    #[must_use]
    pub fn uri(self) -> &'static str {
        match self {
            Kind::PlaceTransition => "http://www.pnml.org/version-2009/grammar/ptnet",
            Kind::Symmetric => "http://www.pnml.org/version-2009/grammar/symmetricnet",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::PlaceTransition => "P/T net",
            Kind::Symmetric => "symmetric net",
        }
    }
}

/// A net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// What it is known by.
    pub id: Id,
    /// What kind it is of.
    pub kind: Kind,
    /// What people call it.
    pub name: Option<String>,
    /// Sorts, variables, partitions and operators. In symmetric nets only.
    pub declarations: Vec<Declaration>,
    /// Its pages.
    pub pages: Vec<Page>,
    /// Where it starts.
    pub span: Span,
}

/// A page of a net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// What it is known by.
    pub id: Id,
    /// What people call it.
    pub name: Option<String>,
    /// Declarations made here; they hold for the whole net.
    pub declarations: Vec<Declaration>,
    /// The places on this page.
    pub places: Vec<Place>,
    /// The transitions on this page.
    pub transitions: Vec<Transition>,
    /// The arcs on this page.
    pub arcs: Vec<Arc>,
    /// Places and transitions of other pages that appear on this one.
    pub references: Vec<Reference>,
    /// Pages within this page.
    pub pages: Vec<Page>,
    /// Where it starts.
    pub span: Span,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What it is known by.
    pub id: Id,
    /// What people call it.
    pub name: Option<String>,
    /// The sort of its tokens; none in P/T nets only.
    pub sort: Option<Label<Sort>>,
    /// The tokens it starts with; none where it starts empty.
    pub marking: Option<Tokens>,
    /// Where it starts.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// What it is known by.
    pub id: Id,
    /// What people call it.
    pub name: Option<String>,
    /// What has to hold of its variables. In symmetric nets only.
    pub condition: Option<Label<Term>>,
    /// Where it starts.
    pub span: Span,
}

/// An arc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// What it is known by.
    pub id: Id,
    /// What people call it.
    pub name: Option<String>,
    /// Where it comes from: a place, a transition, or a reference to one.
    pub source: Id,
    /// Where it leads to.
    pub target: Id,
    /// The tokens that it moves; none means one token, which has to be all alike.
    pub inscription: Option<Tokens>,
    /// Where it starts.
    pub span: Span,
}

/// A place or a transition of another page that appears here, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// What it is known by.
    pub id: Id,
    /// What people call it.
    pub name: Option<String>,
    /// Whether it stands for a place; otherwise it stands for a transition.
    pub is_place: bool,
    /// What it stands for: a node of its kind, or another reference.
    pub target: Id,
    /// Where it starts.
    pub span: Span,
}

/// Tokens of an initial marking or on an arc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tokens {
    /// In P/T nets: how many.
    Number {
        /// How many; on an arc at least one.
        count: u64,
        /// Where it starts.
        span: Span,
    },
    /// In symmetric nets: a multiset.
    Term(Label<Term>),
}

/// What is written at a node or an arc, for machines and for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label<T> {
    /// The same in words. Nothing is read from it.
    pub text: Option<String>,
    /// What it means.
    pub value: T,
    /// Where it starts.
    pub span: Span,
}

impl Net {
    /// All pages, also those within pages, outer ones first.
    pub fn all_pages(&self) -> impl Iterator<Item = &Page> {
        let mut left: Vec<&Page> = self.pages.iter().rev().collect();
        std::iter::from_fn(move || {
            let page = left.pop()?;
            left.extend(page.pages.iter().rev());
            Some(page)
        })
    }

    /// All declarations, of the net and of its pages.
    pub fn all_declarations(&self) -> impl Iterator<Item = &Declaration> {
        let pages = self.all_pages().flat_map(|page| &page.declarations);
        self.declarations.iter().chain(pages)
    }
}
