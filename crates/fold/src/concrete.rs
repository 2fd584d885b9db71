//! From dotted pids to a kinship table, and back.
//!
//! [`abstracted`] reads the links off the digits. [`realised`] invents digits that have exactly these
//! links: a witness for people to read, equivalent to whatever state the table came from.

use std::collections::{BTreeMap, HashMap};

use state::{Pid, Relations};

use crate::kinship::Chain;
use crate::{Kin, Kinship, Link};

/// The kinship table of the pids present, in the order given; `eta` maps the active ones to their
/// numbers of children. Costs the total length of the pids, but for hashing and sorting.
#[must_use]
pub fn abstracted(pids: &[Pid], eta: &BTreeMap<Pid, u32>, relations: Relations) -> Kinship {
    let index: HashMap<&[u32], u32> = (0..).zip(pids).map(|(i, pid)| (pid.digits(), i)).collect();
    let mut groups: HashMap<&[u32], Vec<(u32, u32)>> = HashMap::new();
    for (i, pid) in (0..).zip(pids) {
        groups.entry(pid.group()).or_default().push((pid.last(), i));
    }
    groups.values_mut().for_each(|group| group.sort_unstable());
    // The youngest present sibling in a group that was created before `number`.
    // The next number of a thread may be one more than fits.
    let elder = |group: &[u32], number: u64| {
        let group = groups.get(group).map_or(&[][..], Vec::as_slice);
        match group.partition_point(|&(n, _)| u64::from(n) < number).checked_sub(1) {
            Some(at) => Link::new(group[at].1, u64::from(group[at].0) + 1 == number),
            None => Link::NONE,
        }
    };
    let ancestor = |pid: &Pid| {
        let digits = pid.digits();
        let nearest = (1..digits.len()).rev().find_map(|n| Some((n, *index.get(&digits[..n])?)));
        nearest.map_or(Link::NONE, |(n, i)| Link::new(i, n + 1 == digits.len()))
    };
    let mut kinship = Kinship::new(relations);
    for pid in pids {
        let children = eta.get(pid);
        kinship.add(Kin {
            active: children.is_some(),
            ancestor: ancestor(pid),
            elder: elder(pid.group(), pid.last().into()),
            youngest: children.map_or(Link::NONE, |&n| elder(pid.digits(), u64::from(n) + 1)),
        });
    }
    kinship
}

/// Digits for the pids of a table, in its order, and the numbers of children of the active ones, such
/// that [`abstracted`] gives the table again. Costs the number of pids times their depth.
#[must_use]
pub fn realised(kinship: &Kinship) -> (Vec<Pid>, BTreeMap<Pid, u32>) {
    let kin = kinship.kin();
    // The chains below nobody who is present come first, then those below each pid.
    let mut below: Vec<Vec<Chain>> = (0..=kin.len()).map(|_| Vec::new()).collect();
    for chain in kinship.chains() {
        let above = chain.parent.or(chain.ancestor);
        below[above.map_or(0, |pid| pid as usize + 1)].push(chain);
    }
    let mut pids: Vec<Option<Pid>> = vec![None; kin.len()];
    let mut eta = BTreeMap::new();
    let mut named = vec![None];
    while let Some(parent) = named.pop() {
        let prefix = parent.map(|at: usize| pids[at].clone().expect("the parent was named"));
        let mut level = Level { prefix: prefix.clone(), used: 0 };
        let youngest = parent.and_then(|at| kin[at].youngest.get());
        let is_last = |chain: &Chain| youngest.is_some_and(|(pid, _)| chain.members.contains(&pid));
        let mut chains = std::mem::take(&mut below[parent.map_or(0, |at| at + 1)]);
        // The chain that the next pid continues comes last.
        chains.sort_by_key(|chain| (chain.parent.is_some(), is_last(chain)));
        for (i, Chain { members, parent: known, .. }) in chains.iter().enumerate() {
            // Initial threads are siblings.
            let may_be_next = parent.is_none() && (i == 0 || !kinship.siblings().far);
            if known.is_some() || may_be_next {
                level.place(members, kinship, &mut pids);
            } else {
                let absent = level.fresh();
                Level { prefix: Some(absent), used: 0 }.place(members, kinship, &mut pids);
            }
            named.extend(members.iter().map(|&pid| Some(pid as usize)));
        }
        if let (Some(at), Some(pid)) = (parent, prefix)
            && kin[at].active
        {
            let gap = kinship.siblings().close && !youngest.is_some_and(|(_, close)| close);
            eta.insert(pid, level.used + u32::from(gap && level.used > 0));
        }
    }
    (pids.into_iter().map(|pid| pid.expect("every pid descends from a root")).collect(), eta)
}

/// The same where only some of the table are pids.
///
/// # Panics
/// If one that is no pid is active, or related to others.
#[must_use]
pub fn realised_among(
    kinship: &Kinship,
    is_pid: impl Fn(u32) -> bool,
) -> (Vec<Option<Pid>>, BTreeMap<Pid, u32>) {
    let atoms = kinship.kin().len() as u32;
    let order: Vec<u32> = (0..atoms).filter(|atom| is_pid(*atom)).collect();
    let mut index = vec![u32::MAX; atoms as usize];
    (0..).zip(&order).for_each(|(new, &old)| index[old as usize] = new);
    let strangers = (0..atoms).filter(|atom| !is_pid(*atom));
    assert!({ strangers }.all(|atom| kinship.kin()[atom as usize] == Kin::STRANGER));
    let mut among = kinship.emptied();
    among.add_renamed(kinship, &order, &index);
    let (pids, eta) = realised(&among);
    let name = |index: &u32| pids.get(*index as usize).cloned();
    (index.iter().map(name).collect(), eta)
}

