//! Runs for the models of `models/`: that they cover what they say is found out by replaying their JSON with the plain
//! interpreter, and by reading what there is to cover off the graph as it is exported. Neither knows how paths are chosen.
//!
//! `KINFOLD_WRITE=1` puts the table of what was found into `docs/tests.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use budget::Budget;
use cover::{Cover, Suite};
use explore::StateId;
use net::Net;
use serde_json::Value as Json;
use survey::{Plan, Survey, survey};

/// What is explored of each model.
const MOST_STATES: u64 = 200;
/// Up to which depth classes are covered.
const DEPTH: u32 = 6;
const COVERS: [Cover; 3] =
    [Cover::Transitions, Cover::Pairs, Cover::Classes { depth: Some(DEPTH) }];

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// All `.kin` files of `models/`, in order.
fn models() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![project("models")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "kin") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn net_of(path: &Path) -> Arc<Net> {
    let text = fs::read_to_string(path).expect("a model");
    Arc::new(lang::compile(&text, &[]).net.unwrap_or_else(|| panic!("{} is wrong", path.display())))
}

fn plan() -> Plan {
    Plan { keep_edges: true, states: Some(MOST_STATES), ..Plan::default() }
}

/// What stands for a transition: itself; where records have no order, its statement and where those come from who take part.
fn action(net: &Net, id: usize) -> String {
    let transition = &net.transitions[id];
    if net.places.iter().all(|place| place.groups.is_empty()) {
        return transition.name.clone();
    }
    let from: Vec<_> = transition.participants.iter().map(|one| one.from).collect();
    format!("{:?} {from:?}", transition.origin.range())
}

fn action_named(net: &Net, name: &str) -> String {
    let id = net.transitions.iter().position(|transition| transition.name == name);
    action(net, id.unwrap_or_else(|| panic!("`{name}` is a transition")))
}

/// What there is to cover, as the exported graph says.
fn wanted(graph: &Json, net: &Net, cover: Cover) -> BTreeSet<String> {
    let (mut actions, mut into, mut out) = (
        BTreeSet::new(),
        BTreeMap::<u64, BTreeSet<String>>::new(),
        BTreeMap::<u64, BTreeSet<String>>::new(),
    );
    for edge in graph["edges"].as_array().expect("edges") {
        let name = action_named(net, edge["transition"].as_str().expect("a name"));
        into.entry(edge["target"].as_u64().expect("a number")).or_default().insert(name.clone());
        out.entry(edge["source"].as_u64().expect("a number")).or_default().insert(name.clone());
        actions.insert(name);
    }
    match cover {
        Cover::Transitions => actions,
        Cover::Pairs => {
            let pairs = into.iter().flat_map(|(state, before)| {
                let after = out.get(state).into_iter().flatten();
                after.flat_map(move |b| before.iter().map(move |a| format!("{a} / {b}")))
            });
            pairs.collect()
        }
        Cover::Classes { depth } => {
            let states = graph["states"].as_array().expect("states").iter();
            let near = states.filter(|state| {
                depth
                    .is_none_or(|most| state["depth"].as_u64().expect("a depth") <= u64::from(most))
            });
            near.map(|state| state["id"].to_string()).collect()
        }
    }
}

/// The numbers of classes by what their states are stored as.
fn numbers(survey: &Survey) -> BTreeMap<Vec<u8>, u32> {
    let store = &survey.exploration().store;
    (0..store.len()).map(|id| (store.get(StateId(id)).to_vec(), id)).collect()
}

/// What the runs cover that are written in the JSON, replayed.
fn covered(
    survey: &mut Survey,
    numbers: &BTreeMap<Vec<u8>, u32>,
    cover: Cover,
    json: &Json,
) -> BTreeSet<String> {
    let net = survey.net().clone();
    let net = &net;
    let mut covered = BTreeSet::new();
    for run in json["runs"].as_array().expect("runs") {
        let record = trace::read(&run["trace"].to_string()).expect("a trace");
        let run = record.replay(net).unwrap_or_else(|why| panic!("{}: {why}", net.name)).run;
        let fired: Vec<String> =
            run.steps.iter().map(|step| action(net, step.mode.transition.index())).collect();
        match cover {
            Cover::Transitions => covered.extend(fired),
            Cover::Pairs => {
                covered.extend(fired.windows(2).map(|two| format!("{} / {}", two[0], two[1])));
            }
            Cover::Classes { .. } => survey.review(|_, reader| {
                for step in 0..=run.steps.len() {
                    let id = numbers.get(&reader.stored(run.state(step)));
                    covered.extend(id.map(u32::to_string));
                }
            }),
        }
    }
    covered
}

/// What is wrong with a suite, if anything is.
fn wrong(wanted: &BTreeSet<String>, covered: &BTreeSet<String>, json: &Json) -> Option<String> {
    let missed: Vec<_> = wanted.difference(covered).collect();
    let number = |key: &str| json[key].as_u64().expect("a number");
    let runs = json["runs"].as_array().expect("runs");
    let steps = runs.iter().map(|run| run["trace"]["steps"].as_array().expect("steps").len());
    let steps = steps.sum::<usize>() as u64;
    let least = |key: &str| json["at_least"][key].as_u64().expect("a number");
    if !missed.is_empty() {
        Some(format!("not covered: {missed:?}"))
    } else if number("items") != wanted.len() as u64 || number("covered") != wanted.len() as u64 {
        Some(format!(
            "{} of {} are covered, it says, of {}",
            json["covered"],
            json["items"],
            wanted.len()
        ))
    } else if json["missed"].as_array().is_none_or(|missed| !missed.is_empty()) {
        Some(format!("it says that {} is missed", json["missed"]))
    } else if steps != number("steps")
        || steps < least("steps")
        || (runs.len() as u64) < least("runs")
    {
        Some(format!("{steps} steps and {} runs, and at least {}", runs.len(), json["at_least"]))
    } else {
        None
    }
}

