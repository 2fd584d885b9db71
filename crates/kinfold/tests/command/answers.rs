//! There is always an answer: what is found is printed when it is found, limits and signals do not lose it, and neither does
//! output that cannot be written.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::running::{Done, fed, kinfold_fed};

/// One property fails near the start, and there is no end of states.
const ENDLESS: &str = "model endless
flow at
place x, y
start at
transition up { stay p: at  put x }
property near: always count(x) < 5
property far: always count(y) == 0
property back: AG EF count(x) == 0
";

const SPAWNING: &str = "model spawning
shared n: 0..=1000000 = 0
process main { loop { spawn worker()  n = n + 1 } }
process worker { await false }
property never: always n >= 0
";

fn written(text: &str) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("model.kin");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A check that goes on and on; it ends some time if a test fails.
struct Running(Child);

impl Running {
    fn check(model: &str, args: &[&str]) -> Running {
        let bound = ["check", model, "--time", "100", "--memory", "1G", "--threads", "1"];
        Running(command(&[&bound, args].concat()).spawn().unwrap())
    }

    /// Waits for a line on standard error.
    fn says(&mut self, mut wanted: impl FnMut(&str) -> bool) -> BufReader<ChildStderr> {
        let mut lines = BufReader::new(self.0.stderr.take().unwrap());
        let mut line = String::new();
        while lines.read_line(&mut line).unwrap() > 0 && !wanted(&line) {
            line.clear();
        }
        assert!(!line.is_empty(), "it has ended before");
        lines
    }

    /// Sends signals right after each other.
    fn signals(&self, names: &[&str]) {
        let kills = names.iter().map(|name| format!("kill -{name} {}", self.0.id()));
        let kills = kills.collect::<Vec<_>>().join("; ");
        assert!(Command::new("sh").args(["-c", &kills]).status().unwrap().success());
    }

