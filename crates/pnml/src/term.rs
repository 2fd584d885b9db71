//! Terms: inscriptions, initial markings and conditions of symmetric nets.
//!
//! A term is an operator applied to subterms (ISO/IEC 15909-2, terms). Each operator has an element of
//! its own in documents, [`Operator::element`].

use std::ops::RangeInclusive;

use crate::document::Id;
use crate::sort::{Range, Sort};
use diagnostics::Span;
use net::BinaryOp;

/// An operator applied to subterms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// What is applied.
    pub operator: Operator,
    /// What it is applied to.
    pub subterms: Vec<Term>,
    /// Where it starts.
    pub span: Span,
}

/// What is applied in a term; constants and variables are applied to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// A variable.
    Variable(Id),
    /// An element of an enumeration, a part of a partition, or a named operator with its arguments.
    User(Id),
    /// The one element of the dot sort.
    Dot,
    /// A truth value.
    Boolean(bool),
    /// A number, for multiplicities.
    Number {
        /// Which.
        value: u64,
        /// What sort of numbers it is said to be of.
        sort: NumberSort,
    },
    /// An element of a range.
    RangeConstant {
        /// Which.
        value: i64,
        /// The range.
        range: Range,
    },
    /// A tuple of its subterms.
    Tuple,
    /// The multiset with every element of the sort once.
    All(Sort),
    /// The multiset without elements.
    Empty(Sort),
    /// The multiset with the second subterm as often as the first one says, or once if it stands alone.
    NumberOf,
    /// The sum of multisets.
    Add,
    /// The first multiset without the others.
    Subtract,
    /// The second subterm, a multiset, as often as the first one says.
    ScalarProduct,
    /// The number of elements of a multiset.
    Cardinality,
    /// How often the second subterm is in the first, a multiset.
    CardinalityOf,
    /// Whether the second multiset is part of the first.
    Contains,
    /// Whether subterms are the same or not; whether all of them hold, or some, or the second if the
    /// first does; how elements of a range compare, or those of an enumeration by their order.
    Binary(BinaryOp),
    /// How numbers compare.
    NumberOrder(BinaryOp),
    /// How parts of a partition compare by their order.
    PartOrder(BinaryOp),
    /// Whether the subterm does not hold.
    Not,
    /// The next element of a cyclic enumeration.
    Successor,
    /// The element before in a cyclic enumeration.
    Predecessor,
    /// The part of the partition that the subterm is in.
    PartOf(Id),
}

/// What sort of numbers a constant is said to be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberSort {
    /// From 1.
    Positive,
    /// From 0.
    Natural,
    /// Also below 0; though the constants of symmetric nets are not.
    Integer,
}

impl NumberSort {
    /// The element of documents.
    #[must_use]
    pub fn element(self) -> &'static str {
        match self {
            NumberSort::Positive => "positive",
            NumberSort::Natural => "natural",
            NumberSort::Integer => "integer",
        }
    }
}

/// The operators that are their element and their subterms, and nothing else; and how many subterms.
pub(crate) const PLAIN: &[(&str, Operator, RangeInclusive<usize>)] = &[
    ("tuple", Operator::Tuple, SOME),
    ("numberof", Operator::NumberOf, 1..=2),
    ("add", Operator::Add, SOME),
    ("subtract", Operator::Subtract, SOME),
    ("scalarproduct", Operator::ScalarProduct, 2..=2),
    ("cardinality", Operator::Cardinality, 1..=1),
    ("cardinalityof", Operator::CardinalityOf, 2..=2),
    ("contains", Operator::Contains, 2..=2),
    ("equality", Operator::Binary(BinaryOp::Equal), 2..=2),
    ("inequality", Operator::Binary(BinaryOp::NotEqual), 2..=2),
    ("and", Operator::Binary(BinaryOp::And), SOME),
    ("or", Operator::Binary(BinaryOp::Or), SOME),
    ("not", Operator::Not, 1..=1),
    ("imply", Operator::Binary(BinaryOp::Implies), 2..=2),
    ("successor", Operator::Successor, 1..=1),
    ("predecessor", Operator::Predecessor, 1..=1),
    ("lessthan", Operator::Binary(BinaryOp::Less), 2..=2),
    ("lessthanorequal", Operator::Binary(BinaryOp::LessEqual), 2..=2),
    ("greaterthan", Operator::Binary(BinaryOp::Greater), 2..=2),
    ("greaterthanorequal", Operator::Binary(BinaryOp::GreaterEqual), 2..=2),
    ("lt", Operator::NumberOrder(BinaryOp::Less), 2..=2),
    ("leq", Operator::NumberOrder(BinaryOp::LessEqual), 2..=2),
    ("gt", Operator::NumberOrder(BinaryOp::Greater), 2..=2),
    ("geq", Operator::NumberOrder(BinaryOp::GreaterEqual), 2..=2),
    ("ltp", Operator::PartOrder(BinaryOp::Less), 2..=2),
    ("gtp", Operator::PartOrder(BinaryOp::Greater), 2..=2),
];

/// At least one subterm.
const SOME: RangeInclusive<usize> = 1..=usize::MAX;

impl Operator {
    /// The element that stands for the operator in documents.
    #[must_use]
    pub fn element(&self) -> &'static str {
        match self {
            Operator::Variable(_) => "variable",
            Operator::User(_) => "useroperator",
            Operator::Dot => "dotconstant",
            Operator::Boolean(_) => "booleanconstant",
            Operator::Number { .. } => "numberconstant",
            Operator::RangeConstant { .. } => "finiteintrangeconstant",
            Operator::All(_) => "all",
            Operator::Empty(_) => "empty",
            Operator::PartOf(_) => "partitionelementof",
            plain => plain.row().map_or("", |(element, ..)| element),
        }
    }

    /// How many subterms it has.
    pub(crate) fn arity(&self) -> RangeInclusive<usize> {
        match self {
            Operator::User(_) => 0..=usize::MAX,
            Operator::PartOf(_) => 1..=1,
            plain => plain.row().map_or(0..=0, |(.., arity)| arity.clone()),
        }
    }

    fn row(&self) -> Option<&'static (&'static str, Operator, RangeInclusive<usize>)> {
        PLAIN.iter().find(|(_, operator, _)| operator == self)
    }
}
