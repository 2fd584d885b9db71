//! The canonical order of dynamic subclasses.
//!
//! A marking is a structure: dynamic subclasses coloured by static subclass and size, and for each
//! entry a tuple over them, labelled by place, plain components, the pattern of equal components,
//! and count. Elements of cyclic classes are atoms too, each joined to its successor. `canon` finds
//! an order such that markings are equal up to who is who exactly when they look the same in it.
//! (The papers sort neighbouring subclasses until nothing moves, which is not canonical where a
//! domain has a class twice.)
//!
//! # Sizes that do not matter
//!
//! At first, sizes from the threshold of their class on are not told apart. If no automorphism moves
//! a dynamic subclass of such a size, it has its place in the order whatever its size is, and it is
//! called *free*: its size is left out of the structure. Those that are moved are told apart by
//! their sizes then. So all markings that differ in free sizes only have one order and one *shape*,
//! which firing treats alike; see [`memo`](crate::explicit::memo). Whether a subclass is free depends on the
//! marking up to who is who alone.
//!
//! Cost: that of `canon`, twice where large subclasses are exchanged by an automorphism.

use canon::{Canonical, Canoniser, Structure};
use num_bigint::BigUint;

use crate::explicit::marking::Marking;
use crate::explicit::rules::{Kind, Place, Rules};
use crate::explicit::turn::Turn;
use crate::word::{dynamic, nth};

/// Finds canonical orders.
#[derive(Debug, Default)]
pub(crate) struct Order {
    canoniser: Canoniser,
    structure: Structure,
    turn: Turn,
    /// Whether sizes may be left out at all.
    abstracting: bool,
    /// The atom of each dynamic subclass, and back.
    atom: Vec<u32>,
    alive: Vec<u32>,
    /// The first atom of each cyclic class.
    first: Vec<u32>,
    keys: Vec<u64>,
    ranks: Vec<u64>,
    tuple: Vec<u32>,
    /// By atom, whether it is free.
    free_atoms: Vec<bool>,
    /// The dynamic subclasses in canonical order.
    pub(crate) order: Vec<u32>,
    /// The canonical position of each dynamic subclass.
    pub(crate) position: Vec<u32>,
    /// By canonical position, whether the subclass is free.
    pub(crate) free: Vec<bool>,
    /// By class, the element that becomes the first; 0 unless the class is cyclic.
    pub(crate) rotation: Vec<u32>,
    /// The number of automorphisms, rotations included; 0 if it does not fit.
    pub(crate) automorphisms: u64,
}

impl Order {
    pub(crate) fn new(abstracting: bool) -> Self {
        Self { abstracting, ..Self::default() }
    }

    /// Finds the canonical order of a marking.
    pub(crate) fn find(&mut self, rules: &Rules, marking: &Marking) {
        self.alive.clear();
        self.alive
            .extend((0..marking.sizes.len() as u32).filter(|&z| marking.sizes[z as usize] > 0));
        self.atom.clear();
        self.atom.resize(marking.sizes.len(), 0);
        for (atom, &z) in self.alive.iter().enumerate() {
            self.atom[z as usize] = atom as u32;
        }
        self.free_atoms.clear();
        self.free_atoms.extend(self.alive.iter().map(|&z| {
            let subclass = rules.subclasses[marking.subclasses[z as usize] as usize];
            let threshold = rules.classes[subclass.class as usize].threshold;
            // Where a static subclass has one element, there is no size to be left out.
            self.abstracting && subclass.size > 1 && marking.sizes[z as usize] >= threshold
        }));
        self.rotation.clear();
        self.rotation.resize(rules.classes.len(), 0);
        self.order.clear();
        self.automorphisms = 1;
        if self.alive.is_empty() && !rules.has_cyclic {
            self.free.clear();
            self.structure.clear();
        } else {
            self.build(rules, marking);
            // Twice at most: telling more apart leaves fewer automorphisms.
            while !self.canonise(rules, marking) {
                self.build(rules, marking);
            }
        }
        for &class in &rules.turning {
            let size = rules.classes[class as usize].size;
            let (first, symmetry) = self.turn.find(rules, marking, class, size);
            self.rotation[class as usize] = first;
            self.automorphisms = self.automorphisms.checked_mul(u64::from(symmetry)).unwrap_or(0);
        }
    }

    /// Labels the structure. If an automorphism moves an atom that was thought free, it is not, and
    /// `false` is returned.
    fn canonise(&mut self, rules: &Rules, marking: &Marking) -> bool {
        let canonical = self.canoniser.canonise(&self.structure);
        let alive = self.alive.len();
        let mut moved = false;
        let free = &mut self.free_atoms;
        if free.contains(&true) {
            canonical.for_each_generator(|moves| {
                for &(a, _) in moves {
                    if let Some(free) = free.get_mut(a as usize) {
                        moved |= std::mem::take(free);
                    }
                }
            });
        }
        if moved {
            return false;
        }
        self.automorphisms = order_of(&canonical);
        let order = canonical.order();
        self.position.clear();
        self.position.resize(marking.sizes.len(), 0);
        self.order.clear();
        self.free.clear();
        for (position, &atom) in order[..alive].iter().enumerate() {
            let z = self.alive[atom as usize];
            self.order.push(z);
            self.position[z as usize] = position as u32;
            self.free.push(self.free_atoms[atom as usize]);
        }
        for (class, info) in rules.classes.iter().enumerate() {
            if info.kind == Kind::Cyclic && info.size > 0 {
                let first = self.first[class];
                let elements = first..first + info.size;
                let least = order.iter().find(|atom| elements.contains(atom));
                self.rotation[class] = least.expect("elements are atoms") - first;
            }
        }
        true
    }

