//! What properties say of processes: each model has properties that hold, and others, whose names start with
//! `wrong`, that fail. Which is which was worked out by hand, from what the words mean.

use crate::running::kinfold_fed;

/// Checks a model: what is called `wrong…` fails, all else holds.
#[track_caller]
fn check(text: &str) {
    let done = kinfold_fed(&["check", "-", "--json", "--time", "20"], text.as_bytes());
    let report = done.json();
    let properties = report["properties"].as_array().expect("there are properties");
    assert!(!properties.is_empty(), "{text}");
    for property in properties {
        let name = property["name"].as_str().expect("it has a name");
        let expected = if name.starts_with("wrong") { "fails" } else { "holds" };
        assert_eq!(property["verdict"].as_str(), Some(expected), "{name} of {text}");
    }
}

/// A worker that may take work for ever; `more` is assumed, and claimed.
fn starving(capacity: u32, more: &str) -> String {
    format!(
        "model starving
         shared work = new channel[unit](capacity: {capacity})
         shared stop = new channel[unit](capacity: {capacity})
         process main {{ spawn client()   let w = spawn worker()   stop.send()   join w }}
         process client {{ loop {{ idle work.send() }} }}
         process worker {{
             loop {{
                 select {{ work.receive() {{}}   stopping: stop.receive() {{ return }} }}
             }}
         }}
         fair threads
         {more}"
    )
}

#[test]
fn fairness_of_an_arm_lets_it_be_taken() {
    // Where they meet, fairness to the one who sends is enough.
    check(&starving(0, "property stops: eventually ended(main)"));
    check(&starving(1, "property wrong: eventually ended(main)"));
    for capacity in [0, 1] {
        let assumed = "fair worker.stopping   property stops: eventually ended(main)";
        check(&starving(capacity, assumed));
        check(&starving(capacity, &format!("strongly {assumed}")));
        check(&starving(
            capacity,
            "property can: reachable enabled(worker.stopping)
             property there: reachable exists w in worker: w at worker.stopping
             property wrong_always: always enabled(worker.stopping)",
        ));
    }
}

/// After each round the worker does something by itself. Only then the arm cannot be taken, so that weak fairness
/// does not help.
#[test]
fn fairness_of_an_arm_may_have_to_be_strong() {
    let model = |assumed: &str, name: &str| {
        format!(
            "model rounds
             shared work = new channel[unit](capacity: 1)
             shared stop = new channel[unit](capacity: 1)
             process main {{ spawn client()   let w = spawn worker()   stop.send()   join w }}
             process client {{ loop {{ idle work.send() }} }}
             process worker {{
                 let odd = false
                 loop {{
                     odd = not odd
                     select {{ work.receive() {{}}   stopping: stop.receive() {{ return }} }}
                 }}
             }}
             fair threads
             {assumed}
             property {name}: eventually ended(main)"
        )
    };
    check(&model("fair worker.stopping", "wrong"));
    check(&model("strongly fair worker.stopping", "stops"));
}

#[test]
fn processes_are_followed_from_where_they_start() {
    check(
        "model from_the_start
         shared m = new mutex
         process main { repeat 2 { spawn worker() } }
         process worker {
             let n: 0..=2 = 0
             while n < 2 { with m.lock() { n += 1 } }
             done:
         }
         fair threads
         property served: forall w entering worker: eventually w at worker.done
         property ends: forall w entering worker: eventually ended(w)
         property grows: forall w entering worker: eventually w.n == 2
         property wrong_stays: forall w entering worker: always w.n == 0
         property wrong_never: forall w entering worker: always not w at worker.done",
    );
    // It starts at the head of the loop, and comes there again: but it starts once.
    check(
        "model once_only
         shared atomic n: 0..=3 = 0
         process main { spawn worker() }
         process worker { loop { await n < 3   if n == 1 { rest: await true   await true }   atomic { n += 1 } } }
         fair threads
         property first: forall w entering worker: eventually w at worker.rest
         property wrong: forall w entering worker.rest: eventually n == 0",
    );
}

const CLAIMS: &str = "model claims
    enum Colour { red, green, blue }
    object box { lock: mutex? = none   items: seq[0..=3, 2] = [] }
    shared counts: seq[0..=2, 3] = [0, 0, 0]
    shared b = new box
    process main {
        let mine = new mutex
        let numbers: set[0..=3, 3] = [1, 2]
        let w = spawn worker(mine)
        for c in Colour {
            match c {
                red { b.items.push_back(1) }
                green { b.items.push_back(2) }
                blue { b.items.pop_front() }
            }
        }
        mine.lock()
        critical:
        mine.unlock()
        join w
        assert len(numbers) == 2
    }
    process worker(lock: mutex) { lock.lock()   critical:   lock.unlock() }
    ";

