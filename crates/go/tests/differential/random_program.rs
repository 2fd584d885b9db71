//! Small Go programs, made at random, each as two texts with the same lines: one for Kinfold, and one for the real Go,
//! with calls of the harness before what others can see.
//!
//! Programs are well typed by construction. Variables that goroutines share are atomic, or are used under their
//! lock, so that Go's memory model gives sequential consistency. What a program does is told by the numbers that it sends
//! on a channel with much room, `log`, and by who is blocked where, or by the panic that ends it. Nothing spins: a
//! loop has few rounds, or waits in each.

mod bodies;
mod data;
mod flow;
mod library;
mod statements;

use random::Random;

/// As many numbers are logged at most.
pub const LOG: usize = 12;

/// A program.
pub struct Program {
    /// As Kinfold reads it.
    pub plain: String,
    /// The same lines, for the harness.
    pub runner: String,
    /// Whether something may happen in it after some time, which nobody can make happen.
    pub has_timers: bool,
}

/// How shared objects are reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Variables that closures capture.
    Captured,
    /// Fields of a struct, which goroutines are methods of.
    Fields,
}

/// What a program has, besides its log.
struct Objects {
    /// Their capacities; `None` for a channel that was never made.
    channels: Vec<Option<usize>>,
    mutexes: usize,
    rwmutex: bool,
    waitgroup: bool,
    once: bool,
    condition: bool,
    atomic: bool,
    context: bool,
    /// A group of tasks that may fail, a semaphore, a map that locks itself, a number that is atomic by its type.
    group: bool,
    semaphore: bool,
    map: bool,
    number: bool,
    /// A channel of channels.
    requests: bool,
    timers: bool,
    /// Whether there are panics, whether some are recovered, and `Goexit`.
    panics: bool,
    recovers: bool,
    goexit: bool,
    /// Whether a switch falls through, and slices share what is appended to them.
    falls_through: bool,
    sharing: bool,
    /// Functions from a number to a number.
    functions: usize,
    /// Bodies of goroutines that have names.
    bodies: usize,
}

/// Where a statement is.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    in_loop: bool,
    /// Whether it is in a function with a result.
    has_result: bool,
    /// Whether it may start goroutines.
    may_start: bool,
    /// Whether it is deferred.
    deferred: bool,
}

/// The lines of imports, which come first: one for each, empty where it is not used.
const IMPORTS: [(&str, &str); 10] = [
    ("container/list", "list."),
    ("context", "context."),
    ("errors", "errors.New"),
    ("golang.org/x/sync/errgroup", "errgroup."),
    ("golang.org/x/sync/semaphore", "semaphore."),
    ("math/rand", "rand.Intn"),
    ("runtime", "runtime."),
    ("sync", "sync."),
    ("sync/atomic", "atomic."),
    ("time", "time.Microsecond"),
];

/// The line of the first line that is written.
const FIRST: usize = IMPORTS.len() + 3;

struct Writer<'r> {
    random: &'r mut Random,
    objects: Objects,
    style: Style,
    lines: Vec<(String, String)>,
    indent: usize,
    /// How many statements there may still be.
    budget: usize,
    goroutines: usize,
    /// How many numbers are logged, if each statement is executed once.
    events: usize,
    /// How many more sends than receives there are, by channel.
    surplus: Vec<i32>,
}

/// The program that a generator gives. `number` tells its names from those of others in the same package.
pub fn program(random: &mut Random, number: usize) -> Program {
    let style = if random.percent(50) { Style::Captured } else { Style::Fields };
    let channels = (0..1 + random.below(3)).map(|_| capacity(random)).collect();
    let objects = Objects {
        channels,
        mutexes: random.below(3),
        rwmutex: random.percent(25),
        waitgroup: random.percent(40),
        once: random.percent(20),
        condition: random.percent(20),
        atomic: random.percent(35),
        context: random.percent(30),
        group: random.percent(15),
        semaphore: random.percent(12),
        map: random.percent(15),
        number: random.percent(15),
        requests: random.percent(15),
        timers: random.percent(20),
        panics: random.percent(40),
        recovers: random.percent(40),
        goexit: random.percent(15),
        falls_through: random.percent(40),
        sharing: random.percent(40),
        functions: random.below(3),
        bodies: random.below(2),
    };
    let mut writer = Writer {
        random,
        objects,
        style,
        lines: Vec::new(),
        indent: 0,
        budget: 0,
        goroutines: 0,
        events: 0,
        surplus: vec![0; 3],
    };
    writer.file();
    writer.finish(number)
}