    /// The number of automorphisms of the marking whose order was found last.
    pub(crate) fn exact_automorphisms(&mut self, rules: &Rules, marking: &Marking) -> BigUint {
        let mut order = self.canoniser.canonise(&self.structure).group_order();
        for &class in &rules.turning {
            let size = rules.classes[class as usize].size;
            order *= self.turn.find(rules, marking, class, size).1;
        }
        order
    }

    fn build(&mut self, rules: &Rules, marking: &Marking) {
        self.structure.clear();
        self.colour(rules, marking);
        let labelled = rules.codes.is_some_and(|codes| self.fill(rules, marking, codes));
        if !labelled {
            self.structure.clear();
            self.colour(rules, marking);
            self.fill_by_rank(rules, marking);
        }
    }

    /// Adds the atoms: colours ascend with static subclasses, elements of cyclic classes come last.
    fn colour(&mut self, rules: &Rules, marking: &Marking) {
        self.keys.clear();
        self.keys.extend(self.alive.iter().zip(&self.free_atoms).map(|(&z, &free)| {
            let size = if free { 0 } else { marking.sizes[z as usize] };
            u64::from(marking.subclasses[z as usize]) << 32 | u64::from(size)
        }));
        let greatest = self.keys.iter().map(|&key| key as u32).max().unwrap_or(0);
        let span = u64::from(greatest) + 1;
        let mut after = span.saturating_mul(rules.subclasses.len() as u64);
        if after < 1 << 31 {
            for key in &self.keys {
                let colour = (key >> 32) * span + (key & u64::from(u32::MAX));
                self.structure.atom(colour as u32);
            }
        } else {
            self.ranks.clone_from(&self.keys);
            self.ranks.sort_unstable();
            self.ranks.dedup();
            for key in &self.keys {
                let rank = self.ranks.partition_point(|other| other < key);
                self.structure.atom(rank as u32);
            }
            after = self.ranks.len() as u64;
        }
        self.first.clear();
        for (class, info) in rules.classes.iter().enumerate() {
            self.first.push(self.structure.len() as u32);
            if info.kind == Kind::Cyclic {
                for _ in 0..info.size {
                    self.structure.atom(after as u32 + class as u32);
                }
            }
        }
    }

    /// Adds a tuple for each entry, and the successors; `false` if the labels do not fit.
    fn fill(&mut self, rules: &Rules, marking: &Marking, codes: u32) -> bool {
        for (id, place) in rules.places.iter().enumerate().filter(|(_, place)| place.structured) {
            for entry in marking.entries(id as u32, place.stride()) {
                let Some(label) = entry[0].checked_mul(codes) else { return false };
                let code = self.read(place, &entry[1..]);
                let Some(label) = label.checked_add(code) else { return false };
                self.structure.tuple(label, &self.tuple);
            }
        }
        self.add_successors(rules);
        true
    }

    fn add_successors(&mut self, rules: &Rules) {
        for (class, info) in rules.classes.iter().enumerate() {
            if info.kind == Kind::Cyclic {
                let (first, size) = (self.first[class], info.size);
                for i in 0..size {
                    // Entries have larger labels, since they have at least one token.
                    self.structure.tuple(0, &[first + i, first + (i + 1) % size]);
                }
            }
        }
    }

    /// Leaves the atoms of an entry in `tuple`, and gives the code of what else it says, which is of
    /// use only if codes fit.
    #[inline]
    fn read(&mut self, place: &Place, tuple: &[u32]) -> u32 {
        let mut code = 0_u32;
        self.tuple.clear();
        for (&value, column) in tuple.iter().zip(&place.columns) {
            match column.kind {
                Kind::Symmetric => {
                    self.tuple.push(self.atom[dynamic(value) as usize]);
                    code = code.wrapping_mul(column.rank).wrapping_add(nth(value));
                }
                Kind::Cyclic => self.tuple.push(self.first[column.class as usize] + value),
                Kind::Plain | Kind::Turning => {
                    code = code.wrapping_mul(column.size).wrapping_add(value)
                }
            }
        }
        place.code.wrapping_add(code)
    }

    /// Like [`Order::fill`], where labels do not fit: they are the ranks of what entries say beside their
    /// atoms.
    fn fill_by_rank(&mut self, rules: &Rules, marking: &Marking) {
        let mut entries: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for (id, place) in (0..).zip(&rules.places).filter(|(_, place)| place.structured) {
            for entry in marking.entries(id, place.stride()) {
                self.read(place, &entry[1..]);
                let components = entry[1..].iter().zip(&place.columns);
                let said = components.filter_map(|(&value, column)| match column.kind {
                    Kind::Symmetric => Some(nth(value)),
                    Kind::Plain | Kind::Turning => Some(value),
                    Kind::Cyclic => None,
                });
                entries
                    .push(([id, entry[0]].into_iter().chain(said).collect(), self.tuple.clone()));
            }
        }
        entries.sort_unstable();
        // The label 0 is that of successors.
        for (rank, same) in (1..).zip(entries.chunk_by(|(a, _), (b, _)| a == b)) {
            same.iter().for_each(|(_, atoms)| self.structure.tuple(rank, atoms));
        }
        self.add_successors(rules);
    }
}

/// The number of automorphisms; 0 if it does not fit.
fn order_of(canonical: &Canonical) -> u64 {
    let mut order = Some(1_u64);
    canonical.for_each_factor(|factor| {
        order = order.and_then(|order| order.checked_mul(u64::from(factor)));
    });
    order.unwrap_or(0)
}
