//! The graph of the net that a program is compiled to.

use std::sync::Arc;

use explore::{Control, Exploration, Options, explore};
use fold::{Folded, Working};
use net::{Compiled, Expr, Fate, Formula, Literal, Net, Origin, Place, PlaceId, Property, Sort};
use process::{Translation, compile};
use program::Observed;
use program::claim::Claim;
use program::{ProcessId, Program, Type};

use crate::graph::{Graph, Label, Node, labels_of, position};
use crate::temporal::{Atom, Temporal};

/// The net of a program, with a property for each observed label and kind of process, which counts those at the label.
pub fn net_of(program: &Program, observed: &Observed) -> Option<Translation> {
    let kinds = || (0..program.processes.len() as u32).map(ProcessId);
    let labels = labels_of(observed).into_iter();
    let atoms =
        labels.flat_map(|(source, label)| kinds().map(move |kind| Atom::At(kind, source, label)));
    let claims = atoms.map(|atom| Temporal::Atom(0).claim("labelled", &[atom], program));
    net_with(program, observed, &claims.collect::<Vec<_>>())
}

/// The net of a program, if there is one: not everything can be done in one step.
pub fn net_with(program: &Program, observed: &Observed, claims: &[Claim]) -> Option<Translation> {
    let base = Net { enumerations: program.enumerations.clone(), ..Net::default() };
    let translation = compile(program, &base, observed, claims).ok()?;
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
    // What is looked at below is looked at as properties would.
    let mut seen = translation.net.properties.clone();
    if observed.all_locals {
        let columns = |place: &Place| vec![None; place.columns.len()];
        let counts = (0..).map(PlaceId).zip(&translation.net.places);
        seen.extend(counts.map(|(id, place)| Property {
            name: String::new(),
            text: String::new(),
            variables: Vec::new(),
            formula: Formula::Term(Expr::Count(id, columns(place))),
            origin: Origin::default(),
        }));
    }
    let by_column = open.observed(relations, &seen, None);
    let mut folded = Folded::new(Compiled::observing(Arc::new(open), &by_column), relations);
    let options = Options { keep_edges: true, states: Some(most as u64), ..Options::default() };
    let found = explore(&mut folded, &options, &mut |_| Control::Continue);
    let found = found.map_err(|failed| format!("{:?}", failed.fault))?;
    if !found.complete {
        return Ok(None);
    }
    let mut graph = graph_of(program, &translation.net, &folded, &found);
    for (node, (_, bytes)) in graph.states.iter_mut().zip(found.store.iter()) {
        let working = folded.decode(bytes);
        for of_kinds in translation.net.properties.chunks(program.processes.len()) {
            let conditions = of_kinds.iter().map(|property| match &property.formula {
                Formula::Term(condition) => condition,
                other => panic!("{other:?} does not count"),
            });
            node.seen.push(conditions.map(|condition| counted(condition, &working)).sum());
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

/// What a condition counts, all of it added.
fn counted(condition: &Expr, working: &Working) -> i64 {
    let Expr::Count(place, pattern) = condition else {
        return condition.children().map(|inner| counted(inner, working)).sum();
    };
    let is_meant = |entry: &&[u32]| {
        let mut columns = pattern.iter().zip(&entry[1..]);
        columns.all(|(wanted, word)| match wanted {
            None => true,
            Some(Expr::Literal(Literal::Bool(truth))) => *word == u32::from(*truth),
            Some(other) => panic!("{other:?} is no truth value"),
        })
    };
    working.entries(place.index()).filter(is_meant).map(|entry| i64::from(entry[0])).sum()
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
