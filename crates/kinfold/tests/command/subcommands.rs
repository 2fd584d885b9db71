//! The command as its users meet it: output, streams and exit status.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::running::{kinfold, kinfold_fed, project};

const CHAIN: &str =
    "model chain\nflow link\nstart link\ntransition pass { end p: link   spawn q from p: link }\n";

const BOUNDED: &str = "model counter\n\
    flow counting(n: 0..=3)\n\
    start counting(0)\n\
    transition step { move p: counting(n) -> counting(n + 1) }\n";

const GROWING: &str = "model growing\n\
    flow idle\n\
    place mail: pid\n\
    start idle\n\
    transition send { stay p: idle   put mail(p) }\n";

fn model(name: &str) -> String {
    project(&format!("models/{name}"))
}

fn file(folder: &tempfile::TempDir, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

/// A graph whose text would take far longer than the limit allows is not written.
#[test]
fn a_graph_keeps_the_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.dot");
    let server = model("server.kin");
    let large = ["graph", &server, "--set", "k=9", "--set", "m=9", "-o", path.to_str().unwrap()];
    let done = kinfold(&[&large[..], &["--memory", "60MiB"]].concat());
    assert_eq!(done.status, 20, "{}", done.stderr);
    assert!(done.stderr.contains("no graph is written: use --max-states"), "{}", done.stderr);
    assert!(!path.exists());
    let done = kinfold(&[&large[..], &["--max-states", "10"]].concat());
    assert_eq!(done.status, 20, "{}", done.stderr);
    assert!(fs::read_to_string(path).unwrap().contains("n9 [label="));
}

#[test]
fn explore_counts_classes() {
    let server = model("server.kin");
    let done = kinfold(&["explore", &server, "--set", "k=2", "--set", "m=2", "--json"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let report = done.json();
    assert_eq!(report["states"], 232);
    assert_eq!(report["edges"], 757);
    assert_eq!(report["modes"], 903);
    assert_eq!(report["relations"], serde_json::json!(["parent"]));
    for key in [
        "schema_version",
        "model",
        "relations",
        "states",
        "edges",
        "modes",
        "deadlocks",
        "terminated",
        "complete",
        "reason",
        "seconds",
        "peak_memory_bytes",
        "store_bytes",
        "disk_bytes",
    ] {
        assert!(report.get(key).is_some(), "{key}");
    }
    let relations = ["--relations", "parent,next_sibling"];
    let done = kinfold(
        &[&["explore", &server, "--set", "k=2", "--set", "m=2", "--json"], &relations[..]].concat(),
    );
    let report = done.json();
    assert_eq!([&report["states"], &report["edges"], &report["modes"]], [3722, 14763, 14763]);
}

#[test]
fn explore_says_what_it_found_in_words() {
    let done = kinfold_fed(&["explore", "-"], CHAIN.as_bytes());
    assert_eq!(done.status, 0, "{}", done.stderr);
    let text = done.stdout.split("\ncomplete").next().unwrap();
    insta::assert_snapshot!(text);
}

/// What a tool wrote that is not in the standard is a warning, for programs too.
#[test]
fn warnings_about_a_model_are_in_the_json_form() {
    let pipe = project("crates/pnml/tests/tools/pipe.pnml");
    for args in
        [&["explore", &pipe, "--json"][..], &["explore", &pipe, "--json", "--engine", "ddd"]]
    {
        let done = kinfold(args);
        let json = done.json();
        let first = &json["diagnostics"][0];
        assert_eq!(first["severity"], "warning", "{json:#}");
        assert!(first["code"].as_str().is_some_and(|code| code.starts_with('P')), "{json:#}");
        assert!(first["line"].is_u64(), "{json:#}");
    }
}

#[test]
fn relations_that_are_too_few_are_a_usage_error() {
    let done = kinfold(&["explore", &model("server.kin"), "--relations", "ancestor"]);
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    assert!(done.stderr.contains("observes parent"), "{}", done.stderr);
    let done = kinfold(&["explore", &model("server.kin"), "--relations", "cousin"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("not a relation"), "{}", done.stderr);
}

#[test]
fn limits_end_a_run_as_incomplete() {
    let done = kinfold_fed(&["explore", "-", "--max-states", "50", "--json"], GROWING.as_bytes());
    assert_eq!(done.status, 20, "{}", done.stderr);
    let report = done.json();
    assert_eq!(report["complete"], false);
    assert_eq!(report["reason"], "states");
    assert_eq!(report["states"], 50);
    assert_eq!(report["growing"][0], "tokens in `mail` (up to 24, then 49)");
    let done = kinfold_fed(&["explore", "-", "--time", "0.05", "--json"], GROWING.as_bytes());
    assert_eq!((done.status, done.json()["reason"].as_str()), (20, Some("time")));
    let done = kinfold_fed(&["explore", "-", "--memory", "64MiB", "--json"], GROWING.as_bytes());
    assert_eq!((done.status, done.json()["reason"].as_str()), (20, Some("memory")));
    let done = kinfold_fed(&["explore", "-", "--max-states", "50"], GROWING.as_bytes());
    assert!(done.stdout.contains("INCOMPLETE: the limit on states was reached"), "{}", done.stdout);
    assert!(done.stdout.contains("still growing: tokens in `mail`"), "{}", done.stdout);
}

/// Whatever reads a model can be interrupted while it does.
#[cfg(unix)]
#[test]
fn a_command_that_reads_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("written.pnml");
    let convert = ["convert", "-", written.to_str().unwrap()];
    let others = ["check", "explore", "fmt", "graph", "show", "simulate"].map(|name| [name, "-"]);
    for args in others.iter().map(<[_; 2]>::as_slice).chain([&convert[..]]) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kinfold"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // More than a pipe holds: the command has begun to read when it is written. There is no end to it.
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all("// and so on\n".repeat(1 << 14).as_bytes()).unwrap();
        let interrupt = ["-INT", &child.id().to_string()];
        assert!(Command::new("kill").args(interrupt).status().unwrap().success());
        let done = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(20), "{args:?}: {stderr}");
        assert!(stderr.contains("INCOMPLETE: the run was interrupted"), "{args:?}: {stderr}");
        drop(stdin);
    }
    assert!(!written.exists());
}

