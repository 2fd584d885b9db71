//! Every subcommand on models with processes: it does something sensible, or says what to do instead.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::running::{Done, fed, kinfold, kinfold_fed, project};

/// Two processes that take two locks in different order.
const ABBA: &str = "\
model abba

shared a = new mutex
shared b = new mutex

process main {
    spawn other()
    with a.lock() { with b.lock() {} }
}

process other {
    let n: 0..=3 = 2
    with b.lock() { with a.lock() { assert n == 2 } }
    idle await n == 1
}

property exclusive: always count(other) <= 1
";

/// A race, and an assertion that fails.
const RACE: &str = "\
model racing

shared n: 0..=1 = 0
shared row: seq[0..=1, 2] = [0, 0]
shared c = new channel[bool](capacity: 1)

process main {
    spawn adder()
    n = 1
    choose i in 0..=1
    row[i] = 1
}

process adder {
    n = 1
    row[1] = 0
    assert n == 0
}
";

fn inside(folder: &Path, args: &[&str], input: &str) -> Done {
    fed(
        Command::new(env!("CARGO_BIN_EXE_kinfold")).args(args).current_dir(folder),
        input.as_bytes(),
    )
}

#[track_caller]
fn says(done: &Done, parts: &[&str]) {
    for part in parts {
        assert!(done.stdout.contains(part), "{part}\n\n{}\n{}", done.stdout, done.stderr);
    }
}

#[test]
fn show_prints_the_prelude() {
    let done = kinfold(&["show", "--prelude"]);
    assert_eq!(done.status, 0);
    assert_eq!(done.stdout, lang::PRELUDE);
    // It is what every model has, so there is no model to name.
    assert_eq!(kinfold(&["show", "--prelude", "x.kin"]).status, 2);
    assert_eq!(kinfold(&["show"]).status, 2);
}

#[test]
fn show_lists_where_processes_stop_and_the_net() {
    let done = kinfold_fed(&["show", "-"], ABBA.as_bytes());
    assert_eq!(done.status, 0, "{}", done.stderr);
    let (points, net) =
        done.stdout.split_once("// The net that they are translated to:\n").unwrap();
    insta::assert_snapshot!(points);
    assert!(net.contains("// property exclusive: always count(other) <= 1\n"), "{net}");
    // All of it is a model, whose classes are those of the processes.
    let explored = |text: &str| {
        let done = kinfold_fed(&["explore", "-", "--json"], text.as_bytes()).json();
        (done["states"].clone(), done["edges"].clone(), done["deadlocks"].clone())
    };
    assert_eq!(explored(&done.stdout), explored(ABBA));
    let race = kinfold_fed(&["show", "-"], RACE.as_bytes());
    assert!(!race.stdout.contains("transition `race"), "what never fires is not shown");
    for format in ["dot", "svg"] {
        let done = kinfold_fed(&["show", "-", "--format", format], ABBA.as_bytes());
        assert_eq!(done.status, 0, "{}", done.stderr);
        says(&done, &["line 7: spawn other()", "line 14: await n == 1", "idle", "spawn"]);
    }
}

