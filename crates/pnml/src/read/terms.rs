//! Terms, with a stack of the operators that are open.

use super::{INTEGER, Reader};
use crate::term::{NumberSort, Operator, PLAIN, Term};
use crate::xml::{Element, Step};
use diagnostics::{Diagnostic, Span};

/// Operators of high-level nets on numbers, strings and lists, which symmetric nets have not.
const FOREIGN: &[&str] = &[
    "addition",
    "subtraction",
    "mult",
    "div",
    "mod",
    "stringconstant",
    "stringconcatenation",
    "stringappend",
    "stringlength",
    "substring",
    "lts",
    "leqs",
    "gts",
    "geqs",
    "emptylist",
    "listlength",
    "listconcatenation",
    "sublist",
    "memberatindex",
    "makelist",
    "listappend",
    "unparsed",
];

/// An operator whose subterms are being read.
struct Open<'t> {
    element: Element<'t>,
    operator: Operator,
    subterms: Vec<Term>,
    subterm: Option<Subterm>,
    /// Whether a subterm was reported, so that their number says nothing.
    flawed: bool,
}

/// A subterm that is being read.
#[derive(Clone, Copy)]
struct Subterm {
    tag: Span,
    /// How many there were before it.
    before: usize,
    /// Whether something in it was reported.
    flawed: bool,
}

/// What an element of a term turns out to be.
enum Start<'t> {
    Leaf(Term),
    Open(Open<'t>),
    /// Reported and skipped.
    Nothing,
}

impl<'t> Reader<'t> {
    /// The term that an element stands for; none if it stands for none, which is reported.
    pub(super) fn term(&mut self, element: Element<'t>, parent: &str) -> Step<Option<Term>> {
        let mut stack = match self.start(element, parent)? {
            Start::Leaf(term) => return Ok(Some(term)),
            Start::Nothing => return Ok(None),
            Start::Open(open) => vec![open],
        };
        while let Some(top) = stack.last_mut() {
            match (self.xml.child()?, top.subterm) {
                (Some(child), Some(subterm)) => match self.start(child, "subterm")? {
                    Start::Leaf(term) => top.subterms.push(term),
                    Start::Open(open) => stack.push(open),
                    Start::Nothing => {
                        top.flawed = true;
                        top.subterm = Some(Subterm { flawed: true, ..subterm });
                    }
                },
                (Some(child), None) if child.name == "subterm" => {
                    child.allow(&[], &mut self.xml.sink);
                    let before = top.subterms.len();
                    top.subterm = Some(Subterm { tag: child.tag, before, flawed: false });
                }
                (Some(child), None) => {
                    top.flawed = true;
                    self.xml.unexpected(&child, top.element.name, &["subterm"])?;
                }
                (None, Some(Subterm { tag, before, flawed })) => {
                    top.subterm = None;
                    let found = top.subterms.len() - before;
                    if found != 1 && !flawed {
                        top.flawed = true;
                        self.xml.report(|| {
                            Diagnostic::error(
                                "P0110",
                                format!("a subterm is one term, not {found}"),
                            )
                            .at(tag, "")
                        });
                    }
                }
                (None, None) => {
                    let open = stack.pop().expect("the top is there");
                    let term = self.close(open);
                    match stack.last_mut() {
                        Some(outer) => outer.subterms.push(term),
                        None => return Ok(Some(term)),
                    }
                }
            }
        }
        Ok(None)
    }

    fn close(&mut self, open: Open<'t>) -> Term {
        let Open { element, operator, subterms, flawed, .. } = open;
        let arity = operator.arity();
        if !flawed && !arity.allows(subterms.len()) {
            self.xml.report(|| {
                let message = format!("`<{}>` takes {}", element.name, arity.words());
                Diagnostic::error("P0110", message)
                    .at(element.tag, format!("found {}", subterms.len()))
            });
        }
        Term { operator, subterms, span: element.tag }
    }

