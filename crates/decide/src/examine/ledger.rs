//! The docket as several engines work on it at once, each answer told as soon as it is known.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use budget::{Budget, Limits};

use super::docket::{Answer, Docket};

/// What decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// States one by one.
    Explicit,
    /// Sets of states in decision diagrams.
    Diagrams,
}

/// Who is told the answers: the number of the question, the answer, and the engine that found what was
/// missing.
pub type Tell<'t> = &'t mut (dyn FnMut(usize, Answer, Engine) + Send);

/// A docket that is shared.
pub struct Ledger<'t> {
    docket: Mutex<(Docket, Tell<'t>)>,
    /// Raised with each change.
    version: AtomicUsize,
    /// What all work is done within. It is interrupted when everything is answered.
    budget: Budget,
}

impl<'t> Ledger<'t> {
    /// Opens it, and tells what is known already.
    pub fn new(docket: Docket, tell: Tell<'t>, budget: &Budget) -> Self {
        let budget = budget.child(Limits::default());
        let ledger =
            Self { docket: Mutex::new((docket, tell)), version: AtomicUsize::new(1), budget };
        ledger.settle(Engine::Explicit, std::iter::empty());
        ledger
    }

    fn lock(&self) -> MutexGuard<'_, (Docket, Tell<'t>)> {
        self.docket.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks into the docket.
    pub fn read<T>(&self, look: impl FnOnce(&mut Docket) -> T) -> T {
        look(&mut self.lock().0)
    }

    /// Notes what was found, and tells what follows.
    pub fn settle(&self, by: Engine, found: impl IntoIterator<Item = (usize, Answer)>) {
        let (docket, tell) = &mut *self.lock();
        found.into_iter().for_each(|(matter, answer)| docket.settle(matter, answer));
        docket.answered().into_iter().for_each(|(question, answer)| tell(question, answer, by));
        self.version.fetch_add(1, Ordering::Relaxed);
        if docket.is_done() {
            self.budget.interrupt();
        }
    }

    /// A number that changes whenever something is settled.
    pub fn version(&self) -> usize {
        self.version.load(Ordering::Relaxed)
    }

    /// What all work is done within.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Whether everything is answered, or the budget is used up.
    pub fn is_over(&self) -> bool {
        self.budget.is_exhausted()
    }
}
