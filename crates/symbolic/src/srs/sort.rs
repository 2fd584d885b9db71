//! Sorting the dynamic subclasses of each static one (paper, section 5.2).
//!
//! The paper swaps neighbours as long as that makes a marking less. Where a tensor has several
//! components of symmetric classes, that finds a local minimum: with three subclasses of one
//! element, the matrices 010/001/000 and 010/000/100 are the same up to renaming, and no swap of
//! neighbours makes either of them less. So dynamic subclasses are compared here by what no renaming
//! changes ([`Tensor::compare`](super::tensor::Tensor::compare)), place by place, the first
//! difference deciding. What is sorted so and has no two alike in all places is canonical. Where
//! there are such, the marking is *tied*: `repair.rs`.
//!
//! Sizes are not compared. They come first in a marking but would come last as a criterion, so that
//! markings that differ in sizes only have their tensors in common (the paper has them first).
//!
//! One pass moves one dynamic subclass behind all that are less and follow it. Where to is guessed
//! when sizes are written, and refuted by the tensors.

use std::cmp::Ordering;

use ddd::Result;

use super::layout::{Layout, code, subclass_of};
use super::pass::Operation;
use super::tensor::{Tensor, TensorId};
use crate::explicit::rules::Place;

/// Drops from pairs of neighbours, given by the first, those that a tensor decides; `false` if one
/// of them is in the wrong order.
fn narrow(on: &Layout, place: &Place, cells: &Tensor, open: &mut Vec<u32>) -> bool {
    let mut is_sorted = true;
    open.retain(|&first| {
        if !is_sorted || !place.has(on.class_of(subclass_of(first))) {
            return true;
        }
        let order = cells.compare(place, first, first + 1);
        is_sorted &= order.is_le();
        order.is_eq()
    });
    is_sorted
}

/// Selects markings that are sorted, or only those of them that are tied.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sorted {
    /// Neighbours that nothing has told apart so far, by the first of them.
    open: Vec<u32>,
    is_tied: bool,
}

impl Sorted {
    pub(super) fn new(is_tied: bool) -> Self {
        Self { open: Vec::new(), is_tied }
    }
}

impl Operation for Sorted {
    fn size(&self, _: &Layout, subclass: u32, index: u32, size: u32) -> Vec<(Vec<u32>, Self)> {
        let mut next = self.clone();
        next.open.extend((index > 0).then(|| code(subclass, index - 1)));
        vec![(vec![size], next)]
    }

    fn end(&self, _: &Layout, _: u32, _: u32) -> Option<Self> {
        Some(self.clone())
    }

    fn place(&self, on: &Layout, id: u32, tensor: TensorId) -> Result<Option<(TensorId, Self)>> {
        let mut next = self.clone();
        let is_sorted =
            next.open.is_empty() || narrow(on, on.place(id), &on.tensor(tensor), &mut next.open);
        Ok(is_sorted.then_some((tensor, next)))
    }

    fn accepts(&self) -> bool {
        !(self.is_tied && self.open.is_empty())
    }

    fn is_over(&self) -> bool {
        !self.is_tied && self.open.is_empty()
    }
}

/// Moves one dynamic subclass to where it belongs, of markings that are not sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Move {
    /// None has been chosen.
    Open,
    /// This one, of this size, is to be written further behind.
    Carried { of: u32, size: u32 },
    /// It was written behind another. Those up to there must be less, the next one not.
    Moved { of: u32, behind: u32, less: Vec<u32>, next: Option<u32> },
}

impl Operation for Move {
    fn size(&self, _: &Layout, subclass: u32, index: u32, size: u32) -> Vec<(Vec<u32>, Self)> {
        let this = code(subclass, index);
        let stays = (vec![size], self.clone());
        match self {
            Self::Open => vec![stays, (Vec::new(), Self::Carried { of: this, size })],
            Self::Carried { of, size: carried } => {
                let less = (*of + 1..=this).collect();
                let moved = Self::Moved { of: *of, behind: this, less, next: None };
                vec![stays, (vec![size, *carried], moved)]
            }
            Self::Moved { of, behind, less, .. } if *behind + 1 == this => {
                let (of, behind, less) = (*of, *behind, less.clone());
                vec![(vec![size], Self::Moved { of, behind, less, next: Some(this) })]
            }
            Self::Moved { .. } => vec![stays],
        }
    }

    fn end(&self, _: &Layout, _: u32, _: u32) -> Option<Self> {
        (!matches!(self, Self::Carried { .. })).then(|| self.clone())
    }

    fn place(&self, on: &Layout, id: u32, tensor: TensorId) -> Result<Option<(TensorId, Self)>> {
        let Self::Moved { of, behind, less, next } = self else {
            return Ok(Some((tensor, self.clone())));
        };
        let place = on.place(id);
        if !place.has(on.class_of(subclass_of(*of))) {
            return Ok(Some((tensor, self.clone())));
        }
        let cells = on.tensor(tensor);
        let mut open = Vec::new();
        for &other in less {
            match cells.compare(place, other, *of) {
                Ordering::Less => {}
                Ordering::Equal => open.push(other),
                Ordering::Greater => return Ok(None),
            }
        }
        let next = match next.map(|next| (next, cells.compare(place, next, *of))) {
            Some((_, Ordering::Less)) => return Ok(None),
            Some((next, Ordering::Equal)) => Some(next),
            _ => None,
        };
        let rename = |code: u32| match code {
            code if code == *of => *behind,
            code if (*of..=*behind).contains(&code) => code - 1,
            code => code,
        };
        let moved = Self::Moved { of: *of, behind: *behind, less: open, next };
        Ok(Some((on.number(Tensor::new(place, &cells.words, rename)), moved)))
    }

    /// A size that is carried must be known.
    fn is_uniform(&self) -> bool {
        *self != Self::Open
    }

    fn accepts(&self) -> bool {
        matches!(self, Self::Moved { less, .. } if less.is_empty())
    }
}

/// Whether a dynamic subclass, and the one behind it, are alike in all tensors.
pub(super) fn is_tied(on: &Layout, tensors: &[(u32, TensorId)], first: u32) -> bool {
    let mut open = vec![first];
    let mut all = tensors.iter();
    all.all(|&(id, tensor)| {
        narrow(on, on.place(id), &on.tensor(tensor), &mut open) && !open.is_empty()
    })
}
