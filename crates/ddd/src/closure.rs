//! Closures, by saturation.
//!
//! Let h be a sum. At a node of variable x, the members of h that skip x are *below*: their
//! closure F* is taken of the children first, by recursion. Each other member g is replaced by
//! F* ∘ g, so that what it adds is closed under F as well; and since unions of closed sets are
//! closed, only these members have to be repeated until nothing is new. A guarded shift of x is
//! repeated arc by arc, in place: no node is made until all arcs are stable.
//!
//! F* ∘ g is only ever applied to sets that are closed under F, and remembers so
//! (`Term::Close`). Where g passes a variable, the closure below goes along: children come out
//! closed under what is below them, and the members local to the node are repeated. This is
//! saturation (Ciardo, Lüttgen, Siminiceanu 2001) for whatever homomorphisms say of themselves
//! which variables they skip. No order of variables is assumed. Shifts that do the same to a
//! variable go on as one sum (`split.rs`).
//!
//! The paper's `saturate` and `srs` fire one transition to a fixpoint, then the next; that is
//! Star of a sum of stars here.
//!
//! A closure may have to stay within a set c (`within.rs`).

use crate::arena::{Arc, Id, ZERO};
use crate::image::key;
use crate::term::{HomId, IDENTITY, Term};
use crate::within::{Anything, Bound, again};
use crate::{Error, Forest, Result, Variable};

impl Forest {
    /// h(d) within c, for a closure h and a node d. If `closed`, the children of d are closed under what
    /// is below, and within those of c.
    pub(crate) fn closure(&mut self, h: HomId, d: Id, c: impl Bound, closed: bool) -> Result<Id> {
        let variable = self.nodes.variable(d);
        let at = self.splits.at(&mut self.terms, h, variable);
        let below = self.splits[at].below;
        let base = self.stack.len();
        for i in 0..self.nodes.width(d) {
            let Arc { value, mut child, .. } = self.nodes.arc(d, i);
            if !closed {
                child = self.image(below, child, c.child(self, Some(value)))?;
            }
            if child != ZERO {
                self.stack.push(Arc { value, child, stale: true });
            }
        }
        let result = loop {
            self.shift_until_stable(at, base, c)?;
            let sum = self.finish(variable, base)?;
            self.stack.push(Arc::new(0, sum));
            let mut grown = false;
            for i in 0..self.splits[at].local.len() {
                let image = self.image(self.splits[at].local[i], self.stack[base].child, c)?;
                let sum = self.stack[base].child;
                self.stack[base].child = self.unite(sum, image)?;
                // What it was before all of them may be gone by now, and its number taken.
                grown |= self.stack[base].child != sum;
            }
            let sum = self.stack[base].child;
            self.stack.truncate(base);
            if !grown || !self.nodes.is_node(sum) {
                break sum;
            }
            for i in 0..self.nodes.width(sum) {
                self.stack.push(Arc { stale: true, ..self.nodes.arc(sum, i) });
            }
        };
        self.remember(key(h, result, c), result);
        Ok(result)
    }

    /// Repeats the shifts of a split on the arcs from `base` on.
    fn shift_until_stable<C: Bound>(&mut self, at: u32, base: usize, c: C) -> Result<()> {
        if self.splits[at].shifts.is_empty() {
            return Ok(());
        }
        let closed = if C::IS_ANYTHING { IDENTITY } else { self.splits[at].below };
        let mut from = base;
        loop {
            let arcs = &self.stack;
            let stale = (from..arcs.len()).chain(base..from).find(|i| arcs[*i].stale);
            let Some(mut i) = stale else { return Ok(()) };
            self.guard()?;
            self.stack[i].stale = false;
            for k in 0..self.splits[at].shifts.len() {
                let shift = self.splits[at].shifts[k];
                let Arc { value, child, .. } = self.stack[i];
                if value < shift.low || value > shift.high {
                    continue;
                }
                let value = value.checked_add(shift.by);
                let bound = c.child(self, value);
                // All that may be there is there.
                if !C::IS_ANYTHING && self.child_on_stack(base, value) == Some(bound.id()) {
                    continue;
                }
                let image = self.image(again(shift.next, closed), child, bound)?;
                if image == ZERO {
                    continue;
                }
                let value = value.ok_or(Error::Overflow)?;
                match self.stack[base..].binary_search_by_key(&value, |arc| arc.value) {
                    Ok(j) => {
                        let known = self.stack[base + j].child;
                        let sum = self.unite(known, image)?;
                        if sum != known {
                            self.stack[base + j] = Arc { value, child: sum, stale: true };
                        }
                    }
                    Err(j) => {
                        self.stack.insert(base + j, Arc { value, child: image, stale: true });
                        i += usize::from(base + j <= i);
                    }
                }
            }
            from = i + 1;
        }
    }

    /// star(next(d)) within c, where star(d) = d; `h` is the two together.
    pub(crate) fn closed_image<C: Bound>(
        &mut self,
        h: HomId,
        (star, next): (HomId, HomId),
        d: Id,
        c: C,
    ) -> Result<Id> {
        let variable = self.nodes.variable(d);
        let own = match self.terms.term(next) {
            Term::Sum(..) | Term::Shift { .. } => None,
            other => (!self.terms.skips(next, variable)).then_some(other),
        };
        match own {
            Some(Term::Inductive(place)) if C::IS_ANYTHING => {
                self.inductive_closed_image(star, place, d)
            }
            Some(_) => self.image_of_image(star, next, d, c),
            // What is below and the shifts leave closed children, and the rest is closed.
            None => {
                let closed = if C::IS_ANYTHING { IDENTITY } else { self.below_of(star, variable) };
                let image = self.split_image(h, closed, d, c)?;
                self.closure_of_closed(star, image, c)
            }
        }
    }

    /// What a closure does below a variable.
    fn below_of(&mut self, star: HomId, variable: Variable) -> HomId {
        let at = self.splits.at(&mut self.terms, star, variable);
        self.splits[at].below
    }

    /// The same for a user's homomorphism that does not skip the variable. Where it makes arcs of
    /// the same variable, what is below is closed on the way.
    fn inductive_closed_image(&mut self, star: HomId, place: u32, d: Id) -> Result<Id> {
        let variable = self.nodes.variable(d);
        let below = self.below_of(star, variable);
        let base = self.stack.len();
        let (image, other) = self.inductive_parts(place, d, below, Some(variable))?;
        self.stack.push(Arc::new(0, other));
        let closed = self.closure_of_closed(star, image, Anything)?;
        self.stack.push(Arc::new(0, closed));
        let other = self.image(star, other, Anything)?;
        self.stack.truncate(base);
        self.unite(closed, other)
    }

    /// star(d) within c, where the children of d are closed under what is below.
    fn closure_of_closed(&mut self, star: HomId, d: Id, c: impl Bound) -> Result<Id> {
        if !self.nodes.is_node(d) || d == c.id() {
            return Ok(d);
        }
        let key = key(star, d, c);
        if let Some(result) = self.cache.get(key) {
            return Ok(result);
        }
        let base = self.stack.len();
        self.stack.push(Arc::new(0, d));
        let result = self.closure(star, d, c, true)?;
        self.stack.truncate(base);
        self.remember(key, result);
        Ok(result)
    }
}
