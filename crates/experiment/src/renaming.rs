//! Renamings of pids that make an equivalent state, whatever else is true of it.
//!
//! Pids are renumbered one group of siblings at a time, next pids included, and keep their parents. What
//! Ω sees of siblings says how: siblings that were created one right after the other stay so if
//! `next_sibling` is in Ω, and others do not become so; the order stays if `elder_sibling` is. A next pid
//! stays the last of its group in any case. Nothing here looks at graphs or canonical forms, so that
//! both must say *equivalent*.

use std::collections::{BTreeMap, BTreeSet};

use random::Random;
use state::{Pid, Relation, Relations, Value};

use super::configuration::Draft;

/// Renames the pids of a consistent draft.
pub(super) fn rename(draft: &mut Draft, relations: Relations, random: &mut Random) {
    // All prefixes of pids, by what they have in common: those of pids that are gone as well.
    let mut groups: BTreeMap<Vec<u32>, BTreeSet<u32>> = BTreeMap::new();
    for pid in draft.pids() {
        for length in 0..pid.digits().len() {
            let (group, digit) = (&pid.digits()[..length], pid.digits()[length]);
            groups.entry(group.to_vec()).or_default().insert(digit);
        }
    }
    let next: BTreeMap<Vec<u32>, u32> =
        draft.eta.iter().map(|(pid, &children)| (pid.digits().to_vec(), children + 1)).collect();
    for (group, &number) in &next {
        groups.entry(group.clone()).or_default().insert(number);
    }
    let mut renumbered: BTreeMap<Vec<u32>, BTreeMap<u32, u32>> = BTreeMap::new();
    for (group, members) in &groups {
        let members: Vec<u32> = members.iter().copied().collect();
        let fresh = renumber(&members, next.contains_key(group), relations, random);
        renumbered.insert(group.clone(), fresh);
    }
    let renamed = |pid: &Pid| {
        let digits = pid.digits();
        let fresh: Vec<u32> =
            (0..digits.len()).map(|at| renumbered[&digits[..at]][&digits[at]]).collect();
        fresh[1..].iter().fold(Pid::initial(fresh[0]), |pid, &digit| pid.child(digit))
    };
    draft.eta = (draft.eta.iter())
        .map(|(pid, &children)| (renamed(pid), renumbered[pid.digits()][&(children + 1)] - 1))
        .collect();
    for value in draft.vectors.iter_mut().flat_map(|(_, token)| token) {
        if let Value::Pid(pid) = value {
            *pid = renamed(pid);
        }
    }
}

/// New numbers for siblings, which are given in order; the last may be a next pid.
fn renumber(
    members: &[u32],
    last_is_next: bool,
    relations: Relations,
    random: &mut Random,
) -> BTreeMap<u32, u32> {
    let close = relations.contains(Relation::NextSibling);
    let far = relations.contains(Relation::ElderSibling);
    let mut runs: Vec<&[u32]> = members.chunk_by(|a, b| close && a + 1 == *b).collect();
    if !far {
        let free = runs.len() - usize::from(last_is_next);
        random.shuffle(&mut runs[..free]);
    }
    let mut fresh = BTreeMap::new();
    let mut last = 0;
    for run in runs {
        last += random.below(3) as u32 + u32::from(close && last > 0);
        for &member in run {
            last += 1;
            fresh.insert(member, last);
        }
    }
    fresh
}
