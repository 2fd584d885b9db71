//! What must be true of everything that is told, on random runs of models that are shipped.

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use net::Net;
use random::for_seeds;
use state::{Pid, State, Value};
use trace::{
    Asked, LifelineKind, Record, Run, ToldLifeline, ToldRun, ToldState, ToldStatement, Trace,
};

use crate::runs::{compiled, model, modes, random_run, taken};

const MODELS: [&str; 16] = [
    "barrier",
    "client_server",
    "fork_join",
    "lock",
    "mailbox",
    "server",
    "supervisor",
    "processes/abba",
    "processes/cancelled_parent",
    "processes/join_set",
    "processes/one_for_one",
    "processes/request_loop",
    "processes/thread_pool",
    "processes/worker_pool",
    "cases/shutdown_processes",
    "go/cockroach_10790",
];

/// Objects whose numbers are used again, processes that are killed and crash, functions.
const DOOM: &str = "\
model doom

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
    let d = new channel[0..=1](capacity: 1)
    c.send(true)
    d.send(1)
    c.receive()
}

process worker(n: 0..=3) {
    defer { ping() }
    down(n)
}
";

/// Tries something on four runs of each model; where that fails, the seed is printed, which says which model it is.
fn on_runs(steps: usize, mut try_on: impl FnMut(&Net, &Run)) {
    let nets: Vec<Net> = MODELS.into_iter().map(model).chain([compiled(DOOM)]).collect();
    for_seeds(0..4 * nets.len() as u64, |seed, random| {
        let net = &nets[seed as usize / 4];
        try_on(net, &random_run(net, steps, random));
    });
}

fn told_state(net: &Net, run: &Run, at: usize) -> ToldState {
    let modes = modes(net, run.state(at));
    ToldState::of(run, at, net, &modes, &Budget::unlimited()).unwrap()
}

#[test]
fn numbers_of_lifelines_and_steps_are_in_range() {
    let (mut messages, mut pending) = (0, 0);
    on_runs(60, |net, run| {
        let told = ToldRun::of(&Trace::from(run.clone()), net);
        let (lines, steps) = (told.lifelines.len(), told.steps.len());
        assert_eq!(steps, run.steps.len());
        let is_step = |step: &Option<usize>| step.is_none_or(|step| step < steps);
        for line in &told.lifelines {
            assert!(is_step(&line.born) && is_step(&line.ended), "{line:?}");
            let after: Vec<Option<usize>> = line.labels.iter().map(|(after, _)| *after).collect();
            assert!(after.iter().all(is_step) && after.is_sorted(), "{line:?}");
            assert!(line.vacant.iter().all(|one| after.contains(one)), "{line:?}");
            assert_eq!(line.pid.is_some(), line.kind == LifelineKind::Thread);
        }
        for (number, step) in told.steps.iter().enumerate() {
            let of_births = step.born.iter().flat_map(|(parent, child)| [parent, child]);
            let all = step.actors.iter().chain(&step.seen).chain(&step.ended).chain(of_births);
            assert!(all.copied().all(|line| line < lines), "{step:?}");
            assert!(!step.actors.is_empty() && !step.changes.is_empty(), "{step:?}");
            assert!(step.causes.iter().all(|cause| *cause < number), "{step:?}");
            for (parent, child) in &step.born {
                let [parent, child] = [parent, child].map(|line| &told.lifelines[*line]);
                assert_eq!(child.pid.as_ref().and_then(Pid::parent), parent.pid);
                assert_eq!(child.born, Some(number));
            }
        }
        for message in &told.messages {
            assert!(message.from < lines && message.to < lines && message.from != message.to);
            assert!(message.put <= message.taken && message.taken < steps);
            let actors = |step: usize| &told.steps[step].actors;
            let is_thread = |line: usize| actors(message.taken).contains(&line);
            assert!(is_thread(message.from) || is_thread(message.to), "{message:?}");
        }
        assert!(told.pending.iter().all(|one| one.from < lines && one.to < lines));
        assert!(told.pending.is_empty() || told.outcome.is_some());
        messages += told.messages.len();
        pending += told.pending.len();
    });
    assert!(messages > 1_000 && pending > 5, "{messages} {pending}");
}

