//! What no set of paths can do without.
//!
//! Two arguments give steps, and the larger holds.
//! - A step covers one item at most. Where the first step of a path covers none, as with pairs, each path has one more.
//! - Two items are *apart* if no path covers both: neither can be reached after the other. Of items that are all apart from
//!   each other each needs a path of its own, which is at least as long as the item is far from the start. The items are
//!   taken greedily, the farthest first; so the bound is at least the distance of the farthest item, and any such
//!   set is sound.
//!
//! Whatever can be reached from an item that was taken, or leads to one, is marked; each node is marked at most once in each
//! direction, so that all of it takes time in proportion to the graph.

use budget::{Budget, Exhausted};

use crate::choose::Ways;
use crate::graph::{Graph, NOTHING};

/// The fewest steps and paths that can be enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// No set of paths has fewer steps in all.
    pub steps: u64,
    /// No set has fewer paths.
    pub paths: u64,
}

impl Bound {
    /// What no set of paths can do without that covers all items of a graph.
    ///
    /// # Errors
    /// If the budget is used up before.
    pub fn of(graph: &Graph, budget: &Budget) -> Result<Bound, Exhausted> {
        let ways = Ways::of(graph, budget)?;
        let reached = |item: &u32| ways.items[*item as usize].1 != NOTHING;
        let mut items: Vec<u32> = (0..graph.items().len() as u32).filter(reached).collect();
        items.sort_by_key(|&item| std::cmp::Reverse(ways.items[item as usize].0));
        let mut marks = Marks::new(graph, &ways);
        let mut apart = Bound { steps: 0, paths: 0 };
        for &item in &items {
            if !marks.is_marked[item as usize] {
                budget.check()?;
                apart.steps += u64::from(ways.items[item as usize].0);
                apart.paths += 1;
                marks.mark_around(item, budget)?;
            }
        }
        let is_idle = |arc: u32| graph.arc(arc).item == NOTHING;
        let begins_idle = graph.nodes() > 0 && graph.arcs_of(0).all(is_idle);
        let counted = items.len() as u64 + if begins_idle { apart.paths } else { 0 };
        Ok(Bound { steps: apart.steps.max(counted), ..apart })
    }
}

/// The items that are not apart from those taken.
struct Marks<'g> {
    graph: &'g Graph,
    ways: &'g Ways,
    is_marked: Vec<bool>,
    is_after: Vec<bool>,
    is_before: Vec<bool>,
    /// The arcs that cover each item.
    arcs: Vec<Vec<u32>>,
}

impl<'g> Marks<'g> {
    fn new(graph: &'g Graph, ways: &'g Ways) -> Self {
        let mut arcs = vec![Vec::new(); graph.items().len()];
        for arc in 0..ways.tails.len() as u32 {
            if let Some(of_item) = arcs.get_mut(graph.arc(arc).item as usize) {
                of_item.push(arc);
            }
        }
        let (is_after, is_before) = (vec![false; graph.nodes()], vec![false; graph.nodes()]);
        let is_marked = vec![false; graph.items().len()];
        Marks { graph, ways, is_marked, is_after, is_before, arcs }
    }

    /// Marks an item, and all that a path can cover after it or before it.
    fn mark_around(&mut self, item: u32, budget: &Budget) -> Result<(), Exhausted> {
        self.is_marked[item as usize] = true;
        let arcs = std::mem::take(&mut self.arcs[item as usize]);
        let mut after: Vec<u32> = arcs.iter().map(|&arc| self.graph.arc(arc).to).collect();
        while let Some(node) = after.pop() {
            budget.check()?;
            if std::mem::replace(&mut self.is_after[node as usize], true) {
                continue;
            }
            for arc in self.graph.arcs_of(node) {
                self.mark(arc);
                after.push(self.graph.arc(arc).to);
            }
        }
        let mut before: Vec<u32> = arcs.iter().map(|&arc| self.ways.tails[arc as usize]).collect();
        while let Some(node) = before.pop() {
            budget.check()?;
            if std::mem::replace(&mut self.is_before[node as usize], true) {
                continue;
            }
            for &arc in self.ways.entering(node) {
                self.mark(arc);
                before.push(self.ways.tails[arc as usize]);
            }
        }
        Ok(())
    }

    fn mark(&mut self, arc: u32) {
        if let Some(mark) = self.is_marked.get_mut(self.graph.arc(arc).item as usize) {
            *mark = true;
        }
    }
}
