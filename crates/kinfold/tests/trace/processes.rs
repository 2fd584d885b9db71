//! Traces of processes, in the words of their programs.

use std::collections::{BTreeSet, VecDeque};

use kinfold::trace::{self, waiting};
use kinfold::{Run, RunStep, Trace, TraceFormat, mode_text};
use net::Net;
use net::interpret::{self, Mode};

use crate::schema::{fits, schema_of};
use crate::traces::{compiled, model, modes};

/// A job that goes through a channel, is done under a lock, and counted.
const SHOP: &str = "\
model shop

shared lock = new mutex
shared served: 0..=4 = 0

process main {
    let jobs = new channel[0..=3](capacity: 1)
    let w = spawn worker(jobs)
    jobs.send(2)
    jobs.close()
    join w
}

process worker(jobs: channel[0..=3]): 0..=4 {
    let done: 0..=4 = 0
    for job in jobs {
        with lock.lock() { served = served + 1 }
        done = done + 1
    }
    return done
}
";

/// Processes that are killed and crash, functions, objects that become garbage.
const DOOM: &str = "\
model doom

record Job { id: 0..=3, again: bool }

process main {
    let h = spawn worker(2)
    let g = spawn worker(1)
    kill h
    crash g
    choose x in 0..=2
    join h
    assert x != 1
}

fn down(n: 0..=3) {
    if n == 0 { return }
    ping()
    down(n - 1)
}

fn ping() {
    let c = new channel[bool](capacity: 1)
    c.send(true)
    c.receive()
}

process worker(n: 0..=3) {
    let job = Job(id: n, again: false)
    defer { ping() }
    down(job.id)
    rest: ping()
}

property rests: always count(worker at rest) <= 2
";

/// One who waits for whatever comes first, and for nothing that does.
/// A channel that is found in a field of an object.
const IN_A_FIELD: &str = "model in_a_field
object manager { statuses: channel[bool] = new channel[bool](capacity: 0) }
shared m = new manager
process main { spawn other()   m.statuses.send(true) }
process other { m.statuses.receive()   m.statuses.send(false) }
";

const SELECT: &str = "\
model selecting

shared a = new channel[0..=1](capacity: 0)
shared b = new channel[0..=1](capacity: 1)
shared lock = new mutex
shared ready: bool = false

process main {
    lock.lock()
    let h = spawn other()
    select {
        let x = a.receive() { ready = x == 1 }
        b.receive() {}
        join h {}
        await ready {}
    }
}

process other { lock.lock() }
";

fn step(net: &Net, run: &mut Run, mode: Mode) {
    let step = interpret::fire(net, run.last(), &mode).unwrap();
    run.steps.push(RunStep { mode, children: step.children, state: step.state });
}

/// The run in which those whose names start so act one after the other, each by the first way it can.
fn run_of(net: &Net, who: &[&str]) -> Run {
    let mut run = Run::at_start(net);
    for name in who {
        let mut can = modes(net, run.last()).into_iter();
        let mode = can.find(|mode| mode_text(net, mode).starts_with(name));
        let after = run.steps.len();
        step(net, &mut run, mode.unwrap_or_else(|| panic!("{name} cannot act after {after}")));
    }
    run
}

/// A shortest run after which nobody can go on.
pub fn run_to_deadlock(net: &Net) -> Run {
    let mut seen = BTreeSet::from([interpret::initial(net)]);
    let mut queue = VecDeque::from([Run::at_start(net)]);
    while let Some(run) = queue.pop_front() {
        let modes = modes(net, run.last());
        if modes.is_empty() && !run.last().eta().is_empty() {
            return run;
        }
        for mode in modes {
            let mut longer = run.clone();
            step(net, &mut longer, mode);
            if seen.insert(longer.last().clone()) {
                queue.push_back(longer);
            }
        }
    }
    panic!("{} has no deadlock", net.name);
}

/// Goes on with the first of these that can act, until none can.
fn to_the_end(net: &Net, mut run: Run, who: &[&str]) -> Run {
    let next = |run: &Run| {
        let can = modes(net, run.last());
        let of = |name: &&str| can.iter().find(|mode| mode_text(net, mode).starts_with(name));
        who.iter().find_map(of).cloned()
    };
    while let Some(mode) = next(&run) {
        step(net, &mut run, mode);
        assert!(run.steps.len() < 50, "it ends");
    }
    run
}

fn shop() -> (Net, Trace) {
    let net = compiled(SHOP, &[]);
    let trace = to_the_end(&net, Run::at_start(&net), &["worker", "main"]).into();
    (net, trace)
}

#[test]
fn text_tells_statements_variables_and_objects() {
    let (net, trace) = shop();
    insta::assert_snapshot!("told_text", trace.text(&net));
}

#[test]
fn text_tells_deaths_calls_and_labels() {
    let net = compiled(DOOM, &[]);
    let who = ["main", "main", "worker 1.1", "worker 1.1", "worker 1.2", "main", "main"];
    let run = to_the_end(&net, run_of(&net, &who), &["worker", "main"]);
    insta::assert_snapshot!("told_deaths", Trace::from(run).text(&net));
}

