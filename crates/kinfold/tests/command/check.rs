//! `kinfold check`: verdicts, exit status, and the forms of its reports.

use std::fs;
use std::process::Command;

use crate::running::{Done, fed, kinfold, kinfold_fed, project};
use serde_json::Value;

/// Two threads that take two locks in either order, and put them back.
const LOCKS: &str = "model locks
enum Lock { red, blue }
flow idle, holding(lock: Lock), working
place lock: Lock = red, blue
start 2 times idle
transition first { move t: idle -> holding(l)   take lock(l) }
transition second { move t: holding(_) -> working   take lock(_) }
transition release { move t: working -> idle   put lock(red), lock(blue) }
";

/// Clients that are served, by one server, for ever; new ones come.
const CLIENTS: &str = "model clients
flow door, waiting, served
place seat = 2
start door
transition come { stay d: door   spawn c from d: waiting   take seat }
transition serve { move c: waiting -> served }
transition leave { end c: served   put seat }
";

fn check(model: &str, properties: &str, args: &[&str]) -> Done {
    let text = format!("{model}{properties}");
    kinfold_fed(&[&["check", "-"], args].concat(), text.as_bytes())
}

/// The verdict of the only property, and what is remarked.
fn verdict(model: &str, property: &str, args: &[&str]) -> (i32, String, String) {
    let done = check(model, &format!("property p: {property}\n"), &[args, &["--json"]].concat());
    let report = done.json();
    let found = &report["properties"][0];
    let remark = found["remark"].as_str().unwrap_or_default();
    (done.status, found["verdict"].as_str().unwrap().into(), remark.into())
}

#[test]
fn the_exit_status_says_what_fails() {
    let cases = [
        ("deadlock_free", 11, "fails"),
        ("always at most 1 at working", 0, "holds"),
        ("always count(holding) < 2", 12, "fails"),
        ("never count(working) == 1", 12, "fails"),
        ("reachable count(working) == 2", 12, "fails"),
        ("reachable count(working) == 1", 0, "holds"),
        ("AG EF count(idle) == 2", 12, "fails"),
        ("EF AG count(holding) == 2", 0, "holds"),
        ("eventually count(working) == 1", 13, "fails"),
        ("count(holding) == 2 leads_to count(idle) > 0", 13, "fails"),
        ("forall t entering working: eventually t at idle", 0, "holds"),
        ("forall t entering holding: eventually t at working", 13, "fails"),
        ("count(idle) == 2", 0, "holds"),
        ("count(idle) == 1", 12, "fails"),
    ];
    for (property, status, verdict_of) in cases {
        let (found_status, found, remark) = verdict(LOCKS, property, &[]);
        assert_eq!((found_status, &*found), (status, verdict_of), "{property}: {remark}");
    }
}

