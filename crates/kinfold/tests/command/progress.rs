//! Progress as lines of JSON: what they have, that numbers do not go back, and that the last one has the result.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the command in the folder of models.
fn kinfold(line: &str) -> Output {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.current_dir(models).args(line.split_whitespace());
    command.output().expect("the command runs")
}

/// The lines of JSON on stderr, which are checked for what all have.
fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stderr.clone()).expect("text");
    let lines = text.lines().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(lines.len() >= 2, "{text}");
    for line in &lines {
        for field in [
            "schema_version",
            "event",
            "command",
            "model",
            "phase",
            "phases",
            "seconds",
            "exploration",
            "classes",
            "expanded",
            "edges",
            "frontier",
            "depth",
            "levels",
            "rate",
            "rate_overall",
            "growing",
            "nodes",
            "memory_bytes",
            "peak_memory_bytes",
            "disk_bytes",
            "limits",
            "estimate",
            "bytes_exchanged",
            "skew",
            "processes",
            "exit",
        ] {
            assert!(line.get(field).is_some(), "{field} is missing in {line}");
        }
        for limit in [
            "seconds",
            "seconds_left",
            "memory_bytes",
            "memory_left_bytes",
            "states",
            "states_left",
        ] {
            assert!(line["limits"].get(limit).is_some(), "{limit} is missing in {line}");
        }
        assert_eq!(line["schema_version"], 1);
    }
    let events: Vec<&str> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
    assert_eq!((events[0], events[events.len() - 1]), ("begin", "end"));
    let between = &events[1..events.len() - 1];
    assert!(between.iter().all(|event| *event == "progress"), "{events:?}");
    never_back(&lines);
    let end = &lines[lines.len() - 1];
    assert_eq!(end["exit"].as_i64(), output.status.code().map(i64::from), "{end}");
    assert_eq!(end["phase"], "done");
    lines
}

/// Time and the peak of memory never decrease, and within one exploration nothing that is counted does.
fn never_back(lines: &[Value]) {
    for two in lines.windows(2) {
        let of = |field: &str| [&two[0][field], &two[1][field]].map(|value| value.as_f64());
        for field in ["seconds", "exploration", "peak_memory_bytes"] {
            let [before, after] = of(field);
            assert!(before <= after, "{field} goes back: {two:#?}");
        }
        if two[0]["exploration"] == two[1]["exploration"] {
            for field in ["classes", "expanded", "edges", "depth"] {
                let [before, after] = of(field);
                assert!(before <= after, "{field} goes back: {two:#?}");
            }
        }
        let [found, expanded, waiting] =
            ["classes", "expanded", "frontier"].map(|field| two[1][field].as_u64());
        if two[1]["nodes"].is_null() {
            assert_eq!(found.zip(expanded).map(|(found, expanded)| found - expanded), waiting);
        }
    }
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("a report in JSON")
}

const OFTEN: &str = "--progress json --progress-every 0.01";

#[test]
fn the_last_line_of_an_exploration_has_its_counts() {
    for threads in [1, 2] {
        let line = format!("explore server.kin --set k=3 --set m=3 --json --threads {threads}");
        let output = kinfold(&format!("{line} {OFTEN} --memory 1G --time 600 --max-states 40000"));
        let (lines, report) = (lines(&output), report(&output));
        let end = &lines[lines.len() - 1];
        assert_eq!((&end["classes"], &end["edges"]), (&report["states"], &report["edges"]));
        assert_eq!((&end["expanded"], &end["frontier"]), (&report["states"], &Value::from(0)));
        assert_eq!(end["classes"], 30857);
        assert_eq!(end["limits"]["memory_bytes"], 1 << 30);
        assert_eq!(end["limits"]["states_left"], 40000 - 30857);
        assert!(end["limits"]["seconds_left"].as_f64().is_some_and(|left| left < 600.0));
        // The last levels are the end of all of them.
        let levels = end["levels"].as_array().expect("a list");
        assert!(levels.len() > 3 && end["depth"].as_u64() >= Some(levels.len() as u64 - 1));
    }
}

