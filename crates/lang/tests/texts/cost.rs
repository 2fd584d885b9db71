//! What processes cost: classes against nets written by hand, transitions for a statement.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::model::{compiled, compiled_with, explored};
use lang::compile;

/// A folder of the project.
fn project(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn text_of(path: &str) -> String {
    fs::read_to_string(project(path)).expect("the model can be read")
}

fn classes(path: &str, overrides: &[(&str, u32)]) -> u32 {
    let net = compiled_with(&text_of(path), overrides).net.expect("it is there");
    explored(net).expect("nothing fails").store.len()
}

#[test]
fn a_pool_of_workers_has_as_many_classes_as_a_net_written_by_hand() {
    let by_hand = classes("models/worker_pool_net.kin", &[]);
    assert_eq!(by_hand, 3_315);
    // The workers are started one after the other, and not all at once: five classes more.
    assert_eq!(classes("models/processes/worker_pool.kin", &[]), by_hand + 5);
}

#[test]
fn a_server_has_as_many_classes_as_a_net_written_by_hand() {
    for (k, m) in [(1, 1), (2, 1), (2, 2), (3, 2)] {
        let size = [("k", k), ("m", m)];
        let by_hand = classes("models/server.kin", &size);
        assert_eq!(classes("models/processes/server.kin", &size), by_hand, "N({k},{m})");
    }
}

#[test]
fn a_server_that_makes_a_channel_for_each_worker_has_finitely_many_classes() {
    let text = "model server

shared quit = new channel[bool](capacity: 1)

process main {
    spawn timer()
    loop {
        let c = new channel[0..=1](capacity: 1)
        spawn worker(c)
        select {
            let x = c.receive() {}
            quit.receive() { return }
        }
    }
}

process worker(c: channel[0..=1]) { c.send(1) }

process timer { quit.send(true) }
";
    let net = compiled(text).net.expect("it is there");
    assert_eq!(explored(net).expect("nothing fails").store.len(), 9);
}

/// The process models of the project.
fn models() -> Vec<(String, String)> {
    let mut models = Vec::new();
    for folder in ["processes", "go", "cases", "prelude"] {
        let folder = fs::read_dir(project("models").join(folder)).expect("it can be read");
        for entry in folder {
            let path = entry.expect("it can be read").path();
            let text = fs::read_to_string(&path).unwrap_or_default();
            if text.contains("\nprocess main") {
                models.push((path.display().to_string(), text));
            }
        }
    }
    assert!(models.len() > 100, "only {} models were found", models.len());
    models
}

#[test]
fn a_statement_is_few_transitions() {
    let mut costly = Vec::new();
    for (path, text) in models() {
        let compilation = compiled(&text);
        let (net, processes) = (compilation.net.unwrap(), compilation.processes.unwrap());
        let mut counts: BTreeMap<_, usize> = BTreeMap::new();
        for transition in net.transitions.iter().filter(|transition| !transition.probe) {
            let Some(range) = transition.origin.range() else { continue };
            *counts.entry((range.start, range.end)).or_default() += 1;
        }
        for ((start, end), count) in counts.into_iter().filter(|(_, count)| *count > 20) {
            let line = processes.program.written(net::Origin::new(start..end)).unwrap();
            costly.push(format!("{path}:{}: `{}`: {count}", line.line, line.text));
        }
    }
    assert!(costly.is_empty(), "{costly:#?}");
}

/// Functions that call the next one twice each, the last of which does `last`.
fn twice(functions: usize, first: &str, last: &str) -> String {
    let calls = (1..functions).map(|n| format!("fn f{n}() {{ f{}()   f{}() }}\n", n + 1, n + 1));
    let calls: String = calls.collect();
    format!(
        "model twice\n\nshared x: bool = false\nshared lock = new mutex\n\nprocess main {{ {first} }}\n\n{calls}\
         fn f{functions}() {{ {last} }}\n"
    )
}

#[test]
fn functions_that_call_others_twice_compile() {
    for last in ["x = true", "x = not x", "let y = x", "let y = true"] {
        for first in ["f1()", "f1()   f1()", "with lock.lock() { f1() }"] {
            let net = compiled(&twice(12, first, last)).net.expect("it is there");
            assert!(net.transitions.len() < 200, "{first}: {}", net.transitions.len());
        }
    }
}

#[test]
fn deferred_calls_are_compiled_up_to_a_limit() {
    for functions in 1..=7 {
        let text = twice(functions, "defer { f1() }   x = true   kill self", "x = not x");
        let net = compiled(&text).net.expect("it is there");
        // Each of them is there as it is meant, for one that is killed in it, and for one that was before.
        let calls = (1 << functions) - 1;
        assert!(net.transitions.len() <= 3 * calls + 5, "{calls} calls: {}", net.transitions.len());
    }
    let text = twice(12, "x = true   defer { f1() }   x = false", "x = not x");
    let compilation = compile(&text, &[]);
    let drawn = compilation.diagnostics.render("model.kin", &text, false);
    assert!(
        compilation.net.is_none() && drawn.contains("one call too many in what is deferred"),
        "{drawn}"
    );
}

/// A server as they are written in Go: as many workers, each with as many selects, in which it waits for channels and
/// for contexts to be cancelled.
fn cancellable(workers: usize, selects: usize) -> String {
    let spawns: String = (0..workers).map(|n| format!("    spawn w{n}(all, one)\n")).collect();
    let select = "    select {
        c.send(true) { asked += 1 }
        d.receive() {}
        all.done() { return }
        one.done() { return }
    }\n"
    .repeat(selects);
    let worker = |n| format!("process w{n}(all: context, one: context) {{\n{select}}}\n\n");
    let workers: String = (0..workers).map(worker).collect();
    format!(
        "model cancellable

shared c = new channel[bool]
shared d = new channel[bool](capacity: 1)
shared asked: 0..=9 = 0

process main {{
    let all = new context
    let one = all.child()
{spawns}    one.cancel()
    all.cancel()
}}

{workers}"
    )
}

#[test]
fn selects_with_contexts_cost_little() {
    for (workers, selects) in [(1, 4), (1, 10), (4, 1), (4, 2)] {
        let compilation = compiled(&cancellable(workers, selects));
        let cost = compilation.processes.unwrap().conditions;
        let transitions = compilation.net.unwrap().transitions.len();
        let all = workers * selects;
        // Each may meet, and race with, each other.
        assert!(cost <= 2_000 * all + 200 * all * all, "{workers} × {selects}: {cost} conditions");
        assert!(
            transitions <= 40 * all + 10 * all * all,
            "{workers} × {selects}: {transitions} transitions"
        );
    }
}
