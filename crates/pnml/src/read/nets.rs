//! Nets, pages, places, transitions and arcs.

use super::Reader;
use crate::document::{Arc, Document, Id, Kind, Net, Page, Place, Reference, Tokens, Transition};
use crate::xml::{Element, Step};
use diagnostics::Diagnostic;

const IN_NET: &[&str] = &["name", "declaration", "page", "graphics", "toolspecific"];
pub(super) const NODES: &[&str] =
    &["place", "transition", "arc", "referencePlace", "referenceTransition"];
const IN_PAGE: &[&str] = &[
    "name",
    "declaration",
    "place",
    "transition",
    "arc",
    "referencePlace",
    "referenceTransition",
    "page",
    "graphics",
    "toolspecific",
];

impl<'t> Reader<'t> {
    pub(super) fn document(&mut self) -> Step<Document> {
        let root = self.xml.root()?;
        root.allow(&["version"], &mut self.xml.sink);
        let mut document = Document::default();
        let mut seen = false;
        while let Some(child) = self.xml.child()? {
            match child.name {
                "net" => {
                    seen = true;
                    document.nets.push(self.net(&child)?);
                }
                "toolspecific" => self.xml.skip()?,
                _ => self.xml.ignore(&child, "pnml", &["net"])?,
            }
        }
        self.xml.finish()?;
        if !seen {
            self.missing("a `<net>`", "pnml", root.tag);
        }
        Ok(document)
    }

    fn net(&mut self, element: &Element<'t>) -> Step<Net> {
        element.allow(&["id", "type"], &mut self.xml.sink);
        let id = element.id("id", &mut self.xml.sink);
        let kind = self.kind(element);
        let (name, declarations, pages) = (None, Vec::new(), Vec::new());
        let mut net = Net { id, kind, name, declarations, pages, span: element.tag };
        let mut outside = None;
        while let Some(child) = self.xml.child()? {
            match child.name {
                "name" => {
                    let name = self.name(&child)?;
                    self.once(&mut net.name, name, &child);
                }
                "declaration" if self.is_of(Kind::Symmetric, kind, &child)? => {
                    self.declaration(&child, &mut net.declarations)?;
                }
                "declaration" => {}
                "page" => {
                    let page = self.page(&child, kind)?;
                    net.pages.push(page);
                }
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ if self.outside_of_pages(&child, kind, &mut outside)? => {}
                _ => self.xml.ignore(&child, "net", IN_NET)?,
            }
        }
        net.pages.extend(outside);
        if net.pages.is_empty() {
            self.missing("a `<page>`", "net", element.tag);
        }
        Ok(net)
    }

    /// Whether a label is of nets of this kind; otherwise it is reported and read over.
    fn is_of(&mut self, kind: Kind, actual: Kind, label: &Element<'t>) -> Step<bool> {
        if kind == actual {
            return Ok(true);
        }
        self.xml.report(|| {
            let message = format!("`<{}>` is no label of a {}", label.name, actual.name());
            Diagnostic::error("P0111", message)
                .at(label.tag, "")
                .help(format!("it belongs to a {}: is the type of the net right?", kind.name()))
        });
        self.xml.skip()?;
        Ok(false)
    }

    /// A page with the pages in it.
    fn page(&mut self, element: &Element<'t>, kind: Kind) -> Step<Page> {
        let mut outer = Vec::new();
        let mut page = self.new_page(element);
        loop {
            let Some(child) = self.xml.child()? else {
                let Some(mut parent) = outer.pop() else { return Ok(page) };
                std::mem::swap(&mut page, &mut parent);
                page.pages.push(parent);
                continue;
            };
            match child.name {
                "name" => {
                    let name = self.name(&child)?;
                    self.once(&mut page.name, name, &child);
                }
                "declaration" if self.is_of(Kind::Symmetric, kind, &child)? => {
                    self.declaration(&child, &mut page.declarations)?;
                }
                "declaration" => {}
                "page" => {
                    let inner = self.new_page(&child);
                    outer.push(std::mem::replace(&mut page, inner));
                }
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ if self.node(&child, kind, &mut page)? => {}
                _ => self.xml.ignore(&child, "page", IN_PAGE)?,
            }
        }
    }

