//! Paths chosen one by one: each begins with a shortest path to an item that is not covered yet, and goes on to the nearest
//! such item as long as that is no longer than a path of its own would be.
//!
//! A path that begins costs a step more than it has: somebody has to set up what is driven along it. So paths go on to an
//! item if it is at most one step farther from where they are than it is from the start. Which item a path begins with
//! makes a difference that is not known beforehand: two orders are tried, the nearest first and the farthest first, and the
//! cheaper result is kept. The first is good where one path can cover nearly all, the second where paths must part early.
//!
//! Each item takes one search through the graph at most, and mostly a small part of that: O(items · arcs) at worst.

use budget::{Budget, Exhausted};

use crate::graph::{Arc, Graph, NOTHING};
use crate::shorten::shortened;

/// The cost of beginning a path, in steps.
const BEGINNING: u32 = 1;
/// How many arcs are looked at between two looks at the budget.
const BETWEEN_LOOKS: u32 = 1 << 12;

/// Paths from the start.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The paths, none of them empty.
    pub paths: Vec<Vec<Arc>>,
    /// Why they do not cover all items, if they do not.
    pub cut: Option<Exhausted>,
}

/// Paths that together cover all items of a graph, or as many as the budget is enough for.
///
/// # Errors
/// If the budget is used up before the first path.
pub fn choose(graph: &Graph, budget: &Budget) -> Result<Chosen, Exhausted> {
    let ways = Ways::of(graph, budget)?;
    let (near, cut) = Choosing::new(graph, &ways, First::Nearest).paths(budget);
    let mut paths = shortened(graph, near);
    if cut.is_none() {
        let (far, cut) = Choosing::new(graph, &ways, First::Farthest).paths(budget);
        let far = shortened(graph, far);
        if cut.is_none() && cost(&far) < cost(&paths) {
            paths = far;
        }
    }
    let arcs = |path: Vec<u32>| path.into_iter().map(|arc| graph.arc(arc)).collect();
    Ok(Chosen { paths: paths.into_iter().map(arcs).collect(), cut })
}

fn cost(paths: &[Vec<u32>]) -> usize {
    paths.iter().map(|path| path.len() + BEGINNING as usize).sum()
}

/// The item with which a path begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Nearest,
    Farthest,
}

/// How far everything is from the start, and the arcs backwards.
pub(crate) struct Ways {
    /// For each node, or [`NOTHING`].
    pub(crate) depths: Vec<u32>,
    /// For each item: the steps to its end, and an arc that covers it by then; 0 and none if it is covered at the start.
    pub(crate) items: Vec<(u32, u32)>,
    /// For each arc, where it leaves.
    pub(crate) tails: Vec<u32>,
    /// The arcs by the nodes to which they lead.
    entering: Vec<u32>,
    /// Where those of each node end.
    ends: Vec<usize>,
}

impl Ways {
    pub(crate) fn of(graph: &Graph, budget: &Budget) -> Result<Ways, Exhausted> {
        let nodes = graph.nodes();
        let arcs = nodes.checked_sub(1).map_or(0, |last| graph.arcs_of(last as u32).end as usize);
        budget.require((arcs * 8 + nodes * 20 + graph.items().len() * 8) as u64)?;
        let mut tails = Vec::with_capacity(arcs);
        let mut ends = vec![0; nodes + 1];
        for node in 0..nodes as u32 {
            for arc in graph.arcs_of(node) {
                tails.push(node);
                ends[graph.arc(arc).to as usize + 1] += 1;
            }
        }
        (0..nodes).for_each(|node| ends[node + 1] += ends[node]);
        // Each end is where its node begins, until the arcs are put in.
        let mut entering = vec![0; arcs];
        for arc in 0..arcs as u32 {
            let next = &mut ends[graph.arc(arc).to as usize];
            entering[*next] = arc;
            *next += 1;
        }
        ends.truncate(nodes);
        let mut ways = Ways {
            depths: vec![NOTHING; nodes],
            items: vec![(NOTHING, NOTHING); graph.items().len()],
            tails,
            entering,
            ends,
        };
        ways.measure(graph, budget)?;
        Ok(ways)
    }

    /// Breadth-first from the start.
    fn measure(&mut self, graph: &Graph, budget: &Budget) -> Result<(), Exhausted> {
        if graph.nodes() == 0 {
            return Ok(());
        }
        if !self.items.is_empty() && graph.is_at_start(0) {
            self.items[0] = (0, NOTHING);
        }
        self.depths[0] = 0;
        let mut queue = vec![0];
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            budget.check()?;
            next += 1;
            let depth = self.depths[node as usize] + 1;
            for number in graph.arcs_of(node) {
                let arc = graph.arc(number);
                if arc.item != NOTHING && self.items[arc.item as usize].0 == NOTHING {
                    self.items[arc.item as usize] = (depth, number);
                }
                let target = &mut self.depths[arc.to as usize];
                if *target == NOTHING {
                    *target = depth;
                    queue.push(arc.to);
                }
            }
        }
        Ok(())
    }

    /// The arcs that lead to a node.
    pub(crate) fn entering(&self, node: u32) -> &[u32] {
        let start = (node as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entering[start..self.ends[node as usize]]
    }
}

/// Paths that are being chosen.
struct Choosing<'g> {
    graph: &'g Graph,
    ways: &'g Ways,
    first: First,
    /// The items that can be covered, the nearest first.
    items: Vec<u32>,
    is_covered: Vec<bool>,
    /// All items before this one, and all from that one on, are covered.
    left: std::ops::Range<usize>,
    paths: Vec<Vec<u32>>,
    search: Search,
}

