use std::collections::BTreeSet;

use canon::Canoniser;

use super::*;
use crate::canonical;

fn state(text: &str) -> State {
    State::from_json(text).unwrap()
}

fn graph(text: &str, relations: &str) -> Layers {
    Layers::new(&state(text), relations.parse().unwrap())
}

/// The arcs that show a relation or the way to a next pid, by the names of the pids.
fn between_pids(graph: &Layers) -> BTreeSet<String> {
    let name = |at: usize| match &graph.vertices()[at] {
        Vertex::Pid { pid, .. } => pid.to_string(),
        Vertex::Next { creator, number } => format!("{creator}.{number}!"),
        other => panic!("{other:?} is no pid"),
    };
    let word = |label| match label {
        ArcLabel::Related(relation) => Some(relation.name()),
        ArcLabel::Next => Some("next"),
        _ => None,
    };
    let arcs = graph.arcs().iter();
    let arcs = arcs.filter_map(|arc| Some((arc, word(arc.label)?)));
    arcs.map(|(arc, word)| format!("{} {word} {}", name(arc.source), name(arc.target))).collect()
}

#[test]
fn the_session_of_the_2009_paper() {
    // State s3 of its figure 2: a server, its handler and the handler's function call.
    let text = r#"{"tokens":{"S":[["1"],["2"]],"H":[["1.1",2009,7]],"F":[["1.1.1",2009]]},
        "eta":{"1":1,"2":0,"1.1":1,"1.1.1":0}}"#;
    let graph = graph(text, "parent");
    let layers = [0, 1, 2].map(|l| graph.vertices().iter().filter(|v| v.layer() == l).count());
    assert_eq!(layers, [3, 4, 8]);
    let expected = [
        "1 parent 1.1",
        "1.1 parent 1.1.1",
        "1 next 1.2!",
        "2 next 2.1!",
        "1.1 next 1.1.2!",
        "1.1.1 next 1.1.1.1!",
    ];
    assert_eq!(between_pids(&graph), expected.map(str::to_owned).into());
}

#[test]
fn relations_hold_exactly_where_the_digits_say() {
    let text = r#"{"tokens":{"p":[["1"],["1.1.1"],["1.3"],["1.4"],["3"]]},"eta":{"1":4,"1.3":0}}"#;
    for relations in Relations::every() {
        let graph = Layers::new(&state(text), relations);
        let pids: Vec<Pid> = ["1", "1.1.1", "1.3", "1.4", "3", "1.5", "1.3.1"]
            .map(|pid| pid.parse().unwrap())
            .into();
        let next = 5;
        let mut expected = BTreeSet::from(["1 next 1.5!".to_owned(), "1.3 next 1.3.1!".to_owned()]);
        let name = |at: usize| format!("{}{}", pids[at], if at < next { "" } else { "!" });
        for relation in relations.iter() {
            let siblings = matches!(relation, Relation::NextSibling | Relation::ElderSibling);
            let most = if siblings { pids.len() } else { next };
            for (a, b) in (0..most).flat_map(|a| (0..most).map(move |b| (a, b))) {
                if relation.holds(&pids[a], &pids[b]) {
                    expected.insert(format!("{} {relation} {}", name(a), name(b)));
                }
            }
        }
        assert_eq!(between_pids(&graph), expected, "{relations}");
    }
}

#[test]
fn positions_and_relations_are_arcs_of_their_own() {
    let text = r#"{"tokens":{"p":[["1","1"],["1","1"]],"q":[["1.1"]]},"eta":{}}"#;
    let graph = graph(text, "parent,ancestor");
    let bundles: Vec<usize> = graph.bundles().map(<[Arc]>::len).filter(|&n| n > 1).collect();
    assert_eq!(bundles, [2, 2], "two positions, and parent with ancestor");
    let counts: Vec<u32> = (graph.vertices().iter())
        .filter_map(|v| if let Vertex::Token { count, .. } = v { Some(*count) } else { None })
        .collect();
    assert_eq!(counts, [2, 1], "copies are one vertex");
}

#[test]
fn a_thread_without_numbers_left_has_a_next_pid() {
    let text = r#"{"tokens":{"p":[["1"],["1.4294967295"]]},"eta":{"1":4294967295}}"#;
    let graph = graph(text, "next_sibling");
    assert!(between_pids(&graph).contains("1.4294967295 next_sibling 1.4294967296!"));
}

fn reason(first: &str, second: &str, relations: &str) -> String {
    difference(&graph(first, relations), &graph(second, relations)).unwrap()
}

