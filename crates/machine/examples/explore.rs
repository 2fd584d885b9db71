//! Explores the processes of a model by the machine, and says what it found and what that cost:
//!
//! ```text
//! explore FILE [NAME=VALUE …] [--threads N] [--reduce] [--stuck] [--races]
//! ```
#![expect(clippy::print_stdout, reason = "an example")]

use std::time::Instant;

use budget::Budget;
use check::Prospect;
use explore::{Control, Options, explore_on};
use lang::Override;
use machine::{Machine, Survey, compile};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asks = |option: &str| arguments.iter().any(|argument| argument == option);
    let threads = arguments.iter().position(|argument| argument == "--threads");
    let threads = threads.map_or(1, |at| arguments[at + 1].parse().expect("a number"));
    let file = arguments.first().expect("explore FILE [NAME=VALUE …]");
    let text = std::fs::read_to_string(file).expect("a file that can be read");
    let settings = arguments.iter().filter_map(|argument| argument.split_once('='));
    let overrides: Vec<Override> =
        settings.map(|(name, value)| Override { name: name.into(), value: value.into() }).collect();
    let compilation = lang::compile(&text, &overrides);
    let processes = compilation.processes.expect("a model with processes");
    let mut observed = processes.observed;
    observed.races = asks("--races");
    let base = compilation.net.expect("a net");
    let code = compile(&processes.program, &base, &observed, &[]).expect("it can be executed");

    let machine = if asks("--reduce") { Machine::reduced } else { Machine::new };
    let mut machines = vec![machine(&code)];
    machines.extend((1..threads).map(|_| machines[0].share()).collect::<Vec<_>>());
    let start = Instant::now();
    let mut go_on = |_: &_| Control::Continue;
    let found =
        explore_on(&mut machines, &Options::default(), &mut go_on, &mut |_| Control::Continue);
    let found = found.expect("nothing goes wrong before the first step");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} states, {} edges, {} modes, {} deadlocks, {seconds:.3} s, {:.0} modes/s, {} bytes a state",
        found.states(),
        found.edges,
        found.modes,
        found.deadlocks.len(),
        found.modes as f64 / seconds,
        found.store.allocated_bytes() / found.states().max(1),
    );
    let mut survey = Survey::new(&mut machines[0], &found);
    for (_, failure) in survey.failures() {
        let line = processes.program.written(failure.origin).map_or(0, |line| line.line);
        println!("line {line}: {}", failure.kind.describe());
    }
    if asks("--stuck") {
        let start = Instant::now();
        let stuck = survey.hopeless(Prospect::Acting, &Budget::default()).expect("no limit");
        let who = stuck.map_or("nobody is stuck".into(), |stuck| {
            format!("{} threads are stuck in state {}", stuck.threads.len(), stuck.state)
        });
        println!("{who}, {:.3} s", start.elapsed().as_secs_f64());
    }
    if asks("--races") {
        let start = Instant::now();
        let race = survey.race(&Budget::default()).expect("no limit");
        let found = race.map_or("no race".into(), |(state, _)| format!("a race in {state:?}"));
        println!("{found}, {:.3} s", start.elapsed().as_secs_f64());
    }
}
