//! Small nets that have everything in them once: read, looked at, written, and read again.

use std::collections::BTreeSet;

use diagnostics::position;
use pnml::{
    Declared, Document, Index, Kind, Limits, Node, Operator, Range, Shape, Sort, Term, Tokens,
    read, to_net, write,
};

const PAGES: &str = include_str!("../nets/pages.pnml");
const PREFIXED: &str = include_str!("../nets/prefixed.pnml");
const OPERATORS: &str = include_str!("../nets/operators.pnml");
const PARTITIONS: &str = include_str!("../nets/partitions.pnml");

fn document(text: &str) -> Document {
    read(text, &Limits::default())
        .unwrap_or_else(|errors| panic!("{}", errors.render("net", text, false)))
}

/// All terms of a document, also those within others.
fn terms(document: &Document) -> Vec<&Term> {
    let mut left: Vec<&Term> = Vec::new();
    for net in &document.nets {
        for page in net.all_pages() {
            let markings = page.places.iter().filter_map(|place| place.marking.as_ref());
            let inscriptions = page.arcs.iter().filter_map(|arc| arc.inscription.as_ref());
            left.extend(markings.chain(inscriptions).filter_map(|tokens| match tokens {
                Tokens::Term(label) => Some(&label.value),
                Tokens::Number { .. } => None,
            }));
            let conditions = page.transitions.iter().filter_map(|t| t.condition.as_ref());
            left.extend(conditions.map(|label| &label.value));
        }
    }
    let mut all = Vec::new();
    while let Some(term) = left.pop() {
        all.push(term);
        left.extend(&term.subterms);
    }
    all
}

#[test]
fn what_is_written_is_read_again() {
    for text in [PAGES, PREFIXED, OPERATORS, PARTITIONS] {
        let document = document(text);
        let written = write(&document);
        let again = self::document(&written);
        assert_eq!(again, document);
        assert_eq!(write(&again), written);
    }
}

#[test]
fn documents_are_written_like_this() {
    insta::assert_snapshot!("written_pages", write(&document(PAGES)));
    insta::assert_snapshot!("written_partitions", write(&document(PARTITIONS)));
}

/// The operators of symmetric nets in ISO/IEC 15909-2, by their elements, and the comparisons of numbers.
#[test]
fn every_operator_is_read() {
    let standard = "variable useroperator tuple \
        dotconstant numberconstant booleanconstant finiteintrangeconstant \
        all empty numberof add subtract scalarproduct cardinality cardinalityof contains \
        equality inequality and or not imply successor predecessor \
        lessthan lessthanorequal greaterthan greaterthanorequal lt leq gt geq \
        partitionelementof ltp gtp";
    let expected: BTreeSet<&str> = standard.split_whitespace().collect();
    let documents = [document(OPERATORS), document(PARTITIONS)];
    let found: BTreeSet<&str> =
        documents.iter().flat_map(terms).map(|term| term.operator.element()).collect();
    assert_eq!(found, expected);
    for (document, text) in documents.iter().zip([OPERATORS, PARTITIONS]) {
        for term in terms(document) {
            let tag = format!("<{}", term.operator.element());
            assert!(text[term.span.range()].starts_with(&tag), "{term:?}");
        }
    }
}

#[test]
fn names_are_what_their_references_stand_for() {
    let document = document(PAGES);
    let net = &document.nets[0];
    assert_eq!(net.kind, Kind::PlaceTransition);
    assert_eq!(net.name.as_deref(), Some("Producer & consumer: 2 < 3, \"quoted\", été"));
    let names: Vec<&str> = net.all_pages().map(|page| page.id.text.as_str()).collect();
    assert_eq!(names, ["top", "producer", "inner", "consumer", "empty"]);
    let top = &net.pages[0];
    assert_eq!(top.name.as_deref(), Some("top <level> page"));
    assert_eq!(top.places[0].name.as_deref(), Some("buffer\n   of two"));
    assert_eq!(position(PAGES, top.places[0].span.range().start), (15, 7));
    assert!(matches!(top.places[0].marking, Some(Tokens::Number { count: 2, .. })));
    let consumer = &top.pages[1];
    let count = consumer.arcs[1].inscription.clone();
    assert!(matches!(count, Some(Tokens::Number { count: u64::MAX, .. })));
}

