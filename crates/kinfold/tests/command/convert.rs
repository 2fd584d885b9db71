//! Models in PNML: every command takes them, and `convert` writes them.

use std::fs;
use std::path::PathBuf;

use crate::running::{kinfold, kinfold_fed, project};
use serde_json::Value;

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path: PathBuf = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// States and edges of the concrete system.
fn counts(model: &str, settings: &[&str]) -> (Value, Value) {
    let done = kinfold(&[&["explore", model, "--full", "--json"], settings].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    (report["states"].clone(), report["modes"].clone())
}

const GREETING: &str = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="greeting" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">
    <place id="in"><initialMarking><text>2</text></initialMarking></place>
    <place id="out"/>
    <transition id="say hello"/>
    <arc id="a" source="in" target="say hello"/>
    <arc id="b" source="say hello" target="out"><inscription><text>3</text></inscription></arc>
  </page></net></pnml>
"#;

#[test]
fn every_command_takes_documents() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "greeting.PNML", GREETING);
    assert_eq!(counts(&path, &[]), (3.into(), 2.into()));
    let shown = kinfold(&["show", &path]);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    insta::assert_snapshot!("shown_document", shown.stdout);
    let simulated = kinfold(&["simulate", &path, "--steps", "5", "--seed", "1"]);
    assert_eq!(simulated.stdout.matches("say hello").count(), 2, "{}", simulated.stdout);
    let graph = kinfold(&["graph", &path, "--format", "aut"]);
    assert!(graph.stdout.starts_with("des (0, 2, 3)"), "{}", graph.stdout);
    // On standard input it is seen from how it starts.
    let fed = kinfold_fed(&["explore", "-", "--json"], format!("\u{feff}\n{GREETING}").as_bytes());
    let report: Value =
        serde_json::from_str(&fed.stdout).unwrap_or_else(|_| panic!("{}", fed.stderr));
    assert_eq!(report["states"], 3);
    let shared = project("crates/pnml/tests/nets/operators.pnml");
    assert_eq!(kinfold(&["show", &shared]).status, 0);
}

#[test]
fn mistakes_in_a_document_are_all_reported() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = GREETING.replace("source=\"in\"", "source=\"im\"").replace(">3<", ">three<");
    let path = file(&folder, "wrong.pnml", &wrong);
    let done = kinfold(&["explore", &path]);
    assert_eq!((done.status, done.stdout.as_str()), (150, ""));
    let dangling = GREETING.replace("source=\"in\"", "source=\"im\"");
    let several = file(&folder, "several.pnml", &dangling.replace("id=\"b\"", "id=\"a\""));
    let reported = kinfold(&["show", &several]).stderr;
    insta::assert_snapshot!(reported.replace(folder.path().to_str().unwrap(), "DIR"));
    let large = file(&folder, "large.pnml", &GREETING.replace(">3<", ">5000000000<"));
    let done = kinfold(&["explore", &large]);
    assert_eq!(done.status, 150);
    assert!(done.stderr.contains("P0503"), "{}", done.stderr);
    let bytes = [GREETING.as_bytes(), b"\xFF"].concat();
    let done = kinfold_fed(&["explore", "-"], &bytes);
    assert_eq!(done.status, 150);
    assert!(done.stderr.contains("not UTF-8"), "{}", done.stderr);
}

/// What tools write besides the standard is told once, and the net is read.
#[test]
fn deviations_are_warnings_beside_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let text = GREETING.replace("<arc ", "$<arc type=\"normal\" ");
    let path = file(&folder, "greeting.pnml", &text);
    assert_eq!(counts(&path, &[]), (3.into(), 2.into()));
    let done = kinfold(&["explore", &path]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(done.stderr.matches("warning[").count(), 2, "{}", done.stderr);
    assert_eq!(done.stderr.matches("found 2 times").count(), 2, "{}", done.stderr);
}

/// Properties go to a file of their own, as far as the contest's format can say them.
#[test]
fn properties_are_written_beside_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let text = "model m\nplace p: 0..=1 = 1\nplace q\ntransition t { take p(x)   put q }\n\
        property safe: always count(q) <= 1\nproperty one: reachable count(p(1)) == 1\n";
    let model = file(&folder, "m.kin", text);
    let output = folder.path().join("m.pnml");
    let done = kinfold(&["convert", &model, output.to_str().unwrap()]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("property `one`"), "{}", done.stderr);
    let written = fs::read_to_string(folder.path().join("m.properties.xml")).unwrap();
    assert!(written.contains("<id>safe</id>") && !written.contains("<id>one</id>"), "{written}");
}

#[test]
fn documents_have_no_constants() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "greeting.pnml", GREETING);
    let done = kinfold(&["explore", &path, "--set", "n=3"]);
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    assert!(done.stderr.contains("no constants"), "{}", done.stderr);
}

