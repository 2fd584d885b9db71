//! The nets of processes with sets and maps, written and read again: the classes and the steps are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fold::Folded;
use kinfold::lang::{compile, with_too_many_orders, write};
use kinfold::net::{Compiled, Net, PlaceId, TransitionId};
use kinfold::{Plan, survey};

/// No net may have more classes than this.
const MOST: u64 = 3000;

fn models(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            models(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "kin") {
            into.push(path);
        }
    }
}

/// The net of processes by itself, as it is written.
fn alone(net: Net) -> Net {
    let mut net = Net { properties: Vec::new(), listing: None, ..net };
    net.transitions.retain(|transition| !transition.probe);
    net.tokens.sort_by_key(|token| token.place);
    net
}

/// The statement that a transition is of, and where the threads are that take part.
type Statement = (Option<(usize, usize)>, Vec<PlaceId>);

fn statement(net: &Net, id: TransitionId) -> Statement {
    let transition = net.transition(id);
    let from = transition.participants.iter().map(|one| one.from).collect();
    (transition.origin.range().map(|range| (range.start, range.end)), from)
}

/// The classes, each by its canonical string, and the steps between them, by statement; nothing if they are many, or
/// something goes wrong in the model.
#[derive(Debug, PartialEq)]
struct Found {
    classes: BTreeSet<Vec<u8>>,
    edges: BTreeSet<(Vec<u8>, Statement, Vec<u8>)>,
    deadlocks: usize,
}

fn found(
    net: &Net,
    folded: &mut Folded<Compiled>,
    statement: impl Fn(TransitionId) -> Statement,
) -> Result<Found, String> {
    let net = Arc::new(net.clone());
    let plan = Plan { keep_edges: true, states: Some(MOST), ..Plan::default() };
    let mut survey = survey(&net, &plan).expect("it is a net");
    if survey.has_fault() {
        let fault = survey.take_fault(&plan.showing()).expect("there is one");
        return Err(fault.message.split(',').next_back().unwrap_or_default().to_owned());
    }
    if !survey.exploration().complete {
        return Err("too large".into());
    }
    let exploration = survey.exploration();
    let ids = (0..exploration.states() as u32).map(explore::StateId);
    let strings: Vec<Vec<u8>> = ids
        .map(|id| {
            let (working, _) = folded.rules().working(&survey.state(id));
            folded.fold(working)
        })
        .collect();
    let edges = exploration.quotient.as_ref().expect("edges are kept").iter();
    let edges = edges.map(|(source, label, target)| {
        let [source, target] = [source, target].map(|id| strings[id.index()].clone());
        (source, statement(TransitionId(label)), target)
    });
    let (edges, deadlocks) = (edges.collect(), exploration.deadlocks.len());
    let classes: BTreeSet<Vec<u8>> = strings.iter().cloned().collect();
    assert_eq!(classes.len(), strings.len());
    Ok(Found { classes, edges, deadlocks })
}

#[test]
fn nets_of_processes_are_the_same_when_they_are_read_again() {
    let mut paths = Vec::new();
    models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut paths);
    paths.sort();
    let (mut compared, mut with_copies, mut wrong, mut too_many) = (0, 0, 0, 0);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("it is a text");
        let Some(net) = compile(&text, &[]).net else { continue };
        let has_groups = net.places.iter().any(|place| !place.groups.is_empty());
        if net.listing.is_none() || !has_groups {
            continue;
        }
        let net = alone(net);
        if !with_too_many_orders(&net).is_empty() {
            too_many += 1;
            continue;
        }
        let written = write(&net);
        let compilation = compile(&written, &[]);
        let drawn = compilation.diagnostics.render("written.kin", &written, false);
        let again = compilation.net.unwrap_or_else(|| panic!("{}: {drawn}", path.display()));
        let relations = net.relations();
        assert_eq!(again.relations(), relations);
        let names = (0..).map(TransitionId).zip(&net.transitions);
        let names: BTreeMap<&str, TransitionId> =
            names.map(|(id, transition)| (transition.name.as_str(), id)).collect();
        assert_eq!(names.len(), net.transitions.len(), "each has a name of its own");
        let of_again = |id| {
            let first = again.first_copy(id);
            statement(&net, names[again.transition(first).name.as_str()])
        };
        let compiled = Compiled::new(Arc::new(net.clone()), relations);
        let mut folded = Folded::new(compiled, relations);
        let expected = found(&net, &mut folded, |id| statement(&net, id));
        if expected == Err("too large".into()) {
            continue;
        }
        let found = found(&again, &mut folded, of_again);
        assert!(found == expected, "{}: {written}", path.display());
        wrong += usize::from(expected.is_err());
        compared += usize::from(expected.is_ok());
        with_copies += usize::from(again.transitions.len() > net.transitions.len());
    }
    println!(
        "{compared} nets, {with_copies} with copies; {wrong} that go wrong, {too_many} too large"
    );
    assert!(compared >= 4 && with_copies >= 2, "{compared} {with_copies}");
}
