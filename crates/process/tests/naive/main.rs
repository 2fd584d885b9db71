//! Programs by their definition, against the nets that they are compiled to.

mod act;
mod at_once;
mod bisimulation;
mod canonical;
mod code;
mod compiled;
mod control;
mod counts;
mod evaluate;
mod form;
mod generate;
mod planted;
mod source;
mod state;
mod stutter;
mod turns;
mod value;

use counts::Counts;
use generate::Features;
use process::Observed;
use process::program::Program;
use random::Random;
use turns::Turns;

/// What came of comparing a program with its net.
enum Compared {
    /// There are too many states.
    TooLarge,
    /// The compiler does not translate it.
    Refused,
    /// There are few states, and enough programs of that kind.
    TooSmall,
    Same {
        states: usize,
        classes: usize,
        faults: bool,
        by_statements: Option<usize>,
    },
    Different(String),
}

/// Compares turns after every statement with turns where fused steps end, as branching time sees them.
fn compare_by_statements(program: &Program, most: usize) -> Compared {
    let observed = Observed { branching: true, ..Observed::default() };
    let code = code::Code::new(program, &observed);
    let Some((fused, _)) = turns::graph(&code, Turns::Steps, most) else {
        return Compared::TooLarge;
    };
    let Some((naive, _)) = turns::graph(&code, Turns::Statements, 5 * most) else {
        return Compared::TooLarge;
    };
    let Some(net) = compiled::net_of(program, &observed) else { return Compared::Refused };
    match compiled::graph(program, &net, most) {
        Ok(Some(compiled)) => {
            if let Some(difference) = bisimulation::difference(&fused, &compiled) {
                return Compared::Different(format!("fused: {difference:#?}"));
            }
        }
        Ok(None) => return Compared::TooLarge,
        Err(fault) => return Compared::Different(fault),
    };
    match stutter::are_equivalent(&naive, &fused) {
        true => Compared::Same {
            states: naive.states.len(),
            classes: fused.states.len(),
            faults: fused.has_faults(),
            by_statements: Some(naive.states.len()),
        },
        false => Compared::Different("turns after every statement tell".into()),
    }
}

fn compare(
    program: &Program,
    observed: &Observed,
    counts: &Counts,
    most: usize,
    want_small: bool,
) -> Compared {
    let code = code::Code::new(program, observed);
    let Some((naive, _)) = turns::graph(&code, Turns::Steps, most) else {
        return Compared::TooLarge;
    };
    if naive.states.len() <= 100 && !want_small {
        return Compared::TooSmall;
    }
    counts.extend(&code.counts);
    let Some(net) = compiled::net_of(program, observed) else { return Compared::Refused };
    let compiled = match compiled::graph(program, &net, most) {
        Ok(Some(graph)) => graph,
        Ok(None) => return Compared::TooLarge,
        Err(fault) => return Compared::Different(fault),
    };
    match bisimulation::difference(&naive, &compiled) {
        None => Compared::Same {
            states: naive.states.len(),
            classes: compiled.states.len(),
            faults: naive.has_faults(),
            by_statements: None,
        },
        Some(difference) => Compared::Different(format!("{difference:#?}")),
    }
}

/// Compares this many programs, at least half of them with more than a hundred classes.
fn compare_many(first_seed: u64, wanted: usize) -> Counts {
    let counts = Counts::default();
    let (mut small, mut big) = (0, 0);
    let mut seed = first_seed;
    while small + big < wanted {
        let _seed = random::Seed(seed);
        let program = generate::program(&mut Random::new(seed), Features::ALL);
        seed += 1;
        let want_small = 2 * small < wanted;
        match compare(&program, &Observed::default(), &counts, MOST_STATES, want_small) {
            Compared::TooLarge | Compared::TooSmall | Compared::Refused => {}
            Compared::Same { classes, .. } if classes > 100 => big += 1,
            Compared::Same { .. } => small += 1,
            Compared::Different(why) => panic!("{}\n{why}", source::text(&program)),
        }
    }
    assert!(2 * big >= wanted, "{big} of {wanted} are big");
    counts
}

/// How many states a program may have to be compared.
const MOST_STATES: usize = 1_000;

