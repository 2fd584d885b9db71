//! Sequences chosen by a weighted sum of their values.
//!
//! `Σ w(x)·v` over the assignments x := v of a sequence, where a variable that has no weight counts
//! nothing. First the least and the greatest sum below each node are found; then the limit is passed down,
//! less what was met on the way. A node all of whose sequences stay within the limit is kept as it is, one
//! none of whose sequences does is dropped, and only the others are looked into. Results are remembered by
//! node and limit; there are at most as many as nodes times sums.
//!
//! Sums are exact: a weight is at most 2^63 and a value 2^31, and there are fewer than 2^31 nodes on a
//! path.

use rustc_hash::FxHashMap;

use crate::arena::{Arc, Id, ONE, TOP, ZERO};
use crate::{Ddd, Error, Forest, Result, Variable};

struct Weighing {
    weights: FxHashMap<Variable, i128>,
    /// The least and the greatest sum below a node.
    extremes: FxHashMap<Id, (i128, i128)>,
    results: FxHashMap<(Id, i128), Id>,
}

impl Forest {
    /// The sequences of a set whose weighted sum of values is at most `at_most`. A variable has the weight
    /// it is listed with, the last one if there are several, and none if it is not. Sequences that end in
    /// ⊤ stay.
    ///
    /// Costs a visit to all nodes of `d`, and to each as often as there are different sums above it that
    /// do not decide. Weights beyond 2^63 are refused with [`Error::Overflow`].
    ///
    /// ```
    /// use ddd::Forest;
    ///
    /// let mut forest = Forest::new();
    /// let d = [[1, 3], [2, 2], [4, 0]].map(|[a, b]| forest.sequence(&[(0, a), (1, b)]).unwrap());
    /// let all = forest.union_all(&d)?;
    /// // a - 2b <= -2
    /// let some = forest.select_sum(&all, &[(0, 1), (1, -2)], -2)?;
    /// assert_eq!(some, forest.union(&d[0], &d[1])?);
    /// # Ok::<(), ddd::Error>(())
    /// ```
    pub fn select_sum(
        &mut self,
        d: &Ddd,
        weights: &[(Variable, i128)],
        at_most: i128,
    ) -> Result<Ddd> {
        let root = self.diagrams.id(d);
        let id = self.run(|forest| {
            let mut weighing = forest.weighing(root, weights)?;
            forest.within_sum(root, at_most, &mut weighing)
        })?;
        Ok(self.diagrams.hold(id))
    }

    /// The least and the greatest weighted sum of values of a sequence in a set; `None` if the set is empty,
    /// and no more than that nothing is known if it has ⊤ in it: then they are beyond all sums.
    ///
    /// Costs a visit to all nodes. Weights beyond 2^63 are refused with [`Error::Overflow`].
    pub fn sum_range(
        &mut self,
        d: &Ddd,
        weights: &[(Variable, i128)],
    ) -> Result<Option<(i128, i128)>> {
        let root = self.diagrams.id(d);
        let range = self.run(|forest| Ok(forest.weighing(root, weights)?.extremes[&root]))?;
        Ok((root != ZERO).then_some(range))
    }

    fn weighing(&mut self, root: Id, weights: &[(Variable, i128)]) -> Result<Weighing> {
        if weights.iter().any(|(_, weight)| weight.unsigned_abs() > 1 << 63) {
            return Err(Error::Overflow);
        }
        let weights = weights.iter().copied().collect();
        let (extremes, results) = (FxHashMap::default(), FxHashMap::default());
        let mut weighing = Weighing { weights, extremes, results };
        self.find_extremes(root, &mut weighing)?;
        Ok(weighing)
    }

    fn find_extremes(&mut self, root: Id, weighing: &mut Weighing) -> Result<()> {
        let Weighing { weights, extremes, .. } = weighing;
        for id in self.bottom_up(vec![root]) {
            self.guard()?;
            let of = match id {
                // Nothing is known of ⊤, so that no node above it is decided.
                TOP => (i128::MIN / 2, i128::MAX / 2),
                ONE | ZERO => (0, 0),
                _ => {
                    let weight = weights.get(&self.nodes.variable(id)).copied().unwrap_or(0);
                    let arcs = self.nodes.arcs(id).iter().map(|[value, child]| {
                        let own = weight * i128::from(*value as i32);
                        let (least, greatest) = extremes[child];
                        (own + least, own + greatest)
                    });
                    let all = (i128::MAX, i128::MIN);
                    arcs.fold(all, |(least, greatest), (a, b)| (least.min(a), greatest.max(b)))
                }
            };
            extremes.insert(id, of);
        }
        Ok(())
    }

    fn within_sum(&mut self, id: Id, left: i128, weighing: &mut Weighing) -> Result<Id> {
        if !self.nodes.is_node(id) {
            return Ok(if id == ONE && left < 0 { ZERO } else { id });
        }
        let (least, greatest) = weighing.extremes[&id];
        if greatest <= left {
            return Ok(id);
        }
        if left < least {
            return Ok(ZERO);
        }
        if let Some(result) = weighing.results.get(&(id, left)) {
            return Ok(*result);
        }
        self.guard()?;
        let variable = self.nodes.variable(id);
        let weight = weighing.weights.get(&variable).copied().unwrap_or(0);
        let base = self.stack.len();
        for i in 0..self.nodes.width(id) {
            let arc = self.nodes.arc(id, i);
            let left = left - weight * i128::from(arc.value);
            let child = self.within_sum(arc.child, left, weighing)?;
            if child != ZERO {
                self.stack.push(Arc::new(arc.value, child));
            }
        }
        let result = self.finish(variable, base)?;
        weighing.results.insert((id, left), result);
        Ok(result)
    }
}
