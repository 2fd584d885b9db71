//! What `--fair` says.

use lang::Unassumable;
use net::{Fairness, Net};

use super::Failure;

/// What is assumed: what the model declares, and what is given. `none` drops what was before it.
pub(super) fn assumed(net: &Net, given: &[String]) -> Result<Vec<Fairness>, Failure> {
    lang::assumed(net, given.iter().map(String::as_str)).map_err(|why| match why {
        Unassumable::NoThreads => Failure::usage(format!("--fair threads: {why}")),
        Unassumable::NoSuch { .. } => Failure::usage(format!("--fair: {why}")),
    })
}