    /// Begins a term. One without subterms is read to its end.
    fn start(&mut self, element: Element<'t>, parent: &str) -> Step<Start<'t>> {
        let sink = &mut self.xml.sink;
        let attributes: &[&str] = match element.name {
            "variable" => &["refvariable"],
            "useroperator" => &["declaration"],
            "partitionelementof" => &["refpartition"],
            "numberconstant" | "booleanconstant" | "finiteintrangeconstant" => &["value"],
            _ => &[],
        };
        element.allow(attributes, sink);
        let constant = match element.name {
            "variable" => {
                let id = element.id("refvariable", sink);
                self.nothing(&element).map(|()| Some(Operator::Variable(id)))
            }
            "dotconstant" => self.nothing(&element).map(|()| Some(Operator::Dot)),
            "booleanconstant" => {
                let value = self.boolean(&element);
                self.nothing(&element).map(|()| value.map(Operator::Boolean))
            }
            "numberconstant" => self.number_constant(&element),
            "finiteintrangeconstant" => self.range_constant(&element),
            "all" => self.only_sort(&element).map(|sort| sort.map(Operator::All)),
            "empty" => self.only_sort(&element).map(|sort| sort.map(Operator::Empty)),
            _ => return self.open(element, parent),
        };
        let leaf = |operator| Term { operator, subterms: Vec::new(), span: element.tag };
        Ok(constant?.map_or(Start::Nothing, |operator| Start::Leaf(leaf(operator))))
    }

    /// Begins a term that may have subterms.
    fn open(&mut self, element: Element<'t>, parent: &str) -> Step<Start<'t>> {
        let sink = &mut self.xml.sink;
        let operator = match element.name {
            "useroperator" => Operator::User(element.id("declaration", sink)),
            "partitionelementof" => Operator::PartOf(element.id("refpartition", sink)),
            name => match PLAIN.iter().find(|(plain, ..)| *plain == name) {
                Some((_, operator, _)) => operator.clone(),
                None => {
                    self.no_operator(&element, parent)?;
                    return Ok(Start::Nothing);
                }
            },
        };
        let (subterms, subterm, flawed) = (Vec::new(), None, false);
        Ok(Start::Open(Open { element, operator, subterms, subterm, flawed }))
    }

    fn no_operator(&mut self, element: &Element<'t>, parent: &str) -> Step<()> {
        if FOREIGN.contains(&element.name) {
            self.xml.report(|| {
                let message = format!("`<{}>` is no operator of symmetric nets", element.name);
                Diagnostic::error("P0112", message)
                    .at(element.tag, "")
                    .help("numbers, strings and lists are of high-level nets, which are not read")
            });
            return self.xml.skip();
        }
        let special = ["variable", "useroperator", "dotconstant", "all", "numberconstant"];
        let plain = PLAIN.iter().map(|(name, ..)| *name);
        let known: Vec<&str> = special.into_iter().chain(plain).collect();
        self.xml.unexpected(element, parent, &known)
    }

    fn boolean(&mut self, element: &Element<'t>) -> Option<bool> {
        let (value, span) = element.value("value", &mut self.xml.sink)?;
        match value.trim() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            other => {
                self.xml.report(|| {
                    Diagnostic::error("P0109", format!("`{other}` is neither `true` nor `false`"))
                        .at(span, "")
                });
                None
            }
        }
    }

    fn number_constant(&mut self, element: &Element<'t>) -> Step<Option<Operator>> {
        let natural = format!("number from 0 to {}", u64::MAX);
        let value = self.number_in(element, "value", &natural);
        let what = "`<positive/>` or `<natural/>`";
        let sort = self.only(element, what, |reader, child| {
            let kinds = [NumberSort::Positive, NumberSort::Natural, NumberSort::Integer];
            let kind = kinds.into_iter().find(|kind| kind.element() == child.name);
            if kind.is_none() {
                let expected = kinds.map(NumberSort::element);
                return reader.xml.unexpected(&child, element.name, &expected).map(|()| None);
            }
            child.allow(&[], &mut reader.xml.sink);
            reader.nothing(&child).map(|()| kind)
        })?;
        Ok(value.zip(sort).map(|(value, sort)| Operator::Number { value, sort }))
    }

    fn range_constant(&mut self, element: &Element<'t>) -> Step<Option<Operator>> {
        let value = self.number_in(element, "value", INTEGER);
        let range = self.only(element, "its `<finiteintrange>`", |reader, child| {
            if child.name != "finiteintrange" {
                let expected = ["finiteintrange"];
                return reader.xml.unexpected(&child, element.name, &expected).map(|()| None);
            }
            child.allow(&["start", "end"], &mut reader.xml.sink);
            reader.range(&child)
        })?;
        let Some((value, range)) = value.zip(range) else { return Ok(None) };
        if !range.contains(value) {
            self.xml.report(|| {
                let message = format!("{value} is not between {} and {}", range.start, range.end);
                Diagnostic::error("P0302", message).at(element.tag, "")
            });
        }
        Ok(Some(Operator::RangeConstant { value, range }))
    }
}
