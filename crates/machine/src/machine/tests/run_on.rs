//! Mistakes in running on: each changes what is found of a program.
//!
//! In most of them a thread is held up by a variable that another one assigns to, too, so that others may run on before it.

use std::collections::BTreeSet;

use budget::Budget;
use check::Prospect;
use explore::{Control, Options, explore};

use super::{Machine, code};
use crate::Survey;
use crate::mistake::{self, Mistake};

/// What the programs share.
const COMMON: &str = "
    model crafted
    shared u: 0..=1 = 0
    shared n: 0..=3 = 0
    process other { u = 0 }
    object box {
        n: 0..=3 = 0
        step set { n = 1 }
        step double { n = 2 }
        step bump { if n < 3 { n += 1 } }
        step get(): 0..=3 { return n }
        step is_two(): bool { return n == 2 }
    }
    object flag {
        up: bool = false
        step take { await not up   up = true }
        step drop { up = false }
        step is_up(): bool { return up }
    }
    object port {
        met: bool = false
        step give {}
        step take {}
        meet give, take { met = true }
        step has_met(): bool { return met }
    }
    object door {
        step give { await false }
        step take { await false }
        meet give, take {}
    }
    process reader { let x = n   assert x == 0 }
    process getter(a: box) { let x = a.get()   assert x == 0 }
";

const CHILD: &str = "
    process main { spawn other()   spawn parent()   spawn reader() }
    process parent { u = 1   spawn child() }
    process child { n = 1 }
";

const REASSIGNED: &str = "
    process main {
        let a = new box
        let b = new box
        spawn other()
        spawn writer(a, b)
        spawn getter(a)
    }
    process writer(a: box, b: box) {
        let v = b
        u = 1
        v.set()
        v = a
        v.set()
    }
";

const POLL: &str = "
    process main {
        let l = new mutex
        l.lock()
        spawn trier(l)
        l.unlock()
    }
    process trier(l: mutex) { select { l.lock() {}   else { assert false } } }
";

const PASSED: &str = "
    process main {
        let a = new box
        let d = new channel[box](capacity: 1)
        spawn other()
        spawn passer(a, d)
        spawn taker(d)
        spawn getter(a)
    }
    process passer(a: box, d: channel[box]) { u = 1   d.send(a) }
    process taker(d: channel[box]) { if let x = d.receive() { x.set() } }
";

const ASKED: &str = "
    process main {
        let h = spawn child()
        if not ended(h) { assert false }
    }
    process child { u = 1 }
";

const ENDED: &str = "
    process main {
        let h = spawn child()
        if ended(h) { assert false }
    }
    process child { u = 1 }
";

const TWO_WAYS: &str = "
    object two {
        p: bool = true
        q: bool = false
        step by_p { await p }
        step by_q { await q }
        step raise { q = true }
    }
    process main {
        let x = new two
        spawn other()
        spawn raiser(x)
        spawn chooser(x)
    }
    process raiser(x: two) { u = 1   x.raise() }
    process chooser(x: two) { select { x.by_q() { assert false }   x.by_p() {} } }
";

const DICE: &str = "
    object die { step roll(): 0..=1 { choose x in 0..=1   return x } }
    process main { let d = new die   let x = d.roll()   assert x == 0 }
";

const IDLE: &str = "
    shared g = new gate
    process main { g.open()   spawn worker()   spawn worker() }
    process worker { loop { idle g.pass()   u = 1 } }
";

const MEETING: &str = "
    process main {
        let p = new port
        spawn other()
        spawn giver(p)
        p.take()
        let has_met = p.has_met()
        assert not has_met
    }
    process giver(p: port) { u = 1   p.give() }
";

const ARRIVAL: &str = "
    shared c = new channel[0..=1](capacity: 0)
    process main { spawn poller()   spawn sender() }
    process poller { select { let x = c.receive() {}   else { assert false } } }
    process sender { c.send(1) }
";

const WOKEN: &str = "
    shared g = new gate
    process main { spawn other()   spawn opener()   spawn waiter()   spawn reader() }
    process opener { u = 1   g.open() }
    process waiter { g.pass()   n = 1 }
";

