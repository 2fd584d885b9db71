//! Random numbers and random graphs.

use check::{Bits, Graph};
use random::Random;

/// A graph given by its steps, label and target; of some states it may be unknown what follows.
#[derive(Clone, Debug)]
pub struct Steps {
    pub steps: Vec<Vec<(u32, u32)>>,
    pub expanded: Vec<bool>,
}

impl Steps {
    /// A random graph with this many states, from each up to `most` steps with labels below a number.
    pub fn random(random: &mut Random, states: u64, most: u64, labels: u64) -> Self {
        let row = |random: &mut Random| {
            let count = if random.below(10) == 0 { 0 } else { 1 + random.below(most) };
            let step = |_| (random.below(labels) as u32, random.below(states) as u32);
            let mut row: Vec<(u32, u32)> = (0..count).map(step).collect();
            row.sort_unstable();
            row.dedup();
            row
        };
        let steps = (0..states).map(|_| row(random)).collect();
        Self { steps, expanded: vec![true; states as usize] }
    }

    /// The same with only some of the states expanded.
    pub fn known_in_part(&self, random: &mut Random) -> Self {
        let mut part = self.clone();
        part.expanded.iter_mut().for_each(|expanded| *expanded = random.below(3) > 0);
        part
    }
}

impl Graph for Steps {
    fn states(&self) -> u32 {
        self.steps.len() as u32
    }

    fn is_expanded(&self, state: u32) -> bool {
        self.expanded[state as usize]
    }

    fn successors(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        self.steps[state as usize].iter().copied()
    }
}

/// For each state the atoms that hold there, as bits.
pub fn random_letters(random: &mut Random, states: u64, atoms: u64) -> Vec<u32> {
    (0..states).map(|_| random.below(1 << atoms) as u32).collect()
}

/// The same, for each atom.
pub fn atoms(letters: &[u32], atoms: u64) -> Vec<Bits> {
    let holds = |atom| move |state: u32| letters[state as usize] >> atom & 1 == 1;
    (0..atoms).map(|atom| Bits::where_true(letters.len() as u32, holds(atom))).collect()
}
