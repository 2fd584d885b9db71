//! Paths without what they do not need: what one path covers only because it came that way, others may cover as well.
//!
//! Of paths that cover something, these are left out while all stays covered: paths as a whole, the shortest first; loops
//! inside paths; what comes after the last item that only its path covers. What is left is the same set of items.

use rustc_hash::FxHashMap;

use crate::graph::{Graph, NOTHING};

/// The same paths without what can be left out.
pub(crate) fn shortened(graph: &Graph, mut paths: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut times = Times { graph, times: vec![0; graph.items().len()] };
    paths.iter().flatten().for_each(|&arc| times.add(arc));
    paths.sort_by_key(Vec::len);
    paths.retain(|path| !times.leave_out(path));
    for path in &mut paths {
        *path = without_loops(graph, path, &mut times);
        while path.last().is_some_and(|last| times.leave_out(&[*last])) {
            path.pop();
        }
    }
    paths.retain(|path| !times.leave_out(path));
    paths
}

/// How often each item is covered.
struct Times<'g> {
    graph: &'g Graph,
    times: Vec<u32>,
}

impl Times<'_> {
    fn add(&mut self, arc: u32) {
        let item = self.graph.arc(arc).item;
        if item != NOTHING {
            self.times[item as usize] += 1;
        }
    }

    /// Leaves arcs out, unless an item would be covered no more.
    fn leave_out(&mut self, arcs: &[u32]) -> bool {
        for (at, &arc) in arcs.iter().enumerate().rev() {
            let item = self.graph.arc(arc).item;
            if item == NOTHING {
                continue;
            }
            if self.times[item as usize] == 1 && !self.graph.is_at_start(item) {
                arcs[at + 1..].iter().for_each(|&arc| self.add(arc));
                return false;
            }
            self.times[item as usize] -= 1;
        }
        true
    }
}

fn without_loops(graph: &Graph, path: &[u32], times: &mut Times) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::new();
    // For each node on the path, how many arcs lead there.
    let mut seen = FxHashMap::from_iter([(0, 0)]);
    for &arc in path {
        kept.push(arc);
        let node = graph.arc(arc).to;
        if let Some(&since) = seen.get(&node)
            && since < kept.len()
            && times.leave_out(&kept[since..])
        {
            for arc in kept.drain(since..) {
                let passed = graph.arc(arc).to;
                if passed != node {
                    seen.remove(&passed);
                }
            }
        }
        seen.insert(node, kept.len());
    }
    kept
}