#[test]
fn there_and_back_again() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (first, second) = (file(&folder, "a.pnml", GREETING), place("b.kin"));
    let (third, fourth) = (place("c.pnml"), place("d.kin"));
    for (from, to) in [(&first, &second), (&second, &third), (&third, &fourth)] {
        let done = kinfold(&["convert", from, to]);
        assert_eq!((done.status, done.stdout.as_str()), (0, ""), "{}", done.stderr);
    }
    let text = fs::read_to_string(&second).unwrap();
    assert_eq!(fs::read_to_string(&fourth).unwrap(), text);
    assert_eq!(counts(&third, &[]), (3.into(), 2.into()));
    let printed = kinfold_fed(&["convert", "-", "-", "--to", "kin"], GREETING.as_bytes());
    assert_eq!(printed.stdout, text);
    let printed = kinfold(&["convert", &second, "-", "--to", "pnml"]);
    assert_eq!(printed.stdout, fs::read_to_string(&third).unwrap());
    insta::assert_snapshot!("written_document", printed.stdout);
}

/// What the models mean is what their documents mean, though classes are then just enumerations.
#[test]
fn models_with_classes_are_documents_of_symmetric_nets() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("converted.pnml").to_str().unwrap().to_owned();
    for (name, settings) in [
        ("client_server", ["--set", "clients=3"]),
        ("distributed_database", ["--set", "n=4"]),
        ("philosophers", ["--set", "n=4"]),
        ("waves", ["--set", "n=4"]),
    ] {
        let model = project(&format!("models/{name}.kin"));
        let convert = ["convert", &model, &path, "--net-only"];
        let done = kinfold(&[&convert[..], &settings].concat());
        assert_eq!(done.status, 0, "{name}: {}", done.stderr);
        assert_eq!(counts(&path, &[]), counts(&model, &settings), "{name}");
    }
}

/// Reading is taking and putting back; what nobody asks for is a variable; integers are ranges.
#[test]
fn what_can_be_said_otherwise_is() {
    let folder = tempfile::tempdir().unwrap();
    let text = "model otherwise\n\
        class Seat cyclic 3\n\
        class Proc symmetric leader 1, others 2\n\
        place number: 0..=4 * bool = (0, true), (3, false)\n\
        place seat: Seat * Proc = (all, all in others)\n\
        place limit: 0..=4 = 3\n\
        transition look { read number(n, _)   take limit(m)   put limit(n)   when n != m and n < 10 }\n\
        transition turn(far: bool) {\n\
            let next_one = if far then succ(s) == s else pred(s, 2) != s\n\
            take seat(s, x), 1 number(n, far)\n\
            put seat(succ(s, 2), x), number(n, not far)\n\
            when x in others and next_one and n <= 3\n\
        }\n\
        transition swap { take seat(s, x), seat(t, x)   put seat(t, leader), seat(s, x)   when s != t }\n";
    let model = file(&folder, "otherwise.kin", text);
    let path = folder.path().join("otherwise.pnml").to_str().unwrap().to_owned();
    let done = kinfold(&["convert", &model, &path]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let (states, modes) = counts(&model, &[]);
    assert!(states.as_u64() > Some(100), "{states}");
    assert_eq!(counts(&path, &[]), (states, modes));
}

#[test]
fn what_cannot_be_said_is_listed_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let text = "model much\n\
        class Proc symmetric leader 1, others 2\n\
        class Level ordered 3\n\
        flow running(n: 0..=3)\n\
        place idle: Proc = all\n\
        place level: Level = Level1\n\
        place number: 0..=9 = 0\n\
        place wide: 0..=99\n\
        place both: Proc * Proc = (all x, all y) with x in leader\n\
        start running(0)\n\
        transition go { move p: running(n) -> running(n + 1) }\n\
        transition idle { take idle(x)   put idle(x)   when x in others }\n\
        transition `next` { take level(l)   put level(succ(l))   when l != Level3 }\n\
        transition `count` { take number(n)   put number(n + 1)   unless idle(leader) }\n\
        transition copy { take number(n)   put wide(n) }\n\
        transition choose { take idle(x)   put number(if x in leader then 1 else 2) }\n\
        transition some(l: Level) { put level(all k) with k < l }\n\
        property fine: deadlock_free\n";
    let model = file(&folder, "much.kin", text);
    let target = folder.path().join("much.pnml");
    let done = kinfold(&["convert", &model, target.to_str().unwrap()]);
    assert_eq!((done.status, done.stdout.as_str()), (150, ""));
    assert!(!target.exists());
    insta::assert_snapshot!(done.stderr);
}

#[test]
fn names_that_the_language_cannot_write_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "odd.pnml", &GREETING.replace("\"out\"", "\"o`t\""));
    let target = folder.path().join("odd.kin");
    let done = kinfold(&["convert", &path, target.to_str().unwrap()]);
    assert_eq!((done.status, done.stdout.as_str()), (150, ""));
    assert!(done.stderr.contains("the language cannot say this"), "{}", done.stderr);
    assert!(!target.exists());
}

#[test]
fn the_format_has_to_be_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "a.pnml", GREETING);
    for args in [
        &["convert", &path, "-"][..],
        &["convert", &path, "b.txt"],
        &["convert", &path, "b.kin", "--to", "pnml"],
    ] {
        let done = kinfold(args);
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{args:?}");
    }
    assert_eq!(kinfold(&["convert", "nowhere.pnml", "-", "--to", "kin"]).status, 153);
}
