//! Bytes that a data structure says it holds.

use std::sync::Arc;

use crate::node::Node;

/// Bytes that count into the limit on memory of a budget, until the account is dropped.
///
/// They protect where resident memory cannot be measured, and make limits exact in tests.
#[derive(Debug)]
pub struct Account {
    node: Arc<Node>,
    bytes: u64,
}

impl Account {
    pub(crate) fn new(node: Arc<Node>) -> Self {
        Self { node, bytes: 0 }
    }

    /// Says how many bytes there are now. If these are too many, the budget is used up.
    #[inline]
    pub fn set(&mut self, bytes: u64) {
        if bytes != self.bytes {
            self.node.count(self.bytes, bytes);
            self.bytes = bytes;
        }
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        self.set(0);
    }
}
