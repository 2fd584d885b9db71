//! The thread that looks at clock and memory.

use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use crate::node::Node;

/// The time between two looks. A process that fills memory as fast as it can gets some ten megabytes
/// further in it.
const PACE: Duration = Duration::from_millis(4);
/// It calls nothing that is deep.
const STACK: usize = 1 << 16;

/// Starts a thread that looks at this node and all below it, until the node is gone or used up; whether
/// there is such a thread.
pub(crate) fn start(root: &Arc<Node>) -> bool {
    let root = Arc::downgrade(root);
    let thread = thread::Builder::new().name("budget".into()).stack_size(STACK);
    thread.spawn(move || watch(&root)).is_ok()
}

fn watch(root: &Weak<Node>) {
    loop {
        thread::sleep(PACE);
        let Some(root) = root.upgrade() else { return };
        root.look_below();
        if root.exhausted().is_some() {
            return;
        }
    }
}