#[test]
fn time_ends_a_search_in_which_nothing_fires() {
    let text = "model params\nflow idle\nplace p: 0..=1000000\nstart idle\n\
        transition t(x: 0..=1000000, y: 0..=1000000) {\n\
            stay q: idle   put p(x)   when x == y + 1000001\n\
        }\n";
    for full in [&[][..], &["--full"]] {
        let args = [&["explore", "-", "--time", "0.2", "--json"], full].concat();
        let done = kinfold_fed(&args, text.as_bytes());
        assert_eq!((done.status, done.json()["reason"].as_str()), (20, Some("time")));
    }
}

#[test]
fn without_folding_an_infinite_chain_does_not_end() {
    let done = kinfold_fed(&["explore", "-", "--full", "--max-states", "30"], CHAIN.as_bytes());
    assert_eq!(done.status, 20);
    let done = kinfold_fed(&["explore", "-", "--json"], CHAIN.as_bytes());
    assert_eq!((done.status, &done.json()["states"]), (0, &1.into()));
}

#[test]
fn a_value_out_of_range_comes_with_the_run_that_leads_to_it() {
    for full in [&[][..], &["--full"]] {
        let done = kinfold_fed(&[&["explore", "-"], full].concat(), BOUNDED.as_bytes());
        assert_eq!((done.status, done.stdout.as_str()), (150, ""));
        insta::assert_snapshot!("value_out_of_range", done.stderr);
    }
}

#[test]
fn mistakes_in_a_model_are_all_reported() {
    let text = "model wrong\nflow a, b(n: 0..=2)\nstart a\n\
        transition t { move p: a -> b(true)   move p: a -> c }\n";
    let done = kinfold_fed(&["explore", "-"], text.as_bytes());
    assert_eq!((done.status, done.stdout.as_str()), (150, ""));
    insta::assert_snapshot!(done.stderr);
}

