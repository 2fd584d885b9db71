//! Labelling of what a partition leaves undecided: loose vertices, trees, and searched components.
//!
//! A frame owns one graph and everything needed to label it. Components that need a search get a
//! frame of their own, one level deeper, so each is searched alone however many there are; equal
//! forms are then ties. Frames are kept for the next call, with their memory.

use crate::components::{Component, Components};
use crate::equitable::ExactSplit;
use crate::graph::{Arc, Graph};
use crate::partition::Partition;
use crate::search::Search;
use crate::symmetry::Symmetry;
use crate::tree::TreeWalk;
use crate::twins::Twins;

/// A labelled component whose rank among its likes is to be found: a range of `written`.
#[derive(Clone, Copy, Debug)]
struct Block {
    from: u32,
    to: u32,
    /// The cell of the root of a tree; the range of the form of a searched component.
    key: (u32, u32),
}

/// What [`Frame::settle`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// `Frame::labelling` holds an order of all vertices, the same up to automorphism whatever
    /// ties were broken how.
    Labelled,
    /// A single component remains that must be searched, best from this cell.
    Undecided(u32),
}

#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) graph: Graph,
    pub(crate) partition: Partition,
    pub(crate) exact: ExactSplit,
    pub(crate) labelling: Vec<u32>,
    pub(crate) symmetry: Symmetry,
    pub(crate) search: Search,
    pub(crate) twins: Twins,
    pub(crate) deeper: Option<Box<Frame>>,
    components: Components,
    walk: TreeWalk,
    written: Vec<u32>,
    trees: Vec<Block>,
    searched: Vec<Block>,
    forms: Vec<u64>,
    next: Vec<u32>,
    seen: Vec<bool>,
    names: Vec<u32>,
    /// The numbers here of the vertices of the graph that some were taken over from.
    number: Vec<u32>,
}

impl Frame {
    /// Labels the vertices that the equitable partition leaves undecided. With `whole`, every
    /// component is labelled; without, a single component that needs a search is handed back.
    /// Adds the symmetries to `symmetry` when `wanted`.
    pub(crate) fn settle(&mut self, whole: bool, wanted: bool) -> Settled {
        if self.partition.is_discrete() {
            self.labelling.clear();
            self.labelling.extend_from_slice(self.partition.order());
            return Settled::Labelled;
        }
        self.components.find(&self.graph, &self.partition);
        if !whole {
            let mut hard = self.components.list().iter().filter(|c| !c.tree);
            if let (Some(&only), None) = (hard.next(), hard.next()) {
                return Settled::Undecided(self.target(only));
            }
        }
        self.written.clear();
        self.trees.clear();
        self.searched.clear();
        self.forms.clear();
        for i in 0..self.components.list().len() {
            let component = self.components.list()[i];
            if component.tree {
                self.settle_tree(component, wanted);
            } else {
                self.settle_by_search(component, wanted);
            }
        }
        self.assemble(wanted);
        Settled::Labelled
    }

    /// The cell to branch on: the one joined to most other cells, then the smallest, then the
    /// first.
    fn target(&mut self, component: Component) -> u32 {
        let (components, partition) = (&self.components, &self.partition);
        let mut best = (0, u32::MAX, u32::MAX);
        self.next.clear();
        self.next.resize(partition.len(), u32::MAX);
        self.seen.clear();
        self.seen.resize(partition.len(), false);
        for &v in components.vertices(component) {
            let cell = partition.cell_of(v);
            if std::mem::replace(&mut self.seen[cell as usize], true) {
                continue;
            }
            let mut joined = 0;
            for &u in components.near(v) {
                let other = partition.cell_of(u) as usize;
                joined += u32::from(self.next[other] != cell);
                self.next[other] = cell;
            }
            let rank = (u32::MAX - joined, partition.cell_len(cell), cell);
            if best.1 == u32::MAX || rank < best {
                best = rank;
            }
        }
        best.2
    }

    fn settle_tree(&mut self, tree: Component, wanted: bool) {
        let from = self.written.len() as u32;
        let root = self.walk.walk(
            &self.components,
            &self.partition,
            tree,
            &mut self.written,
            wanted.then_some(&mut self.symmetry),
        );
        let to = self.written.len() as u32;
        self.trees.push(Block { from, to, key: (self.partition.cell_of(root), 0) });
    }

