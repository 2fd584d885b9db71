//! A set of markings, level by level, and what is counted on it.
//!
//! All markings assign the same places in the same order, so a node belongs to one level, its arcs
//! lead to the next, and every node is on a path from the root to the terminal. The markings that
//! pass a node are those above it times those below it. To count those that enable a transition, the
//! numbers above the nodes at its first place are passed on along the arcs that it allows, down to
//! its last place, and there multiplied by what is below.

use std::ops::{AddAssign, Mul, RangeInclusive};

use ddd::{Ddd, Forest, Limits, Node, Result, Value, Variable};
use num_bigint::BigUint;

/// A number that paths are counted with, which the sums and products in question do not overflow: a
/// machine word where that suffices, or a big integer.
trait Number:
    Clone
    + From<u32>
    + Into<BigUint>
    + for<'a> AddAssign<&'a Self>
    + for<'a> Mul<&'a Self, Output = Self>
{
}

impl Number for u128 {}
impl Number for BigUint {}

/// A transition that is enabled with these values, and how often it counts.
pub(super) type Counted = (Vec<(Variable, RangeInclusive<Value>)>, u64);

/// The nodes of a set, the terminal first, children before parents.
#[derive(Debug)]
pub(super) struct Table {
    /// Values and children.
    arcs: Vec<(Value, u32)>,
    /// Where those of each node end.
    ends: Vec<usize>,
    /// The nodes of each level, and the terminal.
    levels: Vec<Vec<u32>>,
}

impl Table {
    pub(super) fn of(forest: &Forest, markings: &Ddd, places: usize) -> Self {
        let (mut arcs, mut ends, mut levels) =
            (Vec::new(), Vec::new(), vec![Vec::new(); places + 1]);
        forest.fold(markings, |node: Node<&u32>| {
            let level = match node {
                Node::Arcs(variable, own) => {
                    arcs.extend(own.into_iter().map(|(value, child)| (value, *child)));
                    variable as usize
                }
                _ => places,
            };
            let id = ends.len() as u32;
            ends.push(arcs.len());
            levels[level].push(id);
            id
        });
        Self { arcs, ends, levels }
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn arcs(&self, node: u32) -> &[(Value, u32)] {
        let node = node as usize;
        let from = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.arcs[from..self.ends[node]]
    }

    /// The paths from each node to the terminal.
    fn below<N: Number>(&self) -> Vec<N> {
        let mut below = Vec::with_capacity(self.len());
        for node in 0..self.len() as u32 {
            let mut sum = N::from(u32::from(node == 0));
            self.arcs(node).iter().for_each(|(_, child)| sum += &below[*child as usize]);
            below.push(sum);
        }
        below
    }

    /// The paths from the root to each node.
    fn above<N: Number>(&self) -> Vec<N> {
        let mut above = vec![N::from(0); self.len()];
        *above.last_mut().expect("there is a root") = N::from(1);
        for node in (0..self.len()).rev() {
            for (_, child) in self.arcs(node as u32) {
                let [below, from] = above.get_disjoint_mut([*child as usize, node]).expect("two");
                *below += from;
            }
        }
        above
    }

    /// For all transitions together, the markings in which each is enabled, as often as it counts.
    pub(super) fn count_enabled(
        &self,
        transitions: &[Counted],
        limits: &Limits,
    ) -> Result<BigUint> {
        let paths: BigUint = self.below::<BigUint>().pop().expect("there is a root");
        if paths.bits() <= 128 {
            self.sum_enabled::<u128>(transitions, limits)
        } else {
            self.sum_enabled::<BigUint>(transitions, limits)
        }
    }

    fn sum_enabled<N: Number>(&self, transitions: &[Counted], limits: &Limits) -> Result<BigUint> {
        let (above, below) = (self.above::<N>(), self.below::<N>());
        let mut passing = vec![N::from(0); self.len()];
        let mut is_open = vec![false; self.len()];
        let mut total = BigUint::ZERO;
        for (guards, times) in transitions {
            limits.budget.check()?;
            let Some((first, _)) = guards.first() else {
                total += below[self.len() - 1].clone().into() * times;
                continue;
            };
            let mut open = self.levels[*first as usize].clone();
            open.iter().for_each(|node| passing[*node as usize] = above[*node as usize].clone());
            let mut level = *first;
            for (variable, within) in guards {
                while level <= *variable {
                    let mut next = Vec::new();
                    for node in open {
                        let ways = std::mem::replace(&mut passing[node as usize], N::from(0));
                        is_open[node as usize] = false;
                        for (value, child) in self.arcs(node) {
                            if level < *variable || within.contains(value) {
                                passing[*child as usize] += &ways;
                                if !std::mem::replace(&mut is_open[*child as usize], true) {
                                    next.push(*child);
                                }
                            }
                        }
                    }
                    open = next;
                    level += 1;
                }
            }
            let mut sum = N::from(0);
            for node in open {
                let ways = std::mem::replace(&mut passing[node as usize], N::from(0));
                is_open[node as usize] = false;
                sum += &(ways * &below[node as usize]);
            }
            total += sum.into() * times;
        }
        Ok(total)
    }

    /// The least and the greatest sum of the values, each times the weight of its level.
    pub(super) fn range(&self, weights: &[i128]) -> (i128, i128) {
        let Some(first) = weights.iter().position(|weight| *weight != 0) else { return (0, 0) };
        let last = weights.iter().rposition(|weight| *weight != 0).unwrap_or(first);
        let hull = |sums: &mut dyn Iterator<Item = (i128, i128)>| {
            sums.reduce(|(a, b), (c, d)| (a.min(c), b.max(d))).unwrap_or((0, 0))
        };
        let mut ranges = vec![(0_i128, 0_i128); self.len()];
        for level in (first..=last).rev() {
            for node in &self.levels[level] {
                let mut sums = self.arcs(*node).iter().map(|(value, child)| {
                    let own = weights[level] * i128::from(*value);
                    let (least, greatest) = ranges[*child as usize];
                    (own + least, own + greatest)
                });
                ranges[*node as usize] = hull(&mut sums);
            }
        }
        hull(&mut self.levels[first].iter().map(|node| ranges[*node as usize]))
    }

    /// The greatest value.
    pub(super) fn greatest_value(&self) -> Value {
        self.arcs.iter().map(|(value, _)| *value).max().unwrap_or(0)
    }
}
