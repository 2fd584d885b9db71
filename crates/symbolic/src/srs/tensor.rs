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

use super::layout::{Layout, Place, subclass_of};
use crate::explicit::marking::number_elements;
use crate::word::{dynamic, nth, sorting_key, word};

/// The number of a tensor.
pub(super) type TensorId = u32;

/// The cells of a tensor: for each the components and the count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Tensor {
    words: Vec<u32>,
}

/// The tensors met, each once.
#[derive(Debug, Default)]
pub(super) struct Tensors {
    tensors: Vec<Arc<Tensor>>,
    ids: HashMap<Arc<Tensor>, TensorId>,
}

impl Tensors {
    /// A tensor by number.
    pub(super) fn get(&self, id: TensorId) -> Arc<Tensor> {
        self.tensors[id as usize].clone()
    }

    /// The number of a tensor.
    pub(super) fn number(&mut self, tensor: Tensor) -> TensorId {
        if let Some(&id) = self.ids.get(&tensor) {
            return id;
        }
        let tensor = Arc::new(tensor);
        let id = self.tensors.len() as TensorId;
        self.tensors.push(tensor.clone());
        self.ids.insert(tensor, id);
        id
    }
}

/// Components in the order in which tensors have them.
fn compare_tuples(place: &Place, a: &[u32], b: &[u32]) -> Ordering {
    let keys = |tuple: &'_ [u32], i: usize| {
        if place.symmetric[i] { sorting_key(tuple[i]) } else { tuple[i] }
    };
    (0..a.len()).map(|i| keys(a, i).cmp(&keys(b, i))).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
}

impl Tensor {
    /// The tensor of these cells, in any order, those of count 0 left out.
    pub(super) fn new(place: &Place, mut cells: Vec<(Vec<u32>, u32)>) -> Self {
        cells.retain(|(_, count)| *count > 0);
        cells.sort_unstable_by(|(a, _), (b, _)| compare_tuples(place, a, b));
        let mut words = Vec::with_capacity(cells.len() * (place.domain.len() + 1));
        for (tuple, count) in cells {
            words.extend(tuple);
            words.push(count);
        }
        Self { words }
    }

    /// The cells: components and count.
    pub(super) fn cells(&self, place: &Place) -> impl Iterator<Item = (&[u32], u32)> {
        let arity = place.domain.len();
        self.words.chunks_exact(arity + 1).map(move |cell| (&cell[..arity], cell[arity]))
    }

    /// What is to be said of each cell after the one before: its words, with that of the first
    /// component relative.
    pub(super) fn steps(&self, place: &Place) -> impl Iterator<Item = Self> {
        let mut before = 0;
        self.words.chunks_exact(place.domain.len() + 1).map(move |cell| {
            let mut words = cell.to_vec();
            if place.domain.is_empty() {
                return Self { words };
            }
            words[0] = words[0].wrapping_sub(before);
            before = cell[0];
            Self { words }
        })
    }

    /// The tensor with dynamic subclasses renamed, each to another.
    pub(super) fn renamed(&self, place: &Place, rename: impl Fn(u32) -> u32) -> Self {
        let cells = self.cells(place).map(|(tuple, count)| {
            let tuple = tuple.iter().zip(&place.symmetric).map(|(&value, &is_symmetric)| {
                if is_symmetric { word(rename(dynamic(value)), nth(value)) } else { value }
            });
            (tuple.collect(), count)
        });
        Self::new(place, cells.collect())
    }

    /// Compares what two dynamic subclasses of one static subclass are to this tensor, in terms
    /// that no renaming of dynamic subclasses changes: the cells each occurs in, of which is seen
    /// where it occurs, the static subclasses of the others, and the count.
    pub(super) fn compare(&self, place: &Place, a: u32, b: u32) -> Ordering {
        if let [true] = place.symmetric[..] {
            let count = |of: u32| {
                let cell = self.words.chunks_exact(2).find(|cell| cell[0] == word(of, 0));
                cell.map_or(0, |cell| cell[1])
            };
            return count(b).cmp(&count(a));
        }
        self.seen_from(place, b).cmp(&self.seen_from(place, a))
    }

