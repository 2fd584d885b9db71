//! Graphs read backwards.

use budget::{Budget, Exhausted};

use crate::bits::Bits;

/// What leads to each node, row after row. Cost: four bytes for each step, eight for each node.
pub(crate) struct Reverse {
    sources: Vec<u32>,
    /// Where the row of each node ends.
    ends: Vec<usize>,
}

impl Reverse {
    /// Of a graph with this many nodes and these steps, source and target, which are asked for twice.
    pub(crate) fn new<I: Iterator<Item = (u32, u32)>>(
        nodes: u32,
        steps: impl Fn() -> I,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        budget.require(u64::from(nodes) * 8)?;
        let mut ends = vec![0_usize; nodes as usize];
        for (_, to) in steps() {
            ends[to as usize] += 1;
            budget.check()?;
        }
        // Where each row begins, which filling it moves to where it ends.
        let mut total = 0;
        for end in &mut ends {
            total += std::mem::replace(end, total);
        }
        budget.require(total as u64 * 4)?;
        let mut sources = vec![0; total];
        for (from, to) in steps() {
            let end = &mut ends[to as usize];
            sources[*end] = from;
            *end += 1;
            budget.check()?;
        }
        Ok(Self { sources, ends })
    }

    /// What leads to a node; as often as there are steps.
    #[inline]
    pub(crate) fn sources(&self, node: u32) -> &[u32] {
        let start = (node as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.sources[start..self.ends[node as usize]]
    }

    /// Adds to a set all from which it can be reached by way of nodes that `may` be added, given the set so far. A node is
    /// tried again whenever one that it leads to has been added.
    pub(crate) fn spread(
        &self,
        set: &mut Bits,
        mut may: impl FnMut(&Bits, u32) -> bool,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        // What was in it is gone through in place: it may be nearly everything.
        let first = set.clone();
        let mut open = Vec::new();
        for node in first.iter() {
            open.push(node);
            while let Some(node) = open.pop() {
                let sources = self.sources(node);
                budget.check()?;
                for &source in sources {
                    if !set.get(source) && may(set, source) {
                        set.set(source);
                        open.push(source);
                    }
                }
            }
        }
        Ok(())
    }
}
