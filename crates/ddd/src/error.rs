//! Why an operation could not be carried out.

use budget::Exhausted;

/// Why an operation was given up.
///
/// None of these spoils the [`Forest`](crate::Forest): what was held before is still there, what
/// had been computed on the way is garbage or cached, and other operations may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The budget is used up; or the operation would need more memory than the forest may have or the
    /// system gives, or more steps than [`Limits::steps`](crate::Limits::steps).
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// The recursion needs more stack than [`Limits::stack`](crate::Limits::stack).
    #[error("the diagram is too deep for the stack")]
    Depth,
    /// A shifted value does not fit into [`Value`](crate::Value).
    #[error("a value does not fit into 32 bits")]
    Overflow,
    /// A variable is larger than [`MAX_VARIABLE`](crate::MAX_VARIABLE).
    #[error("variable {0} is out of range")]
    Variable(u32),
}

impl Error {
    /// There is no memory.
    pub(crate) const MEMORY: Self = Self::Exhausted(Exhausted::Memory);
}

/// What operations return.
pub type Result<T> = std::result::Result<T, Error>;
