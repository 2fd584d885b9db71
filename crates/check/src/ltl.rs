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
        let (truth, falsehood) = (self.truth(), self.falsehood());
        if a == falsehood || b == falsehood || self.are_opposite(a, b) {
            return falsehood;
        }
        if a == truth || a == b {
            return b;
        }
        if b == truth {
            return a;
        }
        match (self.shape(a), self.shape(b)) {
            (Shape::Next(a), Shape::Next(b)) => {
                let both = self.and(a, b);
                self.next(both)
            }
            (Shape::Release(a, c), Shape::Release(b, d)) if a == b => {
                let both = self.and(c, d);
                self.release(a, both)
            }
            (Shape::Until(a, c), Shape::Until(b, d)) if c == d => {
                let both = self.and(a, b);
                self.until(both, c)
            }
            _ => self.number(Shape::And(a.min(b), a.max(b))),
        }
    }

    /// One or the other.
    pub fn or(&mut self, a: Formula, b: Formula) -> Formula {
        let (truth, falsehood) = (self.truth(), self.falsehood());
        if a == truth || b == truth || self.are_opposite(a, b) {
            return truth;
        }
        if a == falsehood || a == b {
            return b;
        }
        if b == falsehood {
            return a;
        }
        match (self.shape(a), self.shape(b)) {
            (Shape::Next(a), Shape::Next(b)) => {
                let either = self.or(a, b);
                self.next(either)
            }
            (Shape::Until(a, c), Shape::Until(b, d)) if a == b => {
                let either = self.or(c, d);
                self.until(a, either)
            }
            (Shape::Release(a, c), Shape::Release(b, d)) if c == d => {
                let either = self.or(a, b);
                self.release(either, c)
            }
            _ => self.number(Shape::Or(a.min(b), a.max(b))),
        }
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
        match (self.shape(a), self.shape(b)) {
            (_, Shape::True | Shape::False) | (Shape::False, _) => b,
            _ if a == b => b,
            (Shape::Next(a), Shape::Next(b)) => {
                let until = self.until(a, b);
                self.next(until)
            }
            // F (c U d) = F d, F F d = F d
            (Shape::True, Shape::Until(_, d)) => self.until(a, d),
            (_, Shape::Until(c, _)) if a == c => b,
            (Shape::True, Shape::Next(b)) => {
                let eventually = self.until(a, b);
                self.next(eventually)
            }
            _ => self.number(Shape::Until(a, b)),
        }
    }

    /// The second holds up to and including when the first does, which may never be.
    pub fn release(&mut self, a: Formula, b: Formula) -> Formula {
        match (self.shape(a), self.shape(b)) {
            (_, Shape::True | Shape::False) | (Shape::True, _) => b,
            _ if a == b => b,
            (Shape::Next(a), Shape::Next(b)) => {
                let release = self.release(a, b);
                self.next(release)
            }
            (Shape::False, Shape::Release(_, d)) => self.release(a, d),
            (_, Shape::Release(c, _)) if a == c => b,
            (Shape::False, Shape::Next(b)) => {
                let always = self.release(a, b);
                self.next(always)
            }
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