#[test]
fn convert_writes_the_net_of_processes() {
    let models = ["processes/abba", "go/cockroach_13197", "go/cockroach_1462", "prelude/channel"];
    for name in models {
        let model = project(&format!("models/{name}.kin"));
        let done = kinfold(&["convert", &model, "-", "--to", "kin", "--net-only"]);
        assert_eq!(done.status, 0, "{name}: {}", done.stderr);
        let explored = |done: Done| {
            let json = done.json();
            ["states", "edges", "modes", "deadlocks", "terminated"].map(|key| json[key].clone())
        };
        let again = kinfold_fed(&["explore", "-", "--json"], done.stdout.as_bytes());
        assert_eq!(explored(again), explored(kinfold(&["explore", &model, "--json"])), "{name}");
    }
    let done = kinfold_fed(&["convert", "-", "-", "--to", "kin"], ABBA.as_bytes());
    assert!(done.stderr.contains("the properties are left out, as they speak of processes"));
    // Nets have no arms, so nothing is assumed of them.
    let fair = "model m\nprocess main { loop { select { stopping: await true { return }   timeout {} } } }\n\
                fair threads\nstrongly fair main.stopping\nproperty p: no_one_stuck\n";
    let done = kinfold_fed(&["convert", "-", "-", "--to", "kin"], fair.as_bytes());
    assert_eq!(done.status, 0, "{}", done.stderr);
    let lost = "the properties and assumptions about arms are left out, as they speak of processes";
    assert!(done.stderr.contains(lost), "{}", done.stderr);
    assert_eq!(kinfold_fed(&["check", "-"], done.stdout.as_bytes()).status, 0);
    let shown = kinfold_fed(&["show", "-"], fair.as_bytes());
    says(&shown, &["\nfair threads\n", "\n// strongly fair main.stopping\n// property p: "]);
    let again = kinfold_fed(&["explore", "-"], shown.stdout.as_bytes());
    assert_eq!(again.status, 0, "{}", again.stderr);
    // Sets of handles are groups, in any order.
    let done = kinfold(&["convert", &project("models/processes/join_set.kin"), "-", "--to", "kin"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stdout.contains(" of pid?}"), "{}", done.stdout);
    // Those of eight have too many orders.
    let large = project("models/prelude/condition.kin");
    let done = kinfold(&["convert", &large, "-", "--to", "kin"]);
    assert_eq!(done.status, 150);
    assert!(done.stderr.contains("has more than 120 orders of records"), "{}", done.stderr);
    let done = kinfold(&["show", &large]);
    assert!(done.stdout.contains("\n// The records that these read are in too many orders"));
    let done = kinfold_fed(&["convert", "-", "-", "--to", "pnml"], ABBA.as_bytes());
    assert_eq!(done.status, 150);
    assert!(done.stderr.contains("PNML has no processes"), "{}", done.stderr);
    assert!(done.stderr.contains("convert to .kin"), "{}", done.stderr);
}

#[test]
fn new_makes_processes_or_a_net() {
    let folder = tempfile::tempdir().unwrap();
    let done = inside(folder.path(), &["new", "first"], "");
    assert_eq!((done.status, &*done.stdout), (0, "first.kin\n"));
    assert!(done.stderr.contains("kinfold check first.kin"), "{}", done.stderr);
    let text = fs::read_to_string(folder.path().join("first.kin")).unwrap();
    assert!(text.contains("\nprocess main {\n"), "{text}");
    assert_eq!(inside(folder.path(), &["fmt", "--check", "first.kin"], "").status, 0);
    let done = inside(folder.path(), &["check", "first.kin"], "");
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(!done.stdout.contains("never executed"), "{}", done.stdout);
    // What its comments promise: something fails without these lines.
    let locked = "with lock.lock() {\n            serving:\n            served += 1\n        }";
    let unlocked = "serving:\n        served += 1";
    for (part, other) in [("    jobs.close()\n", ""), (locked, unlocked)] {
        assert!(text.contains(part), "{part}");
        let done = inside(folder.path(), &["check", "-"], &text.replace(part, other));
        assert!((11..=14).contains(&done.status), "{part}: {}{}", done.stdout, done.stderr);
    }
    assert_eq!(inside(folder.path(), &["new", "second", "--net"], "").status, 0);
    let text = fs::read_to_string(folder.path().join("second.kin")).unwrap();
    assert!(text.contains("\ntransition ") && !text.contains("process"), "{text}");
    assert_eq!(inside(folder.path(), &["check", "second.kin"], "").status, 0);
}

#[test]
fn simulate_tells_statements_and_where_everybody_stands() {
    let done = kinfold_fed(&["simulate", "-", "--seed", "3", "--steps", "3"], ABBA.as_bytes());
    assert_eq!(done.status, 0, "{}", done.stderr);
    says(
        &done,
        &[
            "main 1 at line 7: spawn other()\n",
            "\nstep main 1, line 7: spawn other()\n",
            "\nother 1.1 at line 13: with b.lock() (n = 2)\n",
            "mutex 1 (a): holder = none\n",
        ],
    );
}

#[test]
fn simulate_asks_with_statements() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("abba.kin"), ABBA).unwrap();
    let run = |model: &str, input: &str| {
        inside(folder.path(), &["simulate", model, "--seed", "1", "--interactive"], input)
    };
    let done = run("abba.kin", "1\n2\n1\nwhy\nwhy 1.1\nundo\nq\n");
    assert_eq!(done.status, 0, "{}", done.stderr);
    says(
        &done,
        &[
            "   1  main 1, line 8: with a.lock()\n   2  other 1.1, line 13: with b.lock()\n",
            "deadlock\n",
            "main 1 at line 8: with b.lock() waits: mutex 2 (b) is held by other 1.1, which is at line 13: with a.lock()\n",
        ],
    );
    // A fault is said with who and where, and one can go back.
    let fault =
        "model fault\nprocess main {\n    let x: 0..=1 = 0\n    await true\n    assert x == 1\n}\n";
    fs::write(folder.path().join("fault.kin"), fault).unwrap();
    let done = run("fault.kin", "1\n1\nundo\nq\n");
    assert_eq!(done.status, 0, "{}", done.stderr);
    let said =
        "assertion fails: `assert x == 1` does not hold\n    by main 1, line 5: assert x == 1\n";
    assert!(done.stderr.contains(said), "{}", done.stderr);
    let done = inside(folder.path(), &["simulate", "fault.kin", "--seed", "2"], "");
    assert_eq!(done.status, 14, "{}", done.stdout);
    assert!(done.stderr.contains(said), "{}", done.stderr);
}