/// The children of one pid, or the initial threads, as far as they have got numbers.
struct Level {
    prefix: Option<Pid>,
    used: u32,
}

impl Level {
    fn fresh(&mut self) -> Pid {
        self.used += 1;
        self.prefix.as_ref().map_or_else(|| Pid::initial(self.used), |pid| pid.child(self.used))
    }

    /// Numbers a chain, leaving gaps where siblings are seen not to be next to each other.
    fn place(&mut self, chain: &[u32], kinship: &Kinship, pids: &mut [Option<Pid>]) {
        for &i in chain {
            let close = kinship.kin()[i as usize].elder.get().is_some_and(|(_, close)| close);
            if kinship.siblings().close && !close && self.used > 0 {
                self.used += 1;
            }
            pids[i as usize] = Some(self.fresh());
        }
    }
}

#[cfg(test)]
mod tests {
    use random::{Random, for_seeds};

    use super::*;

    fn random_configuration(random: &mut Random) -> (Vec<Pid>, BTreeMap<Pid, u32>) {
        let mut eta: BTreeMap<Pid, u32> =
            (1..=1 + random.below(3)).map(|i| (Pid::initial(i), 0)).collect();
        let mut stale = Vec::new();
        for _ in 0..random.below(14) {
            let nth = random.below(eta.len());
            let pid = eta.keys().nth(nth).unwrap().clone();
            let children = eta.get_mut(&pid).unwrap();
            *children += 1;
            let child = pid.child(*children);
            eta.insert(child, 0);
            if random.below(3) == 0 && eta.len() > 1 {
                eta.remove(&pid);
                if random.below(2) == 0 {
                    stale.push(pid);
                }
            }
        }
        let pids = eta.keys().chain(&stale).cloned().collect();
        (pids, eta)
    }

    #[test]
    fn realised_pids_have_the_links_again() {
        for seed in 0..3_000 {
            let (pids, eta) = random_configuration(&mut Random::new(seed));
            for relations in Relations::every() {
                let kinship = abstracted(&pids, &eta, relations);
                let (pids, eta) = realised(&kinship);
                let again = abstracted(&pids, &eta, relations);
                assert_eq!(kinship.kin(), again.kin(), "seed {seed}, {relations}, {pids:?}");
            }
        }
    }

    #[test]
    fn the_last_number_there_is_has_a_next_one() {
        let table = |children: u32| {
            let one = Pid::initial(1);
            let pids = [one.clone(), one.child(children)];
            let eta = BTreeMap::from([(one, children)]);
            abstracted(&pids, &eta, Relations::ALL).kin().to_vec()
        };
        assert_eq!(table(u32::MAX), table(1));
    }

    #[test]
    fn links_show_the_relations() {
        for seed in 0..1_000 {
            let (pids, eta) = random_configuration(&mut Random::new(seed));
            for relations in Relations::every() {
                let kinship = abstracted(&pids, &eta, relations);
                for relation in relations.iter() {
                    for (a, pid) in (0..).zip(&pids) {
                        for (b, other) in (0..).zip(&pids) {
                            assert_eq!(
                                kinship.holds(relation, a, b),
                                relation.holds(pid, other),
                                "seed {seed}: {relation}({pid}, {other})"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn spawning_ending_and_sweeping_agree_with_the_digits() {
        for_seeds(0..3_000, |seed, random| {
            let (pids, eta) = random_configuration(random);
            for relations in Relations::every() {
                let (mut pids, mut eta) = (pids.clone(), eta.clone());
                let mut kinship = abstracted(&pids, &eta, relations);
                for _ in 0..6 {
                    let active: Vec<u32> = (0..)
                        .zip(&pids)
                        .filter(|(_, p)| eta.contains_key(p))
                        .map(|x| x.0)
                        .collect();
                    let Some(&one) = active.get(random.below(1 + active.len())) else {
                        continue;
                    };
                    if random.below(3) > 0 {
                        let children = eta.get_mut(&pids[one as usize]).unwrap();
                        *children += 1;
                        let child = pids[one as usize].child(*children);
                        assert_eq!(kinship.spawn(one), pids.len() as u32);
                        eta.insert(child.clone(), 0);
                        pids.push(child);
                    } else {
                        eta.remove(&pids[one as usize]);
                        kinship.end(one);
                    }
                    let used: Vec<bool> = pids.iter().map(|_| random.below(3) > 0).collect();
                    let mut renamed = Vec::new();
                    kinship.sweep(&used, &mut renamed);
                    let mut at = 0;
                    pids.retain(|pid| {
                        at += 1;
                        used[at - 1] || eta.contains_key(pid)
                    });
                    let expected = abstracted(&pids, &eta, relations);
                    assert_eq!(kinship.kin(), expected.kin(), "seed {seed}, {relations}, {pids:?}");
                }
            }
        });
    }
}
