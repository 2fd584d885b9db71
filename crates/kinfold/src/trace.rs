//! What is shown of a property that fails, or of what is reachable: a concrete run, and for what goes on for
//! ever, how it goes on.

use std::collections::BTreeMap;

use state::Pid;

use crate::Run;

/// A concrete run that shows something.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The run.
    pub run: Run,
    /// How it goes on for ever, if it does.
    pub back: Option<Back>,
}

/// How a run goes on for ever: its last state is equivalent to an earlier one, from which the same happens
/// again, to the threads that have taken the places of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Back {
    /// The earlier state: 0 is the initial one, `i` that after step `i`. If it is the last state itself,
    /// nothing happens any more.
    pub to: usize,
    /// For each thread of the last state, whose place it has taken, that is, which thread of the earlier
    /// state it now does as.
    pub replaced: BTreeMap<Pid, Pid>,
}
