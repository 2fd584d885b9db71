//! `kinfold equiv`: verdicts, bijections and reasons.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

struct Done {
    status: i32,
    stdout: String,
    stderr: String,
}

/// Runs `kinfold equiv` on two states.
fn equiv(first: &str, second: &str, args: &[&str]) -> Done {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.arg("equiv").args([path("a.json", first), path("b.json", second)]).args(args);
    done(command.output().unwrap())
}

fn done(output: std::process::Output) -> Done {
    Done {
        status: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The two branches of figure 2 in Klaudel et al. (2009): state s3 and its mirror image.
const LEFT: &str = r#"{"tokens":{"S":[["1"],["2"]],"H":[["1.1",2009]],"F":[["1.1.1",2009]]},
    "eta":{"1":1,"2":0,"1.1":1,"1.1.1":0}}"#;
const RIGHT: &str = r#"{"tokens":{"S":[["1"],["2"]],"H":[["2.1",2009]],"F":[["2.1.1",2009]]},
    "eta":{"1":0,"2":1,"2.1":1,"2.1.1":0}}"#;

#[test]
fn the_branches_of_the_paper_are_equivalent() {
    let done = equiv(LEFT, RIGHT, &[]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let expected = "equivalent, observing =, parent\n  1       ↦ 2\n  1.1     ↦ 2.1\n  \
                    1.1.1   ↦ 2.1.1\n  2       ↦ 1\n  1.2     ↦ 2.2  (next pids)\n";
    assert!(done.stdout.starts_with(expected), "{}", done.stdout);
    let done = equiv(LEFT, RIGHT, &["--json"]);
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(report["equivalent"], true);
    assert_eq!(report["bijection"], json!({ "1": "2", "2": "1", "1.1": "2.1", "1.1.1": "2.1.1" }));
    assert_eq!(report["next_pids"]["1.1.1.1"], "2.1.1.1");
}

#[test]
fn siblings_tell_them_apart() {
    let done = equiv(LEFT, RIGHT, &["--relations", "parent,next_sibling"]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(
        done.stdout
            .starts_with("not equivalent, observing =, parent, next_sibling\n  profile of pid"),
        "{}",
        done.stdout
    );
}

#[test]
fn reasons_go_from_coarse_to_fine() {
    let reason = |second: &str| {
        let done = equiv(LEFT, second, &["--json"]);
        assert_eq!(done.status, 1, "{}", done.stderr);
        let report: Value = serde_json::from_str(&done.stdout).unwrap();
        assert_eq!(report["equivalent"], false);
        report["reason"].as_str().unwrap().to_owned()
    };
    let ended = LEFT.replace(",\"1.1.1\":0", "");
    assert_eq!(reason(&ended), "4 active pids in the first, 3 in the second");
    let placed = LEFT.replace("\"H\"", "\"G\"");
    assert_eq!(reason(&placed), "place G: 0 tokens in the first, 1 in the second");
    let data = LEFT.replace("[\"1.1\",2009]", "[\"1.1\",2008]");
    assert_eq!(
        reason(&data),
        "data: H(ε, 2008), pids not looked at: 0 tokens in the first, 1 in the second"
    );
    let moved = LEFT.replace("1.1.1", "3");
    assert_eq!(reason(&moved), "parent: 2 related pairs in the first, 1 in the second");
    // Both orphans, but one of a server and one of a handler.
    let swapped = LEFT
        .replace("\"H\":[[\"1.1\"", "\"H\":[[\"1.1.1\"")
        .replace("\"F\":[[\"1.1.1\"", "\"F\":[[\"1.1\"");
    assert!(reason(&swapped).starts_with("profile of pid"), "{}", reason(&swapped));
}

#[test]
fn where_counts_agree_a_search_decides() {
    let six = r#"{"tokens":{"l":[["1","2"],["2","3"],["3","4"],["4","5"],["5","6"],["6","1"]]},"eta":{}}"#;
    let threes = r#"{"tokens":{"l":[["1","2"],["2","3"],["3","1"],["4","5"],["5","6"],["6","4"]]},"eta":{}}"#;
    let done = equiv(six, threes, &[]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(done.stdout.contains("no bijection, although all counts agree"), "{}", done.stdout);
    let report: Value = serde_json::from_str(&equiv(six, threes, &["--json"]).stdout).unwrap();
    let forms = report["canonical"].as_array().unwrap();
    assert!(forms.len() == 2 && forms[0] != forms[1]);
}

#[test]
fn what_the_papers_graphs_would_merge() {
    let ancestor = equiv(
        r#"{"tokens":{"p":[["1"],["1.1.1"]]},"eta":{}}"#,
        r#"{"tokens":{"p":[["1"],["2.1.1"]]},"eta":{}}"#,
        &["--relations", "parent,ancestor"],
    );
    assert_eq!(ancestor.status, 1);
    assert!(ancestor.stdout.contains("ancestor: 1 related pair"), "{}", ancestor.stdout);
    let activity = equiv(
        r#"{"tokens":{"p":[["1"]],"q":[["2"]]},"eta":{"1":0}}"#,
        r#"{"tokens":{"p":[["1"]],"q":[["2"]]},"eta":{"2":0}}"#,
        &["--relations", ""],
    );
    assert_eq!(activity.status, 1);
}

#[test]
fn mistakes_have_a_status() {
    let wrong = equiv(LEFT, "{", &[]);
    assert_eq!(wrong.status, 150);
    assert!(
        wrong.stderr.contains("b.json: EOF") && wrong.stderr.contains("line 1"),
        "{}",
        wrong.stderr
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    let missing = done(command.args(["equiv", "no/a.json", "no/b.json"]).output().unwrap());
    assert!(missing.status == 153 && missing.stderr.contains("no/a.json"), "{}", missing.stderr);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    let both = done(command.args(["equiv", "-", "-"]).output().unwrap());
    assert_eq!(both.status, 2);
}

#[test]
fn a_state_may_come_from_standard_input() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("b.json");
    fs::write(&path, RIGHT).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kinfold"))
        .args(["equiv", "-", path.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(LEFT.as_bytes()).unwrap();
    assert_eq!(done(child.wait_with_output().unwrap()).status, 0);
}
