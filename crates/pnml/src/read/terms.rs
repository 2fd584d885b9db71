//! Terms.

use std::ops::RangeInclusive;

use super::{INTEGER, Reader};
use crate::term::{NumberSort, Operator, PLAIN, Term};
use crate::xml::{Element, Step};
use diagnostics::Diagnostic;

/// The multiplicities that are read: 64 bits.
const NATURAL: &str = "number from 0 to 18446744073709551615";

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

impl<'t> Reader<'t> {
    /// The term that an element stands for; none if it stands for none, which is reported.
    pub(super) fn term(&mut self, element: Element<'t>, parent: &str) -> Step<Option<Term>> {
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
            _ => return self.applied(&element, parent),
        };
        let leaf = |operator| Term { operator, subterms: Vec::new(), span: element.tag };
        Ok(constant?.map(leaf))
    }

    /// A term that may have subterms.
    fn applied(&mut self, element: &Element<'t>, parent: &str) -> Step<Option<Term>> {
        let sink = &mut self.xml.sink;
        let operator = match element.name {
            "useroperator" => Operator::User(element.id("declaration", sink)),
            "partitionelementof" => Operator::PartOf(element.id("refpartition", sink)),
            name => match PLAIN.iter().find(|(plain, ..)| *plain == name) {
                Some((_, operator, _)) => operator.clone(),
                None => return self.no_operator(element, parent).map(|()| None),
            },
        };
        let mut subterms = Vec::new();
        // If a subterm was reported, their number says nothing.
        let mut is_flawed = false;
        while let Some(child) = self.xml.child()? {
            if child.name == "subterm" {
                let subterm = self.subterm(&child)?;
                is_flawed |= subterm.is_none();
                subterms.extend(subterm);
            } else {
                is_flawed = true;
                self.xml.unexpected(&child, element.name, &["subterm"])?;
            }
        }
        let arity = operator.arity();
        if !is_flawed && !arity.contains(&subterms.len()) {
            self.xml.report(|| {
                let message = format!("`<{}>` takes {}", element.name, words(&arity));
                Diagnostic::error("P0110", message)
                    .at(element.tag, format!("found {}", subterms.len()))
            });
        }
        Ok(Some(Term { operator, subterms, span: element.tag }))
    }

    /// The one term in a `subterm`; none if there is another number of them, which is reported.
    fn subterm(&mut self, element: &Element<'t>) -> Step<Option<Term>> {
        element.allow(&[], &mut self.xml.sink);
        let (mut term, mut found, mut is_flawed) = (None, 0, false);
        while let Some(child) = self.xml.child()? {
            term = self.term(child, "subterm")?;
            found += 1;
            is_flawed |= term.is_none();
        }
        if found != 1 && !is_flawed {
            self.xml.report(|| {
                let message = format!("a subterm is one term, not {found}");
                Diagnostic::error("P0110", message).at(element.tag, "")
            });
        }
        Ok(term.filter(|_| found == 1))
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
        let value = self.number_in(element, "value", NATURAL);
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

/// How many subterms there may be.
fn words(arity: &RangeInclusive<usize>) -> &'static str {
    match (*arity.start(), *arity.end()) {
        (0, 0) => "no subterm",
        (1, 1) => "one subterm",
        (1, 2) => "two subterms, a number and a term",
        (2, 2) => "two subterms",
        (1, _) => "at least one subterm",
        _ => "any number of subterms",
    }
}
