//! The end of a network, before its time.

use std::sync::{Mutex, OnceLock, PoisonError};

use explore::distributed::Lost;

/// What is called when the end comes.
pub(crate) type Ear = Box<dyn FnOnce(&Lost) + Send>;

/// Why a network is of no use any more; nothing as long as it is.
#[derive(Default)]
pub(crate) struct End {
    why: OnceLock<Lost>,
    /// Told when it comes.
    ears: Mutex<Vec<Ear>>,
}

impl End {
    /// Ends it, unless it has ended already.
    pub(crate) fn come(&self, why: Lost) {
        if self.why.set(why).is_ok() {
            let why = self.why.get().expect("it was set");
            let ears =
                std::mem::take(&mut *self.ears.lock().unwrap_or_else(PoisonError::into_inner));
            ears.into_iter().for_each(|tell| tell(why));
        }
    }

    pub(crate) fn has_come(&self) -> bool {
        self.why.get().is_some()
    }

    /// That it has not come.
    pub(crate) fn check(&self) -> Result<(), Lost> {
        self.why.get().cloned().map_or(Ok(()), Err)
    }

    /// Has somebody told when it comes, or at once if it has.
    pub(crate) fn listen(&self, tell: Ear) {
        match self.why.get() {
            Some(why) => tell(why),
            None => self.ears.lock().unwrap_or_else(PoisonError::into_inner).push(tell),
        }
    }
}
