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

/// What an image or a closure has to stay within. A type of its own for [`Anything`], since that is the
/// usual case, and the innermost loops are then without a trace of the other.
pub(crate) trait Bound: Copy {
    const IS_ANYTHING: bool;

    /// How the cache knows it.
    fn id(self) -> Id;

    /// What the child for a value has to stay within. What does not fit is in no set.
    fn child(self, forest: &Forest, value: Option<Value>) -> Self;

    /// What of a set is within it.
    fn cut(self, d: Id, forest: &mut Forest) -> Result<Id>;

    /// Whether the image of d within it is found by going down in both.
    fn goes_down(self, forest: &Forest, h: HomId, term: Term, d: Id) -> bool;
}

/// No bound.
#[derive(Clone, Copy)]
pub(crate) struct Anything;

impl Bound for Anything {
    const IS_ANYTHING: bool = true;

    fn id(self) -> Id {
        ANYTHING
    }

    fn child(self, _: &Forest, _: Option<Value>) -> Self {
        self
    }

    fn cut(self, d: Id, _: &mut Forest) -> Result<Id> {
        Ok(d)
    }

    fn goes_down(self, _: &Forest, _: HomId, _: Term, _: Id) -> bool {
        true
    }
}

/// A set.
#[derive(Clone, Copy)]
struct Within(Id);

impl Bound for Within {
    const IS_ANYTHING: bool = false;

    fn id(self) -> Id {
        self.0
    }

    fn child(self, forest: &Forest, value: Option<Value>) -> Self {
        let arcs = forest.nodes.arcs(self.0);
        let at = value.and_then(|v| arcs.binary_search_by_key(&v, |arc| arc[0] as Value).ok());
        Within(at.map_or(ZERO, |at| arcs[at][1]))
    }

    fn cut(self, d: Id, forest: &mut Forest) -> Result<Id> {
        forest.intersect(d, self.0)
    }

    fn goes_down(self, forest: &Forest, h: HomId, term: Term, d: Id) -> bool {
        if !forest.nodes.is_node(d) || !forest.nodes.is_node(self.0) {
            return false;
        }
        let own = forest.nodes.variable(d);
        own == forest.nodes.variable(self.0)
            && match term {
                Term::Star(_) | Term::Close { .. } | Term::Sum(..) => true,
                Term::Shift { variable, .. } if variable == own => true,
                _ => forest.terms.skips(h, own),
            }
    }
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
        let id = self.run(|forest| forest.image(hom, node, Within(constraint)))?;
        Ok(self.diagrams.hold(id))
    }

    /// The image of d within c where they do not go down together.
    pub(crate) fn cut_image(&mut self, h: HomId, term: Term, d: Id, c: impl Bound) -> Result<Id> {
        match term {
            Term::Star(_) if d != TOP && c.id() != TOP => self.intersect(d, c.id()),
            Term::Close { star, next } => self.image_of_image(star, next, d, c),
            _ => {
                let image = self.image(h, d, Anything)?;
                self.intersect(image, c.id())
            }
        }
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
