//! Runs that the machine finds are runs of the interpreter, state by state, also those that end with a failure.

use explore::{Space, Successors};
use interpret::Interpreter;
use machine::{Code, Machine};
use program::{Observed, Program};
use random::Random;
use replay::along;

use crate::generate::{self, Features};
use crate::{executed, observed, source, temporal, texts};

/// What was tried.
#[derive(Default)]
struct Tried {
    runs: usize,
    steps: usize,
    failures: usize,
}

/// A path at random.
fn path(
    machine: &mut Machine,
    steps: usize,
    random: &mut Random,
) -> (Vec<u8>, Vec<(u32, Vec<u8>)>) {
    let mut successors = Successors::new();
    machine.initial(&mut successors).expect("it starts");
    let initial = successors.iter().next().expect("there is a first state").2.to_vec();
    let mut path: Vec<(u32, Vec<u8>)> = Vec::new();
    for _ in 0..steps {
        let state = path.last().map_or(&initial, |(_, state)| state);
        let mut successors = Successors::new();
        machine.expand(state, &mut successors).expect("it starts");
        let all: Vec<(u32, Vec<u8>)> =
            successors.iter().map(|(label, _, bytes)| (label, bytes.to_vec())).collect();
        if all.is_empty() {
            break;
        }
        path.push(random.pick(&all).clone());
    }
    (initial, path)
}

fn replay(program: &Program, observed: &Observed, code: &Code, seed: u64, tried: &mut Tried) {
    let interpreter = Interpreter::new(program, observed);
    let mut machine = Machine::new(code);
    let random = &mut Random::new(seed);
    let (initial, path) = path(&mut machine, 30, random);
    let found = along(&mut machine, code, &interpreter, &initial, &path);
    let found = found.unwrap_or_else(|mismatch| {
        let turn = path.get(mismatch.steps).map(|(label, _)| machine.turn(*label).origin(code));
        let at = turn.and_then(|origin| program.written(origin));
        let text = if program.text.is_empty() { source::text(program) } else { String::new() };
        panic!("{mismatch:?} of {} at {at:?}, seed {seed}\n{text}", path.len())
    });
    let left_out = usize::from(found.is_start_left_out);
    assert_eq!(found.run.steps.len() + left_out, path.len());
    tried.runs += 1;
    tried.steps += path.len();
    let fails = path.last().is_some_and(|(_, state)| machine.failure(state).is_some());
    let is_failure = found.run.steps.last().is_some_and(|next| next.outcome.is_err());
    assert_eq!(fails, is_failure);
    tried.failures += usize::from(fails);
}

#[test]
fn runs_of_models_are_replayed() {
    let mut tried = Tried::default();
    for (_, text) in texts::texts() {
        let Some(processes) = lang::compile(&text, &[]).processes else { continue };
        let program = processes.program;
        let labels = temporal::labels(&program).into_iter().collect();
        let seen = [
            processes.observed,
            Observed { branching: true, ..Observed::default() },
            Observed { labels, ..Observed::default() },
        ];
        for observed in seen {
            let code = executed::code_of(&program, &observed, &[]).expect("it was compiled before");
            for seed in 0..2 {
                replay(&program, &observed, &code, seed, &mut tried);
            }
        }
    }
    println!("{} runs, {} steps, {} failures", tried.runs, tried.steps, tried.failures);
    assert!(tried.steps > 10_000 && tried.failures > 5, "{} {}", tried.steps, tried.failures);
}

#[test]
fn runs_of_random_programs_are_replayed() {
    let mut tried = Tried::default();
    let mut seed = 8_000_000;
    while tried.runs < 600 {
        let _seed = random::Seed(seed);
        let program = generate::program(&mut Random::new(seed), Features::ALL);
        let observed = observed(seed, &program);
        seed += 1;
        let Some(code) = executed::code_of(&program, &observed, &[]) else { continue };
        replay(&program, &observed, &code, seed, &mut tried);
    }
    println!("{} runs, {} steps, {} failures", tried.runs, tried.steps, tried.failures);
    assert!(tried.steps > 5_000 && tried.failures > 20, "{} {}", tried.steps, tried.failures);
}