/// What random programs must have tried.
const TRIED: [&str; 24] = [
    "a handle of one who has ended",
    "a rendezvous",
    "a rendezvous of two selects",
    "a rendezvous with a select",
    "calls more than two deep",
    "crash another",
    "crash oneself",
    "else is not taken",
    "else is taken",
    "garbage in circles is dropped",
    "garbage is dropped",
    "kill at a plain access",
    "kill at a select",
    "kill at a turn",
    "kill at an atomic block",
    "kill before reading",
    "kill between reading and writing",
    "kill in a function",
    "kill in something deferred",
    "kill one that has ended",
    "kill one that was killed",
    "kill oneself",
    "one who was killed waits",
    "something deferred waits",
];

fn require_tried(counts: &Counts) {
    let counts = counts.0.borrow();
    let missing: Vec<&str> = TRIED.into_iter().filter(|what| !counts.contains_key(what)).collect();
    assert!(missing.is_empty(), "no program has tried {missing:?}: {counts:#?}");
}

#[test]
fn nets_do_what_programs_say() {
    require_tried(&compare_many(0, 1_000));
}

#[test]
fn nets_do_what_other_programs_say() {
    require_tried(&compare_many(1_000_000, 1_000));
}

#[test]
fn fused_steps_look_like_statements() {
    let mut compared = 0;
    for seed in 2_000_000.. {
        let _seed = random::Seed(seed);
        let program = generate::program(&mut Random::new(seed), Features::ALL);
        match compare_by_statements(&program, 150) {
            Compared::TooLarge | Compared::TooSmall | Compared::Refused => {}
            Compared::Same { .. } => compared += 1,
            Compared::Different(why) => panic!("{}\n{why}", source::text(&program)),
        }
        if compared == 300 {
            break;
        }
    }
}

/// What is asked of the one who looks for a difference.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
#[ignore = "for those who look for a difference"]
fn look() {
    let (from, to) = (number("FROM", 0), number("TO", 100));
    let most = number("MOST", 3000) as usize;
    let mut features = Features::ALL;
    let without = std::env::var("WITHOUT").unwrap_or_default();
    let with = std::env::var("WITH").unwrap_or_default();
    for (names, value) in [(without, false), (with, true)] {
        for name in names.split(',') {
            match name {
                "kill" => features.kill = value,
                "crash" => features.crash = value,
                "otherwise" => features.otherwise = value,
                "meetings" => features.meetings = value,
                "defers" => features.defers = value,
                "functions" => features.functions = value,
                "collections" => features.collections = value,
                "faults" => features.faults = value,
                "loops" => features.loops_without_steps = value,
                "labels" => features.labels = value,
                "short" => features.short = value,
                _ => {}
            }
        }
    }
    let counts = Counts::default();
    let (mut large, mut different, mut same, mut big, mut panics) = (0, 0, 0, 0, 0);
    let mut with_faults = 0;
    let mut sizes = Vec::new();
    for seed in from..to {
        let program = generate::program(&mut Random::new(seed), features);
        if to == from + 1 {
            println!("{}", source::text(&program));
        }
        let begun = std::time::Instant::now();
        let compared =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match number("BY", 0) {
                0 => compare(&program, &Observed::default(), &counts, most, true),
                _ => compare_by_statements(&program, most),
            }));
        if begun.elapsed().as_secs() > 3 {
            println!("seed {seed} takes {:?}", begun.elapsed());
        }
        match compared {
            Err(_) => {
                panics += 1;
                println!("seed {seed} panics");
            }
            Ok(Compared::TooLarge | Compared::TooSmall | Compared::Refused) => large += 1,
            Ok(Compared::Same { states, classes, faults, by_statements }) => {
                same += 1;
                sizes.push(classes);
                with_faults += usize::from(faults);
                big += usize::from(classes > 100);
                if to == from + 1 {
                    println!("{states} {classes} {by_statements:?}");
                }
            }
            Ok(Compared::Different(why)) => {
                different += 1;
                let size: String = source::text(&program).lines().count().to_string();
                println!("seed {seed} differs ({size} lines)");
                if to == from + 1 {
                    println!("{why}");
                }
            }
        }
    }
    println!("{:#?}", counts.0.borrow());
    sizes.sort_unstable();
    let part = |tenth: usize| sizes.get(sizes.len() * tenth / 10).copied();
    println!("{:?}", (1..10).map(part).collect::<Vec<_>>());
    println!(
        "same {same} (big {big}, faults {with_faults}), large {large}, different {different}, panics {panics}"
    );
}
