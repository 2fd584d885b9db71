//! `kinfold bench threads`: what more threads gain.
//!
//! The runs on different numbers of threads take turns, so that what else the machine does strikes all of
//! them alike, and of each the shortest counts. The ratio is that of wall times.

use std::time::Instant;

use kinfold::{Plan, Survey};

use crate::command::cli::BenchThreadsArgs;
use crate::command::output::Output;
use crate::command::table::table;
use crate::command::{Exit, Failure, explore, load, progress};

/// What was measured on some number of threads.
struct Measured {
    threads: usize,
    /// Wall time, in seconds, of each run.
    seconds: Vec<f64>,
    bytes_per_state: f64,
}

impl Measured {
    fn shortest(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

pub fn run(args: &BenchThreadsArgs) -> Result<Exit, Failure> {
    let net = progress::preparing(&args.exploration.budget(false), || load::net(&args.model))?;
    let mut all: Vec<Measured> = numbers(args.exploration.limits.threads())
        .map(|threads| Measured { threads, seconds: Vec::new(), bytes_per_state: 0.0 })
        .collect();
    let mut first = None;
    let mut complete = true;
    for _ in 0..args.runs {
        for measured in &mut all {
            let plan = Plan {
                threads: measured.threads,
                ..args.exploration.plan(&args.exploration.budget(false))
            };
            let clock = Instant::now();
            let (survey, _) = explore::explored(&net, plan)?;
            measured.seconds.push(clock.elapsed().as_secs_f64());
            let states = survey.exploration().states().max(1) as f64;
            measured.bytes_per_state = survey.store_bytes() as f64 / states;
            let (counts, is_complete) = (counts(&survey), survey.exploration().complete);
            let expected = *first.get_or_insert(counts);
            // Where time or memory ends a run, how far it has come is a matter of luck.
            assert!(expected == counts || !is_complete, "{expected:?} is not {counts:?}");
            complete &= is_complete;
        }
    }
    let [states, edges, modes, deadlocks, terminated] = first.unwrap_or_default();
    let one = all[0].shortest();
    let output = if args.json {
        let report = serde_json::json!({
            "schema_version": 1,
            "model": net.name,
            "states": states,
            "edges": edges,
            "modes": modes,
            "deadlocks": deadlocks,
            "terminated": terminated,
            "complete": complete,
            "measured": all.iter().map(|measured| serde_json::json!({
                "threads": measured.threads,
                "seconds": measured.shortest(),
                "runs": measured.seconds,
                "ratio": measured.shortest() / one,
                "store_bytes_per_state": measured.bytes_per_state,
            })).collect::<Vec<_>>(),
        });
        format!("{report:#}\n")
    } else {
        let incomplete = if complete { "" } else { ", incomplete" };
        let heads = ["threads", "seconds", "of one", "store, bytes/state"].map(str::to_owned);
        let row = |measured: &Measured| {
            [
                measured.threads.to_string(),
                format!("{:.4}", measured.shortest()),
                format!("{:.2}", measured.shortest() / one),
                format!("{:.1}", measured.bytes_per_state),
            ]
        };
        let rows: Vec<[String; 4]> = [heads].into_iter().chain(all.iter().map(row)).collect();
        let table = table(&rows, 0);
        format!("{}: {states} states, {edges} edges{incomplete}\n\n{table}", net.name)
    };
    Output::Stdout.write(output)?;
    Ok(Exit::Done)
}

/// 1, 2, 4 and so on, and the largest number.
fn numbers(largest: usize) -> impl Iterator<Item = usize> {
    let powers = (0..usize::BITS).map(|power| 1 << power);
    powers.take_while(move |&power| power < largest).chain([largest])
}

fn counts(survey: &Survey) -> [u64; 5] {
    let found = survey.exploration();
    [
        found.states(),
        found.edges,
        found.modes,
        found.deadlocks.len() as u64,
        found.terminated.len() as u64,
    ]
}
