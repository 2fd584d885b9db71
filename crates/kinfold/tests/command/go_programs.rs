//! Go programs on the command line: one file, the files of a package, what is assumed, and where something is said to be.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::running::{kinfold, project};

/// A folder with these files, and its path.
fn folder(files: &[(&str, &str)]) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

const QUEUE: &str = "package queue

type queue struct{ items chan int }

func (q *queue) put(n int) {
	q.items <- n
}

func connect() bool { return false }
";

const TEST: &str = "package queue

import \"testing\"

func TestPut(t *testing.T) {
	q := &queue{items: make(chan int)}
	if connect() {
		return
	}
	go q.put(1)
}

func TestNothing(t *testing.T) {}
";

#[test]
fn the_files_of_a_package_are_one_program() {
    let other = "//go:build windows\n\npackage queue\n\nfunc TestPut() {}\n";
    let outside = "package queue_test\n\nimport _ \"example.org/queue\"\n";
    let files = [
        ("queue.go", QUEUE),
        ("queue_test.go", TEST),
        ("other.go", other),
        ("outside_test.go", outside),
    ];
    let (folder, path) = folder(&files);
    let done = kinfold(&["check", &path, "--entry", "TestPut"]);
    assert_eq!(done.status, 11, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("queue.put 1.1 is stuck"), "{}", done.stdout);
    assert!(done.stdout.contains("at queue.go:6: q.items <- n waits"), "{}", done.stdout);
    assert!(done.stdout.contains("queue_test.go:10: go q.put(1)"), "{}", done.stdout);
    assert!(done.stderr.contains("other.go is left out: it says `//go:build windows`"));
    assert!(done.stderr.contains("outside_test.go is left out"), "{}", done.stderr);
    // The same by the names of the files.
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (queue, test) = (file("queue.go"), file("queue_test.go"));
    let named = kinfold(&["check", &queue, &test, "--entry", "TestPut"]);
    assert_eq!(named.status, 11, "{}{}", named.stdout, named.stderr);
    // Where to start is asked for.
    let open = kinfold(&["check", &path]);
    assert_eq!(open.status, 150);
    assert!(open.stderr.contains("TestPut, TestNothing"), "{}", open.stderr);
    let shown = kinfold(&["show", &path, "--entry", "TestNothing"]);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
}

#[test]
fn mistakes_are_told_by_file_and_line() {
    let wrong = QUEUE.replace("return false", "return x");
    let (_folder, path) = folder(&[("queue.go", &wrong), ("queue_test.go", TEST)]);
    let done = kinfold(&["check", &path, "--entry", "TestPut"]);
    assert_eq!(done.status, 150);
    assert!(done.stderr.contains("queue.go:9:"), "{}", done.stderr);
    let json = kinfold(&["check", &path, &path, "--entry", "TestPut", "--json"]);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    let first = &report["models"][0]["diagnostics"][0];
    assert_eq!((&first["file"], &first["line"]), (&"queue.go".into(), &9.into()), "{report:#}");
    let (_folder, path) = folder(&[("a.go", "package a\n"), ("b.go", "package b\n")]);
    let done = kinfold(&["check", &path]);
    assert_eq!(done.status, 150);
    assert!(done.stderr.contains("the files are of two packages: `a` and `b`"), "{}", done.stderr);
    let (_folder, path) = folder(&[]);
    let done = kinfold(&["check", &path]);
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stderr.contains("there is no Go program in"), "{}", done.stderr);
    let (_folder, path) = folder(&[("b.kin", ""), ("a.kin", ""), ("notes.txt", "")]);
    let done = kinfold(&["check", &path]);
    assert_eq!(done.status, 2, "{}", done.stderr);
    for named in ["a.kin, or check all of them, ", "*.kin"] {
        assert!(done.stderr.contains(named), "{}", done.stderr);
    }
}

#[test]
fn what_is_assumed_is_listed() {
    let (_folder, path) = folder(&[("queue.go", QUEUE), ("queue_test.go", TEST)]);
    let with = |names: &[&str], more: &[&str]| {
        let assumed = names.iter().flat_map(|name| ["--assume", name]).collect::<Vec<_>>();
        kinfold(&[&["check", &path, "--entry", "TestPut"], &assumed[..], more].concat())
    };
    let done = with(&["connect", "queue.put"], &[]);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("assumed to do nothing: connect, queue.put"), "{}", done.stdout);
    let done = with(&["queue.put"], &["--json"]);
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(report["assumed"], serde_json::json!(["queue.put"]));
    let done = with(&["queue.pot"], &[]);
    assert_eq!(done.status, 150);
    assert!(done.stderr.contains("did you mean `--assume queue.put`?"), "{}", done.stderr);
}

#[test]
fn remarks_are_followed_or_refused() {
    let program = |remark: &str, before: &str| {
        format!(
            "package a\n\nimport \"testing\"\n\n{before}func count() int {{ return 0 }}\n\nfunc TestA(t *testing.T) {{\n\t{remark}\n\
             \tn := count()\n\txs := []int{{1, 2}}\n\tif n >= 0 && xs[n] > 5 {{\n\t\tt.Fatal(\"no\")\n\t}}\n}}\n"
        )
    };
    let status = |remark: &str, before: &str| {
        let (_folder, path) = folder(&[("a.go", &program(remark, before))]);
        let done = kinfold(&["check", &path]);
        (done.status, done.stdout + &done.stderr)
    };
    assert_eq!(status("", "").0, 0);
    assert_eq!(status("//kinfold:range 0..1", "").0, 0);
    let (found, said) = status("//kinfold:range 0..2", "");
    assert_eq!(found, 14, "{said}");
    assert!(said.contains("index out of range"), "{said}");
    for wrong in
        ["//kinfold:range 3..0", "//kinfold:range 0..5000", "//kinfold:range", "//kinfold:some"]
    {
        let (found, said) = status(wrong, "");
        assert_eq!(found, 150, "{wrong}: {said}");
        assert!(said.contains("this remark is not understood"), "{said}");
    }
    let (found, said) = status("", "//kinfold:any\n");
    assert_eq!(found, 150, "{said}");
    assert!(said.contains("this remark is about no declaration"), "{said}");
    let (found, said) = status("", "//kinfold:assert 1 > 0\n");
    assert_eq!(found, 150, "{said}");
    assert!(said.contains("there is nothing to assert here"), "{said}");
}

