//! The thread that looks at clock and memory.

use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use crate::node::Node;

/// The time between two looks where the limit on memory is far away.
const PACE: Duration = Duration::from_millis(4);

/// The time between two looks close to it.
const SHORTEST: Duration = Duration::from_micros(200);

/// The bytes that a process may fill in a second, roughly: so fast the limit may come closer.
const BYTES_PER_SECOND: u64 = 1 << 30;
/// It calls nothing that is deep.
const STACK: usize = 1 << 16;

/// Starts a thread that looks at this node and all below it, until the node is gone or used up; whether
/// there is such a thread.
pub(crate) fn start(root: &Arc<Node>) -> bool {
    let root = Arc::downgrade(root);
    let thread = thread::Builder::new().name("budget".into()).stack_size(STACK);
    thread.spawn(move || watch(&root)).is_ok()
}

/// How long to wait where this many bytes are left: half of the time in which they may be filled.
fn pace_with(left: Option<u64>) -> Duration {
    let nanos = |left: u64| left.saturating_mul(1_000_000_000 / 2 / (BYTES_PER_SECOND >> 10)) >> 10;
    left.map_or(PACE, |left| Duration::from_nanos(nanos(left)).clamp(SHORTEST, PACE))
}

fn watch(root: &Weak<Node>) {
    let mut pace = SHORTEST;
    loop {
        thread::sleep(pace);
        let Some(root) = root.upgrade() else { return };
        let left = root.look_below();
        pace = pace_with(left);
        if root.exhausted().is_some() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closer_the_limit_the_shorter_the_pace() {
        assert_eq!((pace_with(None), pace_with(Some(u64::MAX))), (PACE, PACE));
        assert_eq!((pace_with(Some(1 << 30)), pace_with(Some(0))), (PACE, SHORTEST));
        let paces = [1 << 19, 1 << 20, 1 << 21, 1 << 22].map(|left| pace_with(Some(left)));
        assert!(paces.is_sorted() && paces[0] < paces[3], "{paces:?}");
    }
}
