//! Members of classes that are alike: identities, as threads and objects are.
//!
//! They are objects that are there from the start and never go. Behind the global variables there is a field for all
//! members of the class, which is a bag, so that none of them is named by it; if the class has parts, a field for each of
//! them follows, which is the only member of the part, or a bag. A member of a cyclic class has two fields, the next one
//! and the one before, so that only rotations take the class to itself; one of a symmetric class has none.

use crate::heap::{Class, Heap};
use crate::mistake::{Mistake, planted};
use crate::value::{Kind, Value};

/// The field of the next member of a cyclic class, and that of the one before.
pub(crate) const NEXT: u16 = 0;
pub(crate) const BEFORE: u16 = 1;

/// The members of a class that are alike.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    /// What they are in the heap.
    pub class: Class,
    /// How many there are in each part.
    pub parts: Box<[u32]>,
    pub is_cyclic: bool,
}

impl Members {
    /// How many fields there are for them.
    pub(crate) fn fields(&self) -> u16 {
        if self.parts.len() == 1 { 1 } else { 1 + self.parts.len() as u16 }
    }

    /// Adds the members to a heap, and gives what is in their fields.
    pub(crate) fn add(&self, heap: &mut Heap) -> Vec<Value> {
        let (first, count) = (heap.len(), self.parts.iter().sum::<u32>());
        for number in 0..count {
            let steps = |steps| if planted(Mistake::NoRing) { 0 } else { steps };
            let neighbour = |way| Value::Reference(first + (number + steps(way)) % count);
            match self.is_cyclic {
                true => heap.add(self.class, &[neighbour(1), neighbour(count - 1)]),
                false => heap.add(self.class, &[]),
            };
        }
        let mut bag = |from: u32, size: u32| {
            let members: Vec<Value> = (from..from + size).map(Value::Reference).collect();
            heap.arena.make(Kind::Bag, &members)
        };
        let mut fields = vec![bag(first, count)];
        let mut from = first;
        for size in self.parts.iter().filter(|_| self.parts.len() > 1) {
            fields.push(match size {
                1 => Value::Reference(from),
                size => bag(from, *size),
            });
            from += size;
        }
        if planted(Mistake::OnePart) {
            fields.truncate(1);
            fields.resize(usize::from(self.fields()), fields[0]);
        }
        fields
    }
}
