//! What it costs to decide properties of the server net N(k, m), beside exploring it.
//!
//! `cargo bench -p kinfold --bench properties` prints the table of `docs/performance.md`. Time is that of the
//! process, on one thread; the last column is the ratio to exploring in the same run, which the noise of a
//! machine leaves alone.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark prints")]

use std::fs;
use std::sync::Arc;

use cpu_time::ProcessTime;
use kinfold::lang::{self, Override};
use kinfold::net::Net;
use kinfold::{Checking, Plan, Verdict, survey, verify};

/// The net, a property of it, and whether fairness is assumed.
const CASES: [(u32, u32, &str, bool); 5] = [
    (4, 3, "bounded", false),
    (4, 3, "no_deadlock", false),
    (2, 2, "served", false),
    (2, 2, "served", true),
    (3, 2, "served", true),
];

fn main() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/server.kin");
    let text = fs::read_to_string(model).expect("the model is there");
    println!("| net | property | fairness | holds | classes | CPU seconds | times exploring |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (k, m, name, is_fair) in CASES {
        let set = |name: &str, value: u32| Override { name: name.into(), value: value.to_string() };
        let net = lang::compile(&text, &[set("k", k), set("m", m)]).net;
        let net = Arc::new(net.expect("the model is right"));
        let clock = ProcessTime::now();
        survey(&net, &Plan::default()).expect("no fault");
        let exploring = clock.elapsed().as_secs_f64();
        let (holds, states, seconds) = decided(&net, name, is_fair);
        println!(
            "| N({k},{m}) | {name} | {} | {} | {states} | {seconds:.2} | {:.1} |",
            if is_fair { "threads" } else { "" },
            if holds { "yes" } else { "no" },
            seconds / exploring,
        );
    }
}

fn decided(net: &Arc<Net>, name: &str, is_fair: bool) -> (bool, u64, f64) {
    let property = net.properties.iter().find(|property| property.name == name);
    let property = property.expect("the model has it").clone();
    let fairness = if is_fair { net.fairness.clone() } else { Vec::new() };
    let checking = Checking { fairness, ..Checking::default() };
    let clock = ProcessTime::now();
    let outcome =
        verify(net, &[property], &checking, &mut |_| {}).expect("no fault").outcomes.remove(0);
    let seconds = clock.elapsed().as_secs_f64();
    (matches!(outcome.verdict, Verdict::Holds { .. }), outcome.states, seconds)
}
