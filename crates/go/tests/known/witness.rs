//! What the real Go does with the programs of the collection: each run ends as the head of the program says.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::collection::{Known, daily, programs};
use crate::header::Expected;

/// How often each program is run. The more often, the more is seen; that nothing else is seen is asked of each run.
const RUNS: usize = 3;

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("there is room");
    fs::write(path, text).expect("the file can be written");
}

/// Writes all programs as packages of a module, with a command that runs any of them.
fn write_module(folder: &Path, all: &[Known]) {
    let sync = "require golang.org/x/sync v0.0.0\n\nreplace golang.org/x/sync => ./x/sync\n";
    write(&folder.join("go.mod"), &format!("module known\n\ngo 1.19\n\n{sync}"));
    write(&folder.join("x/sync/go.mod"), "module golang.org/x/sync\n\ngo 1.19\n");
    write(&folder.join("x/sync/errgroup/errgroup.go"), include_str!("sync/errgroup.go"));
    write(&folder.join("x/sync/semaphore/semaphore.go"), include_str!("sync/semaphore.go"));
    // As Kinfold has it.
    let flights = include_str!("../../src/packages/singleflight.go");
    write(&folder.join("x/sync/singleflight/singleflight.go"), flights);
    write(&folder.join("witness.go"), include_str!("witness.go"));
    let (mut imports, mut tests, mut mains) = (String::new(), String::new(), String::new());
    for known in all {
        let name = &known.name;
        imports += &format!("\t{name} \"known/{name}\"\n");
        let text = match known.test() {
            Some(test) => {
                tests += &format!("\t\"{name}\": {name}.{test},\n");
                known.text.clone()
            }
            None => {
                mains += &format!("\t\"{name}\": {name}.Main,\n");
                let text = known.text.replace("func main()", "func Main()");
                text.replace("package main", &format!("package {name}"))
            }
        };
        write(&folder.join(name).join(format!("{name}.go")), &text);
    }
    let tables = format!(
        "var tests = map[string]func(*testing.T){{\n{tests}}}\n\nvar mains = map[string]func(){{\n{mains}}}\n"
    );
    let head = format!("package main\n\nimport (\n\t\"testing\"\n\n{imports})\n\n");
    write(&folder.join("table.go"), &(head + &tables));
}

fn go(folder: &Path, arguments: &[&str]) {
    let out = Command::new("go").args(arguments).current_dir(folder).output().expect("go runs");
    assert!(out.status.success(), "go {arguments:?}:\n{}", String::from_utf8_lossy(&out.stderr));
}

/// Whether `go vet` looks for something.
fn is_analyzer(name: &str) -> bool {
    let help = Command::new("go").args(["tool", "vet", "help", name]).output().expect("go runs");
    help.status.success()
}

/// The longest that a run is watched. What still goes on then says nothing, so this is no race: on a slow machine less is
/// seen, and nothing else.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs a program until it ends, or for as long as there is patience: then there is nothing to judge.
fn run(folder: &Path, name: &str) -> Option<String> {
    let mut command = Command::new(folder.join("witness"));
    command.arg(name).env("GOTRACEBACK", "all");
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stderr = child.stderr.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        stderr.read_to_end(&mut said).map(|_| String::from_utf8_lossy(&said).into_owned())
    });
    let begin = Instant::now();
    let ended = loop {
        match child.try_wait().expect("it can be waited for") {
            Some(_) => break true,
            None if begin.elapsed() > PATIENCE => break false,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    if !ended {
        child.kill().expect("it can be ended");
        child.wait().expect("it can be waited for");
    }
    let said = reader.join().expect("it reads").expect("it can be read");
    ended.then_some(said)
}

/// The line of a file in a trace of a goroutine, if it is in that file.
fn line_in(trace: &str, place: &str) -> Option<usize> {
    let frames = trace.split("\ncreated by ").next()?;
    let digits = frames.split(place).nth(1)?.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// What is wrong with a run, if anything is.
fn complaint(known: &Known, stderr: &str) -> Option<String> {
    let Expected { reported, faults, leaks, .. } = &known.expected;
    let place = format!("/{}.go:", known.name);
    if stderr.contains("all goroutines are asleep - deadlock!") {
        let traces = || stderr.split("\n\n").filter(|part| part.starts_with("goroutine "));
        let ended = traces().any(|trace| trace.contains("main.atRest("));
        let lines: Vec<usize> = traces().filter_map(|trace| line_in(trace, &place)).collect();
        let is_over = ended && known.test().is_none() && !leaks;
        let fine = lines.is_empty() || is_over || known.expected.allows_blocked(&lines);
        return (!fine).then(|| format!("blocked at {lines:?}"));
    }
    let is_said = |line: &&str| line.starts_with("panic: ") || line.starts_with("fatal error: ");
    let said = stderr.lines().find(is_said).unwrap_or(stderr);
    let line = line_in(stderr, &place);
    let fine = faults
        .iter()
        .any(|(what, at)| (said.contains(what.as_str()) || what == "panic") && Some(*at) == line);
    (!fine || !reported.contains("fault")).then(|| format!("{said} at {line:?}"))
}

#[test]
fn the_real_go_does_as_the_heads_say() {
    if !Command::new("go").arg("version").output().is_ok_and(|out| out.status.success()) {
        eprintln!("the_real_go_does_as_the_heads_say: left out, since there is no `go`");
        return;
    }
    let mut all = programs("kernels");
    all.extend(programs("more"));
    all.extend(daily("systems"));
    // Older ones share loop variables, whatever the file says.
    let newer = ["\n//go:build go1.22", "\n// go: 1.22\n"];
    all.retain(|known| !newer.iter().any(|said| known.text.contains(said)));
    let folder = tempfile::tempdir().expect("there is room for a folder");
    write_module(folder.path(), &all);
    go(folder.path(), &["build", "-o", "witness", "."]);
    // Some of the programs are about what these look for, if the tool has them.
    let about = ["loopclosure", "waitgroup"].into_iter().filter(|name| is_analyzer(name));
    let without: Vec<String> = about.map(|name| format!("-{name}=false")).collect();
    let mut vet = vec!["vet"];
    vet.extend(without.iter().map(String::as_str));
    vet.push("./...");
    go(folder.path(), &vet);
    let mut complaints = Vec::new();
    for known in &all {
        for _ in 0..RUNS {
            let Some(said) = run(folder.path(), &known.name) else { continue };
            let found = complaint(known, &said);
            complaints.extend(found.map(|found| format!("{}: {found}", known.name)));
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
