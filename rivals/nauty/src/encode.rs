//! States as nauty's users have them: pids, tokens of one pid, and labelled pairs.
//!
//! The parent relation and the tokens of two pids are pairs. Whether all pairs can be arcs is found out for all states of
//! a file beforehand: they can if the colours of their ends, which are made of the tokens of one pid, tell the label.
//! If besides each label goes both ways, or the colours tell which way, they can be edges.

use std::collections::{BTreeMap, BTreeSet};

use random::Random;
use state::{Pid, Relation, State, Value};

/// A state whose pids, labels and kinds of tokens are numbers.
#[derive(Clone, Default)]
pub struct Numbered {
    pub is_active: Vec<bool>,
    /// Label and pid of each token of one pid.
    pub tokens: Vec<(u32, u32)>,
    /// Label and pids of each pair. That of the parent relation is 0.
    pub pairs: Vec<(u32, u32, u32)>,
}

/// How the pairs of all states of a file become arcs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Each pair is an edge.
    Edges,
    /// Each pair is an arc.
    Arcs,
    /// Parents are arcs to their children; a token of two pids is a vertex between them.
    Vertices,
}

type Label = (String, Vec<Value>);

fn number(state: &State, labels: &mut BTreeMap<Label, u32>) -> Numbered {
    let pids: Vec<Pid> = state.pids().into_iter().collect();
    let at = |pid: &Pid| pids.binary_search(pid).expect("all pids are listed") as u32;
    let is_active = pids.iter().map(|pid| state.eta().contains_key(pid)).collect();
    let mut numbered = Numbered { is_active, ..Numbered::default() };
    for child in &pids {
        let parent = pids.iter().find(|parent| Relation::Parent.holds(parent, child));
        numbered.pairs.extend(parent.map(|parent| (0, at(parent), at(child))));
    }
    for place in state.marked() {
        for (token, count) in state.tokens(place) {
            let data = token.iter().filter(|value| value.as_pid().is_none()).cloned().collect();
            let atoms: Vec<u32> = token.iter().filter_map(|value| value.as_pid().map(at)).collect();
            let is_loop = atoms.len() == 2 && atoms[0] == atoms[1];
            let next = labels.len() as u32 + 1;
            let what = (format!("{place}/{}/{is_loop}", atoms.len()), data);
            let label = *labels.entry(what).or_insert(next);
            for _ in 0..count {
                match *atoms {
                    [] => {}
                    [a] => numbered.tokens.push((label, a)),
                    [a, b] if a == b => numbered.tokens.push((label, a)),
                    [a, b] => numbered.pairs.push((label, a, b)),
                    _ => panic!("tokens of three pids are not encoded"),
                }
            }
        }
    }
    numbered
}

/// The states of a file, and how they are encoded.
pub fn numbered(states: &[State]) -> (Vec<Numbered>, Encoding) {
    let mut labels = BTreeMap::new();
    let all: Vec<Numbered> = states.iter().map(|state| number(state, &mut labels)).collect();
    // Label and colours of the ends, for each pair of each state.
    let mut seen: BTreeSet<((bool, Vec<u32>), (bool, Vec<u32>), u32)> = BTreeSet::new();
    let mut goes_both_ways = true;
    let mut is_simple = true;
    for state in &all {
        let colour = |pid: u32| {
            let own = state.tokens.iter().filter(|token| token.1 == pid);
            let mut own: Vec<u32> = own.map(|token| token.0).collect();
            own.sort_unstable();
            (state.is_active[pid as usize], own)
        };
        let pairs: BTreeSet<_> = state.pairs.iter().collect();
        is_simple &= pairs.len() == state.pairs.len();
        for &(label, a, b) in &state.pairs {
            seen.insert((colour(a), colour(b), label));
            goes_both_ways &= colour(a) != colour(b) || pairs.contains(&(label, b, a));
        }
    }
    let ends: BTreeSet<_> = seen.iter().map(|(a, b, _)| (a, b)).collect();
    let tells_way = ends.iter().all(|&(a, b)| a == b || !ends.contains(&(b, a)));
    let encoding = if !is_simple || ends.len() < seen.len() {
        Encoding::Vertices
    } else if goes_both_ways && tells_way {
        Encoding::Edges
    } else {
        Encoding::Arcs
    };
    (all, encoding)
}

impl Numbered {
    /// The same state with its pids numbered, and its tokens listed, at random.
    pub fn renamed(&self, random: &mut Random) -> Numbered {
        let mut number: Vec<u32> = (0..self.is_active.len() as u32).collect();
        random.shuffle(&mut number);
        let at = |pid: u32| number[pid as usize];
        let mut renamed = self.clone();
        for (&to, &is_active) in number.iter().zip(&self.is_active) {
            renamed.is_active[to as usize] = is_active;
        }
        renamed.tokens = self.tokens.iter().map(|&(label, a)| (label, at(a))).collect();
        renamed.pairs = self.pairs.iter().map(|&(label, a, b)| (label, at(a), at(b))).collect();
        random.shuffle(&mut renamed.tokens);
        random.shuffle(&mut renamed.pairs);
        renamed
    }
}
