//! Applying homomorphisms.
//!
//! Results are cached by (homomorphism, node). A homomorphism that skips the variable of a node
//! is applied to the children and the node built anew; no user code runs. At the terminals:
//! `h(0) = 0` for all h; `h(⊤) = ⊤` for inductive ones, shifts and closures, and
//! otherwise by the tables of `sets.rs`; a constant maps ⊤ to ⊤ unless it is 0.
//!
//! What is computed may have to stay within a [`Bound`] c; usually that is [`Anything`].
//!
//! Garbage may be collected at the beginning of an application, so a function that applies something
//! keeps what it needs afterwards on the forest's stack. The operand itself is kept by the caller.

use crate::arena::{Arc, Id, ONE, TOP, ZERO};
use crate::cache::Key;
use crate::sets::SET_OPERATIONS;
use crate::split::LocalShift;
use crate::term::{HomId, IDENTITY, NOTHING, Term};
use crate::within::{Anything, Bound, again};
use crate::{Error, Forest, Result, Value, Variable};

/// How the cache knows an application.
pub(crate) fn key(h: HomId, d: Id, c: impl Bound) -> Key {
    Key { op: SET_OPERATIONS + h, a: d, b: c.id() }
}

impl Forest {
    /// h(d), as far as it is within c.
    pub(crate) fn image<C: Bound>(&mut self, h: HomId, d: Id, c: C) -> Result<Id> {
        if d == ZERO || c.id() == ZERO {
            return Ok(ZERO);
        }
        if h == IDENTITY {
            return c.cut(d, self);
        }
        let term = self.terms.term(h);
        match term {
            Term::Constant(image) => {
                let image = if d == TOP && image != ZERO { TOP } else { image };
                return c.cut(image, self);
            }
            Term::Left(other) if C::IS_ANYTHING => return self.concatenate(other, d),
            Term::Right(other) if C::IS_ANYTHING => return self.concatenate(d, other),
            // All of it can be no more.
            Term::Star(_) if d == c.id() => return Ok(d),
            _ => {}
        }
        let key = key(h, d, c);
        if let Some(result) = self.cache.get(key) {
            return Ok(result);
        }
        self.guard()?;
        if self.collection_is_due() {
            self.collect_garbage();
        }
        let result = match d {
            _ if !c.goes_down(self, h, term, d) => self.cut_image(h, term, d, c)?,
            ONE | TOP => self.image_of_terminal(h, term, d)?,
            _ => self.image_of_node(h, term, d, c)?,
        };
        self.remember(key, result);
        Ok(result)
    }

    fn image_of_terminal(&mut self, h: HomId, term: Term, d: Id) -> Result<Id> {
        match term {
            Term::Prefix(variable, value, next) => self.prefix_image(variable, value, next, d),
            Term::Sum(..) => {
                let members = self.terms.members(h);
                self.add_images(ZERO, |_, i| members.get(i).copied(), d, Anything)
            }
            Term::Compose(outer, inner) | Term::Close { star: outer, next: inner } => {
                self.image_of_image(outer, inner, d, Anything)
            }
            _ if d == TOP => Ok(TOP),
            Term::Inductive(place) => {
                let user = self.terms.inductive(place).clone();
                let result = user.on_one(self)?;
                self.depth.raised.map_or(Ok(self.diagrams.id(&result)), Err)
            }
            Term::Star(inner) => {
                let image = self.image(inner, ONE, Anything)?;
                self.unite(ONE, image)
            }
            // A shift whose variable never came.
            _ => Ok(TOP),
        }
    }

    fn image_of_node(&mut self, h: HomId, term: Term, d: Id, c: impl Bound) -> Result<Id> {
        let variable = self.nodes.variable(d);
        match term {
            Term::Prefix(variable, value, next) => self.prefix_image(variable, value, next, d),
            Term::Shift { variable: own, low, high, by, next } if own == variable => {
                let base = self.stack.len();
                self.push_shifted(d, LocalShift { low, high, by, next }, c)?;
                self.finish(variable, base)
            }
            Term::Shift { .. } => self.below(h, d, c),
            Term::Sum(..) => self.split_image(h, IDENTITY, d, c),
            Term::Compose(outer, inner) => {
                if self.terms.skips(h, variable) {
                    self.below(h, d, c)
                } else {
                    self.image_of_image(outer, inner, d, c)
                }
            }
            Term::Star(_) => self.closure(h, d, c, false),
            Term::Close { star, next } => self.closed_image(h, (star, next), d, c),
            Term::Inductive(place) if self.terms.inductive(place).skips(variable) => {
                self.below(h, d, c)
            }
            Term::Inductive(place) => {
                let (image, other) = self.inductive_parts(place, d, IDENTITY, None)?;
                self.unite(image, other)
            }
            Term::Right(_) => self.below(h, d, c),
            Term::Identity | Term::Constant(_) | Term::Left(_) => {
                unreachable!("evaluated without the cache")
            }
        }
    }

