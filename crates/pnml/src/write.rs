//! Writing documents.
//!
//! Deterministic, indented, and in the order that the grammar of the standard has. Reading what was
//! written gives the document again; a document put together by hand has to keep to what reading
//! checks. Linear.

pub(crate) mod markup;

use crate::declaration::{Declaration, Declared, Named};
use crate::document::{Arc, Document, Label, Net, Page, Place, Reference, Tokens, Transition};
use crate::read::FORMAT;
use crate::sort::{Range, Shape, Sort};
use crate::term::{Operator, Term};
use markup::Markup;

/// The text of a document.
#[must_use]
pub fn write(document: &Document) -> String {
    Markup::document(FORMAT, |markup| document.nets.iter().for_each(|net| markup.net(net)))
}

impl Markup {
    fn net(&mut self, net: &Net) {
        self.element("net", &[("id", &net.id.text), ("type", net.kind.uri())], |markup| {
            markup.name(net.name.as_deref());
            markup.declarations(&net.declarations);
            net.pages.iter().for_each(|page| markup.page(page));
        });
    }

    fn page(&mut self, page: &Page) {
        self.element("page", &[("id", &page.id.text)], |markup| {
            markup.name(page.name.as_deref());
            markup.declarations(&page.declarations);
            page.places.iter().for_each(|place| markup.place(place));
            page.transitions.iter().for_each(|transition| markup.transition(transition));
            page.references.iter().for_each(|reference| markup.reference(reference));
            page.arcs.iter().for_each(|arc| markup.arc(arc));
            page.pages.iter().for_each(|page| markup.page(page));
        });
    }

    fn name(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.element("name", &[], |markup| markup.leaf("text", name));
        }
    }

    fn place(&mut self, place: &Place) {
        self.element("place", &[("id", &place.id.text)], |markup| {
            markup.name(place.name.as_deref());
            if let Some(sort) = &place.sort {
                markup.label("type", sort, Markup::sort);
            }
            markup.tokens(place.marking.as_ref(), "initialMarking", "hlinitialMarking");
        });
    }

    fn transition(&mut self, transition: &Transition) {
        self.element("transition", &[("id", &transition.id.text)], |markup| {
            markup.name(transition.name.as_deref());
            if let Some(condition) = &transition.condition {
                markup.label("condition", condition, Markup::term);
            }
        });
    }

    fn arc(&mut self, arc: &Arc) {
        let ends = [("id", &arc.id), ("source", &arc.source), ("target", &arc.target)];
        self.element("arc", &ends.map(|(name, id)| (name, &*id.text)), |markup| {
            markup.name(arc.name.as_deref());
            markup.tokens(arc.inscription.as_ref(), "inscription", "hlinscription");
        });
    }

    fn reference(&mut self, reference: &Reference) {
        let element = if reference.is_place { "referencePlace" } else { "referenceTransition" };
        let attributes = [("id", &*reference.id.text), ("ref", &*reference.target.text)];
        self.element(element, &attributes, |markup| markup.name(reference.name.as_deref()));
    }

    fn tokens(&mut self, tokens: Option<&Tokens>, number: &str, term: &str) {
        match tokens {
            None => {}
            Some(Tokens::Number { count, .. }) => {
                self.element(number, &[], |markup| markup.leaf("text", &count.to_string()));
            }
            Some(Tokens::Term(label)) => self.label(term, label, Markup::term),
        }
    }

    fn label<T>(&mut self, element: &str, label: &Label<T>, value: fn(&mut Markup, &T)) {
        self.element(element, &[], |markup| {
            if let Some(text) = &label.text {
                markup.leaf("text", text);
            }
            markup.element("structure", &[], |markup| value(markup, &label.value));
        });
    }

    fn declarations(&mut self, list: &[Declaration]) {
        if list.is_empty() {
            return;
        }
        self.element("declaration", &[], |markup| {
            markup.element("structure", &[], |markup| {
                markup.element("declarations", &[], |markup| {
                    list.iter().for_each(|declaration| markup.declaration(declaration));
                });
            });
        });
    }

    fn declaration(&mut self, declaration: &Declaration) {
        match &declaration.value {
            Declared::Sort(sort) => {
                self.named("namedsort", declaration, |markup| markup.sort(sort));
            }
            Declared::Variable(sort) => {
                self.named("variabledecl", declaration, |markup| markup.sort(sort));
            }
            Declared::Partition { sort, parts } => {
                self.named("partition", declaration, |markup| {
                    markup.sort(sort);
                    for part in parts {
                        markup.named("partitionelement", part, |markup| {
                            part.value.iter().for_each(|constant| markup.term(constant));
                        });
                    }
                });
            }
            Declared::Operator { parameters, definition } => {
                self.named("namedoperator", declaration, |markup| {
                    markup.element("parameter", &[], |markup| {
                        for one in parameters {
                            markup.named("variabledecl", one, |markup| markup.sort(&one.value));
                        }
                    });
                    markup.element("def", &[], |markup| markup.term(definition));
                });
            }
        }
    }

    fn named<T>(&mut self, element: &str, named: &Named<T>, content: impl FnOnce(&mut Markup)) {
        self.element(element, &[("id", &named.id.text), ("name", &named.name)], content);
    }

    fn sort(&mut self, sort: &Sort) {
        match &sort.shape {
            Shape::Dot => self.empty("dot", &[]),
            Shape::Bool => self.empty("bool", &[]),
            Shape::User(id) => self.empty("usersort", &[("declaration", &id.text)]),
            Shape::Range(range) => self.range(*range),
            Shape::Enumeration { cyclic, constants } => {
                let element = if *cyclic { "cyclicenumeration" } else { "finiteenumeration" };
                self.element(element, &[], |markup| {
                    for constant in constants {
                        markup.named("feconstant", constant, |_| ());
                    }
                });
            }
            Shape::Product(factors) => self.element("productsort", &[], |markup| {
                factors.iter().for_each(|factor| markup.sort(factor));
            }),
        }
    }

    fn range(&mut self, range: Range) {
        let (start, end) = (range.start.to_string(), range.end.to_string());
        self.empty("finiteintrange", &[("start", &start), ("end", &end)]);
    }

    fn term(&mut self, term: &Term) {
        let element = term.operator.element();
        match &term.operator {
            Operator::Variable(id) => self.empty(element, &[("refvariable", &id.text)]),
            Operator::Dot => self.empty(element, &[]),
            Operator::Boolean(value) => {
                let value = if *value { "true" } else { "false" };
                self.empty(element, &[("value", value)]);
            }
            Operator::Number { value, sort } => {
                let value = value.to_string();
                self.element(element, &[("value", &value)], |markup| {
                    markup.empty(sort.element(), &[]);
                });
            }
            Operator::RangeConstant { value, range } => {
                let value = value.to_string();
                self.element(element, &[("value", &value)], |markup| markup.range(*range));
            }
            Operator::All(sort) | Operator::Empty(sort) => {
                self.element(element, &[], |markup| markup.sort(sort));
            }
            Operator::User(id) => self.applied(element, &[("declaration", &id.text)], term),
            Operator::PartOf(id) => self.applied(element, &[("refpartition", &id.text)], term),
            _ => self.applied(element, &[], term),
        }
    }

    fn applied(&mut self, element: &str, attributes: &[(&str, &str)], term: &Term) {
        self.element(element, attributes, |markup| {
            for subterm in &term.subterms {
                markup.element("subterm", &[], |markup| markup.term(subterm));
            }
        });
    }
}
