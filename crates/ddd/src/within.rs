//! Images and closures that stay within a set.
//!
//! To apply h to d and then intersect with c may make sets on the way that are far larger than both. Here
//! c goes down along with the result, and what leads out of it is not followed. For closures this is
//! *constrained saturation* (Zhao and Ciardo, *Symbolic CTL Model Checking of Asynchronous Systems Using
//! Constrained Saturation*, ATVA 2009): saturation (`closure.rs`) in which every step stays within c.
//!
//! There is one difference to saturation. A shift from the arc of v to that of w leads from a child that
//! is closed within c(v) to one that has to be closed within c(w), which may be more. So where a shift
//! leaves what follows as it is, that is closed again, which costs nothing if it was. In return, where all of
//! c is reached nothing more can be, and the search ends there.
//!
//! Shifts, and sums and closures of them, are taken down; any other homomorphism that does not skip a
//! variable is applied as usual, and its image cut. Results are cached by homomorphism, d and c.

use crate::arena::{Arc, Id, TOP, ZERO};
use crate::cache::Key;
use crate::sets::SET_OPERATIONS;
use crate::split::LocalShift;
use crate::term::{HomId, IDENTITY, NOTHING, Term};
use crate::{Ddd, Forest, Hom, Result, Value};

/// How the cache knows it. There is no other use of a constraint that is not 0.
fn key(h: HomId, d: Id, c: Id) -> Key {
    Key { op: SET_OPERATIONS + h, a: d, b: c }
}

impl Forest {
    /// h(d) * c, where closures stay within `c`: [`star(h)`](Forest::star) of d is here the least set that has
    /// d * c in it, and h(x) * c if it has x. The same goes for closures that are members of sums or of closures.
    ///
    /// Each triple of homomorphism, node of d and node of c that comes up is evaluated once, as long as the
    /// cache forgets nothing.
    ///
    /// ```
    /// use ddd::{Forest, Shift};
    ///
    /// // Count up, but not from 3 to 4.
    /// let mut forest = Forest::new();
    /// let up = forest.chain(&[Shift { variable: 0, within: 0..=8, by: 1 }])?;
    /// let up = forest.star(&up);
    /// let start = forest.sequence(&[(0, 0)])?;
    /// let all = forest.apply(&up, &start)?;
    /// let four = forest.sequence(&[(0, 4)])?;
    /// let others = forest.difference(&all, &four)?;
    /// let some = forest.apply_within(&up, &start, &others)?;
    /// assert_eq!(forest.count(&some), 4u32.into());
    /// # Ok::<(), ddd::Error>(())
    /// ```
    pub fn apply_within(&mut self, h: &Hom, d: &Ddd, c: &Ddd) -> Result<Ddd> {
        let hom = self.homs.id(h);
        let (node, constraint) = (self.diagrams.id(d), self.diagrams.id(c));
        let id = self.run(|forest| forest.within(hom, node, constraint))?;
        Ok(self.diagrams.hold(id))
    }

    fn within(&mut self, h: HomId, d: Id, c: Id) -> Result<Id> {
        if d == ZERO || c == ZERO || h == NOTHING {
            return Ok(ZERO);
        }
        if h == IDENTITY {
            return self.intersect(d, c);
        }
        let term = self.terms.term(h);
        // All of it can be no more.
        if d == c && matches!(term, Term::Star(_)) {
            return Ok(d);
        }
        let key = key(h, d, c);
        if let Some(result) = self.cache.get(key) {
            return Ok(result);
        }
        self.guard()?;
        if self.collection_is_due() {
            self.collect_garbage();
        }
        let alike = |forest: &Self| forest.nodes.variable(d) == forest.nodes.variable(c);
        let nodes = self.nodes.is_node(d) && self.nodes.is_node(c) && alike(self);
        let result = match term {
            Term::Star(_) if nodes => self.closure_within(h, d, c, false)?,
            Term::Star(_) if d != TOP && c != TOP => self.intersect(d, c)?,
            Term::Close { star, next } => self.closed_image_within(h, (star, next), d, c, nodes)?,
            Term::Sum(..) if nodes => self.split_image_within(h, IDENTITY, d, c)?,
            Term::Shift { variable, low, high, by, next }
                if nodes && variable == self.nodes.variable(d) =>
            {
                let base = self.stack.len();
                self.push_shifted_within(d, c, ((low, high), by), next)?;
                self.finish(variable, base)?
            }
            _ if nodes && self.terms.skips(h, self.nodes.variable(d)) => {
                let base = self.stack.len();
                self.push_shifted_within(d, c, ((Value::MIN, Value::MAX), 0), h)?;
                self.finish(self.nodes.variable(d), base)?
            }
            _ => {
                let image = self.image(h, d)?;
                self.intersect(image, c)?
            }
        };
        self.remember(key, result);
        Ok(result)
    }

    /// The child of a node for a value.
    fn child(&self, node: Id, value: Value) -> Id {
        let arcs = self.nodes.arcs(node);
        match arcs.binary_search_by_key(&value, |arc| arc[0] as Value) {
            Ok(at) => arcs[at][1],
            Err(_) => ZERO,
        }
    }

