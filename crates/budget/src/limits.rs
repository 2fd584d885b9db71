//! What may be limited, and why a run ended.

use std::time::Duration;

/// What a [`Budget`](crate::Budget) may use. By default there is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// The time, from the moment the budget is made.
    pub time: Option<Duration>,
    /// The bytes that may be in use at once: by the whole process, and by what is counted.
    pub memory: Option<u64>,
    /// The steps, as the caller counts them. Unlike time and memory, their number does not depend on the
    /// machine.
    pub steps: Option<u64>,
}

/// Why a budget is used up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Exhausted {
    /// The time is up.
    #[error("the limit on time was reached")]
    Time,
    /// The memory is used up.
    #[error("the limit on memory was reached")]
    Memory,
    /// The run was asked to stop.
    #[error("the run was interrupted")]
    Interrupted,
    /// The steps are used up.
    #[error("the limit on steps was reached")]
    Steps,
    /// The time is up that holds by default.
    #[error("the default limit on time was reached; `--time 10m` gives more")]
    DefaultTime,
}
