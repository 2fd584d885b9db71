//! The property files of the Model Checking Contest: formulas about the places and transitions of a net.
//!
//! A file holds properties, each with an identifier and a formula: a formula of CTL* over markings, or,
//! for the examination of bounds, a quantity whose greatest value is asked for. The files are made for
//! tools and have no published standard; read is what the contest's files contain, and the neighbours of
//! it that its grammar names (comparisons other than `integer-le`, `integer-sum` and the like, the other
//! connectives, `true`, `false`, `deadlock`).
//!
//! The meaning, as the contest reads it: places and transitions are meant by their identifiers; of a
//! coloured place all tokens count, a coloured transition can fire if it can in some mode; several places
//! are added up, of several transitions one has to be able to fire.

mod check;
mod claims;
mod from_net;
mod read;
mod write;

use crate::document::Id;
use crate::xml::Format;
pub use check::check;
pub use claims::{Claim, Reading, claims};
use diagnostics::Span;
pub use from_net::from_net;
pub use read::read;
pub use write::write;

const FORMAT: Format = Format { root: "property-set", namespace: "http://mcc.lip6.fr/" };

/// Something asked about a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// What verdicts know it by.
    pub id: Id,
    /// What people say about it.
    pub description: Option<String>,
    /// What is asked.
    pub question: Question,
    /// Where it starts.
    pub span: Span,
}

/// What a property asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether this holds in the initial marking.
    Holds(Formula),
    /// How great this can become.
    Value(Quantity),
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// What it says.
    pub shape: FormulaShape,
    /// Where it starts.
    pub span: Span,
}

/// What a formula says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaShape {
    /// `true`.
    True,
    /// `false`.
    False,
    /// `deadlock`: nothing can fire.
    Deadlock,
    /// `is-fireable`: one of these transitions can fire.
    Fireable(Vec<Id>),
    /// `integer-le` and the like.
    Compare(Comparison, Quantity, Quantity),
    /// `negation`.
    Not(Box<Formula>),
    /// `conjunction`.
    And(Vec<Formula>),
    /// `disjunction`.
    Or(Vec<Formula>),
    /// `implication`.
    Implies(Box<[Formula; 2]>),
    /// `equivalence`.
    Equivalent(Box<[Formula; 2]>),
    /// `exclusive-disjunction`.
    Differ(Box<[Formula; 2]>),
    /// `all-paths`: it holds of all maximal paths from here.
    AllPaths(Box<Formula>),
    /// `exists-path`: it holds of some maximal path from here.
    ExistsPath(Box<Formula>),
    /// `next`: it holds after one step.
    Next(Box<Formula>),
    /// `globally`: it holds from now on.
    Globally(Box<Formula>),
    /// `finally`: it holds some time.
    Finally(Box<Formula>),
    /// `until`: the second holds some time, and until then the first.
    Until(Box<[Formula; 2]>),
}

/// How two quantities compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `integer-eq`.
    Equal,
    /// `integer-ne`.
    NotEqual,
    /// `integer-lt`.
    Less,
    /// `integer-le`.
    LessOrEqual,
    /// `integer-gt`.
    Greater,
    /// `integer-ge`.
    GreaterOrEqual,
}

impl Comparison {
    const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];

    /// The element of property files.
    #[must_use]
    pub fn element(self) -> &'static str {
        match self {
            Comparison::Equal => "integer-eq",
            Comparison::NotEqual => "integer-ne",
            Comparison::Less => "integer-lt",
            Comparison::LessOrEqual => "integer-le",
            Comparison::Greater => "integer-gt",
            Comparison::GreaterOrEqual => "integer-ge",
        }
    }
}

/// An integer that depends on the marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Which.
    pub shape: QuantityShape,
    /// Where it starts.
    pub span: Span,
}

/// Which integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuantityShape {
    /// `integer-constant`.
    Constant(i64),
    /// `tokens-count`: the number of tokens in these places.
    Tokens(Vec<Id>),
    /// `place-bound`: the greatest number of tokens in these places, over all reachable markings.
    Bound(Vec<Id>),
    /// `integer-sum`.
    Sum(Vec<Quantity>),
    /// `integer-product`.
    Product(Vec<Quantity>),
    /// `integer-difference`.
    Difference(Box<[Quantity; 2]>),
}
