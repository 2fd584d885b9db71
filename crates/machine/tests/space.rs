//! Machines as spaces: by several workers, with and without remembered moves, saved and restored, sent to other
//! processes.

use std::path::Path;

use explore::{Control, Exploration, Options, Space, StateId, Successors, explore, explore_on};
use lang::Override;
use machine::{Code, Machine, compile};

/// Models with processes, and constants of theirs.
const MODELS: [(&str, &[(&str, &str)]); 8] = [
    ("processes/worker_pool.kin", &[]),
    ("processes/fork_join.kin", &[]),
    ("processes/private_locks.kin", &[]),
    ("processes/sessions.kin", &[]),
    ("processes/dining.kin", &[]),
    ("processes/channel_pairs.kin", &[]),
    ("processes/late_add.kin", &[]),
    ("cases/work_stealing_processes.kin", &[]),
];

fn code(model: &str, constants: &[(&str, &str)]) -> Code {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model);
    let text = std::fs::read_to_string(path).expect("the model is there");
    let set =
        |(name, value): &(&str, &str)| Override { name: (*name).into(), value: (*value).into() };
    let overrides: Vec<Override> = constants.iter().map(set).collect();
    let compilation = lang::compile(&text, &overrides);
    let processes = compilation.processes.expect("the model has processes");
    let base = compilation.net.expect("there is a net");
    compile(&processes.program, &base, &processes.observed, &[]).expect("it can be executed")
}

fn options() -> Options {
    Options { keep_edges: true, share_from: Some(1), ..Options::default() }
}

fn explored(machines: &mut [Machine]) -> Exploration {
    let found =
        explore_on(machines, &options(), &mut |_| Control::Continue, &mut |_| Control::Continue);
    found.expect("it starts")
}

/// What does not depend on the numbers of parts: of each state, where it leads by which label, and deadlocks.
#[derive(Debug, PartialEq)]
struct Summary {
    states: u64,
    edges: u64,
    rows: Vec<Vec<(u32, u32)>>,
    deadlocks: Vec<StateId>,
}

fn summary(found: &Exploration) -> Summary {
    let edges = found.quotient.as_ref().expect("edges are kept");
    let rows = found.store.iter().map(|(id, _)| {
        let mut row: Vec<(u32, u32)> =
            edges.successors(id).map(|(label, target)| (label, target.0)).collect();
        row.sort_unstable();
        row
    });
    let (states, edges) = (found.states(), found.edges);
    Summary { states, edges, rows: rows.collect(), deadlocks: found.deadlocks.clone() }
}

#[test]
fn several_workers_find_what_one_does() {
    for (model, constants) in MODELS {
        let code = code(model, constants);
        for (first, again) in [
            (Machine::new(&code), Machine::new(&code)),
            (Machine::reduced(&code), Machine::reduced(&code)),
        ] {
            let one = summary(&explored(&mut [first]));
            let mut machines = vec![again];
            machines.extend([machines[0].share(), machines[0].share()]);
            assert_eq!(summary(&explored(&mut machines)), one, "{model}");
        }
    }
}

#[test]
fn remembered_moves_are_those_of_whole_states() {
    for (model, constants) in MODELS {
        let code = code(model, constants);
        for machine in [Machine::new(&code), Machine::reduced(&code)] {
            let mut forgetful = machine.share();
            forgetful.forgets = true;
            let [whole, parts] = [forgetful, machine].map(|machine| {
                let found = explored(&mut [machine]);
                (found.states(), found.edges, found.deadlocks.len(), found.depth())
            });
            assert_eq!(whole, parts, "{model}");
        }
    }
}

/// The successors of a state, and whether it is an end.
fn successors(machine: &mut Machine, state: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut found = Successors::new();
    machine.expand(state, &mut found).expect("it starts");
    found.iter().map(|(label, _, bytes)| (label, bytes.to_vec())).collect()
}

#[test]
fn what_was_saved_is_understood() {
    for (model, constants) in MODELS {
        let code = code(model, constants);
        let mut machine = Machine::new(&code);
        let found = explore(&mut machine, &Options::default(), &mut |_| Control::Continue);
        let found = found.expect("it starts");
        let mut saved = Vec::new();
        let mark = machine.save(0, &mut saved).expect("memory can be written");
        let mut other = Machine::new(&code);
        other.restore(&mut &saved[..]).expect("it was saved");
        for (_, state) in found.store.iter() {
            assert_eq!(successors(&mut machine, state), successors(&mut other, state), "{model}");
        }
        let mut nothing = Vec::new();
        assert_eq!(machine.save(mark, &mut nothing).expect("memory can be written"), mark);
        assert!(nothing.is_empty(), "nothing is saved twice");
        assert!(other.restore(&mut &saved[..]).is_err(), "nothing is restored twice");
    }
}

#[test]
fn what_is_sent_is_understood() {
    for (model, constants) in MODELS {
        let code = code(model, constants);
        let mut machine = Machine::new(&code);
        let options = Options::default();
        let found = explore(&mut machine, &options, &mut |_| Control::Continue).expect("it starts");
        // The other one has met other parts before.
        let mut other = Machine::new(&code);
        let (mut numbers, mut bytes) = (Vec::new(), Vec::new());
        let sent: Vec<Vec<u8>> = { found.store.iter() }
            .map(|(_, state)| {
                machine.parts(state, &mut numbers);
                let rest = machine.rest(state).unwrap_or_default().to_vec();
                let mut adopted: Vec<u32> = numbers
                    .iter()
                    .rev()
                    .map(|number| {
                        bytes.clear();
                        machine.part(*number, &mut bytes);
                        other.adopt(&bytes)
                    })
                    .collect();
                adopted.reverse();
                let mut composed = Vec::new();
                other.compose(&mut adopted, &rest, &mut composed);
                assert_eq!(machine.imprint(state), other.imprint(&composed), "{model}");
                composed
            })
            .collect();
        let other_found = explore(&mut other, &options, &mut |_| Control::Continue);
        let other_found = other_found.expect("it starts");
        for ((id, _), composed) in found.store.iter().zip(&sent) {
            assert_eq!(other_found.store.find(composed), Some(id), "{model}");
        }
    }
}
