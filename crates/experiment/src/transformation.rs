//! The seven transformations of Klaudel et al. (2009, §4), which make a state similar to a given one.
//!
//! The paper names them and says no more; each variant says how it is read here. All but the first may or
//! may not lead to an equivalent state, and may lead to none: what is no consistent thread configuration
//! is discarded by the caller.

use random::Random;
use serde::{Deserialize, Serialize};
use state::{Pid, Relations, Value};

use super::configuration::{Cell, Draft};
use super::renaming;

/// A way to change a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transformation {
    /// (i) Pids are renamed such that the states are equivalent.
    SwapPids,
    /// (ii) Vectors change places; each place keeps its number of vectors.
    MoveVectors,
    /// (iii) The components of a vector are put into another order.
    ShuffleComponents,
    /// (iv) Pids of two vectors are exchanged.
    ExchangePids,
    /// (iv) Data of two vectors are exchanged.
    ExchangeData,
    /// (iv) Components of two vectors are exchanged, pids or data.
    ExchangeBoth,
    /// (v) A datum becomes another: in one vector, or everywhere.
    ReplaceData,
    /// (vi) A pid becomes another, present or not: in one vector, or everywhere.
    ReplacePids,
    /// (vii) In a group of siblings, the numbers from one on are shifted, in all pids that contain them.
    ShiftPids,
}

impl Transformation {
    /// All of them, in the order of the paper.
    pub const ALL: [Transformation; 9] = [
        Transformation::SwapPids,
        Transformation::MoveVectors,
        Transformation::ShuffleComponents,
        Transformation::ExchangePids,
        Transformation::ExchangeData,
        Transformation::ExchangeBoth,
        Transformation::ReplaceData,
        Transformation::ReplacePids,
        Transformation::ShiftPids,
    ];

    /// What it is called, with the paper's number.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Transformation::SwapPids => "(i) pids swapped",
            Transformation::MoveVectors => "(ii) vectors moved",
            Transformation::ShuffleComponents => "(iii) components shuffled",
            Transformation::ExchangePids => "(iv) pids exchanged",
            Transformation::ExchangeData => "(iv) data exchanged",
            Transformation::ExchangeBoth => "(iv) both exchanged",
            Transformation::ReplaceData => "(v) data replaced",
            Transformation::ReplacePids => "(vi) pids replaced",
            Transformation::ShiftPids => "(vii) pids shifted",
        }
    }

    /// Changes the draft of a state of the cell, `times` over.
    pub(super) fn apply(
        self,
        draft: &mut Draft,
        (cell, relations, times): (Cell, Relations, usize),
        random: &mut Random,
    ) {
        let is_pid = |value: &Value| value.as_pid().is_some();
        for _ in 0..times {
            match self {
                Transformation::SwapPids => renaming::rename(draft, relations, random),
                Transformation::MoveVectors => move_vectors(draft, random),
                Transformation::ShuffleComponents => {
                    let nth = random.below(draft.vectors.len());
                    random.shuffle(&mut draft.vectors[nth].1);
                }
                Transformation::ExchangePids => exchange(draft, is_pid, random),
                Transformation::ExchangeData => exchange(draft, |value| !is_pid(value), random),
                Transformation::ExchangeBoth => exchange(draft, |_| true, random),
                Transformation::ReplaceData => replace_data(draft, cell, random),
                Transformation::ReplacePids => replace_pids(draft, random),
                Transformation::ShiftPids => shift(draft, random),
            }
        }
    }
}

fn move_vectors(draft: &mut Draft, random: &mut Random) {
    let (a, b) = (random.below(draft.vectors.len()), random.below(draft.vectors.len()));
    let place = draft.vectors[a].0.clone();
    draft.vectors[a].0 = draft.vectors[b].0.clone();
    draft.vectors[b].0 = place;
}

fn exchange(draft: &mut Draft, wanted: impl Fn(&Value) -> bool, random: &mut Random) {
    let components = draft.components(wanted);
    if components.is_empty() {
        return;
    }
    let [(a, i), (b, j)] = [*random.pick(&components), *random.pick(&components)];
    let value = draft.vectors[a].1[i].clone();
    draft.vectors[a].1[i] = std::mem::replace(&mut draft.vectors[b].1[j], value);
}

