//! Sorts.

use super::{INTEGER, Reader};
use crate::declaration::Constant;
use crate::sort::{Range, Shape, Sort};
use crate::xml::{Element, Step};
use diagnostics::Diagnostic;

/// The elements that are sorts.
const SORTS: &[&str] = &[
    "usersort",
    "dot",
    "bool",
    "cyclicenumeration",
    "finiteenumeration",
    "finiteintrange",
    "productsort",
];

/// The elements that are sorts of high-level nets.
const FOREIGN: &[&str] = &["natural", "positive", "integer", "string", "list", "multisetsort"];

/// Products within products, at most.
const DEEPEST: usize = 16;

/// Whether an element is to be read as a sort, perhaps only to say that it is none of ours.
pub(super) fn is_sort(element: &Element<'_>) -> bool {
    SORTS.contains(&element.name) || FOREIGN.contains(&element.name)
}

impl<'t> Reader<'t> {
    /// The only sort in an element.
    pub(super) fn only_sort(&mut self, element: &Element<'t>) -> Step<Option<Sort>> {
        self.only(element, "a sort", |reader, child| reader.sort(&child, element.name))
    }

    /// The sort that an element stands for; reported and skipped if it stands for none.
    pub(super) fn sort(&mut self, element: &Element<'t>, parent: &str) -> Step<Option<Sort>> {
        self.sort_within(element, parent, 0)
    }

    fn sort_within(
        &mut self,
        element: &Element<'t>,
        parent: &str,
        depth: usize,
    ) -> Step<Option<Sort>> {
        let attributes: &[&str] = match element.name {
            "usersort" => &["declaration"],
            "finiteintrange" => &["start", "end"],
            _ => &[],
        };
        element.allow(attributes, &mut self.xml.sink);
        let shape = match element.name {
            "dot" => self.nothing(element).map(|()| Some(Shape::Dot)),
            "bool" => self.nothing(element).map(|()| Some(Shape::Bool)),
            "usersort" => {
                let id = element.id("declaration", &mut self.xml.sink);
                self.nothing(element).map(|()| Some(Shape::User(id)))
            }
            "cyclicenumeration" | "finiteenumeration" => {
                let cyclic = element.name == "cyclicenumeration";
                let constants = self.several(element, "`<feconstant>`", |reader, child| {
                    reader.enumeration_constant(&child, element.name)
                })?;
                Ok(Some(Shape::Enumeration { cyclic, constants }))
            }
            "finiteintrange" => self.range(element).map(|range| range.map(Shape::Range)),
            "productsort" => {
                let factors = self.several(element, "sort", |reader, child| {
                    reader.factor(&child, element.name, depth)
                })?;
                Ok(Some(Shape::Product(factors)))
            }
            name if FOREIGN.contains(&name) => {
                self.xml.report(|| {
                    let message = format!("`<{name}>` is no sort of symmetric nets");
                    Diagnostic::error("P0112", message)
                        .at(element.tag, "")
                        .help("the sorts are the dot, booleans, enumerations, ranges and products")
                });
                self.xml.skip().map(|()| None)
            }
            _ => self.xml.unexpected(element, parent, SORTS).map(|()| None),
        };
        Ok(shape?.map(|shape| Sort { shape, span: element.tag }))
    }

    /// A range and what is in its element: nothing.
    pub(super) fn range(&mut self, element: &Element<'t>) -> Step<Option<Range>> {
        let start = self.number_in(element, "start", INTEGER);
        let end = self.number_in(element, "end", INTEGER);
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

    fn factor(&mut self, child: &Element<'t>, parent: &str, depth: usize) -> Step<Option<Sort>> {
        if depth < DEEPEST {
            return self.sort_within(child, parent, depth + 1);
        }
        self.xml.report(|| {
            let message = format!("products are nested more than {DEEPEST} deep");
            Diagnostic::error("P0301", message).at(child.tag, "")
        });
        self.xml.skip().map(|()| None)
    }

    fn enumeration_constant(
        &mut self,
        child: &Element<'t>,
        parent: &str,
    ) -> Step<Option<Constant>> {
        if child.name != "feconstant" {
            return self.xml.unexpected(child, parent, &["feconstant"]).map(|()| None);
        }
        self.named(child, |reader| reader.nothing(child).map(Some))
    }
}
