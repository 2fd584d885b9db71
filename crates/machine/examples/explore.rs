//! Explores the processes of a model by the machine: `explore FILE [NAME=VALUE …]`.
#![expect(clippy::print_stdout, reason = "an example")]
use explore::{Control, Options, explore};
use lang::Override;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let text = std::fs::read_to_string(&file).expect("the file can be read");
    let overrides: Vec<Override> = arguments
        .map(|one| {
            let (name, value) = one.split_once('=').expect("NAME=VALUE");
            Override { name: name.into(), value: value.into() }
        })
        .collect();
    let compilation = lang::compile(&text, &overrides);
    let processes = compilation.processes.expect("a model with processes");
    let code =
        machine::compile(&processes.program, &compilation.net.expect("a net"), &processes.observed);
    let code = code.expect("it can be executed");
    let mut space = machine::Machine::new(&code);
    let start = Instant::now();
    let found = explore(&mut space, &Options::default(), &mut |_| Control::Continue).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} states, {} edges, {} modes, {} deadlocks, {:.3} s, {:.0} modes/s, {} bytes",
        found.states(),
        found.edges,
        found.modes,
        found.deadlocks.len(),
        seconds,
        found.modes as f64 / seconds,
        found.store.allocated_bytes() / found.states().max(1)
    );
}