#[test]
fn constants_that_cannot_be_set_are_a_usage_error() {
    for (given, said) in [("kk=1", "did you mean `k`"), ("k=true", "k"), ("k", "NAME=VALUE")] {
        let done = kinfold(&["explore", &model("server.kin"), "--set", given]);
        assert_eq!(done.status, 2, "{given}: {}", done.stderr);
        assert!(done.stderr.contains(said), "{}", done.stderr);
    }
    let done = kinfold(&["explore", &model("server.kin"), "--set", "k=1", "--set", "k=2"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("--set gives `k` a value twice"), "{}", done.stderr);
}

#[test]
fn files_that_cannot_be_read_are_told_apart_from_wrong_models() {
    let folder = tempfile::tempdir().unwrap();
    let done = kinfold(&["explore", "no-such-file.kin"]);
    assert_eq!(done.status, 153);
    assert!(done.stderr.contains("cannot read no-such-file.kin"), "{}", done.stderr);
    let path = file(&folder, "latin1.kin", b"model caf\xe9\n");
    let done = kinfold(&["explore", path.to_str().unwrap()]);
    assert_eq!(done.status, 150);
    assert!(done.stderr.contains("line 1: not UTF-8"), "{}", done.stderr);
    let target = folder.path().join("no/such/folder.dot");
    let done = kinfold(&["graph", &model("server.kin"), "-o", target.to_str().unwrap()]);
    assert_eq!(done.status, 153, "{}", done.stderr);
}

#[test]
fn a_shortest_run_to_a_transition() {
    let server = model("server.kin");
    let done = kinfold(&["explore", &server, "--trace-to", "reap", "--json"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let trace = &done.json()["trace"];
    let steps = trace["steps"].as_array().unwrap();
    let names: Vec<&str> = steps.iter().map(|s| s["transition"].as_str().unwrap()).collect();
    assert_eq!(names, ["init", "accept", "compute", "call", "function", "result", "reap"]);
    assert_eq!(steps[0]["born"], serde_json::json!(["1.1", "1.2"]));
    let done = kinfold(&["explore", &server, "--trace-to", "reep"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("did you mean `reap`?"), "{}", done.stderr);
    let done = kinfold(&["explore", &server, "--set", "m=0", "--trace-to", "reap"]);
    assert_eq!(done.status, 0);
    assert!(done.stderr.contains("`reap` never fires"), "{}", done.stderr);
}

#[test]
fn graphs_in_all_formats() {
    let server = model("server.kin");
    let dot = kinfold(&["graph", &server, "--format", "dot"]);
    assert!(dot.stdout.starts_with("digraph"), "{}", dot.stdout);
    let aut = kinfold(&["graph", &server, "--format", "aut"]);
    assert!(aut.stdout.starts_with("des (0, 37, 22)\n"), "{}", aut.stdout);
    assert_eq!(aut.stdout.lines().count(), 38);
    let json = kinfold(&["graph", &server, "--format", "json"]).json();
    assert_eq!(json["states"].as_array().unwrap().len(), 22);
    assert_eq!(json["edges"].as_array().unwrap().len(), 37);
    let svg = kinfold(&["graph", &server, "--format", "svg"]);
    assert!(svg.stdout.starts_with("<svg"), "{}", svg.stdout);
    for done in [dot, aut, svg] {
        assert_eq!(done.status, 0, "{}", done.stderr);
    }
    let args = ["graph", &server, "--set", "m=2", "--set", "k=3", "--format", "svg"];
    let done = kinfold(&args);
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    assert!(done.stderr.contains("--format html, dot"), "{}", done.stderr);
    let done = kinfold(&[&args[..], &["--max-states", "100"]].concat());
    assert_eq!(done.status, 20);
    assert!(done.stdout.starts_with("<svg") && done.stderr.contains("INCOMPLETE"));
}

#[test]
fn show_prints_and_draws() {
    let done = kinfold(&["show", &model("server.kin")]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    insta::assert_snapshot!(done.stdout);
    for (format, start) in [("dot", "digraph"), ("svg", "<svg")] {
        let done = kinfold(&["show", &model("server.kin"), "--format", format]);
        assert!(done.status == 0 && done.stdout.starts_with(start), "{}", done.stdout);
    }
}

#[test]
fn show_says_what_is_symmetric() {
    let comments = |path: &str| {
        let done = kinfold(&["show", path]);
        assert_eq!(done.status, 0, "{}", done.stderr);
        let is_about_a_class =
            |line: &&str| line.starts_with("// class") || line.starts_with("//  ");
        done.stdout.lines().filter(is_about_a_class).map(str::to_owned).collect::<Vec<_>>()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "less.kin", LESS);
    let paths = [model("waves.kin"), model("philosophers.kin"), path.to_str().unwrap().into()];
    let said: Vec<String> = paths.iter().flat_map(|path| comments(path)).collect();
    insta::assert_snapshot!(said.join("\n"));
}

/// Less is declared than there is, and a place tells members apart.
const LESS: &str = "
model less
enum Colour { red, green, blue, black }
class Seat cyclic 4
class Level ordered 3
place paint: Colour = red, blue, green
place seat: Seat = all
place level: Level = Level1
transition mix { take paint(x), paint(y)   put paint(x)   when x != y }
transition stand { take seat(x) }
transition up { take level(x)   put level(succ(x))   when x < Level3 }
";

#[test]
fn fmt_formats_and_checks() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "chain.kin", CHAIN.replace("flow link", "flow   link"));
    let path = path.to_str().unwrap();
    let check = kinfold(&["fmt", "--check", path]);
    assert_eq!((check.status, check.stdout.trim()), (1, path));
    assert_eq!(kinfold(&["fmt", path]).status, 0);
    assert_eq!(kinfold(&["fmt", "--check", path]).status, 0);
    assert!(fs::read_to_string(path).unwrap().contains("flow link\n"));
    let done = kinfold_fed(&["fmt", "-"], b"model  x\nflow a\nstart a\n");
    assert!(done.stdout.starts_with("model x\n"), "{}", done.stdout);
    let wrong = file(&folder, "wrong.kin", "model x\nflow (\n");
    let done = kinfold(&["fmt", wrong.to_str().unwrap()]);
    assert_eq!(done.status, 150);
    assert_eq!(fs::read_to_string(wrong).unwrap(), "model x\nflow (\n");
}

#[test]
fn new_writes_a_model_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let new = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
        command.args(["new", name]).current_dir(folder.path()).output().unwrap()
    };
    assert_eq!(new("hello").status.code(), Some(0));
    let path = folder.path().join("hello.kin");
    let path = path.to_str().unwrap();
    assert_eq!(kinfold(&["fmt", "--check", path]).status, 0);
    let done = kinfold(&["explore", path]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let again = new("hello");
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("exists already"));
    assert_eq!(new("7up").status.code(), Some(2));
    assert_eq!(new("../up").status.code(), Some(2));
}

#[test]
fn simulation_is_repeatable() {
    let server = model("server.kin");
    let run = || kinfold(&["simulate", &server, "--seed", "7", "--steps", "12"]);
    let (one, two) = (run(), run());
    assert_eq!(one.status, 0, "{}", one.stderr);
    assert_eq!(one.stdout, two.stdout);
    assert!(one.stdout.starts_with("seed 7\n"));
    assert_eq!(one.stdout.matches("\nfire ").count(), 12);
    let unseeded = kinfold(&["simulate", &server, "--steps", "1"]);
    assert!(unseeded.stdout.starts_with("seed "));
    let ended = kinfold_fed(
        &["simulate", "-"],
        b"model stop\nflow a\nstart a\ntransition stop { end p: a }\n",
    );
    assert!(ended.stdout.contains("terminated: all threads have ended"), "{}", ended.stdout);
}

#[test]
fn simulation_at_a_prompt() {
    let args = ["simulate", &model("server.kin"), "--seed", "1", "-i"];
    let done = kinfold_fed(&args, b"b\n1\n9\nx\n2\nb\nr\nq\n");
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("this is the first state"), "{}", done.stderr);
    assert!(done.stderr.contains("there are modes 1 to 2"), "{}", done.stderr);
    assert_eq!(done.stdout.matches("\nfire init").count(), 1);
    assert_eq!(done.stdout.matches("\nfire accept").count(), 2);
    assert_eq!(kinfold_fed(&args, b"").status, 0);
}

