//! Sorts.

use super::Reader;
use crate::sort::{Constant, Range, Shape, Sort};
use crate::xml::{Element, Step};
use diagnostics::Diagnostic;

/// The elements that are sorts.
pub(super) const SORTS: &[&str] = &[
    "usersort",
    "dot",
    "bool",
    "cyclicenumeration",
    "finiteenumeration",
    "finiteintrange",
    "productsort",
];

/// Products within products, at most.
const DEEPEST: usize = 16;

impl<'t> Reader<'t> {
    /// The sort that an element stands for; reported and read over if it stands for none.
    pub(super) fn sort(&mut self, element: Element<'t>) -> Step<Option<Sort>> {
        self.sort_within(&element, 0)
    }

    fn sort_within(&mut self, element: &Element<'t>, depth: usize) -> Step<Option<Sort>> {
        let attributes: &[&str] = match element.name {
            "usersort" => &["declaration"],
            "finiteintrange" => &["start", "end"],
            _ => &[],
        };
        element.allow(attributes, &mut self.xml.sink);
        let shape = match element.name {
            "dot" => Shape::Dot,
            "bool" => Shape::Bool,
            "usersort" => Shape::User(element.id("declaration", &mut self.xml.sink)),
            "cyclicenumeration" | "finiteenumeration" => {
                let cyclic = element.name == "cyclicenumeration";
                let constants = self.constants(element)?;
                let shape = Shape::Enumeration { cyclic, constants };
                return Ok(Some(Sort { shape, span: element.tag }));
            }
            "finiteintrange" => {
                let range = self.range(element)?;
                return Ok(
                    range.map(|range| Sort { shape: Shape::Range(range), span: element.tag })
                );
            }
            "productsort" => {
                let factors = self.factors(element, depth)?;
                return Ok(Some(Sort { shape: Shape::Product(factors), span: element.tag }));
            }
            "natural" | "positive" | "integer" | "string" | "list" | "multisetsort" => {
                self.xml.report(|| {
                    let message = format!("`<{}>` is no sort of symmetric nets", element.name);
                    Diagnostic::error("P0112", message)
                        .at(element.tag, "")
                        .help("the sorts are the dot, booleans, enumerations, ranges and products")
                });
                self.xml.skip()?;
                return Ok(None);
            }
            _ => {
                self.xml.unexpected(element, "structure", SORTS)?;
                return Ok(None);
            }
        };
        self.nothing(element)?;
        Ok(Some(Sort { shape, span: element.tag }))
    }

    /// A range and what is in its element: nothing.
    pub(super) fn range(&mut self, element: &Element<'t>) -> Step<Option<Range>> {
        let start = self.integer(element, "start");
        let end = self.integer(element, "end");
        self.nothing(element)?;
        let (Some(start), Some(end)) = (start, end) else { return Ok(None) };
        if start > end {
            self.xml.report(|| {
                let message = format!("the range from {start} to {end} is empty");
                Diagnostic::error("P0302", message)
                    .at(element.tag, "")
                    .help("exchange the two ends")
            });
        }
        Ok(Some(Range { start, end }))
    }

    fn factors(&mut self, element: &Element<'t>, depth: usize) -> Step<Vec<Sort>> {
        let mut factors = Vec::new();
        let mut seen = false;
        while let Some(child) = self.xml.child()? {
            seen = true;
            if depth >= DEEPEST {
                self.xml.report(|| {
                    let message = format!("products are nested more than {DEEPEST} deep");
                    Diagnostic::error("P0301", message).at(child.tag, "")
                });
                self.xml.skip()?;
            } else if SORTS.contains(&child.name) {
                factors.extend(self.sort_within(&child, depth + 1)?);
            } else {
                self.xml.unexpected(&child, element.name, SORTS)?;
            }
        }
        if !seen {
            self.missing("at least one sort", element.name, element.tag);
        }
        Ok(factors)
    }

    fn constants(&mut self, element: &Element<'t>) -> Step<Vec<Constant>> {
        let mut constants = Vec::new();
        let mut seen = false;
        while let Some(child) = self.xml.child()? {
            seen = true;
            if child.name != "feconstant" {
                self.xml.unexpected(&child, element.name, &["feconstant"])?;
                continue;
            }
            let (id, name) = self.declared(&child)?;
            self.nothing(&child)?;
            constants.push(Constant { id, name, span: child.tag });
        }
        if !seen {
            self.missing("at least one `<feconstant>`", element.name, element.tag);
        }
        Ok(constants)
    }
}
