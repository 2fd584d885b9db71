//! Markings written out as motifs, for the figures of the paper's table.
//!
//! While sets are computed, a tensor is one arc and a size is two ([`MORE`] and the size). Here each
//! motif is what the paper has (section 3): a C motif the sizes of the dynamic subclasses and an end
//! marker, an M motif the cells of a tensor in lexicographic order and an end marker. So nodes,
//! sharing and lengths count all there is to be said of a marking. Where we differ:
//!
//! - Cells that are zero are left out; a value says which cell it is for, its first component
//!   relative to the cell before, and how many tokens it has.
//! - The size of the last dynamic subclass is left out: the others leave it.

use std::sync::Arc;

use ddd::{Ddd, Forest, Hom, Inductive, Result, Shift, Value, Variable};

use super::layout::{END, Layout, M, MORE, Motif, SIZE, Z};
use super::pass::MOST_ELEMENTS;

/// Writes the rest of a marking out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Write {
    on: Arc<Layout>,
    motif: usize,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    /// Anything may come.
    Open,
    /// A further dynamic subclass must come: the size before was written.
    More,
    /// The size that comes is left out, and must be the last.
    Last,
}

/// The homomorphism that writes markings out.
pub(super) fn write_out(forest: &mut Forest, on: &Arc<Layout>) -> Hom {
    forest.inductive(Write { on: on.clone(), motif: 0, stage: Stage::Open })
}

impl Write {
    fn at(&self, forest: &mut Forest, motif: usize, stage: Stage) -> Hom {
        forest.inductive(Self { on: self.on.clone(), motif, stage })
    }

    /// Writes the cells of a tensor.
    fn cells(&self, forest: &mut Forest, place: u32, tensor: Value) -> Result<Hom> {
        let on = &self.on;
        let place = on.place(place);
        let tensor = on.tensor(tensor as u32);
        let next = self.at(forest, self.motif + 1, Stage::Open);
        let mut next = forest.prefix(M, END, &next)?;
        let cells: Vec<Value> = tensor.steps(place).map(|cell| on.number(cell) as Value).collect();
        for cell in cells.into_iter().rev() {
            next = forest.prefix(M, cell, &next)?;
        }
        Ok(next)
    }
}

impl Inductive for Write {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Ok(forest.one())
    }

    fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom> {
        match (self.on.motifs[self.motif], self.stage) {
            (Motif::Place(place), _) => self.cells(forest, place, value),
            // The size is dropped; the end of the motif must follow.
            (Motif::Class(_), Stage::Last) if variable == SIZE => {
                Ok(self.at(forest, self.motif, Stage::Last))
            }
            (Motif::Class(_), Stage::Open | Stage::More) if (variable, value) == (Z, MORE) => {
                let more = self.at(forest, self.motif, Stage::More);
                let within = 0..=MOST_ELEMENTS as Value;
                let more = forest.shift(Shift { variable: SIZE, within, by: 0 }, &more)?;
                let last = self.at(forest, self.motif, Stage::Last);
                Ok(forest.sum([&more, &last]))
            }
            (Motif::Class(_), Stage::Open | Stage::Last) if (variable, value) == (Z, END) => {
                let next = self.at(forest, self.motif + 1, Stage::Open);
                forest.prefix(SIZE, END, &next)
            }
            _ => Ok(forest.sum([])),
        }
    }
}
