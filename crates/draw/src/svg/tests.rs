//! What holds of every picture.

use random::Random;

use super::*;
use crate::look::tests::NODES;
use crate::{EdgeLook, NodeId, NodeLook, Rank};

/// Checks that a document is well-formed as far as we write XML: elements nest, attributes are
/// quoted and unlike, text holds nothing that must be escaped.
fn check(document: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = document;
    let entity = |text: &str| {
        text.split('&').skip(1).all(|tail| {
            ["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|name| tail.starts_with(name))
        })
    };
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        let text_allowed = !open.is_empty();
        if before.contains('>') || !entity(before) || (!text_allowed && !before.trim().is_empty()) {
            return Err(format!("bad text {before:?}"));
        }
        if before.chars().any(|c| c.is_control() && c != '\n') {
            return Err(format!("control character in {before:?}"));
        }
        let end = tag.find('>').ok_or("unclosed tag")?;
        let inside = &tag[1..end];
        rest = &tag[end + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("unexpected </{name}>"));
            }
            continue;
        }
        let (inside, empty) = inside.strip_suffix('/').map_or((inside, false), |i| (i, true));
        let (name, mut attributes) = inside.split_once(' ').unwrap_or((inside, ""));
        let mut seen = Vec::new();
        while let Some((key, tail)) = attributes.split_once("=\"") {
            let (value, tail) = tail.split_once('"').ok_or("unclosed attribute")?;
            if value.contains('<') || !entity(value) || seen.contains(&key.trim()) {
                return Err(format!("bad attribute {key}={value:?}"));
            }
            seen.push(key.trim());
            attributes = tail;
        }
        if !attributes.trim().is_empty() {
            return Err(format!("bad attributes {attributes:?}"));
        }
        if !empty {
            open.push(name);
        }
    }
    if open.is_empty() && rest.trim().is_empty() { Ok(()) } else { Err(format!("open: {open:?}")) }
}

#[test]
fn the_check_finds_faults() {
    assert!(check("<a b=\"c\"><d/>x</a>").is_ok());
    for bad in ["<a>", "<a></b>", "<a b=\"<\"/>", "<a>&x</a>", "<a b=\"1\" b=\"2\"/>", "x"] {
        assert!(check(bad).is_err(), "{bad}");
    }
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
    for seed in 0..300 {
        let picture = svg(&random_drawing(seed));
        if let Err(fault) = check(&picture) {
            panic!("seed {seed}: {fault}");
        }
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "seed {seed}");
        assert!(picture.contains("<title>"), "seed {seed}");
    }
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
    assert_eq!(check(&picture), Ok(()));
    assert!(picture.contains("width=\"32\" height=\"32\""));
}
