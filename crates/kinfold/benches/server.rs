//! How fast the server net N(k, m) is explored, and the same system written as processes, P(k, m); and how much
//! memory a class takes.
//!
//! `cargo bench -p kinfold --bench server` prints the table of `docs/performance.md`. Time is CPU time
//! of the one thread that works, where the system tells it.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark prints")]

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use kinfold::lang::{self, Override};
use kinfold::{Plan, survey};

const NET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/server.kin");
const PROCESSES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/processes/server.kin");
const SIZES: [(char, &str, u32, u32); 5] = [
    ('N', NET, 3, 3),
    ('N', NET, 4, 3),
    ('N', NET, 4, 4),
    ('P', PROCESSES, 3, 3),
    ('P', PROCESSES, 4, 3),
];

fn main() {
    println!("| net | classes | modes | CPU seconds | classes/s | modes/s | store, bytes/class |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (name, model, k, m) in SIZES {
        let text = fs::read_to_string(model).expect("the model is there");
        let set = |name: &str, value: u32| Override { name: name.into(), value: value.to_string() };
        let net =
            lang::compile(&text, &[set("k", k), set("m", m)]).net.expect("the model is right");
        let net = Arc::new(net);
        let clock = Clock::start();
        let survey = survey(&net, &Plan::default()).expect("no fault");
        let seconds = clock.seconds();
        let found = survey.exploration();
        assert!(found.complete);
        println!(
            "| {name}({k},{m}) | {} | {} | {seconds:.2} | {:.0} | {:.0} | {:.1} |",
            found.states(),
            found.modes,
            found.states() as f64 / seconds,
            found.modes as f64 / seconds,
            survey.store_bytes() as f64 / found.states() as f64,
        );
    }
}

/// CPU time of this thread, or wall time where the system does not tell.
struct Clock {
    cpu: Option<f64>,
    wall: Instant,
}

impl Clock {
    fn start() -> Clock {
        Clock { cpu: cpu_seconds(), wall: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        match (self.cpu, cpu_seconds()) {
            (Some(start), Some(end)) => end - start,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn cpu_seconds() -> Option<f64> {
    let line = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 * 1e-9)
}
