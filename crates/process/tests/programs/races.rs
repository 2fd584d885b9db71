//! Races: guards are read whether one can go on or not, and one who meets another one stands before all that it does then.

use crate::require;

/// Whether there is no race between what `main` does and what `other` does.
fn require_race(declared: &str, main: &str, other: &str, is_race: bool) {
    let model = format!(
        "model races
        shared ready: bool = false
        shared n: 0..=3 = 0
        shared m: 0..=3 = 0
        shared atomic free: 0..=3 = 0
        shared c = new channel[0..=3](capacity: 0)
        object pair {{
            f: bool = false
            g: bool = false
            step both {{ await f and g }}
            step set {{ f = true }}
            step passed(x: 0..=3) {{ await f }}
        }}
        shared o = new pair
        {declared}
        process main {{ spawn other()   {main} }}
        process other {{ {other} }}"
    );
    require(&model, &[("race_free", if is_race { "fails" } else { "holds" })]);
}

#[test]
fn guards_inside_are_read_whether_or_not_they_hold() {
    let set = "ready = true";
    require_race("", "await ready", set, true);
    require_race("", "atomic { await ready }", set, true);
    require_race("", "atomic { await ready   free = 1 }", set, true);
    require_race("", "atomic { free = 1   await ready }", set, true);
    require_race("", "atomic { if free == 0 { await ready } }", set, true);
    require_race("", "atomic { select { await ready {} else {} } }", set, true);
    require_race(
        "",
        "atomic { select { await free == 1 when ready {} await ready {} } }",
        set,
        true,
    );
    require_race("", "atomic { choose x in 0..=1 where x == 0 and ready }", set, true);
    require_race("", "select { await free == 1 when ready {} }", set, true);
    require_race("", "select { await ready when free == 1 {} }", set, true);
    require_race("", "o.both()", "o.f = true   o.g = true", true);
    require_race("", "o.both()", "o.g = true", false);
    require_race("", "atomic { o.passed(n) }", "n = 1", true);
    // It is not come to.
    require_race("", "atomic { await free == 1   await ready }", set, false);
    // What is written behind a guard that never holds is not.
    require_race("", "atomic { await free == 1   ready = true }", set, false);
    // Inside of both.
    require_race("", "atomic { await ready }", "atomic { ready = true }", false);
    require_race("", "o.both()", "o.set()", false);
}

#[test]
fn all_that_a_condition_reads_is_read() {
    require_race("", "await o.f or o.g", "o.g = true", true);
    require_race("", "await not o.f and o.g", "o.g = true", true);
    // The second is read only where the first does not decide.
    require_race("", "await o.f and o.g", "o.g = true", false);
    require_race(
        "shared list: seq[bool, 2] = [true, true]",
        "await list[0] and list[1]",
        "list[1] = false",
        true,
    );
    require_race(
        "shared list: seq[bool, 2] = [false, true]",
        "await list[0] and list[1]",
        "list[1] = false",
        false,
    );
}

#[test]
fn who_meets_another_stands_before_all_that_is_done_then() {
    let partner = "process partner { let x = c.receive() }";
    for (capacity, declared) in [(0, partner), (1, "")] {
        let start = if capacity == 0 { "spawn partner()" } else { "" };
        let channel = format!("shared d = new channel[0..=3](capacity: {capacity}) {declared}");
        let channel = channel.replace("c.receive", "d.receive");
        for (inside, is_race) in [
            ("d.send(1)   n = 1", true),
            ("n = 1   d.send(1)", true),
            ("d.send(1)   await n == 3", true),
            ("d.send(1)   free = n", true),
            ("d.send(n)", true),
            ("d.send(1)   m = 1", false),
        ] {
            let main = format!("{start}   atomic {{ {inside} }}");
            require_race(&channel, &main, "n = 2", is_race);
        }
    }
    // The one who takes, and the one who is met.
    let send = "process partner { c.send(1) }";
    require_race(send, "spawn partner()   atomic { c.receive()   n = 1 }", "n = 2", true);
    require_race(
        "",
        "atomic { c.send(1)   n = 1 }",
        "select { c.receive() {} await n == 3 {} }",
        true,
    );
    require_race(
        "",
        "select { c.receive() {} await n == 3 {} }",
        "atomic { c.send(1)   n = 1 }",
        true,
    );
    // No one is there to be met.
    require_race("", "atomic { c.send(1)   n = 1 }", "n = 2", false);
    require_race(
        "",
        "select { c.receive() {} else {} }   n = 2",
        "select { c.send(n) {} else {} }",
        true,
    );
    require_race("", "atomic { c.send(1)   n = 1 }", "n = 2   c.receive()", false);
    require_race(send, "atomic { c.receive()   n = 1 }", "spawn partner()   n = 2", true);
}

#[test]
fn what_two_do_together_both_stand_before() {
    let door = "object door {
            opened: 0..=3 = 0
            step push { await false }
            step pull { await false }
            meet push(), pull() { opened = 1 }
        }
        shared d = new door
        process puller { d.pull() }";
    require_race(door, "spawn puller()   d.push()", "d.opened = 2", true);
    require_race(door, "spawn puller()   d.push()", "let x = d.opened", true);
    require_race(door, "d.push()", "let x = d.opened", false);
    require_race(door, "d.push()", "select { d.pull() {} await d.opened == 2 {} }", true);
}