    /// Reads a node or an arc into a page, if the element is one.
    pub(super) fn node(&mut self, child: &Element<'t>, kind: Kind, page: &mut Page) -> Step<bool> {
        match child.name {
            "place" => page.places.push(self.place(child, kind)?),
            "transition" => page.transitions.push(self.transition(child, kind)?),
            "arc" => page.arcs.push(self.arc(child, kind)?),
            "referencePlace" => page.reference_places.push(self.reference(child)?),
            "referenceTransition" => page.reference_transitions.push(self.reference(child)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn new_page(&mut self, element: &Element<'t>) -> Page {
        element.allow(&["id"], &mut self.xml.sink);
        let id = element.id("id", &mut self.xml.sink);
        Page { id, span: element.tag, ..Page::default() }
    }

    fn place(&mut self, element: &Element<'t>, kind: Kind) -> Step<Place> {
        self.attributes(element, &["id", "initialMarking"]);
        let id = element.id("id", &mut self.xml.sink);
        let (name, sort) = (None, None);
        // A symmetric net has the marking in full.
        let marking = self.tokens_in(element, "initialMarking");
        let marking = marking.filter(|_| kind == Kind::PlaceTransition);
        let mut place = Place { id, name, sort, marking, span: element.tag };
        let expected: &[&str] = match kind {
            Kind::PlaceTransition => &["name", "initialMarking", "graphics", "toolspecific"],
            Kind::Symmetric => &["name", "type", "hlinitialMarking", "graphics", "toolspecific"],
        };
        let mut has_type = false;
        while let Some(child) = self.xml.child()? {
            has_type |= child.name == "type";
            match child.name {
                "name" => {
                    let name = self.name(&child)?;
                    self.once(&mut place.name, name, &child);
                }
                "type" if self.is_of(Kind::Symmetric, kind, &child)? => {
                    let sort = self.label(&child, "a sort", Reader::sort)?;
                    self.once(&mut place.sort, sort, &child);
                }
                "hlinitialMarking" if self.is_of(Kind::Symmetric, kind, &child)? => {
                    let term = self.label(&child, "a term", Reader::term)?;
                    self.once(&mut place.marking, term.map(Tokens::Term), &child);
                }
                "initialMarking" if self.is_of(Kind::PlaceTransition, kind, &child)? => {
                    let tokens = self.number(&child, 0)?;
                    self.once(&mut place.marking, tokens, &child);
                }
                "type" | "hlinitialMarking" | "initialMarking" => {}
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ => self.extension(&child, "place", expected)?,
            }
        }
        if kind == Kind::Symmetric && !has_type {
            self.xml.report(|| {
                let message = format!("the place `{}` has no type", place.id);
                Diagnostic::error("P0107", message).at(element.tag, "").help(
                    "say with `<type><structure>…</structure></type>` of what sort its tokens are",
                )
            });
        }
        Ok(place)
    }

    fn transition(&mut self, element: &Element<'t>, kind: Kind) -> Step<Transition> {
        self.attributes(element, &["id"]);
        let id = element.id("id", &mut self.xml.sink);
        let mut transition = Transition { id, name: None, condition: None, span: element.tag };
        while let Some(child) = self.xml.child()? {
            match child.name {
                "name" => {
                    let name = self.name(&child)?;
                    self.once(&mut transition.name, name, &child);
                }
                "condition" if self.is_of(Kind::Symmetric, kind, &child)? => {
                    let term = self.label(&child, "a term", Reader::term)?;
                    self.once(&mut transition.condition, term, &child);
                }
                "condition" => {}
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ => {
                    let expected = ["name", "condition", "graphics", "toolspecific"];
                    self.extension(&child, "transition", &expected)?;
                }
            }
        }
        Ok(transition)
    }

    fn arc(&mut self, element: &Element<'t>, kind: Kind) -> Step<Arc> {
        self.attributes(element, &["id", "source", "target", "weight"]);
        let [id, source, target]: [Id; 3] =
            ["id", "source", "target"].map(|name| element.id(name, &mut self.xml.sink));
        let weight = self.tokens_in(element, "weight");
        let inscription = weight.filter(|_| kind == Kind::PlaceTransition);
        let name = None;
        let mut arc = Arc { id, name, source, target, inscription, span: element.tag };
        while let Some(child) = self.xml.child()? {
            match child.name {
                "name" => {
                    let name = self.name(&child)?;
                    self.once(&mut arc.name, name, &child);
                }
                "hlinscription" if self.is_of(Kind::Symmetric, kind, &child)? => {
                    let term = self.label(&child, "a term", Reader::term)?;
                    self.once(&mut arc.inscription, term.map(Tokens::Term), &child);
                }
                "inscription" if self.is_of(Kind::PlaceTransition, kind, &child)? => {
                    let tokens = self.number(&child, 1)?;
                    self.once(&mut arc.inscription, tokens, &child);
                }
                "hlinscription" | "inscription" => {}
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ => {
                    let label = match kind {
                        Kind::PlaceTransition => "inscription",
                        Kind::Symmetric => "hlinscription",
                    };
                    let expected = ["name", label, "graphics", "toolspecific"];
                    self.extension(&child, "arc", &expected)?;
                }
            }
        }
        Ok(arc)
    }

    fn reference(&mut self, element: &Element<'t>) -> Step<Reference> {
        element.allow(&["id", "ref"], &mut self.xml.sink);
        let id = element.id("id", &mut self.xml.sink);
        let target = element.id("ref", &mut self.xml.sink);
        let mut reference = Reference { id, name: None, target, span: element.tag };
        while let Some(child) = self.xml.child()? {
            match child.name {
                "name" => {
                    let name = self.name(&child)?;
                    self.once(&mut reference.name, name, &child);
                }
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ => {
                    let expected = ["name", "graphics", "toolspecific"];
                    self.xml.ignore(&child, element.name, &expected)?;
                }
            }
        }
        Ok(reference)
    }
}
