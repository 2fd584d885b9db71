//! What signals lead to.
//!
//! The first one interrupts the run, which then has to be reported. Others that come soon after it, from an impatient user
//! or a system that shuts down, ask for the same, and so do those that come while results are written. A later one means
//! that the run does not end as it should.

use std::time::{Duration, Instant};

/// Signals within this time are one.
const SOON: Duration = Duration::from_secs(2);

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// End the run.
    Interrupt,
    Ignore,
    /// End the process.
    Exit,
}

/// The signals so far.
pub struct Signals {
    first: Option<Instant>,
}

impl Signals {
    pub const NONE: Signals = Signals { first: None };

    /// Whether the run is to end.
    pub fn have_come(&self) -> bool {
        self.first.is_some()
    }

    /// What another one leads to.
    pub fn response(&mut self, now: Instant, is_writing: bool) -> Response {
        match self.first {
            None => {
                self.first = Some(now);
                Response::Interrupt
            }
            Some(first) if is_writing || now.duration_since(first) < SOON => Response::Ignore,
            Some(_) => Response::Exit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_time_to_end_before_a_signal_ends_the_process() {
        let (mut signals, start) = (Signals::NONE, Instant::now());
        assert!(!signals.have_come());
        let mut at = |millis: u64, is_writing| {
            signals.response(start + Duration::from_millis(millis), is_writing)
        };
        assert_eq!(at(0, false), Response::Interrupt);
        assert_eq!([at(20, false), at(1999, false)], [Response::Ignore; 2]);
        assert_eq!(at(60_000, true), Response::Ignore);
        assert_eq!(at(60_000, false), Response::Exit);
        assert!(signals.have_come());
    }
}
