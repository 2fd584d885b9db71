//! Deciding by the engine that is asked for.

use std::sync::Arc;

use kinfold::{Checking, NotDecided, Report, verify};
use net::{Net, Property};

use super::super::explore;
use super::super::progress::Watch;
use super::Failure;

/// Decides properties.
pub(super) fn decided(
    net: &Arc<Net>,
    properties: &[Property],
    checking: &Checking,
    watch: &mut Watch,
) -> Result<Report, Failure> {
    let report = verify(net, properties, checking, &mut |progress| watch.see(progress));
    report.map_err(|error| match error {
        NotDecided::Threads => {
            Failure::usage(format!("--engine ddd: {error}; use --engine explicit"))
        }
        NotDecided::NoPlace(_) => Failure::usage(error.to_string()),
        NotDecided::Survey(error) => explore::failure(net, &error),
    })
}