/// Where threads are followed, too, the run is one of the model as it is.
#[test]
fn a_fault_is_shown_also_where_only_followed_threads_are_asked_for() {
    let model = "model steps
flow a(n: 0..=2), b
start a(0)
transition step { move t: a(n) -> a(n + 1) }
transition leave { move t: a(n) -> b }
";
    for property in ["always count(b) <= 1", "forall t entering b: eventually ended(t)"] {
        let done = check(model, &format!("property p: {property}\n"), &[]);
        assert_eq!(done.status, 150, "{}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains("the model has a fault"), "{}", done.stdout);
        assert!(done.stderr.contains("when `step` fires, the value 3"), "{}", done.stderr);
        assert!(done.stderr.contains("with step(t = 1, n = 2)"), "{}", done.stderr);
        assert!(done.stderr.contains("step 2: step(t = 1, n = 1)"), "{}", done.stderr);
    }
}

/// Engines find soon what the interpreter, which tries all tokens, finds last.
#[test]
fn limits_are_kept_while_runs_are_looked_for() {
    let model = "model last
class L ordered 2000
place a: L = all
place b: L = all
place c: L = all
place d(n: 0..=0)
place k(n: 0..=0) = 0
transition go { take a(x), b(y), c(z), k(n)  put d(n + N)  when x == L999 and y == L999 and z == L999 }
";
    let property = "property p: always count(d) < 1\n";
    let args = ["--time", "2", "--memory", "1GiB"];
    let done = check(&model.replace('N', "0"), property, &args);
    assert_eq!(done.status, 12, "{}{}", done.stdout, done.stderr);
    let said = "not every run is shown: the limit on time was reached";
    assert!(done.stdout.contains(said), "{}", done.stdout);
    let done = check(&model.replace('N', "1"), property, &[&args[..], &["--json"]].concat());
    assert_eq!(done.status, 150, "{}{}", done.stdout, done.stderr);
    let report = done.json();
    assert_eq!(report["unshown"], "the limit on time was reached");
    assert_eq!([&report["fault"]["mode"], &report["fault"]["trace"]], [&Value::Null; 2]);
    assert!(done.stderr.contains("when `go` fires, the value 1"), "{}", done.stderr);
    assert!(done.stderr.contains("the run that leads there is not shown"), "{}", done.stderr);
    let text = model.replace('N', "0");
    let args = [&["explore", "-", "--trace-to", "go", "--json"], &args[..]].concat();
    let done = kinfold_fed(&args, text.as_bytes());
    assert_eq!((done.status, done.json()["reason"].as_str()), (20, Some("time")));
    assert!(done.stderr.contains("can fire, but the run is not shown"), "{}", done.stderr);
}

#[test]
fn of_several_the_smallest_status_is_taken() {
    let properties = "property a: eventually count(working) == 2\n\
        property b: always count(holding) < 2\n\
        property c: reachable count(working) == 1\n";
    assert_eq!(check(LOCKS, properties, &[]).status, 12);
    assert_eq!(check(LOCKS, &format!("{properties}property d: deadlock_free\n"), &[]).status, 11);
    assert_eq!(check(LOCKS, properties, &["--property", "a"]).status, 13);
    assert_eq!(check(LOCKS, properties, &["--property", "c"]).status, 0);
}

#[test]
fn without_properties_deadlocks_are_looked_for() {
    let done = check(LOCKS, "", &[]);
    assert_eq!(done.status, 11);
    assert!(done.stdout.contains("no properties"), "{}", done.stdout);
    assert!(done.stdout.contains("`second` needs a token in `lock`"), "{}", done.stdout);
    let out_of_range = "model m\nflow a(n: 0..=1)\nstart a(0)\n\
        transition t { move p: a(n) -> a(n + 1) }\n";
    assert_eq!(check(out_of_range, "", &[]).status, 150);
}

#[test]
fn a_model_in_which_no_thread_starts_has_no_threads() {
    let forgotten = "model forgotten\nflow main\nplace go = 1\n\
        transition begin { take go }\n\
        transition on { move t: main -> main }\n";
    for engine in ["auto", "explicit"] {
        let (status, found, _) = verdict(forgotten, "deadlock_free", &["--engine", engine]);
        assert_eq!((status, &*found), (11, "fails"), "{engine}");
    }
    // Diagrams have no pids, and say so.
    for command in ["check", "explore"] {
        let ddd = kinfold_fed(&[command, "-", "--engine", "ddd"], forgotten.as_bytes());
        let why = "it has places for pids, though no thread starts; use --engine explicit";
        assert_eq!(ddd.status, 2, "{command}: {}", ddd.stderr);
        assert!(ddd.stderr.contains(why), "{command}: {}", ddd.stderr);
    }
    let explored = kinfold_fed(&["explore", "-", "--json"], forgotten.as_bytes()).json();
    assert_eq!((&explored["deadlocks"], &explored["terminated"]), (&1.into(), &0.into()));
    assert_eq!(verdict(forgotten, "deadlock_free", &["--fair", "begin"]).1, "fails");
    let fair = check(forgotten, "property p: eventually enabled(on)\n", &["--fair", "threads"]);
    assert!(fair.stderr.contains("the model has no threads"), "{}", fair.stderr);
}

#[test]
fn fairness_decides_who_is_passed_over() {
    let served = "forall c entering waiting: eventually c at served";
    let gone = "forall c entering waiting: eventually ended(c)";
    assert_eq!(verdict(CLIENTS, served, &[]).1, "fails");
    assert_eq!(verdict(CLIENTS, served, &["--fair", "threads"]).1, "holds");
    assert_eq!(verdict(CLIENTS, gone, &["--fair", "strong:threads"]).1, "holds");
    // Of transitions alone no individual is sure.
    assert_eq!(verdict(CLIENTS, served, &["--fair", "serve", "--fair", "leave"]).1, "fails");
    let declared = format!("{CLIENTS}fair threads\n");
    assert_eq!(verdict(&declared, served, &[]).1, "holds");
    assert_eq!(verdict(&declared, served, &["--fair", "none"]).1, "fails");
    assert_eq!(verdict(&declared, "AF count(served) > 0", &[]).1, "refused");
    assert_eq!(verdict(&declared, "AG EF count(served) > 0", &[]).1, "holds");
}

#[test]
fn a_loop_says_who_has_taken_whose_place() {
    let property = "property p: forall c entering waiting: eventually c at served\n";
    let done = check(CLIENTS, property, &["--json"]);
    assert_eq!(done.status, 13);
    let report = done.json();
    let found = &report["properties"][0];
    assert_eq!(found["followed"]["variable"], "c");
    let thread = found["followed"]["thread"].as_str().unwrap();
    let replaced = found["trace"]["back"]["replaced"].as_object().expect("it goes on for ever");
    assert_eq!(replaced[thread], thread, "the one who waits is the same all the time");
}

#[test]
fn what_never_happens_is_said() {
    let vacuous = [
        "always (count(working) == 2 implies count(idle) == 7)",
        "count(working) == 2 leads_to count(idle) == 2",
        "always forall t at working: t at working and count(working) > 1 implies count(idle) == 9",
    ];
    for property in vacuous {
        let (status, verdict, remark) = verdict(LOCKS, property, &[]);
        assert_eq!((status, &*verdict), (0, "holds"), "{property}");
        assert!(remark.starts_with("vacuously"), "{property}: {remark}");
    }
    let (_, _, remark) =
        verdict(LOCKS, "always (count(working) == 1 implies count(lock) == 0)", &[]);
    assert_eq!(remark, "");
    let nobody = "model m\nflow a, b\nstart a\ntransition t { stay p: a }\n";
    let (_, verdict, remark) = verdict(nobody, "forall p entering b: eventually ended(p)", &[]);
    assert!(verdict == "holds" && remark.starts_with("vacuously"), "{verdict} {remark}");
}

/// A table of forty, whose states are far too many to be looked at one by one.
const TABLE: &str = "model table
class Seat cyclic 40
place thinking: Seat = all
place fork: Seat = all
place waiting, eating: Seat
transition take_first { take thinking(x), fork(x)   put waiting(x) }
transition take_second { take waiting(x), fork(succ(x))   put eating(x) }
transition put_down { take eating(x)   put thinking(x), fork(x), fork(succ(x)) }
";

#[test]
fn what_never_happens_is_said_of_models_that_are_decided_without_all_states() {
    let cases = [
        ("always (count(eating) > 20 implies count(fork) > 3)", "vacuously"),
        ("always (count(eating) > 19 implies count(fork) == 0)", ""),
    ];
    for (property, remark) in cases {
        for args in [&["--reduce"][..], &[]] {
            let (status, verdict, said) = verdict(TABLE, property, args);
            assert_eq!((status, &*verdict), (0, "holds"), "{property} {args:?}");
            assert_eq!(said.split(':').next().unwrap(), remark, "{property} {args:?}");
        }
    }
}

#[test]
fn what_cannot_be_decided_is_refused_with_a_way_out() {
    let refused = [
        ("AG (eventually count(idle) == 2)", "branching time"),
        ("forall t at idle: eventually t at working", "entering"),
        ("always forall t entering idle: eventually t at working", "come first"),
        ("exists t entering working: always t at idle", "forall"),
    ];
    for (property, way_out) in refused {
        let (status, verdict, remark) = verdict(LOCKS, property, &[]);
        assert_eq!((status, &*verdict), (20, "refused"), "{property}");
        assert!(remark.contains(way_out), "{property}: {remark}");
    }
}

#[test]
fn a_limit_is_no_verdict() {
    let counting = "model counting\nflow a, b\nplace x\nstart a\n\
        transition up { stay p: a   put x }\n";
    let args = ["--max-states", "2000"];
    assert_eq!(verdict(counting, "always count(b) == 0", &args).1, "unknown");
    assert_eq!(verdict(counting, "AG EF count(x) == 0", &args).1, "unknown");
    assert_eq!(verdict(counting, "reachable count(x) == 1500", &args).1, "holds");
    assert_eq!(verdict(counting, "always count(x) < 1500", &args).1, "fails");
    // One that is found while there is no end in sight.
    assert_eq!(verdict(counting, "eventually count(b) == 1", &args).1, "unknown");
    let (status, _, remark) = verdict(counting, "always count(b) == 0", &args);
    assert_eq!((status, &*remark), (20, "the limit on states was reached"));
}

#[test]
fn a_violating_run_is_found_before_all_states_are() {
    // The states have no end, but a loop is near.
    let model = "model turning\nflow a, b, c\nplace x\nstart a\n\
        transition go { move p: a -> b }\ntransition back { move p: b -> a }\n\
        transition up { move p: a -> c   put x }\ntransition on { stay p: c   put x }\n";
    let (status, verdict, _) =
        verdict(model, "eventually count(c) == 1", &["--max-states", "100000"]);
    assert_eq!((status, &*verdict), (13, "fails"));
}

#[test]
fn members_that_a_property_names_are_told_apart() {
    let model = "model named\nclass Site symmetric { s1, s2, s3 }\n\
        place idle: Site = all\nplace busy: Site\n\
        transition begin { take idle(s)   put busy(s)   unless busy(_) }\n\
        transition stop { take busy(s)   put idle(s) }\n";
    assert_eq!(verdict(model, "reachable count(busy(s2)) == 1", &[]).1, "holds");
    assert_eq!(verdict(model, "always count(busy(s2)) == 0", &[]).1, "fails");
    assert_eq!(verdict(model, "eventually count(busy(s2)) == 1", &[]).1, "fails");
    assert_eq!(verdict(model, "eventually count(busy(s2)) == 1", &["--fair", "Site"]).1, "fails");
    let strong = ["--fair", "strong:Site"];
    assert_eq!(verdict(model, "eventually count(busy(s2)) == 1", &strong).1, "holds");
}

#[test]
fn full_and_folded_agree() {
    for property in [
        "deadlock_free",
        "AG EF count(idle) == 2",
        "eventually count(working) == 1",
        "forall t entering holding: eventually t at working",
    ] {
        let folded = verdict(LOCKS, property, &[]);
        assert_eq!(folded, verdict(LOCKS, property, &["--full"]), "{property}");
    }
}

#[test]
fn reports_are_written_in_their_forms() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let model = at("locks.kin");
    fs::write(&model, format!("{LOCKS}property free: deadlock_free\n")).unwrap();
    let junit = at("report.xml");
    for (name, begins) in [
        ("run.json", "{"),
        ("run.itf.json", "{"),
        ("run.svg", "<svg"),
        ("run.mmd", "---\ntitle: \"locks: free\""),
        ("run.txt", "initially"),
        ("run.log", ""),
    ] {
        let done = kinfold(&["check", &model, "--junit", &junit, "--trace", &at(name)]);
        assert_eq!(done.status, 11, "{}", done.stderr);
        let written = fs::read_to_string(at(name)).unwrap();
        assert!(written.starts_with(begins) && written.len() > 20, "{name}: {written}");
    }
    let replayed = kinfold(&["replay", &at("run.json"), &model]);
    assert_eq!(replayed.status, 0, "{}", replayed.stderr);
    let report = fs::read_to_string(&junit).unwrap();
    assert!(report.contains("failures=\"1\"") && report.contains("deadlock: nothing can fire"));
    let done = kinfold(&["check", &model, "--trace", &at("x"), "--trace-format", "music"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("mermaid"), "{}", done.stderr);
}

#[test]
fn names_that_are_not_there_are_reported() {
    let done = check(LOCKS, "property free: deadlock_free\n", &["--property", "fre"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("did you mean `free`?"), "{}", done.stderr);
    let done = check(LOCKS, "", &["--fair", "thread"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("did you mean `threads`?"), "{}", done.stderr);
}

/// Properties of the models in the project hold, as far as there is an end to them.
#[test]
fn the_models_have_the_properties_they_claim() {
    for entry in fs::read_dir(project("models")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "kin") {
            continue;
        }
        let model = path.to_str().unwrap();
        let done = kinfold(&["check", model, "--json", "--max-states", "100000"]);
        let report = done.json();
        for property in report["properties"].as_array().unwrap() {
            let is_claimed = report["note"] == Value::Null;
            let holds = property["verdict"] == "holds" && property["vacuous"] == false;
            let has_no_end = property["remark"] == "the limit on states was reached";
            let (verdict, name) = (&property["verdict"], &property["name"]);
            assert!(holds || has_no_end || !is_claimed, "{model}: {verdict} of {name}");
        }
    }
}

/// A folder with models: `locks.kin`, which can deadlock, and `clients.kin`, which holds for every `seats`.
struct Models(tempfile::TempDir);

impl Models {
    fn new() -> Models {
        let folder = tempfile::tempdir().unwrap();
        let models = Models(folder);
        models.write("locks.kin", &format!("{LOCKS}property free: deadlock_free\n"));
        let clients = CLIENTS.replace("flow door", "const seats = 2\nflow door");
        let clients = clients.replace("seat = 2", "seat = seats");
        models.write(
            "clients.kin",
            &format!(
                "{clients}property few: always count(seat) <= seats\nproperty free: deadlock_free\n"
            ),
        );
        models.write("wrong.kin", "model wrong\nflow a\nstart b\n");
        models
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    /// Runs the command in the folder.
    fn check(&self, args: &[&str]) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
        fed(command.arg("check").args(args).current_dir(self.0.path()), b"")
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.path().join(folder)).unwrap();
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn several_models_have_one_summary_and_the_most_severe_status() {
    let models = Models::new();
    let done = models.check(&["clients.kin", "locks.kin"]);
    assert_eq!(done.status, 11, "{}", done.stderr);
    assert!(done.stdout.contains("clients.kin: clients\n"), "{}", done.stdout);
    let (_, summary) = done.stdout.split_once("\nsummary\n").expect("a summary");
    let rows: Vec<&str> = summary.lines().collect();
    assert!(rows[0].starts_with("  holds  clients.kin  2 properties hold"), "{summary}");
    assert!(rows[1].starts_with("  FAILS  locks.kin    1 property fails: free"), "{summary}");
    assert_eq!(rows[2], "2 checks: 1 holds, 1 fails; 1 property fails");
    // A model that cannot be read does not keep the others from being checked.
    let done = models.check(&["none.kin", "wrong.kin", "locks.kin", "clients.kin"]);
    assert_eq!(done.status, 153, "{}", done.stdout);
    assert!(done.stdout.contains("`free` fails:"), "{}", done.stdout);
    assert_eq!(models.check(&["wrong.kin", "locks.kin"]).status, 150);
    assert_eq!(models.check(&["clients.kin", "clients.kin"]).status, 0);
    assert_eq!(models.check(&["-", "-"]).status, 2);
}

#[test]
fn one_model_alone_has_no_summary() {
    let models = Models::new();
    let done = models.check(&["clients.kin", "--set", "seats=3"]);
    assert!(done.stdout.starts_with("clients\n") && !done.stdout.contains("summary"));
}

#[test]
fn constants_are_swept() {
    let models = Models::new();
    let done = models.check(&["clients.kin", "--set", "seats=1..=3", "--json"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let report = done.json();
    let checked = report["models"].as_array().unwrap();
    let seats: Vec<&Value> = checked.iter().map(|model| &model["set"]["seats"]).collect();
    assert_eq!(seats, ["1", "2", "3"]);
    let states = |model: &Value| model["properties"][0]["states"].as_u64().unwrap();
    assert!(states(&checked[0]) < states(&checked[2]), "{report}");
    // A sweep of one value is a list, too; so that programs need not look.
    let done = models.check(&["clients.kin", "--set", "seats=1..=1", "--json"]);
    assert_eq!(done.json()["models"].as_array().unwrap().len(), 1);
    let done = models.check(&["clients.kin", "--set", "seats=1,3"]);
    assert!(done.stdout.contains("clients.kin: clients, seats = 3"), "{}", done.stdout);
}

#[test]
fn several_constants_are_swept_in_all_combinations() {
    let text = "model two\nconst a = 1\nconst b = 1\nplace p = a\nplace q = b\n\
        transition t { take p, q   put p, q }\nproperty small: always count(p) + count(q) < 5\n";
    let args = ["check", "-", "--set", "a=1..=2", "--set", "b=1..=3", "--json"];
    let done = kinfold_fed(&args, text.as_bytes());
    assert_eq!(done.status, 12, "{}", done.stderr);
    let report = done.json();
    let of = |model: &Value| {
        let value = |name: &str| model["set"][name].as_str().unwrap().to_owned();
        (value("a") + &value("b"), model["status"].as_u64().unwrap())
    };
    let found: Vec<(String, u64)> = report["models"].as_array().unwrap().iter().map(of).collect();
    let expected = [("11", 0), ("12", 0), ("13", 0), ("21", 0), ("22", 0), ("23", 12)];
    assert_eq!(found, expected.map(|(set, status)| (set.to_owned(), status)));
}

#[test]
fn settings_that_make_no_sense_are_usage_errors() {
    let models = Models::new();
    for (set, said) in [
        (&["--set", "seats=1", "--set", "seats=2"][..], "twice"),
        (&["--set", "seats=3..=1"], "empty"),
        (&["--set", "seats=1..3"], "..="),
        (&["--set", "seats=0..=99999999"], "more than"),
        (&["--set", "seats=1,1"], "twice"),
    ] {
        let done = models.check(&[&["clients.kin"], set].concat());
        assert_eq!(done.status, 2, "{set:?}: {}", done.stderr);
        assert!(done.stderr.contains(said), "{set:?}: {}", done.stderr);
    }
}

#[test]
fn findings_are_annotations_for_github() {
    let models = Models::new();
    let done = models.check(&["locks.kin", "wrong.kin", "clients.kin", "--format", "github"]);
    assert_eq!(done.status, 150);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert!(
        lines[0].starts_with(
            "::error file=locks.kin,line=9,col=10,title=`free` fails::deadlock_free%0Ainitially%0A"
        ),
        "{}",
        lines[0]
    );
    assert!(lines[1].starts_with("::error file=wrong.kin,line=3,col=7,title=E0201::"), "{lines:?}");
    assert_eq!(lines[2], "3 checks: 1 holds, 1 fails, 1 could not be checked; 1 property fails");
    assert_eq!(lines.len(), 3, "{lines:?}");
    models.write("a,b: 100%.kin", &format!("{LOCKS}property free: deadlock_free\n"));
    let done = models.check(&["a,b: 100%.kin", "--format", "github"]);
    assert!(done.stdout.starts_with("::error file=a%2Cb%3A 100%25.kin,"), "{}", done.stdout);
    let done = models.check(&["clients.kin", "--max-states", "2", "--format", "github"]);
    assert_eq!(done.status, 20);
    assert!(done.stdout.starts_with("::warning file=clients.kin,"), "{}", done.stdout);
}

/// What the schema of SARIF 2.1.0 requires of the parts that are used, and what GitHub asks for besides.
#[test]
fn findings_are_sarif() {
    let models = Models::new();
    models.write("with space.kin", "model w\nflow a\nstart b\n");
    let done = models.check(&["locks.kin", "with space.kin", "clients.kin", "--format", "sarif"]);
    assert_eq!(done.status, 150);
    let log = done.json();
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().ends_with("sarif-2.1.0.json"));
    let [run] = &log["runs"].as_array().unwrap()[..] else { panic!("one run") };
    assert_eq!(run["tool"]["driver"]["name"], "kinfold");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let rules: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "{log:#}");
    for result in results {
        assert!(rules.contains(&result["ruleId"].as_str().unwrap()));
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        for location in result["locations"].as_array().unwrap() {
            is_location(location);
        }
    }
    let place = |result: &Value| result["locations"][0]["physicalLocation"].clone();
    assert_eq!(place(&results[0])["artifactLocation"]["uri"], "locks.kin");
    assert_eq!(place(&results[0])["region"]["startLine"], 9);
    assert_eq!(place(&results[1])["artifactLocation"]["uri"], "with%20space.kin");
    let flow = &results[0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let steps = flow.as_array().unwrap();
    assert_eq!(steps.len(), 2, "two threads take a lock each: {flow:#}");
    for step in steps {
        is_location(&step["location"]);
        assert_eq!(step["location"]["physicalLocation"]["region"]["startLine"], 6);
    }
}

fn is_location(location: &Value) {
    let place = &location["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(!uri.is_empty() && !uri.contains(' '), "{uri}");
    assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
    assert!(place["region"]["startColumn"].as_u64().unwrap() >= 1);
}

#[test]
fn the_same_run_is_printed_once() {
    let done = check(
        LOCKS,
        "property a: always count(holding) < 2\nproperty b: never count(holding) == 2\n",
        &[],
    );
    assert_eq!(done.status, 12);
    assert_eq!(done.stdout.matches("\ninitially\n").count(), 1, "{}", done.stdout);
    let end = done.stdout.lines().rev().skip(2).take(2).collect::<Vec<_>>();
    assert_eq!(end, ["the same run as for `a`", "`b` fails:"]);
}

#[test]
fn every_run_can_be_written() {
    let models = Models::new();
    models.write(
        "more.kin",
        &format!("{LOCKS}property a: deadlock_free\nproperty b: always count(holding) < 2\n"),
    );
    assert_eq!(models.check(&["more.kin", "--trace-dir", "runs/all"]).status, 11);
    assert_eq!(models.files("runs/all"), ["a.json", "a.svg", "b.json", "b.svg"]);
    let args = ["locks.kin", "more.kin", "--trace-dir", "some", "--trace-format", "mermaid"];
    assert_eq!(models.check(&args).status, 11);
    assert_eq!(models.files("some"), ["locks.free.mmd", "more.a.mmd", "more.b.mmd"]);
    let at = |name: &str| models.0.path().join(name).to_str().unwrap().to_owned();
    let replayed = kinfold(&["replay", &at("runs/all/b.json"), &at("more.kin")]);
    assert_eq!(replayed.status, 0, "{}", replayed.stderr);
    assert_eq!(models.check(&["locks.kin", "--trace-format", "svg"]).status, 2);
}

#[test]
fn a_trace_can_go_to_stdout() {
    let models = Models::new();
    let done = models.check(&["locks.kin", "--trace", "-", "--trace-format", "json"]);
    assert_eq!(done.status, 11);
    assert_eq!(done.json()["property"], "free");
    assert!(done.stderr.contains("FAILS"), "{}", done.stderr);
    assert_eq!(models.check(&["locks.kin", "--trace", "-", "--json"]).status, 2);
}

#[test]
fn the_help_lists_the_formats_of_traces() {
    let done = kinfold(&["check", "--help"]);
    for name in ["text", "json", "itf", "svg", "mermaid", "shiviz"] {
        assert!(done.stdout.contains(&format!("- {name}:")), "{}", done.stdout);
    }
}

#[test]
fn the_relations_observed_are_printed() {
    let done = check(CLIENTS, "property p: deadlock_free\n", &[]);
    assert!(
        done.stdout.contains("\nfolded: states that differ only in who is who are one\n"),
        "{}",
        done.stdout
    );
    let property = "property p: always forall c at waiting: exists d at door: parent(d, c)\n";
    assert!(check(CLIENTS, property, &[]).stdout.contains(" who are one; parent is kept\n"));
    let done = check(CLIENTS, property, &["--json"]);
    assert_eq!(done.json()["relations"], serde_json::json!(["parent"]));
}

#[test]
fn what_was_covered_is_reported() {
    let model = "model dead\nflow a, b, c\nplace unused\nstart a\ntransition go { move p: a -> b }\n\
        transition back { move p: b -> a }\ntransition idle { move p: c -> a   put unused }\n\
        property fine: deadlock_free\n";
    let models = Models::new();
    models.write("dead.kin", model);
    let done = models.check(&["dead.kin", "--coverage", "coverage.json"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        done.stdout.contains("\nnever fired: idle\nnever marked: c, unused\n"),
        "{}",
        done.stdout
    );
    let coverage = fs::read_to_string(models.0.path().join("coverage.json")).unwrap();
    let coverage: Value = serde_json::from_str(&coverage).unwrap();
    assert_eq!(coverage["complete"], true);
    assert_eq!(coverage["never_fired"], serde_json::json!(["idle"]));
    assert_eq!(coverage["never_marked"], serde_json::json!(["c", "unused"]));
    // What is not known to be all is not said to be never.
    let growing = "model growing\nflow idle, gone\nplace mail: pid\nstart idle\n\
        transition send { stay p: idle   put mail(p) }\ntransition go { move p: gone -> idle }\n";
    let done = check(growing, "property p: never count(gone) > 0\n", &["--max-states", "50"]);
    assert_eq!(done.status, 20);
    assert!(done.stdout.contains("\nstill growing: tokens in `mail`"), "{}", done.stdout);
    assert!(!done.stdout.contains("never fired"), "{}", done.stdout);
}

#[test]
fn a_fault_is_a_finding_at_its_transition() {
    let models = Models::new();
    let text = "model m\nflow a(n: 0..=1)\nstart a(0)\n\ntransition t { move p: a(n) -> a(n + 1) }\n\
        property small: always forall p at a: p.n < 2\n";
    models.write("fault.kin", text);
    let done = models.check(&["fault.kin", "--format", "github"]);
    assert_eq!(done.status, 150, "{}", done.stdout);
    assert!(done.stdout.contains("::error file=fault.kin,line=5,"), "{}", done.stdout);
    let report = models.check(&["fault.kin", "--json"]).json();
    assert!(report["fault"]["message"].as_str().unwrap().contains("`t`"), "{report}");
}
