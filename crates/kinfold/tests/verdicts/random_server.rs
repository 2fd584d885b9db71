//! Random models in which threads start others, move, send each other messages, wait and end.
//!
//! A thread that is started takes a slot, and a message some room, so that classes are finitely many. Where
//! slots are given back, threads are born and die for ever, and concrete states are infinitely many; where
//! they are not, all ends with those that are left.

use std::fmt::Write;

use random::Random;

/// What follows a thread in its token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    None,
    Bit,
    Thread,
}

struct Author<'a> {
    random: &'a mut Random,
    columns: Vec<Column>,
    messages_have_bits: bool,
    /// Whether slots are given back.
    forever: bool,
    /// Variables of the transition: bits, and threads.
    bits: Vec<String>,
    threads: Vec<String>,
    clauses: Vec<String>,
    taken: Vec<String>,
    put: Vec<String>,
    condition: Option<String>,
    /// Where the first thread that takes part comes from and goes to, if it matters.
    from: Option<usize>,
    to: Option<usize>,
}

/// The text of a model, in which births go on for ever or come to an end.
pub fn random_server(random: &mut Random, forever: bool) -> String {
    let flows = 2 + random.below(3);
    let column = |random: &mut Random, at: usize| match random.weighted(&[55, 30, 15]) {
        1 => Column::Bit,
        2 if at > 0 => Column::Thread,
        _ => Column::None,
    };
    let columns: Vec<Column> = (0..flows).map(|at| column(random, at)).collect();
    let mut text = String::from("model random\n");
    for (at, column) in columns.iter().enumerate() {
        let column = match column {
            Column::None => "",
            Column::Bit => "(x: 0..=1)",
            Column::Thread => "(q: pid)",
        };
        writeln!(text, "flow f{at}{column}").expect("strings are long enough");
    }
    let messages_have_bits = random.percent(30);
    let sort = if messages_have_bits { "pid * 0..=1" } else { "pid" };
    let slots = 1 + random.weighted(&[60, 40]);
    let starters = 1 + random.weighted(if forever { &[55, 45] } else { &[15, 55, 30] });
    let first = if columns[0] == Column::Bit { "f0(0)" } else { "f0" };
    writeln!(
        text,
        "place slot = {slots}\nplace room = 1\nplace mail: {sort}\nplace red = 1\nplace green"
    )
    .expect("strings are long enough");
    writeln!(text, "start {}", vec![first; starters].join(", ")).expect("strings are long enough");
    // Once through all places: back to the first, or with a birth at the first and a death at the last if
    // these are to go on for ever. And some more.
    for number in 0..flows + random.below(4) {
        let (kind, from, to) = match number {
            0 if forever => (0, Some(0), Some(1)),
            _ if forever && number + 1 == flows => (1, Some(number), None),
            _ if number < flows => (2, Some(number), Some((number + 1) % flows)),
            _ if forever => (random.weighted(&[8, 10, 60, 10, 10, 8, 10, 4, 6]), None, None),
            _ => (random.weighted(&[6, 6, 60, 8, 8, 3, 14, 3, 3]), None, None),
        };
        let mut author = Author {
            random: &mut *random,
            columns: columns.clone(),
            messages_have_bits,
            forever,
            bits: Vec::new(),
            threads: Vec::new(),
            clauses: Vec::new(),
            taken: Vec::new(),
            put: Vec::new(),
            condition: None,
            from,
            to,
        };
        author.transition(kind);
        if [0, 1, 2, 5, 6].contains(&kind) {
            author.circumstances();
        }
        writeln!(text, "{}", author.written(number)).expect("strings are long enough");
    }
    text
}