/// The flow place of each thread, looked up place by place.
fn places_of(net: &Net, state: &State) -> BTreeMap<Pid, String> {
    let mut found = BTreeMap::new();
    for place in net.places.iter().filter(|place| place.is_flow()) {
        for (token, _) in state.tokens(&place.name) {
            let data: Vec<String> = token[1..].iter().map(Value::to_string).collect();
            let at = match data.is_empty() {
                true => place.name.to_string(),
                false => format!("{}({})", place.name, data.join(", ")),
            };
            found.insert(token[0].as_pid().unwrap().clone(), at);
        }
    }
    found
}

/// The label that holds after so many steps.
fn label_at(line: &ToldLifeline, at: usize) -> Option<&str> {
    let holds = line.labels.iter().rev().find(|(after, _)| after.is_none_or(|step| step < at));
    holds.map(|(_, text)| text.as_str())
}

#[test]
fn lifelines_agree_with_the_states() {
    let (mut births, mut ends) = (0, 0);
    on_runs(60, |net, run| {
        let told = ToldRun::of(&Trace::from(run.clone()), net);
        let threads = told.lifelines.iter().filter_map(|line| Some((line.pid.clone()?, line)));
        let threads: BTreeMap<Pid, &ToldLifeline> = threads.collect();
        let states = || (0..=run.steps.len()).map(|at| (at, run.state(at)));
        let all: BTreeSet<Pid> =
            states().flat_map(|(_, state)| state.eta().keys().cloned()).collect();
        assert_eq!(threads.keys().cloned().collect::<BTreeSet<_>>(), all);
        for (pid, line) in threads {
            let alive: Vec<usize> = states()
                .filter(|(_, state)| state.eta().contains_key(&pid))
                .map(|(at, _)| at)
                .collect();
            assert_eq!(line.born, alive[0].checked_sub(1), "{pid}");
            let gone = alive[alive.len() - 1] + 1;
            assert_eq!(line.ended, (gone <= run.steps.len()).then(|| gone - 1), "{pid}");
            births += usize::from(line.born.is_some());
            ends += usize::from(line.ended.is_some());
            for at in alive {
                let state = run.state(at);
                match net.listing.is_some() {
                    // Of processes it is a line or a label, which those at the same point have in common.
                    true => assert!(label_at(line, at).is_some_and(|label| !label.is_empty())),
                    false => {
                        let place = places_of(net, state).remove(&pid);
                        assert_eq!(label_at(line, at), place.as_deref(), "{pid} at {at}");
                    }
                }
            }
        }
        for (number, step) in told.steps.iter().enumerate() {
            let [before, after] = [number, number + 1].map(|at| run.state(at).eta());
            let pids = |lines: Vec<usize>| -> BTreeSet<Pid> {
                lines.iter().map(|line| told.lifelines[*line].pid.clone().unwrap()).collect()
            };
            let only = |one: &BTreeMap<Pid, u32>, other: &BTreeMap<Pid, u32>| -> BTreeSet<Pid> {
                one.keys().filter(|pid| !other.contains_key(*pid)).cloned().collect()
            };
            assert_eq!(pids(step.ended.clone()), only(before, after));
            assert_eq!(
                pids(step.born.iter().map(|(_, child)| *child).collect()),
                only(after, before)
            );
        }
    });
    assert!(births > 50 && ends > 50, "{births} {ends}");
}

#[test]
fn where_threads_are_agrees_between_run_and_state() {
    on_runs(25, |net, run| {
        let told = ToldRun::of(&Trace::from(run.clone()), net);
        for at in 0..=run.steps.len() {
            let state = told_state(net, run, at);
            for thread in &state.threads {
                let line =
                    told.lifelines.iter().find(|line| line.pid.as_ref() == Some(&thread.pid));
                let label = label_at(line.unwrap(), at).unwrap();
                match thread.line {
                    Some(line) => {
                        let said = label.split(", ").last().unwrap();
                        let number = format!("line {line}");
                        assert!(
                            said == number || said.starts_with(&format!("{number} ")),
                            "{label}"
                        );
                    }
                    None if thread.process.is_none() => assert_eq!(thread.at, label),
                    None => {}
                }
            }
            let pids: BTreeSet<&Pid> = state.threads.iter().map(|thread| &thread.pid).collect();
            assert_eq!(pids, places_of(net, run.state(at)).keys().collect());
            let changed: Vec<&Pid> =
                state.threads.iter().filter(|one| one.changed).map(|one| &one.pid).collect();
            let places = |at: usize| places_of(net, run.state(at));
            let moved = |pid: &&Pid| at > 0 && places(at).get(*pid) != places(at - 1).get(*pid);
            assert_eq!(changed, pids.into_iter().filter(moved).collect::<Vec<_>>());
        }
    });
}

