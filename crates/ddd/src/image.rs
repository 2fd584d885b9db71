//! Applying homomorphisms.
//!
//! Results are cached by (homomorphism, node). A homomorphism that skips the variable of a node
//! is applied to the children and the node built anew; no user code runs. At the terminals:
//! `h(0) = 0` for all h; `h(⊤) = ⊤` for inductive ones, shifts, selections and closures, and
//! otherwise by the tables of `sets.rs`; a constant maps ⊤ to ⊤ unless it is 0.
//!
//! Garbage may be collected at the beginning of an application, so whoever applies something
//! keeps what it needs afterwards on the forest's stack. The operand itself is kept by the caller.

use crate::arena::{Arc, Id, ONE, TOP, ZERO};
use crate::cache::Key;
use crate::sets::SET_OPERATIONS;
use crate::split::LocalShift;
use crate::term::{HomId, IDENTITY, Term};
use crate::{Error, Forest, Result, Value, Variable};

/// How the cache knows an application.
pub(crate) fn key(h: HomId, d: Id) -> Key {
    Key { op: SET_OPERATIONS + h, a: d, b: 0 }
}

impl Forest {
    /// h(d).
    pub(crate) fn image(&mut self, h: HomId, d: Id) -> Result<Id> {
        if d == ZERO || h == IDENTITY {
            return Ok(d);
        }
        let term = self.terms.term(h);
        match term {
            Term::Constant(c) => return Ok(if d == TOP && c != ZERO { TOP } else { c }),
            Term::Left(c) => return self.concatenate(c, d),
            Term::Right(c) => return self.concatenate(d, c),
            Term::Intersect(c) => return self.intersect(d, c),
            Term::Minus(c) => return self.subtract(d, c),
            _ => {}
        }
        let key = key(h, d);
        if let Some(result) = self.cache.get(key) {
            return Ok(result);
        }
        self.guard()?;
        if self.collection_is_due() {
            self.collect_garbage();
        }
        let result = match d {
            ONE | TOP => self.image_of_terminal(h, term, d)?,
            _ => self.image_of_node(h, term, d)?,
        };
        self.remember(key, result);
        Ok(result)
    }

    fn image_of_terminal(&mut self, h: HomId, term: Term, d: Id) -> Result<Id> {
        match term {
            Term::Prefix(variable, value, next) => self.prefix_image(variable, value, next, d),
            Term::Sum(..) => {
                let members = self.terms.members(h);
                self.add_images(ZERO, |_, i| members.get(i).copied(), d)
            }
            Term::Compose(outer, inner) | Term::Close { star: outer, next: inner } => {
                self.image_of_image(outer, inner, d)
            }
            _ if d == TOP => Ok(TOP),
            Term::Select(..) => Ok(ONE),
            Term::Inductive(place) => {
                let user = self.terms.inductive(place).clone();
                let result = user.on_one(self)?;
                self.depth.raised.map_or(Ok(self.diagrams.id(&result)), Err)
            }
            Term::Star(inner) => {
                let image = self.image(inner, ONE)?;
                self.unite(ONE, image)
            }
            // A shift whose variable never came.
            _ => Ok(TOP),
        }
    }

    fn image_of_node(&mut self, h: HomId, term: Term, d: Id) -> Result<Id> {
        let variable = self.nodes.variable(d);
        match term {
            Term::Prefix(variable, value, next) => self.prefix_image(variable, value, next, d),
            Term::Select(own, low, high) if own == variable => self.shifted(d, (low, high), 0, h),
            Term::Shift { variable: own, low, high, by, next } if own == variable => {
                self.shifted(d, (low, high), by, next)
            }
            Term::Select(..) | Term::Shift { .. } => self.below(h, d),
            Term::Sum(..) => self.split_image(h, d),
            Term::Compose(outer, inner) => {
                if self.terms.skips(h, variable) {
                    self.below(h, d)
                } else {
                    self.image_of_image(outer, inner, d)
                }
            }
            Term::Star(_) => self.closure(h, d, false),
            Term::Close { star, next } => self.closed_image(h, star, next, d),
            Term::Inductive(place) => self.inductive_image(h, place, d),
            Term::Identity
            | Term::Constant(_)
            | Term::Left(_)
            | Term::Right(_)
            | Term::Intersect(_)
            | Term::Minus(_) => unreachable!("evaluated without the cache"),
        }
    }

