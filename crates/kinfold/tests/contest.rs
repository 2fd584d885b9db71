//! `kinfold mcc` as the contest meets it.

#[path = "running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;

use std::fs;
use std::path::Path;
use std::process::Command;

use running::{fed, project};

fn kinfold(directory: &Path, args: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.current_dir(directory).arg("mcc").args(args);
    for name in ["BK_EXAMINATION", "BK_TIME_CONFINEMENT", "BK_MEMORY_CONFINEMENT"] {
        command.env_remove(name);
    }
    let done = fed(command.envs(variables.iter().copied()), b"");
    (done.status, done.stdout, done.stderr)
}

/// A P/T net: a token goes round, and two transitions compete for it.
const RING: &str = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="ring" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
    <place id="p"><initialMarking><text>2</text></initialMarking></place>
    <place id="q"/>
    <transition id="t"/><transition id="u"/><transition id="v"/>
    <arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/>
    <arc id="c" source="p" target="u"/><arc id="d" source="u" target="q"/>
    <arc id="e" source="q" target="v"/><arc id="f" source="v" target="p"/>
  </page></net></pnml>"#;

fn instance(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.pnml"), text).unwrap();
    folder
}

#[test]
fn a_state_space_is_answered_in_the_contest_s_format() {
    let folder = instance(RING);
    let (status, stdout, _) =
        kinfold(folder.path(), &["--threads", "1"], &[("BK_EXAMINATION", "StateSpace")]);
    let technique = "TECHNIQUES SEQUENTIAL_PROCESSING EXPLICIT";
    let expected = format!(
        "STATE_SPACE STATES 3 {technique}\n\
         STATE_SPACE TRANSITIONS 6 {technique}\n\
         STATE_SPACE MAX_TOKEN_PER_MARKING 2 {technique}\n\
         STATE_SPACE MAX_TOKEN_IN_PLACE 2 {technique}\n"
    );
    assert_eq!((status, stdout), (0, expected));
}

#[test]
fn what_cannot_be_had_is_said() {
    let here = Path::new(".");
    let growing = RING.replace(
        r#"<arc id="f" source="v" target="p"/>"#,
        r#"<arc id="f" source="v" target="p"><inscription><text>2</text></inscription></arc>"#,
    );
    let folder = instance(&growing);
    let directory = folder.path().to_str().unwrap();
    let (status, stdout, _) = kinfold(here, &[directory, "--examination", "StateSpace"], &[]);
    assert_eq!(status, 0);
    assert!(stdout.starts_with("STATE_SPACE STATES +inf "), "{stdout}");
    let (status, stdout, _) = kinfold(here, &[directory, "--examination", "Liveness"], &[]);
    assert_eq!((status, stdout.as_str()), (0, "DO_NOT_COMPETE\n"));
    let (status, _, stderr) = kinfold(here, &[directory], &[]);
    assert_eq!(status, 2);
    assert!(stderr.contains("BK_EXAMINATION"), "{stderr}");
    let limited = [("BK_EXAMINATION", "StateSpace"), ("BK_TIME_CONFINEMENT", "soon")];
    let (status, _, stderr) = kinfold(folder.path(), &[], &limited);
    assert_eq!(status, 2);
    assert!(stderr.contains("BK_TIME_CONFINEMENT is `soon`"), "{stderr}");
    let (status, _, stderr) = kinfold(here, &["nowhere", "--examination", "StateSpace"], &[]);
    assert_eq!(status, 153);
    assert!(stderr.contains("model.pnml"), "{stderr}");
}

#[test]
fn a_limit_gives_no_answer() {
    // Sixty places that each hold a token or not, independently.
    let mut net = String::from(
        r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"
        type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">"#,
    );
    for i in 0..60 {
        net += &format!(
            r#"<place id="p{i}"><initialMarking><text>1</text></initialMarking></place>
            <transition id="t{i}"/><arc id="a{i}" source="p{i}" target="t{i}"/>"#
        );
    }
    net += "</page></net></pnml>";
    let folder = instance(&net);
    let args = ["--examination", "StateSpace", "--time", "0.2", "--engine"];
    let (status, stdout, _) = kinfold(folder.path(), &[&args[..], &["explicit"]].concat(), &[]);
    assert_eq!((status, stdout.as_str()), (20, "CANNOT_COMPUTE\n"));
    let (status, stdout, _) =
        kinfold(folder.path(), &[&args[..2], &["--time", "60"]].concat(), &[]);
    let states = format!("STATE_SPACE STATES {} ", 1_u64 << 60);
    assert!(status == 0 && stdout.starts_with(&states), "{stdout}");
}

/// Kinfold's own nets always; those of the contest where they lie beside the project.
#[test]
fn nothing_is_wrong_in_the_self_test() {
    let (status, stdout, stderr) = kinfold(Path::new(&project("")), &["--self-test"], &[]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let summary = stdout.lines().last().unwrap_or_default();
    assert!(summary.ends_with(" 0 wrong"), "{stdout}");
}

/// The nets of the 2004 paper's table in PNML, where they lie beside the project, have the counts of the
/// table as corrected.
#[test]
fn the_table_s_nets_in_pnml_have_its_counts() {
    let table = fs::read_to_string(project("models/papers/symmetric.tsv")).unwrap();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let name = format!("{}-{}.pnml", cells[0], cells[1].replace('=', "").replace(',', "-"));
        let path = project(&format!("../shared/expected/pnml/{name}"));
        if !Path::new(&path).is_file() {
            continue;
        }
        let report = running::kinfold(&["explore", "--json", &path]).json();
        let text = |name: &str| match &report[name] {
            serde_json::Value::String(text) => text.clone(),
            number => number.to_string(),
        };
        let found = ["concrete_states", "states", "edges", "concrete_edges", "deadlocks"].map(text);
        assert_eq!(found[..], cells[2..], "{path}");
    }
}
