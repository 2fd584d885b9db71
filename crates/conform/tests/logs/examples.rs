//! The examples of `docs/conform.md`, and mistakes in logs and mappings.

use std::fs;
use std::io::Cursor;
use std::sync::Arc;

use budget::Budget;
use conform::{Answer, ConformError, Mapping, Options, Reader, Verdict, Vocabulary, conform};
use lang::Override;
use net::Net;

fn project(path: &str) -> String {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn model(path: &str, set: &[(&str, &str)]) -> Arc<Net> {
    let set: Vec<Override> = set
        .iter()
        .map(|(name, value)| Override { name: (*name).into(), value: (*value).into() })
        .collect();
    Arc::new(lang::compile(&project(path), &set).net.expect("the model compiles"))
}

fn server() -> Arc<Net> {
    model("models/server.kin", &[])
}

fn pool() -> Arc<Net> {
    model("models/processes/worker_pool.kin", &[("workers", "2"), ("jobs", "2")])
}

fn asked(net: &Arc<Net>, mapping: &str, log: &str, options: &Options) -> Result<Answer, String> {
    let mapping = Mapping::read(mapping).map_err(|error| error.to_string())?;
    let vocabulary = Vocabulary::new(net, &mapping).map_err(|error| error.to_string())?;
    let input = Box::new(Cursor::new(log.to_owned()));
    let mut reader = Reader::new(input, &mapping.log).map_err(|error| error.to_string())?;
    conform(&vocabulary, &mut || reader.next_entry(), options, &Budget::unlimited())
        .map_err(|error: ConformError| error.to_string())
}

fn example(net: &Arc<Net>, mapping: &str, log: &str) -> Answer {
    let mapping = project(&format!("docs/conform/{mapping}"));
    let log = project(&format!("docs/conform/{log}"));
    let options = Options { run: true, ..Options::default() };
    asked(net, &mapping, &log, &options).expect("the example is read")
}

#[test]
fn logs_in_every_form_conform() {
    let cases = [
        (server(), "server.json", "server.jsonl", 8),
        (server(), "tracing.json", "tracing.jsonl", 6),
        (server(), "otel.json", "otel.jsonl", 6),
        (server(), "text.json", "text.log", 5),
        (server(), "threads.json", "threads.jsonl", 5),
        (pool(), "pool.json", "pool.jsonl", 8),
    ];
    for (net, mapping, log, events) in cases {
        let answer = example(&net, mapping, log);
        assert_eq!(answer.verdict, Verdict::Conforms, "{log}: {}", answer.text());
        assert_eq!(answer.events, events, "{log}");
        let run = answer.run.expect("a run was asked for");
        let record = trace::Record::of(&run.trace, &net, None);
        record.replay(&net).unwrap_or_else(|mismatch| panic!("{log}: {mismatch}"));
        assert_eq!(run.lines.iter().flatten().count() as u64, events, "{log}");
    }
}

#[test]
fn the_page_shows_where_logs_differ() {
    let page = project("docs/conform.md");
    for (net, mapping, log, line) in
        [(server(), "server.json", "leak.jsonl", 7), (pool(), "pool.json", "pool_swapped.jsonl", 5)]
    {
        let answer = example(&net, mapping, log);
        assert_eq!(answer.verdict, Verdict::Differs);
        let text = answer.text();
        assert_eq!(answer.difference.map(|difference| difference.line), Some(line), "{text}");
        assert!(page.contains(&text), "docs/conform.md does not have:\n{text}");
    }
}

const LOG: &str = "{\"event\":\"accept\",\"p\":\"a\",\"h\":\"x\",\"c\":0}\n";

fn wrong(mapping: &str, log: &str) -> String {
    match asked(&server(), mapping, log, &Options::default()) {
        Ok(answer) => panic!("it was read: {}", answer.text()),
        Err(message) => message,
    }
}

#[test]
fn mistakes_have_a_place_and_a_way_out() {
    let plain = r#"{"unlogged": ["init"]}"#;
    for (log, expected) in [
        ("{\"event\": \"accept\"\n", "line 1: not JSON, at column"),
        ("[1]\n", "line 1: an entry must be a JSON object"),
        ("{\"p\": 1}\n", "line 1: the field `event` is missing"),
        ("{\"event\": 3}\n", "line 1: the field `event` must be a text"),
        (
            "{\"event\": \"acept\"}\n",
            "line 1: the event `acept` is not in the mapping; did you mean `accept`?",
        ),
        (
            "{\"event\": \"accept\", \"hh\": 1}\n",
            "the field `hh` is no variable of `accept`; did you mean `h`?",
        ),
        ("{\"event\": \"accept\", \"c\": \"many\"}\n", "`c` must be a whole number"),
        ("{\"event\": \"accept\", \"p\": [1]}\n", "`p` must be a name"),
        ("\u{0}\n", "line 1: not JSON"),
    ] {
        for lines in [0, 2] {
            let log = LOG.repeat(lines.min(1)) + log;
            let message = wrong(plain, &log);
            let expected = expected.replace("line 1", &format!("line {}", 1 + lines.min(1)));
            assert!(message.contains(&expected), "{message}\n{expected}");
        }
    }
    for (mapping, expected) in [
        ("{", "EOF while parsing"),
        (r#"{"evnts": []}"#, "unknown field `evnts`"),
        ("{}", ""),
        (r#"{"unlogged": ["initt"]}"#, "the model has no transition `initt`; did you mean `init`?"),
        (
            r#"{"events": [{"event": "accept"}]}"#,
            "it is not said whether these steps are logged: `init`",
        ),
        (
            r#"{"events": [{"event": "accept", "values": {"q": "x"}}], "unlogged": ["*"]}"#,
            "event `accept`: the step has no variable `q`",
        ),
        (
            r#"{"events": [{"event": "a", "step": "accept -> ready"}], "unlogged": ["*"]}"#,
            "`accept` does not lead to `ready`, but to `listening`",
        ),
        (
            r#"{"events": [{"event": "accept", "values": {"p": "who"}}], "unlogged": ["*"]}"#,
            "the event `accept` has no field `who`",
        ),
        (r#"{"log": {"format": "text"}}"#, "`log.lines` must have a pattern"),
        (r#"{"log": {"order": "threads"}}"#, "`log.thread` must say"),
        (
            r#"{"log": {"format": "text", "lines": [{"pattern": "{a}{b}", "event": "accept"}]}, "unlogged": ["init"]}"#,
            "there must be some text between two fields",
        ),
        (
            r#"{"log": {"format": "text", "lines": [{"pattern": "x", "event": "accept"}]}, "unlogged": ["init"]}"#,
            "line 1: the line fits no pattern",
        ),
    ] {
        if expected.is_empty() {
            continue;
        }
        let message = wrong(mapping, LOG);
        assert!(message.contains(expected), "{message}\n{expected}");
    }
}

#[test]
fn clocks_must_go_on_and_not_in_circles() {
    let mapping = r#"{"log": {"thread": "t", "clock": "v"}, "unlogged": ["init"]}"#;
    let line = |clock: &str| format!("{{\"event\":\"accept\",\"t\":\"a\",\"v\":{clock}}}\n");
    let message = wrong(mapping, &(line(r#"{"a":1}"#) + &line(r#"{"a":1}"#)));
    assert!(message.contains("line 2: the clock of `a` does not go on"), "{message}");
    let message = wrong(mapping, &line(r#"{"b":1}"#));
    assert!(message.contains("must be a vector clock"), "{message}");
    let circle =
        line(r#"{"a":1,"b":1}"#) + "{\"event\":\"accept\",\"t\":\"b\",\"v\":{\"a\":1,\"b\":1}}\n";
    let message = wrong(mapping, &circle);
    assert!(message.contains("each happened before the other"), "{message}");
}

#[test]
fn limits_are_no_verdicts() {
    // Nothing says who accepts, nor whom: all families are followed.
    let net = model("models/server.kin", &[("k", "3"), ("m", "3")]);
    let mapping = r#"{"events": [{"event": "reap", "values": {}}], "unlogged": ["*"]}"#;
    let log = "{\"event\":\"reap\"}\n".repeat(3);
    let options = Options { candidates: 50, ..Options::default() };
    let answer = asked(&net, mapping, &log, &options).expect("it is read");
    // What is found is found, whatever was missed.
    assert_ne!(answer.verdict, Verdict::Differs, "{}", answer.text());
    let options = Options { candidates: 1, ..Options::default() };
    let answer = asked(&net, mapping, &log, &options).expect("it is read");
    assert_eq!(answer.verdict, Verdict::Incomplete, "{}", answer.text());
    assert!(answer.text().contains("--max-candidates"), "{}", answer.text());
}

#[test]
fn names_are_never_used_again_unless_the_mapping_says_so() {
    // Connections come and go, until their names are dropped, and then one comes again.
    let mut log = String::new();
    let connection = |name: &str| {
        let steps = [
            format!(r#"{{"event":"accept","p":"a","h":"{name}"}}"#),
            format!(r#"{{"event":"compute","h":"{name}"}}"#),
            format!(r#"{{"event":"call","h":"{name}","f":"f{name}"}}"#),
            format!(r#"{{"event":"function","f":"f{name}"}}"#),
            format!(r#"{{"event":"result","h":"{name}","f":"f{name}"}}"#),
            format!(r#"{{"event":"reap","p":"a","h":"{name}"}}"#),
        ];
        steps.join("\n") + "\n"
    };
    for number in 0..40 {
        log += &connection(&format!("c{number}"));
    }
    let unique = r#"{"unlogged": ["init"]}"#;
    let reused = r#"{"unlogged": ["init"], "names_reused": true}"#;
    for (mapping, name, is_fine) in [
        (unique, "c40", true),
        (unique, "c3", false),
        (unique, "c39", false),
        (reused, "c3", true),
        (reused, "c39", true),
    ] {
        let log = log.clone() + &connection(name);
        let options = Options { run: true, ..Options::default() };
        let answer = asked(&server(), mapping, &log, &options).expect("it is read");
        let expected = if is_fine { Verdict::Conforms } else { Verdict::Differs };
        assert_eq!(answer.verdict, expected, "{mapping} {name}: {}", answer.text());
        let run = answer.run.expect("a run was asked for");
        let record = trace::Record::of(&run.trace, &server(), None);
        record.replay(&server()).expect("the run is one of the model");
        assert_eq!(answer.explained, if is_fine { 246 } else { 240 });
    }
}
