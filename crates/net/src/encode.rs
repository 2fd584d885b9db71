//! Between concrete states and working states.

use std::collections::HashMap;
use std::sync::Arc;

use fold::{Class, Column, Schema, Shape, Working, concrete};
use state::{Pid, State, Value};

use crate::{Compiled, Enumeration, Net, Place, Sort, Symmetry};

/// The shapes of the places of a net, and its classes.
pub(crate) fn schema(net: &Net) -> Schema {
    let mut classes = Vec::new();
    let of_enumeration: Vec<Column> = net
        .enumerations
        .iter()
        .map(|enumeration| match class(enumeration) {
            Some(class) => {
                classes.push(class);
                Column::Member(classes.len() as u32 - 1)
            }
            None => Column::data(enumeration.members.len() as u32),
        })
        .collect();
    let column = |sort: Sort| match sort {
        Sort::Pid => Column::Pid,
        Sort::Int { min, max } => Column::data((max - min + 1) as u32),
        Sort::Bool => Column::data(2),
        Sort::Enum(id) => of_enumeration[id.index()],
    };
    let shape = |place: &Place| Shape {
        columns: place.columns.iter().map(|c| column(c.sort)).collect(),
        flow: place.is_flow(),
    };
    Schema { places: net.places.iter().map(shape).collect(), classes }
}

/// The class that an enumeration is, if any of its members may be permuted.
pub(crate) fn class(enumeration: &Enumeration) -> Option<Class> {
    let size = enumeration.members.len() as u32;
    match enumeration.symmetry {
        Symmetry::Rotations if size > 1 => Some(Class::Cyclic(size)),
        Symmetry::Full => {
            let sizes: Vec<u32> = enumeration.part_ranges().map(|p| p.len() as u32).collect();
            sizes.iter().any(|&size| size > 1).then_some(Class::Symmetric(sizes))
        }
        _ => None,
    }
}

impl Compiled {
    /// The working state of a concrete one, and the pid that each of its indices stands for.
    ///
    /// # Panics
    /// If the state is not one of this net.
    #[must_use]
    pub fn working(&self, state: &State) -> (Working, Vec<Pid>) {
        let (net, relations) = (self.net(), self.relations());
        let pids: Vec<Pid> = state.pids().into_iter().collect();
        let index: HashMap<&Pid, u32> = pids.iter().zip(0..).collect();
        let mut working = Working::new(self.schema(), relations);
        working.kinship = concrete::abstracted(&pids, state.eta(), relations);
        for (i, place) in net.places.iter().enumerate() {
            for (token, count) in state.tokens(&place.name) {
                let words = token.iter().zip(&place.columns).map(|(value, column)| {
                    match (value, column.sort) {
                        (Value::Pid(pid), Sort::Pid) => index[pid],
                        (Value::Int(number), Sort::Int { min, .. }) => (number - min) as u32,
                        (Value::Bool(truth), Sort::Bool) => u32::from(*truth),
                        (Value::Enum(name), Sort::Enum(id)) => {
                            let members = &net.enumerations[id.index()].members;
                            members.iter().position(|m| m == name).expect("a member") as u32
                        }
                        _ => panic!("{value} is not of the sort of its column in {}", place.name),
                    }
                });
                let words: Vec<u32> = words.collect();
                assert!(working.put(i, &words, count), "as many as in the state");
            }
        }
        (working, pids)
    }

    /// A concrete state of the class of a working one.
    #[must_use]
    pub fn state(&self, working: &Working) -> State {
        let net = self.net();
        let (pids, eta) = concrete::realised(&working.kinship);
        let mut state = State::new();
        for (i, place) in net.places.iter().enumerate() {
            for entry in working.entries(i) {
                let values = entry[1..].iter().zip(&place.columns).map(|(&word, column)| {
                    match column.sort {
                        Sort::Pid => Value::Pid(pids[word as usize].clone()),
                        Sort::Int { min, .. } => Value::Int(min + i64::from(word)),
                        Sort::Bool => Value::Bool(word == 1),
                        Sort::Enum(id) => Value::Enum(Arc::clone(net.member(id, word))),
                    }
                });
                assert!(state.put(&place.name, values.collect(), entry[0]), "as many as there are");
            }
        }
        for (pid, children) in eta {
            state.activate(pid, children);
        }
        state
    }
}
