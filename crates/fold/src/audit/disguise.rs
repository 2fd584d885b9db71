//! Another state of the same class, drawn at random.
//!
//! The kinship table of a state says all that Ω sees of its pids. So any tree of pids that has the same
//! table will do: what Ω does not see is drawn at random. Pids in one chain of siblings, as far
//! as Ω sees them to be siblings, get a common parent; where that parent is not seen it may be absent, a
//! root, or any pid of which Ω does not see that it is the parent. Numbers of children are shifted, gaps
//! are left for siblings that are gone, chains of one parent come in any order, η counts children of
//! which nothing is left: each only where Ω cannot tell.
//!
//! What commonly goes wrong is found sooner by a *bold* disguise, which reverses the order of all pids
//! that Ω does not order, and makes all numbers large that may be.

use std::collections::BTreeMap;

use random::Random;
use state::{Pid, Relations, State};

use crate::kinship::Chain;
use crate::{Equivalent, Kinship, concrete};

/// Another state of the class of `state` up to `relations`, drawn at random; if it is to be `bold`, with the
/// order of pids reversed and large numbers. Costs the square of the number of pids.
#[must_use]
pub fn disguised(
    state: &State,
    relations: Relations,
    bold: bool,
    random: &mut Random,
) -> Equivalent {
    let pids: Vec<Pid> = state.pids().into_iter().collect();
    let kinship = concrete::abstracted(&pids, state.eta(), relations);
    let mut tree = Tree::new(&kinship, bold);
    tree.grow(random);
    let (names, eta) = tree.names(random);
    Equivalent::new(state, pids.into_iter().zip(names).collect(), eta)
}

/// A pid, present or absent; the first one stands above the initial threads.
#[derive(Default)]
struct Node {
    pid: Option<u32>,
    /// The nearest present pid: itself, or above.
    nearest: Option<u32>,
    /// Its present children, and its absent ones.
    chains: Vec<Chain>,
    absent: Vec<usize>,
}

struct Tree<'k> {
    kinship: &'k Kinship,
    bold: bool,
    waiting: Vec<Chain>,
    nodes: Vec<Node>,
    /// The node of each pid that has one.
    node_of: Vec<Option<usize>>,
}

