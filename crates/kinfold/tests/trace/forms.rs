//! Traces in every form.

use crate::traces::{all, deadlock_of_locks, loop_of_relay, mailbox, philosophers, server};
use kinfold::trace::{self, waits};
use kinfold::{Trace, TraceFormat};
use net::Net;
use serde_json::Value;

#[test]
fn text_says_what_changed() {
    insta::assert_snapshot!("text_server", written(&server(), TraceFormat::Text));
    insta::assert_snapshot!("text_mailbox", written(&mailbox(), TraceFormat::Text));
}

#[test]
fn text_says_who_waits_for_what() {
    insta::assert_snapshot!("text_deadlock", written(&deadlock_of_locks(), TraceFormat::Text));
    insta::assert_snapshot!("text_philosophers", written(&philosophers(), TraceFormat::Text));
}

#[test]
fn text_says_who_has_taken_whose_place() {
    insta::assert_snapshot!("text_loop", written(&loop_of_relay(), TraceFormat::Text));
}

fn written((net, trace): &(Net, Trace), format: TraceFormat) -> String {
    trace.write(format, net, Some("shown"))
}

#[test]
fn json_is_read_back() {
    for (net, trace) in &all() {
        let json = trace.json(net, Some("p"));
        let record = trace::read(&json.to_string()).unwrap();
        assert_eq!(record.to_json(), json);
        let again = record.replay(net).unwrap();
        assert_eq!(again.json(net, Some("p")), json);
        assert_eq!(again.back, trace.back);
        let modes = |trace: &Trace| -> Vec<_> {
            trace.run.steps.iter().map(|step| step.mode.clone()).collect()
        };
        assert_eq!(modes(&again), modes(trace));
    }
    insta::assert_snapshot!("json_loop", written(&loop_of_relay(), TraceFormat::Json));
}

#[test]
fn itf_has_a_variable_for_each_place() {
    insta::assert_snapshot!("itf_mailbox", written(&mailbox(), TraceFormat::Itf));
    let itf = |trace: &(Net, Trace)| -> Value {
        serde_json::from_str(&written(trace, TraceFormat::Itf)).unwrap()
    };
    let finite = itf(&philosophers());
    assert_eq!(finite["loop"], 5, "nothing happens any more");
    let endless = itf(&loop_of_relay());
    assert!(endless["loop"].is_null() && endless["#meta"]["back"]["to"].is_u64(), "other threads");
}

#[test]
fn what_a_transition_waits_for_is_its_first_condition_that_fails() {
    let says = |rest: &str, expected: &[&str]| {
        let text = format!(
            "model waits\nflow a(n: 0..=3), b, c\nplace p: 0..=3\nplace q = 2\nstart a(1), a(2)\n{rest}"
        );
        let net = crate::traces::compiled(&text, &[]);
        let found = waits(&net, &net::interpret::initial(&net));
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{rest}");
    };
    let both = |reason: &str| {
        [format!("thread 1 at a(1): {reason}"), format!("thread 2 at a(2): {reason}")]
    };
    let each = |rest: &str, reason: &str| {
        let [one, two] = both(reason);
        says(rest, &[&one, &two]);
    };
    each("", "no transition goes on from there");
    each(
        "transition t { move x: a(_) -> b  take p(_) }",
        "`t` needs a token in `p`, which is empty",
    );
    each(
        "transition t { move x: a(_) -> b  end y: c }",
        "`t` needs a thread at `c`, where there is none",
    );
    each(
        "transition t { move x: a(_) -> b  read y: c }",
        "`t` needs a thread at `c`, where there is none",
    );
    each("transition t { move x: a(_) -> b  take 3 q }", "`t` needs 3 tokens in `q`, which has 2");
    each("transition t { move x: a(_) -> b  unless q }", "`t` cannot fire while there is `q`");
    each(
        "transition t { move x: a(n) -> b  unless y: a(m) with m + n == 3 }",
        "`t` cannot fire while there is `y: a(m) with m + n == 3`",
    );
    says(
        "transition t { move x: a(n) -> b  when n > 2 }",
        &[
            "thread 1 at a(1): `t` needs `n > 2`, but n = 1",
            "thread 2 at a(2): `t` needs `n > 2`, but n = 2",
        ],
    );
    says(
        "transition t { move x: a(n) -> b  move y: a(n) -> b }",
        &[
            "thread 1 at a(1): `t` needs a thread at `a(n)` with n = 1, and there is none",
            "thread 2 at a(2): `t` needs a thread at `a(n)` with n = 2, and there is none",
        ],
    );
    // What is bound later is not looked at before, and a fault of a part is none of the whole.
    says(
        "transition t { move x: a(m + 1) -> b  move y: a(m) -> b  take p(m) }",
        &[
            "thread 1 at a(1): `t` needs a token in `p`, which is empty",
            "thread 2 at a(2): `t` needs a token in `p`, which is empty",
        ],
    );
}