fn capacity(random: &mut Random) -> Option<usize> {
    match random.below(20) {
        0 => None,
        1..=7 => Some(0),
        8..=14 => Some(1),
        _ => Some(2),
    }
}

impl Writer<'_> {
    /// Puts the lines together.
    fn finish(self, number: usize) -> Program {
        let text: String = self.lines.iter().map(|(plain, _)| plain.as_str()).collect();
        let mut plain = String::from("package random\n");
        let mut runner = String::from("package main\n");
        for (path, used) in IMPORTS {
            let line =
                if text.contains(used) { format!("import \"{path}\"") } else { String::new() };
            plain += &format!("{line}\n");
            runner += &format!("{line}\n");
        }
        plain += "import \"testing\"\n";
        runner += "\n";
        for (one, other) in &self.lines {
            plain += &format!("{}\n", one.replace('§', ""));
            runner += &format!("{}\n", other.replace('§', &number.to_string()));
        }
        let has_timers = plain.contains("time.Microsecond");
        Program { plain, runner, has_timers }
    }

    /// The number of the line that is written next.
    fn next_line(&self) -> usize {
        FIRST + self.lines.len()
    }

    /// Writes a line that is the same for both.
    fn line(&mut self, text: &str) {
        self.both(text, text);
    }

    fn both(&mut self, plain: &str, runner: &str) {
        let tabs = "\t".repeat(self.indent);
        self.lines.push((format!("{tabs}{plain}"), format!("{tabs}{runner}")));
    }

    /// Writes a statement that others can see.
    fn seen(&mut self, text: &str) {
        let runner = format!("p({}); {text}", self.next_line());
        self.both(text, &runner);
    }

    /// Writes a line that opens a block.
    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    fn open_seen(&mut self, text: &str) {
        self.seen(text);
        self.indent += 1;
    }

    /// Writes a line between two blocks of a statement.
    fn next(&mut self, text: &str) {
        self.indent -= 1;
        self.open(text);
    }

    fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    /// A shared object, by its name.
    fn object(&self, name: &str) -> String {
        match self.style {
            Style::Captured => name.to_owned(),
            Style::Fields => format!("s.{name}"),
        }
    }

    fn channel(&mut self) -> String {
        let number = self.random.below(self.objects.channels.len());
        self.object(&format!("c{number}"))
    }

    /// A channel to send on, or to receive from: mostly one that lacks it.
    fn channel_for(&mut self, sending: bool) -> String {
        let sign = if sending { 1 } else { -1 };
        let count = self.objects.channels.len();
        let lacking = (0..count).find(|&one| self.surplus[one] * sign < 0);
        let number = match lacking {
            Some(number) if self.random.percent(75) => number,
            _ => self.random.below(count),
        };
        self.surplus[number] += sign;
        self.object(&format!("c{number}"))
    }

    /// A number, from what a body has at hand.
    fn number(&mut self) -> String {
        match self.random.below(8) {
            0..=3 => self.random.below(4).to_string(),
            4 => "x".to_owned(),
            5 => "y".to_owned(),
            6 => "(x + 1) % 4".to_owned(),
            _ => "(x + y) % 4".to_owned(),
        }
    }

    /// A condition on what a body has at hand.
    fn condition(&mut self) -> String {
        let k = self.random.below(3);
        match self.random.below(6) {
            0 => format!("x == {k}"),
            1 => format!("x != {k}"),
            2 => format!("y < {k}"),
            3 => format!("y > {k} || x == 0"),
            4 => format!("ok && y != {k}"),
            _ => "!ok".to_owned(),
        }
    }
}
