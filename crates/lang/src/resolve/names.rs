//! Looking names up, and what is said when they are not there.

use net::{EnumId, FreshId, Kind, Literal, PlaceId, Var};

use super::Resolver;
use super::scope::{Entry, Role, Scope};
use crate::syntax::Name;
use diagnostics::{Diagnostic, Span, nearest};

/// What a name among the values stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning {
    /// A constant; `None` after a mistake in it.
    Constant(Option<Literal>),
    /// A constant whose declaration has not been reached.
    Later,
    Enumeration(EnumId),
    /// A fresh class.
    Fresh(FreshId),
    Member(EnumId, u32),
    /// A part of a class, by its index.
    Part(EnumId, u32),
    /// Called like a member of a class, by a number that it has not got.
    NoMember(EnumId),
}

/// What an unknown name was looked up as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unknown {
    Place,
    Value,
    Sort,
    Transition,
    Thread,
    Part,
    /// What fairness is assumed of, a transition or a class.
    Whom,
    /// What fairness is assumed of, where it is said to be a class.
    Class,
}

impl Unknown {
    /// The code, what the name was expected to be of, and a way out.
    fn words(self, name: &str) -> (&'static str, &'static str, String) {
        match self {
            Unknown::Place => {
                let help =
                    format!("declare it: `place {name}`, or `flow {name}` if threads are there");
                ("E0201", "place", help)
            }
            Unknown::Value => ("E0202", "constant", format!("declare it: `const {name} = …`")),
            Unknown::Sort => {
                let help = format!(
                    "sorts are `pid`, `bool`, ranges such as `0..=3`, and what is declared by \
                     `enum {name} {{ … }}` or `class {name} …`"
                );
                ("E0206", "sort", help)
            }
            Unknown::Transition => {
                ("E0207", "transition", format!("declare it: `transition {name} {{ … }}`"))
            }
            Unknown::Thread => {
                ("E0208", "start thread", format!("name one: `start {name}: PLACE`"))
            }
            Unknown::Part => {
                let example = format!("`class Proc symmetric {name} 1, others 4`");
                ("E0211", "part", format!("declare it with its class: {example}, say"))
            }
            Unknown::Whom => {
                let help = "fairness is assumed of `threads`, of a transition, or of a class";
                ("E0212", "transition or class", help.into())
            }
            Unknown::Class => {
                let help = format!("declare it: `class {name} …` or `enum {name} {{ … }}`");
                ("E0212", "class", help)
            }
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
        let (code, word, help) = what.words(text);
        let diagnostic = Diagnostic::error(code, format!("there is no {word} named `{text}`"));
        let diagnostic = match (near, self.other_use(what, text)) {
            (_, Some((other, span))) => {
                diagnostic.at(name.span, format!("`{text}` is {other}")).also(span, "declared here")
            }
            (Some(near), None) => diagnostic.at(name.span, format!("did you mean `{near}`?")),
            (None, None) => diagnostic.at(name.span, "not declared").help(match what {
                Unknown::Place if self.model.has_processes() => format!(
                    "properties speak of processes, types of objects and `shared` variables; a place is declared by \
                     `place {text}`"
                ),
                Unknown::Whom if self.model.has_processes() => {
                    "write `fair threads`, or `fair PROCESS.LABEL` for an arm of a `select`".into()
                }
                _ => help,
            }),
        };
        let ticket = self.diagnostics.push(diagnostic);
        self.unknown.insert((what, name.text), ticket);
    }

    /// What a name stands for, in words.
    pub(super) fn word(&self, meaning: Meaning) -> &'static str {
        match meaning {
            Meaning::Constant(_) | Meaning::Later => "a constant",
            Meaning::Enumeration(id) if self.classes[id.index()].is_enum => "an enumeration",
            Meaning::Enumeration(_) => "a class",
            Meaning::Fresh(_) => "a fresh class",
            Meaning::Member(id, _) if self.classes[id.index()].is_enum => {
                "a member of an enumeration"
            }
            Meaning::Member(..) | Meaning::NoMember(_) => "a member of a class",
            Meaning::Part(..) => "a part of a class",
        }
    }

    /// What else the name stands for.
    fn other_use(&self, what: Unknown, name: &str) -> Option<(&'static str, Span)> {
        if what != Unknown::Place
            && let Some(id) = self.place_names.get(name)
        {
            return Some(("a place", self.places[id.index()].span));
        }
        if what != Unknown::Value
            && let Some((meaning, span)) = self.meaning(name)
        {
            return Some((self.word(meaning), span));
        }
        if what == Unknown::Class
            && let Some((_, span)) = self.transition_names.get(name)
        {
            return Some(("a transition", *span));
        }
        None
    }

    fn near(&self, what: Unknown, name: &str) -> Option<&'a str> {
        if self.diagnostics.len() > SUGGESTIONS {
            return None;
        }
        let values = |is_meant: fn(&Meaning) -> bool| {
            let values = self.values.iter().filter(move |(_, (meaning, _))| is_meant(meaning));
            values.map(|(name, _)| *name)
        };
        let sorts =
            || values(|meaning| matches!(meaning, Meaning::Enumeration(_) | Meaning::Fresh(_)));
        let parts = || values(|meaning| matches!(meaning, Meaning::Part(..)));
        let mut candidates: Vec<&'a str> = match what {
            Unknown::Place => self.place_names.keys().copied().collect(),
            Unknown::Value => self.values.keys().copied().collect(),
            Unknown::Sort | Unknown::Class => sorts().collect(),
            Unknown::Whom => sorts().chain(self.transition_names.keys().copied()).collect(),
            Unknown::Transition => self.transition_names.keys().copied().collect(),
            Unknown::Thread => self.threads.keys().copied().collect(),
            Unknown::Part => parts().collect(),
        };
        match what {
            Unknown::Sort => candidates.extend(["bool", "pid"]),
            Unknown::Whom => candidates.push("threads"),
            _ => {}
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
        Diagnostic::error("E0204", format!("{what} `{}` is declared twice", name.text))
            .at(name.span, "a second time")
            .also(first, "the first time")
            .help("choose another name for one of them")
            .report(self.diagnostics);
    }

    /// Reports a variable that has the name of a constant; tells whether it has.
    pub(crate) fn report_shadowing(&mut self, name: Name<'a>) -> bool {
        let Some((meaning, span)) = self.meaning(name.text) else { return false };
        let text = name.text;
        Diagnostic::error("E0205", format!("the variable `{text}` has the name of a value"))
            .at(name.span, "this needs a name of its own")
            .also(span, format!("`{text}` is {}", self.word(meaning)))
            .help(format!("rename the variable, to `{text}_` say"))
            .report(self.diagnostics);
        true
    }

    /// A new variable of a scope, of no known type after a mistake in its name, which is reported.
    pub(super) fn new_variable(
        &mut self,
        name: Name<'a>,
        kind: Option<Kind>,
        role: Role,
        scope: &mut Scope<'a>,
    ) -> Var {
        let kind = if self.report_shadowing(name) { None } else { kind };
        let var = scope.variable(name.text, kind);
        scope.entries.insert(name.text, Entry { var, kind, role, span: name.span });
        var
    }

    /// A type as people write it.
    pub(crate) fn kind_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Pid => "a pid".into(),
            Kind::Int => "an integer".into(),
            Kind::Bool => "a truth value".into(),
            Kind::Enum(id) => format!("a member of `{}`", self.net.enumerations[id.index()].name),
            Kind::Object(id) => format!("an object of `{}`", self.net.fresh[id.index()].name),
        }
    }
}
