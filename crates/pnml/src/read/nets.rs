//! Nets, pages, places, transitions and arcs.

use super::Reader;
use crate::document::{
    Arc, Document, Id, Kind, Label, Net, Page, Place, Reference, Tokens, Transition,
};
use crate::term::Term;
use crate::xml::{Element, Step};
use diagnostics::Diagnostic;

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
        while let Some(child) = self.xml.child()? {
            match child.name {
                "net" => document.nets.push(self.net(&child)?),
                "toolspecific" => self.xml.skip()?,
                _ => self.xml.ignore(&child, "pnml", &["net"])?,
            }
        }
        self.xml.finish()?;
        if document.nets.is_empty() {
            self.xml.missing("a `<net>`", &root);
        }
        Ok(document)
    }

    fn net(&mut self, element: &Element<'t>) -> Step<Net> {
        element.allow(&["id", "type"], &mut self.xml.sink);
        let kind = self.kind(element);
        // What may be in a net may be in a page; what may not is put into a page of its own.
        let mut outside = self.page(element, kind)?;
        let (id, name) = (std::mem::take(&mut outside.id), outside.name.take());
        let declarations = std::mem::take(&mut outside.declarations);
        let mut pages = std::mem::take(&mut outside.pages);
        if outside != Page::default() {
            outside.id = Id { text: "page".into(), span: element.tag };
            pages.push(outside);
        }
        if pages.is_empty() {
            self.xml.missing("a `<page>`", element);
        }
        Ok(Net { id, kind, name, declarations, pages, span: element.tag })
    }

    /// Whether a label is of nets of this kind; otherwise it is reported and skipped.
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

    /// A page with the pages in it. A net is read as a page, too.
    fn page(&mut self, element: &Element<'t>, kind: Kind) -> Step<Page> {
        let id = element.id("id", &mut self.xml.sink);
        let mut page = Page { id, span: element.tag, ..Page::default() };
        while let Some(child) = self.xml.child()? {
            if child.name == "page" {
                child.allow(&["id"], &mut self.xml.sink);
                page.pages.push(self.page(&child, kind)?);
            } else {
                self.in_page(&child, element.name, kind, &mut page)?;
            }
        }
        Ok(page)
    }

    /// Reads what may be in a page besides pages. Those nest, so the stack is not for this.
    fn in_page(
        &mut self,
        child: &Element<'t>,
        parent: &str,
        kind: Kind,
        page: &mut Page,
    ) -> Step<()> {
        match child.name {
            "name" => {
                let name = self.name(child)?;
                self.xml.once(&mut page.name, name, child);
            }
            "declaration" if self.is_of(Kind::Symmetric, kind, child)? => {
                self.declaration(child, &mut page.declarations)?;
            }
            "declaration" => {}
            "graphics" | "toolspecific" => self.xml.skip()?,
            _ if self.node(child, kind, page)? => {
                if parent == "net" {
                    let message = "nodes and arcs stand outside of a `<page>`";
                    self.understood("nodes", || (message.into(), child.tag));
                }
            }
            _ => self.xml.ignore(child, parent, IN_PAGE)?,
        }
        Ok(())
    }

    /// Reads a node or an arc into a page, if the element is one.
    fn node(&mut self, child: &Element<'t>, kind: Kind, page: &mut Page) -> Step<bool> {
        match child.name {
            "place" => page.places.push(self.place(child, kind)?),
            "transition" => page.transitions.push(self.transition(child, kind)?),
            "arc" => page.arcs.push(self.arc(child, kind)?),
            "referencePlace" | "referenceTransition" => {
                page.references.push(self.reference(child)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads the labels of a node or an arc: those that are `own` by a function, the name, which is
    /// returned, and what is not in the standard.
    fn labels(
        &mut self,
        element: &Element<'t>,
        own: &[&str],
        mut read: impl FnMut(&mut Self, &Element<'t>) -> Step<()>,
    ) -> Step<Option<String>> {
        let mut name = None;
        while let Some(label) = self.xml.child()? {
            match label.name {
                "name" => {
                    let text = self.name(&label)?;
                    self.xml.once(&mut name, text, &label);
                }
                "graphics" | "toolspecific" => self.xml.skip()?,
                known if own.contains(&known) => read(self, &label)?,
                _ => {
                    let expected = [&["name"], own, &["graphics", "toolspecific"]].concat();
                    self.extension(&label, element.name, &expected)?;
                }
            }
        }
        Ok(name)
    }

    /// A label of symmetric nets that is a term.
    fn term_label(&mut self, label: &Element<'t>, kind: Kind) -> Step<Option<Label<Term>>> {
        match self.is_of(Kind::Symmetric, kind, label)? {
            true => self.label(label, "a term", |reader, child| reader.term(child, "structure")),
            false => Ok(None),
        }
    }

    /// Reads the tokens of a place or an arc; in a P/T net there are at least `least`.
    fn tokens(
        &mut self,
        label: &Element<'t>,
        kind: Kind,
        least: u64,
        slot: &mut Option<Tokens>,
    ) -> Step<()> {
        let tokens = if label.name.starts_with("hl") {
            self.term_label(label, kind)?.map(Tokens::Term)
        } else if self.is_of(Kind::PlaceTransition, kind, label)? {
            self.number(label, least)?
        } else {
            None
        };
        self.xml.once(slot, tokens, label);
        Ok(())
    }

    fn place(&mut self, element: &Element<'t>, kind: Kind) -> Step<Place> {
        self.attributes(element, &["id", "initialMarking"]);
        let id = element.id("id", &mut self.xml.sink);
        // A symmetric net has the marking in full.
        let marking = self.tokens_in(element, "initialMarking");
        let mut marking = marking.filter(|_| kind == Kind::PlaceTransition);
        let mut sort = None;
        let mut has_type = false;
        let own = ["type", "initialMarking", "hlinitialMarking"];
        let name = self.labels(element, &own, |reader, label| {
            if label.name != "type" {
                return reader.tokens(label, kind, 0, &mut marking);
            }
            has_type = true;
            if reader.is_of(Kind::Symmetric, kind, label)? {
                let content = |reader: &mut Self, child| reader.sort(&child, "structure");
                let found = reader.label(label, "a sort", content)?;
                reader.xml.once(&mut sort, found, label);
            }
            Ok(())
        })?;
        if kind == Kind::Symmetric && !has_type {
            self.xml.report(|| {
                let message = format!("the place `{id}` has no type");
                Diagnostic::error("P0107", message).at(element.tag, "").help(
                    "say with `<type><structure>…</structure></type>` of what sort its tokens are",
                )
            });
        }
        Ok(Place { id, name, sort, marking, span: element.tag })
    }

    fn transition(&mut self, element: &Element<'t>, kind: Kind) -> Step<Transition> {
        self.attributes(element, &["id"]);
        let id = element.id("id", &mut self.xml.sink);
        let mut condition = None;
        let name = self.labels(element, &["condition"], |reader, label| {
            let term = reader.term_label(label, kind)?;
            reader.xml.once(&mut condition, term, label);
            Ok(())
        })?;
        Ok(Transition { id, name, condition, span: element.tag })
    }

    fn arc(&mut self, element: &Element<'t>, kind: Kind) -> Step<Arc> {
        self.attributes(element, &["id", "source", "target", "weight"]);
        let [id, source, target]: [Id; 3] =
            ["id", "source", "target"].map(|name| element.id(name, &mut self.xml.sink));
        let weight = self.tokens_in(element, "weight");
        let mut inscription = weight.filter(|_| kind == Kind::PlaceTransition);
        let name = self.labels(element, &["inscription", "hlinscription"], |reader, label| {
            reader.tokens(label, kind, 1, &mut inscription)
        })?;
        Ok(Arc { id, name, source, target, inscription, span: element.tag })
    }

    fn reference(&mut self, element: &Element<'t>) -> Step<Reference> {
        element.allow(&["id", "ref"], &mut self.xml.sink);
        let id = element.id("id", &mut self.xml.sink);
        let target = element.id("ref", &mut self.xml.sink);
        let name = self.labels(element, &[], |_, _| Ok(()))?;
        let is_place = element.name == "referencePlace";
        Ok(Reference { id, name, is_place, target, span: element.tag })
    }
}
