//! Reading documents: from elements to the syntax tree.
//!
//! One pass, linear in the text. An element that has no place where it stands is reported and skipped,
//! so that all mistakes of form are found at once; what the names mean is checked afterwards
//! ([`crate::check`]), and only if the form is right. Terms and pages may be nested, at most as deep as
//! [`Limits::DEEPEST`] says, so that reading them fits the stack.

mod declarations;
mod extensions;
mod labels;
mod nets;
mod sorts;
mod terms;

use std::collections::HashMap;
use std::str::FromStr;

use crate::check;
use crate::document::Document;
use crate::limits::Limits;
use crate::xml::{Element, Format, Step, Xml};
use diagnostics::{Diagnostic, Report};

pub(crate) const FORMAT: Format =
    Format { root: "pnml", namespace: "http://www.pnml.org/version-2009/grammar/pnml" };

/// Reads a document.
///
/// All that the tree says is then known to be right: identifiers are unique among those that can be
/// mistaken for each other, references lead somewhere, terms are of the sorts that their places hold.
///
/// # Errors
///
/// Everything that is wrong with the document, the first [`Diagnostics::KEPT`](diagnostics::Diagnostics::KEPT) of it with place and way out.
pub fn read(text: &str, limits: &Limits) -> Result<Document, Report> {
    let (xml, accepted) = Xml::new(text, FORMAT, limits);
    let mut reader = Reader { xml, priorities: HashMap::new() };
    let document = accepted.and_then(|()| reader.document());
    let mut sink = reader.xml.sink;
    let mut document = document.unwrap_or_default();
    if !sink.has_errors() {
        check::check(&document, limits, &mut sink);
    }
    document.warnings = sink.finish(text).into_result()?;
    Ok(document)
}

/// The integers that are read.
const INTEGER: &str = "integer of 64 bits";

/// Reads a document; its methods are in the files of this folder, by subject.
struct Reader<'t> {
    xml: Xml<'t>,
    /// Of what tools write about the priority of transitions, the first value.
    priorities: HashMap<&'t str, String>,
}

impl<'t> Reader<'t> {
    /// What the children of an element stand for, of which there has to be one; `what` says what.
    fn only<T>(
        &mut self,
        element: &Element<'t>,
        what: &str,
        mut read: impl FnMut(&mut Self, Element<'t>) -> Step<Option<T>>,
    ) -> Step<Option<T>> {
        let mut found = None;
        let mut seen = false;
        while let Some(child) = self.xml.child()? {
            seen = true;
            let tag = child.tag;
            let value = read(self, child)?;
            if found.is_some() && value.is_some() {
                self.xml.report(|| {
                    let name = element.name;
                    let message = format!("`<{name}>` has {what}, and here is another one");
                    Diagnostic::error("P0108", message).at(tag, "").help("remove one of them")
                });
            } else {
                found = found.or(value);
            }
        }
        if !seen {
            self.xml.missing(what, element);
        }
        Ok(found)
    }

    /// What the children of an element stand for, of which there has to be at least one.
    fn several<T>(
        &mut self,
        element: &Element<'t>,
        what: &str,
        mut read: impl FnMut(&mut Self, Element<'t>) -> Step<Option<T>>,
    ) -> Step<Vec<T>> {
        let mut list = Vec::new();
        let mut seen = false;
        while let Some(child) = self.xml.child()? {
            seen = true;
            list.extend(read(self, child)?);
        }
        if !seen {
            self.xml.missing(&format!("at least one {what}"), element);
        }
        Ok(list)
    }

    /// Reads an element that has nothing in it but what tools add.
    fn nothing(&mut self, element: &Element<'t>) -> Step<()> {
        while let Some(child) = self.xml.child()? {
            self.xml.unexpected(&child, element.name, &[])?;
        }
        Ok(())
    }

    /// The value of an attribute that is a number; `what` says which numbers it can be.
    fn number_in<T: FromStr>(
        &mut self,
        element: &Element<'t>,
        name: &str,
        what: &str,
    ) -> Option<T> {
        let (value, span) = element.value(name, &mut self.xml.sink)?;
        let number = value.trim().parse().ok();
        if number.is_none() {
            self.xml.report(|| {
                Diagnostic::error("P0109", format!("`{value}` is no {what}")).at(span, "")
            });
        }
        number
    }
}
