//! Operations that pass once over a symbolic marking, motif by motif.
//!
//! The paper's generic operation (section 3.3): it keeps track of where in the sequence it is, and
//! hands single sizes and whole tensors to the concrete operation. What that decides depends on
//! what has been read before alone. Where something must be decided before it can be known, all
//! possibilities are followed, and those that prove wrong lead to the empty set.

use std::fmt::Debug;
use std::hash::Hash;

use ddd::{Ddd, Forest, Hom, Inductive, Result, Value, Variable};

use super::layout::{END, Layout, M, Motif, Shared, Z};
use super::tensor::TensorId;

/// An operation on symbolic markings.
pub(super) trait Operation: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// What becomes of the dynamic subclass with this index: sizes to write, and how to go on, in
    /// each possible way.
    fn size(&self, on: &Layout, subclass: u32, index: u32, size: u32) -> Vec<(Vec<u32>, Self)>;

    /// What becomes of the end of a static subclass with so many dynamic ones.
    fn end(&self, on: &Layout, subclass: u32, count: u32) -> Vec<(Vec<u32>, Self)>;

    /// What becomes of the marking of a place, if anything.
    fn place(&self, on: &Layout, place: u32, tensor: TensorId) -> Result<Option<(TensorId, Self)>>;

    /// Whether a marking that has been read to its end is in the result.
    fn accepts(&self) -> bool {
        true
    }

    /// Whether the rest of a marking, without C motifs, stays as it is.
    fn is_over(&self) -> bool {
        false
    }
}

/// An operation at some point of a marking.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pass<O> {
    on: Shared,
    operation: O,
    motif: usize,
    index: u32,
}

/// The homomorphism of an operation.
pub(super) fn pass<O: Operation>(forest: &mut Forest, on: &Shared, operation: O) -> Hom {
    forest.inductive(Pass { on: on.clone(), operation, motif: 0, index: 0 })
}

impl<O: Operation> Pass<O> {
    /// The operation at another point.
    fn at(&self, forest: &mut Forest, operation: O, motif: usize, index: u32) -> Hom {
        if motif >= self.on.0.classes_end && operation.is_over() {
            return forest.identity();
        }
        forest.inductive(Self { on: self.on.clone(), operation, motif, index })
    }
}

impl<O: Operation> Inductive for Pass<O> {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        let accepts = self.motif == self.on.0.motifs.len() && self.operation.accepts();
        Ok(if accepts { forest.one() } else { forest.zero() })
    }

    fn on_arc(&self, forest: &mut Forest, _: Variable, value: Value) -> Result<Hom> {
        let on = &self.on.0;
        let mut ways = Vec::new();
        match on.motifs[self.motif] {
            Motif::Class(subclass) if value == END => {
                for (sizes, next) in self.operation.end(on, subclass, self.index) {
                    let next = self.at(forest, next, self.motif + 1, 0);
                    let next = forest.prefix(Z, END, &next)?;
                    ways.push(prefixed(forest, &sizes, next)?);
                }
            }
            Motif::Class(subclass) => {
                for (sizes, next) in self.operation.size(on, subclass, self.index, value as u32) {
                    let next = self.at(forest, next, self.motif, self.index + 1);
                    ways.push(prefixed(forest, &sizes, next)?);
                }
            }
            Motif::Place(place) => {
                if let Some((tensor, next)) = self.operation.place(on, place, value as u32)? {
                    let next = self.at(forest, next, self.motif + 1, 0);
                    ways.push(forest.prefix(M, tensor as Value, &next)?);
                }
            }
        }
        Ok(match &ways[..] {
            [only] => only.clone(),
            _ => forest.sum(&ways),
        })
    }
}

/// A homomorphism after which sizes are written.
fn prefixed(forest: &mut Forest, sizes: &[u32], mut next: Hom) -> Result<Hom> {
    for &size in sizes.iter().rev() {
        next = forest.prefix(Z, size as Value, &next)?;
    }
    Ok(next)
}
