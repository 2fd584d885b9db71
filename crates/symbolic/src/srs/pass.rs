//! Operations that pass once over a symbolic marking, motif by motif.
//!
//! The paper's generic operation (section 3.3): it keeps track of where in the sequence it is, and
//! hands single sizes and whole tensors to the concrete operation. What that decides depends on
//! what has been read before alone. Where something must be decided before it can be known, all
//! possibilities are followed, and those that prove wrong lead to the empty set.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use ddd::{Ddd, Forest, Hom, Inductive, Result, Shift, Value, Variable};

use super::layout::{END, Layout, M, MORE, MOST, Motif, SIZE, TOO_MANY, Z};
use super::tensor::TensorId;
use crate::Unsupported;

/// An operation on symbolic markings.
pub(super) trait Operation: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// What becomes of the dynamic subclass with this index: sizes to write, and how to go on, in
    /// each possible way. The size is exact if it is small ([`Layout::large`](Layout)); [`LARGE`] stands
    /// for any other, and what is written in its place is relative to it.
    fn size(&self, on: &Layout, subclass: u32, index: u32, size: u32) -> Vec<(Vec<u32>, Self)>;

    /// How to go on after a static subclass with this many dynamic ones, if at all.
    fn end(&self, on: &Layout, subclass: u32, count: u32) -> Option<Self>;

    /// What becomes of the marking of a place, if anything.
    fn place(&self, on: &Layout, place: u32, tensor: TensorId) -> Result<Option<(TensorId, Self)>>;

    /// Whether large sizes are treated alike. If not, each size is exact.
    fn is_uniform(&self) -> bool {
        true
    }

    /// Whether a marking that has been read to its end is in the result.
    fn accepts(&self) -> bool {
        true
    }

    /// Whether the rest of a marking, without C motifs, stays as it is.
    fn is_over(&self) -> bool {
        false
    }
}

/// Stands for all large sizes.
pub(super) const LARGE: u32 = 1 << 30;
/// All sizes are less than this.
pub(super) const MOST_ELEMENTS: u32 = 1 << 29;

/// An operation at some point of a marking.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pass<O> {
    on: Arc<Layout>,
    operation: O,
    motif: usize,
    /// The number of dynamic subclasses read in this motif.
    index: u32,
    /// Whether a size follows.
    at_size: bool,
}

/// The homomorphism of an operation.
pub(super) fn pass<O: Operation>(forest: &mut Forest, on: &Arc<Layout>, operation: O) -> Hom {
    forest.inductive(Pass { on: on.clone(), operation, motif: 0, index: 0, at_size: false })
}

impl<O: Operation> Pass<O> {
    /// An operation at another point.
    fn at(&self, forest: &mut Forest, operation: O, motif: usize, index: u32) -> Hom {
        if motif >= self.on.classes_end && operation.is_over() {
            return forest.identity();
        }
        forest.inductive(Self { on: self.on.clone(), operation, motif, index, at_size: false })
    }

    /// What becomes of a size that follows. Large ones are shifted, all of them at once, so that
    /// what is asked of the operation does not depend on how many there are.
    fn sizes(&self, forest: &mut Forest, subclass: u32) -> Result<Hom> {
        let on = &self.on;
        if self.index + u32::from(u8::MAX) > MOST {
            return Err(on.give_up(Unsupported(TOO_MANY.to_owned()).into()));
        }
        let each = forest.inductive(Self { at_size: true, ..self.clone() });
        if !self.operation.is_uniform() {
            return Ok(each);
        }
        let large = on.large[subclass as usize] as Value;
        let mut ways = Vec::new();
        for (sizes, next) in self.operation.size(on, subclass, self.index, LARGE) {
            let own = sizes.iter().position(|&size| size > MOST_ELEMENTS);
            let own = own.expect("large subclasses do not vanish");
            let next = self.at(forest, next, self.motif, self.index + 1);
            let next = prefixed(forest, &sizes[own + 1..], next)?;
            let by = sizes[own] as Value - LARGE as Value;
            let within = large..=MOST_ELEMENTS as Value;
            let next = forest.shift(Shift { variable: SIZE, within, by }, &next)?;
            let next = forest.prefix(Z, MORE, &next)?;
            ways.push(prefixed(forest, &sizes[..own], next)?);
        }
        let identity = forest.identity();
        let small = Shift { variable: SIZE, within: 0..=large - 1, by: 0 };
        let small = forest.shift(small, &identity)?;
        ways.push(forest.compose(&each, &small));
        Ok(forest.sum(&ways))
    }
}

impl<O: Operation> Inductive for Pass<O> {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        let accepts = self.motif == self.on.motifs.len() && self.operation.accepts();
        Ok(if accepts { forest.one() } else { forest.zero() })
    }

    fn on_arc(&self, forest: &mut Forest, _: Variable, value: Value) -> Result<Hom> {
        let on = &self.on;
        let mut ways = Vec::new();
        match on.motifs[self.motif] {
            Motif::Class(subclass) if self.at_size => {
                for (sizes, next) in self.operation.size(on, subclass, self.index, value as u32) {
                    let next = self.at(forest, next, self.motif, self.index + 1);
                    ways.push(prefixed(forest, &sizes, next)?);
                }
            }
            Motif::Class(subclass) if value == MORE => return self.sizes(forest, subclass),
            Motif::Class(subclass) => {
                if let Some(next) = self.operation.end(on, subclass, self.index) {
                    let next = self.at(forest, next, self.motif + 1, 0);
                    ways.push(forest.prefix(Z, END, &next)?);
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
        next = forest.prefix(SIZE, size as Value, &next)?;
        next = forest.prefix(Z, MORE, &next)?;
    }
    Ok(next)
}