#[test]
fn states_of_processes_are_drawn_and_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let graph = kinfold_fed(&["graph", "-", "--format", "json"], ABBA.as_bytes()).json();
    fs::write(folder.path().join("one"), graph["states"][1].to_string()).unwrap();
    let done = inside(folder.path(), &["equiv", "one", "one"], "");
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(done.stderr.contains("`kinfold graph MODEL --format json`"), "{}", done.stderr);
    for format in ["dot", "svg", "json"] {
        let done = inside(folder.path(), &["tlg", "one", "--format", format], "");
        assert_eq!(done.status, 0, "{}", done.stderr);
    }
    // A model is no state.
    let done = inside(folder.path(), &["tlg", &project("models/processes/abba.kin")], "");
    assert_eq!(done.status, 150);
    assert!(done.stderr.contains("kinfold graph"), "{}", done.stderr);
}

#[test]
fn graphs_and_counts_are_told_in_the_words_of_the_program() {
    let done = kinfold_fed(&["graph", "-"], ABBA.as_bytes());
    says(&done, &["main 1 at line 8: with a.lock()", "label=\"main, line 7: spawn other()"]);
    let done = kinfold_fed(&["explore", "-"], ABBA.as_bytes());
    assert!(!done.stdout.contains("main:7"), "{}", done.stdout);
}

#[test]
fn who_races_for_what_is_said() {
    let done = kinfold_fed(&["check", "-"], RACE.as_bytes());
    // The race comes first in the table of statuses, though an assertion fails, too.
    assert_eq!(done.status, 12, "{}", done.stdout);
    says(
        &done,
        &[
            "  FAILS    race_free\n           main 1 and adder 1.1 race for n\n",
            "  FAILS    assertion     `assert n == 0` does not hold\n           17:5\n",
            "\nmain 1 and adder 1.1 race for n: nothing orders what they do\n    main 1 writes it at line 9: n = 1\n    adder 1.1 writes it at line 15: n = 1\n",
        ],
    );
    assert!(!done.stdout.contains("growing"), "{}", done.stdout);
    let json = kinfold_fed(&["check", "-", "--json"], RACE.as_bytes()).json();
    let properties = json["properties"].as_array().unwrap();
    let race = properties.iter().find(|one| one["name"] == "race_free").unwrap();
    let race = &race["races"][0];
    assert_eq!(race["location"], "n");
    assert_eq!(
        (&race["accesses"][0]["line"], &race["accesses"][1]["line"]),
        (&9.into(), &15.into())
    );
    assert_eq!(race["accesses"][1]["access"], "write");
    // Without the first race it is for an element of the sequence.
    let without =
        RACE.replace("    n = 1\n    choose", "    choose").replace("    assert n == 0\n", "");
    let done = kinfold_fed(&["check", "-"], without.as_bytes());
    says(&done, &["main 1 and adder 1.1 race for row[1]\n"]);
}

#[test]
fn races_for_fields_name_the_object() {
    let model = "\
model field
shared c = new channel[bool](capacity: 1)

process main {
    spawn other()
    c.items = []
}

process other { c.send(true) }
";
    let done = kinfold_fed(&["check", "-"], model.as_bytes());
    says(
        &done,
        &[
            "main 1 and other 1.1 race for items of channel 1 (c)\n",
            "    main 1 writes it at line 6: c.items = []\n    other 1.1 writes it at line 9: c.send(true)\n",
        ],
    );
}

#[test]
fn what_keeps_growing_is_told_in_words() {
    let model = "\
model growing
shared all: seq[mutex?, 1] = [none]

process main {
    loop { spawn waiter(new mutex) }
}

process waiter(m: mutex) { m.lock()   m.lock() }

property over: AG EF ended(main)
";
    let done = kinfold_fed(&["check", "-", "--max-states", "300"], model.as_bytes());
    says(&done, &["processes alive (up to", "objects of type mutex (up to"]);
    assert!(!done.stdout.contains("pids kept"), "{}", done.stdout);
}

