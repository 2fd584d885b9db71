//! Between concrete states and working states.

use std::collections::HashMap;
use std::sync::Arc;

use fold::{Column, Schema, Shape, Working, concrete};
use state::{Pid, Relations, State, Value};

use crate::{Net, Place, Sort};

/// The shapes of the places of a net.
pub(crate) fn schema(net: &Net) -> Schema {
    let column = |sort: Sort| match sort {
        Sort::Pid => Column::Pid,
        Sort::Int { min, max } => Column::data((max - min + 1) as u32),
        Sort::Bool => Column::data(2),
        Sort::Enum(id) => Column::data(net.enumerations[id.index()].members.len() as u32),
    };
    let shape = |place: &Place| Shape {
        columns: place.columns.iter().map(|c| column(c.sort)).collect(),
        flow: place.is_flow(),
    };
    Schema { places: net.places.iter().map(shape).collect() }
}

/// The working state of a concrete one, and the pid that each of its indices stands for.
///
/// # Panics
/// If the state is not one of this net.
pub(crate) fn working(net: &Net, state: &State, relations: Relations) -> (Working, Vec<Pid>) {
    let pids: Vec<Pid> = state.pids().into_iter().collect();
    let index: HashMap<&Pid, u32> = pids.iter().zip(0..).collect();
    let mut working = Working::new(&schema(net), relations);
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
pub(crate) fn state(net: &Net, working: &Working) -> State {
    let (pids, eta) = concrete::realised(&working.kinship);
    let mut state = State::new();
    for (i, place) in net.places.iter().enumerate() {
        for entry in working.entries(i) {
            let values =
                entry[1..].iter().zip(&place.columns).map(|(&word, column)| match column.sort {
                    Sort::Pid => Value::Pid(pids[word as usize].clone()),
                    Sort::Int { min, .. } => Value::Int(min + i64::from(word)),
                    Sort::Bool => Value::Bool(word == 1),
                    Sort::Enum(id) => Value::Enum(Arc::clone(net.member(id, word))),
                });
            assert!(state.put(&place.name, values.collect(), entry[0]), "as many as there are");
        }
    }
    for (pid, children) in eta {
        state.activate(pid, children);
    }
    state
}
