//! `kinfold mcc` as the contest meets it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::running::{self, fed, project};

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
    let (status, stdout, _) = kinfold(here, &[directory, "--examination", "Elegance"], &[]);
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

/// Sixty places that each hold a token or not, independently.
fn sixty_places() -> String {
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
    net + "</page></net></pnml>"
}

#[test]
fn a_limit_gives_no_answer() {
    let folder = instance(&sixty_places());
    let args = ["--examination", "StateSpace", "--time", "0.2", "--engine"];
    let (status, stdout, _) = kinfold(folder.path(), &[&args[..], &["explicit"]].concat(), &[]);
    assert_eq!((status, stdout.as_str()), (20, "CANNOT_COMPUTE\n"));
    let (status, stdout, _) =
        kinfold(folder.path(), &[&args[..2], &["--time", "60"]].concat(), &[]);
    let states = format!("STATE_SPACE STATES {} ", 1_u64 << 60);
    assert!(status == 0 && stdout.starts_with(&states), "{stdout}");
}

/// The initial marking is counted, and not fired in.
#[test]
fn limits_are_kept_where_the_initial_marking_is_looked_at() {
    let text = "model m
        class L ordered 2000
        place a: L = all
        place b: L = all
        place c: L = all
        transition go { take a(x), b(y), c(z)  when x < y and y < z and z < x }\n";
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("model.pnml");
    let done = running::kinfold_fed(&["convert", "-", net.to_str().unwrap()], text.as_bytes());
    assert_eq!(done.status, 0, "{}", done.stderr);
    let args = ["--examination", "StableMarking", "--time", "0.5"];
    let (status, stdout, _) = kinfold(folder.path(), &args, &[]);
    assert_eq!((status, stdout.as_str()), (20, "FORMULA StableMarking CANNOT_COMPUTE\n"));
}

#[test]
fn facts_about_a_net_are_answered_under_the_name_of_the_examination() {
    let folder = instance(RING);
    let facts = [
        ("ReachabilityDeadlock", "FALSE"),
        ("QuasiLiveness", "TRUE"),
        ("Liveness", "TRUE"),
        ("OneSafe", "FALSE"),
        ("StableMarking", "FALSE"),
    ];
    for (examination, verdict) in facts {
        for (engine, technique) in
            [("explicit", "EXPLICIT"), ("ddd", "DECISION_DIAGRAMS UNFOLDING_TO_PT")]
        {
            let args = ["--examination", examination, "--engine", engine, "--threads", "1"];
            let (status, stdout, _) = kinfold(folder.path(), &args, &[]);
            let (answered, by) = stdout.trim_end().split_once(" TECHNIQUES ").expect("a line");
            assert_eq!((status, answered), (0, &*format!("FORMULA {examination} {verdict}")));
            // What the first marking shows needs no diagram.
            let first = "SEQUENTIAL_PROCESSING EXPLICIT";
            let expected = format!("SEQUENTIAL_PROCESSING {technique}");
            assert!(by == expected || (examination == "OneSafe" && by == first), "{stdout}");
        }
    }
}

