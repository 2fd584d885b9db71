//! Objects that are created, and those that nobody can reach any more.
//!
//! Reached are the active threads and what the tokens of flow places and of other places that are roots mention; and
//! whatever a token mentions whose owner is reached. A token whose owner is not reached is garbage.

use std::collections::BTreeSet;
use std::sync::Arc;

use fold::Hold;
use state::{State, Value};

use crate::Net;

/// An object of a class that is none of those in use: that with the least number.
pub(super) fn unused<'v>(class: &Arc<str>, in_use: impl Iterator<Item = &'v Value>) -> Value {
    let number = |value: &Value| match value {
        Value::Object(other, number) if other == class => Some(*number),
        _ => None,
    };
    let taken: BTreeSet<u32> = in_use.filter_map(number).collect();
    let free = (1..).find(|number| !taken.contains(number)).expect("not all numbers are taken");
    Value::Object(class.clone(), free)
}

/// Removes the tokens that are garbage.
pub(super) fn drop_garbage(net: &Net, state: &mut State) {
    let owner = |hold: Hold| match hold {
        Hold::Owned(column) => Some(column),
        Hold::Root | Hold::Weak => None,
    };
    let mut reached: BTreeSet<Value> = state.eta().keys().cloned().map(Value::Pid).collect();
    for place in net.places.iter().filter(|place| place.hold == Hold::Root) {
        reached.extend(state.tokens(&place.name).flat_map(|(token, _)| token.iter().cloned()));
    }
    loop {
        let before = reached.len();
        for place in &net.places {
            let Some(column) = owner(place.hold) else { continue };
            for (token, _) in state.tokens(&place.name) {
                if reached.contains(&token[column]) {
                    reached.extend(token.iter().cloned());
                }
            }
        }
        if reached.len() == before {
            break;
        }
    }
    for place in &net.places {
        let Some(column) = owner(place.hold) else { continue };
        let tokens =
            state.tokens(&place.name).filter(|(token, _)| !reached.contains(&token[column]));
        let garbage: Vec<_> = tokens.map(|(token, count)| (token.clone(), count)).collect();
        for (token, count) in garbage {
            assert!(state.take(&place.name, &token, count), "it is there");
        }
    }
}
