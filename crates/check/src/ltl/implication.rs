//! Which formulas follow from which, as far as their shapes tell (Somenzi and Bloem 2000; Etessami and Holzmann 2000).
//!
//! Cost: each pair of parts of the two formulas is looked at once.

use rustc_hash::FxHashMap;

use super::{Formula, Ltl, Shape};

/// What was found of pairs of formulas: whether the second holds wherever the first does, as far as could be told.
#[derive(Default)]
pub(super) struct Implications(FxHashMap<(Formula, Formula), bool>);

impl Implications {
    /// Whether the second holds wherever the first does. If not it may still be so.
    pub(super) fn tell(&mut self, ltl: &Ltl, a: Formula, b: Formula) -> bool {
        if a == b || a == ltl.falsehood() || b == ltl.truth() {
            return true;
        }
        if a == ltl.truth() || b == ltl.falsehood() {
            return false;
        }
        if let Some(&known) = self.0.get(&(a, b)) {
            return known;
        }
        // By the shape of the first or of the second; by contraposition the rules for one are those for the other.
        let told = self.by_first(ltl, a, b) || self.by_first(ltl, ltl.not(b), ltl.not(a));
        self.0.insert((a, b), told);
        self.0.insert((ltl.not(b), ltl.not(a)), told);
        told
    }

    fn by_first(&mut self, ltl: &Ltl, a: Formula, b: Formula) -> bool {
        let eventual = ltl.class(b).eventual;
        match (ltl.shape(a), ltl.shape(b)) {
            (Shape::And(c, d), _) => self.tell(ltl, c, b) || self.tell(ltl, d, b),
            (Shape::Or(c, d), _) => self.tell(ltl, c, b) && self.tell(ltl, d, b),
            (Shape::Next(c), Shape::Next(d)) if self.tell(ltl, c, d) => true,
            (Shape::Next(c), _) => eventual && self.tell(ltl, c, b),
            (Shape::Until(c, d), Shape::Until(e, f))
                if self.tell(ltl, c, e) && self.tell(ltl, d, f) =>
            {
                true
            }
            (Shape::Until(c, d), _) => self.tell(ltl, d, b) && (eventual || self.tell(ltl, c, b)),
            (Shape::Release(c, d), Shape::Release(e, f))
                if self.tell(ltl, c, e) && self.tell(ltl, d, f) =>
            {
                true
            }
            (Shape::Release(_, d), _) => self.tell(ltl, d, b),
            _ => false,
        }
    }
}
