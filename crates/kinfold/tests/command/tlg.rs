//! `kinfold tlg`, and the JSON form of states that it reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::schema::{fits, schema_of};
use kinfold::state::State;
use serde_json::{Value, json};

/// State s3 of figure 2 in Klaudel et al. (2009).
const SESSION: &str = r#"{"tokens":{"S":[["1"],["2"]],"H":[["1.1",2009,{"enum":"addr"}]],"F":[["1.1.1",2009]]},
    "eta":{"1":1,"2":0,"1.1":1,"1.1.1":0}}"#;

fn kinfold(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kinfold")).args(args).output().unwrap()
}

fn file(text: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("state.json");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (dir, path)
}

fn stdout(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn failure(output: &Output) -> (i32, String) {
    let code = output.status.code().expect("no signal");
    assert_ne!(code, 0);
    (code, String::from_utf8(output.stderr.clone()).unwrap())
}

#[test]
fn the_graph_as_json() {
    let (_dir, path) = file(SESSION);
    let graph: Value =
        serde_json::from_str(&stdout(&kinfold(&["tlg", &path, "--format", "json"]))).unwrap();
    let vertices = graph["vertices"].as_array().unwrap();
    let layer = |layer: &str| vertices.iter().filter(|v| v["layer"] == layer).count();
    assert_eq!([layer("place"), layer("token"), layer("pid")], [3, 4, 8]);
    assert_eq!(vertices.iter().filter(|v| v["next"] == true).count(), 4);
    let handler = vertices.iter().find(|v| v["values"] == json!([null, 2009, { "enum": "addr" }]));
    assert_eq!(handler.unwrap()["count"], 1);
    let arcs = graph["arcs"].as_array().unwrap();
    let kind = |kind: &str| arcs.iter().filter(|arc| arc["kind"] == kind).count();
    assert_eq!(["holds", "position", "next", "relation"].map(kind), [4, 4, 4, 2]);
    for arc in arcs {
        let end = |end: &str| &vertices[arc[end].as_u64().unwrap() as usize];
        let layers = (end("source")["layer"].as_str(), end("target")["layer"].as_str());
        let expected = match arc["kind"].as_str() {
            Some("holds") => ("place", "token"),
            Some("position") => ("token", "pid"),
            _ => ("pid", "pid"),
        };
        assert_eq!(layers, (Some(expected.0), Some(expected.1)));
    }
}

#[test]
fn pictures_show_three_layers() {
    let (_dir, path) = file(SESSION);
    let svg = stdout(&kinfold(&["tlg", &path, "--format", "svg", "--relations", "next_sibling"]));
    for part in ["⟨ε, 2009⟩", "token, its pids as ε", ">1.1.2<", "next-pid", ">next_sibling<"]
    {
        assert!(svg.contains(part), "{part} is not in {svg}");
    }
    assert!(!svg.contains(">parent<"), "not observed");
    let dot = stdout(&kinfold(&["tlg", &path, "--format", "dot"]));
    for part in ["rank=min", "rank=max", "label=\"parent\"", "label=\"next\""] {
        assert!(dot.contains(part), "{part} is not in {dot}");
    }
    let picture = Path::new(&path).with_extension("svg");
    let done = kinfold(&["tlg", &path, "--format", "svg", "-o", picture.to_str().unwrap()]);
    assert_eq!(stdout(&done), "");
    assert!(fs::read_to_string(picture).unwrap().starts_with("<svg"));
}

#[test]
fn any_state_can_be_drawn() {
    for text in [
        r#"{"tokens":{},"eta":{}}"#,
        r#"{"tokens":{},"eta":{"1":0}}"#,
        r#"{"tokens":{"<&\"":[[{"enum":"</svg>"}],[]]},"eta":{}}"#,
        r#"{"tokens":{"p":[["1","1","1"],["1.4294967295"]]},"eta":{"1":4294967295}}"#,
    ] {
        let (_dir, path) = file(text);
        for format in ["dot", "svg", "json"] {
            let all = "parent,ancestor,next_sibling,elder_sibling";
            let text = stdout(&kinfold(&["tlg", &path, "--format", format, "--relations", all]));
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            assert!(format != "svg" || text.matches("</svg>").count() == 1, "{text}");
        }
    }
}

#[test]
fn one_of_several_states() {
    let (_dir, path) =
        file("{\"tokens\":{\"a\":[[]]},\"eta\":{}}\n\n{\"tokens\":{\"b\":[[]]},\n\"eta\":{}}\n");
    let first = kinfold(&["tlg", &path, "--format", "json"]);
    assert!(stdout(&first).contains("\"a\""));
    assert!(String::from_utf8(first.stderr).unwrap().contains("more than one state"));
    for line in ["3", "4"] {
        let second = kinfold(&["tlg", &path, "--format", "json", "--line", line]);
        assert!(stdout(&second).contains("\"b\"") && second.stderr.is_empty());
    }
    let (code, said) = failure(&kinfold(&["tlg", &path, "--line", "2"]));
    assert!(code == 2 && said.contains("lines 1, 3"), "{said}");
}

/// The states of a graph are read as they are written.
#[test]
fn the_states_of_a_graph_are_read_by_whoever_reads_states() {
    let graph = stdout(&kinfold(&[
        "graph",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/lock.kin"),
        "--format",
        "json",
    ]));
    let json: Value = serde_json::from_str(&graph).unwrap();
    let states = json["states"].as_array().unwrap();
    let relations: Vec<&str> =
        json["relations"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let relations = format!("--relations={}", relations.join(","));
    assert!(states.len() > 2);
    let lines: String = states.iter().map(|state| format!("{state}\n")).collect();
    for text in [&graph, &lines] {
        let (_dir, path) = file(text);
        let done = kinfold(&["bench", "canon", &path, "--time", "0.01", "--json", &relations]);
        let found: Value = serde_json::from_str(&stdout(&done)).unwrap();
        assert_eq!(found["states"], states.len());
        assert_eq!(found["distinct"], states.len());
        let (_other, first) = file(&states[0].to_string());
        let [drawn, alone] =
            [&path, &first].map(|path| kinfold(&["tlg", path, "--format", "json"]));
        assert_eq!(stdout(&drawn), stdout(&alone));
        assert!(String::from_utf8(drawn.stderr).unwrap().contains("more than one state"));
        assert_eq!(kinfold(&["equiv", &path, &first]).status.code(), Some(0));
    }
    let (_dir, path) = file(&graph);
    let (code, said) = failure(&kinfold(&["tlg", &path, "--line", "9"]));
    assert!(code == 2 && said.contains("inside a graph"), "{said}");
    let (_dir, path) = file(r#"{"states": [{"tokens": {}, "eta": {}}, {"tokens": {}}]}"#);
    let (code, said) = failure(&kinfold(&["bench", "canon", &path]));
    assert!(code == 150 && said.contains("line 1, states[1]: eta: expected an object"), "{said}");
}

#[test]
fn mistakes_have_a_place_and_a_status() {
    let status = |text: &str| {
        let (_dir, path) = file(text);
        failure(&kinfold(&["tlg", &path]))
    };
    let (code, said) = status("{\"tokens\":{},\n\"eta\":}");
    assert!(code == 150 && said.contains("line 2 column 7"), "{said}");
    let (code, said) = status("\n{\"tokens\":{\"p\":[[\"0\"]]},\"eta\":{}}");
    assert!(code == 150 && said.contains("state on line 2: tokens.p[0]: `0`"), "{said}");
    let (code, said) = status("{\"tokens\":{\"p\":[[\"1.2\"]]},\"eta\":{\"1\":1}}");
    assert!(code == 150 && said.contains("1.2 is present"), "{said}");
    let (code, said) = status(" \n");
    assert!(code == 150 && said.contains("holds no state"), "{said}");
    let (code, said) = status(&("[".repeat(100_000) + &"]".repeat(100_000)));
    assert!(code == 150 && said.contains("recursion limit"), "{said}");
    let (code, said) = failure(&kinfold(&["tlg", "no/such/file.json"]));
    assert!(code == 153 && said.contains("no/such/file.json"), "{said}");
    let (_dir, path) = file(SESSION);
    let (code, said) = failure(&kinfold(&["tlg", &path, "--relations", "uncle"]));
    assert!(code == 2 && said.contains("uncle"), "{said}");
}

#[test]
fn a_large_picture_is_refused() {
    let tokens: Vec<String> = (1..=300).map(|n| format!("[\"{n}\"]")).collect();
    let (_dir, path) = file(&format!(r#"{{"tokens":{{"p":[{}]}},"eta":{{}}}}"#, tokens.join(",")));
    let (code, said) = failure(&kinfold(&["tlg", &path, "--format", "svg"]));
    assert!(code == 2 && said.contains("601 vertices"), "{said}");
    assert!(stdout(&kinfold(&["tlg", &path, "--format", "dot"])).contains("n600"));
}

fn docs(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    fs::read_to_string(path).unwrap()
}

/// The blocks of a kind in a page.
fn blocks(page: &str, kind: &str) -> Vec<String> {
    let fence = format!("```{kind}\n");
    let parts = page.split(&fence).skip(1);
    parts.map(|part| part.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_schema_says_what_is_read() {
    let schema = schema_of("state.schema.json");
    let examples = blocks(&docs("states.md"), "json");
    assert!(examples.len() >= 2);
    for example in examples.iter().map(String::as_str).chain([SESSION]) {
        let state =
            State::from_json(example).unwrap_or_else(|error| panic!("{error} in {example}"));
        assert!(fits(&serde_json::from_str(example).unwrap(), &schema, &schema), "{example}");
        assert!(fits(&state.to_json(), &schema, &schema), "what is written of {example}");
    }
    for wrong in [
        "[]",
        r#"{"tokens":{}}"#,
        r#"{"eta":{}}"#,
        r#"{"tokens":[],"eta":{}}"#,
        r#"{"tokens":{"p":[1]},"eta":{}}"#,
        r#"{"tokens":{"p":[["one"]]},"eta":{}}"#,
        r#"{"tokens":{"p":[["1.0"]]},"eta":{}}"#,
        r#"{"tokens":{"p":[[1.5]]},"eta":{}}"#,
        r#"{"tokens":{"p":[[[]]]},"eta":{}}"#,
        r#"{"tokens":{"p":[[{"object":"lock"}]]},"eta":{}}"#,
        r#"{"tokens":{"p":[[{"object":"lock","number":0}]]},"eta":{}}"#,
        r#"{"tokens":{"p":[[{"enum":1}]]},"eta":{}}"#,
        r#"{"tokens":{"p":[[{"enum":"a","more":1}]]},"eta":{}}"#,
        r#"{"tokens":{},"eta":{"1":-1}}"#,
        r#"{"tokens":{},"eta":{"1":4294967296}}"#,
        r#"{"tokens":{},"eta":{"x":1}}"#,
    ] {
        assert!(State::from_json(wrong).is_err(), "{wrong} is read");
        assert!(!fits(&serde_json::from_str(wrong).unwrap(), &schema, &schema), "{wrong} fits");
    }
    let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let written = State::from_json(SESSION).unwrap().to_json();
    assert!(written.as_object().unwrap().keys().eq(fields), "all fields, and no others");
}

#[test]
fn the_picture_in_the_page_is_that_of_its_first_state() {
    let (dir, path) = file(&blocks(&docs("states.md"), "json")[0]);
    let name = Path::new(&path).file_name().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.current_dir(dir.path()).arg("tlg").arg(name).args(["--format", "svg"]);
    let drawn = stdout(&command.output().unwrap());
    assert_eq!(drawn, docs("states/session.svg"), "draw it again with kinfold tlg --format svg");
}

#[test]
fn the_page_shows_what_is_said() {
    let page = docs("states.md");
    let (_dir, path) = file(r#"{"tokens":{"p":[["1.0"]]},"eta":{}}"#);
    let (_, said) = failure(&kinfold(&["tlg", &path]));
    assert!(page.contains(said.replace(&path, "state.json").trim()), "{said}");
}