    /// A split homomorphism applied to a node of its variable, part by part.
    pub(crate) fn split_image(&mut self, h: HomId, d: Id) -> Result<Id> {
        let variable = self.nodes.variable(d);
        let at = self.splits.at(&mut self.terms, h, variable);
        let base = self.stack.len();
        self.push_shifted(d, (Value::MIN, Value::MAX), 0, self.splits[at].below)?;
        for i in 0..self.splits[at].shifts.len() {
            let LocalShift { low, high, by, next } = self.splits[at].shifts[i];
            self.push_shifted(d, (low, high), by, next)?;
        }
        let image = self.finish_sum(variable, base)?;
        self.add_images(image, |forest, i| forest.splits[at].local.get(i).copied(), d)
    }

    /// h applied to the children of a node.
    pub(crate) fn below(&mut self, h: HomId, d: Id) -> Result<Id> {
        let base = self.stack.len();
        let mut same = true;
        for i in 0..self.nodes.width(d) {
            let arc = self.nodes.arc(d, i);
            let child = self.image(h, arc.child)?;
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

    /// The arcs of a node whose value is within bounds, shifted; `next` applied to the children.
    fn shifted(&mut self, d: Id, within: (Value, Value), by: Value, next: HomId) -> Result<Id> {
        let base = self.stack.len();
        self.push_shifted(d, within, by, next)?;
        self.finish(self.nodes.variable(d), base)
    }

    /// The same arcs, put on the stack.
    pub(crate) fn push_shifted(
        &mut self,
        d: Id,
        (low, high): (Value, Value),
        by: Value,
        next: HomId,
    ) -> Result<()> {
        for i in 0..self.nodes.width(d) {
            let arc = self.nodes.arc(d, i);
            if arc.value < low || arc.value > high {
                continue;
            }
            let child = self.image(next, arc.child)?;
            if child != ZERO {
                let value = arc.value.checked_add(by).ok_or(Error::Overflow)?;
                self.stack.push(Arc::new(value, child));
            }
        }
        Ok(())
    }

    fn prefix_image(&mut self, variable: Variable, value: Value, next: HomId, d: Id) -> Result<Id> {
        let child = self.image(next, d)?;
        self.single(variable, value, child)
    }

    /// outer(inner(d)).
    pub(crate) fn image_of_image(&mut self, outer: HomId, inner: HomId, d: Id) -> Result<Id> {
        let base = self.stack.len();
        let between = self.image(inner, d)?;
        self.stack.push(Arc::new(0, between));
        let result = self.image(outer, between)?;
        self.stack.truncate(base);
        Ok(result)
    }

    /// `sum` and the images of d.
    fn add_images(
        &mut self,
        sum: Id,
        member: impl Fn(&Self, usize) -> Option<HomId>,
        d: Id,
    ) -> Result<Id> {
        let base = self.stack.len();
        self.stack.push(Arc::new(0, sum));
        let mut i = 0;
        while let Some(member) = member(self, i) {
            let image = self.image(member, d)?;
            self.stack[base].child = self.unite(self.stack[base].child, image)?;
            i += 1;
        }
        let sum = self.stack[base].child;
        self.stack.truncate(base);
        Ok(sum)
    }

    fn inductive_image(&mut self, h: HomId, place: u32, d: Id) -> Result<Id> {
        let variable = self.nodes.variable(d);
        if self.terms.inductive(place).skips(variable) {
            return self.below(h, d);
        }
        let (image, other) = self.inductive_parts(place, d, IDENTITY, None)?;
        self.unite(image, other)
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
                let image = self.image(id, arc.child)?;
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
    fn push_prefixes(&mut self, mut id: HomId, child: Id, below: HomId) -> Result<()> {
        loop {
            let (first, rest) = match self.terms.term(id) {
                Term::Sum(first, rest) => (first, Some(rest)),
                _ => (id, None),
            };
            if let Term::Prefix(_, value, next) = self.terms.term(first) {
                let next = self.terms.close(below, next);
                // Nothing else keeps it alive.
                let _held = (below != IDENTITY).then(|| self.homs.hold(next));
                let image = self.image(next, child)?;
                if image != ZERO {
                    self.stack.push(Arc::new(value, image));
                }
            }
            match rest {
                Some(rest) => id = rest,
                None => return Ok(()),
            }
        }
    }
}
