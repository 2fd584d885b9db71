//! The property files of the Model Checking Contest: formulas about the places and transitions of a net.
//!
//! A file holds properties, each with an identifier and a formula: a formula of CTL* over markings, or,
//! for the examination of bounds, an integer whose greatest value is asked for. The files are made for
//! tools and have no published standard. What the contest's files contain is read, and also what else
//! their grammar names (comparisons other than `integer-le`, `integer-sum` and the like, the other
//! connectives, `true`, `false`, `deadlock`).
//!
//! The meaning, as the contest reads it: places and transitions are named by their identifiers; of a
//! coloured place all tokens count, a coloured transition can fire if it can in some mode; several places
//! are added up, of several transitions one has to be able to fire.

mod claims;
mod from_net;
mod read;
mod write;

use std::ops::RangeInclusive;

use crate::document::Id;
use crate::xml::Format;
pub use claims::{Claim, Reading, claims};
use diagnostics::Span;
pub use from_net::from_net;
use net::BinaryOp;
pub use read::read;
pub use write::write;

const FORMAT: Format = Format { root: "property-set", namespace: "http://mcc.lip6.fr/" };

/// A question about a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The identifier, which verdicts refer to.
    pub id: Id,
    /// What it says in words.
    pub description: Option<String>,
    /// What has to hold in the initial marking; or, if it is an integer, what the greatest value is
    /// asked of.
    pub formula: Formula,
    /// Where it starts.
    pub span: Span,
}

/// A formula, or an integer in one: an operator applied to operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// What is applied.
    pub operator: Operator,
    /// What it is applied to.
    pub operands: Vec<Formula>,
    /// Where it starts.
    pub span: Span,
}

/// What is applied in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `true`.
    True,
    /// `false`.
    False,
    /// `deadlock`: nothing can fire.
    Deadlock,
    /// `is-fireable`: one of these transitions can fire.
    Fireable(Vec<Id>),
    /// `integer-constant`.
    Constant(i64),
    /// `tokens-count`: the number of tokens in these places.
    Tokens(Vec<Id>),
    /// `place-bound`: the greatest number of tokens in these places, over all reachable markings.
    Bound(Vec<Id>),
    /// `negation`.
    Not,
    /// `conjunction`, `disjunction` and `implication`; comparisons of integers; their sums, products and
    /// differences. Conjunctions, disjunctions, sums and products have any number of operands but none.
    Binary(BinaryOp),
    /// `equivalence`.
    Equivalent,
    /// `exclusive-disjunction`.
    Differ,
    /// `all-paths`: it holds of all maximal paths from here.
    AllPaths,
    /// `exists-path`: it holds of some maximal path from here.
    ExistsPath,
    /// `next`: it holds after one step.
    Next,
    /// `globally`: it holds from now on.
    Globally,
    /// `finally`: it holds some time.
    Finally,
    /// `until`: the second holds some time, and until then the first.
    Until,
}

impl Formula {
    /// Whether it is an integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        use BinaryOp::{Add, Multiply, Subtract};
        matches!(
            self.operator,
            Operator::Constant(_)
                | Operator::Tokens(_)
                | Operator::Bound(_)
                | Operator::Binary(Add | Multiply | Subtract)
        )
    }
}

/// What an operator is applied to: how many, and whether these are integers.
type Operands = (RangeInclusive<usize>, bool);

const NOTHING: Operands = (0..=0, false);
const FORMULA: Operands = (1..=1, false);
const TWO_FORMULAS: Operands = (2..=2, false);
const FORMULAS: Operands = (1..=usize::MAX, false);
const TWO_INTEGERS: Operands = (2..=2, true);
const INTEGERS: Operands = (1..=usize::MAX, true);

/// The operators that are their element and their operands, and nothing else.
const PLAIN: &[(&str, Operator, Operands)] = &[
    ("conjunction", Operator::Binary(BinaryOp::And), FORMULAS),
    ("disjunction", Operator::Binary(BinaryOp::Or), FORMULAS),
    ("negation", Operator::Not, FORMULA),
    ("implication", Operator::Binary(BinaryOp::Implies), TWO_FORMULAS),
    ("equivalence", Operator::Equivalent, TWO_FORMULAS),
    ("exclusive-disjunction", Operator::Differ, TWO_FORMULAS),
    ("all-paths", Operator::AllPaths, FORMULA),
    ("exists-path", Operator::ExistsPath, FORMULA),
    ("globally", Operator::Globally, FORMULA),
    ("finally", Operator::Finally, FORMULA),
    ("next", Operator::Next, FORMULA),
    ("until", Operator::Until, TWO_FORMULAS),
    ("deadlock", Operator::Deadlock, NOTHING),
    ("true", Operator::True, NOTHING),
    ("false", Operator::False, NOTHING),
    ("integer-le", Operator::Binary(BinaryOp::LessEqual), TWO_INTEGERS),
    ("integer-lt", Operator::Binary(BinaryOp::Less), TWO_INTEGERS),
    ("integer-ge", Operator::Binary(BinaryOp::GreaterEqual), TWO_INTEGERS),
    ("integer-gt", Operator::Binary(BinaryOp::Greater), TWO_INTEGERS),
    ("integer-eq", Operator::Binary(BinaryOp::Equal), TWO_INTEGERS),
    ("integer-ne", Operator::Binary(BinaryOp::NotEqual), TWO_INTEGERS),
    ("integer-sum", Operator::Binary(BinaryOp::Add), INTEGERS),
    ("integer-product", Operator::Binary(BinaryOp::Multiply), INTEGERS),
    ("integer-difference", Operator::Binary(BinaryOp::Subtract), TWO_INTEGERS),
];
