//! Whether limits are kept, measured from outside: command, engine and limit, against seconds and the
//! largest resident memory that the system has seen.
//!
//! `cargo bench -p kinfold --bench limits` prints a table in Markdown, and fails if a limit is passed by more
//! than a twentieth and 30 MiB, or by more than a tenth of the time or half a second, whichever is larger.
//! Names of rows may be given, to run only those in which one occurs.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark prints")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The time between two looks at the memory of the child.
const PACE: Duration = Duration::from_millis(1);
const MIB: u64 = 1 << 20;

/// A run, and what it may use.
struct Row {
    args: Vec<String>,
    seconds: Option<u64>,
    mebibytes: Option<u64>,
    /// When Ctrl-C is pressed.
    interrupt: Option<Duration>,
}

/// What was measured.
struct Measured {
    /// From the start, or from Ctrl-C.
    seconds: f64,
    peak: u64,
    status: Option<i32>,
}

impl Row {
    fn name(&self) -> String {
        let mut name = String::new();
        for arg in &self.args {
            let mut path = Path::new(arg);
            if path.ends_with("model.pnml") {
                path = path.parent().expect("it is in a folder");
            }
            let short = path.file_name().filter(|_| path.is_absolute());
            let short = short.and_then(|name| name.to_str()).unwrap_or(arg);
            write!(name, "{short} ").expect("strings do not fail");
        }
        name.trim_end().to_owned()
    }

    fn measure(&self) -> Measured {
        let mut command = Command::new(kinfold());
        command.args(&self.args).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(seconds) = self.seconds {
            command.arg("--time").arg(seconds.to_string());
        }
        if let Some(mebibytes) = self.mebibytes {
            command.arg("--memory").arg(format!("{mebibytes}MiB"));
        }
        let mut began = Instant::now();
        let mut child = command.spawn().expect("the command starts");
        let mut pending = self.interrupt;
        let mut peak = 0;
        let status = loop {
            peak = peak.max(peak_memory(&child).unwrap_or(0));
            if pending.is_some_and(|after| began.elapsed() >= after) {
                pending = None;
                press_ctrl_c(&child);
                began = Instant::now();
            }
            if let Some(status) = child.try_wait().expect("the child can be waited for") {
                break status;
            }
            thread::sleep(PACE);
        };
        Measured { seconds: began.elapsed().as_secs_f64(), peak, status: status.code() }
    }

    /// Whether what was measured is within the limits, and what they allow.
    fn is_kept(&self, measured: &Measured) -> bool {
        let most_memory = self.mebibytes.map(|mebibytes| mebibytes * MIB * 21 / 20 + 30 * MIB);
        let limit = match self.interrupt {
            Some(_) => Some(0.0),
            None => self.seconds.map(|seconds| seconds as f64),
        };
        let most_time = limit.map(|limit| limit + (limit / 10.0).max(0.5));
        most_memory.is_none_or(|most| measured.peak <= most)
            && most_time.is_none_or(|most| measured.seconds <= most)
    }
}

/// The command that is measured: the one that was built, or another by its path.
fn kinfold() -> PathBuf {
    match (env::var_os("KINFOLD"), option_env!("CARGO_BIN_EXE_kinfold")) {
        (Some(path), _) => path.into(),
        (None, Some(path)) => path.into(),
        (None, None) => "kinfold".into(),
    }
}

fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

fn press_ctrl_c(child: &Child) {
    let sent = Command::new("kill").arg("-INT").arg(child.id().to_string()).status();
    assert!(sent.is_ok_and(|status| status.success()), "the child can be interrupted");
}

/// A document with this net.
fn document(net: &str) -> String {
    format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\n\
         {net}</page></net></pnml>\n"
    )
}

fn place(name: &str, tokens: u32) -> String {
    format!("<place id=\"{name}\"><initialMarking><text>{tokens}</text></initialMarking></place>\n")
}

