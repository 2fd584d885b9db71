//! A net to walk through, and what is known of it.

use std::sync::Arc;

use net::Net;

/// A net to walk through.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) net: Arc<Net>,
}

impl View {
    pub(crate) fn of(net: Net) -> View {
        View { net: Arc::new(net) }
    }
}
