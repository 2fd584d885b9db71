//! Where the recursion runs, and how deep it may go.
//!
//! How much stack is in use is read off the address of a local variable. That is exact whatever
//! the frames of user-defined homomorphisms are, and costs two instructions.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

use crate::{Error, Forest, Result};

/// What is taken of the caller's stack.
const SHALLOW: usize = 1 << 18;
/// What is left for functions that do not check, user-defined ones among them.
const MARGIN: usize = 1 << 17;

/// After one operation that needed a stack of its own, this many others probably do.
const DEEP: u8 = 16;
/// Arcs that the stack of arcs keeps room for between operations.
const KEPT: usize = 1 << 10;

/// The stack of the operation under way.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    /// Address at which it began; none if no operation is under way.
    base: Option<usize>,
    allowed: usize,
    /// How many operations more get a stack of their own without trying.
    deep: u8,
    /// An error that an operation within a user-defined homomorphism ended with.
    pub(crate) raised: Option<Error>,
}

#[inline(always)]
fn here() -> usize {
    let local = 0u8;
    std::hint::black_box(&raw const local) as usize
}

impl Stack {
    #[inline(always)]
    pub(crate) fn check(&self) -> Result<()> {
        let base = self.base.unwrap_or_default();
        if base.abs_diff(here()) > self.allowed { Err(Error::Depth) } else { Ok(()) }
    }
}

impl Forest {
    /// Carries out an operation, on this stack or a larger one.
    pub(crate) fn run<T: Send>(
        &mut self,
        work: impl Fn(&mut Self) -> Result<T> + Sync,
    ) -> Result<T> {
        if self.depth.base.is_some() {
            let result = work(self);
            if let Err(error) = &result {
                self.depth.raised.get_or_insert(*error);
            }
            return result;
        }
        self.limits.budget.check()?;
        self.steps = self.limits.steps.unwrap_or(u64::MAX);
        let collections = self.collections;
        let mut result = self.attempt(&work);
        // If there was no occasion on the way to collect garbage, what was there before may have
        // been to blame.
        if matches!(result, Err(Error::MEMORY)) && self.collections == collections {
            self.collect_garbage();
            result = self.attempt(&work);
        }
        // Leave room for what comes next.
        if matches!(result, Err(Error::MEMORY)) {
            self.collect_garbage();
        }
        result
    }

    fn attempt<T: Send>(&mut self, work: &(impl Fn(&mut Self) -> Result<T> + Sync)) -> Result<T> {
        if self.depth.deep == 0 {
            let result = self.run_here(SHALLOW, work);
            if !matches!(result, Err(Error::Depth)) {
                return result;
            }
        }
        self.depth.deep = self.depth.deep.checked_sub(1).unwrap_or(DEEP);
        let size = self.limits.stack.max(2 * SHALLOW);
        thread::scope(|scope| {
            let forest = &mut *self;
            let run = move || forest.run_here(size - MARGIN, work);
            let thread = thread::Builder::new().stack_size(size).spawn_scoped(scope, run);
            let thread = thread.map_err(|_| Error::Depth)?;
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    fn run_here<T>(&mut self, allowed: usize, work: impl Fn(&mut Self) -> Result<T>) -> Result<T> {
        self.depth.base = Some(here());
        self.depth.allowed = allowed;
        let result = catch_unwind(AssertUnwindSafe(|| work(self)));
        self.depth.base = None;
        self.stack.clear();
        self.stack.shrink_to(KEPT);
        let raised = self.depth.raised.take();
        match result {
            Ok(result) => raised.map_or(result, Err),
            Err(panic) => resume_unwind(panic),
        }
    }
}
