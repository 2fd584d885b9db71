//! Requests that are not what they should be: everything is answered or refused, and nothing panics.

use std::time::Duration;

use budget::Budget;
use explorer::Explorer;
use random::{Random, Seed};
use serde_json::{Map, Value as Json, json};

use crate::asked::explorer;

const OPERATIONS: [&str; 16] = [
    "models", "model", "run", "state", "why", "layers", "random", "graph", "way", "export",
    "carry", "write", "check", "search", "coverage", "nothing",
];
const FIELDS: [&str; 28] = [
    "model",
    "generation",
    "run",
    "at",
    "line",
    "column",
    "steps",
    "seed",
    "until",
    "grow",
    "depth",
    "most",
    "whole",
    "class",
    "format",
    "property",
    "loop",
    "trace",
    "source",
    "properties",
    "text",
    "fairness",
    "memory",
    "seconds",
    "predicate",
    "with",
    "deadlock",
    "to",
];
const TEXTS: [&str; 18] = [
    "",
    "lock",
    "abba",
    "client_server",
    "text",
    "json",
    "svg",
    "exclusive",
    "true",
    "count(holding) == 1",
    "a.holder == none",
    "always true",
    "property x: true",
    "((((",
    "\u{0}",
    "é`",
    "threads",
    "none",
];

fn value(random: &mut Random, depth: usize) -> Json {
    match random.below(if depth == 0 { 7_usize } else { 10 }) {
        0 => Json::Null,
        1 => random.percent(50).into(),
        2 => random.below(4_u64).into(),
        3 => (*random.pick(&[u64::MAX, 1 << 32, 5001, 100_001, 77])).into(),
        4 => json!(*random.pick(&[-1.0, 0.5, 1e300, -0.0])),
        5 | 6 => (*random.pick(&TEXTS)).into(),
        7 => (0..random.below(6_usize)).map(|_| Json::from(random.below(4_u64))).collect(),
        8 => (0..random.below(4_usize)).map(|_| value(random, depth - 1)).collect(),
        _ => object(random, depth - 1),
    }
}

fn object(random: &mut Random, depth: usize) -> Json {
    let mut object = Map::new();
    for _ in 0..random.below(6_usize) {
        object.insert((*random.pick(&FIELDS)).to_owned(), value(random, depth));
    }
    object.into()
}

/// A request that is nearly right.
fn request(random: &mut Random) -> Json {
    let mut request = json!({
        "model": *random.pick(&["lock", "abba", "client_server"]),
        "run": (0..random.below(4_usize)).map(|_| random.below(3_u64)).collect::<Vec<_>>(),
        "line": random.below(60_u64), "steps": random.below(9_u64), "class": random.below(9_u64),
        "format": *random.pick(&["text", "json", "itf", "svg", "mermaid", "shiviz"]),
        "predicate": *random.pick(&TEXTS),
    });
    for _ in 0..random.below(4_usize) {
        request[*random.pick(&FIELDS)] = value(random, 2);
    }
    request
}

fn asked(explorer: &Explorer, operation: &str, body: &[u8]) -> bool {
    // A limit of its own, in steps that nobody counts, but for the clock: a request must not hang.
    let budget = Budget::unlimited().within(Duration::from_secs(5));
    match Explorer::is_job(operation) {
        true => match explorer.begin(operation, body, &budget) {
            Ok(job) => {
                assert_eq!(job.operation(), operation);
                true
            }
            Err(_) => false,
        },
        false => explorer.ask(operation, body, &budget).is_ok(),
    }
}

#[test]
fn nothing_that_is_asked_panics() {
    let seed = 2026;
    let _seed = Seed(seed);
    let explorer = explorer(&["lock.kin", "processes/abba.kin", "pnml/client_server.pnml"]);
    let mut random = Random::new(seed);
    let mut answered = 0;
    for _ in 0..2500 {
        let operation = *random.pick(&OPERATIONS);
        let request =
            if random.percent(70) { request(&mut random) } else { object(&mut random, 3) };
        let mut body = request.to_string().into_bytes();
        // Some are cut off, or have a wrong byte.
        match random.below(10_usize) {
            0 => body.truncate(random.below(body.len() + 1)),
            1 if !body.is_empty() => {
                let at = random.below(body.len());
                body[at] = random.below(256_usize) as u8;
            }
            _ => {}
        }
        answered += usize::from(asked(&explorer, operation, &body));
    }
    assert!(answered > 250, "{answered} were answered");
}

#[test]
fn nothing_that_is_typed_panics() {
    let seed = 99;
    let _seed = Seed(seed);
    let explorer = explorer(&["lock.kin", "processes/abba.kin"]);
    let mut random = Random::new(seed);
    let words = [
        "always",
        "count",
        "(",
        ")",
        "holding",
        "at",
        "most",
        "1",
        "==",
        "property",
        ":",
        "forall",
        "p",
        "in",
        "{",
        "}",
        "a",
        ".",
        "holder",
        "none",
        "//",
        "/*",
        "\n",
        "process",
        "`",
        "implies",
        "[",
        "]",
        "é",
        "transition",
        "self",
        "0..3",
        "eventually",
        "enabled",
        "not",
        "shared",
        "\"",
    ];
    for _ in 0..600 {
        let text: Vec<&str> = (0..random.below(9_usize)).map(|_| *random.pick(&words)).collect();
        let model = *random.pick(&["lock", "abba"]);
        let body = json!({ "model": model, "text": text.join(" "), "predicate": text.join(" ") });
        for operation in ["check", "search"] {
            asked(&explorer, operation, body.to_string().as_bytes());
        }
    }
}
