//! What is told of small models, letter by letter.

use budget::{Budget, Exhausted};
use net::TransitionId;
use net::interpret;
use serde::Serialize;
use trace::{Asked, Run, ToldEnd, ToldRun, ToldState, ToldStatement, Trace, statement_positions};

use crate::runs::{compiled, deadlock, model, modes, taken};

fn json(told: &impl Serialize) -> String {
    serde_json::to_string_pretty(told).unwrap()
}

fn state(run: &Run, at: usize, net: &net::Net) -> ToldState {
    let modes = modes(net, run.state(at));
    ToldState::of(run, at, net, &modes, &Budget::unlimited()).unwrap()
}

fn statement(run: &Run, at: usize, net: &net::Net, asked: Asked) -> Option<ToldStatement> {
    let modes = modes(net, run.state(at));
    ToldStatement::of(run, at, net, &modes, asked, &Budget::unlimited()).unwrap()
}

/// The run in which at each state the step of this number is taken.
fn run_of(net: &net::Net, numbers: &[usize]) -> Run {
    let mut run = Run::at_start(net);
    for number in numbers {
        let step = taken(net, run.last(), &modes(net, run.last()).unwrap()[*number]).unwrap();
        run.steps.push(step);
    }
    run
}

#[test]
fn a_deadlock_of_processes() {
    let net = model("processes/abba");
    let run = deadlock(&net);
    insta::assert_snapshot!("processes_run", json(&ToldRun::of(&Trace::from(run.clone()), &net)));
    insta::assert_snapshot!("processes_first_state", json(&state(&run, 1, &net)));
    let last = state(&run, run.steps.len(), &net);
    assert_eq!((last.end, last.next.len()), (Some(ToldEnd::Deadlock), 0));
    insta::assert_snapshot!("processes_last_state", json(&last));
    let taken = statement(&run, run.steps.len(), &net, Asked::Line(17, None)).unwrap();
    insta::assert_snapshot!("processes_why", json(&taken));
    assert_eq!(statement(&run, 0, &net, Asked::Line(3, None)), None);
    assert_eq!(statement(&run, 0, &net, Asked::Line(14, Some(99))), None);
}

#[test]
fn a_net() {
    let net = model("lock");
    let run = run_of(&net, &[0, 0, 0]);
    let position = |name: &str| (name == net.transitions[0].name).then_some((7, 1));
    let told = ToldRun::of(&Trace::from(run.clone()), &net).with_positions(position);
    insta::assert_snapshot!("net_run", json(&told));
    insta::assert_snapshot!("net_state", json(&state(&run, 3, &net).with_positions(position)));
    for id in (0..net.transitions.len() as u32).map(TransitionId) {
        let told = statement(&run, 3, &net, Asked::Transition(id)).unwrap();
        let name = &net.transition(id).name;
        insta::assert_snapshot!(format!("net_why_{name}"), json(&told));
        assert_eq!(statement_positions(&net, id), []);
    }
    assert_eq!(statement(&run, 3, &net, Asked::Line(1, None)), None);
}

#[test]
fn a_net_without_threads() {
    let net = compiled(
        "model plain\nplace p: 0..=2 = 1\nplace q = 2\n\
         transition go { take p(x), 2 q   put p(x + 1) }\n",
    );
    let run = run_of(&net, &[0]);
    insta::assert_snapshot!("plain_state", json(&state(&run, 1, &net)));
    let asked = Asked::Transition(TransitionId(0));
    let why = [0, 1].map(|at| statement(&run, at, &net, asked).unwrap());
    insta::assert_snapshot!("plain_why", json(&why));
}

/// Calls, in the model and in the prelude, and objects of which one takes the number of another that is gone.
const CALLS: &str = "\
model calls

shared ready = new condition
shared lock = new mutex

process main {
    let first = new channel[bool](capacity: 1)
    first.send(true)
    down(2)
}

fn down(n: 0..=2) {
    if n == 0 {
        with lock.lock() { ready.wait(lock) }
        return
    }
    let kept = new channel[0..=2](capacity: 1)
    kept.send(n)
    here: down(n - 1)
    kept.receive()
}
";

#[test]
fn calls_and_objects() {
    let net = compiled(CALLS);
    let run = deadlock(&net);
    let told = state(&run, run.steps.len(), &net);
    insta::assert_snapshot!("calls", json(&told));
}

#[test]
fn what_goes_wrong() {
    let net = compiled(
        "model wrong\nshared n: 0..=2 = 2\nprocess main {\n    spawn other()\n    assert n == 1\n}\n\
         process other { n = n + 1 }\n",
    );
    let run = run_of(&net, &[0]);
    let told = state(&run, 1, &net);
    insta::assert_snapshot!("wrong", json(&told));
    assert_eq!((told.end, told.fault.map(|fault| fault.line)), (None, Some(Some(5))));
    // The sum is out of range, too.
    let told = state(&run_of(&net, &[0, 1]), 2, &net);
    assert_eq!((told.end, told.next.len()), (Some(ToldEnd::Fault), 2));
}

#[test]
fn a_fault_of_a_condition() {
    let net = compiled(
        "model divided\nflow main(n: 0..=2)\nstart main(0)\n\
         transition go { move t: main(n) -> main(1 / n)   when 2 / n == 1 }\n",
    );
    let run = Run::at_start(&net);
    insta::assert_snapshot!("divided", json(&state(&run, 0, &net)));
}

