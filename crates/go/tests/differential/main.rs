//! Random Go programs: what Kinfold finds, against the real Go.
//!
//! Each program is compiled by both. The real Go runs it many times with random pauses; every outcome that is seen has
//! to be among those that Kinfold finds. The other way round, runs that Kinfold shows are made to happen: a baton lets
//! the goroutines do their steps in the same order, and the outcome has to be the same.
//!
//! The suite looks at a few programs. All of them:
//!
//! ```text
//! KINFOLD_TEST_PROGRAMS=500 KINFOLD_TEST_RUNS=200 cargo test --release -p kinfold-go --test differential -- --nocapture
//! ```
//!
//! With so many, what was compared of each program is said in a line, and in the end how many use which construct of Go.
//!
//! `KINFOLD_TEST_SEED` is the number of the first program, 0 if it is not given: each number is a seed. With
//! `KINFOLD_TEST_SHOW` the programs are printed.

#![allow(clippy::print_stderr, reason = "what was compared is said, and what was left out")]

mod constructs;
mod forced;
mod model;
mod random_program;
mod toolchain;

use std::env;

use go::{Options, Source};
use random::Random;

use forced::Order;
use model::Found;
use toolchain::{Batch, Outcome};

fn setting(name: &str, default: usize) -> usize {
    env::var(name).map_or(default, |text| text.parse().expect("it is a number"))
}

/// What Kinfold finds of a program.
fn found(text: &str) -> Result<Found, String> {
    let source = Source { name: "random.go", text };
    let compilation = go::compile(&[source], &[], &Options::default());
    match &compilation.net {
        Some(net) => model::outcomes(net),
        None => Err(format!(
            "refused: {}",
            compilation
                .diagnostics
                .iter()
                .map(|one| format!("{}: {}", one.line, one.message))
                .collect::<Vec<_>>()
                .join("; ")
        )),
    }
}

/// Whether a run that Kinfold shows is one of the real Go: tried several times, as a `select` chooses at random.
fn is_reproduced(batch: &Batch, number: usize, outcome: &Outcome, order: &Order) -> bool {
    let again = |attempt| batch.forced(number, &order.written(attempt)).as_ref() == Ok(outcome);
    (0..18).any(again)
}

#[test]
fn the_real_go_and_kinfold_agree_on_random_programs() {
    if !toolchain::is_there("the_real_go_and_kinfold_agree_on_random_programs") {
        return;
    }
    let first = setting("KINFOLD_TEST_SEED", 0);
    let count = setting("KINFOLD_TEST_PROGRAMS", 12);
    let runs = setting("KINFOLD_TEST_RUNS", 25);
    let program = |number: usize| {
        random_program::program(&mut Random::named(&[(first + number) as u64]), number)
    };
    let programs: Vec<_> = (0..count).map(program).collect();
    let batch = Batch::build(&programs);
    let (mut wrong, mut left_out) = (Vec::new(), Vec::new());
    let (mut seen_outcomes, mut found_outcomes, mut shown, mut reproduced) = (0, 0, 0, 0);
    let (mut classes, is_long) = (0, count > 50);
    for (number, program) in programs.iter().enumerate() {
        let seed = first + number;
        if env::var_os("KINFOLD_TEST_SHOW").is_some() {
            eprintln!("program {seed}:\n{}", program.plain);
        }
        let found = match found(&program.plain) {
            Ok(found) => found,
            Err(why) => {
                if is_long {
                    eprintln!("program {seed} is left out: {why}");
                }
                left_out.push(format!("program {seed}: {why}"));
                continue;
            }
        };
        let seen = batch.outcomes(number, runs);
        seen_outcomes += seen.len();
        found_outcomes += found.outcomes.len();
        classes += found.states;
        for (outcome, times) in seen.iter().filter(|(one, _)| !found.outcomes.contains(one)) {
            wrong.push(format!(
                "program {seed}: {outcome:?} was seen {times} times, and is not found"
            ));
        }
        // No order makes a timer come.
        let runs = found.runs.iter().filter(|_| !program.has_timers);
        let again: Vec<bool> =
            runs.map(|(outcome, order)| is_reproduced(&batch, number, outcome, order)).collect();
        let again_count = again.iter().filter(|is| **is).count();
        (shown, reproduced) = (shown + again.len(), reproduced + again_count);
        if is_long {
            eprintln!(
                "program {seed}: {} of {} outcomes seen, {} classes, {again_count} of {} runs reproduced, {wrong} wrong so far",
                seen.len(),
                found.outcomes.len(),
                found.states,
                again.len(),
                wrong = wrong.len(),
            );
        }
    }
    if is_long {
        for (construct, count) in constructs::table(programs.iter().map(|one| one.plain.as_str())) {
            eprintln!("{count:5} programs use {construct}");
        }
    }
    for why in left_out.iter().filter(|_| !is_long) {
        eprintln!("{why}");
    }
    eprintln!(
        "{count} programs, {runs} runs each: {seen_outcomes} outcomes seen, {found_outcomes} found in {classes} classes, {} wrong; {} programs left out; {reproduced} of {shown} runs reproduced",
        wrong.len(),
        left_out.len(),
    );
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    assert!(left_out.len() * 4 <= count, "\n{}\n", left_out.join("\n"));
    assert!(reproduced * 10 >= shown * 7, "{reproduced} of {shown} runs are reproduced");
}

#[test]
fn programs_use_all_constructs_that_are_meant() {
    let program = |seed: u64| random_program::program(&mut Random::named(&[seed]), 0);
    let programs: Vec<_> = (0..500).map(program).collect();
    for (construct, count) in constructs::table(programs.iter().map(|one| one.plain.as_str())) {
        assert!(count > 0, "none of 500 programs uses {construct}");
    }
}
