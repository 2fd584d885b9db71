//! `--memory` is kept within a twentieth, as it is seen from outside. `cargo bench -p kinfold --bench limits` has the
//! long table; here are some rows of it, small.
#![cfg(target_os = "linux")]
#![expect(clippy::print_stdout, reason = "a test that fails shows what was measured")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

const MIB: u64 = 1 << 20;

/// The largest resident memory that a process has had, as the system says.
fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Runs a command in a folder with so many mebibytes: its peak, and its status.
fn run(folder: &Path, line: &str, mebibytes: u64) -> (u64, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.current_dir(folder).args(line.split_whitespace());
    command.args(["--memory", &format!("{mebibytes}MiB")]);
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().expect("the command starts");
    let mut peak = 0;
    loop {
        // What it had at most is asked for as long as it runs.
        peak = peak.max(peak_memory(&child).unwrap_or(0));
        if let Some(status) = child.try_wait().expect("it is ours") {
            return (peak, status.code().expect("no signal ends it"));
        }
        thread::park_timeout(Duration::from_micros(500));
    }
}

/// A net of this many places in a circle, of which every tenth has a token.
fn circle(places: usize) -> String {
    let mut net = String::from(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\n",
    );
    for here in 0..places {
        let (next, tokens) = ((here + 1) % places, u32::from(here.is_multiple_of(10)));
        write!(
            net,
            "<place id=\"p{here}\"><initialMarking><text>{tokens}</text></initialMarking></place>\n\
             <transition id=\"t{here}\"/>\n\
             <arc id=\"a{here}\" source=\"p{here}\" target=\"t{here}\"/>\n\
             <arc id=\"b{here}\" source=\"t{here}\" target=\"p{next}\"/>\n"
        )
        .expect("strings do not fail");
    }
    net + "</page></net></pnml>\n"
}

#[test]
fn the_limit_is_kept_within_a_twentieth() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/server.kin");
    fs::copy(server, folder.path().join("server.kin")).expect("a copy");
    fs::write(folder.path().join("circle.pnml"), circle(5000)).expect("it is written");
    let fan = "model fan\nclass L ordered 400\nplace a: L = all\nplace b: L = all\nplace c: L = all\n\
               place d(x: L, y: L, z: L)\n\
               transition go { take a(x), b(y), c(z)  put d(x, y, z) }\n\
               property p: always count(d) < 1\n";
    fs::write(folder.path().join("fan.kin"), fan).expect("it is written");
    for (line, limit, statuses) in [
        ("explore server.kin --set k=9 --set m=9 --threads 1", 48, &[20][..]),
        ("explore server.kin --set k=9 --set m=9 --threads 2", 48, &[20][..]),
        ("check server.kin --set k=3 --set m=3 --property served", 64, &[20][..]),
        // A walk may come to where it fails before memory is short.
        ("check fan.kin --time 60", 64, &[20, 12][..]),
        ("explore circle.pnml --threads 1", 64, &[20][..]),
        ("graph circle.pnml --max-states 100", 24, &[20][..]),
        ("graph server.kin --set k=2 --set m=3 --format html", 48, &[0][..]),
        ("show circle.pnml", 24, &[20][..]),
    ] {
        let (peak, ended) = run(folder.path(), line, limit);
        let mebibytes = peak as f64 / MIB as f64;
        println!("{line}: {mebibytes:.1} MiB of {limit}, status {ended}");
        assert!(peak * 20 <= limit * MIB * 21, "{line}: {mebibytes:.1} MiB of {limit}");
        assert!(statuses.contains(&ended), "{line}: status {ended}");
    }
}

#[test]
fn a_limit_that_is_too_small_for_anything_is_told() {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/server.kin");
    for command in ["explore", "check", "graph", "show"] {
        let mut kinfold = Command::new(env!("CARGO_BIN_EXE_kinfold"));
        kinfold.arg(command).arg(&server).args(["--memory", "1M"]);
        let output = kinfold.output().expect("it runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(20), "{command}: {told}");
        assert!(
            told.contains("it is 1.00 MiB, and") && told.contains("give --memory more"),
            "{told}"
        );
    }
}
