//! Writing documents.
//!
//! Deterministic, indented, and in the order that the grammar of the standard has. Reading what was
//! written gives the document again; a document put together by hand has to keep to what reading
//! checks. Linear.

pub(crate) mod markup;

use crate::declaration::{Declaration, Variable};
use crate::document::{Arc, Document, Id, Label, Net, Page, Place, Reference, Tokens, Transition};
use crate::read::FORMAT;
use crate::sort::{Range, Shape, Sort};
use crate::term::{Operator, Term};
use markup::Markup;

/// The text of a document.
#[must_use]
pub fn write(document: &Document) -> String {
    let mut writer = Writer { markup: Markup::new() };
    writer.markup.open(FORMAT.root, &[("xmlns", FORMAT.namespace)]);
    for net in &document.nets {
        writer.net(net);
    }
    writer.markup.close();
    writer.markup.finish()
}

struct Writer {
    markup: Markup,
}

impl Writer {
    fn net(&mut self, net: &Net) {
        self.markup.open("net", &[("id", &net.id.text), ("type", net.kind.uri())]);
        self.name(net.name.as_deref());
        self.declarations(&net.declarations);
        for page in &net.pages {
            self.page(page);
        }
        self.markup.close();
    }

    fn page(&mut self, page: &Page) {
        self.markup.open("page", &[("id", &page.id.text)]);
        self.name(page.name.as_deref());
        self.declarations(&page.declarations);
        for place in &page.places {
            self.place(place);
        }
        for transition in &page.transitions {
            self.transition(transition);
        }
        for reference in &page.reference_places {
            self.reference("referencePlace", reference);
        }
        for reference in &page.reference_transitions {
            self.reference("referenceTransition", reference);
        }
        for arc in &page.arcs {
            self.arc(arc);
        }
        for page in &page.pages {
            self.page(page);
        }
        self.markup.close();
    }

