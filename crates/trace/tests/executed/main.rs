//! Runs of programs, executed by the interpreter, against runs of the nets that the programs become: what is told of one is
//! told of the other, in all forms.

mod difference;
mod meant;
mod pairs;
#[path = "../../../process/tests/naive/texts.rs"]
mod texts;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use difference::difference;
use lang::Processes;
use pairs::Pair;
use random::Random;
use texts::texts;
use trace::{ProgramRecord, Race, TraceFormat};

/// How many runs are tried of each model, and how many steps they have at most.
const RUNS: u64 = 3;
const STEPS: usize = 25;

/// The forms in which both are the same. In JSON states have forms of their own.
const FORMS: [TraceFormat; 5] = [
    TraceFormat::Text,
    TraceFormat::Mermaid,
    TraceFormat::ShiViz,
    TraceFormat::Svg,
    TraceFormat::Itf,
];

/// What was compared.
#[derive(Default)]
struct Compared {
    steps: usize,
    statements: usize,
    /// Runs of which it is told in other words what they come to.
    otherwise: usize,
    /// What differs, and is not meant to.
    different: Vec<String>,
}

impl Compared {
    fn note(&mut self, what: &str, [of_net, of_program]: [String; 2]) {
        if of_net != of_program {
            self.different.push(format!("{what}:\n{}", difference(&of_net, &of_program)));
        }
    }

    fn states(&mut self, pair: &Pair) {
        for at in [0, pair.length() / 2, pair.length()] {
            self.note(&format!("state {at}"), pair.states(at));
            if let Err(why) = meant::compare_waits(&pair.waits(at)) {
                self.different.push(format!("state {at}:\n{why}"));
            }
        }
        // Nets know statements, too, by which something fails that is done at once.
        let [mut of_net, mut of_program] = pair.statements();
        of_net.retain(|statement, _| of_program.contains_key(statement));
        of_program.retain(|statement, _| of_net.contains_key(statement));
        self.statements += of_net.len();
        let told = [of_net, of_program]
            .map(|statements| statements.into_values().collect::<Vec<_>>().join("\n"));
        self.note("statements", told);
    }

    fn run(&mut self, pair: &Pair) {
        self.steps += pair.length();
        self.states(pair);
        let [of_net, of_program] = pair.waits(pair.length());
        if of_net != of_program {
            self.otherwise += 1;
            return;
        }
        self.note("stuck", pair.lost(true));
        self.note("endless", pair.lost(false));
        self.note("again", pair.again());
        self.note("run", pair.told());
        for format in FORMS {
            self.note(format.name(), pair.written(format));
        }
    }
}

#[test]
fn runs_of_programs_are_told_as_runs_of_nets() {
    let mut compared = Compared::default();
    for (path, text) in texts() {
        let compiled = lang::compile(&text, &[]);
        let (Some(net), Some(processes)) = (compiled.net, compiled.processes) else { continue };
        for seed in 0..RUNS {
            let _seed = random::Seed(seed);
            let pair = Pair::random(&net, &processes, STEPS, &mut Random::new(seed));
            match pair {
                Ok(pair) => compared.run(&pair),
                Err(why) => compared.different.push(why),
            }
            let found = compared.different.join("\n\n");
            assert!(found.is_empty(), "{}, seed {seed}\n{found}", path.display());
        }
    }
    let Compared { steps, statements, otherwise, .. } = compared;
    assert!(steps > 5_000 && statements > 2_000, "{steps} {statements}");
    assert!(otherwise < 30, "{otherwise}");
}

/// Tries something on some runs of each model that is wanted.
fn on_runs(
    seeds: Range<u64>,
    is_wanted: impl Fn(&Processes) -> bool,
    mut try_on: impl FnMut(&Path, &Pair),
) {
    for (path, text) in texts() {
        let compiled = lang::compile(&text, &[]);
        let (Some(net), Some(processes)) = (compiled.net, compiled.processes) else { continue };
        for seed in seeds.clone().filter(|_| is_wanted(&processes)) {
            let _seed = random::Seed(seed);
            let pair = Pair::random(&net, &processes, STEPS, &mut Random::new(seed));
            try_on(&path, &pair.unwrap_or_else(|why| panic!("{}: {why}", path.display())));
        }
    }
}

#[test]
fn what_goes_wrong_is_told_alike() {
    let mut failures = 0;
    on_runs(
        7..8,
        |_| true,
        |path, pair| {
            for at in 0..=pair.length() {
                let [of_net, of_program] = pair.failures(at);
                failures += of_program.len();
                let texts = |all: BTreeSet<String>| all.into_iter().collect::<Vec<_>>().join("\n");
                let [of_net, of_program] = [of_net, of_program].map(texts);
                let said = || difference(&of_net, &of_program);
                assert!(of_net == of_program, "{}, after {at}:\n{}", path.display(), said());
            }
        },
    );
    assert!(failures > 5, "{failures}");
}

#[test]
fn races_are_told_alike() {
    let mut found = 0;
    on_runs(
        0..12,
        |processes| processes.observed.races,
        |path, pair| {
            for at in 0..=pair.length() {
                let (race, all) = pair.races(at);
                // Nets look for races only where that is asked.
                if all.is_empty() {
                    continue;
                }
                let race =
                    race.unwrap_or_else(|| panic!("{}, after {at}: {all:?}", path.display()));
                // Nets know the element of a sequence that is accessed, and not always the line.
                let is_same = |other: &Race| {
                    let [one, two] = [&race, other].map(|race| race.location.split('[').next());
                    let mut accesses = other.accesses.clone();
                    for (access, own) in accesses.iter_mut().zip(&race.accesses) {
                        access.line = access.line.or(own.line);
                    }
                    one == two && accesses == race.accesses
                };
                assert!(all.iter().any(is_same), "{}: {race:?} {all:?}", path.display());
                found += 1;
            }
        },
    );
    assert!(found > 5, "{found}");
}

#[test]
fn runs_of_programs_are_read_back() {
    on_runs(
        7..8,
        |_| true,
        |path, pair| {
            let teller = &pair.teller;
            let record = ProgramRecord::of(&pair.of_program, teller, Some("shown"));
            let json = record.to_json();
            let read: ProgramRecord = serde_json::from_value(json).expect("it was written");
            let again =
                read.replay(teller).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            assert_eq!(ProgramRecord::of(&again, teller, Some("shown")), record);
            let mut wrong = record;
            if let Some(step) = wrong.steps.last_mut() {
                step.state.threads.clear();
                step.state.globals.insert("nothing".into(), true.into());
                assert!(wrong.replay(teller).is_err(), "{}", path.display());
            }
        },
    );
}
