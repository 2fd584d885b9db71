//! What markings of one shape do, worked out once.
//!
//! Markings that differ in the sizes of free subclasses only (see [`order`](crate::explicit::order)) have the
//! same symbolic bindings, and these lead to markings of the same shapes, as long as sizes stay
//! above the thresholds; sizes in the target differ from those in the source by constants. So what
//! is found for the first such marking serves for all others: the shapes reached, where their sizes
//! come from, and the polynomials that count bindings and tokens. In a model of n processes there
//! are often n² or n³ markings and a few dozen shapes.
//!
//! The key is the shape and the sizes of free subclasses, cut at a *cap* that is the largest sum of
//! a threshold and a number of elements named at once: what a cut size becomes by firing is still
//! above its threshold, what is not cut is known exactly. What depends on an exact size that was
//! cut (a subclass that is not free any more in the target) is not kept; such markings are fired
//! one by one.
//!
//! Cost of expanding by memo: a lookup, and for each binding a copy of the target's shape.

use explore::{StateId, Store, Successors, varint};

use crate::explicit::polynomial::Polynomials;
use crate::word::falling;

/// Nothing more is kept once the memo takes this many bytes.
const MOST_BYTES: usize = 1 << 27;

/// Where a size in the target comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// It is always this.
    Constant(u32),
    /// It is that of a free subclass of the source, plus this (modulo 2^32).
    Free(u32, u32),
}

#[derive(Clone, Copy, Debug)]
struct Move {
    label: u32,
    /// The shape reached.
    shape: StateId,
    /// Where the sizes of its free subclasses begin and end in `sizes`.
    sizes: (u32, u32),
}

/// What is known of a key: its moves, the polynomials for bindings and for the tokens in each place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    moves: (u32, u32),
    /// The polynomial for bindings; those for the tokens in each place follow.
    bindings: u32,
    /// The largest count of an entry.
    pub(crate) most: u32,
}

/// What to do with a marking.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Advice {
    /// Use what is known.
    Recall(Facts),
    /// Fire, and tell the memo.
    Record,
    /// Fire.
    Fire,
}

#[derive(Debug, Default)]
pub(crate) struct Memo {
    cap: u32,
    keys: Store,
    /// By key; `None` if its markings must be fired one by one.
    known: Vec<Option<Facts>>,
    moves: Vec<Move>,
    sizes: Vec<Size>,
    shapes: Store,
    polynomials: Polynomials,
    key: Vec<u8>,
    /// Where the moves of the key being recorded begin; whether they are of use.
    began: usize,
    usable: bool,
    factors: Vec<(u32, u32)>,
}

impl Memo {
    /// A memo for markings of a net with this cap.
    pub(crate) fn new(cap: u32) -> Self {
        Self { cap, ..Self::default() }
    }

    /// What to do with a marking of this shape and these sizes of free subclasses.
    pub(crate) fn advice(&mut self, shape: &[u8], free: &[u32]) -> Advice {
        if free.is_empty() {
            return Advice::Fire;
        }
        self.key.clear();
        self.key.extend_from_slice(shape);
        for &size in free {
            varint::push(u64::from(size.min(self.cap)), &mut self.key);
        }
        match self.keys.find(&self.key) {
            Some(id) => self.known[id.index()].map_or(Advice::Fire, Advice::Recall),
            None if self.allocated_bytes() > MOST_BYTES => Advice::Fire,
            None => {
                self.began = self.moves.len();
                self.usable = true;
                Advice::Record
            }
        }
    }

    /// Writes the successors of a marking.
    pub(crate) fn replay(&self, facts: Facts, free: &[u32], found: &mut Successors) {
        for step in &self.moves[facts.moves.0 as usize..facts.moves.1 as usize] {
            let bytes = found.buffer();
            let sizes = &self.sizes[step.sizes.0 as usize..step.sizes.1 as usize];
            varint::push(sizes.len() as u64, bytes);
            for &size in sizes {
                let size = match size {
                    Size::Constant(size) => size,
                    Size::Free(source, delta) => free[source as usize].wrapping_add(delta),
                };
                varint::push(u64::from(size), bytes);
            }
            bytes.extend_from_slice(self.shapes.get(step.shape));
            found.commit(step.label, 1);
        }
    }

    /// The number of concrete bindings, if it fits.
    pub(crate) fn bindings(&self, facts: Facts, free: &[u32]) -> Option<u128> {
        self.polynomials.value(facts.bindings, free)
    }

    /// The number of tokens in a place, if it fits.
    pub(crate) fn tokens(&self, facts: Facts, place: usize, free: &[u32]) -> Option<u128> {
        self.polynomials.value(facts.bindings + 1 + place as u32, free)
    }

    /// Records a move of the marking that is being fired.
    pub(crate) fn record(&mut self, label: u32, shape: &[u8], sizes: &[Size]) {
        let from = self.sizes.len() as u32;
        self.sizes.extend_from_slice(sizes);
        let sizes = (from, self.sizes.len() as u32);
        let (shape, _) = self.shapes.insert(shape);
        self.moves.push(Move { label, shape, sizes });
    }

    /// Says that what is being recorded is of no use for other markings of the key.
    pub(crate) fn give_up(&mut self) {
        self.usable = false;
    }

    /// Whether what is cut from a size is unknown.
    pub(crate) fn is_cut(&self, size: u32) -> bool {
        size >= self.cap
    }

    /// Adds to the number being recorded: a constant times, for each dynamic subclass, the ways to
    /// choose that many of its elements in order. `free` lists the free ones.
    pub(crate) fn count(
        &mut self,
        constant: u64,
        chosen: impl Iterator<Item = (u32, u32)>,
        sizes: &[u32],
        free: &[u32],
    ) {
        self.factors.clear();
        let mut coefficient = Some(u128::from(constant));
        for (z, count) in chosen.filter(|&(_, count)| count > 0) {
            match free.binary_search(&z) {
                Ok(variable) => self.factors.push((variable as u32, count)),
                Err(_) => {
                    coefficient =
                        coefficient.and_then(|c| c.checked_mul(falling(sizes[z as usize], count)?));
                }
            }
        }
        match coefficient {
            Some(coefficient) => self.polynomials.add(coefficient, &self.factors),
            None => self.usable = false,
        }
    }

    /// Ends the number being recorded.
    pub(crate) fn end_count(&mut self) -> u32 {
        self.polynomials.finish()
    }

    /// Ends the recording, given the polynomial for bindings. `None` where it was cut short: nothing is kept
    /// then.
    pub(crate) fn finish(&mut self, bindings: Option<u32>, most: u32) {
        let Some(bindings) = bindings else {
            self.polynomials.abandon();
            self.moves.truncate(self.began);
            return;
        };
        let moves = (self.began as u32, self.moves.len() as u32);
        let facts = Facts { moves, bindings, most };
        self.keys.insert(&self.key);
        if self.usable {
            self.known.push(Some(facts));
        } else {
            self.moves.truncate(self.began);
            self.known.push(None);
        }
    }

    /// The memory held, in bytes.
    pub(crate) fn allocated_bytes(&self) -> usize {
        self.keys.allocated_bytes() as usize
            + self.shapes.allocated_bytes() as usize
            + self.polynomials.allocated_bytes()
            + self.known.capacity() * size_of::<Option<Facts>>()
            + self.moves.capacity() * size_of::<Move>()
            + self.sizes.capacity() * size_of::<Size>()
    }
}