/// A property file with these formulas, called `a`, `b` and so on.
fn property_file(folder: &Path, examination: &str, formulas: &[&str]) {
    let property = |(id, formula): (char, &&str)| {
        format!("<property><id>{id}</id><formula>{formula}</formula></property>")
    };
    let properties: String = ('a'..).zip(formulas).map(property).collect();
    let text = format!(r#"<property-set xmlns="http://mcc.lip6.fr/">{properties}</property-set>"#);
    fs::write(folder.join(examination).with_extension("xml"), text).unwrap();
}

/// Each line up to the techniques, sorted.
fn answers(stdout: &str) -> Vec<&str> {
    let mut lines: Vec<&str> =
        stdout.lines().map(|line| line.split(" TECHNIQUES").next().unwrap_or(line)).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn formulas_are_answered_one_by_one() {
    let folder = instance(RING);
    let tokens = "<tokens-count><place>q</place></tokens-count>";
    let one = "<integer-constant>1</integer-constant>";
    let some_q = format!("<integer-le>{one}{tokens}</integer-le>");
    // A quantifier is missing; the others are answered all the same.
    let bare = format!("<finally>{some_q}</finally>");
    let ctl = format!("<all-paths>{bare}</all-paths>");
    property_file(folder.path(), "CTLCardinality", &[&bare, &ctl]);
    let (status, stdout, stderr) =
        kinfold(folder.path(), &["--examination", "CTLCardinality"], &[]);
    assert_eq!(
        (status, answers(&stdout)),
        (20, vec!["FORMULA a CANNOT_COMPUTE", "FORMULA b TRUE"])
    );
    assert!(stderr.contains("P0403"), "{stderr}");
    // In linear time it may be missing.
    property_file(folder.path(), "LTLCardinality", &[&bare]);
    let (status, stdout, _) = kinfold(folder.path(), &["--examination", "LTLCardinality"], &[]);
    assert_eq!((status, answers(&stdout)), (0, vec!["FORMULA a TRUE"]));
    let bound = "<place-bound><place>p</place><place>q</place></place-bound>";
    property_file(
        folder.path(),
        "UpperBounds",
        &[bound, "<place-bound><place>q</place></place-bound>"],
    );
    let (status, stdout, _) = kinfold(folder.path(), &["--examination", "UpperBounds"], &[]);
    assert_eq!((status, answers(&stdout)), (0, vec!["FORMULA a 2", "FORMULA b 2"]));
    let (status, _, stderr) = kinfold(folder.path(), &["--examination", "LTLFireability"], &[]);
    assert_eq!(status, 153);
    assert!(stderr.contains("LTLFireability.xml"), "{stderr}");
}

#[test]
fn a_limit_leaves_formulas_unanswered() {
    let folder = instance(&sixty_places());
    let tokens = |place| format!("<tokens-count><place>{place}</place></tokens-count>");
    let never = |place| {
        let atom = format!(
            "<integer-le>{}<integer-constant>-1</integer-constant></integer-le>",
            tokens(place)
        );
        format!("<exists-path><finally>{atom}</finally></exists-path>")
    };
    let less = format!("<integer-lt>{}{}</integer-lt>", tokens("p0"), tokens("p1"));
    let more = format!("<integer-lt>{}{}</integer-lt>", tokens("p1"), tokens("p0"));
    let both = format!(
        "<exists-path><finally><conjunction>{less}{more}</conjunction></finally></exists-path>"
    );
    let less = format!("<exists-path><finally>{less}</finally></exists-path>");
    property_file(folder.path(), "ReachabilityCardinality", &[&both, &less, &never("p0")]);
    let args = ["--examination", "ReachabilityCardinality", "--time", "0.3", "--engine"];
    let (status, stdout, _) = kinfold(folder.path(), &[&args[..], &["explicit"]].concat(), &[]);
    // What is met on the way is known, and what is plain; not what is met nowhere.
    let expected = ["FORMULA a CANNOT_COMPUTE", "FORMULA b TRUE", "FORMULA c FALSE"];
    assert_eq!((status, answers(&stdout)), (20, expected.to_vec()));
    let args = ["--examination", "ReachabilityCardinality", "--time", "60"];
    let (status, stdout, _) = kinfold(folder.path(), &args, &[]);
    let expected = ["FORMULA a FALSE", "FORMULA b TRUE", "FORMULA c FALSE"];
    assert_eq!((status, answers(&stdout)), (0, expected.to_vec()));
}

/// Forty rings of three places each, with a token in each ring.
fn forty_rings() -> String {
    let mut net = String::from(
        r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"
        type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">"#,
    );
    for i in 0..40 {
        let tokens = "<initialMarking><text>1</text></initialMarking>";
        net += &format!(r#"<place id="p{i}">{tokens}</place><place id="q{i}"/><place id="r{i}"/>"#);
        for (from, to) in [("p", "q"), ("q", "r"), ("r", "p")] {
            net += &format!(
                r#"<transition id="{from}{to}{i}"/>
                <arc id="a{from}{i}" source="{from}{i}" target="{from}{to}{i}"/>
                <arc id="b{from}{i}" source="{from}{to}{i}" target="{to}{i}"/>"#
            );
        }
    }
    net + "</page></net></pnml>"
}

#[test]
fn runs_that_come_back_on_a_walk_refute_linear_time() {
    let folder = instance(&forty_rings());
    let is_at = |place: &str| {
        format!(
            "<integer-le><integer-constant>1</integer-constant>
            <tokens-count><place>{place}</place></tokens-count></integer-le>"
        )
    };
    let path = |formula: &str| format!("<all-paths>{formula}</all-paths>");
    let [globally, finally] =
        ["globally", "finally"].map(|op| move |inner: &str| format!("<{op}>{inner}</{op}>"));
    let again = path(&globally(&finally(&is_at("p0"))));
    let some_time = path(&finally(&is_at("r7")));
    let next = path(&format!("<next>{}</next>", globally(&is_at("p3"))));
    let or_not = format!("<disjunction>{0}<negation>{0}</negation></disjunction>", is_at("q1"));
    let leaves = path(&globally(&finally(&or_not)));
    property_file(folder.path(), "LTLCardinality", &[&again, &some_time, &next, &leaves]);
    let args = ["--examination", "LTLCardinality", "--time", "20", "--engine", "structure"];
    let (_, stdout, stderr) = kinfold(folder.path(), &args, &[]);
    let expected = ["FORMULA a FALSE", "FORMULA b FALSE", "FORMULA c FALSE", "FORMULA d TRUE"];
    assert_eq!(answers(&stdout), expected.to_vec(), "{stderr}");
}

/// So many philosophers at a round table, each of whom takes one fork after the other.
fn philosophers(count: usize) -> String {
    let mut net = String::from(
        r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"
        type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">"#,
    );
    for i in 0..count {
        let (tokens, next) = ("<initialMarking><text>1</text></initialMarking>", (i + 1) % count);
        net += &format!(
            r#"<place id="think{i}">{tokens}</place><place id="fork{i}">{tokens}</place>
            <place id="wait{i}"/><place id="eat{i}"/>"#
        );
        let steps: [(&str, Vec<String>, Vec<String>); 3] = [
            ("first", vec![format!("think{i}"), format!("fork{i}")], vec![format!("wait{i}")]),
            ("second", vec![format!("wait{i}"), format!("fork{next}")], vec![format!("eat{i}")]),
            (
                "end",
                vec![format!("eat{i}")],
                vec![format!("think{i}"), format!("fork{i}"), format!("fork{next}")],
            ),
        ];
        for (name, from, to) in steps {
            net += &format!(r#"<transition id="{name}{i}"/>"#);
            for place in from {
                net +=
                    &format!(r#"<arc id="{place}{name}{i}" source="{place}" target="{name}{i}"/>"#);
            }
            for place in to {
                net +=
                    &format!(r#"<arc id="{name}{i}{place}" source="{name}{i}" target="{place}"/>"#);
            }
        }
    }
    net + "</page></net></pnml>"
}

#[test]
fn an_end_that_the_equation_leads_to_refutes_liveness() {
    let folder = instance(&philosophers(40));
    let args = ["--examination", "Liveness", "--time", "20", "--engine", "structure"];
    let (status, stdout, stderr) = kinfold(folder.path(), &args, &[]);
    assert_eq!((status, answers(&stdout)), (0, vec!["FORMULA Liveness FALSE"]), "{stderr}");
}

/// Kinfold's own nets always; those of the contest where they lie beside the project.
#[test]
fn nothing_is_wrong_in_the_self_test() {
    let args = ["--self-test", "--time", "1", "--memory", "1GiB"];
    let (status, stdout, stderr) = kinfold(Path::new(&project("")), &args, &[]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let summary = stdout.lines().last().unwrap_or_default();
    assert!(summary.ends_with(" 0 wrong"), "{stdout}");
}

/// A collection of one of Kinfold's own nets; if asked for, with a verdict that is not right.
fn collection(is_right: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let instance = folder.path().join("col/philosophers");
    fs::create_dir_all(&instance).unwrap();
    fs::copy(project("models/pnml/philosophers.pnml"), instance.join("model.pnml")).unwrap();
    for entry in fs::read_dir(project("models/pnml/philosophers")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, instance.join(path.file_name().unwrap())).unwrap();
    }
    let of_net = |table: &str| -> Vec<String> {
        let text = fs::read_to_string(project(table)).unwrap();
        let lines = text.lines().enumerate();
        let kept = lines.filter(|(n, line)| *n == 0 || line.contains("philosophers"));
        kept.map(|(_, line)| line.to_owned()).collect()
    };
    let mut verdicts = of_net("models/pnml/formulas.tsv");
    if !is_right {
        let line = verdicts.iter_mut().find(|line| line.contains("StableMarking")).unwrap();
        let (rest, verdict) = line.rsplit_once('\t').unwrap();
        *line = format!("{rest}\t{}", if verdict == "TRUE" { "FALSE" } else { "TRUE" });
    }
    let states = of_net("models/pnml/statespace.tsv");
    fs::write(folder.path().join("statespace.tsv"), states.join("\n")).unwrap();
    fs::write(folder.path().join("formulas.tsv"), verdicts.join("\n")).unwrap();
    folder
}

/// The examinations in the table of a self-test, each with what was right, unanswered and wrong.
fn examined(stdout: &str) -> Vec<(String, [u32; 3])> {
    let rows = stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let rows = rows.filter_map(|cells| match cells[..] {
        [name, a, b, c] => {
            let [a, b, c] = [a, b, c].map(|cell| cell.parse().ok());
            Some((name.to_owned(), [a?, b?, c?]))
        }
        _ => None,
    });
    rows.filter(|(_, counts)| counts.iter().sum::<u32>() > 0).collect()
}

#[test]
fn examinations_are_drawn_for_the_self_test() {
    let folder = collection(true);
    let draw = |count: &str, seed: &str| {
        let args = ["--self-test", ".", "--draw", count, "--seed", seed];
        let (status, stdout, stderr) = kinfold(folder.path(), &args, &[]);
        assert_eq!(status, 0, "{stdout}{stderr}");
        let found = examined(&stdout);
        assert!(found.iter().all(|(_, [_, _, wrong])| *wrong == 0), "{stdout}");
        found
    };
    let all = draw("100", "1");
    assert_eq!(all.len(), 13, "each examination once: {all:?}");
    let [first, again, other] = ["1", "1", "2"].map(|seed| draw("5", seed));
    assert_eq!((first.len(), other.len()), (5, 5));
    assert_eq!(first, again);
    assert_ne!(first, other, "another seed draws others");
    assert!(first.iter().all(|row| all.contains(row)), "{first:?} {all:?}");
    let folder = collection(false);
    let args = ["--self-test", ".", "--draw", "100"];
    let (status, stdout, _) = kinfold(folder.path(), &args, &[]);
    assert!(status != 0 && stdout.ends_with(" 1 wrong\n"), "{status} {stdout}");
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
