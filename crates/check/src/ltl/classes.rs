//! Kinds of formulas that can be told by their shape.
//!
//! A formula is *eventual* if it holds wherever it holds later, and *universal* if it holds later wherever it holds
//! (Etessami and Holzmann 2000); one that is both says the same of all suffixes of a word. *Safety* and *guarantee*
//! formulas, and *obligations*, which are made of them, are told as in Manna and Pnueli's hierarchy (Černá and Pelánek
//! 2003). What is not told may still be equivalent to one that would be.

use super::{Formula, Ltl, Shape};

/// What is known of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) eventual: bool,
    pub(crate) universal: bool,
    pub(crate) safety: bool,
    pub(crate) guarantee: bool,
    pub(crate) obligation: bool,
}

impl Class {
    /// That of the opposite.
    pub(super) fn opposite(self) -> Class {
        Class {
            eventual: self.universal,
            universal: self.eventual,
            safety: self.guarantee,
            guarantee: self.safety,
            obligation: self.obligation,
        }
    }

    /// That of a conjunction or disjunction.
    fn and(self, other: Class) -> Class {
        Class {
            eventual: self.eventual && other.eventual,
            universal: self.universal && other.universal,
            safety: self.safety && other.safety,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.obligation,
        }
    }

    /// That of an until.
    fn until(self, other: Class, is_eventually: bool) -> Class {
        Class {
            eventual: is_eventually || other.eventual,
            universal: self.universal && other.universal,
            safety: false,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.guarantee,
        }
    }
}

impl Ltl {
    /// What is known of a formula.
    pub(crate) fn class(&self, formula: Formula) -> Class {
        self.classes[formula.0 as usize]
    }

    pub(super) fn class_of(&self, shape: Shape) -> Class {
        let always = |holds| Class {
            eventual: holds,
            universal: holds,
            safety: true,
            guarantee: true,
            obligation: true,
        };
        match shape {
            Shape::True | Shape::False => always(true),
            Shape::Atom(..) => always(false),
            Shape::And(a, b) | Shape::Or(a, b) => self.class(a).and(self.class(b)),
            Shape::Next(a) => self.class(a),
            Shape::Until(a, b) => self.class(a).until(self.class(b), a == self.truth()),
            Shape::Release(a, b) => {
                let (not_a, not_b) = (self.class(a).opposite(), self.class(b).opposite());
                not_a.until(not_b, a == self.falsehood()).opposite()
            }
        }
    }
}
