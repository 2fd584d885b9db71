//! What the search itself costs, in instructions per successor: one by one, in waves on two threads, in those steps of a
//! wave that one thread does while the other waits, and on disk.
//!
//! ```text
//! cargo bench -p kinfold-explore --bench instructions                 compares with what is kept
//! cargo bench -p kinfold-explore --bench instructions -- --record     keeps the counts
//! ```
//!
//! Times vary with the machine and with what else it does; instructions hardly do. They are counted by valgrind
//! (callgrind), which has to be installed, and compared with those in `instructions.tsv` beside this benchmark, which
//! fails where one has grown by more than a twentieth. What callgrind cannot see is waiting: for memory, and for the other
//! thread. `cargo bench -p kinfold-explore --bench search` and `kinfold bench threads` measure that.

#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, reason = "a benchmark prints")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use counters::Counters;
use explore::{Control, Exploration, Options, Share, Spill, explore, explore_on};

#[path = "space/counters.rs"]
mod counters;

/// How much more instructions are allowed than are kept.
const TOLERANCE: f64 = 1.05;
/// What is counted: its name, the search, and the functions of which alone the instructions are counted.
const COUNTED: [(&str, &str, &[&str]); 4] = [
    ("one by one", "one", &[]),
    ("waves", "waves", &[]),
    ("waves, alone", "waves", &["*Workshop*number*", "*Workshop*settle*"]),
    ("on disk", "disk", &[]),
];

/// Of four successors about one is new.
fn space() -> Counters<20, 5> {
    Counters
}

fn search(way: &str) -> Exploration {
    let folder = tempfile::tempdir().expect("there is a place for files");
    let spill = Spill { directory: folder.path().to_owned(), share: Share::Nothing };
    let (mut watch, mut review) = (|_: &_| Control::Continue, |_: &_| Control::Continue);
    let Ok(found) = match way {
        "waves" => {
            let options = Options { share_from: Some(1), ..Options::default() };
            explore_on(&mut [space(), space()], &options, &mut watch, &mut review)
        }
        "disk" => {
            let options = Options { spill: Some(spill), ..Options::default() };
            explore(&mut space(), &options, &mut watch)
        }
        _ => explore(&mut space(), &Options::default(), &mut watch),
    };
    found
}

/// Instructions per successor.
fn instructions(way: &str, functions: &[&str]) -> f64 {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.args(functions.iter().map(|name| format!("--toggle-collect={name}")));
    valgrind.arg(env::current_exe().expect("this program has a path")).args(["--search", way]);
    let output = valgrind.output().expect("valgrind is installed");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{way}: {log}");
    let collected = log.lines().find_map(|line| line.split_once("Collected :")).expect("a count");
    let collected: f64 = collected.1.trim().parse().expect("a number");
    let successors = String::from_utf8_lossy(&output.stdout).trim().parse::<f64>();
    collected / successors.expect("a number of successors")
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [.., flag, way] = &args[..]
        && flag == "--search"
    {
        println!("{}", search(way).modes);
        return ExitCode::SUCCESS;
    }
    let record = args.iter().any(|arg| arg == "--record");
    let kept = if record { BTreeMap::new() } else { kept() };
    let mut lines = String::new();
    let mut has_grown = false;
    println!("| search | instructions per successor |");
    println!("| --- | --- |");
    for (name, way, functions) in COUNTED {
        let now = instructions(way, functions);
        let before = kept.get(name).filter(|before| now > *before * TOLERANCE);
        let were = before.map_or(String::new(), |before| format!(", were {before:.1}"));
        has_grown |= before.is_some();
        println!("| {name} | {now:.1}{were} |");
        lines += &format!("{name}\t{now:.1}\n");
    }
    if record {
        fs::write(kept_file(), lines).expect("the counts can be kept");
    }
    ExitCode::from(u8::from(has_grown))
}

fn kept_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.tsv")
}

/// The instructions per successor that were kept.
fn kept() -> BTreeMap<String, f64> {
    let text = fs::read_to_string(kept_file()).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(name, count)| (name.to_owned(), count.parse().expect("a number"))).collect()
}
