//! Runs, states and statements as they are told.

mod golden;
mod random_runs;
mod runs;
