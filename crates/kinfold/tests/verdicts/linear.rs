//! Linear time: formulas made of `next` and `until`, on words that repeat, and on the runs of a graph.
//!
//! The runs of a graph are asked by guessing, in each state, what will be true in the next: a node is a
//! state and a guess for every `next` and every `until` in the formula, and it is followed by those nodes
//! in which the guess is right. An `until` that is true must not be put off for ever.

use net::{BinaryOp, Formula, PathOp};

/// An operation, on what was computed before it.
#[derive(Clone, Copy, Debug)]
enum Op {
    True,
    /// A statement about a single state.
    Says(usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    /// The number of the guess comes last.
    Next(usize, usize),
    Until(usize, usize, usize),
}

/// A formula: operations, the last of which is the formula itself.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    ops: Vec<Op>,
    /// What is said of single states.
    pub statements: Vec<Formula>,
    /// The number of guesses.
    pub guesses: usize,
}

/// What is true at one point of a run, one bit for each operation.
pub type Truths = u64;

impl Linear {
    /// A formula of linear time; nothing if it is of branching time.
    pub fn of(formula: &Formula) -> Option<Linear> {
        let mut linear = Linear::default();
        linear.formula(formula)?;
        Some(linear)
    }

    fn push(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn guess(&mut self) -> usize {
        self.guesses += 1;
        self.guesses - 1
    }

    fn until(&mut self, a: usize, b: usize) -> usize {
        let guess = self.guess();
        self.push(Op::Until(a, b, guess))
    }

    fn eventually(&mut self, a: usize) -> usize {
        let truth = self.push(Op::True);
        self.until(truth, a)
    }

    fn not(&mut self, a: usize) -> usize {
        self.push(Op::Not(a))
    }

    fn formula(&mut self, formula: &Formula) -> Option<usize> {
        if formula.is_of_state() {
            self.statements.push(formula.clone());
            return Some(self.push(Op::Says(self.statements.len() - 1)));
        }
        Some(match formula {
            Formula::Not(a) => {
                let a = self.formula(a)?;
                self.not(a)
            }
            Formula::Binary(op, a, b) => {
                let (mut a, b) = (self.formula(a)?, self.formula(b)?);
                match op {
                    BinaryOp::And => return Some(self.push(Op::And(a, b))),
                    BinaryOp::Or => {}
                    _ => a = self.not(a),
                }
                self.push(Op::Or(a, b))
            }
            Formula::Path(PathOp::Next, a) => {
                let a = self.formula(a)?;
                let guess = self.guess();
                self.push(Op::Next(a, guess))
            }
            Formula::Path(PathOp::Eventually, a) => {
                let a = self.formula(a)?;
                self.eventually(a)
            }
            Formula::Path(PathOp::Never, a) => {
                let a = self.formula(a)?;
                let some_time = self.eventually(a);
                self.not(some_time)
            }
            Formula::Path(PathOp::Always, a) => {
                let a = self.formula(a)?;
                let violated = self.not(a);
                let some_time = self.eventually(violated);
                self.not(some_time)
            }
            Formula::Until(a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.until(a, b)
            }
            Formula::LeadsTo(a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                let answer = self.eventually(b);
                let none = self.not(answer);
                let unanswered = self.push(Op::And(a, none));
                let some_time = self.eventually(unanswered);
                self.not(some_time)
            }
            _ => return None,
        })
    }

    /// What is true in a state, given what is guessed of the next.
    pub fn truths(&self, says: u64, guessed: u64) -> Truths {
        let mut truths = 0_u64;
        for (index, op) in self.ops.iter().enumerate() {
            let is = |op: usize| truths >> op & 1 == 1;
            let truth = match *op {
                Op::True => true,
                Op::Says(statement) => says >> statement & 1 == 1,
                Op::Not(a) => !is(a),
                Op::And(a, b) => is(a) && is(b),
                Op::Or(a, b) => is(a) || is(b),
                Op::Next(_, guess) => guessed >> guess & 1 == 1,
                Op::Until(a, b, guess) => is(b) || is(a) && guessed >> guess & 1 == 1,
            };
            truths |= u64::from(truth) << index;
        }
        truths
    }

    /// Whether the formula itself is true.
    pub fn is_true(&self, truths: Truths) -> bool {
        truths >> (self.ops.len() - 1) & 1 == 1
    }

    /// What had to be guessed in the state before.
    pub fn foretold(&self, truths: Truths) -> u64 {
        let guess = |(index, op): (usize, &Op)| match *op {
            Op::Next(a, guess) => (truths >> a & 1) << guess,
            Op::Until(_, _, guess) => (truths >> index & 1) << guess,
            _ => 0,
        };
        self.ops.iter().enumerate().map(guess).fold(0, |all, one| all | one)
    }

    /// The guesses of untils that are not put off: false, or fulfilled; and of those that are no untils.
    pub fn kept(&self, truths: Truths) -> u64 {
        let guess = |(index, op): (usize, &Op)| match *op {
            Op::Next(_, guess) => 1 << guess,
            Op::Until(_, b, guess) => (!truths >> index & 1 | truths >> b & 1) << guess,
            _ => 0,
        };
        self.ops.iter().enumerate().map(guess).fold(0, |all, one| all | one)
    }

    /// What is true at each point of a word that goes on with `back` after its end, given what is said
    /// of each point.
    pub fn along(&self, says: &[u64], back: usize) -> Vec<Truths> {
        let mut truths = vec![0_u64; says.len()];
        let next = |at: usize| if at + 1 < says.len() { at + 1 } else { back };
        for (index, op) in self.ops.iter().enumerate() {
            // An until is the least that satisfies its law, so it is false until shown; a round from the
            // end shows all but what comes round once more.
            for _ in 0..2 {
                for at in (0..says.len()).rev() {
                    let is = |at: usize, op: usize| truths[at] >> op & 1 == 1;
                    let truth = match *op {
                        Op::True => true,
                        Op::Says(statement) => says[at] >> statement & 1 == 1,
                        Op::Not(a) => !is(at, a),
                        Op::And(a, b) => is(at, a) && is(at, b),
                        Op::Or(a, b) => is(at, a) || is(at, b),
                        Op::Next(a, _) => is(next(at), a),
                        Op::Until(a, b, _) => is(at, b) || is(at, a) && is(next(at), index),
                    };
                    truths[at] |= u64::from(truth) << index;
                }
            }
        }
        truths
    }

    /// Whether it is true at the start of a run that goes on with `back` after its end.
    pub fn holds_along(&self, says: &[u64], back: usize) -> bool {
        self.is_true(self.along(says, back)[0])
    }
}