    /// Puts on the stack the arcs of d whose value is within bounds, shifted, with what `next` makes of their
    /// children within those of c.
    fn push_shifted_within(
        &mut self,
        d: Id,
        c: Id,
        ((low, high), by): ((Value, Value), Value),
        next: HomId,
    ) -> Result<()> {
        if next == NOTHING {
            return Ok(());
        }
        for i in 0..self.nodes.width(d) {
            let arc = self.nodes.arc(d, i);
            if arc.value < low || arc.value > high {
                continue;
            }
            // What does not fit is in no set.
            let Some(value) = arc.value.checked_add(by) else { continue };
            let constraint = self.child(c, value);
            let child = self.within(next, arc.child, constraint)?;
            if child != ZERO {
                self.stack.push(Arc::new(value, child));
            }
        }
        Ok(())
    }

    /// A split homomorphism on a node of its variable. What it leaves as it is, is to be closed under
    /// `closed`.
    fn split_image_within(&mut self, h: HomId, closed: HomId, d: Id, c: Id) -> Result<Id> {
        let variable = self.nodes.variable(d);
        let at = self.splits.at(&mut self.terms, h, variable);
        let base = self.stack.len();
        let below = again(self.splits[at].below, closed);
        self.push_shifted_within(d, c, ((Value::MIN, Value::MAX), 0), below)?;
        for i in 0..self.splits[at].shifts.len() {
            let LocalShift { low, high, by, next } = self.splits[at].shifts[i];
            self.push_shifted_within(d, c, ((low, high), by), again(next, closed))?;
        }
        let image = self.finish_sum(variable, base)?;
        self.stack.push(Arc::new(0, image));
        for i in 0..self.splits[at].local.len() {
            let image = self.within(self.splits[at].local[i], d, c)?;
            self.stack[base].child = self.unite(self.stack[base].child, image)?;
        }
        let sum = self.stack[base].child;
        self.stack.truncate(base);
        Ok(sum)
    }

    /// star(next(d)) within c; `h` is the two together.
    fn closed_image_within(
        &mut self,
        h: HomId,
        (star, next): (HomId, HomId),
        d: Id,
        c: Id,
        nodes: bool,
    ) -> Result<Id> {
        let apart = nodes
            && (matches!(self.terms.term(next), Term::Sum(..) | Term::Shift { .. })
                || self.terms.skips(next, self.nodes.variable(d)));
        let base = self.stack.len();
        let (image, closed) = if apart {
            let at = self.splits.at(&mut self.terms, star, self.nodes.variable(d));
            let below = self.splits[at].below;
            (self.split_image_within(h, below, d, c)?, true)
        } else {
            (self.within(next, d, c)?, false)
        };
        if image == c {
            return Ok(c);
        }
        if !closed || !self.nodes.is_node(image) {
            self.stack.push(Arc::new(0, image));
            let result = self.within(star, image, c)?;
            self.stack.truncate(base);
            return Ok(result);
        }
        let key = key(star, image, c);
        if let Some(result) = self.cache.get(key) {
            return Ok(result);
        }
        self.stack.push(Arc::new(0, image));
        let result = self.closure_within(star, image, c, true)?;
        self.stack.truncate(base);
        self.remember(key, result);
        Ok(result)
    }

    /// The closure of d within c, of one variable. If `closed`, the children of d are closed under what is
    /// below, and within those of c.
    fn closure_within(&mut self, h: HomId, d: Id, c: Id, closed: bool) -> Result<Id> {
        let variable = self.nodes.variable(d);
        let at = self.splits.at(&mut self.terms, h, variable);
        let below = self.splits[at].below;
        let base = self.stack.len();
        for i in 0..self.nodes.width(d) {
            let arc = self.nodes.arc(d, i);
            let constraint = self.child(c, arc.value);
            let child = if closed { arc.child } else { self.within(below, arc.child, constraint)? };
            if child != ZERO {
                self.stack.push(Arc { stale: true, ..Arc::new(arc.value, child) });
            }
        }
        let result = loop {
            self.shift_until_stable_within(at, base, c)?;
            let sum = self.finish(variable, base)?;
            self.stack.push(Arc::new(0, sum));
            let mut grown = false;
            for i in 0..self.splits[at].local.len() {
                let image = self.within(self.splits[at].local[i], self.stack[base].child, c)?;
                let sum = self.stack[base].child;
                self.stack[base].child = self.unite(sum, image)?;
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
    fn shift_until_stable_within(&mut self, at: u32, base: usize, c: Id) -> Result<()> {
        let below = self.splits[at].below;
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
                let Some(value) = value.checked_add(shift.by) else { continue };
                let constraint = self.child(c, value);
                let target = self.stack[base..].binary_search_by_key(&value, |arc| arc.value);
                // All that may be there is there.
                if target.is_ok_and(|j| self.stack[base + j].child == constraint) {
                    continue;
                }
                let image = self.within(again(shift.next, below), child, constraint)?;
                if image == ZERO {
                    continue;
                }
                match target {
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
}

/// What is closed already need not be closed once more, except within another set.
fn again(next: HomId, closed: HomId) -> HomId {
    if next == IDENTITY { closed } else { next }
}
