//! Homomorphisms that users define, by what they do on one assignment.

use std::any::Any;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::{Ddd, Forest, Hom, Result, Value, Variable};

/// An inductive homomorphism Φ, given by its value on the empty sequence and on one assignment.
///
/// `Φ(⟨x, α⟩) = Σ_v Φ(x, v)(α(v))`, where `Φ(x, v)` is again a homomorphism (paper, section 2.1).
/// Equal values are one homomorphism and share their cached results, so whatever decides the
/// result must take part in `Eq` and `Hash`, and the result must depend on nothing else.
///
/// The forest given to the methods is the one that evaluates: all of its operations may be used,
/// and their errors should be passed on. (An error that is swallowed is reported all the same.)
pub trait Inductive: Debug + Eq + Hash + Send + Sync + 'static {
    /// Φ(1).
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd>;

    /// Φ(x, v): what is applied to whatever follows the assignment.
    fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom>;

    /// Whether Φ leaves assignments of this variable as they are and goes on behind them:
    /// `Φ(x, v) = x –v→ Φ` for all v. Then `on_arc` is not asked, and fixpoints are computed
    /// below x as far as possible (see [`Forest::star`]).
    fn skips(&self, _variable: Variable) -> bool {
        false
    }
}

/// [`Inductive`] without the type.
pub(crate) trait Erased: Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd>;
    fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom>;
    fn skips(&self, variable: Variable) -> bool;
}

impl<T: Inductive> Erased for T {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Inductive::on_one(self, forest)
    }
    fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom> {
        Inductive::on_arc(self, forest, variable, value)
    }
    fn skips(&self, variable: Variable) -> bool {
        Inductive::skips(self, variable)
    }
}

/// Hash of a value and its type.
pub(crate) fn hash<T: Inductive>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    std::any::TypeId::of::<T>().hash(&mut hasher);
    value.hash(&mut hasher);
    hasher.finish()
}
