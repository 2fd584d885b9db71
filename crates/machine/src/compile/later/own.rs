//! What is done at once.

use std::collections::BTreeSet;

use program::{FunctionId, ObjectId, StepId};

use crate::code::Register;
use crate::later::{Later, Root, Use};

/// What is done at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    pub uses: Vec<Use>,
    /// What children may do that are started.
    pub spawned: Vec<Later>,
    /// The variables that get other values.
    pub assigned: BTreeSet<Register>,
    pub passes: bool,
    pub asks_ended: bool,
    /// The functions and steps that have been gone into.
    pub functions: BTreeSet<FunctionId>,
    pub steps: BTreeSet<(ObjectId, StepId, Root)>,
}

impl Own {
    /// The same where registers have their values in other ways.
    pub fn found(&self, by: impl Fn(Register) -> Root) -> Own {
        let found = |root: Root| match root {
            Root::Register(register) => by(register),
            Root::Global(_) | Root::Anything => root,
        };
        let uses = self.uses.iter().map(|one| Use { root: found(one.root), ..*one });
        Own {
            uses: uses.collect(),
            spawned: self.spawned.iter().map(|child| child.found(&by)).collect(),
            ..self.clone()
        }
    }

    pub fn extend(&mut self, other: Own) {
        self.uses.extend(other.uses);
        self.spawned.extend(other.spawned);
        self.passes |= other.passes;
        self.asks_ended |= other.asks_ended;
    }
}
