//! Counting nodes and paths.
//!
//! All counts visit each reachable node once. Paths are counted in 128 bits as long as these
//! suffice, and as big integers from then on.

use num_bigint::BigUint;
use rustc_hash::FxHashSet;

use crate::arena::{Id, TOP, ZERO};
use crate::{Ddd, Forest, Node};

/// What a set looks like: the figures of the paper's table (section 7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Nodes of the diagram, the terminals that are reached among them.
    pub nodes: usize,
    /// Sequences in the set.
    pub paths: BigUint,
    /// Assignments in all sequences together.
    pub assignments: BigUint,
}

impl Shape {
    /// Assignments per sequence, on average.
    pub fn average_length(&self) -> f64 {
        ratio(&self.assignments, &self.paths)
    }

    /// What sharing saves: 0.8 if the diagram is a fifth of the size of the sequences written
    /// one by one.
    pub fn average_sharing(&self) -> f64 {
        1.0 - ratio(&self.nodes.into(), &self.assignments)
    }
}

/// Exact to the precision of the result; of numbers that do not fit into one, too.
fn ratio(a: &BigUint, b: &BigUint) -> f64 {
    let shift = a.bits().max(b.bits()).saturating_sub(120);
    let float = |x: &BigUint| u128::try_from(x >> shift).map_or(f64::NAN, |x| x as f64);
    float(a) / float(b)
}

/// A kind of number for counts: addition may fail.
trait Count: Clone {
    fn small(n: u8) -> Self;
    fn plus(&self, other: &Self) -> Option<Self>;
}

impl Count for u128 {
    fn small(n: u8) -> Self {
        n.into()
    }
    fn plus(&self, other: &Self) -> Option<Self> {
        self.checked_add(*other)
    }
}

impl Count for BigUint {
    fn small(n: u8) -> Self {
        n.into()
    }
    fn plus(&self, other: &Self) -> Option<Self> {
        Some(self + other)
    }
}

impl Forest {
    /// How many nodes the diagrams have together, each counted once, the terminals that are
    /// reached among them. O(nodes).
    pub fn size<'a>(&self, diagrams: impl IntoIterator<Item = &'a Ddd>) -> usize {
        let roots = diagrams.into_iter().map(|d| self.diagrams.id(d)).collect();
        self.bottom_up(roots).len()
    }

    /// Whether ⊤ is nowhere in the diagram, so that it stands for one set. O(nodes).
    pub fn is_well_defined(&self, d: &Ddd) -> bool {
        !self.bottom_up(vec![self.diagrams.id(d)]).contains(&TOP)
    }

    /// How many sequences the set has; what ends in ⊤ does not count. O(nodes) additions.
    pub fn count(&self, d: &Ddd) -> BigUint {
        self.shape(d).paths
    }

    /// Nodes, sequences and assignments. O(nodes) additions.
    pub fn shape(&self, d: &Ddd) -> Shape {
        let order = self.bottom_up(vec![self.diagrams.id(d)]);
        let (paths, assignments) = match self.totals::<u128>(&order) {
            Some((paths, assignments)) => (paths.into(), assignments.into()),
            None => self.totals(&order).expect("big integers do not overflow"),
        };
        Shape { nodes: order.len(), paths, assignments }
    }

    /// The paths from the last node of an order, and their lengths together.
    fn totals<T: Count>(&self, order: &[Id]) -> Option<(T, T)> {
        self.fold_in(order, |node: Node<&Option<(T, T)>>| match node {
            Node::Arcs(_, arcs) => {
                let (mut paths, mut lengths) = (T::small(0), T::small(0));
                for (_, below) in arcs {
                    let (more, longer) = below.as_ref()?;
                    paths = paths.plus(more)?;
                    lengths = lengths.plus(longer)?;
                }
                let lengths = lengths.plus(&paths)?;
                Some((paths, lengths))
            }
            terminal => Some((T::small(u8::from(matches!(terminal, Node::One))), T::small(0))),
        })
    }

    /// All nodes and terminals reached from some, children before parents.
    pub(crate) fn bottom_up(&self, roots: Vec<Id>) -> Vec<Id> {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        // A node is met twice: going down, and when its children are done.
        let mut open: Vec<(Id, bool)> = roots.into_iter().map(|id| (id, false)).collect();
        while let Some((id, done)) = open.pop() {
            if done {
                order.push(id);
            } else if seen.insert(id) {
                open.push((id, true));
                if self.nodes.is_node(id) {
                    open.extend(self.nodes.arcs(id).iter().map(|arc| (arc[1], false)));
                }
            }
        }
        order
    }

    /// Whether the set is 0.
    pub fn is_empty(&self, d: &Ddd) -> bool {
        self.diagrams.id(d) == ZERO
    }
}
