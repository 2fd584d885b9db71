//! Statements, by their kinds.

use super::{Place, Writer};

/// Kinds of statements, and how often each is taken where it can be.
const KINDS: [(Kind, usize); 37] = [
    (Kind::Emit, 90),
    (Kind::Send, 60),
    (Kind::Receive, 60),
    (Kind::Close, 15),
    (Kind::Select, 45),
    (Kind::Lock, 40),
    (Kind::ReadLock, 40),
    (Kind::Wait, 12),
    (Kind::Done, 2),
    (Kind::Once, 30),
    (Kind::Condition, 45),
    (Kind::Atomic, 50),
    (Kind::Context, 50),
    (Kind::If, 20),
    (Kind::Switch, 14),
    (Kind::For, 16),
    (Kind::Range, 16),
    (Kind::Call, 40),
    (Kind::Defer, 14),
    (Kind::Panic, 8),
    (Kind::Goexit, 3),
    (Kind::Return, 6),
    (Kind::Start, 15),
    (Kind::Data, 45),
    (Kind::Length, 10),
    (Kind::Goto, 8),
    (Kind::Labels, 8),
    (Kind::Drain, 8),
    (Kind::Either, 8),
    (Kind::Pass, 8),
    (Kind::Later, 6),
    (Kind::Request, 45),
    (Kind::Timer, 50),
    (Kind::Group, 60),
    (Kind::Semaphore, 45),
    (Kind::Map, 45),
    (Kind::Number, 45),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Emit,
    Send,
    Receive,
    Close,
    Select,
    Lock,
    ReadLock,
    Wait,
    Done,
    Once,
    Condition,
    Atomic,
    Context,
    If,
    Switch,
    For,
    Range,
    Call,
    Defer,
    Panic,
    Goexit,
    Return,
    Start,
    Data,
    Length,
    Goto,
    Labels,
    Drain,
    Either,
    Pass,
    Later,
    Request,
    Timer,
    Group,
    Semaphore,
    Map,
    Number,
}

