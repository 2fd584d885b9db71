//! Union, intersection, difference and concatenation.
//!
//! What they make of ⊤ is in the tables of the crate's documentation: ⊤ stands for any set, so it
//! is what comes out where a set cannot be represented or is not known. Concatenation is 0 if
//! either side is, and otherwise puts e in the place of every 1 of d; what follows ⊤ is ⊤.
//!
//! Each operation visits every pair of nodes (for concatenation: every node of the left side) at
//! most once, as long as the cache forgets nothing, and merges their arcs in order.

use crate::arena::{Arc, Id, ONE, TOP, ZERO};
use crate::cache::Key;
use crate::{Forest, Result, Value, Variable};

/// Operations of the cache; those above are applications of homomorphisms.
pub(crate) const UNION: u32 = 0;
const INTERSECTION: u32 = 1;
const DIFFERENCE: u32 = 2;
const CONCATENATION: u32 = 3;
/// The number of operations here.
pub(crate) const SET_OPERATIONS: u32 = 4;

/// What is known without looking into nodes.
#[inline(always)]
fn at_terminal<const OP: u32>(a: Id, b: Id) -> Option<Id> {
    match OP {
        UNION => match (a, b) {
            (ZERO, d) | (d, ZERO) => Some(d),
            _ if a == b => Some(a),
            (ONE | TOP, _) | (_, ONE | TOP) => Some(TOP),
            _ => None,
        },
        INTERSECTION => match (a, b) {
            (ZERO, _) | (_, ZERO) => Some(ZERO),
            (TOP, _) | (_, TOP) => Some(TOP),
            _ if a == b => Some(a),
            (ONE, _) | (_, ONE) => Some(ZERO),
            _ => None,
        },
        _ => match (a, b) {
            (ZERO, _) => Some(ZERO),
            (TOP, _) | (_, TOP) => Some(TOP),
            (ONE, ONE) => Some(ZERO),
            (ONE, _) | (_, ZERO | ONE) => Some(a),
            _ => None,
        },
    }
}

impl Forest {
    pub(crate) fn unite(&mut self, a: Id, b: Id) -> Result<Id> {
        // The smaller number first: one entry of the cache serves both orders.
        self.merge::<UNION>(a.min(b), a.max(b))
    }

    pub(crate) fn intersect(&mut self, a: Id, b: Id) -> Result<Id> {
        self.merge::<INTERSECTION>(a.min(b), a.max(b))
    }

    pub(crate) fn subtract(&mut self, a: Id, b: Id) -> Result<Id> {
        self.merge::<DIFFERENCE>(a, b)
    }

    fn merge<const OP: u32>(&mut self, a: Id, b: Id) -> Result<Id> {
        if let Some(known) = at_terminal::<OP>(a, b) {
            return Ok(known);
        }
        // A ⊤ somewhere below stays, even if the same is taken away.
        if OP == DIFFERENCE && a == b && !self.nodes.have_top {
            return Ok(ZERO);
        }
        let variable = self.nodes.variable(a);
        if variable != self.nodes.variable(b) {
            return Ok(match OP {
                UNION => TOP,
                INTERSECTION => ZERO,
                _ => a,
            });
        }
        let key = Key { op: OP, a, b };
        if let Some(result) = self.cache.get(key) {
            return Ok(result);
        }
        self.guard()?;
        let result = self.merge_arcs::<OP>(variable, a, b)?;
        self.remember(key, result);
        Ok(result)
    }