#[test]
fn differences_are_in_words() {
    let base = r#"{"tokens":{"p":[["1",3],["1.1",4]]},"eta":{"1":1}}"#;
    let differs = |other: &str, relations: &str| reason(base, other, relations);
    assert_eq!(
        differs(r#"{"tokens":{"p":[["1",3],["1.1",4]]},"eta":{"1":1,"1.1":0}}"#, ""),
        "1 active pid in the first, 2 in the second"
    );
    assert_eq!(
        differs(r#"{"tokens":{"p":[["1",3],["1",4]]},"eta":{"1":1}}"#, ""),
        "2 pids in the first, 1 in the second"
    );
    assert_eq!(
        differs(r#"{"tokens":{"p":[["1",3],["1.1",4],[]]},"eta":{"1":1}}"#, ""),
        "place p: 2 tokens in the first, 3 in the second"
    );
    assert_eq!(
        differs(r#"{"tokens":{"p":[["1",3],["1.1",5]]},"eta":{"1":1}}"#, ""),
        "data: p(ε, 4), pids not looked at: 1 token in the first, 0 in the second"
    );
    assert_eq!(
        differs(r#"{"tokens":{"p":[["1",3],["2",4]]},"eta":{"1":1}}"#, "parent"),
        "parent: 1 related pair in the first, 0 in the second"
    );
    assert_eq!(
        differs(r#"{"tokens":{"p":[["1",3],["1.1",4]]},"eta":{"1":2}}"#, "next_sibling"),
        "next_sibling of next pids: 1 related pair in the first, 0 in the second"
    );
    assert_eq!(
        differs(r#"{"tokens":{"p":[["1",4],["1.1",3]]},"eta":{"1":1}}"#, ""),
        "profile of pid 1 of the first (active pid, at position 0 of p(ε, 3)): \
         once in the first, 0 times in the second"
    );
}

#[test]
fn surroundings_are_seen_farther_than_profiles() {
    // Chains of pairs that differ only in which end is linked to which marked one.
    let first = r#"{"tokens":{"a":[["1"]],"b":[["2"]],"l":[["1","3"],["2","4"],["3","5"],["4","6"]],
        "z":[["5"]]},"eta":{}}"#;
    let second = r#"{"tokens":{"a":[["1"]],"b":[["2"]],"l":[["1","3"],["2","4"],["3","5"],["4","6"]],
        "z":[["6"]]},"eta":{}}"#;
    let reason = reason(first, second, "");
    assert!(reason.contains("seen up to a distance of"), "{reason}");
}

#[test]
fn an_isomorphism_is_checked() {
    let relations: Relations = "parent,next_sibling".parse().unwrap();
    let first =
        state(r#"{"tokens":{"p":[["1","2"],["1.1",7]],"q":[[],[]]},"eta":{"1":1,"1.1":0}}"#);
    let second =
        state(r#"{"tokens":{"p":[["4","5"],["4.3",7]],"q":[[],[]]},"eta":{"4":3,"4.3":9}}"#);
    let [a, b] = [&first, &second].map(|state| Layers::new(state, relations));
    let map = |pairs: &[(&str, &str)]| -> BTreeMap<Pid, Pid> {
        pairs.iter().map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap())).collect()
    };
    assert!(a.is_carried_by(&map(&[("1", "4"), ("2", "5"), ("1.1", "4.3")]), &b));
    assert!(!a.is_carried_by(&map(&[("1", "4.3"), ("2", "5"), ("1.1", "4")]), &b));
    assert!(!a.is_carried_by(&map(&[("1", "4"), ("2", "5")]), &b));
    assert!(!a.is_carried_by(&map(&[("1", "4"), ("2", "4"), ("1.1", "4.3")]), &b));
    // What the canonical form says agrees.
    let canoniser = &mut Canoniser::new();
    let form = canonical(&first, relations, canoniser);
    assert_eq!(form.state, canonical(&second, relations, canoniser).state);
    assert!(a.is_carried_by(&form.renamed, &Layers::new(&form.state, relations)));
}

#[test]
fn what_the_papers_graphs_lose() {
    let cases = [
        // Activity, when nothing else shows it.
        (
            r#"{"tokens":{"p":[["1"]],"q":[["2"]]},"eta":{"1":0}}"#,
            r#"{"tokens":{"p":[["1"]],"q":[["2"]]},"eta":{"2":0}}"#,
            "",
        ),
        // The link to the next pid: whose next child follows the stored pid?
        (
            r#"{"tokens":{"a":[["1.1"]],"b":[["1.2"]],"c":[["1.1.1"]]},"eta":{"1.1":1,"1.2":0}}"#,
            r#"{"tokens":{"a":[["1.1"]],"b":[["1.2"]],"c":[["1.2.1"]]},"eta":{"1.1":0,"1.2":1}}"#,
            "next_sibling",
        ),
        // The process in between has ended.
        (
            r#"{"tokens":{"p":[["1"]],"q":[["1.1.1"]]},"eta":{}}"#,
            r#"{"tokens":{"p":[["1"]],"q":[["2.1.1"]]},"eta":{}}"#,
            "parent,ancestor",
        ),
    ];
    for (first, second, relations) in cases {
        let difference = difference(&graph(first, relations), &graph(second, relations));
        assert!(difference.is_some(), "{first} and {second}");
    }
}