    fn ends(mut self, mut stderr: impl Read) -> Done {
        let [mut out, mut said] = [const { String::new() }; 2];
        self.0.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        stderr.read_to_string(&mut said).unwrap();
        let status = self.0.wait().unwrap().code().expect("no signal");
        Done { status, stdout: out, stderr: said }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
#[test]
fn what_is_found_is_printed_while_the_rest_is_looked_for() {
    let (_folder, model) = written(ENDLESS);
    let mut running = Running::check(&model, &["--progress", "none"]);
    let mut lines = BufReader::new(running.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut before = Vec::new();
    for line in lines.by_ref() {
        let is_last = line.starts_with("step 5: ");
        before.push(line);
        if is_last {
            break;
        }
    }
    let before = before.join("\n");
    assert!(before.contains("  FAILS    near  always count(x) < 5\n\n`near` fails:\n"), "{before}");
    assert!(running.0.try_wait().unwrap().is_none(), "the other two are still open");
    running.signals(&["INT"]);
    let after = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(running.0.wait().unwrap().code(), Some(12));
    for name in ["far ", "back"] {
        let unknown = format!("  unknown  {name}");
        assert!(after.contains(&unknown), "{name}: {after}");
    }
    assert_eq!(after.matches("the run was interrupted").count(), 2, "{after}");
    assert!(after.contains("\n\n1 property fails, 2 are not known ("), "{after}");
    assert!(!after.contains("`near`"), "nothing is printed twice: {after}");
}

/// Two signals right after each other ask for the same, whenever they come.
#[cfg(unix)]
#[test]
fn a_second_signal_does_not_lose_the_report() {
    let (_folder, model) = written(ENDLESS);
    for round in 0..12 {
        let often = ["--json", "--progress", "json", "--progress-every", "0.01"];
        let mut running = Running::check(&model, &often);
        let mut looks = round;
        let said = running.says(|line| {
            looks -= 1;
            looks < 0 && line.contains("\"exploring\"")
        });
        running.signals(&["TERM", if round % 2 == 0 { "TERM" } else { "INT" }]);
        let done = running.ends(said);
        let report = done.json();
        assert_eq!(done.status, report["status"].as_i64().unwrap() as i32, "{}", done.stderr);
        assert!(matches!(done.status, 12 | 20), "{}", done.status);
        assert_eq!(report["properties"].as_array().unwrap().len(), 3);
        assert_eq!(report["properties"][1]["verdict"], "unknown");
    }
}

#[test]
fn documents_are_written_also_where_a_model_cannot_be_read_within_the_limits() {
    let (folder, model) = written(ENDLESS);
    let junit = folder.path().join("report.xml");
    for format in ["json", "sarif", "github"] {
        let junit = junit.to_str().unwrap();
        let args = ["check", &model, "--format", format, "--junit", junit, "--memory", "1K"];
        let done = fed(&mut command(&args), b"");
        assert_eq!(done.status, 20, "{format}: {}", done.stderr);
        assert!(
            done.stderr.contains("INCOMPLETE: the limit on memory was reached"),
            "{}",
            done.stderr
        );
        if format != "github" {
            assert!(
                serde_json::from_str::<Value>(&done.stdout).is_ok(),
                "{format}: {}",
                done.stdout
            );
        }
        assert!(
            done.stdout.contains("the limit on memory was reached"),
            "{format}: {}",
            done.stdout
        );
        assert!(fs::read_to_string(junit).unwrap().ends_with("</testsuite>\n"));
        fs::remove_file(junit).unwrap();
    }
}

#[test]
fn the_first_failure_ends_the_check_where_it_is_enough() {
    let done = kinfold_fed(&["check", "-", "--first"], ENDLESS.as_bytes());
    assert_eq!(done.status, 12, "{}", done.stderr);
    assert!(done.stdout.contains("`near` fails:"), "{}", done.stdout);
    let left = done.stdout.matches("the first failure has ended the check").count();
    assert_eq!(left, 2, "{}", done.stdout);
    let (_folder, model) = written(ENDLESS);
    let done = fed(&mut command(&["check", &model, &model, "--first", "--json"]), b"");
    assert_eq!((done.status, done.json()["status"].as_i64()), (12, Some(12)));
    let second = &done.json()["models"][1];
    assert_eq!(second["error"], "not checked: the first failure has ended the check");
    assert_eq!(second["status"], 20);
    let asserting = "model asserting
        process main { spawn other()  assert false }
        process other { await false }";
    for (args, said) in [
        (&["check", "-"][..], "  holds    no_one_stuck\n"),
        (
            &["check", "-", "--first"],
            "  unknown  no_one_stuck\n           the first failure has ended",
        ),
    ] {
        let done = kinfold_fed(args, asserting.as_bytes());
        assert_eq!(done.status, 14, "{}", done.stderr);
        let (assertion, rest) = done.stdout.split_once("\nassertion fails: ").expect("its run");
        assert!(assertion.contains("  FAILS    assertion  "), "{}", done.stdout);
        assert!(rest.contains(said), "{}", done.stdout);
    }
}

#[test]
fn a_limit_on_time_is_spoken_of_where_one_is_given() {
    let done = kinfold_fed(&["check", "-", "--time", "0.3s"], ENDLESS.as_bytes());
    assert!(done.stdout.contains("the limit on time was reached"), "{}", done.stdout);
    let done = kinfold_fed(&["check", "-", "--max-states", "5000"], ENDLESS.as_bytes());
    assert!(!done.stdout.contains("time"), "{}", done.stdout);
}

/// What a run of this model would say that nothing limits.
#[test]
fn a_run_without_limits_knows_what_grows_and_where() {
    let args = ["check", "-", "--progress", "json", "--progress-every", "0.01", "--max-states"];
    let done = kinfold_fed(&[&args[..], &["6000"]].concat(), SPAWNING.as_bytes());
    let lines = done.stderr.lines().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let growing = lines.last().unwrap()["growing"].as_array().unwrap();
    let growing: Vec<&str> = growing.iter().filter_map(Value::as_str).collect();
    let has =
        |what: &str, by: &str| growing.iter().any(|one| one.starts_with(what) && one.ends_with(by));
    assert!(has("processes alive (up to ", ", by line 3: `spawn worker()`"), "{growing:?}");
    assert!(has("the value of `n` (up to ", ", by line 3: `n = n + 1`"), "{growing:?}");
}

/// Models that create processes for ever, of which some wait for what never comes.
const LEAKS: [(&str, &str); 5] = [
    ("spawner.kin", "process main { loop { spawn worker() } } process worker { await false }"),
    (
        "channels.kin",
        "process main { loop { let c = new channel[bool](capacity: 0)  spawn worker(c) } }
        process worker(c: channel[bool]) { c.send(true) }",
    ),
    (
        "crossed.kin",
        "process main {
            loop { let a = new mutex  let b = new mutex  spawn w(a, b)  spawn w(b, a) }
        }
        process w(a: mutex, b: mutex) { a.lock()  b.lock()  b.unlock()  a.unlock() }",
    ),
    (
        "round.go",
        "package main\n\nfunc main() {
            for {
                c := make(chan int)
                go func() { <-c }()
            }
        }",
    ),
    (
        "counted.go",
        "package main\n\nfunc send(c chan int, n int) { c <- n }\n
        func main() {
            n := 0
            for {
                n++
                c := make(chan int)
                go send(c, n)
            }
        }",
    ),
];

/// A fault ends everything, so nobody is stuck because of it: not those either who would wait for ever without it.
#[test]
fn what_ends_after_many_rounds_ends_everything_as_after_few() {
    for rounds in [10, 1200] {
        let text = format!(
            "shared n: 0..={rounds} = 0
            process main {{ loop {{ spawn worker()  n = n + 1 }} }}
            process worker {{ await false }}"
        );
        let done = kinfold_fed(&["check", "-"], text.as_bytes());
        assert_eq!(done.status, 14, "{rounds}: {}", done.stderr);
        assert!(done.stdout.contains("holds    no_one_stuck"), "{rounds}: {}", done.stdout);
    }
}

#[test]
fn leaks_are_found_while_there_are_ever_more_states() {
    let folder = TempDir::new().unwrap();
    for (name, text) in LEAKS {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let done = fed(&mut command(&["check", path, "--max-states", "10000"]), b"");
        assert_eq!(done.status, 11, "{name}: {}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains("FAILS    no_one_stuck"), "{name}: {}", done.stdout);
    }
}

#[test]
fn go_programs_have_a_minute_unless_more_is_given() {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("main.go");
    fs::write(&program, "package main\n\nfunc main() {\n\tprintln(1)\n}\n").unwrap();
    let program = program.to_str().unwrap();
    let seconds = |args: &[&str]| {
        let args = [&["check", program, "--progress", "json"], args].concat();
        let done = fed(&mut command(&args), b"");
        let first = done.stderr.lines().find(|line| line.starts_with('{')).unwrap().to_owned();
        serde_json::from_str::<Value>(&first).unwrap()["limits"]["seconds"].as_f64()
    };
    assert_eq!(seconds(&[]).map(f64::round), Some(60.0));
    for (time, expected) in [("90", 90.0), ("90s", 90.0), ("5m", 300.0), ("1.5h", 5400.0)] {
        assert_eq!(seconds(&["--time", time]).map(f64::round), Some(expected), "{time}");
    }
    for wrong in ["5x", "m", "-3", "1e400", "5 minutes"] {
        let done = fed(&mut command(&["check", program, &format!("--time={wrong}")]), b"");
        assert_eq!(done.status, 2, "{wrong}");
        assert!(done.stderr.contains("such as 90, 90s, 5m or 1h"), "{}", done.stderr);
    }
}

/// Runs a command with a shell's redirections behind it.
#[cfg(target_os = "linux")]
fn redirected(args: &[&str], redirection: &str) -> Done {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec \"$0\" \"$@\" {redirection}"), env!("CARGO_BIN_EXE_kinfold")]);
    fed(shell.args(args), ENDLESS.as_bytes())
}