fn replace_data(draft: &mut Draft, cell: Cell, random: &mut Random) {
    let components = draft.components(|value| value.as_pid().is_none());
    if components.is_empty() {
        return;
    }
    let &(vector, position) = random.pick(&components);
    let old = draft.vectors[vector].1[position].clone();
    // One value more than the state has, so that there is another even where it has one.
    let new = Value::Int(random.below(cell.data + 1) as i64);
    replace(draft, &old, &new, (vector, position), random.below(2) == 0);
}

fn replace(draft: &mut Draft, old: &Value, new: &Value, at: (usize, usize), everywhere: bool) {
    if everywhere {
        for value in draft.vectors.iter_mut().flat_map(|(_, token)| token) {
            if value == old {
                *value = new.clone();
            }
        }
    } else {
        draft.vectors[at.0].1[at.1] = new.clone();
    }
}

fn replace_pids(draft: &mut Draft, random: &mut Random) {
    let components = draft.components(|value| value.as_pid().is_some());
    if components.is_empty() {
        return;
    }
    let &(vector, position) = random.pick(&components);
    let old = draft.vectors[vector].1[position].clone();
    let Some(old_pid) = old.as_pid().cloned() else { return };
    let pids: Vec<Pid> = draft.pids().into_iter().collect();
    let other = random.pick(&pids).clone();
    let new_pid = match random.below(4) {
        0 | 1 => other,
        2 => other
            .child(1 + random.below(1 + draft.eta.get(&other).map_or(2, |&n| n as usize)) as u32),
        _ => Pid::initial(1 + random.below(5) as u32),
    };
    let everywhere = random.below(2) == 0;
    replace(draft, &old, &Value::Pid(new_pid.clone()), (vector, position), everywhere);
    // A thread whose pid is gone has ended, or goes on under the new name.
    if !draft.pids().contains(&old_pid)
        && let Some(children) = draft.eta.remove(&old_pid)
        && random.below(2) == 0
    {
        draft.eta.entry(new_pid).or_insert(children);
    }
}

fn shift(draft: &mut Draft, random: &mut Random) {
    let pids: Vec<Pid> = draft.pids().into_iter().collect();
    if pids.is_empty() {
        return;
    }
    let pid = random.pick(&pids);
    let depth = random.below(pid.digits().len());
    let (group, from) = (pid.digits()[..depth].to_vec(), pid.digits()[depth]);
    let by = *random.pick(&[-1_i64, 1, 1, 2]);
    let shifted = |number: u32| u32::try_from(i64::from(number) + by).ok().filter(|&n| n > 0);
    let renamed = |pid: &Pid| -> Option<Pid> {
        let digits = pid.digits();
        let within = digits.len() > depth && digits[..depth] == group && digits[depth] >= from;
        let mut fresh = digits.to_vec();
        if within {
            fresh[depth] = shifted(digits[depth])?;
        }
        Some(fresh[1..].iter().fold(Pid::initial(fresh[0]), |pid, &digit| pid.child(digit)))
    };
    let mut changed = draft.clone();
    for value in changed.vectors.iter_mut().flat_map(|(_, token)| token) {
        if let Value::Pid(pid) = value {
            // What would fall below 1 cannot be shifted.
            let Some(fresh) = renamed(pid) else { return };
            *pid = fresh;
        }
    }
    // With the numbers of its children, the counter of their creator is shifted, as a rule.
    let counter_too = random.below(4) > 0;
    let children = |pid: &Pid, children: u32| {
        let counts = counter_too && pid.digits() == group;
        if counts { u32::try_from(i64::from(children) + by).ok() } else { Some(children) }
    };
    let eta = draft.eta.iter().map(|(pid, &n)| Some((renamed(pid)?, children(pid, n)?)));
    let Some(eta) = eta.collect() else { return };
    changed.eta = eta;
    // Two pids that have become one are no shift.
    if changed.pids().len() == pids.len() {
        *draft = changed;
    }
}
