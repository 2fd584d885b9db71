//! Sorts: what tokens are made of.
//!
//! ISO/IEC 15909-2 builds the sorts of symmetric nets from the dot, booleans, enumerations (finite, or
//! cyclic, where every element has a successor), ranges of integers, and products of these. Sorts of
//! high-level nets that are not finite (numbers, strings, lists) and multisets as sorts are not read.

use crate::declaration::Constant;
use crate::document::Id;
use diagnostics::Span;

/// A sort as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// What it is.
    pub shape: Shape,
    /// Where it is written.
    pub span: Span,
}

/// What a sort is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `dot`: the sort with one element.
    Dot,
    /// `bool`: the truth values.
    Bool,
    /// `finiteenumeration` and `cyclicenumeration`: a class given by its elements. Directly within a
    /// named sort only.
    Enumeration {
        /// Whether the last element is followed by the first.
        cyclic: bool,
        /// The elements; their order matters for comparisons and successors.
        constants: Vec<Constant>,
    },
    /// `finiteintrange`: the integers between two, both included.
    Range(Range),
    /// `productsort`: tuples.
    Product(Vec<Sort>),
    /// `usersort`: a named sort or a partition.
    User(Id),
}

/// Integers between two, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// The least.
    pub start: i64,
    /// The greatest.
    pub end: i64,
}

impl Range {
    /// How many there are.
    #[must_use]
    pub fn size(self) -> u64 {
        if self.start > self.end { 0 } else { self.start.abs_diff(self.end).saturating_add(1) }
    }

    /// Whether this is one of them.
    #[must_use]
    pub fn contains(self, value: i64) -> bool {
        (self.start..=self.end).contains(&value)
    }
}