const JOINED: &str = "
    process main {
        spawn other()
        let h = spawn slow()
        spawn waiter(h)
        spawn reader()
    }
    process slow { u = 1 }
    process waiter(h: slow) { join h   n = 1 }
";

const MET: &str = "
    process main {
        let d = new door
        spawn other()
        spawn giver(d)
        spawn taker(d)
        spawn reader()
    }
    process giver(d: door) { u = 1   d.give() }
    process taker(d: door) { d.take()   n = 1 }
";

const ALIKE: &str = "
    process main {
        let w = new waitgroup
        repeat 2 { w.add()   spawn worker(w) }
        w.wait()
        let x = n
        assert x == 2
    }
    process worker(w: waitgroup) {
        let x = n
        if x < 3 { n = x + 1 }
        w.done()
    }
";

/// Three count down one after the other, and fail, or each counts down and up. The first process knows what they count, so
/// that nothing else ties them together.
const DOWN_AND_UP: &str = "
    process main {
        let g = new gate
        let w = new waitgroup
        w.add()
        w.add()
        atomic { spawn worker(w)   spawn worker(w)   spawn worker(w) }
        idle g.pass()
        w.add()
    }
    process worker(w: waitgroup) { w.done()   w.add() }
";

const IN_SET: &str = "
    object bag {
        items: set[box, 2] = []
        step put(b: box) { items.insert(b) }
        step any(): box { choose b in items   return b }
    }
    process main {
        let a = new box
        let s = new bag
        s.put(a)
        spawn other()
        spawn setter(s)
        spawn getter(a)
    }
    process setter(s: bag) {
        u = 1
        let b = s.any()
        b.set()
    }
";

const IN_GLOBAL: &str = "
    shared all: seq[box, 2] = [new box; 2]
    process main {
        let a = all[0]
        spawn other()
        spawn setter()
        spawn getter(a)
    }
    process setter {
        u = 1
        let i = 0
        all[i].set()
    }
";

const WRITTEN: &str = "
    process main { spawn other()   spawn writer()   spawn reader() }
    process writer { u = 1   n = 1 }
";

const READ: &str = "
    process main { spawn other()   spawn late_reader()   n = 1 }
    process late_reader { u = 1   let x = n   assert x == 1 }
";

const SET: &str = "
    process main {
        let a = new box
        spawn other()
        spawn setter(a)
        spawn getter(a)
    }
    process setter(a: box) { u = 1   a.set() }
";

const TWICE: &str = "
    process main {
        let a = new box
        spawn other()
        spawn bumper(a)
        let is_two = a.is_two()
        assert not is_two
    }
    process bumper(a: box) { u = 1   a.bump()   a.bump() }
";

const SEEN: &str = "
    process main {
        let a = new box
        spawn other()
        spawn late_getter(a)
        a.set()
    }
    process late_getter(a: box) { u = 1   let x = a.get()   assert x == 1 }
";

const ORDER: &str = "
    process main {
        let a = new box
        let w = new waitgroup
        w.add()
        spawn other()
        spawn doubler(a, w)
        a.set()
        w.wait()
        let x = a.get()
        assert x == 2
    }
    process doubler(a: box, w: waitgroup) { u = 1   a.double()   w.done() }
";

const TAKEN: &str = "
    process main {
        let a = new flag
        spawn other()
        spawn taker(a)
        a.take()
    }
    process taker(a: flag) { u = 1   a.take()   assert false }
";

const TOO_EARLY: &str = "
    process main {
        let w = new waitgroup
        spawn other()
        spawn worker(w)
        w.add()
    }
    process worker(w: waitgroup) { u = 1   w.done() }
";

const ROGUE: &str = "
    shared all: seq[flag, 2] = [new flag; 2]
    process main {
        let o = all[1]
        o.take()
        spawn other()
        spawn rogue()
        let is_up = o.is_up()
        assert is_up
    }
    process rogue {
        u = 1
        let i = 0
        all[i].take()
        all[i + 1].drop()
    }
";

const ROUND: &str = "
    process main {
        let a = new flag
        loop { a.take()   a.drop() }
    }
";

