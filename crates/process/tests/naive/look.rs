//! Looking for differences by hand: `FROM=0 TO=100 cargo test -p kinfold-process --test naive look -- --ignored
//! --nocapture`. One program alone is shown. `WITHOUT=kill,faults` leaves out features; `MOST` is how many states a
//! program may have; with `BY=1` turns after every statement are compared, with `BY=2` verdicts.

use random::Random;

use crate::counts::Counts;
use crate::generate::{self, Features};
use crate::{Compared, compare, compare_by_statements, observed, source, verdicts};

/// What is asked of the one who looks for a difference.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
#[ignore = "for those who look for a difference"]
#[expect(clippy::print_stdout, reason = "that is what it is for")]
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
                "lively" => features = Features::LIVELY,
                "idle" => features.idle = value,
                _ => {}
            }
        }
    }
    let counts = Counts::default();
    let (mut large, mut different, mut same, mut big, mut panics) = (0, 0, 0, 0, 0);
    let mut with_faults = 0;
    let mut sizes = Vec::new();
    let mut tally = verdicts::Tally::default();
    for seed in from..to {
        let mut random = Random::new(seed);
        let program = generate::program(&mut random, features);
        if to == from + 1 {
            println!("{}", source::text(&program));
        }
        let begun = std::time::Instant::now();
        let compared =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match number("BY", 0) {
                0 => compare(&program, &observed(seed / 2, &program), &counts, most, true),
                1 => compare_by_statements(&program, most),
                _ => match verdicts::compare(&program, &mut random, most, &mut tally) {
                    Ok(None) => Compared::TooLarge,
                    Ok(Some(states)) => {
                        let by_statements = Some(states);
                        Compared::Same { states, classes: states, faults: false, by_statements }
                    }
                    Err(why) => Compared::Different(why),
                },
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
    println!("{:#?} {tally:?}", counts.0.borrow());
    sizes.sort_unstable();
    let part = |tenth: usize| sizes.get(sizes.len() * tenth / 10).copied();
    println!("{:?}", (1..10).map(part).collect::<Vec<_>>());
    println!(
        "same {same} (big {big}, faults {with_faults}), large {large}, different {different}, panics {panics}"
    );
}
