//! The docket as several engines work on it at once, each answer told as soon as it is known.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    /// Set when everything is answered; whoever sets it from outside ends the work.
    stop: Arc<AtomicBool>,
}

impl<'t> Ledger<'t> {
    /// Opens it, and tells what is known already.
    pub fn new(docket: Docket, tell: Tell<'t>, stop: Arc<AtomicBool>) -> Self {
        let ledger =
            Self { docket: Mutex::new((docket, tell)), version: AtomicUsize::new(1), stop };
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
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// A number that changes whenever something is settled.
    pub fn version(&self) -> usize {
        self.version.load(Ordering::Relaxed)
    }

    /// What ends all work.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Whether to end.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