    fn seen_from(&self, place: &Place, code: u32) -> Vec<(Vec<u32>, u32)> {
        let is_own = |i: usize, tuple: &[u32]| place.symmetric[i] && dynamic(tuple[i]) == code;
        let own = self.cells(place).filter(|(tuple, _)| (0..tuple.len()).any(|i| is_own(i, tuple)));
        let mut seen: Vec<(Vec<u32>, u32)> = own
            .map(|(tuple, count)| {
                let seen = (0..tuple.len()).map(|i| match place.symmetric[i] {
                    _ if is_own(i, tuple) => word(0, nth(tuple[i])),
                    true => word(subclass_of(dynamic(tuple[i])) + 1, nth(tuple[i])),
                    false => tuple[i],
                });
                (seen.collect(), count)
            })
            .collect();
        seen.sort_unstable();
        seen
    }

    /// The cells that have an element of `x` or `a`, with that of `x`, its only one, counted as
    /// one of `a`: united tuple, how many elements of the union are in it, count.
    fn united(&self, place: &Place, x: u32, a: u32) -> Vec<(Vec<u32>, u32, u32)> {
        let mut scratch = Vec::new();
        let mut united = Vec::new();
        for (tuple, count) in self.cells(place) {
            let is_own = |i: &usize| {
                place.symmetric[*i] && (dynamic(tuple[*i]) == x || dynamic(tuple[*i]) == a)
            };
            if !(0..tuple.len()).any(|i| is_own(&i)) {
                continue;
            }
            let tuple = unite(place, tuple, x, a, &mut scratch);
            let met = (0..tuple.len())
                .filter(|&i| place.symmetric[i] && dynamic(tuple[i]) == a)
                .map(|i| nth(tuple[i]) + 1)
                .max()
                .unwrap_or(0);
            united.push((tuple, met, count));
        }
        united.sort_unstable();
        united
    }

    /// Whether exchanging the element of `x` with one of the dynamic subclass `a` of this size
    /// leaves the tensor as it is. The argument is that of `regroup.rs`.
    pub(super) fn is_alike(&self, place: &Place, x: u32, a: u32, size: u32) -> bool {
        if let [true] = place.symmetric[..] {
            return self.compare(place, x, a).is_eq();
        }
        self.united(place, x, a).chunk_by(|p, q| p.0 == q.0).all(|run| {
            let (_, met, count) = run[0];
            // There are cells, so there are enough elements for those with `x` in any place.
            let all = met + u32::from(size >= met);
            run.len() == all as usize && run.iter().all(|cell| cell.2 == count)
        })
    }

    /// The tensor with the element of `x` made one of `a`, to which it is alike. The codes of
    /// dynamic subclasses change.
    pub(super) fn joined(
        &self,
        place: &Place,
        x: u32,
        a: u32,
        rename: impl Fn(u32) -> u32,
    ) -> Self {
        let mut scratch = Vec::new();
        let cells = self
            .cells(place)
            .map(|(tuple, count)| (unite(place, tuple, x, a, &mut scratch), count));
        let mut cells: Vec<(Vec<u32>, u32)> = cells.collect();
        cells.sort_unstable();
        cells.dedup();
        let mut words = Vec::new();
        cells.iter().for_each(|(tuple, count)| {
            words.extend(tuple);
            words.push(*count);
        });
        Self { words }.renamed(place, rename)
    }
}

/// Numbers the elements of each dynamic subclass in a tuple in the order in which they occur.
pub(super) fn renumber(place: &Place, tuple: &mut [u32]) {
    number_elements(tuple, |i| place.symmetric[i], &mut Vec::new());
}

/// A tuple with the element of `x` counted as one of `a`.
fn unite(place: &Place, tuple: &[u32], x: u32, a: u32, scratch: &mut Vec<u32>) -> Vec<u32> {
    let mut united = tuple.to_vec();
    for (value, &is_symmetric) in united.iter_mut().zip(&place.symmetric) {
        // Elements of `a` are numbered from 0, `x` gets a number beyond all of them.
        if is_symmetric && dynamic(*value) == x {
            *value = word(a, u8::MAX.into());
        }
    }
    number_elements(&mut united, |i| place.symmetric[i], scratch);
    united
}

impl Layout {
    /// A tensor by number.
    pub(super) fn tensor(&self, id: TensorId) -> Arc<Tensor> {
        self.tensors().get(id)
    }

    /// The number of a tensor.
    pub(super) fn number(&self, tensor: Tensor) -> TensorId {
        self.tensors().number(tensor)
    }
}
