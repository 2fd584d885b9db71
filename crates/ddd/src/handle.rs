//! Handles: what a user holds stays alive.
//!
//! Inside, diagrams and homomorphisms are bare numbers. A user gets a counted handle instead.
//! The forest keeps a handle of its own for each number that was ever given out; at a collection
//! the numbers whose handle is held by nobody else are no roots any more. So nothing that can be
//! named is ever stale, and user-defined homomorphisms may hold diagrams and homomorphisms as
//! fields without telling the collector. Making a handle costs a look into a hash table.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

#[derive(PartialEq, Eq, Hash)]
struct Held {
    forest: u32,
    id: u32,
}

/// A Data Decision Diagram: a set of sequences of assignments, kept in a
/// [`Forest`](crate::Forest).
///
/// Equal sets (of one forest) are equal handles. Cloning is cheap. What is held by a handle is
/// not collected.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Ddd(Arc<Held>);

/// A homomorphism: a linear map from diagrams to diagrams, kept in a
/// [`Forest`](crate::Forest).
///
/// Equal terms (of one forest) are equal handles, where sums are equal whatever the order of
/// their members. Cloning is cheap. What is held by a handle is not collected.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Hom(Arc<Held>);

/// What both kinds of handle have in common.
trait Handle {
    fn held(&self) -> &Arc<Held>;
    fn from_held(held: Arc<Held>) -> Self;
}

macro_rules! handle {
    ($name:ident) => {
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}#{}", stringify!($name), self.0.id)
            }
        }
        impl Handle for $name {
            fn held(&self) -> &Arc<Held> {
                &self.0
            }
            fn from_held(held: Arc<Held>) -> Self {
                Self(held)
            }
        }
    };
}
handle!(Ddd);
handle!(Hom);

/// Bytes of an allocation that holds one number: the counts, and what the allocator needs.
const HELD: usize = 32;

/// The handles of one kind that were given out.
#[derive(Debug)]
pub(crate) struct Handles<H> {
    forest: u32,
    held: FxHashMap<u32, H>,
}

#[expect(private_bounds, reason = "handles are made here alone")]
impl<H: Handle> Handles<H> {
    pub(crate) fn new(forest: u32) -> Self {
        Self { forest, held: FxHashMap::default() }
    }

    /// A handle for a number.
    pub(crate) fn hold(&mut self, id: u32) -> H {
        let forest = self.forest;
        let own =
            self.held.entry(id).or_insert_with(|| H::from_held(Arc::new(Held { forest, id })));
        H::from_held(own.held().clone())
    }

    /// The number of a handle.
    ///
    /// # Panics
    ///
    /// If the handle is of another forest.
    #[track_caller]
    pub(crate) fn id(&self, handle: &H) -> u32 {
        let held = handle.held();
        assert_eq!(held.forest, self.forest, "a handle of another forest");
        held.id
    }

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.held.capacity() * (size_of::<(u32, H)>() + 1) + self.held.len() * HELD
    }

    /// Forgets what nobody else holds, and gives what is left.
    pub(crate) fn roots(&mut self) -> impl Iterator<Item = u32> {
        self.held.retain(|_, own| Arc::strong_count(own.held()) > 1);
        self.held.keys().copied()
    }
}
