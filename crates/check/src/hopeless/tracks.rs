//! The threads of all states as nodes, and where they lead.

use std::collections::VecDeque;
use std::ops::Range;

use budget::{Budget, Exhausted};

use super::hope::Hope;
use super::{Fates, Prospect};
use crate::bits::Bits;

/// The tracks of the states looked at so far, which are the last ones.
#[derive(Default)]
pub(super) struct Tracks {
    /// The node of the first thread of each state.
    first: Vec<u32>,
    nodes: u32,
    /// Who has hope by some outcome of each forgotten choice.
    possible: Hope,
    /// Who has hope by all of them, once there is one.
    certain: Option<Hope>,
    /// Nodes that need not have it.
    exempt: Bits,
}

impl Tracks {
    /// Of a graph with this many states.
    pub(super) fn new(states: u32) -> Tracks {
        Tracks { first: vec![0; states as usize], ..Tracks::default() }
    }

    /// Adds the state before those looked at so far.
    pub(super) fn add(&mut self, state: u32, fates: &Fates, prospect: Prospect) {
        let start = self.nodes;
        self.first[state as usize] = start;
        let count = u32::try_from(fates.idle.len()).ok().and_then(|count| start.checked_add(count));
        self.nodes = count.expect("fewer than 2^32 threads of states fit into memory");
        self.exempt.grow(self.nodes);
        if prospect == Prospect::Acting {
            let idle = (start..).zip(&fates.idle).filter(|(_, idle)| **idle);
            idle.for_each(|(node, _)| self.exempt.set(node));
        }
        if fates.is_forgotten && self.certain.is_none() {
            // Until here both are the same.
            self.certain = Some(self.possible.clone());
        }
        let (at, nodes) = ((&*self.first, state), (start, self.nodes));
        self.possible.add(at, nodes, fates, prospect, false);
        if let Some(certain) = &mut self.certain {
            certain.add(at, nodes, fates, prospect, fates.is_forgotten);
        }
    }

    /// To all nodes from which a hopeful one can be reached.
    pub(super) fn look_back(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let Tracks { first, nodes, possible, certain, .. } = self;
        possible.look_back(*nodes, first, budget)?;
        certain.iter_mut().try_for_each(|certain| certain.look_back(*nodes, first, budget))
    }

    fn is_lost(&self, node: u32) -> bool {
        !self.possible.hopeful.get(node) && !self.exempt.get(node)
    }

    /// The nodes of a state. They are numbered from the last state to the first.
    fn nodes_of(&self, state: u32) -> Range<u32> {
        let before = state.checked_sub(1).map(|before| self.first[before as usize]);
        self.first[state as usize]..before.unwrap_or(self.nodes)
    }

    /// The state that a node is of.
    fn state_of(&self, node: u32) -> u32 {
        self.first.partition_point(|&start| start > node) as u32
    }

    /// The threads of a state that are hopeless.
    pub(super) fn lost_in(&self, state: u32) -> Vec<u32> {
        let nodes = self.nodes_of(state);
        let start = nodes.start;
        nodes.filter(|&node| self.is_lost(node)).map(|node| node - start).collect()
    }

    /// The threads of a state of whom it depends on a forgotten choice whether they have hope, and the node of the
    /// first of them.
    pub(super) fn open_in(&self, state: u32) -> Option<(Vec<u32>, u32)> {
        let hopeful = &self.certain.as_ref()?.hopeful;
        let is_open = |node: &u32| {
            !hopeful.get(*node) && self.possible.hopeful.get(*node) && !self.exempt.get(*node)
        };
        let nodes = self.nodes_of(state);
        let start = nodes.start;
        let open: Vec<u32> = nodes.filter(is_open).collect();
        let first = *open.first()?;
        Some((open.into_iter().map(|node| node - start).collect(), first))
    }

    /// The moves by which somebody hopeless is left, source and target.
    pub(super) fn moves(&self) -> impl Iterator<Item = (u32, u32)> {
        let left = self.possible.arcs.iter().filter(|(from, _)| self.is_lost(*from));
        left.map(move |&(from, (to, _))| (self.state_of(from), to))
    }

    /// The nearest state whose forgotten choice decides whether a node has hope, of which it depends on one.
    pub(super) fn deciding(&self, node: u32) -> u32 {
        let certain = self.certain.as_ref().expect("there are forgotten choices");
        let mut arcs = certain.arcs.clone();
        arcs.sort_unstable();
        let (mut seen, mut open) = (Bits::new(self.nodes), VecDeque::from([node]));
        seen.set(node);
        while let Some(node) = open.pop_front() {
            if certain.helped.contains(&node) {
                return self.state_of(node);
            }
            let from = arcs.partition_point(|arc| arc.0 < node);
            for &(_, (state, thread)) in arcs[from..].iter().take_while(|arc| arc.0 == node) {
                let next = self.first[state as usize] + thread;
                if !certain.hopeful.get(next) && !seen.get(next) {
                    seen.set(next);
                    open.push_back(next);
                }
            }
        }
        unreachable!("whoever may have hope, but not for certain, comes to a choice that gives it")
    }
}
