//! The canonical form of markings that sorting leaves tied.
//!
//! They are taken out of the diagram one by one. [`Order`] finds a canonical order of all dynamic
//! subclasses by `canon`; those that are tied are put into that order among themselves, and the
//! markings are put back. Sorting was by what no renaming changes, so this is canonical too.
//!
//! Cost: that of `canon` for each marking. Nets whose places have one symmetric component at most
//! have no such markings: what is the same in all places is alike, and has been united.

use ddd::{Ddd, Forest, Result, Value, Variable};

use super::layout::{END, Layout, M, MORE, Motif, SIZE, Z, code, index_of, subclass_of};
use super::sort::is_tied;
use super::tensor::{Tensor, TensorId};
use crate::explicit::marking::Marking;
use crate::explicit::order::Order;
use crate::multinomial::Orbits;

/// A sequence of the diagram.
type Sequence = Vec<(Variable, Value)>;

/// A symbolic marking, written out.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// The sizes of the dynamic subclasses of each static one.
    pub(super) sizes: Vec<Vec<u32>>,
    /// Places and their tensors, in the order of motifs.
    pub(super) tensors: Vec<(u32, TensorId)>,
}

impl Written {
    /// Reads a sequence of the diagram.
    pub(super) fn read(on: &Layout, sequence: &[(Variable, Value)]) -> Self {
        let written_values = sequence.iter().filter(|assignment| **assignment != (Z, MORE));
        let mut values = written_values.map(|&(_, value)| value);
        let mut written = Self { sizes: Vec::new(), tensors: Vec::new() };
        for motif in &on.motifs {
            match motif {
                Motif::Class(_) => {
                    let sizes = values.by_ref().take_while(|&value| value != END);
                    written.sizes.push(sizes.map(|size| size as u32).collect());
                }
                Motif::Place(place) => {
                    written.tensors.extend(values.next().map(|tensor| (*place, tensor as u32)));
                }
            }
        }
        written
    }

    /// The sequence.
    pub(super) fn sequence(&self, on: &Layout) -> Sequence {
        let mut sequence = Vec::new();
        let mut tensors = self.tensors.iter();
        for motif in &on.motifs {
            match motif {
                Motif::Class(subclass) => {
                    let sizes = &self.sizes[*subclass as usize];
                    sequence
                        .extend(sizes.iter().flat_map(|&size| [(Z, MORE), (SIZE, size as Value)]));
                    sequence.push((Z, END));
                }
                Motif::Place(_) => {
                    sequence.extend(tensors.next().map(|&(_, tensor)| (M, tensor as Value)));
                }
            }
        }
        sequence
    }

    /// The same marking as the explicit engine has it.
    fn marking(&self, on: &Layout) -> Marking {
        let mut marking = Marking::default();
        let mut first = Vec::new();
        for (subclass, sizes) in (0..).zip(&self.sizes) {
            first.push(marking.sizes.len() as u32);
            marking.sizes.extend(sizes);
            marking.subclasses.extend(sizes.iter().map(|_| subclass));
        }
        marking.ranges.resize(on.rules.places.len(), (0, 0));
        for &(id, tensor) in &self.tensors {
            let from = marking.words.len() as u32;
            let number = |code: u32| first[subclass_of(code) as usize] + index_of(code);
            let renamed = Tensor::new(on.place(id), &on.tensor(tensor).words, number);
            marking.words.extend(renamed.words);
            marking.ranges[id as usize] = (from, marking.words.len() as u32);
        }
        marking
    }
}

/// How many markings are taken out at once.
const AT_ONCE: usize = 1 << 12;

/// Puts tied markings into canonical form.
#[derive(Debug, Default)]
pub(super) struct Repair {
    order: Order,
}

impl Repair {
    /// The canonical forms of the markings of a set, which must be sorted.
    pub(super) fn repaired(
        &mut self,
        forest: &mut Forest,
        on: &Layout,
        mut tied: Ddd,
    ) -> Result<Ddd> {
        let mut repaired = forest.zero();
        while !forest.is_empty(&tied) {
            let taken: Vec<Sequence> = forest.paths(&tied).take(AT_ONCE).collect();
            let canonical = taken
                .iter()
                .map(|sequence| self.canonical(on, &Written::read(on, sequence)).sequence(on));
            let canonical = set(forest, canonical.collect())?;
            repaired = forest.union(&repaired, &canonical)?;
            let taken = set(forest, taken)?;
            tied = forest.difference(&tied, &taken)?;
        }
        Ok(repaired)
    }

    /// Begins to count a marking, by the permutations of dynamic subclasses that leave it as it is.
    pub(super) fn begin(&mut self, on: &Layout, written: &Written, orbits: &mut Orbits<1>) {
        let marking = written.marking(on);
        self.order.find(&on.rules, &marking);
        let automorphisms = self.order.automorphisms;
        orbits.begin(automorphisms, || self.order.exact_automorphisms(&on.rules, &marking));
    }

    /// The canonical form of a sorted marking.
    fn canonical(&mut self, on: &Layout, written: &Written) -> Written {
        self.order.find(&on.rules, &written.marking(on));
        let mut canonical = Written { sizes: Vec::new(), tensors: Vec::new() };
        let mut renamed: Vec<Vec<u32>> = Vec::new();
        let mut positions = &self.order.position[..];
        for (subclass, sizes) in (0..).zip(&written.sizes) {
            let (own, others) = positions.split_at(sizes.len());
            positions = others;
            // How many are less, and not tied, before each.
            let mut group = 0;
            let groups: Vec<u32> = (0..sizes.len() as u32)
                .map(|index| {
                    if index > 0 && !is_tied(on, &written.tensors, code(subclass, index - 1)) {
                        group = index;
                    }
                    group
                })
                .collect();
            let mut order: Vec<usize> = (0..sizes.len()).collect();
            order.sort_unstable_by_key(|&index| (groups[index], own[index]));
            canonical.sizes.push(order.iter().map(|&index| sizes[index]).collect());
            let mut places = vec![0; sizes.len()];
            (0..).zip(&order).for_each(|(place, &index)| places[index] = place);
            renamed.push(places);
        }
        canonical.tensors.extend(written.tensors.iter().map(|&(id, tensor)| {
            let tensor = Tensor::new(on.place(id), &on.tensor(tensor).words, |of| {
                let subclass = subclass_of(of);
                code(subclass, renamed[subclass as usize][index_of(of) as usize])
            });
            (id, on.number(tensor))
        }));
        canonical
    }
}

/// The set of these sequences.
fn set(forest: &mut Forest, mut sequences: Vec<Sequence>) -> Result<Ddd> {
    sequences.sort_unstable();
    sequences.dedup();
    let sets: Result<Vec<Ddd>> =
        sequences.iter().map(|sequence| forest.sequence(sequence)).collect();
    forest.union_all(&sets?)
}