#[test]
fn ends_are_told_apart() {
    let end = |text: &str, numbers: &[usize]| {
        let net = compiled(text);
        state(&run_of(&net, numbers), numbers.len(), &net).end
    };
    let main = "model m\nshared n: 0..=1 = 0\nprocess main { n = 1 }\n";
    assert_eq!(end(main, &[]), None);
    assert_eq!(end(main, &[0]), Some(ToldEnd::Terminated));
    let idle = "model m\nidle flow main\nstart main\n";
    assert_eq!(end(idle, &[]), Some(ToldEnd::Rest));
    assert_eq!(end("model m\nflow main\nstart main\n", &[]), Some(ToldEnd::Deadlock));
}

#[test]
fn telling_ends_with_the_budget() {
    let net = model("processes/abba");
    let (run, budget) = (Run::at_start(&net), Budget::unlimited());
    let modes = modes(&net, &interpret::initial(&net));
    budget.interrupt();
    let told = ToldState::of(&run, 0, &net, &modes, &budget);
    assert_eq!(told, Err(Exhausted::Interrupted));
    let told = ToldStatement::of(&run, 0, &net, &modes, Asked::Line(14, None), &budget);
    assert_eq!(told, Err(Exhausted::Interrupted));
    assert!(trace::all_modes(&net, &run.initial, &budget).is_err());
}

/// The lines of the steps of a run, each with what it has changed.
fn steps(run: Run, net: &net::Net) -> Vec<String> {
    let told = ToldRun::of(&Trace::from(run), net);
    told.steps
        .into_iter()
        .map(|step| format!("{}: {}", step.text, step.changes.join("; ")))
        .collect()
}

/// An object that nobody refers to any more after a step was changed by it all the same.
#[test]
fn what_a_step_does_to_garbage_is_told() {
    let net = compiled(
        "shared out: 0..=3 = 0\n\
         process main {\n\
         let c = new channel[0..=3](capacity: 1)\n\
         c.send(3)\n\
         let last = c.receive()\n\
         }\n",
    );
    assert_eq!(
        steps(run_of(&net, &[0, 0]), &net),
        [
            "line 4: c.send(3): channel 1: items: [] → [3]; → line 5",
            "line 5: let last = c.receive(): channel 1: items: [3] → []; main 1 ends",
        ]
    );
}

/// What is chosen is told where nothing else tells it.
#[test]
fn choices_are_told() {
    let net = compiled(
        "shared n: 0..=3 = 0\n\
         process main {\n\
         n = 1\n\
         atomic { choose k in 2..=2   require k > n }\n\
         either {\n\
         n = 2\n\
         } or {}\n\
         n = 3\n\
         choose kept in 1..=1\n\
         await n == 3\n\
         n = kept\n\
         }\n",
    );
    let first = steps(run_of(&net, &[0, 0, 0, 0, 0, 0]), &net);
    let mut other = run_of(&net, &[0]);
    let ways = modes(&net, other.last()).unwrap();
    other.steps.push(taken(&net, other.last(), &ways[ways.len() - 1]).unwrap());
    insta::assert_snapshot!("choices", [first, steps(other, &net)].concat().join("\n"));
}

/// Those who are asleep at one condition are told in one line, without where each of the others is.
#[test]
fn sleepers_are_told_together() {
    let net = compiled(
        "shared lock = new mutex\n\
         shared changed = new condition\n\
         process main { repeat 4 { spawn w() } }\n\
         process w { lock.lock()   loop { changed.wait(lock) } }\n",
    );
    let run = deadlock(&net);
    let told = state(&run, run.steps.len(), &net);
    let texts: Vec<&str> = told.waits.iter().map(|wait| wait.text.as_str()).collect();
    let [only] = texts[..] else { panic!("{texts:?}") };
    let line = only.strip_prefix("asleep on `changed`, and no one is left to signal it: ").unwrap();
    assert!(line.starts_with("w 1.1, w 1.2, w 1.3, w 1.4 at line 4: changed.wait(lock)"), "{line}");
    // As long as somebody can act, they may be woken.
    let early = (0..run.steps.len()).find_map(|at| {
        let waits = state(&run, at, &net).waits;
        waits.into_iter().find(|wait| wait.text.contains("asleep")).map(|wait| wait.text)
    });
    let early = early.expect("one falls asleep before the others");
    assert!(early.starts_with("asleep on `changed`: w "), "{early}");
}

/// Who would meet the thread, if it were there, may be in a call: it is not the call that the thread waits for.
#[test]
fn the_other_side_may_be_in_a_call() {
    let net = compiled(
        "shared c = new channel[0..=1](capacity: 0)\n\
         process main { repeat 2 { spawn sender() }   let got = ask() }\n\
         process sender { c.send(1) }\n\
         fn ask(): 0..=1 { return c.receive()! }\n",
    );
    let run = deadlock(&net);
    let told = state(&run, run.steps.len(), &net);
    let texts: Vec<&str> = told.waits.iter().map(|wait| wait.text.as_str()).collect();
    let [only] = texts[..] else { panic!("{texts:?}") };
    assert!(only.ends_with("waits: nobody is at the other side of channel 1 (c)"), "{only}");
}
