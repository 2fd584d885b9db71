//! Which threads have hope: possibly, or for certain.

use std::collections::{HashMap, HashSet};

use budget::{Budget, Exhausted};

use super::{Fates, Prospect, Way};
use crate::bits::Bits;
use crate::reverse::Reverse;

/// A thread of a state.
pub(super) type Place = (u32, u32);

/// The nodes that have what is asked for before them, or lead to what is not known.
#[derive(Clone, Default)]
pub(super) struct Hope {
    pub(super) hopeful: Bits,
    /// From nodes of which nothing is known yet: to which thread of which state.
    pub(super) arcs: Vec<(u32, Place)>,
    /// For nodes that need all their arcs, since each may be the real one, how many have yet to lead to hope. `u32::MAX`
    /// if one never does.
    pub(super) missing: HashMap<u32, u32>,
    /// Those of them that have hope by some arc.
    pub(super) helped: HashSet<u32>,
}

impl Hope {
    /// Adds the threads of a state, the first of which is the node `start`. States before it have no nodes yet.
    pub(super) fn add(
        &mut self,
        (first, state): (&[u32], u32),
        (start, end): (u32, u32),
        fates: &Fates,
        prospect: Prospect,
        needs_all: bool,
    ) {
        self.hopeful.grow(end);
        if prospect == Prospect::Ending {
            let idle = (start..).zip(&fates.idle).filter(|(_, idle)| **idle);
            idle.for_each(|(node, _)| self.hopeful.set(node));
        }
        if fates.ends_all && !needs_all {
            (start..end).for_each(|node| self.hopeful.set(node));
        }
        let leads_on = |hopeful: &Bits, (to, thread): Place| {
            to >= first.len() as u32 || to >= state && hopeful.get(first[to as usize] + thread)
        };
        let helps = |hopeful: &Bits, way: &Way| {
            way.fulfils(prospect) || way.becomes.is_some_and(|to| leads_on(hopeful, to))
        };
        if needs_all {
            for node in (start..end).filter(|node| !self.hopeful.get(*node)).collect::<Vec<_>>() {
                let mut ways =
                    fates.ways.iter().filter(|way| start + way.thread == node).peekable();
                let mut missing = if ways.peek().is_none() { u32::MAX } else { 0 };
                for way in ways {
                    if helps(&self.hopeful, way) {
                        self.helped.insert(node);
                    } else if let Some(to) = way.becomes {
                        self.arcs.push((node, to));
                        missing = missing.saturating_add(1);
                    } else {
                        missing = u32::MAX;
                    }
                }
                match missing {
                    0 => self.hopeful.set(node),
                    _ => _ = self.missing.insert(node, missing),
                }
            }
            return;
        }
        for way in &fates.ways {
            if helps(&self.hopeful, way) {
                self.hopeful.set(start + way.thread);
            }
        }
        for way in &fates.ways {
            let from = start + way.thread;
            if let Some(to) = way.becomes.filter(|_| !self.hopeful.get(from)) {
                self.arcs.push((from, to));
            }
        }
    }

    /// Adds all nodes that come to hope.
    pub(super) fn look_back(
        &mut self,
        nodes: u32,
        first: &[u32],
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let Hope { hopeful, arcs, missing, helped } = self;
        budget.require(arcs.len() as u64 * 12)?;
        let node = |(state, thread): Place| first[state as usize] + thread;
        let arcs = || arcs.iter().map(|&(from, to)| (from, node(to)));
        let back = Reverse::new(nodes, arcs, budget)?;
        let may = |_: &Bits, source: u32| match missing.get_mut(&source) {
            None => true,
            Some(missing) => {
                helped.insert(source);
                *missing -= 1;
                *missing == 0
            }
        };
        back.spread(hopeful, may, budget)
    }
}