#[test]
fn bounds_and_kin_of_processes() {
    check(&format!(
        "{CLAIMS}
         property one: at most 1 at worker.critical
         property wrong_none: at most 0 at worker.critical
         property few: at most 1 at worker
         property wrong_nobody: at most 0 at worker
         property family: always forall p in main: forall w in worker: parent(p, w) and ancestor(p, w)
         property wrong_way: always forall p in main: forall w in worker: parent(w, p)"
    ));
}

#[test]
fn what_variables_of_processes_lead_to() {
    check(&format!(
        "{CLAIMS}
         property held: always forall w in worker: w at worker.critical implies w.lock.holder == w
         property wrong_held: always forall w in worker: w at worker.critical implies w.lock.holder == none
         property elements: always forall p in main: forall x in p.numbers: x < 3
         property wrong_elements: always forall p in main: forall x in p.numbers: x < 2
         property has: reachable exists p in main: 2 in p.numbers
         property wrong_has: reachable exists p in main: 3 in p.numbers
         property items: always len(b.items) <= 2 and forall x in b.items: x > 0
         property both: reachable 1 in b.items and 2 in b.items
         property wrong_two: reachable b.items == [2, 1]
         property zero: always exists i in 0..=2: counts[i] == 0
         property wrong_one: reachable exists i in 0..3: counts[i] == 1"
    ));
}

/// While a process is in a function, its own variables are in scope, and it is at the label before the call.
#[test]
fn callers_are_seen_while_they_are_in_functions() {
    check(
        "model in_functions
         shared m = new mutex
         process main { repeat 2 { spawn worker(1) } }
         process worker(n: 0..=1) {
             let seen: 0..=3 = 2
             if n == 1 {
                 let inner: seq[0..=3, 2] = [1, 2]
                 critical: down(2)
                 await true
             }
             await true
             down(0)
         }
         fn down(depth: 0..=2) {
             if depth == 0 { m.lock()   locked:   m.unlock() } else { deeper: down(depth - 1) }
         }
         property sees: always forall w in worker: w at down.locked implies w.seen == 2 and w.n == 1
         property wrong_sees: always forall w in worker: w at down.locked implies w.seen != 2
         property inner: always forall w in worker: w at worker.critical implies 2 in w.inner
         property out: reachable exists w in worker: w at down.locked and not (2 in w.inner)
         property at: reachable exists w in worker: w at down.locked and w at worker.critical
         property not_at: reachable exists w in worker: w at down.locked and not w at worker.critical
         property deeper: always forall w in worker: w at down.locked and w at worker.critical implies w at down.deeper
         property both: reachable count(worker at critical) == 2 and count(worker at down.locked) == 1
         property wrong_both: reachable count(worker at down.locked) == 2",
    );
}

/// One is at a label until the statement behind it has been done, also where coming to wait is a step.
#[test]
fn labels_last_until_the_statement_is_done() {
    check(
        "model polled
         shared c = new channel[unit](capacity: 0)
         process main { spawn worker()   select { c.send() {} else {} } }
         process worker { resting: idle c.receive() }
         property waits: always count(worker at resting) == count(worker)",
    );
    check(
        "model rounds
         shared atomic n: 0..=3 = 0
         process main { spawn worker() }
         process worker { outer: while n < 3 { atomic { n += 1 } } }
         property each: reachable n == 2 and exists w in worker: w at worker.outer
         property last: reachable n == 3 and exists w in worker: w at worker.outer",
    );
}

/// What a caller refers to is reached while it is in a function, if objects are asked for.
#[test]
fn objects_of_callers_are_reached() {
    check(
        "model kept
         process main {
             let m = new mutex
             m.lock()
             wait()
         }
         fn wait() { await true   inside:   await true }
         property there: always forall p in main: p at wait.inside implies exists m in mutex: m.holder == p",
    );
}

/// The members of a class: in their order, or, if they are alike, in any.
#[test]
fn loops_go_through_the_members_of_classes() {
    check(
        "model members
         enum Colour { red, green, blue }
         class Site symmetric 3
         shared atomic n: 0..=3 = 0
         shared order: seq[Colour, 3] = []
         process main {
             for c in Colour { order.push_back(c) }
             for s in Site { atomic { n += 1 }   visit(s) }
             assert forall c in Colour: c in order
         }
         fn visit(s: Site) { here: await true }
         property all: always ended(main) implies n == 3
         property some: reachable n == 2 and count(main at visit.here) == 1
         property order: always ended(main) implies order == [red, green, blue]
         property wrong: reachable order.first == green",
    );
}