/// The mistakes, with programs of which they change what is found.
const MISTAKES: [(Mistake, &str); 36] = [
    (Mistake::NoChildren, CHILD),
    (Mistake::OldVariables, REASSIGNED),
    (Mistake::SureOfAnything, ROGUE),
    (Mistake::TriersWait, POLL),
    (Mistake::NothingPassed, PASSED),
    (Mistake::NobodyAsks, ASKED),
    (Mistake::OnlyWay, TWO_WAYS),
    (Mistake::AnyOutcome, DICE),
    (Mistake::PassesIdle, IDLE),
    (Mistake::NobodyMeets, MEETING),
    (Mistake::UnseenArrivals, ARRIVAL),
    (Mistake::NobodyWakes, WOKEN),
    (Mistake::EndsWakeNobody, JOINED),
    (Mistake::PollersWait, POLL),
    (Mistake::MeetersWait, MET),
    (Mistake::OneOfEach, DOWN_AND_UP),
    (Mistake::NoElements, IN_SET),
    (Mistake::NoGlobals, IN_GLOBAL),
    (Mistake::UnseenWrites, WRITTEN),
    (Mistake::UnseenWrites, SET),
    (Mistake::UnseenReads, READ),
    (Mistake::UnseenReads, SEEN),
    (Mistake::NobodyEnds, ENDED),
    (Mistake::OtherObjects, SET),
    (Mistake::TriedNow, TWICE),
    (Mistake::TriedNow, DOWN_AND_UP),
    (Mistake::TriedOnce, TWICE),
    (Mistake::AnyResult, SEEN),
    (Mistake::AnyOrder, ORDER),
    (Mistake::KeepsOff, TAKEN),
    (Mistake::NobodyFails, TOO_EARLY),
    (Mistake::WaitsFirst, ORDER),
    (Mistake::WaitsFirst, TOO_EARLY),
    (Mistake::WaitsFirst, TWICE),
    (Mistake::WaitsFirst, SEEN),
    (Mistake::WaitsFirst, DOWN_AND_UP),
];

/// What is found of a program: a deadlock, somebody who is stuck, or can never end, what goes wrong.
type Found = (bool, bool, bool, BTreeSet<String>);

fn found(text: &str, reduces: bool) -> Found {
    let code = code(&format!("{COMMON}{text}"));
    let mut machine = if reduces { Machine::reduced(&code) } else { Machine::new(&code) };
    let options = Options { states: Some(5_000), ..Options::default() };
    let explored = explore(&mut machine, &options, &mut |_| Control::Continue).expect("it starts");
    assert!(explored.complete, "it is small");
    let mut survey = Survey::new(&mut machine, &explored);
    let failures = survey.failures().into_iter();
    let failures = failures.map(|(_, failure)| format!("{failure:?}")).collect();
    let mut lost = |prospect| {
        let hopeless = survey.hopeless(prospect, &Budget::default()).expect("there is no limit");
        hopeless.is_some()
    };
    let (stuck, endless) = (lost(Prospect::Acting), lost(Prospect::Ending));
    (survey.deadlock().is_some(), stuck, endless, failures)
}

#[test]
fn verdicts_are_the_same() {
    for (_, text) in MISTAKES {
        assert_eq!(found(text, true), found(text, false), "{text}");
    }
}

#[test]
fn each_is_noticed() {
    let unnoticed = MISTAKES.into_iter().filter(|(mistake, text)| {
        let right = found(text, false);
        mistake::with(*mistake, || found(text, true)).as_ref() == Some(&right)
    });
    let unnoticed: Vec<Mistake> = unnoticed.map(|(mistake, _)| mistake).collect();
    assert_eq!(unnoticed, []);
}

#[test]
fn what_is_no_mistake_is_not() {
    for mistake in [Mistake::NobodyWaits, Mistake::GoesRound, Mistake::OwnCopyOnly] {
        for text in MISTAKES.into_iter().map(|(_, text)| text).chain([ROUND, ALIKE]) {
            let right = found(text, false);
            let same = mistake::with(mistake, || found(text, true));
            assert_eq!(same, Some(right), "{mistake:?} on {text}");
        }
    }
}