#[test]
fn every_code_of_processes_is_explained() {
    let mut codes: Vec<String> = Vec::new();
    let mut folders = vec![project("crates/lang/src"), project("crates/process/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path.to_str().unwrap().to_owned());
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let quoted = text.split('"').filter(|part| {
                    part.len() == 5
                        && (part.starts_with("E1") || part.starts_with("W0"))
                        && part[1..].bytes().all(|byte| byte.is_ascii_digit())
                });
                codes.extend(quoted.map(str::to_owned));
            }
        }
    }
    codes.sort();
    codes.dedup();
    assert!(codes.len() > 20, "{codes:?}");
    for code in codes {
        let done = kinfold(&["explain", &code]);
        assert_eq!(done.status, 0, "{code} is not explained: {}", done.stderr);
        assert!(done.stdout.starts_with(&format!("{code}: ")), "{}", done.stdout);
    }
}

#[test]
fn recorded_runs_carry_places_in_the_file_and_are_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let stuck = ABBA.replace("always count(other) <= 1", "no_one_stuck");
    fs::write(folder.path().join("abba.kin"), stuck).unwrap();
    let done = inside(folder.path(), &["check", "abba.kin", "--trace", "run.json"], "");
    assert_eq!(done.status, 11, "{}", done.stderr);
    let run = fs::read_to_string(folder.path().join("run.json")).unwrap();
    let run: serde_json::Value = serde_json::from_str(&run).unwrap();
    let act = &run["steps"][1]["acts"][0];
    assert_eq!(
        (&act["file"], &act["line"], &act["column"]),
        (&"abba.kin".into(), &8.into(), &5.into())
    );
    let done = inside(folder.path(), &["replay", "run.json", "abba.kin"], "");
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    // It is none of a model in which the locks are taken in the same order.
    let fixed = ABBA.replace("with b.lock() { with a.lock()", "with a.lock() { with b.lock()");
    fs::write(folder.path().join("fixed.kin"), fixed).unwrap();
    let done = inside(folder.path(), &["replay", "run.json", "fixed.kin"], "");
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
}

#[test]
fn charts_show_what_is_waited_for_and_raced_for() {
    let chart = |model: &str, format: &str| {
        let args = ["check", "-", "--trace", "-", "--trace-format", format];
        kinfold_fed(&args, model.as_bytes()).stdout
    };
    let stuck = ABBA.replace("always count(other) <= 1", "no_one_stuck");
    let svg = chart(&stuck, "svg");
    for said in ["main 1 waits: mutex 2 (b)", "other 1.1 waits: mutex 1 (a)"] {
        assert!(svg.contains(said), "{said}");
    }
    let mermaid = chart(&stuck, "mermaid");
    assert_eq!(mermaid.matches(": waits\n").count(), 2, "{mermaid}");
    let svg = chart(RACE, "svg");
    assert!(svg.contains("main 1 writes: n") && svg.contains("adder 1.1 writes: n"));
    let joins = "model joining\nprocess main { let h = spawn other()   join h }\nprocess other { await false }\n";
    assert!(chart(joins, "svg").contains("main 1 waits: other 1.1"));
}

#[test]
fn what_is_written_and_stays_is_told() {
    let model = "\
model lost
shared atomic n: 0..=2 = 0

process main {
    let a = spawn adder()
    let b = spawn adder()
    join a
    join b
    assert n == 2
}

process adder { n += 1 }
";
    let done = kinfold_fed(&["check", "-"], model.as_bytes());
    assert_eq!(done.status, 14, "{}", done.stdout);
    says(
        &done,
        &[
            "line 12: n += 1\n    writes n = 1, as it was\n",
            "    by main 1, line 9: assert n == 2 (n = 1)\n",
            "1 property holds; an assertion fails (",
        ],
    );
}

#[test]
fn what_is_never_executed_is_what_was_written() {
    let model = "\
model unexecuted
shared c = new channel[bool](capacity: 1)
shared m = new mutex
shared selected: bool = false
shared none_of_them: set[0..=3, 2] = []

process main {
    select {
        c.send(true) {}
        else { await true }
    }
    for k in none_of_them { await true }
    if selected { selected = true }
    idle select { c.receive() {}   else { return } }
    with m.lock() { with m.lock() { c.send(false) } }
}
";
    let done = kinfold_fed(&["check", "-"], model.as_bytes());
    let never: Vec<&str> =
        done.stdout.lines().filter_map(|line| line.strip_prefix("never executed: ")).collect();
    let expected = [
        "line 8: else of select",
        "line 10: await true",
        "line 12: a round of for k in none_of_them",
        "line 12: await true",
        "line 13: selected = true",
        "line 14: else of select",
        "line 15: with m.lock()",
        "line 15: c.send(false)",
    ];
    assert_eq!(never, expected, "{}", done.stdout);
}

