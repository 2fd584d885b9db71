//! Making dynamic subclasses as large as can be (paper, section 5.1).
//!
//! Only elements that a firing named can have become alike others (`regroup.rs` says why), and
//! firing writes these in front, each as a dynamic subclass of its own. So one [`Group`] for each of
//! them, the last one first, does what the paper does by trying all pairs until nothing changes: it
//! unites the element with the dynamic subclass behind it that it is alike, if there is one.
//!
//! Which that is must be known when sizes are written, and is known only at the end of the marking.
//! So all possibilities are followed: each united one as long as tensors allow it, and the one that
//! stays alone as long as there may be others; that none is left decides at the end. At most one of
//! them proves right, since dynamic subclasses are not alike each other.

use ddd::Result;

use super::layout::{Layout, code, index_of, subclass_of};
use super::pass::Operation;
use super::tensor::TensorId;

/// Unites the one element of a dynamic subclass with those behind it that are alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Group {
    /// The dynamic subclass of the element.
    of: u32,
    fate: Fate,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Fate {
    /// Nothing is decided.
    Open,
    /// It is to be united with a dynamic subclass that is still to come.
    Leaves,
    /// It is united with a dynamic subclass, of this size before as far as it matters.
    Joins(u32, u32),
    /// It stays alone: it is not alike any of these, with their sizes.
    Stays(Vec<(u32, u32)>),
}

impl Group {
    pub(super) fn new(subclass: u32, index: u32) -> Self {
        Self { of: code(subclass, index), fate: Fate::Open }
    }

    fn with(&self, fate: Fate) -> Self {
        Self { of: self.of, fate }
    }

    /// The code of a dynamic subclass after the element has left.
    fn renamed(&self, code: u32) -> u32 {
        let is_behind =
            subclass_of(code) == subclass_of(self.of) && index_of(code) > index_of(self.of);
        code - u32::from(is_behind)
    }
}

impl Operation for Group {
    fn size(&self, on: &Layout, subclass: u32, index: u32, size: u32) -> Vec<(Vec<u32>, Self)> {
        let this = code(subclass, index);
        if subclass != subclass_of(self.of) || this < self.of {
            return vec![(vec![size], self.clone())];
        }
        let cut = on.cut(subclass, size);
        match &self.fate {
            Fate::Open if size > 1 => Vec::new(),
            Fate::Open => vec![
                (vec![size], self.with(Fate::Stays(Vec::new()))),
                (Vec::new(), self.with(Fate::Leaves)),
            ],
            Fate::Leaves => vec![
                (vec![size], self.clone()),
                (vec![size + 1], self.with(Fate::Joins(this, cut))),
            ],
            Fate::Joins(..) => vec![(vec![size], self.clone())],
            Fate::Stays(others) => {
                let mut others = others.clone();
                others.push((this, cut));
                vec![(vec![size], self.with(Fate::Stays(others)))]
            }
        }
    }

    fn end(&self, _: &Layout, subclass: u32, _: u32) -> Option<Self> {
        let is_decided = !matches!(self.fate, Fate::Open | Fate::Leaves);
        (is_decided || subclass != subclass_of(self.of)).then(|| self.clone())
    }

    fn place(&self, on: &Layout, id: u32, tensor: TensorId) -> Result<Option<(TensorId, Self)>> {
        let place = on.place(id);
        if !place.has(on.class_of(subclass_of(self.of))) {
            return Ok(Some((tensor, self.clone())));
        }
        let cells = on.tensor(tensor);
        Ok(match &self.fate {
            Fate::Joins(with, size) => cells.is_alike(place, self.of, *with, *size).then(|| {
                let joined = cells.joined(place, self.of, *with, *size, |code| self.renamed(code));
                (on.number(joined), self.clone())
            }),
            Fate::Stays(others) => {
                let mut others = others.clone();
                others.retain(|&(other, size)| cells.is_alike(place, self.of, other, size));
                Some((tensor, self.with(Fate::Stays(others))))
            }
            Fate::Open | Fate::Leaves => None,
        })
    }

    fn accepts(&self) -> bool {
        match &self.fate {
            Fate::Joins(..) => true,
            Fate::Stays(others) => others.is_empty(),
            Fate::Open | Fate::Leaves => false,
        }
    }

    fn is_over(&self) -> bool {
        matches!(&self.fate, Fate::Stays(others) if others.is_empty())
    }
}
