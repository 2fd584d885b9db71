//! What a run has found so far: verdicts by transformation, times by size.
//!
//! A tally can be saved and taken up again, and two tallies of different pairs can be added.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use state::Relations;

use super::comparison::{Comparison, Method};
use super::{Cell, Transformation};

/// Times of one method in one bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// How many were taken.
    pub count: u64,
    /// Their sum in nanoseconds.
    pub sum: u64,
    /// How many there are in each eighth of an octave; bin `n` begins at 2^(n/8) ns.
    bins: BTreeMap<u16, u64>,
}

const BINS_PER_OCTAVE: f64 = 8.0;

impl Times {
    fn add(&mut self, nanoseconds: u64) {
        self.count += 1;
        self.sum += nanoseconds;
        let bin = (nanoseconds.max(1) as f64).log2() * BINS_PER_OCTAVE;
        *self.bins.entry(bin as u16).or_default() += 1;
    }

    fn merge(&mut self, other: &Times) {
        self.count += other.count;
        self.sum += other.sum;
        other.bins.iter().for_each(|(&bin, count)| *self.bins.entry(bin).or_default() += count);
    }

    /// The mean in nanoseconds.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The median in nanoseconds, to within a tenth of it.
    #[must_use]
    pub fn median(&self) -> f64 {
        let mut seen = 0;
        for (&bin, count) in &self.bins {
            seen += count;
            if 2 * seen >= self.count {
                return ((f64::from(bin) + 0.5) / BINS_PER_OCTAVE).exp2();
            }
        }
        0.0
    }
}

/// The times of all methods by some size.
pub type Buckets = BTreeMap<u32, [Times; Method::COUNT]>;

/// The sizes by which times are grouped: what they are called in files and in words. By share and by data
/// there are only the pairs that the first transformation makes: others are not made equally often in all
/// cells.
pub const SIZES: [(&str, &str); 6] = [
    ("pids", "number of distinct pids"),
    ("vectors", "number of vectors"),
    ("share", "share of pids, in %"),
    ("data", "number of data values"),
    ("relations", "number of relations"),
    ("verdict", "verdict (1: equivalent)"),
];

/// What became of the pairs that one transformation made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pairs compared.
    pub compared: u64,
    /// Those of them that are equivalent.
    pub equivalent: u64,
    /// Those of them on which VF2 was stopped.
    pub undecided: u64,
    /// Those of these of which the verdict was not proved otherwise.
    pub unproved: u64,
    /// States discarded: not a consistent thread configuration.
    pub inconsistent: u64,
    /// States discarded: the same as the one they were made from, or with other places marked.
    pub trivial: u64,
}

/// A pair on which the verdicts differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The random state, by its number.
    pub group: u64,
    /// What made the other.
    pub transformation: Transformation,
    /// The relations observed.
    pub relations: Vec<String>,
    /// By the canonical states.
    pub by_state: bool,
    /// By the canonical bytes.
    pub by_bytes: bool,
    /// By VF2, if it finished.
    pub by_vf2: Option<bool>,
    /// By a proof, if VF2 did not finish and there is one.
    pub by_proof: Option<bool>,
    /// By the construction of the pair, if that says.
    pub by_construction: Option<bool>,
    /// The states.
    pub states: [serde_json::Value; 2],
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Pairs by transformation.
    pub made: BTreeMap<Transformation, Counts>,
    /// Pairs on which the verdicts differ: the first few.
    pub disagreements: Vec<Disagreement>,
    /// How many of these there are.
    pub disagreed: u64,
    /// Times by each of the sizes of states.
    pub times: [Buckets; SIZES.len()],
}

/// More disagreements than these are counted, but not kept.
const MOST_DISAGREEMENTS: usize = 20;

impl Tally {
    /// The number of pairs compared.
    #[must_use]
    pub fn comparisons(&self) -> u64 {
        self.made.values().map(|made| made.compared).sum()
    }

    /// The sum of a count over all transformations.
    #[must_use]
    pub fn total(&self, count: impl Fn(&Counts) -> u64) -> u64 {
        self.made.values().map(count).sum()
    }

    pub(super) fn add(
        &mut self,
        transformation: Transformation,
        comparison: &Comparison,
        (cell, relations, pids): (Cell, Relations, usize),
    ) {
        let made = self.made.entry(transformation).or_default();
        made.compared += 1;
        made.equivalent += u64::from(comparison.by_state);
        let undecided = comparison.by_vf2.is_none();
        made.undecided += u64::from(undecided);
        made.unproved += u64::from(undecided && comparison.by_proof.is_none());
        let swapped = transformation == Transformation::SwapPids;
        let sizes = [
            Some(pids),
            Some(cell.vectors),
            swapped.then_some(cell.share),
            swapped.then_some(cell.data),
            Some(relations.iter().count()),
            Some(usize::from(comparison.by_state)),
        ];
        for (buckets, size) in self.times.iter_mut().zip(sizes) {
            let Some(size) = size else { continue };
            let times = buckets.entry(size as u32).or_default();
            times.iter_mut().zip(&comparison.times).for_each(|(times, &spent)| times.add(spent));
        }
    }

    pub(super) fn disagree(&mut self, disagreement: Disagreement) {
        self.disagreed += 1;
        if self.disagreements.len() < MOST_DISAGREEMENTS {
            self.disagreements.push(disagreement);
        }
    }

    /// Adds what another part of the run has found.
    pub(super) fn merge(&mut self, mut other: Tally) {
        for (transformation, theirs) in &other.made {
            let ours = self.made.entry(*transformation).or_default();
            ours.compared += theirs.compared;
            ours.equivalent += theirs.equivalent;
            ours.undecided += theirs.undecided;
            ours.unproved += theirs.unproved;
            ours.inconsistent += theirs.inconsistent;
            ours.trivial += theirs.trivial;
        }
        self.disagreed += other.disagreed;
        self.disagreements.append(&mut other.disagreements);
        self.disagreements.truncate(MOST_DISAGREEMENTS);
        for (ours, theirs) in self.times.iter_mut().zip(&other.times) {
            for (&size, theirs) in theirs {
                let ours = ours.entry(size).or_default();
                ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| ours.merge(theirs));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_medians() {
        let mut times = Times::default();
        [100, 200, 400, 1_000_000].into_iter().for_each(|ns| times.add(ns));
        assert_eq!(times.mean(), 250_175.0);
        assert!((times.median() / 200.0 - 1.0).abs() < 0.1, "{}", times.median());
        let mut twice = times.clone();
        twice.merge(&times);
        assert_eq!((twice.count, twice.mean()), (8, times.mean()));
        assert_eq!(Times::default().median(), 0.0);
    }
}