#[test]
fn what_a_step_would_change_is_what_it_changes() {
    let (mut steps, mut faults) = (0, 0);
    on_runs(25, |net, run| {
        let whole = ToldRun::of(&Trace::from(run.clone()), net);
        for at in 0..=run.steps.len() {
            let told = told_state(net, run, at);
            if let Some(step) = at.checked_sub(1) {
                assert_eq!(told.changes, whole.steps[step].changes, "step {step}");
            }
            let modes = modes(net, run.state(at)).unwrap_or_default();
            assert_eq!(modes.len(), told.next.len());
            for (number, (mode, next)) in modes.iter().zip(&told.next).enumerate() {
                assert_eq!(next.index, number);
                assert_eq!(next.transition, net.transition(mode.transition).name);
                let Ok(step) = taken(net, run.state(at), mode) else {
                    assert!(next.fault.is_some() && next.changes.is_empty());
                    faults += 1;
                    continue;
                };
                assert_eq!(next.fault, None);
                let mut longer =
                    Run { initial: run.initial.clone(), steps: run.steps[..at].to_vec() };
                longer.steps.push(step);
                let after = told_state(net, &longer, at + 1);
                assert_eq!(next.changes, after.changes, "step {number} after {at}: {}", next.text);
                steps += 1;
            }
        }
    });
    assert!(steps > 1_000 && faults > 0, "{steps} {faults}");
}

#[test]
fn statements_are_of_those_who_can_take_them() {
    let (mut can, mut cannot) = (0, 0);
    on_runs(20, |net, run| {
        let at = run.steps.len();
        let modes = modes(net, run.last());
        let lines = if net.listing.is_some() { 60 } else { 0 };
        // Who acts where, as it is written into traces.
        let mut acts: BTreeMap<usize, BTreeSet<(Pid, usize)>> = BTreeMap::new();
        for (index, mode) in modes.iter().flatten().enumerate() {
            let Ok(step) = taken(net, run.last(), mode) else { continue };
            let mut longer = run.clone();
            longer.steps.push(step);
            let record = Record::of(&Trace::from(longer), net, None);
            let last = &record.steps[at];
            for act in last.acts.iter().filter(|act| !act.statement.is_empty()) {
                acts.entry(act.line).or_default().insert((act.thread.clone(), index));
            }
        }
        let state = told_state(net, run, at);
        for line in 1..=lines {
            let asked = Asked::Line(line, None);
            let told = ToldStatement::of(run, at, net, &modes, asked, &Budget::unlimited());
            let Some(told) = told.unwrap() else { continue };
            let able: BTreeSet<(Pid, usize)> =
                told.can.iter().map(|one| (one.thread.clone().unwrap(), one.index)).collect();
            let without_faults =
                able.iter().filter(|(_, index)| state.next[*index].fault.is_none()).cloned();
            let known = acts.remove(&line).unwrap_or_default();
            assert!(without_faults.clone().all(|one| known.contains(&one)), "line {line}");
            let unable: BTreeSet<Pid> =
                told.cannot.iter().map(|one| one.thread.clone().unwrap()).collect();
            assert!(able.iter().all(|(pid, _)| !unable.contains(pid)), "line {line}");
            assert!(told.cannot.iter().all(|one| !one.reasons.is_empty()), "line {line}: {told:?}");
            can += able.len();
            cannot += unable.len();
        }
    });
    assert!(can > 20 && cannot > 20, "{can} {cannot}");
}
