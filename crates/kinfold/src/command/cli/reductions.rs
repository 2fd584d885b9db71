//! Which reductions may be used.

use clap::Args;
use kinfold::Reductions;

/// Reductions, each of which can be switched off.
#[derive(Args)]
#[command(next_help_heading = "Reductions")]
pub struct ReductionArgs {
    /// Use no reductions: look at every state. Verdicts do not depend on it
    #[arg(long)]
    no_reduce: bool,
    /// Use reductions from the start, not only when there are many states: stubborn sets for threads, smaller nets
    /// where there are none; runs that are shown need not be shortest then
    #[arg(long, conflicts_with_all = ["no_reduce", "no_stubborn"])]
    reduce: bool,
    /// Do without stubborn sets
    #[arg(long)]
    no_stubborn: bool,
    /// Do without structural reductions of nets
    #[arg(long)]
    no_structural: bool,
}

impl ReductionArgs {
    /// What may be used.
    pub fn allowed(&self) -> Reductions {
        match self.no_reduce {
            true => Reductions::NONE,
            false => Reductions {
                stubborn: !self.no_stubborn,
                structural: !self.no_structural,
                from_start: self.reduce,
            },
        }
    }
}