/// Two threads, and one token that each of them needs.
const CONTENDED: &str = "model contended\nflow idle, busy\nplace lock = 1\nstart 2 times idle\n\
    transition acquire { move t: idle -> busy   take lock }\n\
    transition release { move t: busy -> idle   put lock }\n";

#[test]
fn the_prompt_explains_undoes_and_saves() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "contended.kin", CONTENDED);
    let model = path.to_str().unwrap();
    let trace = folder.path().join("run.json");
    let saved = trace.to_str().unwrap();
    let typed = format!(
        "help\nwhy release\n1\nwhy not acquire?\nwhy\nwhy nobody\nundo\nundo\n\nsave\nsave {saved}\nq\n"
    );
    let done = kinfold_fed(&["simulate", model, "--seed", "1", "-i"], typed.as_bytes());
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("fire one of the modes, chosen at random"), "{}", done.stderr);
    assert!(done.stderr.contains("1 to 2, Enter for any, help> "), "{}", done.stderr);
    let needs = "`release` needs a thread at `busy`, where there is none";
    assert!(done.stdout.contains(needs), "{}", done.stdout);
    let needs = "`acquire` needs a token in `lock`, which is empty";
    assert_eq!(done.stdout.matches(needs).count(), 2, "{}", done.stdout);
    assert!(done.stderr.contains("there is no transition named `nobody`"), "{}", done.stderr);
    assert!(done.stderr.contains("this is the first state"), "{}", done.stderr);
    assert!(done.stderr.contains("save to which file?"), "{}", done.stderr);
    let replayed = kinfold(&["replay", saved, model]);
    assert_eq!(replayed.status, 0, "{}", replayed.stderr);
    assert!(replayed.stdout.contains("1 step of model contended"), "{}", replayed.stdout);
}