impl Author<'_> {
    fn transition(&mut self, kind: usize) {
        match kind {
            // A birth.
            0 => {
                self.taken.push("slot".into());
                let from = if self.random.percent(60) { 0 } else { self.flow() };
                let from = self.from.unwrap_or(from);
                self.goes_on("p", from);
                self.birth("p", "h");
            }
            // A death.
            1 => {
                let from = self.random.below(self.columns.len() - 1) + 1;
                let from = self.from.unwrap_or(from);
                self.death("p", from);
            }
            2 => {
                let from = self.flow();
                let from = self.from.unwrap_or(from);
                self.moves("p", from);
                self.bit_is_tested();
            }
            // A message is sent, and one received.
            3 => {
                let from = self.flow();
                self.goes_on("p", from);
                self.taken.push("room".into());
                let about = self.thread();
                let bit = self.bit();
                let message = self.message(&about, &bit);
                self.put.push(message);
            }
            4 => {
                let from = self.flow();
                self.bits.push("b".into());
                let message = self.message("q", "b");
                self.taken.push(message);
                self.put.push("room".into());
                if !self.messages_have_bits {
                    self.bits.clear();
                }
                self.threads.push("q".into());
                self.goes_on("p", from);
                self.related("p", "q");
            }
            // One waits for another to end.
            5 => {
                let (from, of) = (self.flow(), self.flow());
                self.moves("p", from);
                self.death("h", of);
                self.perhaps_passive();
                self.related("p", "h");
            }
            // Two go on together.
            6 => {
                let (from, other) = (self.flow(), self.flow());
                self.goes_on("p", from);
                self.moves("r", other);
                self.perhaps_passive();
                self.related("p", "r");
            }
            // A message is lost.
            7 => {
                let message = self.message("_", "_");
                self.taken.push(message);
                self.put.push("room".into());
            }
            // A thread ends and leaves its place to a child.
            _ => {
                let from = self.flow();
                if !self.forever {
                    self.taken.push("slot".into());
                }
                let at = self.matched("p", from);
                self.clauses.push(format!("end p: {at}"));
                self.birth("p", "h");
            }
        }
    }

    /// Lets the last clause be what is done to a thread by others, now and then. What is drawn after that does not
    /// depend on it.
    fn perhaps_passive(&mut self) {
        if self.random.clone().percent(40)
            && let Some(clause) = self.clauses.last_mut()
        {
            *clause = format!("passive {clause}");
        }
    }

    fn written(self, number: usize) -> String {
        let mut clauses = self.clauses;
        let listed = |word: &str, items: &[String]| format!("{word} {}", items.join(", "));
        if !self.taken.is_empty() {
            clauses.push(listed("take", &self.taken));
        }
        if !self.put.is_empty() {
            clauses.push(listed("put", &self.put));
        }
        if let Some(condition) = self.condition {
            clauses.push(format!("when {condition}"));
        }
        format!("transition t{number} {{ {} }}", clauses.join("   "))
    }

    fn flow(&mut self) -> usize {
        self.random.below(self.columns.len())
    }

    fn bit(&mut self) -> String {
        match self.random.below(3) {
            0 | 1 if !self.bits.is_empty() => {
                let bit = self.random.pick(&self.bits).clone();
                if self.random.percent(50) { bit } else { format!("1 - {bit}") }
            }
            number => (number % 2).to_string(),
        }
    }

    fn thread(&mut self) -> String {
        self.random.pick(&self.threads).clone()
    }

    fn message(&self, thread: &str, bit: &str) -> String {
        match self.messages_have_bits {
            true => format!("mail({thread}, {bit})"),
            false => format!("mail({thread})"),
        }
    }

    /// Where a thread is that takes part; its column gets a name.
    fn matched(&mut self, thread: &str, at: usize) -> String {
        self.threads.push(thread.into());
        match self.columns[at] {
            Column::None => format!("f{at}"),
            Column::Bit if self.random.percent(30) => format!("f{at}({})", self.random.below(2)),
            Column::Bit => {
                self.bits.push(format!("{thread}x"));
                format!("f{at}({thread}x)")
            }
            Column::Thread => {
                self.threads.push(format!("{thread}q"));
                format!("f{at}({thread}q)")
            }
        }
    }

    /// Where a thread comes to.
    fn target(&mut self) -> String {
        let any = self.flow();
        let at = self.to.take().unwrap_or(any);
        match self.columns[at] {
            Column::None => format!("f{at}"),
            Column::Bit => format!("f{at}({})", self.bit()),
            Column::Thread => format!("f{at}({})", self.thread()),
        }
    }

    fn moves(&mut self, thread: &str, from: usize) {
        let at = self.matched(thread, from);
        let to = self.target();
        self.clauses.push(format!("move {thread}: {at} -> {to}"));
    }

    fn goes_on(&mut self, thread: &str, from: usize) {
        if self.random.percent(55) {
            return self.moves(thread, from);
        }
        let at = self.matched(thread, from);
        self.clauses.push(format!("stay {thread}: {at}"));
    }

    fn birth(&mut self, parent: &str, child: &str) {
        let to = self.target();
        self.clauses.push(format!("spawn {child} from {parent}: {to}"));
    }

    fn death(&mut self, thread: &str, from: usize) {
        let at = self.matched(thread, from);
        self.clauses.push(format!("end {thread}: {at}"));
        if self.forever {
            self.put.push("slot".into());
        }
    }

    /// What there must be, must not be, and changes besides.
    fn circumstances(&mut self) {
        let at = self.flow();
        let anyone = if self.columns[at] == Column::None { "" } else { "(_)" };
        match self.random.weighted(&[40, 12, 14, 10, 10, 14]) {
            0 => {}
            1 => self.clauses.push(format!("read o: f{at}{anyone}")),
            2 => self.clauses.push(format!("unless _: f{at}{anyone}")),
            3 => {
                self.taken.push("red".into());
                self.put.push("green".into());
            }
            4 => {
                self.taken.push("green".into());
                self.put.push("red".into());
            }
            _ => self.clauses.push("read red".into()),
        }
    }

    fn bit_is_tested(&mut self) {
        if let [bit] = &self.bits[..]
            && self.random.percent(30)
        {
            self.condition = Some(format!("{bit} == {}", self.random.below(2)));
        }
    }

    fn related(&mut self, one: &str, other: &str) {
        self.condition = match self.random.weighted(&[50, 18, 8, 12, 12]) {
            0 => return,
            1 => Some(format!("parent({one}, {other})")),
            2 => Some(format!("elder_sibling({one}, {other})")),
            3 => Some(format!("{one} != {other}")),
            _ => Some(format!("not parent({other}, {one})")),
        };
    }
}