#[test]
fn a_limit_is_told_as_it_was_reached() {
    let output =
        kinfold(&format!("explore server.kin --set k=3 --set m=3 --json {OFTEN} --max-states 700"));
    let lines = lines(&output);
    let end = &lines[lines.len() - 1];
    assert_eq!((output.status.code(), &end["classes"]), (Some(20), &Value::from(700)));
    assert_eq!(end["limits"]["states_left"], 0);
    assert!(end["frontier"].as_u64() > Some(0));
}

#[test]
fn diagrams_tell_their_nodes_and_in_the_end_their_elements() {
    let line = "explore philosophers.kin --engine ddd --json";
    let output = kinfold(&format!("{line} {OFTEN}"));
    let (lines, report) = (lines(&output), report(&output));
    let end = &lines[lines.len() - 1];
    assert_eq!((&end["classes"], &end["nodes"]), (&report["states"], &report["final_nodes"]));
}

#[test]
fn checking_tells_its_phases_and_each_model_has_an_end() {
    let output = kinfold(&format!("check server.kin --set k=2 --set m=2 {OFTEN}"));
    let phases: Vec<String> = lines(&output)
        .iter()
        .flat_map(|line| line["phases"].as_array().cloned().unwrap_or_default())
        .filter_map(|phase| phase.as_str().map(str::to_owned))
        .collect();
    for phase in ["exploring", "deciding"] {
        assert!(phases.iter().any(|other| other == phase), "{phase} is not among {phases:?}");
    }
    let output = kinfold("check server.kin lock.kin --progress json");
    let text = String::from_utf8(output.stderr).expect("text");
    let ends = text.lines().filter(|line| line.contains("\"event\":\"end\""));
    let models: Vec<bool> = ends.map(|line| line.contains("server.kin")).collect();
    assert_eq!(models, [true, false]);
}

#[test]
fn a_run_that_goes_on_begins_with_what_was_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept");
    let kept = kept.to_str().expect("text");
    let begun = kinfold(&format!(
        "explore server.kin --set k=3 --set m=3 --checkpoint {kept} --max-states 9000 {OFTEN}"
    ));
    assert_eq!(begun.status.code(), Some(20));
    // The last expansion, which the limit cut short, is not part of it.
    let shown = report(&kinfold(&format!("checkpoint show {kept} --json")));
    let begins_with = shown["explorations"][0]["counts"]["states"].as_u64().expect("a number");
    assert!((8000..=9000).contains(&begins_with));
    // How progress is shown is kept, too.
    let resumed = kinfold(&format!("resume {kept} --max-states 100000"));
    let lines = lines(&resumed);
    assert_eq!(lines[lines.len() - 1]["classes"], 30857);
    let counts = lines.iter().filter_map(|line| line["classes"].as_u64());
    assert!(counts.filter(|&count| count > 0).all(|count| count >= begins_with));
}

#[test]
fn other_commands_and_forms() {
    let graph = kinfold(&format!("graph server.kin --format aut {OFTEN}"));
    assert_eq!(lines(&graph).last().expect("an end")["classes"], 22);
    let folder = tempfile::tempdir().expect("a folder");
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/pnml/philosophers.pnml");
    std::fs::copy(net, folder.path().join("model.pnml")).expect("a copy");
    let folder = folder.path().display();
    lines(&kinfold(&format!("mcc {folder} --examination StateSpace {OFTEN}")));
    for form in ["auto", "none"] {
        let output = kinfold(&format!("explore lock.kin --progress {form}"));
        assert!(!String::from_utf8_lossy(&output.stderr).contains("phase"), "{output:?}");
    }
    let line = "explore server.kin --set k=3 --set m=3 --progress line --progress-every 0.01";
    let text = String::from_utf8(kinfold(line).stderr).expect("text");
    assert!(text.lines().any(|line| line.contains("states") && line.contains("depth")), "{text}");
    // A model that cannot be read has an end, too.
    let wrong = kinfold("explore no_such.kin --progress json");
    assert_eq!(lines(&wrong).len(), 2);
}
