//! Looking names up, and what is said when they are not there.

use net::{EnumId, Kind, Literal, PlaceId};

use super::Resolver;
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;
use crate::span::Span;
use crate::syntax::Name;

/// What a name among the values stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning {
    /// A constant; `None` after a mistake in it.
    Constant(Option<Literal>),
    /// A constant whose declaration has not been reached.
    Later,
    Enumeration(EnumId),
    Member(EnumId, u32),
}

impl Meaning {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Meaning::Constant(_) | Meaning::Later => "a constant",
            Meaning::Enumeration(_) => "an enumeration",
            Meaning::Member(..) => "a member of an enumeration",
        }
    }
}

/// What an unknown name was looked up as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unknown {
    Place,
    Value,
    Sort,
    Transition,
    Thread,
}

impl Unknown {
    fn code(self) -> &'static str {
        match self {
            Unknown::Place => "E0201",
            Unknown::Value => "E0202",
            Unknown::Sort => "E0206",
            Unknown::Transition => "E0207",
            Unknown::Thread => "E0208",
        }
    }

    fn word(self) -> &'static str {
        match self {
            Unknown::Place => "place",
            Unknown::Value => "constant",
            Unknown::Sort => "sort",
            Unknown::Transition => "transition",
            Unknown::Thread => "start thread",
        }
    }

    fn help(self, name: &str) -> String {
        match self {
            Unknown::Place => {
                format!("declare it: `place {name}`, or `flow {name}` if threads are there")
            }
            Unknown::Value => format!("declare it: `const {name} = …`"),
            Unknown::Sort => format!(
                "sorts are `pid`, `bool`, ranges such as `0..=3`, and what is declared by \
                 `enum {name} {{ … }}`"
            ),
            Unknown::Transition => format!("declare it: `transition {name} {{ … }}`"),
            Unknown::Thread => format!("name one: `start {name}: PLACE`"),
        }
    }
}

/// Looking for near names costs a walk over all names, so it is not done for ever.
pub(super) const SUGGESTIONS: usize = 100;

impl<'a> Resolver<'a, '_> {
    /// Reports a name that is not there: once, with the further places pointed out; and not at all if
    /// it may have been declared in what did not parse.
    pub(crate) fn report_unknown(&mut self, what: Unknown, name: Name<'a>) {
        let lost = what == Unknown::Place && self.overfull;
        if lost || self.model.skipped.contains(name.text) {
            return;
        }
        if let Some(&ticket) = self.unknown.get(&(what, name.text)) {
            self.diagnostics.again(ticket, name.span);
            return;
        }
        let near = self.near(what, name.text);
        let text = name.text;
        let diagnostic =
            Diagnostic::error(what.code(), format!("there is no {} `{text}`", what.word()));
        let diagnostic = match (near, self.other_use(what, text)) {
            (_, Some((other, span))) => {
                diagnostic.at(name.span, format!("`{text}` is {other}")).also(span, "declared here")
            }
            (Some(near), None) => diagnostic.at(name.span, format!("did you mean `{near}`?")),
            (None, None) => diagnostic.at(name.span, "not declared").help(what.help(text)),
        };
        let ticket = self.diagnostics.push(diagnostic);
        self.unknown.insert((what, name.text), ticket);
    }

    /// What else the name stands for.
    fn other_use(&self, what: Unknown, name: &str) -> Option<(&'static str, Span)> {
        if what != Unknown::Place
            && let Some(id) = self.place_names.get(name)
        {
            return Some(("a place", self.places[id.index()].span));
        }
        if what != Unknown::Value
            && let Some((meaning, span)) = self.values.get(name)
        {
            return Some((meaning.word(), *span));
        }
        None
    }

    fn near(&self, what: Unknown, name: &str) -> Option<&'a str> {
        if self.diagnostics.len() > SUGGESTIONS {
            return None;
        }
        let sorts = |(name, (meaning, _)): (&&'a str, &(Meaning, Span))| {
            matches!(meaning, Meaning::Enumeration(_)).then_some(*name)
        };
        let mut candidates: Vec<&'a str> = match what {
            Unknown::Place => self.place_names.keys().copied().collect(),
            Unknown::Value => self.values.keys().copied().collect(),
            Unknown::Sort => self.values.iter().filter_map(sorts).collect(),
            Unknown::Transition => self.transition_names.keys().copied().collect(),
            Unknown::Thread => self.threads.keys().copied().collect(),
        };
        if what == Unknown::Sort {
            candidates.extend(["bool", "pid"]);
        }
        // The maps have no order, the message must have one.
        candidates.sort_unstable();
        nearest(name, candidates)
    }

    pub(crate) fn place_named(&mut self, name: Name<'a>) -> Option<PlaceId> {
        let id = self.place_names.get(name.text).copied();
        if id.is_none() {
            self.report_unknown(Unknown::Place, name);
        }
        id
    }

    /// Reports that a name is there already.
    pub(crate) fn report_duplicate(&mut self, what: &str, name: Name<'a>, first: Span) {
        self.diagnostics.push(
            Diagnostic::error("E0204", format!("{what} `{}` is declared twice", name.text))
                .at(name.span, "a second time")
                .also(first, "the first time")
                .help("choose another name for one of them"),
        );
    }

    /// Reports a variable that has the name of a constant; tells whether it has.
    pub(crate) fn report_shadowing(&mut self, name: Name<'a>) -> bool {
        let Some(&(meaning, span)) = self.values.get(name.text) else { return false };
        let text = name.text;
        self.diagnostics.push(
            Diagnostic::error("E0205", format!("the variable `{text}` has the name of a value"))
                .at(name.span, "this needs a name of its own")
                .also(span, format!("`{text}` is {}", meaning.word()))
                .help(format!("rename the variable, to `{text}_` say")),
        );
        true
    }

    /// A type as people write it.
    pub(crate) fn kind_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Pid => "a pid".into(),
            Kind::Int => "an integer".into(),
            Kind::Bool => "a truth value".into(),
            Kind::Enum(id) => format!("a member of `{}`", self.net.enumerations[id.index()].name),
        }
    }
}
