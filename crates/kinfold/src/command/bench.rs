//! `kinfold bench`: what users may want to measure on their machines.

mod paper;
mod threads;

use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use fold::{Dictionary, Folder, Working};
use random::Random;

use super::cli::{BenchCanonArgs, BenchCommand};
use super::output::Output;
use super::{Exit, Failure, load, progress, states};

/// States are renamed in batches of about this many: few enough to stay in the cache, as the state does
/// that an explorer works on, and many enough for the clock not to matter.
const BATCH: usize = 64;

pub fn run(command: &BenchCommand) -> Result<Exit, Failure> {
    match command {
        BenchCommand::Canon(args) => progress::limited(&args.limit, || canon(args)),
        BenchCommand::Threads(args) => threads::run(args),
        BenchCommand::Paper(args) => progress::limited(&args.limit, || paper::run(args)),
    }
}

/// Canonical forms per second, from working states to canonical bytes. The states are renamed at random
/// before each time, and nothing is remembered from one to the next.
fn canon(args: &BenchCanonArgs) -> Result<Exit, Failure> {
    let name = load::name(&args.file);
    let states = states::all(&args.file)?;
    let dictionary = Dictionary::of(&states);
    let schema = dictionary.schema();
    let workings: Vec<Working> =
        states.iter().map(|state| dictionary.working(state, args.relations).0).collect();
    let mut folder = Folder::new(schema, args.relations);
    let mut random = Random::new(1);
    let (mut forms, mut spent) = (0_u64, Duration::ZERO);
    let mut distinct = BTreeSet::new();
    let mut bytes = Vec::new();
    while spent < args.time {
        let copies = BATCH.div_ceil(workings.len());
        let renamed = workings.iter().cycle().take(copies * workings.len());
        let batch: Vec<Working> =
            renamed.map(|working| working.renamed(schema, |bound| random.below(bound))).collect();
        let clock = ThreadTime::now();
        for working in &batch {
            bytes.clear();
            folder.fold(black_box(working), &mut bytes);
            black_box(&bytes);
        }
        spent += clock.elapsed();
        forms += batch.len() as u64;
        for working in &batch {
            bytes.clear();
            folder.fold(working, &mut bytes);
            if !distinct.contains(&bytes) {
                distinct.insert(bytes.clone());
            }
        }
    }
    let rate = forms as f64 / spent.as_secs_f64();
    let output = if args.json {
        let report = serde_json::json!({
            "schema_version": 1,
            "file": name,
            "relations": args.relations.iter().map(|r| r.name()).collect::<Vec<_>>(),
            "states": states.len(),
            "distinct": distinct.len(),
            "forms": forms,
            "cpu_seconds": spent.as_secs_f64(),
            "forms_per_cpu_second": rate,
        });
        format!("{report:#}\n")
    } else {
        format!(
            "{name}: {} states, {} distinct; {rate:.0} canonical forms per CPU-second\n",
            states.len(),
            distinct.len()
        )
    };
    Output::Stdout.write(output)?;
    Ok(Exit::Done)
}
