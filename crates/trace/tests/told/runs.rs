//! Runs to try things on, made by the plain interpreter alone.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

use budget::Budget;
use net::interpret::{self, Mode};
use net::{Fault, Net};
use random::Random;
use state::State;
use trace::{Run, RunStep, all_modes};

pub fn compiled(text: &str) -> Net {
    let compilation = lang::compile(text, &[]);
    compilation.net.unwrap_or_else(|| panic!("{:?}", compilation.diagnostics))
}

pub fn model(name: &str) -> Net {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/{name}.kin"));
    compiled(&fs::read_to_string(path).unwrap())
}

pub fn modes(net: &Net, state: &State) -> Result<Vec<Mode>, Fault> {
    all_modes(net, state, &Budget::unlimited()).unwrap()
}

pub fn taken(net: &Net, state: &State, mode: &Mode) -> Result<RunStep, Fault> {
    let step = interpret::fire(net, state, mode)?;
    Ok(RunStep { mode: mode.clone(), children: step.children, state: step.state })
}

/// A run of at most so many steps, which ends where nothing can be done, or something goes wrong.
pub fn random_run(net: &Net, steps: usize, random: &mut Random) -> Run {
    let mut run = Run::at_start(net);
    for _ in 0..steps {
        let Ok(modes) = modes(net, run.last()) else { break };
        if modes.is_empty() {
            break;
        }
        match taken(net, run.last(), random.pick(&modes)) {
            Ok(step) => run.steps.push(step),
            Err(_) => break,
        }
    }
    run
}

/// A shortest run to a state in which nothing can be done, and a thread is left.
pub fn deadlock(net: &Net) -> Run {
    let mut seen = BTreeSet::from([interpret::initial(net)]);
    let mut queue = VecDeque::from([Run::at_start(net)]);
    while let Some(run) = queue.pop_front() {
        let modes = modes(net, run.last()).unwrap();
        if modes.is_empty() && !run.last().eta().is_empty() {
            return run;
        }
        for mode in modes {
            let step = taken(net, run.last(), &mode).unwrap();
            if seen.insert(step.state.clone()) {
                let mut longer = run.clone();
                longer.steps.push(step);
                queue.push_back(longer);
            }
        }
    }
    panic!("{} has no deadlock", net.name);
}
