//! Random programs that test a variable.

use std::fmt::Write;

use random::Random;

/// How many values the variable may have.
pub const VALUES: usize = 3;

/// What is asked of every program.
const PROPERTIES: &str = "
property begin: n == 0
property stuck: no_one_stuck
property end: everyone_can_end
property dead: deadlock_free
property never: never open and n == 2
property come: reachable n == 2 and not open
property back: AG EF n == 0
property must: AF n == 1
property stay: EG n != 1
property always_open: AG (n == 2 implies EF open)
property at_label: always count(worker at here) <= 1
property response: always (open implies eventually n == 1)
property some_time: eventually n == 2
property follow: forall w entering worker.here: eventually not w at worker.here
";

/// A program: what `main` does, and what workers do.
pub struct Program {
    main: Vec<Statement>,
    worker: Vec<Statement>,
    is_fair: bool,
    /// What `main` does in the end.
    ending: &'static str,
}

const MAIN: &str = "main()";

/// How a test turns out for each value.
type Outcomes = [bool; VALUES];

enum Statement {
    /// One line, which has a turn of its own or not.
    Plain(String),
    /// `if` the test says so, or else.
    Test(Outcomes, Vec<Statement>, Vec<Statement>),
    /// Until the test says so.
    Until(Outcomes, Vec<Statement>),
    /// What anybody may choose.
    Either(Vec<Statement>, Vec<Statement>),
    With(Vec<Statement>),
    /// A worker is spawned with a channel of its own, into which something is put before or not.
    Spawn(bool),
    /// Something is sent to a channel that some worker has shown to all.
    Visit,
}

/// What workers do with their channels.
const OWN: [&str; 3] = ["own.receive()", "own.send(true)", "kept = own"];

impl Program {
    pub fn random(random: &mut Random) -> Program {
        let mut main = block(random, 2, 3);
        let spawns = 1 + random.below(2_usize);
        for _ in 0..spawns {
            let at = random.below(main.len() + 1);
            main.insert(at, Statement::Spawn(random.percent(50)));
        }
        let mut worker = block(random, 2, 3);
        for _ in 0..random.below(3_usize) {
            let at = random.below(worker.len() + 1);
            worker.insert(
                at,
                match random.below(OWN.len() + 1) {
                    0 => Statement::Visit,
                    own => Statement::Plain(OWN[own - 1].into()),
                },
            );
        }
        let at = random.below(worker.len() + 1);
        worker.insert(at, Statement::Plain("here: n = n".into()));
        Program { main, worker, is_fair: random.percent(25), ending: "" }
    }

    /// The same, where `main` does this in the end.
    pub fn ending(self, ending: &'static str) -> Program {
        Program { ending, ..self }
    }

    /// The text of the program; where the variable is kept, with this value.
    pub fn text(&self, value: Option<usize>) -> String {
        let mut text = "model random\n".to_owned();
        if self.is_fair {
            text.push_str("fair threads\n");
        }
        text.push_str("shared atomic open: bool = false\nshared atomic n: 0..=2 = 0\n");
        text.push_str("shared lock = new mutex\nshared box = new channel[bool](capacity: 1)\n");
        text.push_str("shared atomic kept: channel[bool]? = none\n");
        let mut writer = Writer { text, value, names: 0 };
        for (head, body) in [(MAIN, &self.main), ("worker(own: channel[bool])", &self.worker)] {
            writeln!(writer.text, "process {head} {{").expect("strings do not fail");
            writer.block(body);
            if head == MAIN {
                writer.line(self.ending);
            }
            writer.text.push_str("}\n");
        }
        writer.text + PROPERTIES
    }
}

fn block(random: &mut Random, depth: usize, most: usize) -> Vec<Statement> {
    (0..1 + random.below(most)).map(|_| statement(random, depth)).collect()
}

fn statement(random: &mut Random, depth: usize) -> Statement {
    let inner = |random: &mut Random| block(random, depth - 1, 2);
    match random.below(if depth == 0 { 6 } else { 12_usize }) {
        0 => Statement::Plain(format!("n = {}", random.below(3))),
        1 => Statement::Plain(format!("open = {}", random.percent(50))),
        2 => Statement::Plain(format!("await n == {}", random.below(3))),
        3 => Statement::Plain((*random.pick(&["await open", "await not open"])).into()),
        4 => Statement::Plain((*random.pick(&["box.send(true)", "box.receive()"])).into()),
        5 if random.percent(30) => Statement::Plain(format!("assert n != {}", random.below(3))),
        5 => Statement::Plain("n = n".into()),
        6..=8 => Statement::Test(outcomes(random), inner(random), inner(random)),
        9 => Statement::Until(outcomes(random), inner(random)),
        10 => Statement::Either(inner(random), inner(random)),
        _ => Statement::With(inner(random)),
    }
}

/// How `v == c`, or `v < c`, or the opposite turns out for each value.
fn outcomes(random: &mut Random) -> Outcomes {
    let (with, is_order, negated) = (random.below(VALUES), random.percent(50), random.percent(50));
    let holds = |value: usize| if is_order { value < with } else { value == with };
    std::array::from_fn(|value| holds(value) != negated)
}

struct Writer {
    text: String,
    value: Option<usize>,
    /// How many variables there are.
    names: u32,
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Plain(line) => self.line(line),
            Statement::Test(outcomes, then, otherwise) => {
                let test = self.test(outcomes);
                self.line(&format!("if {test} {{"));
                self.block(then);
                self.line("} else {");
                self.block(otherwise);
                self.line("}");
            }
            Statement::Until(outcomes, body) => {
                self.line("loop {");
                let test = self.test(outcomes);
                self.line(&format!("if {test} {{ break }}"));
                self.block(body);
                self.line("}");
            }
            Statement::Either(one, other) => {
                self.line("either {");
                self.block(one);
                self.line("} or {");
                self.block(other);
                self.line("}");
            }
            Statement::With(body) => {
                self.line("with lock.lock() {");
                self.block(body);
                self.line("}");
            }
            Statement::Spawn(is_full) => {
                let channel = self.name();
                self.line(&format!("let {channel} = new channel[bool](capacity: 1)"));
                if *is_full {
                    self.line(&format!("{channel}.send(true)"));
                }
                self.line(&format!("spawn worker({channel})"));
            }
            Statement::Visit => {
                let channel = self.name();
                self.line(&format!("if let {channel} = kept {{ {channel}.send(true) }}"));
            }
        }
    }

    /// A name that no other variable has.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("t{}", self.names)
    }

    /// The variable that holds how a test turns out.
    fn test(&mut self, outcomes: &Outcomes) -> String {
        let test = self.name();
        self.line(&match self.value {
            None => format!("forgotten choose {test} in bool"),
            Some(value) => format!("let {test} = {}", outcomes[value]),
        });
        test
    }
}
