//! Formulas of linear time.
//!
//! Over atoms with numbers, in negation normal form: only atoms are negated. Equal formulas are one,
//! found by a table, so that comparing is comparing numbers. Every formula is made together with its
//! opposite, which has the number next to its own. Formulas are made small by rules that hold on all
//! infinite words (Etessami and Holzmann 2000, and the obvious ones); making one costs a lookup.

mod classes;
mod implication;
mod periodic;
mod simplify;

use std::collections::{HashMap, HashSet};

pub(crate) use classes::Class;

/// A formula, by its number in an [`Ltl`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula(pub(crate) u32);

/// What a formula is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// The atom with this number holds now, or does not.
    Atom(u32, bool),
    /// Both hold.
    And(Formula, Formula),
    /// One of them holds.
    Or(Formula, Formula),
    /// It holds in the next state.
    Next(Formula),
    /// The second will hold, and until then the first does.
    Until(Formula, Formula),
    /// The second holds up to and including when the first does, which may never be.
    Release(Formula, Formula),
}

/// Formulas, each kept once.
#[derive(Clone, Debug)]
pub struct Ltl {
    shapes: Vec<Shape>,
    numbers: HashMap<Shape, Formula>,
    classes: Vec<Class>,
}

impl Default for Ltl {
    fn default() -> Self {
        let mut ltl = Self { shapes: Vec::new(), numbers: HashMap::new(), classes: Vec::new() };
        ltl.number(Shape::True);
        ltl
    }
}

