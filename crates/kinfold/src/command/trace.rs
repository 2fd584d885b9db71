//! Runs, as text and as JSON.

use kinfold::{Run, Trace};
use net::Net;
use serde_json::Value;

/// A run, step by step: what fired, and what it changed.
pub fn text(net: &Net, run: &Run) -> String {
    Trace::from(run.clone()).text(net)
}

pub fn json(net: &Net, run: &Run) -> Value {
    Trace::from(run.clone()).json(net, None)
}
