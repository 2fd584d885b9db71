//! What can go wrong while a program runs.

use net::Origin;

/// Something that goes wrong, and where.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// What it is.
    pub kind: FailureKind,
    /// The statement that does it.
    pub origin: Origin,
}

/// A kind of thing that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// An `assert` does not hold.
    Assertion,
    /// A `require` does not hold.
    Requirement,
    /// A value is none of the type that it is assigned to.
    OutOfRange,
    /// There is nothing, where something is needed.
    NoValue,
    /// There is no such element, or no such key.
    NoElement,
    /// A collection has no room for one more.
    Full,
    /// A variant is of another case.
    OtherCase,
    /// There is no such member of an enumeration.
    NoMember,
    /// A division by zero.
    DivisionByZero,
    /// A number that does not fit 64 bits.
    Overflow,
    /// What is done at once has no end.
    Endless,
}

impl FailureKind {
    /// What is wrong, in a few words.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            FailureKind::Assertion => "the assertion does not hold",
            FailureKind::Requirement => "what is required does not hold",
            FailureKind::OutOfRange => "the value is out of range",
            FailureKind::NoValue => "there is no value",
            FailureKind::NoElement => "there is no such element",
            FailureKind::Full => "the collection is full",
            FailureKind::OtherCase => "it is another case",
            FailureKind::NoMember => "there is no such member",
            FailureKind::DivisionByZero => "this divides by zero",
            FailureKind::Overflow => "the number does not fit 64 bits",
            FailureKind::Endless => "what is done at once has no end",
        }
    }
}
