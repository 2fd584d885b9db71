//! The experiment on random states, in small: all verdicts agree, and a run can be repeated.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use kinfold::experiment::{Cell, Experiment, Transformation};
use serde_json::{Value, json};

fn kinfold(out: &Path, args: &[&str]) -> Output {
    let out = out.to_str().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.args(["experiment", "--out", out]).args(args).output().unwrap()
}

fn verdicts(out: &Path) -> String {
    fs::read_to_string(out.join("verdicts.csv")).unwrap()
}

#[test]
fn canonical_forms_and_vf2_agree() {
    let seed = 7;
    let mut experiment = Experiment::new(seed, 3_000);
    while !experiment.is_done() {
        experiment.advance(1);
    }
    let tally = &experiment.tally;
    assert_eq!(tally.comparisons(), 3_000);
    assert_eq!(tally.disagreed, 0, "seed {seed}: {:?}", tally.disagreements);
    for transformation in Transformation::ALL {
        let made = &tally.made[&transformation];
        assert!(made.compared > 100, "{transformation:?}: {made:?}");
        let all = transformation == Transformation::SwapPids;
        assert_eq!(made.equivalent == made.compared, all, "{transformation:?}: {made:?}");
    }
    let undecided = tally.total(|made| made.undecided);
    assert!(undecided * 20 < tally.comparisons(), "VF2 was stopped on {undecided}");
    assert!(tally.total(|made| made.unproved) <= undecided);
    assert!(tally.times[0].len() > 10 && tally.times[1].len() == 9);
}

#[test]
fn the_grid_is_swept() {
    let cells: Vec<Cell> = (0..Cell::count() as u64).map(Cell::numbered).collect();
    for (at, cell) in cells.iter().enumerate() {
        assert!(!cells[..at].contains(cell), "{cell:?} twice");
    }
    assert_eq!(Cell::numbered(Cell::count() as u64), cells[0]);
}

#[test]
fn a_run_is_the_same_in_pieces_and_on_threads() {
    let dir = tempfile::tempdir().unwrap();
    let [whole, pieces, threads] = ["whole", "pieces", "threads"].map(|name| dir.path().join(name));
    let seed = ["--seed", "11"];
    let run = |out: &Path, args: &[&str]| {
        let done = kinfold(out, &[&seed[..], args].concat());
        let stderr = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{stderr}");
        String::from_utf8(done.stdout).unwrap()
    };
    let said = run(&whole, &["--comparisons", "1500"]);
    assert!(said.starts_with("seed 11\n1500 comparisons") && said.contains("0 disagreements"));
    run(&pieces, &["--comparisons", "333"]);
    run(&pieces, &["--comparisons", "1000", "--resume"]);
    run(&pieces, &["--comparisons", "1500", "--resume"]);
    run(&threads, &["--comparisons", "1500", "--threads", "3"]);
    assert_eq!(verdicts(&whole), verdicts(&pieces));
    assert_eq!(verdicts(&whole), verdicts(&threads));
    for name in ["pids.csv", "vectors.csv", "share.csv", "data.csv", "summary.txt"] {
        assert!(fs::metadata(whole.join(name)).unwrap().len() > 100, "{name}");
    }
    for name in ["pids.svg", "vectors.svg"] {
        let svg = fs::read_to_string(whole.join(name)).unwrap();
        assert!(svg.contains("VF2") && svg.contains("mean time") && !svg.contains("NaN"), "{name}");
    }
}

#[test]
fn a_saved_run_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let fails = |args: &[&str]| {
        let done = kinfold(dir.path(), args);
        (done.status.code().unwrap(), String::from_utf8(done.stderr).unwrap())
    };
    let (status, said) = fails(&["--resume"]);
    assert!(status == 153 && said.contains("run.json"), "{said}");
    assert_eq!(kinfold(dir.path(), &["--comparisons", "1", "--seed", "1"]).status.code(), Some(0));
    let (status, said) = fails(&["--comparisons", "1"]);
    assert!(status == 2 && said.contains("--resume"), "{said}");
    let (status, said) = fails(&["--comparisons", "1", "--resume", "--seed", "2"]);
    assert!(status == 2 && said.contains("another seed: 1"), "{said}");
    fs::write(dir.path().join("run.json"), "{}").unwrap();
    let (status, said) = fails(&["--resume"]);
    assert!(status == 150 && said.contains("no saved run"), "{said}");
}

#[test]
fn the_page_has_the_numbers_of_the_run() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = fs::read_to_string(docs.join("experiment.md")).unwrap();
    let summary = fs::read_to_string(docs.join("experiment/summary.txt")).unwrap();
    assert!(page.contains(summary.trim_end()));
    assert!(summary.contains(" 0 disagreements\n"));
    let verdicts = fs::read_to_string(docs.join("experiment/verdicts.csv")).unwrap();
    for transformation in Transformation::ALL {
        assert!(
            verdicts.contains(transformation.name()) && summary.contains(transformation.name())
        );
    }
}

#[test]
fn a_disagreement_is_written_out() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(kinfold(dir.path(), &["--comparisons", "1", "--seed", "1"]).status.code(), Some(0));
    // As a run that has met one would have saved it.
    let saved = dir.path().join("run.json");
    let mut run: Value = serde_json::from_str(&fs::read_to_string(&saved).unwrap()).unwrap();
    let state = json!({ "tokens": { "p": [["1"]] }, "eta": {} });
    run["tally"]["disagreed"] = 1.into();
    run["tally"]["disagreements"] = json!([{
        "group": 0, "transformation": "shift_pids", "relations": ["parent"],
        "by_state": true, "by_bytes": true, "by_vf2": false, "by_proof": null,
        "by_construction": null, "states": [state, state],
    }]);
    fs::write(&saved, run.to_string()).unwrap();
    let done = kinfold(dir.path(), &["--comparisons", "1", "--resume"]);
    assert_eq!(done.status.code(), Some(70));
    let stderr = String::from_utf8(done.stderr).unwrap();
    assert!(stderr.contains("DISAGREEMENT 1") && stderr.contains("observing parent"), "{stderr}");
    let written = fs::read_to_string(dir.path().join("disagreement-1-b.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), state);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_can_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kinfold"))
        .args(["experiment", "--seed", "3", "--out", dir.path().to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    // The seed is printed when the run begins, and can be interrupted from then on.
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    assert_eq!(line, "seed 3\n");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let rest: Vec<String> = stdout.lines().map(Result::unwrap).collect();
    assert!(rest[0].contains("comparisons of 2000000 wanted"), "{rest:?}");
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(20));
    assert!(String::from_utf8(done.stderr).unwrap().contains("INCOMPLETE"));
    let resumed = kinfold(dir.path(), &["--resume", "--comparisons", "500"]);
    let stderr = String::from_utf8_lossy(&resumed.stderr);
    assert_eq!(resumed.status.code(), Some(0), "{stderr}");
}
