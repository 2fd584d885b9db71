//! Making homomorphisms.

use std::ops::RangeInclusive;

use crate::forest::check;
use crate::term::{HomId, IDENTITY, NOTHING, Term};
use crate::{Ddd, Forest, Hom, Inductive, Result, Value, Variable};

/// A guarded shift of one variable, a link of a [`Forest::chain`].
///
/// The first occurrence of the variable must have a value in `within`, and is replaced by the
/// value plus `by`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shift {
    /// The variable.
    pub variable: Variable,
    /// Values it may have before.
    pub within: RangeInclusive<Value>,
    /// What is added to the value.
    pub by: Value,
}

/// Making a homomorphism costs a look into a hash table unless said otherwise.
impl Forest {
    fn hom(&mut self, term: Term) -> Hom {
        let id = self.terms.number(term);
        self.homs.hold(id)
    }

    /// Id: d ↦ d.
    pub fn identity(&mut self) -> Hom {
        self.homs.hold(IDENTITY)
    }

    /// d ↦ c for all d but 0 (and ⊤, which becomes ⊤ unless c is 0).
    pub fn constant(&mut self, c: &Ddd) -> Hom {
        let c = self.diagrams.id(c);
        self.hom(Term::Constant(c))
    }

    /// c · Id: d ↦ c · d.
    pub fn left(&mut self, c: &Ddd) -> Hom {
        let c = self.diagrams.id(c);
        self.hom(Term::Left(c))
    }

    /// Id · c: d ↦ d · c. It skips every variable.
    pub fn right(&mut self, c: &Ddd) -> Hom {
        let c = self.diagrams.id(c);
        self.hom(Term::Right(c))
    }

    /// x –v→ h: what `h` makes of a sequence, with an assignment in front.
    pub fn prefix(&mut self, variable: Variable, value: Value, h: &Hom) -> Result<Hom> {
        check(variable)?;
        let next = self.homs.id(h);
        Ok(self.hom(Term::Prefix(variable, value, next)))
    }

    /// h + k: d ↦ h(d) + k(d), of any number; of none, everything becomes 0.
    ///
    /// Costs sorting the members; a member that is added to a sum of others costs the logarithm of their
    /// number. At a node, the members that skip its variable are applied to the children together.
    pub fn sum<'a>(&mut self, members: impl IntoIterator<Item = &'a Hom>) -> Hom {
        let members: Vec<HomId> = members.into_iter().map(|h| self.homs.id(h)).collect();
        let id = self.terms.sum(&members);
        self.homs.hold(id)
    }

    /// h ∘ k: d ↦ h(k(d)).
    ///
    /// Costs the number of homomorphisms that `h` is composed of.
    pub fn compose(&mut self, outer: &Hom, inner: &Hom) -> Hom {
        let (outer, inner) = (self.homs.id(outer), self.homs.id(inner));
        let id = self.terms.compose(outer, inner);
        self.homs.hold(id)
    }

    /// (h + Id)*: d ↦ d + h(d) + h(h(d)) + …, the least set that has d in it and is closed
    /// under `h`.
    ///
    /// If `h` is a sum, it is computed by saturation: at each node, the members that skip its
    /// variable are taken to their fixpoint below before the others are applied, and again on
    /// whatever these add. Members that are shifts ([`Forest::shift`], [`Forest::chain`]) are
    /// saturated within, as they go down.
    ///
    /// If the set is infinite, the computation ends with an [`Error`](crate::Error) only: set
    /// limits.
    pub fn star(&mut self, h: &Hom) -> Hom {
        let h = self.homs.id(h);
        let id = self.terms.star(h);
        self.homs.hold(id)
    }

    /// The first occurrence of the variable must have a value within bounds and is shifted; `h`
    /// is applied to what follows. Where the variable does not occur, the result is ⊤.
    pub fn shift(&mut self, shift: Shift, h: &Hom) -> Result<Hom> {
        let next = self.homs.id(h);
        let id = self.shift_id(&shift, next)?;
        Ok(self.homs.hold(id))
    }

    fn shift_id(&mut self, shift: &Shift, next: HomId) -> Result<HomId> {
        let Shift { variable, ref within, by } = *shift;
        check(variable)?;
        if within.is_empty() {
            return Ok(NOTHING);
        }
        let (low, high) = (*within.start(), *within.end());
        Ok(self.terms.number(Term::Shift { variable, low, high, by, next }))
    }

    /// Guarded shifts one after the other, each of what follows the one before.
    ///
    /// This is how a transition of a Petri net is written down: for each place it has to do with,
    /// in the order in which the places come in sequences, the least and the greatest number of
    /// tokens it is enabled with, and the change.
    pub fn chain(&mut self, shifts: &[Shift]) -> Result<Hom> {
        let mut next = IDENTITY;
        for shift in shifts.iter().rev() {
            next = self.shift_id(shift, next)?;
        }
        Ok(self.homs.hold(next))
    }

    /// A user's own homomorphism.
    pub fn inductive<T: Inductive>(&mut self, value: T) -> Hom {
        let id = self.terms.number_inductive(value);
        self.homs.hold(id)
    }
}
