//! What it costs to tell runs of many threads: all of a run, and one state of it.

use budget::Budget;
use divan::Bencher;
use net::Net;
use net::interpret;
use random::Random;
use trace::{Run, RunStep, ToldRun, ToldState, Trace, all_modes};

const STEPS: usize = 1_000;

/// 100 workers, a channel, a lock, a variable.
const PROCESSES: &str = "\
model crowd

shared lock = new mutex
shared served: 0..=9 = 0

process main {
    let todo = new channel[0..=9](capacity: 4)
    repeat 100 { spawn worker(todo) }
    loop { choose job in 0..=9   todo.send(job) }
}

process worker(todo: channel[0..=9]) {
    loop {
        let job = todo.receive()
        with lock.lock() { served = if served == 9 then 0 else served + 1 }
    }
}
";

/// The same as a net.
const NET: &str = "\
model crowd_net

flow main(left: 0..=100), idle, busy(job: 0..=9)
place todo: 0..=9
place room = 4

start main(100)

transition hire { move m: main(n) -> main(n - 1)   spawn w from m: idle   when n > 0 }
transition send(job: 0..=9) { stay m: main(_)   take room   put todo(job) }
transition begin { move w: idle -> busy(job)   take todo(job)   put room }
transition finish { move w: busy(_) -> idle }
";

fn main() {
    divan::main();
}

fn compiled(name: &str) -> Net {
    let text = if name == "net" { NET } else { PROCESSES };
    let compilation = lang::compile(text, &[]);
    compilation.net.unwrap_or_else(|| panic!("{}", compilation.diagnostics.to_string()))
}

/// A run at random, after all workers have been created.
fn run(net: &Net) -> Run {
    let (mut run, mut random, unlimited) =
        (Run::at_start(net), Random::new(1), Budget::unlimited());
    while run.steps.len() < STEPS {
        let modes = all_modes(net, run.last(), &unlimited).unwrap().unwrap();
        let mode = random.pick(&modes).clone();
        let step = interpret::fire(net, run.last(), &mode).unwrap();
        run.steps.push(RunStep { mode, children: step.children, state: step.state });
    }
    run
}

#[divan::bench(args = ["processes", "net"], sample_count = 5)]
fn told_run(bencher: Bencher, name: &str) {
    let net = compiled(name);
    let trace = Trace::from(run(&net));
    bencher.bench_local(|| ToldRun::of(&trace, &net));
}

#[divan::bench(args = ["processes", "net"], sample_count = 5)]
fn told_state(bencher: Bencher, name: &str) {
    let net = compiled(name);
    let run = run(&net);
    let unlimited = Budget::unlimited();
    let modes = all_modes(&net, run.last(), &unlimited).unwrap();
    bencher.bench_local(|| ToldState::of(&run, STEPS, &net, &modes, &unlimited));
}