/// A deadlock, and a panic.
const PROGRAMS: [(&str, i32); 2] = [("transfer_both_ways", 11), ("stopped_twice", 14)];

#[test]
fn a_translation_that_is_kept_has_the_same_verdicts() {
    for (name, status) in PROGRAMS {
        let program = &project(&format!("crates/go/tests/programs/more/{name}.go"));
        let (_folder, path) = folder(&[]);
        let kept = format!("{path}/kept.kin");
        let converted = kinfold(&["convert", program, &kept]);
        assert_eq!(converted.status, 0, "{}", converted.stderr);
        let done = kinfold(&["check", &kept]);
        assert_eq!(done.status, status, "{}{}", done.stdout, done.stderr);
        assert_eq!(kinfold(&["check", program]).status, status);
        // What is shown is what is kept.
        let shown = kinfold(&["show", program]);
        assert_eq!(shown.stdout, fs::read_to_string(&kept).unwrap());
    }
}

/// Where findings are, of the files of a package: in the file, not in the folder.
#[test]
fn findings_name_the_file_that_they_are_in() {
    let (_folder, path) = folder(&[("queue.go", QUEUE), ("queue_test.go", TEST)]);
    let github = kinfold(&["check", &path, "--entry", "TestPut", "--format", "github"]);
    let place = format!("::error file={path}/queue.go,line=6,col=2,");
    assert!(github.stdout.starts_with(&place), "{}", github.stdout);
    let sarif = kinfold(&["check", &path, "--entry", "TestPut", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&sarif.stdout).unwrap();
    let result = &log["runs"][0]["results"][0];
    let physical = |location: &Value| {
        let physical = &location["physicalLocation"];
        let uri = physical["artifactLocation"]["uri"].as_str().unwrap().to_owned();
        let file = uri.rsplit('/').next().unwrap().to_owned();
        (file, physical["region"]["startLine"].as_u64().unwrap())
    };
    assert_eq!(physical(&result["locations"][0]), ("queue.go".to_owned(), 6), "{log:#}");
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let places: Vec<_> = flow.iter().map(|one| physical(&one["location"])).collect();
    assert!(places.contains(&("queue_test.go".to_owned(), 10)), "{places:?}");
    // What is wrong with the text, too.
    let wrong = QUEUE.replace("return false", "return x");
    let (_folder, path) = folder(&[("queue.go", &wrong), ("queue_test.go", TEST)]);
    let github = kinfold(&["check", &path, "--entry", "TestPut", "--format", "github"]);
    assert!(github.stdout.contains(&format!("file={path}/queue.go,line=9,")), "{}", github.stdout);
}

#[test]
fn the_module_says_whether_rounds_share_variables() {
    let program = "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tc := make(chan int, 2)\n\tfor i := 0; i < 2; i++ {\n\
         \t\tgo func() {\n\t\t\tc <- i\n\t\t}()\n\t}\n\tif <-c > 1 {\n\t\tt.Fatal(\"beyond\")\n\t}\n}\n";
    let checked = |module: Option<&str>, name: &str| {
        let (folder, path) = folder(&[]);
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("a_test.go"), program).unwrap();
        // A module is one from its folder down.
        let go_mod = module.map(|module| format!("module example.org/a\n\n{module}\n"));
        fs::write(folder.path().join("go.mod"), go_mod.unwrap_or_default()).unwrap();
        if module.is_none() {
            fs::remove_file(folder.path().join("go.mod")).unwrap();
        }
        let done = kinfold(&["check", &format!("{path}/{name}")]);
        (done.status, done.stdout + &done.stderr)
    };
    let warning = "all rounds of the loop share `i`";
    for name in ["inner", "inner/a_test.go"] {
        let (status, said) = checked(Some("go 1.22"), name);
        assert!(status == 0 && !said.contains(warning), "{said}");
        for module in ["go 1.21.5", "// go 1.22", ""] {
            let (status, said) = checked(Some(module), name);
            assert!(status != 0 && !said.contains(warning), "{module}: {said}");
        }
        let (status, said) = checked(None, name);
        assert!(status != 0 && said.contains(warning), "{said}");
        assert!(said.contains("a `go.mod`"), "{said}");
    }
}

/// That a goroutine waits for the end of the program as well is nothing that somebody has written.
#[test]
fn what_is_never_executed_is_a_line_of_the_program() {
    let text = "package main

func main() {
	work, done := make(chan int), make(chan bool)
	go func() {
		for {
			select {
			case n := <-work:
				if n > 1 {
					done <- false
				}
			case done <- true:
				return
			}
		}
	}()
	work <- 1
	<-done
}
";
    let (folder, path) = folder(&[("main.go", text)]);
    let done = kinfold(&["check", &format!("{path}/main.go")]);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    let never: Vec<&str> =
        done.stdout.lines().filter_map(|line| line.strip_prefix("never executed: ")).collect();
    assert_eq!(never, ["line 10: done <- false"], "{}", done.stdout);
    drop(folder);
}