    fn merge_arcs<const OP: u32>(&mut self, variable: Variable, a: Id, b: Id) -> Result<Id> {
        let keep_left = OP != INTERSECTION;
        let keep_right = OP == UNION;
        let base = self.stack.len();
        let (mut i, mut j) = (0, 0);
        let (width_a, width_b) = (self.nodes.width(a), self.nodes.width(b));
        let (mut is_a, mut is_b) = (true, OP != DIFFERENCE);
        while i < width_a && j < width_b {
            let (left, right) = (self.nodes.arc(a, i), self.nodes.arc(b, j));
            if left.value < right.value {
                i += 1;
                is_b = false;
                if keep_left {
                    self.stack.push(left);
                } else {
                    is_a = false;
                }
            } else if right.value < left.value {
                j += 1;
                if keep_right {
                    is_a = false;
                    self.stack.push(right);
                } else {
                    is_b = false;
                }
            } else {
                let child = match OP {
                    DIFFERENCE => self.subtract(left.child, right.child)?,
                    UNION => self.unite(left.child, right.child)?,
                    _ => self.intersect(left.child, right.child)?,
                };
                is_a &= child == left.child;
                is_b &= child == right.child;
                if child != ZERO {
                    self.stack.push(Arc::new(left.value, child));
                }
                (i, j) = (i + 1, j + 1);
            }
        }
        if i < width_a {
            is_b = false;
            is_a &= keep_left;
        }
        if j < width_b {
            is_a &= !keep_right;
            is_b &= keep_right;
        }
        if is_a || is_b {
            self.stack.truncate(base);
            return Ok(if is_a { a } else { b });
        }
        while keep_left && i < width_a {
            self.stack.push(self.nodes.arc(a, i));
            i += 1;
        }
        while keep_right && j < width_b {
            self.stack.push(self.nodes.arc(b, j));
            j += 1;
        }
        self.finish(variable, base)
    }

    pub(crate) fn concatenate(&mut self, a: Id, b: Id) -> Result<Id> {
        match (a, b) {
            (ZERO, _) | (_, ZERO) => return Ok(ZERO),
            (ONE, d) | (d, ONE) => return Ok(d),
            (TOP, _) => return Ok(TOP),
            _ => {}
        }
        let key = Key { op: CONCATENATION, a, b };
        if let Some(result) = self.cache.get(key) {
            return Ok(result);
        }
        self.guard()?;
        let base = self.stack.len();
        for i in 0..self.nodes.width(a) {
            let arc = self.nodes.arc(a, i);
            let child = self.concatenate(arc.child, b)?;
            self.stack.push(Arc::new(arc.value, child));
        }
        let result = self.finish(self.nodes.variable(a), base)?;
        self.remember(key, result);
        Ok(result)
    }

    /// The union of any number, in pairs of pairs.
    pub(crate) fn unite_all(&mut self, sets: &mut [Id]) -> Result<Id> {
        let mut length = sets.len();
        while length > 1 {
            for i in 0..length / 2 {
                sets[i] = self.unite(sets[2 * i], sets[2 * i + 1])?;
            }
            if !length.is_multiple_of(2) {
                sets[length / 2] = sets[length - 1];
            }
            length = length.div_ceil(2);
        }
        Ok(sets.first().copied().unwrap_or(ZERO))
    }

    /// The node of the arcs on the stack from `base` on, which are taken off. They ascend.
    #[inline]
    pub(crate) fn finish(&mut self, variable: Variable, base: usize) -> Result<Id> {
        let id = self.nodes.make(variable, &self.stack[base..], self.node_limit)?;
        self.stack.truncate(base);
        Ok(id)
    }

    /// The same where the arcs are in any order, and those with one value are united.
    pub(crate) fn finish_sum(&mut self, variable: Variable, base: usize) -> Result<Id> {
        self.stack[base..].sort_unstable_by_key(|arc| arc.value);
        let mut last = base;
        for i in base + 1..self.stack.len() {
            let arc = self.stack[i];
            if arc.value == self.stack[last].value {
                self.stack[last].child = self.unite(self.stack[last].child, arc.child)?;
            } else {
                last += 1;
                self.stack[last] = arc;
            }
        }
        if base < self.stack.len() {
            self.stack.truncate(last + 1);
        }
        self.finish(variable, base)
    }

    /// x –v→ d.
    pub(crate) fn single(&mut self, variable: Variable, value: Value, child: Id) -> Result<Id> {
        match child {
            ZERO => Ok(ZERO),
            _ => self.nodes.make(variable, &[Arc::new(value, child)], self.node_limit),
        }
    }
}
