//! Programs explored by the machine, and by the nets that they become, side by side: compare the two of one run.
//!
//! ```text
//! cargo bench -p kinfold-machine --bench programs
//! ```
//!
//! The pool has `k` workers that share a lock, a counter and a wait group; of each kind of state there is one, whoever is
//! who. `stuck` is what it takes more to find that nobody is stuck; where a machine is `reduced`, threads run on. Larger ones, and other tools: `rivals/programs`.

#![allow(missing_docs, reason = "a benchmark")]

use std::sync::Arc;

use budget::Budget;
use check::Prospect;
use divan::Bencher;
use explore::{Control, Exploration, Options, explore};
use fold::Folded;
use lang::{Compilation, Override, Processes};
use machine::{Code, Machine, Survey, compile};
use net::Compiled;

const POOL: &str = "
    const k = 8
    shared lock = new mutex
    shared atomic served: 0..=250 = 0
    process main {
        let busy = new waitgroup
        repeat k { busy.add()   spawn worker(busy) }
        busy.wait()
    }
    process worker(busy: waitgroup) {
        with lock.lock() { served = served + 1 }
        busy.done()
    }
";

fn main() {
    divan::main();
}

fn compiled(workers: u32) -> Compilation {
    let k = Override { name: "k".into(), value: workers.to_string() };
    lang::compile(POOL, &[k])
}

fn code(workers: u32) -> Code {
    let Compilation { net, processes, .. } = compiled(workers);
    let Processes { program, mut observed, .. } = processes.expect("it has processes");
    observed.races = false;
    compile(&program, &net.expect("it is right"), &observed, &[]).expect("it can be executed")
}

fn explored(machine: &mut Machine) -> Exploration {
    let found = explore(machine, &Options::default(), &mut |_| Control::Continue);
    found.expect("it starts")
}

#[divan::bench(args = [8, 16, 32])]
fn machine(bencher: Bencher, workers: u32) {
    let code = code(workers);
    bencher.bench_local(|| explored(&mut Machine::new(&code)).states());
}

#[divan::bench(args = [8, 16, 32, 64, 250])]
fn reduced(bencher: Bencher, workers: u32) {
    let code = code(workers);
    bencher.bench_local(|| explored(&mut Machine::reduced(&code)).states());
}

#[divan::bench(args = [8, 16, 32])]
fn whole_states(bencher: Bencher, workers: u32) {
    let code = code(workers);
    bencher.bench_local(|| {
        let mut machine = Machine::new(&code);
        machine.forgets = true;
        explored(&mut machine).states()
    });
}

#[divan::bench(args = [8, 16, 32])]
fn stuck(bencher: Bencher, workers: u32) {
    let code = code(workers);
    nobody_is_stuck(bencher, Machine::new(&code));
}

#[divan::bench(args = [8, 16, 32, 64, 250])]
fn reduced_stuck(bencher: Bencher, workers: u32) {
    let code = code(workers);
    nobody_is_stuck(bencher, Machine::reduced(&code));
}

fn nobody_is_stuck(bencher: Bencher, mut machine: Machine) {
    let found = explored(&mut machine);
    bencher.bench_local(|| {
        let mut survey = Survey::new(&mut machine, &found);
        let stuck = survey.hopeless(Prospect::Acting, &Budget::default());
        assert_eq!(stuck, Ok(None), "nobody is stuck");
    });
}

#[divan::bench(args = [8, 16], sample_count = 10)]
fn nets(bencher: Bencher, workers: u32) {
    let net = Arc::new(compiled(workers).net.expect("it is right"));
    let relations = net.relations();
    bencher.bench_local(|| {
        let mut folded = Folded::new(Compiled::new(net.clone(), relations), relations);
        let found = explore(&mut folded, &Options::default(), &mut |_| Control::Continue);
        found.map(|found| found.states()).map_err(|_| "it has no faults")
    });
}