    fn name(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.markup.open("name", &[]);
            self.markup.leaf("text", name);
            self.markup.close();
        }
    }

    fn place(&mut self, place: &Place) {
        self.markup.open("place", &[("id", &place.id.text)]);
        self.name(place.name.as_deref());
        if let Some(sort) = &place.sort {
            self.label("type", sort, Writer::sort);
        }
        self.tokens(place.marking.as_ref(), "initialMarking", "hlinitialMarking");
        self.markup.close();
    }

    fn transition(&mut self, transition: &Transition) {
        self.markup.open("transition", &[("id", &transition.id.text)]);
        self.name(transition.name.as_deref());
        if let Some(condition) = &transition.condition {
            self.label("condition", condition, Writer::term);
        }
        self.markup.close();
    }

    fn arc(&mut self, arc: &Arc) {
        let ends = [("id", &arc.id), ("source", &arc.source), ("target", &arc.target)];
        self.markup.open("arc", &ends.map(|(name, id)| (name, &*id.text)));
        self.name(arc.name.as_deref());
        self.tokens(arc.inscription.as_ref(), "inscription", "hlinscription");
        self.markup.close();
    }

    fn reference(&mut self, element: &'static str, reference: &Reference) {
        let attributes = [("id", &*reference.id.text), ("ref", &*reference.target.text)];
        self.markup.open(element, &attributes);
        self.name(reference.name.as_deref());
        self.markup.close();
    }

    fn tokens(&mut self, tokens: Option<&Tokens>, number: &'static str, term: &'static str) {
        match tokens {
            None => {}
            Some(Tokens::Number { count, .. }) => {
                self.markup.open(number, &[]);
                self.markup.leaf("text", &count.to_string());
                self.markup.close();
            }
            Some(Tokens::Term(label)) => self.label(term, label, Writer::term),
        }
    }

    fn label<T>(&mut self, element: &'static str, label: &Label<T>, value: fn(&mut Writer, &T)) {
        self.markup.open(element, &[]);
        if let Some(text) = &label.text {
            self.markup.leaf("text", text);
        }
        self.markup.open("structure", &[]);
        value(self, &label.value);
        self.markup.close();
        self.markup.close();
    }

    fn declarations(&mut self, list: &[Declaration]) {
        if list.is_empty() {
            return;
        }
        for element in ["declaration", "structure", "declarations"] {
            self.markup.open(element, &[]);
        }
        for declaration in list {
            self.declaration(declaration);
        }
        for _ in 0..3 {
            self.markup.close();
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Sort(named) => {
                self.markup.open("namedsort", &declared(&named.id, &named.name));
                self.sort(&named.sort);
                self.markup.close();
            }
            Declaration::Variable(variable) => self.variable(variable),
            Declaration::Partition(partition) => {
                self.markup.open("partition", &declared(&partition.id, &partition.name));
                self.sort(&partition.sort);
                for part in &partition.parts {
                    self.markup.open("partitionelement", &declared(&part.id, &part.name));
                    for constant in &part.constants {
                        self.term(constant);
                    }
                    self.markup.close();
                }
                self.markup.close();
            }
            Declaration::Operator(operator) => {
                self.markup.open("namedoperator", &declared(&operator.id, &operator.name));
                self.markup.open("parameter", &[]);
                for parameter in &operator.parameters {
                    self.variable(parameter);
                }
                self.markup.close();
                self.markup.open("def", &[]);
                self.term(&operator.definition);
                self.markup.close();
                self.markup.close();
            }
        }
    }

    fn variable(&mut self, variable: &Variable) {
        self.markup.open("variabledecl", &declared(&variable.id, &variable.name));
        self.sort(&variable.sort);
        self.markup.close();
    }

    fn sort(&mut self, sort: &Sort) {
        match &sort.shape {
            Shape::Dot => self.markup.empty("dot", &[]),
            Shape::Bool => self.markup.empty("bool", &[]),
            Shape::User(id) => self.markup.empty("usersort", &[("declaration", &id.text)]),
            Shape::Range(range) => self.range(*range),
            Shape::Enumeration { cyclic, constants } => {
                let element = if *cyclic { "cyclicenumeration" } else { "finiteenumeration" };
                self.markup.open(element, &[]);
                for constant in constants {
                    self.markup.empty("feconstant", &declared(&constant.id, &constant.name));
                }
                self.markup.close();
            }
            Shape::Product(factors) => {
                self.markup.open("productsort", &[]);
                for factor in factors {
                    self.sort(factor);
                }
                self.markup.close();
            }
        }
    }

    fn range(&mut self, range: Range) {
        let (start, end) = (range.start.to_string(), range.end.to_string());
        self.markup.empty("finiteintrange", &[("start", &start), ("end", &end)]);
    }

    fn term(&mut self, term: &Term) {
        let element = term.operator.element();
        match &term.operator {
            Operator::Variable(id) => self.markup.empty(element, &[("refvariable", &id.text)]),
            Operator::Dot => self.markup.empty(element, &[]),
            Operator::Boolean(value) => {
                let value = if *value { "true" } else { "false" };
                self.markup.empty(element, &[("value", value)]);
            }
            Operator::Number { value, sort } => {
                self.markup.open(element, &[("value", &value.to_string())]);
                self.markup.empty(sort.element(), &[]);
                self.markup.close();
            }
            Operator::RangeConstant { value, range } => {
                self.markup.open(element, &[("value", &value.to_string())]);
                self.range(*range);
                self.markup.close();
            }
            Operator::All(sort) | Operator::Empty(sort) => {
                self.markup.open(element, &[]);
                self.sort(sort);
                self.markup.close();
            }
            Operator::User(id) => self.applied(element, &[("declaration", &id.text)], term),
            Operator::PartOf(id) => self.applied(element, &[("refpartition", &id.text)], term),
            _ => self.applied(element, &[], term),
        }
    }

    fn applied(&mut self, element: &'static str, attributes: &[(&str, &str)], term: &Term) {
        if term.subterms.is_empty() {
            self.markup.empty(element, attributes);
            return;
        }
        self.markup.open(element, attributes);
        for subterm in &term.subterms {
            self.markup.open("subterm", &[]);
            self.term(subterm);
            self.markup.close();
        }
        self.markup.close();
    }
}

fn declared<'a>(id: &'a Id, name: &'a str) -> [(&'static str, &'a str); 2] {
    [("id", &id.text), ("name", name)]
}
