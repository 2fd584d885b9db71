//! Terms: inscriptions, initial markings and conditions of symmetric nets.
//!
//! A term is an operator applied to subterms (ISO/IEC 15909-2, terms). Each operator has an element of
//! its own in documents, [`Operator::element`].

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
pub(crate) const PLAIN: &[(&str, Operator, Arity)] = &[
    ("tuple", Operator::Tuple, Arity::Some),
    ("numberof", Operator::NumberOf, Arity::OneOrTwo),
    ("add", Operator::Add, Arity::Some),
    ("subtract", Operator::Subtract, Arity::Some),
    ("scalarproduct", Operator::ScalarProduct, Arity::Two),
    ("cardinality", Operator::Cardinality, Arity::One),
    ("cardinalityof", Operator::CardinalityOf, Arity::Two),
    ("contains", Operator::Contains, Arity::Two),
    ("equality", Operator::Binary(BinaryOp::Equal), Arity::Two),
    ("inequality", Operator::Binary(BinaryOp::NotEqual), Arity::Two),
    ("and", Operator::Binary(BinaryOp::And), Arity::Some),
    ("or", Operator::Binary(BinaryOp::Or), Arity::Some),
    ("not", Operator::Not, Arity::One),
    ("imply", Operator::Binary(BinaryOp::Implies), Arity::Two),
    ("successor", Operator::Successor, Arity::One),
    ("predecessor", Operator::Predecessor, Arity::One),
    ("lessthan", Operator::Binary(BinaryOp::Less), Arity::Two),
    ("lessthanorequal", Operator::Binary(BinaryOp::LessEqual), Arity::Two),
    ("greaterthan", Operator::Binary(BinaryOp::Greater), Arity::Two),
    ("greaterthanorequal", Operator::Binary(BinaryOp::GreaterEqual), Arity::Two),
    ("lt", Operator::NumberOrder(BinaryOp::Less), Arity::Two),
    ("leq", Operator::NumberOrder(BinaryOp::LessEqual), Arity::Two),
    ("gt", Operator::NumberOrder(BinaryOp::Greater), Arity::Two),
    ("geq", Operator::NumberOrder(BinaryOp::GreaterEqual), Arity::Two),
    ("ltp", Operator::PartOrder(BinaryOp::Less), Arity::Two),
    ("gtp", Operator::PartOrder(BinaryOp::Greater), Arity::Two),
];

/// How many subterms an operator has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arity {
    None,
    One,
    OneOrTwo,
    Two,
    /// At least one.
    Some,
    Any,
}

impl Arity {
    pub(crate) fn allows(self, count: usize) -> bool {
        match self {
            Arity::None => count == 0,
            Arity::One => count == 1,
            Arity::OneOrTwo => (1..=2).contains(&count),
            Arity::Two => count == 2,
            Arity::Some => count > 0,
            Arity::Any => true,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Arity::None => "no subterm",
            Arity::One => "one subterm",
            Arity::OneOrTwo => "two subterms, a number and a term",
            Arity::Two => "two subterms",
            Arity::Some => "at least one subterm",
            Arity::Any => "any number of subterms",
        }
    }
}

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

    pub(crate) fn arity(&self) -> Arity {
        match self {
            Operator::User(_) => Arity::Any,
            Operator::PartOf(_) => Arity::One,
            plain => plain.row().map_or(Arity::None, |(.., arity)| *arity),
        }
    }

    fn row(&self) -> Option<&'static (&'static str, Operator, Arity)> {
        PLAIN.iter().find(|(_, operator, _)| operator == self)
    }
}
