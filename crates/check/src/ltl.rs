//! Formulas of linear time.
//!
//! Over atoms with numbers, in negation normal form: only atoms are negated. Equal formulas are one,
//! found by a table, so that comparing is comparing numbers. Formulas are made small by rules that hold
//! on all infinite words (Etessami and Holzmann 2000, and the obvious ones); making one costs a lookup.

use std::collections::HashMap;

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
}

impl Default for Ltl {
    fn default() -> Self {
        let mut ltl = Self { shapes: Vec::new(), numbers: HashMap::new() };
        ltl.number(Shape::True);
        ltl.number(Shape::False);
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
        *self.numbers.entry(shape).or_insert_with(|| {
            self.shapes.push(shape);
            Formula(self.shapes.len() as u32 - 1)
        })
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

    /// The opposite. Cost: the size of the formula, where it was not made before.
    pub fn not(&mut self, formula: Formula) -> Formula {
        // From the leaves up, each shared part once: formulas may be deep.
        let mut opposites: HashMap<Formula, Formula> = HashMap::new();
        let mut open = vec![formula];
        while let Some(&at) = open.last() {
            if opposites.contains_key(&at) {
                open.pop();
                continue;
            }
            let parts = self.parts(at);
            let missing = parts.iter().flatten().filter(|part| !opposites.contains_key(part));
            let missing: Vec<Formula> = missing.copied().collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            let of = |part: Formula| opposites[&part];
            let opposite = match self.shape(at) {
                Shape::True => self.falsehood(),
                Shape::False => self.truth(),
                Shape::Atom(atom, holds) => self.number(Shape::Atom(atom, !holds)),
                Shape::And(a, b) => self.or(of(a), of(b)),
                Shape::Or(a, b) => self.and(of(a), of(b)),
                Shape::Next(a) => self.next(of(a)),
                Shape::Until(a, b) => self.release(of(a), of(b)),
                Shape::Release(a, b) => self.until(of(a), of(b)),
            };
            opposites.insert(at, opposite);
            open.pop();
        }
        opposites[&formula]
    }

    fn parts(&self, formula: Formula) -> [Option<Formula>; 2] {
        match self.shape(formula) {
            Shape::True | Shape::False | Shape::Atom(..) => [None, None],
            Shape::Next(a) => [Some(a), None],
            Shape::And(a, b) | Shape::Or(a, b) | Shape::Until(a, b) | Shape::Release(a, b) => {
                [Some(a), Some(b)]
            }
        }
    }

    /// Whether two are the same but that an atom is negated.
    fn are_opposite(&self, a: Formula, b: Formula) -> bool {
        match (self.shape(a), self.shape(b)) {
            (Shape::Atom(x, p), Shape::Atom(y, q)) => x == y && p != q,
            _ => false,
        }
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
        if a == decisive || b == decisive || self.are_opposite(a, b) {
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
