//! Why two three-layered graphs are not isomorphic, in words.
//!
//! Invariants are compared from coarse to fine, and the first that differs is the reason: numbers of
//! active pids and of pids, tokens by place, tokens without their pids, related pairs, and then the
//! surroundings of single vertices, round by round, as colour refinement has them (Weisfeiler and Leman
//! 1968). Colours are numbers given to whole signatures, both graphs at once, so no hash decides.
//!
//! The search is one-sided: a difference proves that there is no isomorphism, but graphs in which none
//! is found may still not be isomorphic. Each round costs the arcs, but for sorting; there are at most
//! as many rounds as vertices.

use std::collections::BTreeMap;

use super::{ArcLabel, Label, Layers, Vertex};

/// How often something occurs in the first graph and in the second.
type Counts = [usize; 2];

/// `2 tokens in the first, 1 in the second`.
fn numbers([a, b]: Counts, what: &str) -> String {
    format!("{} in the first, {b} in the second", some(a, what))
}

fn some(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

fn times([a, b]: Counts) -> String {
    let word = |n: usize| if n == 1 { "once".to_owned() } else { format!("{n} times") };
    format!("{} in the first, {} in the second", word(a), word(b))
}

/// The first invariant in which two graphs differ, in words; none if all that are looked at agree.
#[must_use]
pub fn difference(first: &Layers, second: &Layers) -> Option<String> {
    let graphs = [first, second];
    of_numbers(graphs)
        .or_else(|| of_tokens(graphs))
        .or_else(|| of_pairs(graphs))
        .or_else(|| of_surroundings(graphs))
}

fn of_numbers(graphs: [&Layers; 2]) -> Option<String> {
    let count = |wanted: fn(&Vertex) -> bool| {
        graphs.map(|graph| graph.vertices.iter().filter(|vertex| wanted(vertex)).count())
    };
    let active = count(|vertex| matches!(vertex, Vertex::Pid { active: true, .. }));
    let pids = count(|vertex| matches!(vertex, Vertex::Pid { .. }));
    if active[0] != active[1] {
        Some(numbers(active, "active pid"))
    } else {
        (pids[0] != pids[1]).then(|| numbers(pids, "pid"))
    }
}

/// Adds up the numbers given with each key, for both graphs, and gives the least key where they differ.
fn first_unequal<K: Ord>(
    graphs: [&Layers; 2],
    list: impl Fn(&Layers) -> Vec<(K, usize)>,
) -> Option<(K, Counts)> {
    let mut counted: BTreeMap<K, Counts> = BTreeMap::new();
    for (side, graph) in graphs.into_iter().enumerate() {
        for (key, count) in list(graph) {
            counted.entry(key).or_default()[side] += count;
        }
    }
    counted.into_iter().find(|(_, [a, b])| a != b)
}

/// The tokens with the names of their places and their numbers.
fn tokens(graph: &Layers) -> impl Iterator<Item = (&str, &Vertex, usize)> {
    let holds = graph.arcs.iter().filter(|arc| arc.label == ArcLabel::Holds);
    holds.filter_map(|arc| match &graph.vertices[arc.target] {
        token @ Vertex::Token { count, .. } => {
            Some((graph.place_name(arc.source), token, *count as usize))
        }
        _ => None,
    })
}

fn of_tokens(graphs: [&Layers; 2]) -> Option<String> {
    let by_place = first_unequal(graphs, |graph| {
        tokens(graph).map(|(place, _, count)| (place.to_owned(), count)).collect()
    });
    if let Some((place, counts)) = by_place {
        return Some(format!("place {place}: {}", numbers(counts, "token")));
    }
    let by_data = first_unequal(graphs, |graph| {
        let key = |(place, token, count)| (in_place(place, token), count);
        tokens(graph).map(key).collect()
    });
    by_data.map(|(token, counts)| {
        format!("data: {token}, pids not looked at: {}", numbers(counts, "token"))
    })
}

fn of_pairs(graphs: [&Layers; 2]) -> Option<String> {
    for to_next in [false, true] {
        let unequal = first_unequal(graphs, |graph| {
            let is_next = |at: usize| matches!(graph.vertices[at], Vertex::Next { .. });
            let arcs = graph.arcs.iter().filter(|arc| is_next(arc.target) == to_next);
            let relation = arcs.filter_map(|arc| match arc.label {
                ArcLabel::Related(relation) => Some((relation, 1)),
                _ => None,
            });
            relation.collect()
        });
        if let Some((relation, counts)) = unequal {
            let of = if to_next { " of next pids" } else { "" };
            return Some(format!("{relation}{of}: {}", numbers(counts, "related pair")));
        }
    }
    None
}

/// An arc seen from one of its ends: what it says, whether it leads away, and the colour of the other.
type Seen = (ArcLabel, bool, usize);

fn of_surroundings(graphs: [&Layers; 2]) -> Option<String> {
    let offset = graphs[0].vertices.len();
    let total = offset + graphs[1].vertices.len();
    let place = |at: usize| at.checked_sub(offset).map_or((0, at), |at| (1, at));
    let mut colours = numbered(graphs.iter().flat_map(|graph| {
        let labels = graph.vertices.iter().map(Vertex::label);
        labels.zip(graph.holders())
    }));
    let mut classes = 0;
    for distance in 1.. {
        let mut signatures: Vec<(usize, Vec<Seen>)> =
            colours.iter().map(|&colour| (colour, Vec::new())).collect();
        for (graph, offset) in graphs.into_iter().zip([0, offset]) {
            for arc in &graph.arcs {
                let (source, target) = (arc.source + offset, arc.target + offset);
                signatures[source].1.push((arc.label, true, colours[target]));
                signatures[target].1.push((arc.label, false, colours[source]));
            }
        }
        signatures.iter_mut().for_each(|(_, seen)| seen.sort_unstable());
        colours = numbered(signatures.into_iter());
        let mut counts = vec![[0, 0]; total];
        for (at, &colour) in colours.iter().enumerate() {
            counts[colour][usize::from(at >= offset)] += 1;
        }
        let differs = |at: &usize| counts[colours[*at]][0] != counts[colours[*at]][1];
        // Pids speak to people more than tokens and places do.
        let layer = |at: usize| {
            let (side, at) = place(at);
            graphs[side].vertices[at].layer()
        };
        if let Some(at) = (0..total).filter(differs).min_by_key(|&at| std::cmp::Reverse(layer(at)))
        {
            let times = times(counts[colours[at]]);
            let (side, at) = place(at);
            let of = ["first", "second"][side];
            let example = format!("{} of the {of}", named(graphs[side], at));
            return Some(if distance == 1 {
                let profile = profile(graphs[side], at);
                format!("profile of {example} ({profile}): {times}")
            } else {
                format!(
                    "surroundings of {example}, seen up to a distance of {distance} arcs: {times}"
                )
            });
        }
        let now = counts.iter().filter(|counts| **counts != [0, 0]).count();
        if now == classes {
            break;
        }
        classes = now;
    }
    None
}

/// Numbers for things, equal ones getting the same.
fn numbered<K: Ord>(things: impl Iterator<Item = K>) -> Vec<usize> {
    let mut numbers: BTreeMap<K, usize> = BTreeMap::new();
    things
        .map(|thing| {
            let fresh = numbers.len();
            *numbers.entry(thing).or_insert(fresh)
        })
        .collect()
}

/// A token in its place as `listening(ε, 0)`.
fn in_place(place: &str, token: &Vertex) -> String {
    let Label::Token(values, _) = token.label() else { return place.to_owned() };
    let value =
        |value: Option<_>| value.map_or("ε".to_owned(), |value: &state::Value| value.to_string());
    let values: Vec<String> = values.into_iter().map(value).collect();
    if values.is_empty() { place.to_owned() } else { format!("{place}({})", values.join(", ")) }
}

fn named(graph: &Layers, at: usize) -> String {
    match &graph.vertices[at] {
        Vertex::Place(name) => format!("place {name}"),
        Vertex::Token { token, .. } => {
            let values: Vec<String> = token.iter().map(ToString::to_string).collect();
            format!("token {}({})", graph.holders()[at], values.join(", "))
        }
        Vertex::Pid { pid, .. } => format!("pid {pid}"),
        Vertex::Next { creator, number } => format!("next pid {creator}.{number}"),
    }
}

/// What is around a vertex, in words.
fn profile(graph: &Layers, at: usize) -> String {
    let kind = |vertex: &Vertex| match vertex {
        Vertex::Place(_) => "place",
        Vertex::Token { .. } => "token",
        Vertex::Pid { active: true, .. } => "active pid",
        Vertex::Pid { active: false, .. } => "ended pid",
        Vertex::Next { .. } => "next pid",
    };
    let holders = graph.holders();
    let mut clauses: BTreeMap<String, usize> = BTreeMap::new();
    for arc in graph.arcs.iter().filter(|arc| arc.source == at || arc.target == at) {
        let away = arc.source == at;
        let other = &graph.vertices[if away { arc.target } else { arc.source }];
        let clause = match (arc.label, away) {
            (ArcLabel::Holds, true) => format!("holding {}", in_place("", other)),
            (ArcLabel::Holds, false) => format!("in {}", graph.place_name(arc.source)),
            (ArcLabel::At(position), true) => format!("{} at position {position}", kind(other)),
            (ArcLabel::At(position), false) => {
                let token = in_place(holders[arc.source], other);
                format!("at position {position} of {token}")
            }
            // Every active pid has one.
            (ArcLabel::Next, _) => continue,
            (ArcLabel::Related(relation), true) => format!("{relation} of {}", kind(other)),
            (ArcLabel::Related(relation), false) => format!("{} is {relation}", kind(other)),
        };
        *clauses.entry(clause).or_default() += 1;
    }
    let clause = |(clause, count)| if count == 1 { clause } else { format!("{clause} ×{count}") };
    let first = kind(&graph.vertices[at]).to_owned();
    let clauses: Vec<String> =
        std::iter::once(first).chain(clauses.into_iter().map(clause)).collect();
    clauses.join(", ")
}
