//! Tensors: the markings of single places.
//!
//! A tensor has a cell for each tuple of dynamic subclasses (and elements of plain classes), and
//! where a dynamic subclass occurs more than once in a tuple, one for each way its components can
//! be the same element: a matrix over C × C has a cell for the diagonal and one for the rest where
//! row and column are the same subclass. (The paper has one cell there, and must split a subclass
//! of n elements into n to say `s ≠ r`.) Cells that are not zero are kept in lexicographic order.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use super::layout::{Layout, subclass_of};
use crate::explicit::regroup::Regroup;
use crate::explicit::rules::{Column, Kind, Place};
use crate::word::{dynamic, from_sorting_key, nth, sorting_key, word};

/// The number of a tensor.
pub(super) type TensorId = u32;

/// The cells of a tensor: for each, as in a [`Marking`](crate::Marking), the count and the components.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Tensor {
    pub(super) words: Vec<u32>,
}

/// The tensors met, each once.
#[derive(Debug, Default)]
pub(super) struct Tensors {
    tensors: Vec<Arc<Tensor>>,
    ids: HashMap<Arc<Tensor>, TensorId>,
}

impl Tensor {
    /// The tensor of these cells, in any order, with their dynamic subclasses renamed, each to another.
    pub(super) fn new(place: &Place, words: &[u32], rename: impl Fn(u32) -> u32) -> Self {
        let key = |(&value, column): (&u32, &Column)| match column.kind {
            Kind::Symmetric => sorting_key(word(rename(dynamic(value)), nth(value))),
            _ => value,
        };
        let cells = words.chunks_exact(place.stride());
        let mut cells: Vec<(Vec<u32>, u32)> = cells
            .map(|cell| (cell[1..].iter().zip(&place.columns).map(key).collect(), cell[0]))
            .collect();
        cells.sort_unstable();
        let mut words = Vec::with_capacity(words.len());
        for (keys, count) in cells {
            words.push(count);
            words.extend(keys.iter().zip(&place.columns).map(|(&key, column)| match column.kind {
                Kind::Symmetric => from_sorting_key(key),
                _ => key,
            }));
        }
        Self { words }
    }

    /// What is to be said of each cell after the one before: its words, with that of the first
    /// component relative.
    pub(super) fn steps(&self, place: &Place) -> impl Iterator<Item = Self> {
        let mut before = 0;
        self.words.chunks_exact(place.stride()).map(move |cell| {
            let mut words = cell.to_vec();
            if let Some(first) = words.get_mut(1) {
                let this = *first;
                *first = this.wrapping_sub(before);
                before = this;
            }
            Self { words }
        })
    }

    /// Compares what two dynamic subclasses of one static subclass are to this tensor, in terms
    /// that no renaming of dynamic subclasses changes: the cells each occurs in, of which is seen
    /// where it occurs, the static subclasses of the others, and the count.
    pub(super) fn compare(&self, place: &Place, a: u32, b: u32) -> Ordering {
        if let [_] = place.columns[..] {
            let count = |of: u32| {
                let cell = self.words.chunks_exact(2).find(|cell| cell[1] == word(of, 0));
                cell.map_or(0, |cell| cell[0])
            };
            return count(b).cmp(&count(a));
        }
        self.seen_from(place, b).cmp(&self.seen_from(place, a))
    }

    fn seen_from(&self, place: &Place, code: u32) -> Vec<(Vec<u32>, u32)> {
        let mut seen = Vec::new();
        for cell in self.words.chunks_exact(place.stride()) {
            let mut is_seen = false;
            let own = cell[1..].iter().zip(&place.columns).map(|(&value, column)| {
                let is_symmetric = column.kind == Kind::Symmetric;
                match dynamic(value) {
                    _ if !is_symmetric => value,
                    this if this == code => {
                        is_seen = true;
                        word(0, nth(value))
                    }
                    other => word(subclass_of(other) + 1, nth(value)),
                }
            });
            let own = own.collect();
            if is_seen {
                seen.push((own, cell[0]));
            }
        }
        seen.sort_unstable();
        seen
    }

    /// Whether exchanging the element of `x` with one of the dynamic subclass `a` of this size
    /// leaves the tensor as it is.
    pub(super) fn is_alike(&self, place: &Place, x: u32, a: u32, size: u32) -> bool {
        Regroup::default().is_alike_at(place, &self.words, x, a, size)
    }

    /// The tensor with the element of `x` made one of `a`, of this size, to which it is alike. The codes
    /// of dynamic subclasses change.
    pub(super) fn joined(
        &self,
        place: &Place,
        x: u32,
        a: u32,
        size: u32,
        rename: impl Fn(u32) -> u32,
    ) -> Self {
        let mut words = self.words.clone();
        let left = Regroup::default().unite_at(place, &mut words, x, a, size);
        Self::new(place, &words[..left], rename)
    }
}

impl Layout {
    /// A tensor by number.
    pub(super) fn tensor(&self, id: TensorId) -> Arc<Tensor> {
        self.tensors().tensors[id as usize].clone()
    }

    /// The number of a tensor.
    pub(super) fn number(&self, tensor: Tensor) -> TensorId {
        let Tensors { tensors, ids } = &mut *self.tensors();
        if let Some(&id) = ids.get(&tensor) {
            return id;
        }
        let tensor = Arc::new(tensor);
        let id = tensors.len() as TensorId;
        tensors.push(tensor.clone());
        ids.insert(tensor, id);
        id
    }
}
