//! The library, but for locks and contexts: timers, groups of tasks, semaphores, maps and numbers that several may use.

use super::{Place, Writer};

impl Writer<'_> {
    /// Something that takes time. How long it takes is not known to Kinfold, and here it is as short as can be.
    pub(super) fn timer(&mut self, place: Place) {
        let may_start =
            !place.in_loop && !place.deferred && !place.has_result && self.goroutines < 4;
        match self.random.below(if may_start { 7 } else { 5 }) {
            0 => self.seen("time.Sleep(time.Microsecond)"),
            1 => self.seen("<-time.After(time.Microsecond)"),
            2 => {
                self.open("{");
                self.line("tm := time.NewTimer(time.Microsecond)");
                self.seen("<-tm.C");
                self.close("}");
            }
            3 => {
                self.open("{");
                self.line("tm := time.NewTimer(time.Microsecond)");
                self.open_seen("if tm.Stop() {");
                self.block(1, place);
                self.close("}");
                self.close("}");
            }
            4 => {
                self.open("{");
                self.line("tk := time.NewTicker(time.Microsecond)");
                self.seen("<-tk.C");
                self.line("tk.Stop()");
                self.close("}");
            }
            _ => {
                self.goroutines += 1;
                self.both(
                    "time.AfterFunc(time.Microsecond, func() {",
                    "time.AfterFunc(time.Microsecond, func() { came(); defer left()",
                );
                self.task(false);
                self.close("})");
            }
        }
    }

    /// The body of a function that others run, with a number of its own.
    fn task(&mut self, has_result: bool) {
        self.indent += 1;
        let n = self.random.below(3);
        self.line(&format!("x := {n}"));
        self.line("_ = x");
        let kept = self.budget;
        self.budget = 1 + self.random.below(2);
        self.body(Place {
            depth: 1,
            in_loop: false,
            has_result,
            may_start: false,
            deferred: false,
        });
        self.budget = kept;
    }

    /// Starts a task of the group, or waits for all of them.
    pub(super) fn group(&mut self, place: Place) {
        let eg = self.object("eg");
        let may_start = !place.in_loop && !place.deferred && self.goroutines < 4;
        if may_start && self.random.percent(65) {
            self.goroutines += 1;
            self.both(
                &format!("{eg}.Go(func() error {{"),
                &format!(
                    "{eg}.Go(func(name string) func() error {{ return func() error {{ defer left(); born(name)"
                ),
            );
            self.task(true);
            let result = if self.random.percent(40) { "errors.New(\"e\")" } else { "nil" };
            self.line(&format!("return {result}"));
            self.indent -= 1;
            self.both("})", "}}(spawn()))");
        } else {
            self.open_seen(&format!("if {eg}.Wait() != nil {{"));
            self.block(1, place);
            self.close("}");
        }
    }

    pub(super) fn semaphore(&mut self, place: Place) {
        let sem = self.object("sem");
        let ctx = match self.objects.context && self.random.percent(50) {
            true => self.object("ctx"),
            false => "context.Background()".to_owned(),
        };
        self.open_seen(&format!("if {sem}.Acquire({ctx}, 1) == nil {{"));
        self.block(2, place);
        self.seen(&format!("{sem}.Release(1)"));
        self.close("}");
    }

    pub(super) fn locked_map(&mut self) {
        let (sm, k, n) = (self.object("sm"), self.random.below(2), self.random.below(3));
        match self.random.below(4) {
            0 => self.seen(&format!("{sm}.Store({k}, {n})")),
            1 => {
                self.open_seen(&format!("if v, is := {sm}.Load({k}); is {{"));
                self.line("y = v.(int)");
                self.close("}");
            }
            2 => {
                self.open_seen(&format!("if v, is := {sm}.LoadOrStore({k}, {n}); is {{"));
                self.line("y = v.(int)");
                self.close("}");
            }
            _ => self.seen(&format!("{sm}.Delete({k})")),
        }
    }

    pub(super) fn atomic_number(&mut self, place: Place) {
        let (an, k) = (self.object("an"), self.random.below(3));
        match self.random.below(4) {
            0 => self.seen(&format!("y = int({an}.Load()) % 4")),
            1 => self.seen(&format!("{an}.Store({k})")),
            2 => self.seen(&format!("y = int({an}.Add(1)) % 4")),
            _ => {
                self.open_seen(&format!("if {an}.CompareAndSwap({k}, {}) {{", 2 - k));
                self.block(1, place);
                self.close("}");
            }
        }
    }
}