/// What says something on standard error or output, with the model on standard input.
#[cfg(target_os = "linux")]
const SPEAKING: &str = "
check /nowhere.kin
check - --max-states 2000 --progress line --progress-every 0.01
check - --max-states 2000 --progress json --progress-every 0.01
check - --max-states 2000 --trace -
check - --memory 1K
check - --junit /nowhere/report.xml
explore - --max-states 2000 --progress json --progress-every 0.01
graph - --max-states 2000 --format dot
tests - --max-states 100
simulate - --steps 3 --seed 1
show -
fmt --check -
convert - /dev/null --net-only
nonsense
check --help
explain E0201
explain E9999
mcc --examination Nothing
equiv /nowhere /nowhere
resume /nowhere
serve /nowhere.kin
";

#[cfg(target_os = "linux")]
#[test]
fn standard_error_that_cannot_be_written_changes_nothing_else() {
    for line in SPEAKING.lines().filter(|line| !line.is_empty()) {
        let args: Vec<&str> = line.split(' ').collect();
        let usual = redirected(&args, "2>/dev/null");
        for redirection in ["2>/dev/full", "2>&-"] {
            let done = redirected(&args, redirection);
            assert_eq!(done.status, usual.status, "{args:?} {redirection}");
            let has_time = |line: &str| line.contains(" s)") || line.contains(" s, ");
            let timeless = |text: &str| {
                let lines = text.lines().filter(|line| !has_time(line));
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(timeless(&done.stdout), timeless(&usual.stdout), "{args:?} {redirection}");
        }
    }
    // What a verdict calls for, in particular.
    let (_folder, stuck) = written("model stuck\nprocess main { await false }\n");
    let progress = ["--progress", "json"];
    for (model, status) in [(stuck.as_str(), 11), ("-", 12)] {
        let args = [&["check", model, "--max-states", "2000"], &progress[..]].concat();
        let done = redirected(&args, "2>/dev/full");
        assert_eq!(done.status, status, "{}", done.stdout);
        assert!(done.stdout.contains("  FAILS  "), "{}", done.stdout);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_cannot_be_written_is_a_failure_of_the_system_and_no_panic() {
    for line in SPEAKING.lines().filter(|line| !line.is_empty()) {
        let args: Vec<&str> = line.split(' ').collect();
        let usual = redirected(&args, "2>/dev/null");
        for redirection in [">/dev/full", ">&-", ">/dev/full 2>/dev/full"] {
            let done = redirected(&args, redirection);
            let is_lost = redirection.starts_with(">/dev/full") && !usual.stdout.is_empty();
            let expected = if is_lost { 153 } else { usual.status };
            assert_eq!(done.status, expected, "{args:?} {redirection}: {}", done.stderr);
        }
    }
    // What goes elsewhere is written all the same.
    let folder = TempDir::new().unwrap();
    let sarif = folder.path().join("report.sarif");
    let args = ["check", "-", "--max-states", "2000", "--sarif", sarif.to_str().unwrap()];
    let done = redirected(&args, ">/dev/full");
    assert_eq!(done.status, 153);
    assert!(done.stderr.contains("cannot write standard output"), "{}", done.stderr);
    assert!(fs::read_to_string(sarif).unwrap().contains("near"));
}
