//! Canonical forms of states, beside nauty and Traces.
//!
//! ```text
//! rivals/nauty/run FILE.jsonl…
//! ```
//!
//! prints, for each file, the canonical forms a CPU-second that Kinfold and nauty make, all of them from the same working
//! states to bytes that can be a key: dense nauty, sparse nauty, and Traces where it takes the graph, of which the
//! fastest counts. All take turns in one run, on the same batch of renamed states, and the median over all turns is
//! printed. All must find as many classes.

mod encode;
mod nauty;

use std::collections::BTreeSet;
use std::hint::black_box;
use std::process::ExitCode;
use std::{env, fs};

use cpu_time::ThreadTime;
use encode::{Encoding, Reader};
use fold::{Dictionary, Folder, Working};
use nauty::{Labeller, Who};
use random::Random;
use state::{Relation, Relations, State};

/// States of a batch, and how often all take turns.
const BATCH: usize = 256;
const TURNS: usize = 41;
/// The least CPU time of a turn, for which a batch is gone over again.
const TURN: f64 = 0.003;

fn main() -> ExitCode {
    let mut least: f64 = 0.0;
    let mut files = Vec::new();
    for arg in env::args().skip(1) {
        match arg.strip_prefix("--least=") {
            Some(ratio) => least = ratio.parse().expect("--least=RATIO"),
            None => files.push(arg),
        }
    }
    println!(
        "| states | classes | Kinfold | nauty, dense | nauty, sparse | Traces | ratio to the best |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut is_behind = false;
    for file in &files {
        is_behind |= compare(file) < least;
    }
    ExitCode::from(u8::from(is_behind))
}

/// Measures the states of a file; the ratio to the fastest rival.
fn compare(file: &str) -> f64 {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let states: Vec<State> =
        text.lines().map(|line| State::from_json(line).expect("a state in JSON")).collect();
    let relations = Relations::from_iter([Relation::Parent]);
    let dictionary = Dictionary::of(&states);
    let workings: Vec<Working> =
        states.iter().map(|state| dictionary.working(state, relations).0).collect();
    let reader = Reader::new(dictionary.schema());
    let encoding = reader.encoding(&workings);
    let mut random = Random::new(1);
    let copies = BATCH.div_ceil(states.len());
    let mut folder = Folder::new(dictionary.schema(), relations);
    let mut labeller = Labeller::default();
    let mut rates: [Vec<f64>; 4] = Default::default();
    let mut classes: [BTreeSet<Vec<u8>>; 4] = Default::default();
    let mut bytes = Vec::new();
    for turn in 0..TURNS {
        let again = workings.iter().cycle().take(copies * states.len());
        let batch: Vec<Working> = again
            .map(|working| working.renamed(dictionary.schema(), |bound| random.below(bound)))
            .collect();
        let whos = [None, Some(Who::Dense), Some(Who::Sparse), Some(Who::Traces)];
        for (at, who) in whos.into_iter().enumerate() {
            if who == Some(Who::Traces) && encoding != Encoding::Edges {
                continue;
            }
            let mut form = |working: &Working, bytes: &mut Vec<u8>| {
                bytes.clear();
                match who {
                    None => _ = folder.fold(working, bytes),
                    Some(who) => labeller.label(who, &reader, working, encoding, bytes),
                }
            };
            rates[at].push(rate(&batch, |working| {
                form(working, &mut bytes);
                black_box(&bytes);
            }));
            if turn == 0 {
                for working in &batch {
                    form(working, &mut bytes);
                    classes[at].insert(bytes.clone());
                }
            }
        }
    }
    let found = classes[0].len();
    for (rates, classes) in rates.iter().zip(&classes) {
        assert!(rates.is_empty() || classes.len() == found, "{file}: as many classes");
    }
    let rates = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates.get(rates.len() / 2).copied()
    });
    let shown = rates.map(|rate| rate.map_or("–".to_owned(), |rate| format!("{rate:.0}")));
    let best = rates[1..].iter().flatten().fold(0.0, |best: f64, &rate| best.max(rate));
    let ratio = rates[0].expect("a rate") / best;
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".jsonl");
    println!("| {name} | {found} | {} | {ratio:.2} |", shown.join(" | "));
    ratio
}

/// How many of these are done a CPU-second. Looking at the clock takes as long as several of the smallest forms, so it is
/// looked at after one batch, two more, four more, and so on.
fn rate<T>(batch: &[T], mut label: impl FnMut(&T)) -> f64 {
    let (mut count, clock) = (0, ThreadTime::now());
    let mut batches = 1;
    loop {
        for _ in 0..batches {
            batch.iter().for_each(|one| label(black_box(one)));
        }
        count += batches * batch.len();
        batches *= 2;
        let spent = clock.elapsed().as_secs_f64();
        if spent > TURN {
            return count as f64 / spent;
        }
    }
}
