//! What is a step: the table of `docs/processes.md`, row by row.

use std::path::Path;

use decide::Verdict;

use crate::{outcomes, require};

/// A row of the table, by what it begins with there.
struct Row {
    what: &'static str,
    /// Statements, and how many steps they are.
    counted: &'static [(&'static str, usize)],
    /// What a process does, and properties that see it: they hold, or fail.
    seen: &'static [(&'static str, &'static str, bool)],
}

const ROWS: [Row; 20] = [
    Row {
        what: "reads or writes a shared variable or a field",
        counted: &[("n = 1", 1), ("y = n", 1), ("y = n + m", 1), ("x.f = 1", 1), ("y = x.f", 1)],
        seen: &[("n = 1   m = 1", "reachable n == 1 and m == 0", true)],
    },
    Row {
        what: "reads a shared variable or a field that no statement assigns",
        counted: &[("y = k", 0), ("y = x.k", 0), ("if k == 1 {}", 0)],
        seen: &[("n = 1   y = k   m = 1", "AX (AX m == 1)", true)],
    },
    Row {
        what: "reads and writes what is shared",
        counted: &[("n += 1", 2), ("n = m", 2), ("x.f = n", 2), ("n = x.f", 2)],
        seen: &[(
            "spawn adder()   n += 1   L: await false",
            "reachable n == 1 and count(adder) == 0 and count(main at L) == 1",
            true,
        )],
    },
    Row {
        what: "uses what is shared to do something else",
        counted: &[
            ("spawn child(n)", 2),
            ("c.send(n)", 2),
            ("x.put(n)", 2),
            ("kill g!", 2),
            ("join g!", 2),
        ],
        seen: &[(
            "spawn putter()   x.put(n)   L: await false",
            "reachable x.f == 0 and n == 1 and count(putter) == 0 and count(main at L) == 1",
            true,
        )],
    },
    Row {
        what: "does a step of an object, or `atomic { … }`",
        counted: &[
            ("x.twice()", 1),
            ("c.send(1)", 1),
            ("atomic { n += 1   m = n }", 1),
            ("atomic {}", 1),
            ("with lock.lock() {}", 2),
        ],
        seen: &[("atomic { n = 1   m = 1 }", "reachable n == 1 and m == 0", false)],
    },
    Row {
        what: "is an `await`, a `select` or a `join`",
        counted: &[
            ("await true", 1),
            ("await n == 0", 1),
            ("await n == 0 and m == 0", 1),
            ("select { timeout {} }", 1),
            ("select { c.receive() {} else {} }", 1),
            ("join h", 1),
        ],
        seen: &[("n = 1   await true   m = 1", "AX (AX m == 1)", false)],
    },
    Row {
        what: "is a `spawn`, a `kill` or a `crash`",
        counted: &[("spawn child(1)", 1), ("kill h", 1), ("crash h", 1)],
        seen: &[("n = 1   spawn child(1)   m = 1", "AX (AX m == 1)", false)],
    },
    Row {
        what: "can be a fault",
        counted: &[
            ("assert true", 1),
            ("require y == 0", 1),
            ("y = w!", 1),
            ("if let v = w { y = v }", 0),
        ],
        seen: &[("n = 1   assert true   m = 1", "reachable n == 1 and m == 0", true)],
    },
    Row {
        what: "looks at something shared to find out where to go on",
        counted: &[("if n == 0 {}", 1), ("while n > 3 {}", 1), ("match n { 0 {} else {} }", 1)],
        seen: &[(
            "n = 1   if m == 0 { y = 1 }   await false",
            "reachable exists p in main: n == 1 and p.y == 0",
            true,
        )],
    },
    Row {
        what: "does anything else with variables of the process alone",
        counted: &[
            ("y = 1   y = 2", 0),
            ("y = y", 0),
            ("let z = new thing", 0),
            ("if y == 0 { y = 1 } else {}", 0),
            ("match y { 0 {} else {} }", 0),
            ("given(y)", 0),
            ("y = given(y)", 0),
            ("y = q[y]", 0),
            ("repeat 1 { break }", 0),
            ("defer { y = 1 }", 0),
        ],
        seen: &[
            ("n = 1   y = 1   y = 2   await false", "reachable exists p in main: p.y == 1", false),
            ("n = 1   y = 1   m = 1", "AX (AX m == 1)", true),
        ],
    },
    Row {
        what: "is a `choose` or an `either`",
        counted: &[
            ("choose z in bool", 0),
            ("choose z in 0..=3", 0),
            ("either { y = 1 } or { y = 2 }", 0),
            ("choose z in q", 1),
            ("choose z in 0..=3 where z > 1", 1),
        ],
        seen: &[
            (
                "n = 1   choose z in 1..=2   m = z",
                "always ((n == 1 and m == 0) implies next m >= 1)",
                true,
            ),
            // Where it is of interest who can choose what, that is a step.
            ("n = 1   choose z in 1..=2   m = z", "AX (AX m >= 1)", false),
            ("n = 1   choose z in 1..=2   m = z", "AX (AX (AX m >= 1))", true),
        ],
    },
    Row {
        what: "puts the result of that into a variable",
        counted: &[
            ("y = x.give()", 1),
            ("let z = x.give()", 1),
            ("n = x.give()", 2),
            ("let z = spawn child(1)", 1),
            ("g = spawn child(1)", 2),
            ("n = given(1)", 1),
        ],
        seen: &[
            (
                "let z: stays? = none   z = spawn stays()   L: await false",
                "(count(stays) == 0) EU (count(main at L) == 1)",
                true,
            ),
            (
                "let z = spawn stays()   L: await false",
                "(count(stays) == 0) EU (count(main at L) == 1)",
                true,
            ),
            (
                "held = spawn stays()   L: await false",
                "(count(stays) == 0) EU (count(main at L) == 1)",
                false,
            ),
        ],
    },
    Row {
        what: "is a round of a loop in which there is no step",
        counted: &[
            ("while y < 3 { y += 1 }", 4),
            ("for i in 0..=1 { y = i }", 2),
            ("for i in 0..=1 { n = i }", 2),
        ],
        seen: &[("n = 1   repeat 2 { y = 1 }   m = 1", "AX (AX m == 1)", false)],
    },
    Row {
        what: "is a call of a function that calls itself without a step",
        counted: &[("down(2)", 4), ("down(0)", 0)],
        seen: &[("n = 1   down(1)   m = 1", "AX (AX m == 1)", false)],
    },
    Row {
        what: "stands behind a label that a property names",
        counted: &[
            ("L: y = 1", 1),
            ("L: y = y", 1),
            ("L: y = 1   y = 2", 1),
            ("loop { L: break }", 1),
            ("L: n = 1", 1),
        ],
        seen: &[
            ("n = 1   L: y = 1   m = 1", "reachable count(main at L) == 1", true),
            (
                "n = 1   L: y = 1   await false",
                "always forall p in main: n == 0 or p at main.L or p.y == 1",
                true,
            ),
        ],
    },
    Row {
        what: "stands before such a label",
        counted: &[
            ("y = 1   L: n = 1", 2),
            ("y = 1   y = 2   L: n = 1", 2),
            ("n = 1   L: n = 2", 2),
        ],
        seen: &[("n = 1   y = 1   L: n = 2", "(n == 0) EU (count(main at L) == 1)", false)],
    },
    Row {
        what: "stands before a rendezvous",
        counted: &[
            ("met.send(1)", 1),
            ("y = 1   met.send(1)", 2),
            ("y = 1   y = 2   met.send(1)", 2),
        ],
        seen: &[],
    },
    Row {
        what: "comes to wait at a rendezvous that is polled",
        counted: &[("polled.send(1)", 2), ("y = 1   polled.send(1)", 2)],
        seen: &[],
    },
    Row {
        what: "is among the first statements of a process",
        counted: &[("spawn begins()", 1)],
        seen: &[
            ("spawn begins()   await false", "reachable exists p in begins: p.z == 0", false),
            ("y = 1   await n == 1", "reachable exists p in main: p.y == 0", false),
        ],
    },
    Row {
        what: "is among the last statements of a process",
        counted: &[("spawn child(1)", 1)],
        seen: &[
            ("spawn child(1)   await false", "reachable count(child) == 1", false),
            ("spawn adder()   await false", "reachable n == 1 and count(adder) == 1", false),
        ],
    },
];