impl<'k> Tree<'k> {
    fn new(kinship: &'k Kinship, bold: bool) -> Tree<'k> {
        let node_of = vec![None; kinship.kin().len()];
        Tree { kinship, bold, waiting: kinship.chains(), nodes: vec![Node::default()], node_of }
    }

    /// Gives every chain a parent.
    fn grow(&mut self, random: &mut Random) {
        while !self.waiting.is_empty() {
            let is_ready = |chain: &Chain| {
                let above = chain.parent.or(chain.ancestor);
                above.is_none_or(|pid| self.node_of[pid as usize].is_some())
            };
            let ready: Vec<usize> =
                (0..self.waiting.len()).filter(|&i| is_ready(&self.waiting[i])).collect();
            let chain = self.waiting.remove(self.choose(&ready, random));
            let node = self.parent_for(&chain, random);
            for &pid in &chain.members {
                self.node_of[pid as usize] = Some(self.nodes.len());
                let (pid, nearest) = (Some(pid), Some(pid));
                self.nodes.push(Node { pid, nearest, ..Node::default() });
            }
            self.nodes[node].chains.push(chain);
        }
    }

    fn choose(&self, among: &[usize], random: &mut Random) -> usize {
        if self.bold { among[0] } else { *random.pick(among) }
    }

    /// How much larger than it must be a number is made.
    fn surplus(&self, random: &mut Random) -> u32 {
        match (self.bold, random.below(8)) {
            (true, _) => 1_000 + random.below(1_000),
            (false, 0) => random.below(100),
            (false, _) => random.below(3),
        }
    }

    fn rearrange<T>(&self, items: &mut [T], random: &mut Random) {
        if self.bold { items.reverse() } else { random.shuffle(items) }
    }

    fn parent_for(&mut self, chain: &Chain, random: &mut Random) -> usize {
        if let Some(parent) = chain.parent {
            return self.node_of[parent as usize].expect("the chain is ready");
        }
        // Below these Ω sees the ancestor that it should.
        let (ancestors, siblings) = (self.kinship.ancestors(), self.kinship.siblings());
        let is_below = |node: &Node| !ancestors.far || node.nearest == chain.ancestor;
        let below: Vec<usize> =
            (0..self.nodes.len()).filter(|&n| is_below(&self.nodes[n])).collect();
        // A present pid is no parent if Ω would see that, and of siblings there is one chain if Ω sees
        // that they are siblings. The next pid is a sibling too.
        let may_be_parent = |node: &Node| {
            let is_active = node.pid.is_some_and(|pid| self.kinship.kin()[pid as usize].active);
            !(ancestors.close && node.pid.is_some())
                && !(siblings.far && (is_active || !node.chains.is_empty()))
        };
        let parents: Vec<usize> =
            below.iter().copied().filter(|&n| may_be_parent(&self.nodes[n])).collect();
        if !parents.is_empty() && (self.bold || random.below(2) == 0) {
            return self.choose(&parents, random);
        }
        let mut node = self.choose(&below, random);
        for _ in 0..1 + random.below(2) {
            let absent = self.nodes.len();
            let nearest = self.nodes[node].nearest;
            self.nodes[node].absent.push(absent);
            self.nodes.push(Node { nearest, ..Node::default() });
            node = absent;
        }
        node
    }

    /// Digits for the pids, by index, and η.
    fn names(mut self, random: &mut Random) -> (Vec<Pid>, BTreeMap<Pid, u32>) {
        let mut names: Vec<Option<Pid>> = vec![None; self.node_of.len()];
        let mut eta = BTreeMap::new();
        let mut unnamed: Vec<(usize, Option<Pid>)> = vec![(0, None)];
        while let Some((node, name)) = unnamed.pop() {
            let child = |number: u32| match &name {
                Some(parent) => parent.child(number),
                None => Pid::initial(number),
            };
            let (numbers, created) = self.number_children(node, random);
            for (number, at) in numbers {
                unnamed.push((at, Some(child(number))));
            }
            if let (Some(pid), Some(name)) = (self.nodes[node].pid, name) {
                if self.kinship.kin()[pid as usize].active {
                    eta.insert(name.clone(), created);
                }
                names[pid as usize] = Some(name);
            }
        }
        (names.into_iter().map(|name| name.expect("every pid is in the tree")).collect(), eta)
    }

    /// The children of a node by the numbers they are given, and its η, if it is active.
    fn number_children(&mut self, node: usize, random: &mut Random) -> (BTreeMap<u32, usize>, u32) {
        let close_is_seen = self.kinship.siblings().close;
        let kin = self.kinship.kin();
        let youngest = self.nodes[node].pid.and_then(|pid| kin[pid as usize].youngest.get());
        let mut chains = std::mem::take(&mut self.nodes[node].chains);
        let mut absent = std::mem::take(&mut self.nodes[node].absent);
        self.rearrange(&mut chains, random);
        self.rearrange(&mut absent, random);
        // The chain that the next pid continues comes last.
        chains.sort_by_key(|chain| youngest.is_some_and(|(pid, _)| chain.members.contains(&pid)));
        // Enough numbers are left free for all the absent children.
        let room = absent.len() as u32 + self.surplus(random);
        let mut last = room;
        let mut of = BTreeMap::new();
        for &pid in chains.iter().flat_map(|chain| &chain.members) {
            let is_close = kin[pid as usize].elder.get().is_some_and(|(_, close)| close);
            if !is_close {
                last += u32::from(close_is_seen) + random.below(2);
            }
            last += 1;
            of.insert(last, self.node_of[pid as usize].expect("it is in the tree"));
        }
        let taken: Vec<u32> = of.keys().copied().collect();
        let gaps = taken.windows(2).flat_map(|pair| pair[0] + 1..pair[1]);
        let mut free: Vec<u32> = (1..=room).chain(gaps).collect();
        if !self.bold {
            random.shuffle(&mut free);
        }
        of.extend(free.into_iter().zip(absent));
        let created = match youngest {
            Some((_, true)) => last,
            _ => last + u32::from(close_is_seen) + self.surplus(random),
        };
        (of, created)
    }
}