#[test]
fn one_who_is_met_by_nobody_waits_for_the_other_side() {
    let of = |body: &str| {
        format!(
            "model m\n\nobject pair {{ a: channel[bool] = new channel[bool]   b = new channel[bool] }}\n\n{body}"
        )
    };
    let waits = |body: &str| {
        let text = of(body);
        let done = kinfold_fed(&["check", "-"], text.as_bytes());
        assert_eq!(done.status, 11, "{}\n{}", done.stdout, done.stderr);
        let line = done.stdout.lines().rfind(|line| line.contains(" waits: ")).map(str::to_owned);
        line.unwrap_or(done.stdout)
    };
    let nobody = "waits: nobody is at the other side of channel";
    // No receive is in the model at all.
    let line = waits("shared c = new channel[bool]\nprocess main { c.send(true) }\n");
    assert!(line.ends_with(&format!("{nobody} 1 (c)")), "{line}");
    let line = waits("process main { let c = new channel[bool]   c.send(true) }\n");
    assert!(line.ends_with(&format!("{nobody} 1 (c)")), "{line}");
    // There is one, of another channel.
    let two = "process main { let p = new pair   spawn s(p)   idle p.a.receive() }\n\
               process s(p: pair) { p.b.send(true) }\n";
    let line = waits(two);
    assert!(line.ends_with(&format!("{nobody} 2 (b of pair 1)")), "{line}");
    // The receiver comes from a field that somebody assigns.
    let field = "shared p = new pair\nprocess main { spawn s()   p.b = p.b   p.a.receive() }\n\
                 process s { let c = p.b   idle c.send(true) }\n";
    let line = waits(field);
    assert!(
        line.ends_with("channel 1 (p.a)") || line.contains("channel 1 (p.a) has items"),
        "{line}"
    );
    assert!(!line.contains("pair 1"), "{line}");
}

#[test]
fn what_is_stuck_is_stuck_in_a_property_of_several_parts() {
    let text =
        "model m\nprocess main { await false }\nproperty p: no_one_stuck and everyone_can_end\n";
    assert_eq!(kinfold_fed(&["check", "-"], text.as_bytes()).status, 11);
    let text = "model m\nprocess main { loop { await true } }\nproperty p: no_one_stuck and everyone_can_end\n";
    assert_eq!(kinfold_fed(&["check", "-"], text.as_bytes()).status, 12);
}

#[test]
fn it_is_said_that_nothing_asks_for_those_who_are_stuck() {
    let hint =
        "no property asks for processes that are stuck: add `property no_leak: no_one_stuck`\n";
    says(&kinfold_fed(&["check", "-"], ABBA.as_bytes()), &[hint]);
    for asked in ["no_one_stuck", "everyone_can_end and race_free"] {
        let text = format!("{ABBA}property live: {asked}\n");
        let done = kinfold_fed(&["check", "-"], text.as_bytes());
        assert!(!done.stdout.contains("asks for"), "{}", done.stdout);
    }
    let done = kinfold_fed(&["check", "-", "-p", "exclusive"], ABBA.as_bytes());
    assert!(!done.stdout.contains("asks for"), "{}", done.stdout);
}

/// What is out of range is told with the value and the range, and so is an index.
#[test]
fn what_is_out_of_range_is_told_with_the_value() {
    let told = |statement: &str| {
        let text = format!(
            "model m\nshared n: 0..=3 = 3\nshared all: seq[bool, 2] = [true, false]\n\
             process main {{ {statement} }}\n"
        );
        kinfold_fed(&["check", "-"], text.as_bytes()).stdout
    };
    let grown = told("n = n + 1");
    for said in ["the value is out of range: it is not in 0..=3", "(n = 3), where it is 4"] {
        assert!(grown.contains(said), "{grown}");
    }
    let beyond = told("all[n] = true");
    for said in ["there is no element at this index", ", where it is 3"] {
        assert!(beyond.contains(said), "{beyond}");
    }
    let longer = told("let more: seq[bool, 3] = [true; 3]   await n == 3   all = more");
    assert!(longer.contains("out of range: it has more than 2 elements"), "{longer}");
}