fn model(before: &str, statements: &str) -> String {
    format!(
        "model steps
        shared atomic begun: bool = false
        shared atomic done: bool = false
        shared atomic n: 0..=8 = 0
        shared atomic m: 0..=8 = 0
        shared k: 0..=3 = 1
        shared lock = new mutex
        shared c = new channel[0..=3](capacity: 2)
        shared met = new channel[0..=4](capacity: 0)
        shared polled = new channel[0..=5](capacity: 0)
        shared atomic g: child? = none
        shared atomic held: stays? = none
        object thing {{
            atomic f: 0..=8 = 0
            k: 0..=3 = 1
            step give(): 0..=3 {{ return 1 }}
            step put(to: 0..=8) {{ f = to }}
            step twice {{ f = 1   f = 2 }}
        }}
        shared x = new thing
        process main {{
            let y: 0..=3 = 0
            let w: 0..=3? = 1
            let q: seq[0..=3, 2] = [1, 2]
            {before}
            {statements}
            done = true
            await false
            n = 0   m = 0   x.f = 0   g = none   held = none
        }}
        process taker {{ met.receive() }}
        process patient {{ polled.receive() }}
        process poller {{ select {{ polled.receive() {{}} else {{}} }} }}
        process child(number: 0..=8) {{ let z = number }}
        process stays {{ await false }}
        process begins {{ let z: 0..=1 = 0   z = 1   await false }}
        process putter {{ n = 1   x.put(2) }}
        process adder {{ n += 1   let z: 0..=1 = 0   z = 1 }}
        fn given(what: 0..=8): 0..=3 {{ return 1 }}
        fn down(from: 0..=3) {{ if from > 0 {{ down(from - 1) }} }}"
    )
}