    /// Hands a component to the deeper frame, and keeps its order and form.
    fn settle_by_search(&mut self, component: Component, wanted: bool) {
        let (components, partition) = (&self.components, &self.partition);
        self.names.clear();
        self.names.extend_from_slice(components.vertices(component));
        self.names.sort_unstable_by_key(|&v| partition.cell_of(v));
        let deeper = self.deeper.get_or_insert_default();
        let cell = |&v: &u32| partition.cell_of(v);
        deeper.take_over(&self.graph, &self.names, |v| components.arcs(v).iter(), cell);
        deeper.run_search();
        let names = &self.names;
        let from = self.written.len() as u32;
        let form_from = self.forms.len() as u32;
        let order = deeper.search.best_order();
        self.written.extend(order.iter().map(|&i| names[i as usize]));
        self.forms.extend(names.iter().map(|&v| u64::from(partition.cell_of(v))));
        self.forms.extend_from_slice(deeper.search.best_form());
        if wanted {
            self.symmetry.absorb(&deeper.symmetry, names);
        }
        let to = self.written.len() as u32;
        self.searched.push(Block { from, to, key: (form_from, self.forms.len() as u32) });
    }

    /// Takes over some vertices of another graph, called by their `names` there, with these arcs, all of
    /// which lead to them. Those with the same key, which are next to each other, make up a cell.
    pub(crate) fn take_over<'a, A: Iterator<Item = &'a Arc>, K: PartialEq>(
        &mut self,
        graph: &Graph,
        names: &[u32],
        arcs: impl Fn(u32) -> A,
        key: impl Fn(&u32) -> K,
    ) {
        // What stands here of other vertices means nothing.
        self.number.resize(self.number.len().max(graph.len()), 0);
        for (i, &v) in names.iter().enumerate() {
            self.number[v as usize] = i as u32;
        }
        self.graph.begin_rows();
        for &v in names {
            let row = arcs(v).map(|arc| Arc { to: self.number[arc.to as usize], ty: arc.ty });
            self.graph.push_row(row);
        }
        self.graph.end_rows(graph);
        self.partition.reset(0..names.len() as u32);
        let mut at = 0;
        for run in names.chunk_by(|a, b| key(a) == key(b)) {
            self.partition.cut(at, at + run.len());
            at += run.len();
        }
    }

    /// Ranks the blocks, ties equal ones, and gives each vertex its place in its cell.
    fn assemble(&mut self, wanted: bool) {
        let n = self.partition.len();
        self.labelling.clear();
        self.labelling.extend_from_slice(self.partition.order());
        self.next.clear();
        self.next.extend(0..n as u32);
        for &cell in self.components.loose() {
            if wanted {
                let members = self.partition.members(cell);
                self.symmetry.factorial(members.len() as u32);
                for pair in members.windows(2) {
                    self.symmetry.exchange(&pair[..1], &pair[1..]);
                }
            }
        }
        let written = &self.written;
        self.trees.sort_unstable_by_key(|block| block.key);
        let forms = &self.forms;
        let form = |block: &Block| &forms[block.key.0 as usize..block.key.1 as usize];
        self.searched.sort_unstable_by(|a, b| {
            (a.to - a.from).cmp(&(b.to - b.from)).then_with(|| form(a).cmp(form(b)))
        });
        if wanted {
            let vertices = |block: &Block| &written[block.from as usize..block.to as usize];
            tie(&self.trees, vertices, |a, b| a.key == b.key, &mut self.symmetry);
            let same = |a: &Block, b: &Block| a.to - a.from == b.to - b.from && form(a) == form(b);
            tie(&self.searched, vertices, same, &mut self.symmetry);
        }
        for block in self.trees.iter().chain(&self.searched) {
            for &v in &written[block.from as usize..block.to as usize] {
                let place = &mut self.next[self.partition.cell_of(v) as usize];
                self.labelling[*place as usize] = v;
                *place += 1;
            }
        }
    }
}

/// Adds the exchanges of neighbouring equal blocks, and the factorials of the runs.
fn tie<'a>(
    blocks: &[Block],
    vertices: impl Fn(&Block) -> &'a [u32],
    same: impl Fn(&Block, &Block) -> bool,
    symmetry: &mut Symmetry,
) {
    for run in blocks.chunk_by(&same) {
        symmetry.factorial(run.len() as u32);
        for pair in run.windows(2) {
            symmetry.exchange(vertices(&pair[0]), vertices(&pair[1]));
        }
    }
}
