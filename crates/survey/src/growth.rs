//! What grows in a run that did not end.
//!
//! A state space that stays infinite after folding is a fact about the model, and the user wants to
//! know what it is that grows. States are found in the order of their depth, so a quantity whose
//! maximum is still rising in the later half of them is a suspect. This proves nothing; it is reported
//! as what was seen.

use std::collections::BTreeSet;

use explore::StateId;
use net::{Net, PlaceId};
use state::Value;

use crate::reader::Reader;

/// States looked at, at most; spread evenly over all.
const SAMPLES: u32 = 200;
/// Of fewer states nothing can be said.
const FEWEST: u32 = 20;
/// Only the fastest are of interest.
const MOST_NAMED: usize = 8;

/// A quantity that was still rising when the run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// What is counted.
    pub what: String,
    /// The largest number in the first half of the states.
    pub before: u64,
    /// The largest number in the second half.
    pub after: u64,
}

/// Which quantities are still rising among `states` states, the fastest first. `name` gives what is counted,
/// by its number.
pub(crate) fn growth(
    states: u32,
    quantities: impl FnMut(StateId, &mut Vec<u64>),
    name: impl Fn(usize) -> String,
) -> Vec<Growth> {
    rising(halves(states, quantities), name)
}

/// The largest number of each quantity in the first half of the states, and in the second.
pub(crate) fn halves(
    states: u32,
    mut quantities: impl FnMut(StateId, &mut Vec<u64>),
) -> Vec<[u64; 2]> {
    let step = (states / SAMPLES).max(1);
    let mut halves: Vec<[u64; 2]> = Vec::new();
    let mut counts = Vec::new();
    for id in (0..states).step_by(step as usize).filter(|_| states >= FEWEST) {
        quantities(StateId(id), &mut counts);
        halves.resize(counts.len(), [0; 2]);
        for (half, &count) in halves.iter_mut().zip(&counts) {
            let most = &mut half[usize::from(id >= states / 2)];
            *most = count.max(*most);
        }
    }
    halves
}

/// The larger numbers of both.
pub(crate) fn raise(halves: &mut Vec<[u64; 2]>, others: &[[u64; 2]]) {
    halves.resize(halves.len().max(others.len()), [0; 2]);
    for (half, other) in halves.iter_mut().zip(others) {
        *half = [half[0].max(other[0]), half[1].max(other[1])];
    }
}

/// Which quantities are larger in the second half, the fastest first.
pub(crate) fn rising(halves: Vec<[u64; 2]>, name: impl Fn(usize) -> String) -> Vec<Growth> {
    let all = halves.into_iter().enumerate();
    let mut rising: Vec<_> = all.filter(|(_, [before, after])| after > before).collect();
    rising.sort_by_key(|(_, [before, after])| std::cmp::Reverse(after - before));
    let fastest = rising.into_iter().take(MOST_NAMED);
    fastest.map(|(i, [before, after])| Growth { what: name(i), before, after }).collect()
}

/// What is counted in a state: threads and the pids they left behind, if there can be any, and then the
/// tokens in each place. Objects are counted by the tokens that speak of them.
pub(crate) fn quantities(net: &Net, reader: &mut dyn Reader, bytes: &[u8], counts: &mut Vec<u64>) {
    reader.count_tokens_in_places(bytes, counts);
    let working = reader.working(bytes);
    let kin = working.as_ref().map_or(&[][..], |working| working.kinship.kin());
    let active = kin.iter().filter(|kin| kin.active).count();
    let mut kept = kin.len() - active;
    if kept > 0 && net.has_objects() {
        let state = reader.state(bytes);
        let is_object = |value: &&Value| matches!(value, Value::Object(..));
        let objects: BTreeSet<&Value> = state.values().filter(is_object).collect();
        // Those in columns that nothing asks for are no part of the class.
        kept = kept.saturating_sub(objects.len());
    }
    counts.splice(0..0, [active as u64, kept as u64]);
}

/// What a number of [`quantities`] counts.
pub(crate) fn name(net: &Net, number: usize) -> String {
    let (alive, kept) = match net.listing {
        Some(_) => ("processes alive", "handles of processes that have ended"),
        None => ("threads alive", "pids kept after their threads ended"),
    };
    match number {
        0 => alive.to_owned(),
        1 => kept.to_owned(),
        _ => {
            let place = PlaceId(number as u32 - 2);
            let told = trace::told_place(net, place);
            told.unwrap_or_else(|| {
                let place = net.place(place);
                let what = if place.is_flow() { "threads at" } else { "tokens in" };
                format!("{what} `{}`", place.name)
            })
        }
    }
}
