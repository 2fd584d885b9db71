//! What holds of every picture.

use quick_xml::Reader;
use quick_xml::events::Event;
use random::{Random, for_seeds};

use super::*;
use crate::look::tests::NODES;
use crate::{EdgeLook, NodeId, NodeLook, Rank};

/// Asserts that a document is well-formed: elements nest, attributes are unlike, references stand for
/// something, and there is no character that cannot be.
fn check(document: &str) {
    let mut reader = Reader::from_str(document);
    let mut depth = 0;
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {document}")) {
            Event::Start(tag) | Event::Empty(tag) if tag.attributes().any(|one| one.is_err()) => {
                panic!("attributes of {tag:?}")
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Text(text) => assert!(depth > 0 || text.trim().is_empty(), "{text:?}"),
            Event::GeneralRef(name) => assert!(["amp", "lt", "gt"].contains(&&*name), "{name:?}"),
            Event::Empty(_) => {}
            Event::Eof => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(depth, 0, "{document}");
    assert!(!document.chars().any(|c| c.is_control() && c != '\n'), "{document}");
}

/// A drawing with every look and with nasty text.
fn random_drawing(seed: u64) -> Drawing {
    let mut random = Random::new(seed);
    let words =
        ["", "a", "<b>&\"'", "x\ny", "\u{0}\u{1b}[0m", "π.1 → (2,3)", "]]>", "  in  ", "日本"];
    let edges = [
        EdgeLook::ARC,
        EdgeLook::STAY,
        EdgeLook::READ,
        EdgeLook::INHIBITOR,
        EdgeLook::SPAWN,
        EdgeLook::STEP,
    ];
    let faces = [Face::Plain, Face::Strong, Face::Mono];
    let mut drawing = Drawing::new(words[random.below(words.len())]);
    let count = random.below(20);
    for _ in 0..count {
        let look = NODES[random.below(NODES.len())];
        let mut node = Node::new(look, faces[random.below(3)], words[random.below(words.len())])
            .and(faces[random.below(3)], words[random.below(words.len())]);
        if random.below(5) == 0 {
            node = node.initial();
        }
        if random.below(9) == 0 {
            node = node.at(Rank::Last);
        }
        drawing.node(node);
    }
    for _ in 0..2 * count {
        let look = edges[random.below(edges.len())];
        // Some ends are missing on purpose.
        let [tail, head] = [(); 2].map(|()| NodeId(random.below(count + 1)));
        drawing.edge(Edge::new(look, tail, head, words[random.below(words.len())]));
    }
    if random.below(2) == 0 {
        drawing.explain();
    }
    drawing
}

#[test]
fn pictures_are_well_formed_and_have_no_bad_numbers() {
    for_seeds(0..300, |seed, _| {
        let picture = svg(&random_drawing(seed));
        check(&picture);
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
        assert!(picture.contains("<title>"));
    });
}

#[test]
fn the_same_drawing_gives_the_same_picture() {
    for seed in 0..30 {
        assert_eq!(svg(&random_drawing(seed)), svg(&random_drawing(seed)), "seed {seed}");
    }
}

#[test]
fn every_node_edge_and_label_is_in_the_picture() {
    let mut drawing = Drawing::new("all of it");
    let state = |at: usize| Node::new(NodeLook::STATE, Face::Mono, &format!("state{at}"));
    let ids: Vec<NodeId> = (0..9).map(|at| drawing.node(state(at))).collect();
    for at in 0..27 {
        let (tail, head) = (ids[at % 9], ids[at * 5 % 9]);
        drawing.edge(Edge::new(EdgeLook::STEP, tail, head, &format!("step{at}.")));
    }
    let picture = svg(&drawing);
    for at in 0..9 {
        assert!(picture.contains(&format!(">state{at}</text>")));
    }
    for at in 0..27 {
        assert!(picture.contains(&format!(">step{at}.</text>")));
    }
    assert_eq!(picture.matches("class=\"edge step\"").count(), 27);
}

#[test]
fn an_empty_drawing_is_a_picture() {
    let picture = svg(&Drawing::default());
    check(&picture);
    assert!(picture.contains("width=\"32\" height=\"32\""));
}
