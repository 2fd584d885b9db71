//! Traces to try things on, made by the plain interpreter alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;

use kinfold::{Back, Run, RunStep, Trace, mode_text};
use net::interpret::{self, Mode};
use net::{Net, TransitionId};
use random::for_seeds;
use state::{Pid, State};

use super::running::project;

pub fn compiled(text: &str, set: &[(&str, &str)]) -> Net {
    let set: Vec<lang::Override> = set
        .iter()
        .map(|(name, value)| lang::Override { name: (*name).into(), value: (*value).into() })
        .collect();
    let compilation = lang::compile(text, &set);
    compilation.net.unwrap_or_else(|| panic!("{:?}", compilation.diagnostics))
}

pub fn model(name: &str, set: &[(&str, &str)]) -> Net {
    compiled(&fs::read_to_string(project(&format!("models/{name}.kin"))).unwrap(), set)
}

/// All modes in a state, but those of what must not happen.
pub fn modes(net: &Net, state: &State) -> Vec<Mode> {
    let transitions = (0..net.transitions.len() as u32).map(TransitionId);
    let transitions = transitions.filter(|id| net.transition(*id).failure.is_none());
    transitions.flat_map(|id| interpret::modes(net, state, id).unwrap()).collect()
}

fn fired(net: &Net, state: &State, mode: Mode) -> RunStep {
    let step = interpret::fire(net, state, &mode).unwrap();
    RunStep { mode, children: step.children, state: step.state }
}

/// The run that fires these modes, or of transitions that are only named the first.
pub fn run(net: &Net, names: &[&str]) -> Run {
    let mut run = Run { initial: interpret::initial(net), steps: Vec::new() };
    for name in names {
        let mode = modes(net, run.last())
            .into_iter()
            .find(|mode| {
                net.transition(mode.transition).name == *name || mode_text(net, mode) == *name
            })
            .unwrap_or_else(|| panic!("{name} cannot fire after {} steps", run.steps.len()));
        let step = fired(net, run.last(), mode);
        run.steps.push(step);
    }
    run
}

/// A shortest run to a state in which nothing can fire.
fn run_to_deadlock(net: &Net) -> Run {
    let mut seen = BTreeSet::from([interpret::initial(net)]);
    let mut queue = VecDeque::from([Run { initial: interpret::initial(net), steps: Vec::new() }]);
    while let Some(run) = queue.pop_front() {
        let modes = modes(net, run.last());
        if modes.is_empty() {
            return run;
        }
        for mode in modes {
            let step = fired(net, run.last(), mode);
            if seen.insert(step.state.clone()) {
                let mut longer = run.clone();
                longer.steps.push(step);
                queue.push_back(longer);
            }
        }
    }
    panic!("{} has no deadlock", net.name);
}

/// A request that is served from beginning to end.
pub fn server() -> (Net, Trace) {
    let net = model("server", &[("k", "2"), ("m", "1")]);
    let names = ["init", "accept", "compute", "call", "function", "result", "reap"];
    let trace = run(&net, &names).into();
    (net, trace)
}

/// A letter that is answered, and one whose sender has gone.
pub fn mailbox() -> (Net, Trace) {
    let net = model("mailbox", &[]);
    let names = ["hire", "send", "reply", "hire", "send", "send", "retire", "discard"];
    let trace = run(&net, &names).into();
    (net, trace)
}

/// Two threads that take two locks in different orders.
pub fn deadlock_of_locks() -> (Net, Trace) {
    let net = compiled(
        "model locks
         enum Lock { red, blue }
         flow main, idle(first: Lock), holding(first: Lock), working
         place lock: Lock = red, blue
         place log
         start main
         transition begin {
             end m: main
             spawn a from m: idle(red)
             spawn b from m: idle(blue)
         }
         transition take_first { move t: idle(x) -> holding(x)   take lock(x) }
         transition take_second {
             move t: holding(x) -> working   take lock(y)   put log   when x != y
         }",
        &[],
    );
    let trace = run_to_deadlock(&net).into();
    (net, trace)
}

/// Philosophers who hold a fork each, for ever.
pub fn philosophers() -> (Net, Trace) {
    let net = model("philosophers", &[]);
    let run = run_to_deadlock(&net);
    let back = Some(Back { to: run.steps.len(), replaced: BTreeMap::new() });
    (net, Trace { back, ..Trace::from(run) })
}

/// Threads that pass a baton to their children for ever.
pub fn loop_of_relay() -> (Net, Trace) {
    let net = compiled(
        "model relay
         flow runner(lap: 0..=1), coach
         place baton: pid
         start coach, runner(0)
         transition ready { stay c: coach   move r: runner(0) -> runner(1)   put baton(r) }
         transition pass {
             end r: runner(1)
             spawn s from r: runner(0)
             take baton(r)
         }",
        &[],
    );
    let run = run(&net, &["ready", "pass", "ready", "pass"]);
    let pid = |text: &str| text.parse::<Pid>().unwrap();
    let replaced = BTreeMap::from([(pid("1"), pid("1")), (pid("2.1.1"), pid("2.1"))]);
    (net, Trace { back: Some(Back { to: 2, replaced }), ..Trace::from(run) })
}

/// All of them, and one without a step.
pub fn all() -> Vec<(Net, Trace)> {
    let (net, trace) = loop_of_relay();
    let still = Trace::from(Run { initial: trace.run.initial.clone(), steps: Vec::new() });
    let relay = [(net.clone(), trace), (net, still)];
    let nets = [server(), mailbox(), deadlock_of_locks(), philosophers(), philosophers_in_turn()];
    nets.into_iter().chain(relay).collect()
}

/// A philosopher who eats, and the neighbour who begins to do so next: the same but for a rotation of the table.
pub fn philosophers_in_turn() -> (Net, Trace) {
    let net = model("philosophers", &[("n", "3")]);
    let names = ["take_first", "take_second", "put_down", "take_first(x = Seat2)"];
    let run = run(&net, &names);
    let back = Some(Back { to: 1, replaced: BTreeMap::new() });
    (net, Trace { back, ..Trace::from(run) })
}

/// Jobs of two kinds, submitted by nobody in particular, and a pool that grows and shrinks.
pub fn pool() -> (Net, Trace) {
    let net = model("pool", &[]);
    let names = [
        "submit(job = reading)",
        "submit(job = writing)",
        "grow",
        "fetch(w = 1.1, job = writing)",
        "grow",
        "finish",
        "fetch(w = 1.2, job = reading)",
        "shrink",
        "finish",
    ];
    let trace = run(&net, &names).into();
    (net, trace)
}

/// Random runs of all models, with what to call them.
pub fn random() -> Vec<(String, (Net, Trace))> {
    let mut names: Vec<String> = fs::read_dir(project("models"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".kin").map(str::to_owned))
        .collect();
    names.sort();
    let mut found = Vec::new();
    for name in names {
        let net = model(&name, &[]);
        for_seeds(0..4, |seed, random| {
            let mut run = Run { initial: interpret::initial(&net), steps: Vec::new() };
            for _ in 0..10 * (seed + 1) {
                let mut modes = modes(&net, run.last());
                if modes.is_empty() {
                    break;
                }
                let mode = modes.swap_remove(random.below(modes.len()));
                let step = fired(&net, run.last(), mode);
                run.steps.push(step);
            }
            found.push((format!("{name} seed {seed}"), (net.clone(), run.into())));
        });
    }
    found
}