#[test]
fn references_are_followed_to_their_end() {
    let document = document(PAGES);
    let index = Index::new(&document.nets[0]);
    for (reference, node) in
        [("buffer.c", "buffer"), ("buffer.p", "buffer"), ("produce.c", "produce"), ("idle", "idle")]
    {
        let id = match index.node(reference).expect("it is there") {
            Node::Place(place) => &place.id,
            Node::Transition(transition) => &transition.id,
            Node::Reference(other) => panic!("{} is not followed", other.id),
        };
        assert_eq!(id.text, node);
    }
    assert!(matches!(index.node("produce.c"), Some(Node::Transition(_))));
    assert!(index.node("nowhere").is_none());
}

#[test]
fn prefixes_line_ends_and_several_nets() {
    let document = document(PREFIXED);
    let ids: Vec<&str> = document.nets.iter().map(|net| net.id.text.as_str()).collect();
    assert_eq!(ids, ["first", "second"]);
    let arc = &document.nets[0].pages[0].arcs[0];
    assert_eq!((&*arc.source.text, &*arc.target.text), ("x", "t"));
    assert_eq!(&PREFIXED[arc.target.span.range()], "t");
    assert_eq!(&PREFIXED[document.nets[1].id.span.range()], "second");
}

#[test]
fn declarations_are_found_by_their_identifiers() {
    let document = document(OPERATORS);
    let index = Index::new(&document.nets[0]);
    let blue = index.operator("blue").expect("it is declared");
    assert_eq!((&*blue.declaration.name, blue.position), ("Colour", 1));
    let twice = index.operator("twice").expect("it is declared");
    assert!(matches!(twice.declaration.value, Declared::Operator { .. }));
    assert!(index.variable("p").is_none(), "a parameter is known in its operator only");
    let level = &index.sort("Level").expect("it is declared").value;
    let range = Shape::Range(Range { start: -2, end: 3 });
    assert!(matches!(level, Declared::Sort(sort) if sort.shape == range));
    let Some(sort) = index.variable("y") else { panic!("no y") };
    assert!(matches!(sort, Sort { shape: Shape::User(id), .. } if id.text == "Alias"));
    let partitions = self::document(PARTITIONS);
    let index = Index::new(&partitions.nets[0]);
    let slaves = index.operator("slaves").expect("it is declared");
    assert_eq!((&*slaves.declaration.id.text, slaves.position), ("Kind", 1));
    let Declared::Partition { parts, .. } = &slaves.declaration.value else { panic!("no parts") };
    assert_eq!(parts[1].value.len(), 2);
    let declared = partitions.nets[0].all_declarations();
    let partitions = declared.filter(|d| matches!(d.value, Declared::Partition { .. }));
    assert_eq!(partitions.count(), 2);
}

#[test]
fn documents_are_equal_wherever_they_say_it() {
    let spaced = OPERATORS.replace("><", ">\n\n<");
    assert_eq!(document(&spaced), document(OPERATORS));
    let other = OPERATORS.replace("value=\"5\"", "value=\"6\"");
    assert_ne!(document(&other), document(OPERATORS));
    let numbers = |text: &str| {
        let document = document(text);
        let list = terms(&document).into_iter().map(|term| term.operator.clone());
        list.filter(|operator| matches!(operator, Operator::Number { value: 6, .. })).count()
    };
    assert_eq!((numbers(OPERATORS), numbers(&other)), (0, 1));
}

#[test]
fn places_and_transitions_know_where_they_are_written() {
    let net = to_net(&document(PARTITIONS), PARTITIONS).expect("it is a net");
    for place in &net.places {
        let tag = &PARTITIONS[place.origin.range().expect("it was read")];
        assert!(tag.starts_with("<place") && tag.contains(&*place.name), "{tag}");
    }
    for transition in &net.transitions {
        let tag = &PARTITIONS[transition.origin.range().expect("it was read")];
        assert!(tag.starts_with("<transition") && tag.contains(&transition.name), "{tag}");
    }
}

/// Whatever its kind, and whether its places say what sort they are of.
#[test]
fn documents_put_together_by_hand_are_checked() {
    for kind in [Kind::Symmetric, Kind::PlaceTransition] {
        let mut document = document(OPERATORS);
        let net = &mut document.nets[0];
        net.kind = kind;
        net.declarations.clear();
        net.pages[0].places.iter_mut().for_each(|place| place.sort = None);
        let errors = to_net(&document, OPERATORS).expect_err("it is refused");
        assert!(errors.iter().any(|error| error.code == "P0206" || error.code == "P0207"));
    }
}
