//! Working states of concrete ones that come without a net.
//!
//! A net says which shapes its tokens have and what data there are. For states from elsewhere this is
//! gathered from the states themselves: each place and shape of token (which components are pids)
//! becomes a place of a [`Schema`], and the data values are numbered in their order.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use state::{Pid, Relations, State, Token, Value};

use crate::{Column, Hold, Schema, Shape, Working, concrete};

/// The shapes and data of some states.
#[derive(Clone, Debug)]
pub struct Dictionary {
    schema: Schema,
    /// The name and shape of each place of the schema.
    places: Vec<(Arc<str>, Vec<bool>)>,
    values: Vec<Value>,
}

/// Which components of a token are pids.
fn shape_of(token: &Token) -> Vec<bool> {
    token.iter().map(|value| value.as_pid().is_some()).collect()
}

fn tokens(state: &State) -> impl Iterator<Item = (&Arc<str>, &Token, u32)> {
    state.marked().flat_map(|name| state.tokens(name).map(move |(token, n)| (name, token, n)))
}

impl Dictionary {
    /// The shapes and data that occur in `states`.
    #[must_use]
    pub fn of<'a>(states: impl IntoIterator<Item = &'a State>) -> Dictionary {
        let mut places = BTreeSet::new();
        let mut values = BTreeSet::new();
        for (name, token, _) in states.into_iter().flat_map(tokens) {
            places.insert((name.clone(), shape_of(token)));
            values.extend(token.iter().filter(|value| value.as_pid().is_none()).cloned());
        }
        let data = Column::data(values.len() as u32);
        let column = |&is_pid: &bool| if is_pid { Column::Pid } else { data };
        let shape = |(_, shape): &(Arc<str>, Vec<bool>)| Shape {
            columns: shape.iter().map(column).collect(),
            flow: false,
            hold: Hold::Root,
            groups: Vec::new(),
        };
        Dictionary {
            schema: Schema { places: places.iter().map(shape).collect(), classes: Vec::new() },
            places: places.into_iter().collect(),
            values: values.into_iter().collect(),
        }
    }

    /// The shapes of the places.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The working state of a concrete one, and the pid that each index stands for.
    ///
    /// # Panics
    /// If the state has shapes or data that the dictionary does not know.
    #[must_use]
    pub fn working(&self, state: &State, relations: Relations) -> (Working, Vec<Pid>) {
        let pids: Vec<Pid> = state.pids().into_iter().collect();
        let index: HashMap<&Pid, u32> = pids.iter().zip(0..).collect();
        let mut working = Working::new(&self.schema, relations);
        working.kinship = concrete::abstracted(&pids, state.eta(), relations);
        for (name, token, count) in tokens(state) {
            let key = (name.clone(), shape_of(token));
            let place = self.places.binary_search(&key).expect("a known shape");
            let words = token.iter().map(|value| match value {
                Value::Pid(pid) => index[pid],
                datum => self.values.binary_search(datum).expect("a known datum") as u32,
            });
            let words: Vec<u32> = words.collect();
            assert!(working.put(place, &words, count), "as many as in the state");
        }
        (working, pids)
    }

    /// A concrete state of the class of a working one.
    #[must_use]
    pub fn state(&self, working: &Working) -> State {
        let (pids, eta) = concrete::realised(&working.kinship);
        let mut state = State::new();
        for (place, (name, shape)) in self.places.iter().enumerate() {
            for entry in working.entries(place) {
                let token = entry[1..].iter().zip(shape).map(|(&word, is_pid)| match is_pid {
                    true => Value::Pid(pids[word as usize].clone()),
                    false => self.values[word as usize].clone(),
                });
                assert!(state.put(name, token.collect(), entry[0]), "as many as there are");
            }
        }
        eta.into_iter().for_each(|(pid, children): (Pid, u32)| state.activate(pid, children));
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back_up_to_who_is_who() {
        let text =
            r#"{"tokens":{"p":[["1.2",3],[7,"1.2"],["1",true],[]],"q":[["1"]]},"eta":{"1":2}}"#;
        let state = State::from_json(text).unwrap();
        let dictionary = Dictionary::of([&state]);
        assert_eq!(dictionary.schema().places.len(), 4);
        let (working, pids) = dictionary.working(&state, Relations::ALL);
        assert_eq!(pids.len(), 2);
        // Nobody can see that there was a first child.
        let other = text.replace("1.2", "1.1").replace(r#""1":2"#, r#""1":1"#);
        assert_eq!(dictionary.state(&working), State::from_json(&other).unwrap());
    }
}
