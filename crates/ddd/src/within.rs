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

use crate::arena::{ANYTHING, Id, TOP, ZERO};
use crate::term::{HomId, IDENTITY, Term};
use crate::{Ddd, Forest, Hom, Result, Value};

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
        let id = self.run(|forest| forest.image(hom, node, constraint))?;
        Ok(self.diagrams.hold(id))
    }

    /// Whether the image of d within c is found by going down in both.
    pub(crate) fn go_down_together(&self, h: HomId, term: Term, d: Id, c: Id) -> bool {
        if !self.nodes.is_node(d) || !self.nodes.is_node(c) {
            return false;
        }
        let own = self.nodes.variable(d);
        own == self.nodes.variable(c)
            && match term {
                Term::Star(_) | Term::Close { .. } | Term::Sum(..) => true,
                Term::Shift { variable, .. } if variable == own => true,
                _ => self.terms.skips(h, own),
            }
    }

    /// The image of d within c where they do not go down together.
    pub(crate) fn cut_image(&mut self, h: HomId, term: Term, d: Id, c: Id) -> Result<Id> {
        match term {
            Term::Star(_) if d != TOP && c != TOP => self.intersect(d, c),
            Term::Close { star, next } => self.image_of_image(star, next, d, c),
            _ => {
                let image = self.image(h, d, ANYTHING)?;
                self.intersect(image, c)
            }
        }
    }

    /// What of a set is within c.
    #[inline]
    pub(crate) fn cut(&mut self, d: Id, c: Id) -> Result<Id> {
        if c == ANYTHING { Ok(d) } else { self.intersect(d, c) }
    }

    /// What the child for a value has to stay within. What does not fit is in no set.
    #[inline]
    pub(crate) fn bound(&self, c: Id, value: Option<Value>) -> Id {
        if c == ANYTHING {
            return ANYTHING;
        }
        let arcs = self.nodes.arcs(c);
        let at = value.and_then(|v| arcs.binary_search_by_key(&v, |arc| arc[0] as Value).ok());
        at.map_or(ZERO, |at| arcs[at][1])
    }

    /// The child for a value among the arcs on the stack from `base` on.
    pub(crate) fn child_on_stack(&self, base: usize, value: Option<Value>) -> Option<Id> {
        let arcs = &self.stack[base..];
        let at = arcs.binary_search_by_key(&value?, |arc| arc.value).ok()?;
        Some(arcs[at].child)
    }
}

/// What is closed already need not be closed once more, except within another set.
pub(crate) fn again(next: HomId, closed: HomId) -> HomId {
    if next == IDENTITY { closed } else { next }
}
