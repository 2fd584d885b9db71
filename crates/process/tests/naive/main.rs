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
    let net = compiled::net_of(program, &observed);
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

fn compare(program: &Program, observed: &Observed, counts: &Counts, most: usize) -> Compared {
    let code = code::Code::new(program, observed);
    let Some((naive, _)) = turns::graph(&code, Turns::Steps, most) else {
        return Compared::TooLarge;
    };
    counts.extend(&code.counts);
    let net = compiled::net_of(program, observed);
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

/// What the compiler has so far.
const BASIC: Features = Features {
    kill: false,
    crash: false,
    otherwise: false,
    meetings: false,
    defers: true,
    functions: true,
    collections: true,
    faults: true,
    loops_without_steps: false,
    labels: true,
    short: false,
};

/// What is asked of the one who looks for a difference.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
#[ignore = "for those who look for a difference"]
fn look() {
    let (from, to) = (number("FROM", 0), number("TO", 100));
    let most = number("MOST", 3000) as usize;
    let mut features = if number("ALL", 0) == 1 { Features::ALL } else { BASIC };
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
    for seed in from..to {
        let program = generate::program(&mut Random::new(seed), features);
        if to == from + 1 {
            println!("{}", source::text(&program));
        }
        let begun = std::time::Instant::now();
        let compared =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match number("BY", 0) {
                0 => compare(&program, &Observed::default(), &counts, most),
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
            Ok(Compared::TooLarge) => large += 1,
            Ok(Compared::Same { states, classes, faults, by_statements }) => {
                same += 1;
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
    println!(
        "same {same} (big {big}, faults {with_faults}), large {large}, different {different}, panics {panics}"
    );
}
