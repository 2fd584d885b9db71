//! The frame of a program: its objects, functions, bodies of goroutines, and the test.

use super::{LOG, Place, Style, Writer};

const TOP: Place =
    Place { depth: 0, in_loop: false, has_result: false, may_start: false, deferred: false };

impl Writer<'_> {
    /// Writes the whole file.
    pub(super) fn file(&mut self) {
        self.both(
            &format!("var log = make(chan int, {LOG})"),
            &format!("var log§ chan int; func reset§() {{ log§ = make(chan int, {LOG}) }}"),
        );
        self.line("type pair§ struct{ a, b int }");
        self.open("func sum§(ns ...int) (n int) {");
        self.open("for _, k := range ns {");
        self.line("n = (n + k) % 4");
        self.close("}");
        self.line("return n");
        self.close("}");
        self.declarations();
        self.pass_function();
        if self.style == Style::Fields {
            self.fields();
            for number in 0..self.objects.functions {
                self.budget = 1 + self.random.below(3);
                self.function(&format!("func (s *world§) f{number}(x int)"), number, "}");
            }
            for number in 0..self.objects.bodies {
                self.budget = 2 + self.random.below(3);
                self.open(&format!("func (s *world§) r{number}(x int) {{"));
                self.body(TOP);
                self.close("}");
            }
        }
        self.both("func TestRandom(t *testing.T) {", "func run§() {");
        self.indent += 1;
        self.test();
        self.close("}");
    }

    /// Objects as fields: the struct.
    fn fields(&mut self) {
        self.open("type world§ struct {");
        for (name, kind) in self.variables() {
            self.line(&format!("{name} {kind}"));
        }
        self.close("}");
    }

    /// The names and types of shared objects.
    fn variables(&self) -> Vec<(String, &'static str)> {
        let o = &self.objects;
        let mut all: Vec<(String, &'static str)> = Vec::new();
        all.extend((0..o.channels.len()).map(|i| (format!("c{i}"), "chan int")));
        all.extend((0..o.mutexes).map(|i| (format!("mu{i}"), "sync.Mutex")));
        all.extend((0..o.mutexes).map(|i| (format!("g{i}"), "int")));
        let mut one = |is: bool, name: &str, kind| {
            if is {
                all.push((name.to_owned(), kind));
            }
        };
        one(o.rwmutex, "rw", "sync.RWMutex");
        one(o.rwmutex, "h", "int");
        one(o.waitgroup, "wg", "sync.WaitGroup");
        one(o.once, "once", "sync.Once");
        one(o.condition, "cm", "sync.Mutex");
        one(o.condition, "cond", "*sync.Cond");
        one(o.condition, "flag", "int");
        one(o.atomic, "a", "int32");
        one(o.context, "ctx", "context.Context");
        one(o.context, "cancel", "context.CancelFunc");
        one(o.group, "eg", "*errgroup.Group");
        one(o.semaphore, "sem", "*semaphore.Weighted");
        one(o.map, "sm", "sync.Map");
        one(o.number, "an", "atomic.Int32");
        one(o.requests, "q", "chan chan int");
        all
    }

    /// The body of the test: objects, goroutines, and what it does itself.
    fn test(&mut self) {
        self.make_objects();
        if self.style == Style::Captured {
            for number in 0..self.objects.functions {
                self.budget = 1 + self.random.below(3);
                self.function(&format!("f{number} := func(x int)"), number, "}");
                self.line(&format!("_ = f{number}"));
            }
        }
        self.line("x, y, ok := 0, 0, false");
        self.line("_, _, _ = x, y, ok");
        let goroutines = 1 + self.random.below(3);
        let place = Place { may_start: true, ..TOP };
        for _ in 0..goroutines {
            self.start(place);
            if self.random.percent(30) {
                self.budget = 1;
                self.statement(place);
            }
        }
        self.budget = 1 + self.random.below(4);
        self.statements(place);
        if self.objects.waitgroup && self.random.percent(60) {
            let wg = self.object("wg");
            self.seen(&format!("{wg}.Wait()"));
        }
        if self.random.percent(50) {
            self.seen("log§ <- y");
        }
    }

    fn make_objects(&mut self) {
        let variables = self.variables();
        match self.style {
            Style::Captured => {
                for (name, kind) in &variables {
                    self.line(&format!("var {name} {kind}"));
                }
                for (name, _) in variables {
                    self.line(&format!("_ = &{name}"));
                }
            }
            Style::Fields => self.line("s := &world§{}"),
        }
        for (number, capacity) in self.objects.channels.clone().into_iter().enumerate() {
            let name = self.object(&format!("c{number}"));
            match capacity {
                None => {}
                Some(0) => self.line(&format!("{name} = make(chan int)")),
                Some(n) => self.line(&format!("{name} = make(chan int, {n})")),
            }
        }
        if self.objects.condition {
            let (cond, cm) = (self.object("cond"), self.object("cm"));
            self.line(&format!("{cond} = sync.NewCond(&{cm})"));
        }
        if self.objects.context {
            let (ctx, cancel) = (self.object("ctx"), self.object("cancel"));
            let made = match self.objects.timers && self.random.percent(50) {
                true => "context.WithTimeout(context.Background(), time.Microsecond)",
                false => "context.WithCancel(context.Background())",
            };
            self.line(&format!("{ctx}, {cancel} = {made}"));
            if self.random.percent(30) {
                self.line(&format!("{ctx}, _ = context.WithCancel({ctx})"));
            }
            if self.random.percent(30) {
                self.line(&format!("{ctx} = context.WithValue({ctx}, key§(1), 2)"));
            }
        }
        if self.objects.group {
            let eg = self.object("eg");
            if self.objects.context && self.random.percent(60) {
                let ctx = self.object("ctx");
                self.line(&format!("{eg}, {ctx} = errgroup.WithContext({ctx})"));
            } else {
                self.line(&format!("{eg} = &errgroup.Group{{}}"));
            }
        }
        if self.objects.semaphore {
            let (sem, permits) = (self.object("sem"), 1 + self.random.below(2));
            self.line(&format!("{sem} = semaphore.NewWeighted({permits})"));
        }
        if self.objects.requests {
            let (q, capacity) = (self.object("q"), self.random.below(2));
            self.line(&format!("{q} = make(chan chan int, {capacity})"));
        }
    }

    /// A function from a number to a number: a plain one, one whose result is changed by what is deferred, or one that
    /// recovers.
    fn function(&mut self, head: &str, number: usize, end: &str) {
        let kind = self.random.below(if self.objects.recovers { 4 } else { 2 });
        let place = Place { depth: 1, has_result: true, ..TOP };
        if kind == 0 {
            self.open(&format!("{head} int {{"));
        } else {
            self.open(&format!("{head} (r int) {{"));
        }
        self.line("y, ok := 0, false");
        self.line("_, _ = y, ok");
        match kind {
            1 => self.line(&format!("defer func() {{ r = (r + {number} + 1) % 4 }}()")),
            2 | 3 => {
                self.open("defer func() {");
                self.open("if e := recover(); e != nil {");
                self.line("r = 3");
                if self.random.percent(50) {
                    self.seen(&format!("log§ <- {}", 8 + number % 2));
                }
                self.close("}");
                self.close("}()");
            }
            _ => {}
        }
        self.statements(place);
        if kind == 3 && self.random.percent(60) {
            self.fail();
        }
        let result = self.number();
        self.line(&format!("return {result}"));
        self.close(end);
    }

    /// The statements of a goroutine, with its variables.
    pub(super) fn body(&mut self, place: Place) {
        self.line("y, ok := 0, false");
        self.line("_, _ = y, ok");
        if self.objects.recovers && self.random.percent(30) {
            self.deferred(true);
        }
        if self.events < 6 && self.random.percent(30) {
            self.emit();
        }
        self.statements(place);
        if self.events < 7 && self.random.percent(45) {
            self.emit();
        }
    }

    /// Starts a goroutine.
    pub(super) fn start(&mut self, place: Place) {
        self.goroutines += 1;
        let counted = self.objects.waitgroup && self.random.percent(60);
        if counted {
            let wg = self.object("wg");
            self.seen(&format!("{wg}.Add(1)"));
        }
        let argument = self.number();
        let named = self.style == Style::Fields && self.objects.bodies > 0 && !counted;
        if named && self.random.percent(50) {
            let number = self.random.below(self.objects.bodies);
            self.both(
                &format!("go s.r{number}({argument})"),
                &format!(
                    "go func(name string, x int) {{ defer left(); born(name); s.r{number}(x) }}(spawn(), {argument})"
                ),
            );
            return;
        }
        let rounds = place.depth == 0 && self.goroutines < 3 && self.random.percent(15) && !counted;
        if rounds {
            self.open("for i := 0; i < 2; i++ {");
            self.goroutines += 1;
        }
        let argument = if rounds && self.random.percent(50) { "i".to_owned() } else { argument };
        self.both("go func(x int) {", "go func(name string, x int) { defer left(); born(name)");
        self.indent += 1;
        if rounds && self.random.percent(40) {
            // The variable of the loop, which all rounds share.
            self.seen("x = i");
        }
        if counted {
            let done = format!("{}.Done()", self.object("wg"));
            self.later(&done);
        }
        let kept = self.budget;
        self.budget = 1 + self.random.below(if rounds { 2 } else { 4 });
        let may_start = place.depth == 0 && self.goroutines < 4 && self.random.percent(20);
        self.body(Place {
            depth: 0,
            in_loop: false,
            has_result: false,
            may_start,
            deferred: false,
        });
        self.budget = kept;
        self.indent -= 1;
        self.both(&format!("}}({argument})"), &format!("}}(spawn(), {argument})"));
        if rounds {
            self.close("}");
        }
    }

    /// Defers a call that others can see.
    pub(super) fn later(&mut self, call: &str) {
        let runner = format!("defer func() {{ p({}); {call} }}()", self.next_line());
        self.both(&format!("defer {call}"), &runner);
    }
}
