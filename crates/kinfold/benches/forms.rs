//! How fast states are folded: canonical forms per CPU-second, and instructions per form.
//!
//! ```text
//! cargo bench -p kinfold --bench forms                    on states met in random runs of the models
//! cargo bench -p kinfold --bench forms -- FILE.jsonl…     on the states of files
//! cargo bench -p kinfold --bench forms -- --record        keeps the counts of instructions
//! ```
//!
//! Rates vary with the machine; instructions hardly do. They are counted by valgrind (callgrind), if it
//! is installed. Without files they are compared with those kept in `forms.tsv` beside this benchmark,
//! and it fails where one has grown by more than a twentieth.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark prints")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use kinfold::lang::{self, Override};
use kinfold::net::{Net, TransitionId, interpret};
use kinfold::state::State;

type Constants = &'static [(&'static str, u32)];
/// The models whose states are folded, with their constants, and how many steps they run.
const RUNS: [(&str, Constants, usize); 7] = [
    ("server", &[("k", 3), ("m", 3)], 30),
    ("server", &[("k", 4), ("m", 4)], 60),
    ("server", &[("k", 8), ("m", 8)], 200),
    ("supervisor", &[], 40),
    ("futures", &[], 40),
    ("mailbox", &[], 40),
    ("ring", &[], 40),
];
const STATES: u64 = 64;
/// How much more instructions are allowed than are kept.
const TOLERANCE: f64 = 1.05;

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let record = args.iter().any(|arg| arg == "--record");
    let files: Vec<PathBuf> =
        args.iter().filter(|arg| !arg.starts_with('-')).map(PathBuf::from).collect();
    let is_own = files.is_empty();
    let files = if is_own { own_states() } else { files };
    let kept = if is_own && !record { kept() } else { BTreeMap::new() };
    let mut counts = BTreeMap::new();
    let mut has_grown = false;
    println!("| states | classes | forms per CPU-second | instructions per form |");
    println!("| --- | --- | --- | --- |");
    for file in &files {
        let name = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let (rate, classes) = rate(file);
        let instructions = instructions(file);
        let mut count = instructions.map_or("no valgrind".to_owned(), |n| format!("{n:.0}"));
        if let Some(now) = instructions {
            counts.insert(name.clone(), now);
            if let Some(before) = kept.get(&name).filter(|before| now > *before * TOLERANCE) {
                has_grown = true;
                write!(count, ", were {before:.0}").expect("strings take everything");
            }
        }
        println!("| {name} | {classes} | {rate:.0} | {count} |");
    }
    if record && is_own {
        let lines = counts.iter().map(|(name, count)| format!("{name}\t{count:.0}\n"));
        fs::write(kept_file(), lines.collect::<String>()).expect("the counts can be kept");
    }
    ExitCode::from(u8::from(has_grown))
}

/// Writes states that random runs of the models meet to files of the build.
fn own_states() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut files = Vec::new();
    for (model, constants, steps) in RUNS {
        let net = net(model, constants);
        let mut lines = String::new();
        for seed in 0..STATES {
            let state = walk(&net, steps, seed);
            writeln!(lines, "{}", state.to_json()).expect("strings take everything");
        }
        let sizes: String = constants.iter().map(|(_, value)| format!("-{value}")).collect();
        let file = folder.join(format!("{model}{sizes}.jsonl"));
        fs::write(&file, lines).expect("the states can be written");
        files.push(file);
    }
    files
}

fn net(model: &str, constants: Constants) -> Net {
    let file = format!("{}/../../models/{model}.kin", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(file).expect("the model is there");
    let set =
        |&(name, value): &(&str, u32)| Override { name: name.into(), value: value.to_string() };
    let constants: Vec<Override> = constants.iter().map(set).collect();
    lang::compile(&text, &constants).net.expect("the model is right")
}

/// The last state of a random run.
fn walk(net: &Net, steps: usize, mut seed: u64) -> State {
    let mut state = interpret::initial(net);
    for _ in 0..steps {
        let transitions = (0..net.transitions.len() as u32).map(TransitionId);
        let modes: Vec<_> = transitions
            .flat_map(|transition| interpret::modes(net, &state, transition).expect("no fault"))
            .collect();
        if modes.is_empty() {
            break;
        }
        // Not `Random`: forms.tsv was measured on the states that these numbers lead to.
        seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let mode = &modes[(seed >> 33) as usize % modes.len()];
        state = interpret::fire(net, &state, mode).expect("no fault").state;
    }
    state
}

/// Canonical forms per CPU-second, and the number of classes.
fn rate(file: &Path) -> (f64, u64) {
    let report = bench(&mut Command::new(env!("CARGO_BIN_EXE_kinfold")), file, "1").0;
    let rate = report["forms_per_cpu_second"].as_f64().expect("a rate");
    (rate, report["distinct"].as_u64().expect("a number of classes"))
}

/// Instructions per canonical form, unless there is no valgrind.
fn instructions(file: &Path) -> Option<f64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg("--toggle-collect=fold::folder::Folder::fold*");
    valgrind.arg(env!("CARGO_BIN_EXE_kinfold"));
    Command::new("valgrind").arg("--version").output().ok()?;
    let (report, log) = bench(&mut valgrind, file, "0.001");
    let collected = log.lines().find_map(|line| line.split_once("Collected :")).expect("a count");
    let collected: f64 = collected.1.trim().parse().expect("a number");
    // Each form is made once for the clock, and once to count classes.
    Some(collected / (2.0 * report["forms"].as_f64().expect("a number of forms")))
}

/// What `bench canon` reports, and what is said beside it.
fn bench(command: &mut Command, file: &Path, seconds: &str) -> (serde_json::Value, String) {
    command.args(["bench", "canon", "--json", "--time", seconds]).arg(file);
    let output = command.output().expect("it can be run");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {log}", file.display());
    (serde_json::from_slice(&output.stdout).expect("a report"), log)
}

fn kept_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/forms.tsv")
}

/// The instructions per form that were kept.
fn kept() -> BTreeMap<String, f64> {
    let text = fs::read_to_string(kept_file()).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(name, count)| (name.to_owned(), count.parse().expect("a number"))).collect()
}
