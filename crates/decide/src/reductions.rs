//! Which reductions may be used, and which were.
//!
//! Verdicts do not depend on them; how many states are looked at does.

use std::fmt;

/// A way to look at fewer states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reduction {
    /// Of the transitions that are enabled in a state, only some are fired: a stubborn set.
    Stubborn,
    /// Places and transitions that make no difference to what is asked are taken out of the net.
    Structural,
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reduction::Stubborn => "stubborn sets",
            Reduction::Structural => "structural reductions",
        })
    }
}

/// The reductions that may be used; by default all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// See [`Reduction::Stubborn`].
    pub stubborn: bool,
    /// See [`Reduction::Structural`].
    pub structural: bool,
    /// Whether reductions are used from the start where runs are to be shown. By default they are when a model has turned
    /// out not to be small, so that runs are shortest where it is.
    pub from_start: bool,
}

impl Reductions {
    /// None of them.
    pub const NONE: Reductions =
        Reductions { stubborn: false, structural: false, from_start: false };
}

impl Default for Reductions {
    fn default() -> Self {
        Reductions { stubborn: true, structural: true, from_start: false }
    }
}