/// The same without the last step of a run.
fn without_last_step(json: &Json, run: usize) -> Json {
    let mut json = json.clone();
    json["runs"][run]["trace"]["steps"].as_array_mut().expect("steps").pop();
    json
}

#[test]
fn every_model_is_covered() {
    let mut table = String::from(
        "| model | classes | transitions | runs | steps | at least | pairs | runs | steps | at least | \
         classes to depth 6 | runs | steps | at least |\n",
    );
    table += &("|".to_owned() + " --- |" + &" ---: |".repeat(13) + "\n");
    let (mut faulty, mut found) = (Vec::new(), [(0, 0); 3]);
    for path in models() {
        let name = path.strip_prefix(project("models")).expect("a model").with_extension("");
        let name = name.display();
        let net = net_of(&path);
        let Ok(mut survey) = survey(&net, &plan()) else {
            faulty.push(format!("`{name}`"));
            continue;
        };
        let complete = if survey.exploration().complete { "" } else { "+" };
        write!(table, "| {name} | {}{complete} ", survey.tally().states).expect("a string");
        let graph = serde_json::to_value(survey.graph()).expect("a graph");
        let numbers = numbers(&survey);
        for (cover, found) in COVERS.into_iter().zip(&mut found) {
            let suite = Suite::of(&net, &mut survey, cover, &Budget::unlimited()).expect("time");
            let json = suite.json();
            let wanted = wanted(&graph, &net, cover);
            let seen = covered(&mut survey, &numbers, cover, &json);
            if let Some(why) = wrong(&wanted, &seen, &json) {
                panic!("{name}, {}: {why}", cover.name());
            }
            let (items, _) = suite.covered();
            let (runs, steps, least) = (suite.runs().len(), suite.steps(), suite.at_least().steps);
            write!(table, "| {items} | {runs} | {steps} | {least} ").expect("a string");
            *found = (found.0 + steps as u64, found.1 + least);
            // The last step of each run is there because nothing else covers what it does.
            if steps > 0 {
                let planted = without_last_step(&json, runs / 2);
                let seen = covered(&mut survey, &numbers, cover, &planted);
                let noticed = wrong(&wanted, &seen, &planted);
                let noticed = noticed.filter(|why| why.starts_with("not covered"));
                assert!(noticed.is_some(), "{name}, {}: a step is missing", cover.name());
            }
        }
        table += "|\n";
    }
    let totals = COVERS
        .iter()
        .zip(found)
        .map(|(cover, (steps, least))| format!("{} {steps} steps, at least {least}", cover.name()));
    let totals: Vec<String> = totals.collect();
    write!(table, "\nIn all: {}. ", totals.join("; ")).expect("a string");
    writeln!(table, "Models that fail, of which there are no runs: {}.", faulty.join(", "))
        .expect("a string");
    if env::var_os("KINFOLD_WRITE").is_some() {
        write_into_document(&table);
    }
}

/// Puts the table into the document, in the place of the one that is there.
fn write_into_document(table: &str) {
    let path = project("docs/tests.md");
    let text = fs::read_to_string(&path).expect("the document");
    let (begin, end) = ("<!-- table -->\n", "<!-- end of table -->\n");
    let (before, rest) = text.split_once(begin).expect("where the table begins");
    let (_, after) = rest.split_once(end).expect("where the table ends");
    fs::write(&path, format!("{before}{begin}{table}{end}{after}")).expect("written");
}

#[test]
fn what_never_fires_is_listed() {
    let text = "model m\nplace p = 1\nplace q\nplace r\n\
                transition go { take p  put q }\ntransition stays { take r  put p }\n";
    let net = Arc::new(lang::compile(text, &[]).net.expect("a model"));
    let mut survey = survey(&net, &plan()).expect("a survey");
    for (cover, items) in [(Cover::Transitions, 1), (Cover::Pairs, 0)] {
        let suite = Suite::of(&net, &mut survey, cover, &Budget::unlimited()).expect("time");
        let json = suite.json();
        assert_eq!(json["never_fired"], serde_json::json!(["stays"]));
        assert_eq!(suite.covered(), (items, items));
        assert_eq!(suite.runs().len(), items);
        assert!(suite.summary().contains(&"never fired: stays".to_owned()));
    }
}

#[test]
fn a_limit_is_told() {
    let net = net_of(&project("models/pool.kin"));
    let plan = Plan { states: Some(10), ..plan() };
    let mut survey = survey(&net, &plan).expect("a survey");
    let suite = Suite::of(&net, &mut survey, Cover::Classes { depth: None }, &Budget::unlimited());
    let suite = suite.expect("time");
    assert!(!suite.is_complete());
    assert_eq!(suite.covered(), (10, 10));
    let json = suite.json();
    assert_eq!((&json["complete"], &json["classes"]), (&false.into(), &10.into()));
    let last = suite.summary().pop().expect("a line");
    assert_eq!(
        last,
        "INCOMPLETE: the limit on states was reached; the coverage is of what was explored"
    );
    // Without time there are no runs, or what they miss is told.
    let spent = Budget::unlimited();
    spent.interrupt();
    assert!(Suite::of(&net, &mut survey, Cover::Pairs, &spent).is_err());
}
