//! Who is who: the threads and objects of the model, and the real ones.

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::{Mismatch, Value};

/// For each thread or object of the model, which real one it is: one to one.
#[derive(Clone, Debug)]
pub struct Identities<I> {
    real: BTreeMap<Value, I>,
}

impl<I> Default for Identities<I> {
    fn default() -> Self {
        Identities { real: BTreeMap::new() }
    }
}

impl<I: PartialEq + Debug> Identities<I> {
    /// From now on this thread or object of the model is that real one.
    ///
    /// # Errors
    /// If that is somebody else already.
    pub fn bind(&mut self, who: &Value, real: I) -> Result<(), Mismatch> {
        match self.name_of(&real).filter(|other| *other != who) {
            Some(other) => Err(Mismatch {
                expected: format!("{who} is somebody of its own"),
                seen: format!("{real:?}, who is {other} already"),
            }),
            None => {
                self.real.insert(who.clone(), real);
                Ok(())
            }
        }
    }

    /// From now on nobody is this thread or object, and its identity may be somebody else's.
    pub fn forget(&mut self, who: &Value) {
        self.real.remove(who);
    }

    /// Who a thread or object of the model is.
    ///
    /// # Errors
    /// If that was never said.
    pub fn real(&self, who: &Value) -> Result<&I, Mismatch> {
        self.real.get(who).ok_or_else(|| Mismatch {
            expected: format!("it is known who {who} is"),
            seen: "nobody was bound to it".to_owned(),
        })
    }

    /// What the model calls somebody.
    #[must_use]
    pub fn name_of(&self, real: &I) -> Option<&Value> {
        self.real.iter().find(|(_, known)| *known == real).map(|(name, _)| name)
    }
}
