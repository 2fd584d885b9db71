//! The graph of the net that a program is compiled to.

use std::sync::Arc;

use explore::{Control, Exploration, Options, explore};
use fold::Folded;
use net::{Compiled, Fate, Net, Sort};
use process::claim::Claim;
use process::program::{Program, Type};
use process::{Observed, Point, Translation, compile};

use crate::turns::{Graph, Label, Node, labels_of, position};

/// The net of a program, if there is one: not everything can be done in one step.
pub fn net_of(program: &Program, observed: &Observed, claims: &[Claim]) -> Option<Translation> {
    let translation = compile(program, &Net::default(), observed, claims).ok()?;
    let net = &translation.net;
    let breaches = net.check();
    let about = |name: &str| breaches.iter().any(|breach| breach.subject.contains(name));
    let wrong = net.transitions.iter().find(|transition| about(&format!("`{}`", transition.name)));
    assert!(breaches.is_empty(), "{:?}: {wrong:#?}", breaches[0]);
    Some(translation)
}

/// The graph of a net; nothing if it has more than a number of states. What must not happen leads nowhere.
pub fn graph(
    program: &Program,
    observed: &Observed,
    translation: &Translation,
    most: usize,
) -> Result<Option<Graph>, String> {
    let mut open = translation.net.clone();
    open.transitions.iter_mut().for_each(|transition| transition.failure = None);
    let relations = open.relations();
    let mut folded = Folded::new(Compiled::new(Arc::new(open), relations), relations);
    let options = Options { keep_edges: true, states: Some(most as u64), ..Options::default() };
    let found = explore(&mut folded, &options, &mut |_| Control::Continue);
    let found = found.map_err(|failed| format!("{:?}", failed.fault))?;
    if !found.complete {
        return Ok(None);
    }
    let mut graph = graph_of(program, &translation.net, &folded, &found);
    for (node, (_, bytes)) in graph.states.iter_mut().zip(found.store.iter()) {
        let working = folded.decode(bytes);
        for (source, label) in labels_of(observed) {
            let is_at =
                |point: &&Point| point.routine.source() == source && point.labels.contains(&label);
            let places = translation.points.iter().filter(is_at).map(|point| point.place);
            node.seen.push(places.map(|place| working.tokens(place.index()) as i64).sum());
        }
        if observed.all_locals {
            let names = program.objects.iter().map(|object| object.name.as_str());
            for name in ["ended"].into_iter().chain(names) {
                let mut places = translation.net.places.iter();
                let place = places.position(|place| *place.name == *name);
                node.seen.push(working.tokens(place.expect("it has a place")) as i64);
            }
        }
    }
    graph.finish();
    Ok(Some(graph))
}

/// The graph without labels.
fn graph_of(program: &Program, net: &Net, folded: &Folded<Compiled>, found: &Exploration) -> Graph {
    let labels: Vec<Option<Label>> = net
        .transitions
        .iter()
        .map(|transition| {
            let is_end = |fate: &Fate| fate.ends();
            let ends = transition.participants.iter().filter(|part| is_end(&part.fate));
            let at_once = transition.spawns.iter().filter(|spawn| spawn.to.is_none()).count();
            let label = Label {
                statement: position(transition.origin),
                births: transition.spawns.iter().map(|spawn| spawn.count).sum(),
                deaths: ends.count() as u32 + at_once as u32,
            };
            transition.failure.is_none().then_some(label)
        })
        .collect();
    let edges = found.quotient.as_ref().expect("edges are kept");
    let initial = found.initial().map(|id| id.index()).collect();
    let mut graph = Graph { initial, ..Graph::default() };
    for (id, bytes) in found.store.iter() {
        let working = folded.decode(bytes);
        let mut node = Node::default();
        for (place, of) in net.places.iter().enumerate() {
            if of.is_flow() {
                node.running += working.tokens(place) as usize;
            }
        }
        for (index, global) in program.globals.iter().enumerate() {
            if let Type::Int { .. } | Type::Bool = global.variable.of {
                let place =
                    net.places.iter().position(|place| *place.name == *global.variable.name);
                let place = place.expect("there is a place for each global variable");
                let min = match net.places[place].columns[0].sort {
                    Sort::Int { min, .. } => min,
                    _ => 0,
                };
                assert_eq!(working.len(place), 1, "global {index} has one value");
                node.seen.push(i64::from(working.entry(place, 0)[1]) + min);
            }
        }
        for (label, target) in edges.successors(id) {
            match labels[label as usize] {
                Some(label) => node.edges.push((label, target.index())),
                None => node.faults = true,
            }
        }
        graph.states.push(node);
    }
    graph
}
