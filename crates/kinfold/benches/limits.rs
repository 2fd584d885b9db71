//! Whether limits are kept, measured from outside: command, engine and limit, against seconds and the
//! largest resident memory that the system has seen.
//!
//! `cargo bench -p kinfold --bench limits` prints tables in Markdown, and fails if a limit on memory is passed by more
//! than a twentieth, or one on time by more than a tenth or half a second, whichever is larger.
//! Names of rows may be given, to run only those in which one occurs.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark prints")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The time between two looks at the memory of the child.
const PACE: Duration = Duration::from_micros(500);
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

    /// Whether one of these occurs in its name, if there are any.
    fn is_wanted(&self, wanted: &[String]) -> bool {
        let name = self.name();
        wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str()))
    }

    /// How it ended, and whether that was within the limits.
    fn end(&self, measured: &Measured, are_kept: &mut bool) -> String {
        let is_kept = self.is_kept(measured);
        *are_kept &= is_kept;
        let status = measured.status.map_or_else(|| "–".into(), |status| status.to_string());
        format!("{status} | {}", if is_kept { "yes" } else { "**no**" })
    }

    /// Whether what was measured is within the limits, and what they allow.
    fn is_kept(&self, measured: &Measured) -> bool {
        let most_memory = self.mebibytes.map(|mebibytes| mebibytes * MIB * 21 / 20);
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

/// The formulas of an examination on the cards: of two cards in one cell, which never happens.
fn formulas(examination: &str) -> String {
    let tokens = "<tokens-count><place>c0_1</place><place>c0_2</place></tokens-count>";
    let two = format!("<integer-le><integer-constant>2</integer-constant>{tokens}</integer-le>");
    let fires = "<is-fireable><transition>x0_1_2</transition></is-fireable>";
    let formula = match examination {
        "UpperBounds" => format!("<place-bound>{}</place-bound>", "<place>c0_1</place>"),
        "LTLCardinality" => {
            format!("<all-paths><globally><negation>{two}</negation></globally></all-paths>")
        }
        "LTLFireability" => {
            format!("<all-paths><globally><finally>{fires}</finally></globally></all-paths>")
        }
        "CTLFireability" => format!(
            "<all-paths><globally><exists-path><finally>{fires}</finally></exists-path></globally></all-paths>"
        ),
        _ => format!("<exists-path><finally>{two}</finally></exists-path>"),
    };
    format!(
        "<property-set xmlns=\"http://mcc.lip6.fr/\"><property><id>cards-{examination}-00</id>\
         <description>of cards</description><formula>{formula}</formula></property></property-set>"
    )
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

/// A model with this many places.
fn long(places: usize) -> String {
    let places = (0..places).map(|i| format!("place p{i}: nat\n"));
    format!("model long\n{}", places.collect::<String>())
}

/// The server with properties of every kind.
fn asked(server: &str) -> String {
    format!(
        "{server}\n\
         property invariant: always count(main) <= 1\n\
         property stuck: no_one_stuck\n\
         property can_end: everyone_can_end\n\
         property linear: always (count(ready) > 0 implies eventually count(finished) > 0)\n\
         property branching: AG EF count(ready) == 0\n"
    )
}

/// The limits on memory, in mebibytes, of what explores.
const LIMITS: [u64; 3] = [64, 256, 1024];
/// The examinations that have formulas, of which one is of each kind.
const EXAMINATIONS: [&str; 5] = [
    "ReachabilityCardinality",
    "UpperBounds",
    "LTLCardinality",
    "LTLFireability",
    "CTLFireability",
];

/// Nets and models that are made for the tables.
struct Models {
    folder: PathBuf,
    server: PathBuf,
    races: PathBuf,
    queue: PathBuf,
    asked: PathBuf,
    small: PathBuf,
    large: PathBuf,
    cards: PathBuf,
    long: PathBuf,
    ordered: PathBuf,
    symmetric: PathBuf,
    guarded: PathBuf,
    states: PathBuf,
}

impl Models {
    fn in_folder(folder: &Path) -> Models {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let model = |name: &str| models.join(name).canonicalize().expect("the model is there");
        let written = |name: &str, net: String| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder can be made");
            fs::write(&path, net).expect("a net can be written");
            path
        };
        let instance = |name: &str, net: String| written(&format!("{name}/model.pnml"), net);
        for examination in EXAMINATIONS {
            written(&format!("cards-18/{examination}.xml"), formulas(examination));
        }
        let server = model("server.kin");
        let text = fs::read_to_string(&server).expect("the model can be read");
        let guard = "when x == L999 and y == L999 and z == L999";
        Models {
            folder: folder.to_owned(),
            asked: written("asked.kin", asked(&text)),
            server,
            races: model("processes/worker_pool.kin"),
            queue: model("pnml/queue.pnml"),
            small: instance("circle-100", circle(100)),
            large: instance("circle-20000", circle(20_000)),
            cards: instance("cards-18", cards(18)),
            long: written("long.kin", long(200_000)),
            ordered: written("fan-ordered.kin", fan("ordered 400", "")),
            symmetric: written("fan-symmetric.kin", fan("symmetric 400", "")),
            guarded: written("fan-guarded.kin", fan("ordered 2000", guard)),
            states: model("distributed_database.kin"),
        }
    }

    /// The rows whose memory is limited.
    fn memory(&self) -> Vec<Row> {
        let folder_of = |path: &Path| path.parent().expect("it has one").to_owned();
        let many = "--set k=9 --set m=9";
        let some = "--set k=3 --set m=4";
        let mut rows = Vec::new();
        let mut each = |limits: &[u64], line: &str, model: &Path, seconds: u64| {
            rows.extend(limits.iter().map(|&limit| row(line, model, seconds, limit)));
        };
        let explicit = "explore --engine explicit";
        each(&LIMITS, &format!("{explicit} --threads 1 {many}"), &self.server, 0);
        each(&LIMITS, &format!("{explicit} --threads 2 {many}"), &self.server, 0);
        each(&[64], &format!("explore --full {many}"), &self.server, 0);
        each(&[64, 256], explicit, &self.small, 0);
        each(&[64], explicit, &self.symmetric, 10);
        each(&[64, 256], "explore --engine ddd", &self.cards, 10);
        each(&[64], "explore --engine ddd --set n=30", &self.states, 10);
        each(&[64], "explore --engine auto", &self.cards, 10);
        for property in ["invariant", "stuck", "can_end", "linear", "branching", "served"] {
            let line = format!("check --property {property}");
            each(&[48, 96], &format!("{line} {some}"), &self.asked, 20);
            each(&[64], &format!("{line} {many}"), &self.asked, 20);
        }
        each(&[64], "check --engine explicit", &self.small, 0);
        each(&[64], "check", &self.small, 20);
        each(&[64], "check", &self.races, 10);
        each(&[64], "check --engine ddd", &self.cards, 10);
        each(&[64], "check --engine auto", &self.cards, 10);
        each(&[64], "mcc --examination StateSpace", &folder_of(&self.cards), 10);
        each(&[64], "mcc --examination ReachabilityDeadlock", &folder_of(&self.cards), 10);
        for examination in EXAMINATIONS {
            let line = format!("mcc --examination {examination}");
            each(&[64, 128], &line, &folder_of(&self.cards), 10);
        }
        each(&[64, 256], "mcc --examination StateSpace", &folder_of(&self.large), 10);
        for format in ["dot", "aut", "json"] {
            each(&[32, 64], &format!("graph --format {format} {some}"), &self.asked, 0);
        }
        each(&[32], "graph --format html --set k=2 --set m=4", &self.asked, 0);
        each(&[32], "graph --format svg --set k=2 --set m=2", &self.asked, 0);
        each(&[32], "explore", &self.queue, 5);
        for line in ["explore", "explore --engine ddd", "check", "graph"] {
            each(&[64, 256, 500], line, &self.large, 10);
        }
        for line in ["show", "simulate", "convert - --to kin"] {
            each(&[64, 256], line, &self.large, 0);
        }
        each(&[64, 256], "fmt --check", &self.long, 0);
        for threads in [1, 2] {
            let disk = self.folder.join(format!("disk-{threads}"));
            let line = format!("explore --threads {threads} {many} --disk {}", disk.display());
            each(&[64, 256], &line, &self.server, 20);
        }
        each(&[64], "explore", &self.ordered, 10);
        each(&[64], "check", &self.ordered, 10);
        each(&[64], "check", &self.guarded, 3);
        for threads in [1, 2] {
            let kept = self.folder.join(format!("kept-{threads}"));
            let kept_in = kept.display();
            let line =
                format!("explore --threads {threads} {many} --checkpoint {kept_in} --every 1");
            each(&[128], &line, &self.server, 0);
            each(&[64, 128, 160], "resume", &kept, 0);
        }
        let kept = self.folder.join("kept-check");
        let line =
            format!("check --property linear {many} --checkpoint {} --every 1", kept.display());
        each(&[96], &line, &self.asked, 0);
        each(&[64, 128], "resume", &kept, 0);
        rows
    }

    /// The rows whose time is limited, and those that are interrupted.
    fn time(&self) -> Vec<Row> {
        let large_server = "--set k=9 --set m=9";
        let at_server = |line: &str, seconds: u64| {
            row(&format!("{line} {large_server}"), &self.server, seconds, 0)
        };
        let interrupted = |mut row: Row, after: u64| {
            row.interrupt = Some(Duration::from_secs(after));
            row
        };
        vec![
            at_server("explore --engine explicit", 3),
            at_server("check --engine explicit", 3),
            at_server("graph", 3),
            row("explore --engine ddd", &self.cards, 3, 0),
            row("check --engine ddd", &self.cards, 3, 0),
            row("check --engine auto", &self.cards, 8, 0),
            row("check", &self.queue, 5, 0),
            row("explore", &self.large, 5, 0),
            row("check --engine explicit", &self.ordered, 3, 0),
            row("check", &self.guarded, 3, 0),
            row("explore --trace-to go", &self.guarded, 3, 0),
            interrupted(at_server("explore", 0), 2),
            interrupted(at_server("check", 0), 2),
            interrupted(at_server("graph", 0), 2),
            interrupted(row("explore --engine ddd", &self.cards, 0, 0), 2),
            interrupted(row("check --engine ddd", &self.cards, 0, 0), 2),
            interrupted(row("explore", &self.large, 0, 0), 2),
            interrupted(row("check", &self.large, 0, 0), 2),
            interrupted(row("check", &self.guarded, 0, 0), 2),
        ]
    }
}

/// A command on a model; a limit of 0 is none.
fn row(line: &str, model: &Path, seconds: u64, mebibytes: u64) -> Row {
    let mut args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    args.insert(1, model.to_str().expect("paths are UTF-8").to_owned());
    let given = |limit: u64| Some(limit).filter(|&limit| limit > 0);
    Row { args, seconds: given(seconds), mebibytes: given(mebibytes), interrupt: None }
}

fn main() -> ExitCode {
    let wanted: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let folder = env::temp_dir().join(format!("kinfold-limits-{}", std::process::id()));
    let models = Models::in_folder(&folder);
    let mut are_kept = true;
    println!("| command | limit | peak memory | of the limit | seconds | exit | kept |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
    for row in models.memory().iter().filter(|row| row.is_wanted(&wanted)) {
        let measured = row.measure();
        let limit = row.mebibytes.expect("these are limited");
        let part = measured.peak as f64 / (limit * MIB) as f64;
        println!(
            "| `{}` | {limit} MiB | {:.1} MiB | {part:.2} | {:.1} | {} |",
            row.name(),
            measured.peak as f64 / MIB as f64,
            measured.seconds,
            row.end(&measured, &mut are_kept),
        );
    }
    println!("\n| command | limit | seconds | peak memory | exit | kept |");
    println!("| --- | --- | ---: | ---: | ---: | --- |");
    for row in models.time().iter().filter(|row| row.is_wanted(&wanted)) {
        let measured = row.measure();
        let time = row.seconds.map(|seconds| format!("{seconds} s"));
        let ctrl_c = row.interrupt.map(|after| format!("Ctrl-C after {} s", after.as_secs()));
        println!(
            "| `{}` | {} | {:.2} | {} MiB | {} |",
            row.name(),
            time.or(ctrl_c).unwrap_or_default(),
            measured.seconds,
            measured.peak / MIB,
            row.end(&measured, &mut are_kept),
        );
    }
    // What is left behind in a folder for such things does no harm.
    let _ = fs::remove_dir_all(folder);
    if are_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
