//! Labellings per second on files of states.
//!
//! Each line of a file is a state: `{"tokens": {place: [[pid, …, data], …]}, "eta": {pid: n}}`.
//! Its pids are the atoms, coloured by being active; parent and child are an arc; a token is a
//! tuple labelled by its place and data. Prints, for each file named on the command line, the
//! number of classes and the structures built and labelled per second of processor time.
#![allow(clippy::print_stdout)]

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use canon::{Canoniser, Structure};
use serde_json::Value;

/// A state ready to be built: colours, then tuples.
struct State {
    colours: Vec<u32>,
    tuples: Vec<(u32, Vec<u32>)>,
}

fn parse(line: &str, labels: &mut BTreeMap<(String, String), u32>) -> State {
    let value: Value = serde_json::from_str(line).expect("a line of JSON");
    let eta = value["eta"].as_object().expect("an object eta");
    let tokens = value["tokens"].as_object().expect("an object tokens");
    let mut pids: BTreeMap<String, u32> = eta.keys().map(|pid| (pid.clone(), 0)).collect();
    let all = || tokens.values().flat_map(|list| list.as_array().expect("a list"));
    for pid in all().flat_map(|token| token.as_array().expect("a list")) {
        if let Some(pid) = pid.as_str() {
            pids.insert(pid.to_owned(), 0);
        }
    }
    for (i, index) in pids.values_mut().enumerate() {
        *index = i as u32;
    }
    let colours = pids.keys().map(|pid| u32::from(eta.contains_key(pid))).collect();
    let mut tuples = Vec::new();
    for (pid, &child) in &pids {
        if let Some(&parent) = pid.rsplit_once('.').and_then(|(parent, _)| pids.get(parent)) {
            tuples.push((0, vec![parent, child]));
        }
    }
    for (place, list) in tokens {
        for token in list.as_array().expect("a list") {
            let (data, atoms) = token.as_array().expect("a list").split_last().expect("data");
            let next = labels.len() as u32 + 1;
            let label = *labels.entry((place.clone(), data.to_string())).or_insert(next);
            let atoms = atoms.iter().map(|pid| pids[pid.as_str().expect("a pid")]).collect();
            tuples.push((label, atoms));
        }
    }
    State { colours, tuples }
}

fn build(state: &State, s: &mut Structure) {
    s.clear();
    for &colour in &state.colours {
        s.atom(colour);
    }
    for (label, atoms) in &state.tuples {
        s.tuple(*label, atoms);
    }
}

fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let mut labels = BTreeMap::new();
        let states: Vec<State> = text.lines().map(|line| parse(line, &mut labels)).collect();
        let (mut s, mut canoniser) = (Structure::new(), Canoniser::new());
        let mut forms = HashSet::new();
        for state in &states {
            build(state, &mut s);
            let position = canoniser.canonise(&s).position();
            forms.insert(s.relabelled(position));
        }
        let mut best = f64::MAX;
        for _ in 0..60 {
            let (begin, mut rounds) = (Instant::now(), 0);
            while begin.elapsed() < Duration::from_millis(5) {
                for state in &states {
                    build(state, &mut s);
                    std::hint::black_box(canoniser.canonise(&s).order());
                }
                rounds += 1;
            }
            best = best.min(begin.elapsed().as_secs_f64() / f64::from(rounds));
        }
        let each = best / states.len() as f64;
        let name = file.rsplit('/').next().unwrap_or(&file);
        println!(
            "{name:32} {:3} classes {:12.0} /s {:10.0} ns",
            forms.len(),
            1.0 / each,
            each * 1e9
        );
    }
}
