//! Twins: vertices that can be exchanged while all others stay.
//!
//! That an exchange of two vertices is an automorphism is an equivalence. Within a component that
//! needs a search, each class of twins is folded into one vertex coloured by the size of the
//! class; the rest is labelled in the deeper frame and unfolded again. So twins are never
//! branched on, and classes of classes fold in turn. Candidates are found by sums over arcs with
//! the names of vertices, then checked exactly. Twins joined by several types of arcs are left to
//! the search. Cost: O(m log n) for m arcs of few types.

use crate::frame::Frame;
use crate::graph::{Arc, Graph};
use crate::mixing::mix2;
use crate::partition::{NoTrace, Partition};

#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// The least vertex of the class of each vertex.
    first: Vec<u32>,
    /// The next vertex of the same class, or [`NONE`].
    next: Vec<u32>,
    /// The size of the class, at its first vertex.
    size: Vec<u32>,
    sums: Vec<u64>,
    /// `(cell, sum, vertex)`.
    keys: Vec<(u32, u64, u32)>,
    /// Whether arcs of a type join vertices of one cell.
    within: Vec<bool>,
    names: Vec<u32>,
    lasts: Vec<u32>,
    rows: [Vec<Arc>; 2],
}

const NONE: u32 = u32::MAX;

/// What an arc adds to the sum of its vertex.
#[inline]
fn word(ty: u32, to: u32) -> u64 {
    mix2(u64::from(ty) + 1, u64::from(to))
}

impl Twins {
    /// Finds the classes of twins; whether there are twins at all.
    fn find(&mut self, graph: &Graph, partition: &Partition) -> bool {
        let n = graph.len();
        self.first.clear();
        self.first.extend(0..n as u32);
        self.next.clear();
        self.next.resize(n, NONE);
        self.size.clear();
        self.size.resize(n, 1);
        self.sums.clear();
        self.within.clear();
        self.within.resize(graph.types(), false);
        for v in 0..n as u32 {
            let mut sum = 0u64;
            for arc in graph.arcs(v) {
                sum = sum.wrapping_add(word(arc.ty, arc.to));
                self.within[arc.ty as usize] |= partition.cell_of(arc.to) == partition.cell_of(v);
            }
            self.sums.push(sum);
        }
        let mut found = self.pair_up(graph, partition, None);
        for ty in (0..graph.types() as u32).step_by(2) {
            if self.within[ty as usize] {
                found |= self.pair_up(graph, partition, Some(ty));
            }
        }
        found
    }

    /// Joins the twins of one kind: those not joined to each other, or those joined both ways by
    /// arcs of type `joined` and no other. Twins of a kind have equal sums once a vertex is
    /// counted as joined to itself in the same way.
    fn pair_up(&mut self, graph: &Graph, partition: &Partition, joined: Option<u32>) -> bool {
        self.keys.clear();
        for (v, &sum) in self.sums.iter().enumerate() {
            let v = v as u32;
            let own = joined.map_or(0, |ty| word(ty, v).wrapping_add(word(ty | 1, v)));
            if partition.cell_len(partition.cell_of(v)) > 1 {
                let sum = sum.wrapping_add(own) & graph.mask();
                self.keys.push((partition.cell_of(v), sum, v));
            }
        }
        self.keys.sort_unstable();
        let mut found = false;
        for run in self.keys.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if run.len() < 2 {
                continue;
            }
            // The last vertex of each class in the run.
            self.lasts.clear();
            for &(_, _, v) in run {
                if self.first[v as usize] != v || self.size[v as usize] > 1 {
                    continue;
                }
                let known = self.lasts.iter_mut().find(|last| {
                    are_twins(graph, self.first[**last as usize], v, joined, &mut self.rows)
                });
                let Some(last) = known else {
                    self.lasts.push(v);
                    continue;
                };
                let first = self.first[*last as usize];
                self.first[v as usize] = first;
                self.next[*last as usize] = v;
                self.size[first as usize] += 1;
                *last = v;
                found = true;
            }
        }
        found
    }

    /// The class of a first vertex.
    fn class(&self, first: u32) -> impl Iterator<Item = u32> {
        let mut at = first;
        std::iter::from_fn(move || {
            let v = (at != NONE).then_some(at)?;
            at = self.next[v as usize];
            Some(v)
        })
    }
}

/// Whether `a` and `b` are joined as asked and exchanging them is an automorphism: it must map
/// the arcs of `a` to those of `b`.
fn are_twins(
    graph: &Graph,
    a: u32,
    b: u32,
    joined: Option<u32>,
    [row_a, row_b]: &mut [Vec<Arc>; 2],
) -> bool {
    if graph.arcs(a).len() != graph.arcs(b).len() {
        return false;
    }
    let between = graph.arcs(a).iter().filter(|arc| arc.to == b).map(|arc| arc.ty);
    if !between.eq(joined.into_iter().flat_map(|ty| [ty, ty | 1])) {
        return false;
    }
    row_a.clear();
    row_a.extend(
        graph.arcs(a).iter().map(|&arc| if arc.to == b { Arc { to: a, ..arc } } else { arc }),
    );
    row_b.clear();
    row_b.extend_from_slice(graph.arcs(b));
    for row in [&mut *row_a, &mut *row_b] {
        row.sort_unstable_by_key(|arc| (arc.ty, arc.to));
    }
    row_a == row_b
}

impl Frame {
    /// Labels the graph by folding its twins, if it has any, as [`Frame::run_search`] does.
    pub(crate) fn fold_twins(&mut self) -> bool {
        if !self.twins.find(&self.graph, &self.partition) {
            return false;
        }
        let twins = &mut self.twins;
        let partition = &self.partition;
        twins.names.clear();
        let firsts = partition.order().iter().filter(|&&v| twins.first[v as usize] == v);
        twins.names.extend(firsts);
        let key = |v: u32| (partition.cell_of(v), twins.size[v as usize]);
        twins.names.sort_unstable_by_key(|&v| key(v));
        let deeper = self.deeper.get_or_insert_default();
        let is_first = |arc: &&Arc| twins.first[arc.to as usize] == arc.to;
        let arcs = |v: u32| self.graph.arcs(v).iter().filter(is_first);
        deeper.take_over(&self.graph, &twins.names, arcs, |&v| key(v));
        deeper.partition.enqueue_all();
        deeper.partition.refine(&deeper.graph, &mut NoTrace);
        deeper.exact.settle(&deeper.graph, &mut deeper.partition);
        deeper.run_search();
        self.unfold_twins();
        true
    }

    /// Takes over labelling and symmetry from the deeper frame, each class in place of its first.
    fn unfold_twins(&mut self) {
        let twins = &self.twins;
        let deeper = self.deeper.as_ref().expect("the frame that labelled the classes");
        self.labelling.clear();
        for &i in deeper.search.best_order() {
            let first = twins.names[i as usize];
            self.labelling.extend(twins.class(first));
            let size = twins.size[first as usize];
            self.symmetry.factorial(size);
            for (a, b) in twins.class(first).zip(twins.class(first).skip(1)) {
                self.symmetry.exchange(&[a], &[b]);
            }
        }
        self.symmetry.factors.extend_from_slice(&deeper.symmetry.factors);
        for moves in deeper.symmetry.generators() {
            let classes =
                moves.iter().map(|&(a, b)| (twins.names[a as usize], twins.names[b as usize]));
            let all = classes.flat_map(|(a, b)| twins.class(a).zip(twins.class(b)));
            self.symmetry.generator(all);
        }
    }
}
