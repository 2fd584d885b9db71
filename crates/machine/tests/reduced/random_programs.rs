//! Random programs.

use std::collections::BTreeMap;

use net::Net;
use program::Observed;
use random::Random;

use crate::generate::{self, Features};
use crate::{Found, code_of, compare, text};

/// As many programs are compared, if all are.
const PROGRAMS: u64 = 4_000;
const MOST_STATES: u64 = 1_000;

/// What was found of programs, and how many states there were.
#[derive(Debug, Default)]
struct Tally {
    compared: u64,
    states: u64,
    fewer: u64,
    found: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn add(&mut self, (states, fewer, found): (u64, u64, Found)) {
        self.compared += 1;
        self.states += states;
        self.fewer += fewer;
        for (what, is_so) in [
            ("a deadlock", found.deadlock),
            ("somebody is stuck", found.stuck),
            ("somebody can never end", found.endless),
            ("a failure", !found.failures.is_empty()),
            ("none of these", !found.endless && found.failures.is_empty()),
        ] {
            *self.found.entry(what).or_default() += u64::from(is_so);
        }
    }

    /// Each is found often enough.
    fn require(&self, parts: u64) {
        assert!(self.found.len() == 5, "{self:#?}");
        assert!(self.found.values().all(|times| *times >= self.compared / parts), "{self:#?}");
    }
}

#[test]
fn typed_programs_have_the_same_verdicts() {
    let wanted = random::daily(PROGRAMS, 20);
    let mut tally = Tally::default();
    for seed in 30_000_000.. {
        let _seed = random::Seed(seed);
        let features = match seed % 3 {
            0 => Features::LIVELY,
            1 => Features { kill: false, crash: false, faults: false, ..Features::ALL },
            _ => Features { kill: false, crash: false, ..Features::ALL },
        };
        let program = generate::program(&mut Random::new(seed), features);
        let base = Net { enumerations: program.enumerations.clone(), ..Net::default() };
        let Ok(code) = machine::compile(&program, &base, &Observed::default(), &[]) else {
            continue;
        };
        compare(&code, MOST_STATES).into_iter().for_each(|found| tally.add(found));
        if tally.compared == wanted {
            break;
        }
    }
    tally.require(20);
    assert!(10 * tally.fewer < 9 * tally.states, "{tally:#?}");
}

#[test]
fn programs_of_the_prelude_have_the_same_verdicts() {
    let wanted = random::daily(PROGRAMS, 20);
    let mut tally = Tally::default();
    let mut tried = 0;
    for seed in 40_000_000.. {
        let _seed = random::Seed(seed);
        let text = text::program(&mut Random::new(seed));
        tried += 1;
        let Some(code) = code_of(&text) else { continue };
        let compared = std::panic::catch_unwind(|| compare(&code, MOST_STATES));
        let compared = compared.unwrap_or_else(|_| panic!("{text}"));
        compared.into_iter().for_each(|found| tally.add(found));
        if tally.compared == wanted {
            break;
        }
    }
    tally.require(20);
    assert!(2 * tally.compared > tried, "{tried} were tried: {tally:#?}");
    assert!(10 * tally.fewer < 8 * tally.states, "{tally:#?}");
}