/// What there has to be for statements, before they begin.
fn before(statements: &str) -> String {
    let needs = [
        (" h", "let h = spawn child(1)"),
        ("g!", "g = spawn child(1)"),
        ("met", "spawn taker()"),
        ("polled", "spawn patient()   spawn poller()"),
    ];
    let needed = needs.iter().filter(|(name, _)| statements.contains(name));
    needed.map(|(_, start)| *start).chain(["begun = true"]).collect::<Vec<_>>().join("   ")
}

/// How many steps come before one, at least, where the labels of the statements are named.
fn steps_before(what: &str, statements: &str) -> usize {
    let names = if statements.contains("L:") { "and count(main at L) >= 0" } else { "" };
    let model = model(&before(statements), statements);
    let outcome = outcomes(&model, &[&format!("reachable {what} {names}")], false).remove(0);
    match outcome.verdict {
        Verdict::Holds { witness: Some(evidence), .. } => evidence.trace.run.steps.len(),
        verdict => panic!("{statements}: {verdict:?}"),
    }
}

#[test]
fn each_row_of_the_table_is_so() {
    for row in &ROWS {
        for (statements, steps) in row.counted {
            let counted = steps_before("done", statements) - steps_before("begun", statements) - 1;
            assert_eq!(counted, *steps, "{}: {statements}", row.what);
        }
        for (statements, property, holds) in row.seen {
            let verdict = if *holds { "holds" } else { "fails" };
            require(&model("", statements), &[(property, verdict)]);
        }
    }
}

#[test]
fn the_table_has_these_rows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/processes.md");
    let text = std::fs::read_to_string(path).expect("the page is there");
    let (_, table) = text.split_once("| a statement that … |").expect("there is the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let written: Vec<&str> =
        rows.map(|row| row.split('|').nth(1).expect("a cell").trim()).collect();
    assert_eq!(written.len(), ROWS.len(), "{written:#?}");
    for (written, row) in written.iter().zip(&ROWS) {
        assert!(written.starts_with(row.what), "`{written}` is tested as `{}`", row.what);
    }
}