/// A transition that takes a token from each of some places, and puts one into each of others.
fn transition(name: &str, take: &[String], put: &[String]) -> String {
    let mut text = format!("<transition id=\"{name}\"/>\n");
    let taken = take.iter().map(|place| (place.as_str(), name));
    let arcs = taken.chain(put.iter().map(|place| (name, place.as_str())));
    for (i, (source, target)) in arcs.enumerate() {
        writeln!(text, "<arc id=\"{name}a{i}\" source=\"{source}\" target=\"{target}\"/>")
            .expect("strings do not fail");
    }
    text
}

/// A net of this many places in a circle, of which every tenth has a token.
fn circle(places: usize) -> String {
    let part = |i: usize| {
        let next = format!("p{}", (i + 1) % places);
        let here = format!("p{i}");
        place(&here, u32::from(i.is_multiple_of(10)))
            + &transition(&format!("t{i}"), &[here], &[next])
    };
    document(&(0..places).map(part).collect::<String>())
}

/// As many cards as cells, of which neighbours are exchanged: all orders are reached, and a diagram of them
/// has a node for each set of cards.
fn cards(cells: usize) -> String {
    let at = |cell: usize, card: usize| format!("c{cell}_{card}");
    let mut net = String::new();
    for (cell, card) in (0..cells).flat_map(|cell| (0..cells).map(move |card| (cell, card))) {
        net += &place(&at(cell, card), u32::from(cell == card));
        for other in (0..cells).filter(|other| cell + 1 < cells && *other != card) {
            let take = [at(cell, card), at(cell + 1, other)];
            let put = [at(cell, other), at(cell + 1, card)];
            net += &transition(&format!("x{cell}_{card}_{other}"), &take, &put);
        }
    }
    document(&net)
}

/// A model in which a transition takes a token from each of three places, which have one for each member of a
/// class.
fn fan(class: &str, guard: &str) -> String {
    format!(
        "model fan\nclass L {class}\nplace a: L = all\nplace b: L = all\nplace c: L = all\n\
         place d(x: L, y: L, z: L)\n\
         transition go {{ take a(x), b(y), c(z)  put d(x, y, z) {guard} }}\n\
         property p: always count(d) < 1\n"
    )
}