impl<'g> Choosing<'g> {
    fn new(graph: &'g Graph, ways: &'g Ways, first: First) -> Self {
        let mut items: Vec<u32> = (0..graph.items().len() as u32).collect();
        items.retain(|&item| ways.items[item as usize].1 != NOTHING);
        items.sort_by_key(|&item| ways.items[item as usize].0);
        let left = 0..items.len();
        let is_covered = vec![false; graph.items().len()];
        let search = Search {
            round: 0,
            seen: vec![0; graph.nodes()],
            entered_by: vec![0; graph.nodes()],
            queue: Vec::new(),
        };
        Choosing { graph, ways, first, items, is_covered, left, paths: Vec::new(), search }
    }

    fn paths(mut self, budget: &Budget) -> (Vec<Vec<u32>>, Option<Exhausted>) {
        let cut = self.cover(budget).err();
        (self.paths, cut)
    }

    fn cover(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        while let Some((nearest, farthest)) = self.next() {
            budget.check()?;
            if let Some(path) = self.paths.last() {
                let at = path.last().map_or(0, |&arc| self.graph.arc(arc).to);
                let limit = self.ways.items[farthest as usize].0 + BEGINNING;
                if let Some(arcs) = self.nearest(at, limit, budget)? {
                    self.go(&arcs);
                    continue;
                }
            }
            let item = if self.first == First::Nearest { nearest } else { farthest };
            let arcs = self.shortest(item);
            self.paths.push(Vec::new());
            self.go(&arcs);
        }
        Ok(())
    }

    /// The nearest and the farthest item that is not covered.
    fn next(&mut self) -> Option<(u32, u32)> {
        let Choosing { items, is_covered, left, .. } = self;
        let is_done = |at: usize| is_covered[items[at] as usize];
        while left.start < left.end && is_done(left.start) {
            left.start += 1;
        }
        while left.start < left.end && is_done(left.end - 1) {
            left.end -= 1;
        }
        (left.start < left.end).then(|| (items[left.start], items[left.end - 1]))
    }

    /// Goes on with the last path.
    fn go(&mut self, arcs: &[u32]) {
        for &arc in arcs {
            let item = self.graph.arc(arc).item;
            if item != NOTHING {
                self.is_covered[item as usize] = true;
            }
        }
        self.paths.last_mut().expect("a path has begun").extend(arcs);
    }

    /// Whether an arc covers something new.
    fn is_new(&self, arc: Arc) -> bool {
        arc.item != NOTHING
            && !self.is_covered[arc.item as usize]
            && !self.graph.is_at_start(arc.item)
    }

    /// A shortest path from the start that covers an item, if possible with others on the way.
    fn shortest(&self, item: u32) -> Vec<u32> {
        let Choosing { graph, ways, .. } = self;
        let last = ways.items[item as usize].1;
        let mut path = vec![last];
        let mut node = ways.tails[last as usize];
        while node != 0 {
            let depth = ways.depths[node as usize];
            let tail_depth = |arc: u32| ways.depths[ways.tails[arc as usize] as usize];
            let entering = ways.entering(node).iter().copied();
            let mut nearer = entering.filter(|&arc| tail_depth(arc) == depth - 1).peekable();
            let any = nearer.peek().copied().expect("a node farther away has one before it");
            let arc = nearer.find(|&arc| self.is_new(graph.arc(arc))).unwrap_or(any);
            path.push(arc);
            node = ways.tails[arc as usize];
        }
        path.reverse();
        path
    }

    /// A shortest path from a node to an item that is not covered, and not much nearer to the start.
    fn nearest(
        &mut self,
        from: u32,
        limit: u32,
        budget: &Budget,
    ) -> Result<Option<Vec<u32>>, Exhausted> {
        self.search.begin(from);
        let (mut next, mut steps, mut level_end, mut looked_at) = (0, 1, 1, 0_u32);
        while next < self.search.queue.len() && steps <= limit {
            let node = self.search.queue[next];
            for number in self.graph.arcs_of(node) {
                looked_at += 1;
                if looked_at % BETWEEN_LOOKS == 0 {
                    budget.check()?;
                }
                let arc = self.graph.arc(number);
                if self.is_new(arc) && steps <= self.ways.items[arc.item as usize].0 + BEGINNING {
                    return Ok(Some(self.search.path(&self.ways.tails, from, number)));
                }
                self.search.reach(arc.to, number);
            }
            next += 1;
            if next == level_end {
                level_end = self.search.queue.len();
                steps += 1;
            }
        }
        Ok(None)
    }
}

/// A breadth-first search from somewhere, with memory that is used again.
struct Search {
    round: u32,
    /// The last round in which each node was reached.
    seen: Vec<u32>,
    entered_by: Vec<u32>,
    queue: Vec<u32>,
}

impl Search {
    fn begin(&mut self, from: u32) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.seen.fill(0);
            1
        });
        self.queue.clear();
        self.reach(from, NOTHING);
    }

    fn reach(&mut self, node: u32, by: u32) {
        if self.seen[node as usize] != self.round {
            self.seen[node as usize] = self.round;
            self.entered_by[node as usize] = by;
            self.queue.push(node);
        }
    }

    fn path(&self, tails: &[u32], from: u32, last: u32) -> Vec<u32> {
        let mut path = vec![last];
        let mut node = tails[last as usize];
        while node != from {
            let arc = self.entered_by[node as usize];
            path.push(arc);
            node = tails[arc as usize];
        }
        path.reverse();
        path
    }
}
