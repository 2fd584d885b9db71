//! What grows in a run that did not end.
//!
//! A state space that stays infinite after folding is a fact about the model, and the user wants to
//! know what it is that grows. States are found in the order of their depth, so a quantity whose
//! maximum is still rising in the later half of them is a suspect. This proves nothing; it is reported
//! as what was seen.

use explore::StateId;
use fold::Working;

/// States looked at, at most; spread evenly over all.
const SAMPLES: u32 = 200;
/// Of fewer states nothing can be said.
const FEWEST: u32 = 20;

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

/// Which quantities are still rising among `states` states, the fastest first.
pub(crate) fn growth(
    states: u32,
    mut quantities: impl FnMut(StateId) -> Vec<(String, u64)>,
) -> Vec<Growth> {
    let mut rising: Vec<Growth> = Vec::new();
    if states < FEWEST {
        return rising;
    }
    let step = (states / SAMPLES).max(1);
    for id in (0..states).step_by(step as usize) {
        for (i, (what, count)) in quantities(StateId(id)).into_iter().enumerate() {
            if rising.len() == i {
                rising.push(Growth { what, before: 0, after: 0 });
            }
            let half = if id < states / 2 { &mut rising[i].before } else { &mut rising[i].after };
            *half = (*half).max(count);
        }
    }
    rising.retain(|growth| growth.after > growth.before);
    rising.sort_by_key(|growth| std::cmp::Reverse(growth.after - growth.before));
    rising
}

/// The threads of a state, and the pids they left behind.
pub(crate) fn of_threads(working: &Working) -> Vec<(String, u64)> {
    let kin = working.kinship.kin();
    let active = kin.iter().filter(|kin| kin.active).count() as u64;
    vec![
        ("threads alive".to_owned(), active),
        ("pids kept after their threads ended".to_owned(), kin.len() as u64 - active),
    ]
}
