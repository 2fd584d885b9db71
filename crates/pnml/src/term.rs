//! Terms: inscriptions, initial markings and conditions of symmetric nets.
//!
//! A term is an operator applied to subterms (ISO/IEC 15909-2, terms). Each operator has an element of
//! its own in documents, [`Operator::element`].

use crate::document::Id;
use crate::sort::{Range, Sort};
use diagnostics::Span;

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
    /// Whether both subterms are the same.
    Equality,
    /// Whether they are not.
    Inequality,
    /// Whether all subterms hold.
    And,
    /// Whether one of them holds.
    Or,
    /// Whether the subterm does not hold.
    Not,
    /// Whether the second holds if the first does.
    Imply,
    /// The next element of a cyclic enumeration.
    Successor,
    /// The element before in a cyclic enumeration.
    Predecessor,
    /// `<` on ranges, and on enumerations by their order.
    LessThan,
    /// `≤` on ranges and enumerations.
    LessOrEqual,
    /// `>` on ranges and enumerations.
    GreaterThan,
    /// `≥` on ranges and enumerations.
    GreaterOrEqual,
    /// `<` on numbers.
    NumberLess,
    /// `≤` on numbers.
    NumberLessOrEqual,
    /// `>` on numbers.
    NumberGreater,
    /// `≥` on numbers.
    NumberGreaterOrEqual,
    /// The part of the partition that the subterm is in.
    PartOf(Id),
    /// `<` on the parts of a partition, by their order.
    PartLess,
    /// `>` on the parts of a partition.
    PartGreater,
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
    ("equality", Operator::Equality, Arity::Two),
    ("inequality", Operator::Inequality, Arity::Two),
    ("and", Operator::And, Arity::Some),
    ("or", Operator::Or, Arity::Some),
    ("not", Operator::Not, Arity::One),
    ("imply", Operator::Imply, Arity::Two),
    ("successor", Operator::Successor, Arity::One),
    ("predecessor", Operator::Predecessor, Arity::One),
    ("lessthan", Operator::LessThan, Arity::Two),
    ("lessthanorequal", Operator::LessOrEqual, Arity::Two),
    ("greaterthan", Operator::GreaterThan, Arity::Two),
    ("greaterthanorequal", Operator::GreaterOrEqual, Arity::Two),
    ("lt", Operator::NumberLess, Arity::Two),
    ("leq", Operator::NumberLessOrEqual, Arity::Two),
    ("gt", Operator::NumberGreater, Arity::Two),
    ("geq", Operator::NumberGreaterOrEqual, Arity::Two),
    ("ltp", Operator::PartLess, Arity::Two),
    ("gtp", Operator::PartGreater, Arity::Two),
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
        let same = std::mem::discriminant(self);
        PLAIN.iter().find(|(_, operator, _)| std::mem::discriminant(operator) == same)
    }
}