/// In states an object has the least free number; in what is told, each has one of its own.
#[test]
fn objects_keep_their_numbers() {
    let net = compiled(DOOM, &[]);
    let trace = Trace::from(run_of(
        &net,
        &["main"].iter().chain(&["worker"; 5]).copied().collect::<Vec<_>>(),
    ));
    let channels = |trace: &Trace| -> BTreeSet<String> {
        let states = (0..=trace.run.steps.len()).map(|number| trace.run.state(number));
        let values = states.flat_map(|state| state.values().map(ToString::to_string));
        values.filter(|text| text.starts_with("channel")).collect()
    };
    assert_eq!(channels(&trace).len(), 1, "the number is used again");
    assert!(channels(&trace.told(&net)).len() > 1, "but not in what is told");
    let text = trace.text(&net);
    assert!(text.contains("creates channel 1: ") && text.contains("creates channel 2: "), "{text}");
}

#[test]
fn who_waits_for_what_names_objects_holders_and_lines() {
    let names = [
        "abba",
        "double_lock",
        "lock_over_send",
        "never_closed",
        "reader_writer_reader",
        "lost_reply",
    ];
    let mut said = String::new();
    let nets = names.map(|name| model(&format!("processes/{name}"), &[]));
    let others = [SELECT, IN_A_FIELD].map(|text| compiled(text, &[]));
    for net in nets.into_iter().chain(others) {
        let trace = Trace::from(run_to_deadlock(&net));
        let text = trace.text(&net);
        let outcome = text.find("deadlock: ").map(|at| &text[at..]);
        said += &format!("{}\n{}", net.name, outcome.unwrap_or_else(|| panic!("{text}")));
    }
    insta::assert_snapshot!("told_waits", said);
}

#[test]
fn those_who_wait_are_told_while_others_go_on() {
    let net = compiled(SELECT, &[]);
    let run = run_of(&net, &["main", "main"]);
    let waits: Vec<String> = waiting(&net, run.last()).iter().map(ToString::to_string).collect();
    assert_eq!(waits.len(), 2, "{waits:?}");
    let run = Run::at_start(&net);
    assert_eq!(waiting(&net, run.last()), []);
}

#[test]
fn choices_are_told_apart_by_what_they_change() {
    let net = compiled(
        "model choice\nprocess main {\n    choose x in 0..=1\n    here:\n    assert x != 1\n}\n\
         property at: always count(main at here) <= 1\n",
        &[],
    );
    let run = Run::at_start(&net);
    let choices = run.choices(&net, &modes(&net, run.last()));
    let expected = ["main 1, line 3: choose x in 0..=1", "main 1, line 3: choose x in 0..=1"];
    let starts = choices.iter().zip(expected).all(|(text, start)| text.starts_with(start));
    assert!(starts && choices[0] != choices[1], "{choices:#?}");
    assert!(choices[1].contains("x = 1"), "{choices:#?}");
}

#[test]
fn charts_have_lifelines_for_processes_and_what_they_share() {
    let (net, trace) = shop();
    let written = |format| trace.write(format, &net, Some("p"));
    insta::assert_snapshot!("told_mermaid", written(TraceFormat::Mermaid));
    insta::assert_snapshot!("told_shiviz", written(TraceFormat::ShiViz));
    let chart = written(TraceFormat::Svg);
    for name in ["worker 1.1", "channel 1", "line 9: jobs.send(2)"] {
        assert!(chart.contains(name), "{name}");
    }
    assert!(!chart.contains("mutex 1"), "only one process uses it");
    let net = model("processes/lock_over_send", &[]);
    let chart = Trace::from(run_to_deadlock(&net)).write(TraceFormat::Svg, &net, None);
    assert!(chart.contains("channel 1 (events)"), "it is waited for, though nobody has used it");
}

#[test]
fn json_carries_lines_and_is_replayed() {
    let (net, trace) = shop();
    let json = trace.json(&net, Some("p"));
    let schema = schema_of("trace.schema.json");
    assert!(fits(&json, &schema, &schema));
    let steps = json["steps"].as_array().unwrap();
    let act = steps.iter().map(|step| &step["acts"][0]).find(|act| act["line"] == 16).unwrap();
    assert_eq!(act["process"], "worker");
    assert_eq!((&act["line"], &act["column"]), (&16.into(), &5.into()));
    assert_eq!(act["statement"], "for job in jobs");
    let record = trace::read(&json.to_string()).unwrap();
    assert_eq!(record.replay(&net).unwrap().json(&net, Some("p")), json);
    let mut bare = record;
    bare.steps.iter_mut().for_each(|step| step.acts.clear());
    bare.replay(&net).unwrap();
}

#[test]
fn itf_has_the_variables_of_the_program() {
    let (net, trace) = shop();
    insta::assert_snapshot!("told_itf", trace.write(TraceFormat::Itf, &net, Some("p")));
}

/// A chart at whose end something is waited for says so as text does.
#[test]
fn all_forms_are_written_for_all_models() {
    for name in ["abba", "lock_over_send", "never_closed"] {
        let net = model(&format!("processes/{name}"), &[]);
        let trace = Trace::from(run_to_deadlock(&net));
        for format in TraceFormat::ALL {
            assert!(!trace.write(format, &net, None).is_empty(), "{name} {format:?}");
        }
    }
}
