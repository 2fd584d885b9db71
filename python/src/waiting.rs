//! Engines work in a thread of their own, with a stack for the deepest expression. Meanwhile the thread that asked has
//! no hold on the interpreter, so that other Python threads run, and looks for signals now and then: Ctrl-C ends the
//! budget, upon which engines stop at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use budget::Budget;
use pyo3::prelude::*;

use crate::errors::internal;

/// Enough for the deepest expression that the language admits, as for the command.
const STACK_BYTES: usize = 64 << 20;
/// How often signals are looked for.
const MOMENT: Duration = Duration::from_millis(30);

/// What some work gives that ends soon after its budget does.
///
/// # Errors
/// If a signal handler raises, which that of Ctrl-C does; or the work panics.
pub fn awaited<T: Send>(
    py: Python<'_>,
    budget: &Budget,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let done = AtomicBool::new(false);
    let asking = thread::current();
    thread::scope(|scope| {
        let working = || {
            let found = work();
            done.store(true, Ordering::Release);
            asking.unpark();
            found
        };
        let builder = thread::Builder::new().name("kinfold".into()).stack_size(STACK_BYTES);
        let worker = builder.spawn_scoped(scope, working)?;
        let mut raised = None;
        while !done.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(MOMENT));
            if let (None, Err(error)) = (&raised, py.check_signals()) {
                budget.interrupt();
                raised = Some(error);
            }
        }
        let found = py.detach(|| worker.join());
        match (raised, found) {
            (Some(error), _) => Err(error),
            (None, Ok(found)) => Ok(found),
            (None, Err(payload)) => Err(internal(&*payload)),
        }
    })
}