impl Writer<'_> {
    /// Writes statements until the budget is used up.
    pub(super) fn statements(&mut self, place: Place) {
        while self.budget > 0 {
            self.statement(place);
        }
    }

    /// Writes a block of at most this many statements.
    pub(super) fn block(&mut self, most: usize, place: Place) {
        let count = self.random.below(most + 1);
        for _ in 0..count {
            self.budget = self.budget.max(1);
            self.statement(Place { depth: place.depth + 1, ..place });
        }
    }

    fn can(&self, kind: Kind, place: Place) -> bool {
        let o = &self.objects;
        let flat = place.depth < 2;
        match kind {
            Kind::Emit => self.events < 8,
            Kind::Send | Kind::Receive | Kind::Close | Kind::Length => true,
            Kind::Select | Kind::If | Kind::Switch => flat,
            Kind::Lock => o.mutexes > 0 && flat,
            Kind::ReadLock => o.rwmutex && flat,
            Kind::Wait | Kind::Done => o.waitgroup,
            Kind::Once => o.once && flat,
            Kind::Condition => o.condition && flat,
            Kind::Atomic => o.atomic && flat,
            Kind::Context => o.context && flat,
            Kind::For | Kind::Range | Kind::Goto => flat && !place.in_loop,
            Kind::Call => o.functions > 0 && !place.has_result,
            Kind::Defer => !place.deferred && place.depth < 2,
            Kind::Panic => o.panics && !place.deferred,
            Kind::Goexit => o.goexit && place.depth > 0 && !place.has_result && !place.deferred,
            Kind::Return => place.depth > 0 && !place.has_result && !place.deferred,
            Kind::Start => place.may_start && self.goroutines < 4 && !place.in_loop && flat,
            Kind::Data => flat,
            Kind::Labels | Kind::Drain | Kind::Either => flat && !place.in_loop,
            Kind::Pass => true,
            Kind::Later => place.depth == 0 && !place.in_loop && self.events < 6,
            Kind::Request => o.requests,
            Kind::Timer => o.timers && flat,
            Kind::Group => o.group && flat,
            Kind::Semaphore => o.semaphore && flat,
            Kind::Map => o.map,
            Kind::Number => o.number && flat,
        }
    }

    /// Writes a statement.
    pub(super) fn statement(&mut self, place: Place) {
        self.budget = self.budget.saturating_sub(1);
        let weights: Vec<usize> = KINDS
            .iter()
            .map(|&(kind, weight)| if self.can(kind, place) { weight } else { 0 })
            .collect();
        let mut kind = KINDS[self.random.weighted(&weights)].0;
        if kind == Kind::Send || kind == Kind::Receive {
            let surplus: i32 = self.surplus.iter().sum();
            if surplus != 0 && self.random.percent(70) {
                kind = if surplus > 0 { Kind::Receive } else { Kind::Send };
            }
        }
        match kind {
            Kind::Emit => self.emit(),
            Kind::Send => {
                let (c, n) = (self.channel_for(true), self.number());
                self.seen(&format!("{c} <- {n}"));
            }
            Kind::Receive => self.receive(),
            Kind::Close => {
                let c = self.channel();
                self.seen(&format!("close({c})"));
            }
            Kind::Select => self.select(place),
            Kind::Lock => self.lock(place),
            Kind::ReadLock => self.read_lock(place),
            Kind::Wait => {
                let wg = self.object("wg");
                self.seen(&format!("{wg}.Wait()"));
            }
            Kind::Done => {
                let wg = self.object("wg");
                self.seen(&format!("{wg}.Done()"));
            }
            Kind::Once => self.once(place),
            Kind::Condition => self.condition_variable(),
            Kind::Atomic => self.atomic(place),
            Kind::Context => self.context(place),
            Kind::If => {
                let c = self.condition();
                self.open(&format!("if {c} {{"));
                self.block(2, place);
                if self.random.percent(40) {
                    self.next("} else {");
                    self.block(1, place);
                }
                self.close("}");
            }
            Kind::Switch => self.switch(place),
            Kind::For => self.rounds(place),
            Kind::Range => self.range(place),
            Kind::Call => {
                let function = self.random.below(self.objects.functions);
                let (f, n) = (self.object(&format!("f{function}")), self.number());
                self.line(&format!("y = {f}({n})"));
            }
            Kind::Defer => {
                let recovers = self.objects.recovers && self.random.percent(60);
                self.deferred(recovers);
            }
            Kind::Panic => self.fail(),
            Kind::Goexit => self.line("runtime.Goexit()"),
            Kind::Goto => {
                let label = format!("again{}", self.next_line());
                self.open("{");
                self.line("i := 0");
                self.line(&format!("{label}:"));
                self.line("i++");
                self.block(2, Place { in_loop: true, ..place });
                self.open("if i < 2 {");
                self.line(&format!("goto {label}"));
                self.close("}");
                self.close("}");
            }
            Kind::Return => self.line("return"),
            Kind::Start => self.start(Place { depth: 1, ..place }),
            Kind::Data => self.data(),
            Kind::Length => {
                let (c, what) = (self.channel(), *self.random.pick(&["len", "len", "cap"]));
                self.seen(&format!("y = {what}({c})"));
            }
            Kind::Labels => self.labels(place),
            Kind::Drain => self.drain(place),
            Kind::Either => self.either(place),
            Kind::Pass => self.pass(),
            Kind::Later => self.deferred_in_rounds(),
            Kind::Request => self.request(),
            Kind::Timer => self.timer(place),
            Kind::Group => self.group(place),
            Kind::Semaphore => self.semaphore(place),
            Kind::Map => self.locked_map(),
            Kind::Number => self.atomic_number(place),
        }
    }

    pub(super) fn emit(&mut self) {
        self.events += 1;
        let number = if self.random.percent(50) {
            self.number()
        } else {
            (4 + self.random.below(4)).to_string()
        };
        self.seen(&format!("log§ <- {number}"));
    }

    fn receive(&mut self) {
        let c = self.channel_for(false);
        match self.random.below(3) {
            0 => self.seen(&format!("<-{c}")),
            1 => self.seen(&format!("y = <-{c}")),
            _ => self.seen(&format!("y, ok = <-{c}")),
        }
    }

    fn select(&mut self, place: Place) {
        self.open_seen("select {");
        self.indent -= 1;
        // One with a single case and no default is compiled as what that case does, with the line of the case.
        let has_default = self.random.percent(40);
        for _ in 0..self.random.below(3) + if has_default { 1 } else { 2 } {
            let way = self.random.below(7);
            let (c, n) = (self.channel_for(way < 2), self.number());
            let case = match way {
                0 | 1 => format!("case {c} <- {n}:"),
                2 => format!("case <-{c}:"),
                3 => format!("case y = <-{c}:"),
                4 => format!("case y, ok = <-{c}:"),
                5 => format!("case v := <-{c}:"),
                _ if self.objects.context => format!("case <-{}.Done():", self.object("ctx")),
                _ => format!("case v, open := <-{c}:"),
            };
            let case = match self.objects.timers && self.random.percent(20) {
                true => "case <-time.After(time.Microsecond):".to_owned(),
                false => case,
            };
            self.open(&case);
            if case.contains("time.") {
                self.line("x = 3");
            } else if case.contains("v :=") {
                self.line("x = v");
            } else if case.contains("open :=") {
                self.line("x, ok = v, open");
            }
            self.block(1, place);
            if self.random.percent(8) {
                self.line("break");
            }
            self.indent -= 1;
        }
        if has_default {
            self.open("default:");
            self.block(1, place);
            self.indent -= 1;
        }
        self.line("}");
    }

    fn lock(&mut self, place: Place) {
        let number = self.random.below(self.objects.mutexes);
        let (mu, g) = (self.object(&format!("mu{number}")), self.object(&format!("g{number}")));
        if self.random.percent(10) {
            self.open_seen(&format!("if {mu}.TryLock() {{"));
            self.line(&format!("{g} = ({g} + 1) % 4"));
            self.seen(&format!("{mu}.Unlock()"));
            self.close("}");
            return;
        }
        self.seen(&format!("{mu}.Lock()"));
        if self.random.percent(60) {
            self.line(&format!("{g} = ({g} + 1) % 4"));
            self.line(&format!("y = {g}"));
        }
        self.block(2, place);
        match self.random.below(40) {
            0 => {}
            1 => {
                self.open("if y != 0 {");
                self.seen(&format!("{mu}.Unlock()"));
                self.close("}");
            }
            2..=6 if !place.in_loop && place.depth == 0 => self.later(&format!("{mu}.Unlock()")),
            _ => self.seen(&format!("{mu}.Unlock()")),
        }
    }

    fn read_lock(&mut self, place: Place) {
        let (rw, h) = (self.object("rw"), self.object("h"));
        if self.random.percent(10) {
            self.open_seen(&format!("if {rw}.TryRLock() {{"));
            self.line(&format!("y = {h}"));
            self.seen(&format!("{rw}.RUnlock()"));
            self.close("}");
            return;
        }
        if self.random.percent(55) {
            self.seen(&format!("{rw}.RLock()"));
            self.line(&format!("y = {h}"));
            if self.random.percent(25) {
                self.seen(&format!("{rw}.RLock()"));
                self.emit();
                self.seen(&format!("{rw}.RUnlock()"));
            }
            self.block(1, place);
            self.seen(&format!("{rw}.RUnlock()"));
        } else {
            self.seen(&format!("{rw}.Lock()"));
            self.line(&format!("{h} = ({h} + 1) % 4"));
            self.block(1, place);
            self.seen(&format!("{rw}.Unlock()"));
        }
    }

    fn once(&mut self, place: Place) {
        let once = self.object("once");
        self.open_seen(&format!("{once}.Do(func() {{"));
        self.block(2, Place { has_result: true, in_loop: true, ..place });
        if self.objects.panics && self.random.percent(20) {
            self.fail();
        }
        self.close("})");
    }

    fn condition_variable(&mut self) {
        let (cm, cond) = (self.object("cm"), self.object("cond"));
        let flag = self.object("flag");
        match self.random.below(6) {
            0 | 1 => {
                self.seen(&format!("{cm}.Lock()"));
                self.open(&format!("for {flag} == 0 {{"));
                self.seen(&format!("{cond}.Wait()"));
                self.close("}");
                self.line(&format!("{flag} = 0"));
                self.seen(&format!("{cm}.Unlock()"));
            }
            2 => {
                self.seen(&format!("{cm}.Lock()"));
                self.seen(&format!("{cond}.Wait()"));
                self.seen(&format!("{cm}.Unlock()"));
            }
            3 => self.seen(&format!("{cond}.Broadcast()")),
            4 => self.seen(&format!("{cond}.Signal()")),
            _ => {
                self.seen(&format!("{cm}.Lock()"));
                self.line(&format!("{flag} = 1"));
                let wake = if self.random.percent(50) { "Signal" } else { "Broadcast" };
                self.seen(&format!("{cond}.{wake}()"));
                self.seen(&format!("{cm}.Unlock()"));
            }
        }
    }

    fn atomic(&mut self, place: Place) {
        let (a, k) = (self.object("a"), self.random.below(3));
        match self.random.below(5) {
            0 => self.seen(&format!("y = int(atomic.LoadInt32(&{a}))")),
            1 => self.seen(&format!("atomic.StoreInt32(&{a}, {k})")),
            2 => {
                self.open_seen(&format!("if atomic.CompareAndSwapInt32(&{a}, {k}, {}) {{", 2 - k));
                self.block(1, place);
                self.close("}");
            }
            3 => self.seen(&format!("y = int(atomic.SwapInt32(&{a}, {k}))")),
            _ => {
                self.open_seen(&format!("if atomic.LoadInt32(&{a}) == {k} {{"));
                self.block(1, place);
                self.close("}");
            }
        }
    }

    fn context(&mut self, place: Place) {
        let (ctx, cancel) = (self.object("ctx"), self.object("cancel"));
        match self.random.below(5) {
            0 | 1 => self.seen(&format!("{cancel}()")),
            2 => {
                self.open(&format!("if v, is := {ctx}.Value(key§(1)).(int); is {{"));
                self.line("y = v");
                self.close("}");
            }
            3 => self.seen(&format!("<-{ctx}.Done()")),
            _ => {
                self.open_seen(&format!("if {ctx}.Err() != nil {{"));
                self.block(1, place);
                self.close("}");
            }
        }
    }

    fn switch(&mut self, place: Place) {
        let n = self.number();
        self.open(&format!("switch {n} {{"));
        self.indent -= 1;
        self.open("case 0, 1:");
        self.block(1, place);
        if self.objects.falls_through && self.random.percent(50) {
            self.line("fallthrough");
        }
        self.indent -= 1;
        self.open("case 2:");
        self.block(1, place);
        self.indent -= 1;
        if self.random.percent(50) {
            self.open("default:");
            self.block(1, place);
            self.indent -= 1;
        }
        self.line("}");
    }

    fn rounds(&mut self, place: Place) {
        let inner = Place { in_loop: true, ..place };
        self.open("for i := 0; i < 2; i++ {");
        self.budget = self.budget.max(1);
        self.statement(Place { depth: place.depth + 1, ..inner });
        if self.random.percent(40) {
            let (c, word) = (self.condition(), *self.random.pick(&["break", "continue"]));
            self.open(&format!("if {c} || i == 3 {{"));
            self.line(word);
            self.close("}");
            self.block(1, inner);
        }
        self.close("}");
    }

    fn range(&mut self, place: Place) {
        let c = self.channel();
        self.open_seen(&format!("for v := range {c} {{"));
        self.line("y = v");
        if self.random.percent(50) {
            self.emit();
        }
        if self.random.percent(20) {
            self.block(1, Place { in_loop: true, ..place });
        }
        self.close("}");
    }

    /// Defers a function, which may recover.
    pub(super) fn deferred(&mut self, recovers: bool) {
        self.open("defer func() {");
        let place =
            Place { depth: 1, in_loop: true, has_result: true, may_start: false, deferred: true };
        if recovers {
            self.open("if e := recover(); e != nil {");
            self.budget = 1;
            self.statement(place);
            if self.objects.panics && self.random.percent(12) {
                self.line("panic(\"p2\")");
            }
            self.close("}");
        } else {
            self.budget = 1;
            self.statement(place);
        }
        self.close("}()");
    }
}