#[test]
fn the_prompt_goes_on_after_a_fault_and_a_deadlock() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "counter.kin", BOUNDED.replace("step {", "step2 {"));
    let model = path.to_str().unwrap();
    let done = kinfold_fed(&["simulate", model, "-i"], b"1\n1\n1\n1\nundo\nq\n");
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("error: when `step2` fires"), "{}", done.stderr);
    let path = file(
        &folder,
        "stuck.kin",
        "model stuck\nflow a, b\nplace p\nstart a\n\
        transition t { move x: a -> b   take p }\n",
    );
    let done = kinfold_fed(&["simulate", path.to_str().unwrap(), "-i"], b"\n1\nwhy\nq\n");
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stdout.contains("`t` needs a token in `p`, which is empty"), "{}", done.stdout);
    assert_eq!(done.stderr.matches("nothing can fire here").count(), 2, "{}", done.stderr);
}

#[test]
fn codes_are_explained() {
    let all = kinfold(&["explain"]);
    assert_eq!(all.status, 0);
    for line in all.stdout.lines() {
        let (code, title) = line.split_once("  ").unwrap();
        let done = kinfold(&["explain", code]);
        assert!(
            done.status == 0 && done.stdout.starts_with(&format!("{code}: {title}\n")),
            "{line}"
        );
    }
    assert_eq!(kinfold(&["explain", "e0201"]).status, 0);
    assert_eq!(kinfold(&["explain", "E9999"]).status, 2);
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish"] {
        let done = kinfold(&["completions", shell]);
        assert!(done.status == 0 && done.stdout.contains("kinfold"), "{shell}");
    }
    let done = kinfold(&["man"]);
    assert!(done.status == 0 && done.stdout.contains(".TH kinfold"), "{}", done.stdout);
    let done = kinfold(&["man", "bench", "threads"]);
    assert!(done.stdout.contains(".TH kinfold-bench-threads 1"), "{}", done.stdout);
    assert_eq!(kinfold(&["man", "explode"]).status, 2);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man1");
    assert_eq!(kinfold(&["man", "--out", out.to_str().unwrap()]).status, 0);
    for name in ["kinfold", "kinfold-check", "kinfold-bench", "kinfold-bench-canon"] {
        let page = fs::read_to_string(out.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} ")) && page.contains("SYNOPSIS"), "{page}");
    }
    assert!(!out.join("kinfold-help.1").exists());
    assert_eq!(kinfold(&["--help"]).status, 0);
    assert_eq!(kinfold(&["explode"]).status, 2);
    assert_eq!(kinfold(&[]).status, 2);
}

#[test]
fn the_gain_of_threads_can_be_measured() {
    let args = ["bench", "threads", &model("server.kin"), "--threads", "3", "--runs", "2"];
    let done = kinfold(&[&args[..], &["--json"]].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    let report = done.json();
    assert_eq!((&report["states"], &report["complete"]), (&22.into(), &true.into()));
    let measured = report["measured"].as_array().unwrap();
    let threads: Vec<_> = measured.iter().map(|measured| measured["threads"].clone()).collect();
    assert_eq!(threads, [1, 2, 3]);
    for measured in measured {
        let runs = measured["runs"].as_array().unwrap();
        let shortest = runs.iter().map(|run| run.as_f64().unwrap()).fold(f64::INFINITY, f64::min);
        assert_eq!((runs.len(), measured["seconds"].as_f64()), (2, Some(shortest)));
    }
    assert_eq!(measured[0]["ratio"], 1.0);

    let text = kinfold(&args);
    assert!(text.stdout.starts_with("server: 22 states, 37 edges\n"), "{}", text.stdout);
    let limited = kinfold(&[&args[..], &["--max-states", "10"]].concat());
    assert!(limited.stdout.contains("10 states"), "{}", limited.stdout);
    assert!(limited.stdout.contains("incomplete"), "{}", limited.stdout);
}

#[test]
fn a_graph_is_the_same_on_any_number_of_threads() {
    let graph = |threads| {
        let sizes = ["--set", "k=3", "--set", "m=2"];
        let args = ["graph", &model("server.kin"), "--format", "json", "--threads", threads];
        kinfold(&[&args[..], &sizes].concat()).stdout
    };
    let one = graph("1");
    assert!(one.len() > 100_000, "{} bytes", one.len());
    assert!(one == graph("2") && one == graph("5"));
}
