//! Why an operation could not be carried out.

/// Why an operation was given up.
///
/// None of these spoils the [`Forest`](crate::Forest): what was held before is still there, what
/// had been computed on the way is garbage or cached, and other operations may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The limit on memory is reached, or the system gives no more.
    #[error("the memory limit of decision diagrams is reached")]
    Memory,
    /// The operation has taken [`Limits::steps`](crate::Limits::steps).
    #[error("the limit on steps is reached")]
    Steps,
    /// The flag of [`Limits::interrupt`](crate::Limits::interrupt) was raised.
    #[error("interrupted")]
    Interrupted,
    /// The time of [`Limits::deadline`](crate::Limits::deadline) has come.
    #[error("the deadline has passed")]
    Deadline,
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

/// What operations return.
pub type Result<T> = std::result::Result<T, Error>;