    /// A split homomorphism applied to a node of its variable, part by part. What it leaves as it is, is to
    /// be closed under `closed`.
    pub(crate) fn split_image(
        &mut self,
        h: HomId,
        closed: HomId,
        d: Id,
        c: impl Bound,
    ) -> Result<Id> {
        let variable = self.nodes.variable(d);
        let at = self.splits.at(&mut self.terms, h, variable);
        let base = self.stack.len();
        let next = again(self.splits[at].below, closed);
        let (low, high, by) = (Value::MIN, Value::MAX, 0);
        self.push_shifted(d, LocalShift { low, high, by, next }, c)?;
        for i in 0..self.splits[at].shifts.len() {
            let shift = self.splits[at].shifts[i];
            let next = again(shift.next, closed);
            self.push_shifted(d, LocalShift { next, ..shift }, c)?;
        }
        let image = self.finish_sum(variable, base)?;
        self.add_images(image, |forest, i| forest.splits[at].local.get(i).copied(), d, c)
    }

    /// h applied to the children of a node.
    fn below(&mut self, h: HomId, d: Id, c: impl Bound) -> Result<Id> {
        let base = self.stack.len();
        let mut same = true;
        for i in 0..self.nodes.width(d) {
            let arc = self.nodes.arc(d, i);
            let child = self.image(h, arc.child, c.child(self, Some(arc.value)))?;
            same &= child == arc.child;
            if child != ZERO {
                self.stack.push(Arc::new(arc.value, child));
            }
        }
        if same {
            self.stack.truncate(base);
            return Ok(d);
        }
        self.finish(self.nodes.variable(d), base)
    }

    /// Puts on the stack the arcs that a shift makes of those of a node.
    fn push_shifted(&mut self, d: Id, shift: LocalShift, c: impl Bound) -> Result<()> {
        let LocalShift { low, high, by, next } = shift;
        if next == NOTHING {
            return Ok(());
        }
        for i in 0..self.nodes.width(d) {
            let arc = self.nodes.arc(d, i);
            if arc.value < low || arc.value > high {
                continue;
            }
            let value = arc.value.checked_add(by);
            let child = self.image(next, arc.child, c.child(self, value))?;
            if child != ZERO {
                self.stack.push(Arc::new(value.ok_or(Error::Overflow)?, child));
            }
        }
        Ok(())
    }

    fn prefix_image(&mut self, variable: Variable, value: Value, next: HomId, d: Id) -> Result<Id> {
        let child = self.image(next, d, Anything)?;
        self.single(variable, value, child)
    }

    /// outer(inner(d)).
    pub(crate) fn image_of_image(
        &mut self,
        outer: HomId,
        inner: HomId,
        d: Id,
        c: impl Bound,
    ) -> Result<Id> {
        let base = self.stack.len();
        let between = self.image(inner, d, c)?;
        self.stack.push(Arc::new(0, between));
        let result = self.image(outer, between, c)?;
        self.stack.truncate(base);
        Ok(result)
    }

    /// `sum` and the images of d.
    fn add_images(
        &mut self,
        sum: Id,
        member: impl Fn(&Self, usize) -> Option<HomId>,
        d: Id,
        c: impl Bound,
    ) -> Result<Id> {
        let base = self.stack.len();
        self.stack.push(Arc::new(0, sum));
        let mut i = 0;
        while let Some(member) = member(self, i) {
            let image = self.image(member, d, c)?;
            self.stack[base].child = self.unite(self.stack[base].child, image)?;
            i += 1;
        }
        let sum = self.stack[base].child;
        self.stack.truncate(base);
        Ok(sum)
    }

    /// The image of a node under a user's homomorphism, in two parts.
    ///
    /// The usual image of an arc is a sum of arcs of one variable, `common` if given. These make
    /// up the first part; their children are closed under `below`. What is not of this form is in
    /// the second part, as it is.
    pub(crate) fn inductive_parts(
        &mut self,
        place: u32,
        d: Id,
        below: HomId,
        mut common: Option<Variable>,
    ) -> Result<(Id, Id)> {
        let user = self.terms.inductive(place).clone();
        let variable = self.nodes.variable(d);
        let base = self.stack.len();
        self.stack.push(Arc::new(0, ZERO));
        for i in 0..self.nodes.width(d) {
            let arc = self.nodes.arc(d, i);
            let hom = user.on_arc(self, variable, arc.value)?;
            if let Some(error) = self.depth.raised {
                return Err(error);
            }
            let id = self.homs.id(&hom);
            let prefix = self.terms.common_prefix(id);
            common = common.or(prefix);
            if prefix.is_some() && prefix == common {
                self.push_prefixes(id, arc.child, below)?;
            } else {
                let image = self.image(id, arc.child, Anything)?;
                self.stack[base].child = self.unite(self.stack[base].child, image)?;
            }
        }
        let image = match common {
            Some(variable) => self.finish_sum(variable, base + 1)?,
            None => ZERO,
        };
        let other = self.stack[base].child;
        self.stack.truncate(base);
        Ok((image, other))
    }

    /// Puts on the stack the arcs that a sum of prefixes makes of a child, closed under `below`.
    fn push_prefixes(&mut self, id: HomId, child: Id, below: HomId) -> Result<()> {
        match self.terms.term(id) {
            Term::Sum(left, right) => {
                self.push_prefixes(left, child, below)?;
                self.push_prefixes(right, child, below)
            }
            Term::Prefix(_, value, next) => {
                let next = self.terms.close(below, next);
                // Nothing else keeps it alive.
                let _held = (below != IDENTITY).then(|| self.homs.hold(next));
                let image = self.image(next, child, Anything)?;
                if image != ZERO {
                    self.stack.push(Arc::new(value, image));
                }
                Ok(())
            }
            _ => unreachable!("it is a sum of prefixes"),
        }
    }
}
