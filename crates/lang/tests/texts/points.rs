//! Where threads stand: at labels, and where others may kill them. And what never faults.

use crate::model::{compiled, explored};
use lang::Compilation;
use process::Point;

/// How many states there are; nothing if something fails.
fn states(text: &str) -> Option<u64> {
    let net = compiled(text).net.expect("it is there");
    explored(net).map(|explored| explored.states())
}

/// The points of a kind of process.
fn points(compilation: &Compilation, process: &str) -> Vec<Point> {
    let processes = compilation.processes.as_ref().expect("there are processes");
    let is_of = |point: &&Point| point.routine.of(&processes.program).name == process;
    processes.points.iter().filter(is_of).cloned().collect()
}

#[test]
fn a_thread_is_at_a_label_until_the_statement_is_done() {
    let polled = "model polled

shared c = new channel[bool](capacity: 0)

process main {
    spawn sender()
    loop { select { c.receive() {} else {} } }
}

process sender { resting: c.send(true) }

property at_rest: always forall s in sender: s at sender.resting
";
    let read_first = "model read_first

shared n: 0..=1 = 0

process main { spawn sender() }

process sender { resting: n = 1 - n }

property at_rest: always forall s in sender: s at sender.resting
";
    for text in [polled, read_first] {
        let points = points(&compiled(text), "sender");
        assert_eq!(points.len(), 2, "{text}");
        assert!(points.iter().all(|point| point.labels.len() == 1), "{text}");
    }
}

#[test]
fn those_who_only_send_do_not_meet() {
    // After one of them has unlocked, the other could not.
    let text = "model senders

shared m = new mutex
shared c = new channel[unit](capacity: 0)

process main {
    m.lock()
    spawn receiver()
    spawn sender()
    spawn sender()
}

process sender { atomic { m.unlock()   c.send() } }

process receiver { await false   c.receive() }
";
    assert!(states(text).is_some());
    // One who receives lets the first of them through, and then the second goes wrong.
    assert!(states(&text.replace("await false", "await true")).is_none());
}

#[test]
fn nobody_is_killed_at_a_label_before_a_local_statement() {
    for (statement, is_killed) in [("x = 1", false), ("m.lock()", true), ("", true)] {
        let text = format!(
            "model killed

shared m = new mutex

process main {{
    let h = spawn worker()
    kill h
}}

process worker {{
    let x: 0..=1 = 0
    m.lock()
    here:
    {statement}
}}

property here: always count(worker at here) <= 1
"
        );
        let compilation = compiled(&text);
        let is_here = |point: &Point| !point.labels.is_empty();
        let here = points(&compilation, "worker").into_iter().find(is_here).expect("a label");
        let net = compilation.net.expect("it is there");
        let participants = net.transitions.iter().flat_map(|transition| &transition.participants);
        let killed = { participants }.any(|one| one.passive && one.from == here.place);
        assert_eq!(killed, is_killed, "{text}");
    }
}

#[test]
fn sets_of_sets_are_compared_by_content() {
    let text = "model sets

process main {
    let a = spawn worker()
    let b = spawn worker()
    atomic {
        let one: set[worker, 2] = [a, b]
        let same: set[worker, 2] = [b, a]
        let all: set[set[worker, 2], 2] = [one]
        assert same in all
        all.insert(same)
        assert len(all) == 1
        let numbers: map[set[worker, 2], 0..=1, 2] = [one: 1]
        assert numbers[same] == 1
    }
}

process worker {}
";
    assert!(states(text).is_some());
    assert!(states(&text.replace("[b, a]", "[b]")).is_none());
}

#[test]
fn the_neighbour_of_a_constant_is_a_constant() {
    let text = "model members

class Colour ordered { red, green, blue }

shared c: Colour = succ(red)

process main { assert c == green }
";
    assert!(states(text).is_some());
}

#[test]
fn what_has_room_is_no_step_and_what_has_none_is_a_fault() {
    let text = |room: u32| {
        format!(
            "model room

process main {{
    let pool: set[worker, {room}] = []
    let last: seq[0..=9, 3] = []
    let n: 0..=9 = 0
    repeat 3 {{
        let w = spawn worker()
        pool.insert(w)
        n = n + 3
        last.push_back(n)
    }}
    await last[2] == 9 and len(pool) > 0
}}

process worker {{}}
"
        )
    };
    // Before each start, and before it waits.
    let compilation = compiled(&text(3));
    assert_eq!(points(&compilation, "main").len(), 2);
    assert!(states(&text(3)).is_some());
    assert!(states(&text(2)).is_none());
    assert!(states(&text(3).replace("n + 3", "n + 4")).is_none());
}

#[test]
fn what_was_started_just_now_is_found_where_it_was_put() {
    let text = "model fresh

process main {
    let pool: set[worker, 3] = []
    let first = spawn worker()
    pool.insert(first)
    await true
    atomic {
        let w = spawn worker()
        assert not (w in pool)
        pool.insert(w)
        assert w in pool and len(pool) == 2
        pool.remove(w)
        assert first in pool and len(pool) == 1
    }
}

process worker {}
";
    assert!(states(text).is_some());
    assert!(states(&text.replace("assert not (w in pool)", "assert w in pool")).is_none());
}