/// The rows of the table; nets that are made for them are written to `folder`.
fn rows(folder: &Path) -> Vec<Row> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let model = |name: &str| models.join(name).canonicalize().expect("the model is there");
    let server = model("server.kin");
    let queue = model("pnml/queue.pnml");
    let written = |name: &str, net: String| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder can be made");
        fs::write(&path, net).expect("a net can be written");
        path
    };
    let instance = |name: &str, net: String| written(&format!("{name}/model.pnml"), net);
    let small = instance("circle-100", circle(100));
    let large = instance("circle-20000", circle(20_000));
    let cards = instance("cards-18", cards(18));
    let ordered = written("fan-ordered.kin", fan("ordered 400", ""));
    let symmetric = written("fan-symmetric.kin", fan("symmetric 400", ""));
    let guard = "when x == L999 and y == L999 and z == L999";
    let guarded = written("fan-guarded.kin", fan("ordered 2000", guard));
    let text = |path: &Path| path.to_str().expect("paths are UTF-8").to_owned();
    let row = |line: &str, model: &Path, seconds: u64, mebibytes: u64| {
        let mut args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        args.insert(1, text(model));
        let given = |limit: u64| Some(limit).filter(|&limit| limit > 0);
        Row { args, seconds: given(seconds), mebibytes: given(mebibytes), interrupt: None }
    };
    let large_server = "--set k=9 --set m=9";
    let at_server = |line: &str, seconds: u64, mebibytes: u64| {
        row(&format!("{line} {large_server}"), &server, seconds, mebibytes)
    };
    let interrupted = |mut row: Row, after: u64| {
        row.interrupt = Some(Duration::from_secs(after));
        row
    };
    let folder_of = |path: &Path| path.parent().expect("it has one").to_owned();
    vec![
        at_server("explore --engine explicit", 0, 200),
        at_server("explore --engine explicit --threads 1", 0, 200),
        at_server("explore --engine explicit", 0, 1000),
        at_server("explore --engine explicit", 3, 0),
        at_server("explore --full", 0, 200),
        at_server("check --engine explicit", 0, 200),
        at_server("check --engine explicit", 0, 1000),
        at_server("check --engine explicit", 3, 0),
        at_server("graph", 0, 200),
        at_server("graph", 3, 0),
        row("explore --engine explicit", &small, 0, 200),
        row("check --engine explicit", &small, 0, 200),
        row("check --engine auto", &small, 0, 200),
        row("explore --engine ddd", &cards, 5, 100),
        row("explore --engine ddd", &cards, 3, 0),
        row("explore --engine auto", &cards, 5, 100),
        row("check --engine ddd", &cards, 5, 100),
        row("check --engine ddd", &cards, 3, 0),
        row("check --engine auto", &cards, 5, 100),
        row("check --engine auto", &cards, 8, 0),
        row("mcc --examination StateSpace", &folder_of(&cards), 5, 100),
        row("mcc --examination ReachabilityDeadlock", &folder_of(&cards), 5, 100),
        row("explore", &queue, 5, 200),
        row("check", &queue, 5, 200),
        row("explore --engine explicit", &large, 5, 500),
        row("explore --engine ddd", &large, 5, 500),
        row("explore", &large, 5, 500),
        row("check", &large, 5, 500),
        row("graph", &large, 5, 500),
        row("mcc --examination StateSpace", &folder_of(&large), 5, 500),
        row("explore", &ordered, 3, 300),
        row("check --engine explicit", &ordered, 3, 300),
        row("check", &ordered, 3, 300),
        row("check", &symmetric, 3, 300),
        row("check", &guarded, 3, 300),
        row("explore --trace-to go", &guarded, 3, 300),
        interrupted(at_server("explore", 0, 0), 2),
        interrupted(at_server("check", 0, 0), 2),
        interrupted(at_server("graph", 0, 0), 2),
        interrupted(row("explore --engine ddd", &cards, 0, 0), 2),
        interrupted(row("check --engine ddd", &cards, 0, 0), 2),
        interrupted(row("explore", &large, 0, 0), 2),
        interrupted(row("check", &large, 0, 0), 2),
        interrupted(row("check", &guarded, 0, 0), 2),
    ]
}

fn main() -> ExitCode {
    let wanted: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let folder = env::temp_dir().join(format!("kinfold-limits-{}", std::process::id()));
    let rows = rows(&folder);
    let mut are_kept = true;
    println!("| command | limit | seconds | peak memory | exit | kept |");
    println!("| --- | --- | ---: | ---: | ---: | --- |");
    for row in rows {
        let name = row.name();
        if !wanted.is_empty() && !wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        let measured = row.measure();
        let is_kept = row.is_kept(&measured);
        are_kept &= is_kept;
        let time = row.seconds.map(|seconds| format!("{seconds} s"));
        let memory = row.mebibytes.map(|mebibytes| format!("{mebibytes} MiB"));
        let ctrl_c = row.interrupt.map(|after| format!("Ctrl-C after {} s", after.as_secs()));
        let limits: Vec<String> = time.into_iter().chain(memory).chain(ctrl_c).collect();
        println!(
            "| `{name}` | {} | {:.2} | {} MiB | {} | {} |",
            limits.join(", "),
            measured.seconds,
            measured.peak / MIB,
            measured.status.map_or_else(|| "–".into(), |status| status.to_string()),
            if is_kept { "yes" } else { "**no**" },
        );
    }
    // What is left behind in a folder for such things does no harm.
    let _ = fs::remove_dir_all(folder);
    if are_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