impl Ltl {
    /// No formulas but the constants.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn number(&mut self, shape: Shape) -> Formula {
        if let Some(&known) = self.numbers.get(&shape) {
            return known;
        }
        let number = Formula(self.shapes.len() as u32);
        let class = self.class_of(shape);
        for (shape, number) in [(shape, number), (self.opposite(shape), self.not(number))] {
            self.shapes.push(shape);
            self.numbers.insert(shape, number);
        }
        self.classes.extend([class, class.opposite()]);
        number
    }

    /// What the opposite is made of. No rule makes it smaller, since none makes `shape` smaller and for
    /// opposites all rules are the other way round.
    fn opposite(&self, shape: Shape) -> Shape {
        match shape {
            Shape::True => Shape::False,
            Shape::False => Shape::True,
            Shape::Atom(atom, holds) => Shape::Atom(atom, !holds),
            Shape::And(a, b) => Shape::Or(self.not(a), self.not(b)),
            Shape::Or(a, b) => Shape::And(self.not(a), self.not(b)),
            Shape::Next(a) => Shape::Next(self.not(a)),
            Shape::Until(a, b) => Shape::Release(self.not(a), self.not(b)),
            Shape::Release(a, b) => Shape::Until(self.not(a), self.not(b)),
        }
    }

    /// What a formula is made of.
    #[must_use]
    pub fn shape(&self, formula: Formula) -> Shape {
        self.shapes[formula.0 as usize]
    }

    /// What always holds.
    #[must_use]
    pub fn truth(&self) -> Formula {
        Formula(0)
    }

    /// What never holds.
    #[must_use]
    pub fn falsehood(&self) -> Formula {
        Formula(1)
    }

    /// An atom.
    pub fn atom(&mut self, atom: u32) -> Formula {
        self.number(Shape::Atom(atom, true))
    }

    /// The opposite.
    #[must_use]
    pub fn not(&self, formula: Formula) -> Formula {
        Formula(formula.0 ^ 1)
    }

    /// The atoms of a formula, some perhaps several times.
    #[must_use]
    pub fn atoms(&self, formula: Formula) -> Vec<u32> {
        let atom = |part: Formula| match self.shape(part) {
            Shape::Atom(atom, _) => Some(atom),
            _ => None,
        };
        self.parts(formula).into_iter().filter_map(atom).collect()
    }

    /// Whether it speaks of the next state. If not, how often a state is repeated makes no difference to it.
    #[must_use]
    pub fn has_next(&self, formula: Formula) -> bool {
        self.parts(formula).into_iter().any(|part| matches!(self.shape(part), Shape::Next(_)))
    }

    /// The formula and what it is made of, each once.
    fn parts(&self, formula: Formula) -> Vec<Formula> {
        // Formulas are shared, and may be deep.
        let (mut visited, mut open) = (HashSet::from([formula]), vec![formula]);
        let mut parts = Vec::new();
        while let Some(part) = open.pop() {
            parts.push(part);
            let (a, b) = match self.shape(part) {
                Shape::True | Shape::False | Shape::Atom(..) => continue,
                Shape::Next(a) => (a, a),
                Shape::And(a, b) | Shape::Or(a, b) => (a, b),
                Shape::Until(a, b) | Shape::Release(a, b) => (a, b),
            };
            open.extend([a, b].into_iter().filter(|inner| visited.insert(*inner)));
        }
        parts
    }

    /// Both.
    pub fn and(&mut self, a: Formula, b: Formula) -> Formula {
        self.join(true, a, b)
    }

    /// One or the other.
    pub fn or(&mut self, a: Formula, b: Formula) -> Formula {
        self.join(false, a, b)
    }

    /// The conjunction, or the disjunction, for which all is the other way round.
    fn join(&mut self, both: bool, a: Formula, b: Formula) -> Formula {
        let (neutral, decisive) = self.constants(both);
        if a == decisive || b == decisive || a == self.not(b) {
            return decisive;
        }
        if a == neutral || a == b {
            return b;
        }
        if b == neutral {
            return a;
        }
        match (self.shape(a), self.shape(b)) {
            (Shape::Next(a), Shape::Next(b)) => {
                let joined = self.join(both, a, b);
                self.next(joined)
            }
            // One of the two sides is the same, and stays.
            (Shape::Release(a, c), Shape::Release(b, d)) if both && a == b || !both && c == d => {
                let (first, second) = (self.join(both, a, b), self.join(both, c, d));
                self.release(first, second)
            }
            (Shape::Until(a, c), Shape::Until(b, d)) if both && c == d || !both && a == b => {
                let (first, second) = (self.join(both, a, b), self.join(both, c, d));
                self.until(first, second)
            }
            _ if both => self.number(Shape::And(a.min(b), a.max(b))),
            _ => self.number(Shape::Or(a.min(b), a.max(b))),
        }
    }

    /// Truth and falsehood, or the other way round.
    fn constants(&self, in_order: bool) -> (Formula, Formula) {
        let (truth, falsehood) = (self.truth(), self.falsehood());
        if in_order { (truth, falsehood) } else { (falsehood, truth) }
    }

    /// In the next state.
    pub fn next(&mut self, a: Formula) -> Formula {
        match self.shape(a) {
            Shape::True | Shape::False => a,
            _ => self.number(Shape::Next(a)),
        }
    }

    /// The second will hold, and until then the first does.
    pub fn until(&mut self, a: Formula, b: Formula) -> Formula {
        self.wait(true, a, b)
    }

    /// The second holds up to and including when the first does, which may never be.
    pub fn release(&mut self, a: Formula, b: Formula) -> Formula {
        self.wait(false, a, b)
    }

    /// Until, or release, for which all is the other way round.
    fn wait(&mut self, until: bool, a: Formula, b: Formula) -> Formula {
        let (forever, never) = self.constants(until);
        let inner = match self.shape(b) {
            Shape::True | Shape::False => return b,
            Shape::Until(c, d) if until => Some((c, d)),
            Shape::Release(c, d) if !until => Some((c, d)),
            _ => None,
        };
        match (self.shape(a), self.shape(b), inner) {
            _ if a == never || a == b => b,
            (Shape::Next(a), Shape::Next(b), _) => {
                let wait = self.wait(until, a, b);
                self.next(wait)
            }
            // F (c U d) = F d, F F d = F d
            (_, _, Some((_, d))) if a == forever => self.wait(until, a, d),
            (_, _, Some((c, _))) if a == c => b,
            (_, Shape::Next(b), _) if a == forever => {
                let wait = self.wait(until, a, b);
                self.next(wait)
            }
            _ if until => self.number(Shape::Until(a, b)),
            _ => self.number(Shape::Release(a, b)),
        }
    }

    /// Now or some time.
    pub fn eventually(&mut self, a: Formula) -> Formula {
        self.until(self.truth(), a)
    }

    /// From now on.
    pub fn always(&mut self, a: Formula) -> Formula {
        self.release(self.falsehood(), a)
    }

    /// If the first, then the second.
    pub fn implies(&mut self, a: Formula, b: Formula) -> Formula {
        let not = self.not(a);
        self.or(not, b)
    }
}
