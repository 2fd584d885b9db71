//! Programs of each of which something else is found if a rule of running on is left out.
//!
//! In most of them a thread is held up by a variable that another one assigns to, too, so that others may run on before it.

/// What the programs share.
pub const COMMON: &str = "
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

pub const CHILD: &str = "
    process main { spawn other()   spawn parent()   spawn reader() }
    process parent { u = 1   spawn child() }
    process child { n = 1 }
";

pub const REASSIGNED: &str = "
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

pub const POLL: &str = "
    process main {
        let l = new mutex
        l.lock()
        spawn trier(l)
        l.unlock()
    }
    process trier(l: mutex) { select { l.lock() {}   else { assert false } } }
";

pub const PASSED: &str = "
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

pub const ASKED: &str = "
    process main {
        let h = spawn child()
        if not ended(h) { assert false }
    }
    process child { u = 1 }
";

pub const ENDED: &str = "
    process main {
        let h = spawn child()
        if ended(h) { assert false }
    }
    process child { u = 1 }
";

pub const TWO_WAYS: &str = "
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

pub const DICE: &str = "
    object die { step roll(): 0..=1 { choose x in 0..=1   return x } }
    process main { let d = new die   let x = d.roll()   assert x == 0 }
";

pub const IDLE: &str = "
    shared g = new gate
    process main { g.open()   spawn worker()   spawn worker() }
    process worker { loop { idle g.pass()   u = 1 } }
";

pub const MEETING: &str = "
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

pub const ARRIVAL: &str = "
    shared c = new channel[0..=1](capacity: 0)
    process main { spawn poller()   spawn sender() }
    process poller { select { let x = c.receive() {}   else { assert false } } }
    process sender { c.send(1) }
";

pub const WOKEN: &str = "
    shared g = new gate
    process main { spawn other()   spawn opener()   spawn waiter()   spawn reader() }
    process opener { u = 1   g.open() }
    process waiter { g.pass()   n = 1 }
";

pub const JOINED: &str = "
    process main {
        spawn other()
        let h = spawn slow()
        spawn waiter(h)
        spawn reader()
    }
    process slow { u = 1 }
    process waiter(h: slow) { join h   n = 1 }
";

pub const MET: &str = "
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

pub const ALIKE: &str = "
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
pub const DOWN_AND_UP: &str = "
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

pub const IN_SET: &str = "
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

pub const IN_GLOBAL: &str = "
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

pub const WRITTEN: &str = "
    process main { spawn other()   spawn writer()   spawn reader() }
    process writer { u = 1   n = 1 }
";

pub const READ: &str = "
    process main { spawn other()   spawn late_reader()   n = 1 }
    process late_reader { u = 1   let x = n   assert x == 1 }
";

pub const SET: &str = "
    process main {
        let a = new box
        spawn other()
        spawn setter(a)
        spawn getter(a)
    }
    process setter(a: box) { u = 1   a.set() }
";

pub const TWICE: &str = "
    process main {
        let a = new box
        spawn other()
        spawn bumper(a)
        let is_two = a.is_two()
        assert not is_two
    }
    process bumper(a: box) { u = 1   a.bump()   a.bump() }
";

pub const SEEN: &str = "
    process main {
        let a = new box
        spawn other()
        spawn late_getter(a)
        a.set()
    }
    process late_getter(a: box) { u = 1   let x = a.get()   assert x == 1 }
";

pub const ORDER: &str = "
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

pub const TAKEN: &str = "
    process main {
        let a = new flag
        spawn other()
        spawn taker(a)
        a.take()
    }
    process taker(a: flag) { u = 1   a.take()   assert false }
";

pub const TOO_EARLY: &str = "
    process main {
        let w = new waitgroup
        spawn other()
        spawn worker(w)
        w.add()
    }
    process worker(w: waitgroup) { u = 1   w.done() }
";

pub const ROGUE: &str = "
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

pub const ROUND: &str = "
    process main {
        let a = new flag
        loop { a.take()   a.drop() }
    }
";

pub const STARTED: &str = "
    process main {
        let w = new waitgroup
        w.add()
        w.add()
        spawn other()
        spawn starter(w)
        spawn worker(w)
    }
    process starter(w: waitgroup) { u = 1   atomic { repeat 2 { spawn worker(w) } } }
    process worker(w: waitgroup) { w.done()   w.add() }
";
