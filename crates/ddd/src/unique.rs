//! The table in which every node is found by what it is, so that equal nodes are one.
//!
//! Open addressing with linear probing. A slot holds the number of a node and 32 bits of its
//! hash: a probe looks at a node only when those agree, and growing looks at none. Nodes are
//! compared whole; a collision costs time and nothing else.

use crate::arena::{Arc, Arena, Id, TOP, ZERO};
use crate::{Error, Result, Variable};

/// Spreads a word over 64 bits.
#[inline(always)]
pub(crate) fn mix(x: u64) -> u64 {
    let product = u128::from(x ^ 0x9E37_79B9_7F4A_7C15) * u128::from(0xD6E8_FEB8_6659_FD93_u64);
    (product as u64) ^ ((product >> 64) as u64)
}

#[inline(always)]
fn hash(variable: Variable, arcs: impl Iterator<Item = [u32; 2]>) -> u32 {
    let mut hash = u64::from(variable);
    for [value, child] in arcs {
        hash = mix(hash ^ (u64::from(value) << 32 | u64::from(child)));
    }
    (hash >> 32) as u32
}

/// Nodes, found by number and by what they are.
#[derive(Debug)]
pub(crate) struct Nodes {
    arena: Arena,
    /// Hash and number; zero for none.
    slots: Vec<u64>,
    count: usize,
    /// The largest `count` there was.
    pub(crate) peak: usize,
    /// Whether the table is fuller than it should be, for want of memory.
    pub(crate) crowded: bool,
    /// Whether there ever was an arc to ⊤.
    pub(crate) have_top: bool,
}

impl std::ops::Deref for Nodes {
    type Target = Arena;
    fn deref(&self) -> &Arena {
        &self.arena
    }
}

const LEAST_SLOTS: usize = 1 << 10;

impl Nodes {
    pub(crate) fn new() -> Self {
        Self {
            arena: Arena::new(),
            slots: vec![0; LEAST_SLOTS],
            count: 0,
            peak: 0,
            crowded: false,
            have_top: false,
        }
    }

    /// How many nodes there are, garbage included.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// How many nodes can be found without growing.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.arena.bytes() + self.slots.len() * size_of::<u64>()
    }

    /// The node with these arcs, ascending by value and none to the empty set. `limit` is how
    /// many bytes all nodes may take.
    #[inline]
    pub(crate) fn make(&mut self, variable: Variable, arcs: &[Arc], limit: usize) -> Result<Id> {
        debug_assert!(arcs.is_sorted_by(|a, b| a.value < b.value));
        debug_assert!(arcs.iter().all(|arc| arc.child != ZERO));
        if arcs.is_empty() {
            return Ok(ZERO);
        }
        if self.count * 8 >= self.slots.len() * 5 {
            match self.grow(limit) {
                // There is some room left, until garbage is collected.
                Err(_) if self.count * 8 < self.slots.len() * 7 => self.crowded = true,
                grown => grown?,
            }
        }
        let hash = hash(variable, arcs.iter().map(|arc| [arc.value as u32, arc.child]));
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            let slot = self.slots[at];
            if (slot >> 32) as u32 == hash && self.arena.is(slot as Id, variable, arcs) {
                return Ok(slot as Id);
            }
            at = (at + 1) & mask;
        }
        let id = self.arena.write(variable, arcs, limit.saturating_sub(self.bytes()))?;
        self.have_top |= arcs.iter().any(|arc| arc.child == TOP);
        self.slots[at] = u64::from(hash) << 32 | u64::from(id);
        self.count += 1;
        self.peak = self.peak.max(self.count);
        Ok(id)
    }

    #[cold]
    fn grow(&mut self, limit: usize) -> Result<()> {
        let size = self.slots.len() * 2;
        let mut slots = Vec::new();
        let room = limit.saturating_sub(self.bytes());
        // The hash has 32 bits: no table can use more slots.
        let indexed = u32::try_from(size - 1).is_ok();
        let fits = size * size_of::<u64>() <= room;
        if !indexed || !fits || slots.try_reserve_exact(size).is_err() {
            return Err(Error::MEMORY);
        }
        slots.resize(size, 0);
        let old = std::mem::replace(&mut self.slots, slots);
        old.into_iter().filter(|slot| *slot != 0).for_each(|slot| insert(&mut self.slots, slot));
        Ok(())
    }

    /// Marks a node; whether it had none.
    pub(crate) fn mark(&mut self, id: Id) -> bool {
        self.arena.mark(id)
    }

    /// Frees what is not marked, and takes the marks away.
    pub(crate) fn sweep(&mut self) {
        let Self { arena, slots, count, crowded, .. } = self;
        slots.fill(0);
        *count = 0;
        *crowded = false;
        arena.sweep(|arena, id| {
            let hash = hash(arena.variable(id), arena.arcs(id).iter().copied());
            insert(slots, u64::from(hash) << 32 | u64::from(id));
            *count += 1;
        });
    }
}

fn insert(slots: &mut [u64], slot: u64) {
    let mask = slots.len() - 1;
    let mut at = (slot >> 32) as usize & mask;
    while slots[at] != 0 {
        at = (at + 1) & mask;
    }
    slots[at] = slot;
}
