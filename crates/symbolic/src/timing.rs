//! Whether there is time left.

use std::sync::atomic::Ordering;
use std::time::Instant;

use ddd::{Error, Limits, Result};

/// That neither the deadline has passed nor the interrupt been raised.
pub(crate) fn in_time(limits: &Limits) -> Result<()> {
    if limits.interrupt.as_ref().is_some_and(|raised| raised.load(Ordering::Relaxed)) {
        return Err(Error::Interrupted);
    }
    if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        return Err(Error::Deadline);
    }
    Ok(())
}
