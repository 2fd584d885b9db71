//! What goes wrong in a program that runs: of which kind it is, and where.

use net::{EnumId, Origin};
use thiserror::Error;

/// Something that must not happen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// What it is.
    pub kind: FailureKind,
    /// The innermost statement that does it: in a step of an object it is one of the object, not the one that calls it.
    pub origin: Origin,
}

/// What must not happen. What is decided of failures is decided by their kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum FailureKind {
    /// An `assert` does not hold.
    #[error("the assertion does not hold")]
    Assertion,
    /// A `require` does not hold.
    #[error("what is required does not hold")]
    Requirement,
    /// A number is not one of the type of what it is given to: a variable, a parameter, a result.
    #[error("the value is out of range: {value} is not in {min}..={max}")]
    OutOfRange {
        /// The number.
        value: i64,
        /// The least number of the type.
        min: i64,
        /// The greatest number of the type.
        max: i64,
    },
    /// A collection has more elements than there is room for.
    #[error("there is no room for more than {most} elements")]
    Full {
        /// How many there may be.
        most: u32,
    },
    /// The value of `none`.
    #[error("there is no value")]
    NoValue,
    /// A field or a step of `none`.
    #[error("there is no object")]
    NoObject,
    /// `none` is joined, killed or crashed, or it is asked whether it has ended.
    #[error("there is no process")]
    NoProcess,
    /// A component of a variant that is of another case.
    #[error("it is another case")]
    OtherCase,
    /// The element of a sequence at an index that it does not have.
    #[error("there is no element at index {index}")]
    NoElement {
        /// The index.
        index: i64,
    },
    /// The element of a map with a key that it does not have.
    #[error("there is nothing with this key")]
    NoKey,
    /// The first or the last element of an empty sequence.
    #[error("the sequence is empty")]
    Empty,
    /// A division or a remainder by zero.
    #[error("this divides by zero")]
    DivisionByZero,
    /// A number that does not fit 64 bits.
    #[error("a number too large for 64 bits")]
    Overflow,
    /// A member after the last of an enumeration, or before the first.
    #[error("there is no such member")]
    NoMember {
        /// The enumeration.
        of: EnumId,
    },
    /// No mistake of the program: what is done at once takes longer than the interpreter tries. Nothing is known of what
    /// would come then.
    #[error("a limit of the interpreter: {0}")]
    Limit(Limit),
}

/// What the interpreter does not go beyond in what is done at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Limit {
    /// How often a loop goes round: [`Limit::MOST_ROUNDS`].
    #[error("a loop within one step goes round very often")]
    Rounds,
    /// How deep calls are: [`Limit::MOST_CALLS`].
    #[error("calls within one step are very deep")]
    Calls,
}

impl Limit {
    /// How often a loop may go round in what is done at once.
    pub const MOST_ROUNDS: usize = 10_000;
    /// How deep calls may be in what is done at once.
    pub const MOST_CALLS: usize = 64;
}
