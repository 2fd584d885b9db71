//! What explorations and checks may take.

use std::time::Duration;

use budget::{Budget, Limits, available_memory};
use explore::Stop;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A budget of so many seconds and bytes. Without a limit on memory it is four fifths of what the system could give,
/// as for the command.
pub fn budget(seconds: Option<f64>, memory: Option<u64>) -> PyResult<Budget> {
    let time = match seconds {
        None => None,
        Some(seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|_| {
            PyValueError::new_err(format!(
                "seconds must be a number that is not negative, not {seconds}"
            ))
        })?),
    };
    let memory = memory.or_else(|| available_memory().map(|bytes| bytes / 5 * 4));
    Ok(Budget::new(Limits { time, memory, ..Limits::default() }))
}

/// Why an exploration is incomplete, in one word, as the command says it.
pub fn reason(stop: Stop) -> &'static str {
    use budget::Exhausted;
    match stop {
        Stop::States => "states",
        Stop::Exhausted(Exhausted::Time | Exhausted::DefaultTime) => "time",
        Stop::Exhausted(Exhausted::Memory) => "memory",
        Stop::Exhausted(Exhausted::Interrupted) => "interrupted",
        Stop::Exhausted(Exhausted::Steps) => "steps",
        Stop::Label => "until",
    }
}
