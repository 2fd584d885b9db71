//! Runs of a reduced net as runs of the net that was given.
//!
//! Reductions are undone in reverse. Of most rules there is nothing to be undone: places that go ask nothing of those who
//! stay (*Constant*, *Parallel*, *Untested*), and where transitions go (*Constant*, *Dominated*, *Effectless*, *Cone*), a
//! run of the others is a run as it is. So it is noted for each transition what it was, and there are two records:
//!
//! - Where steps were made one (*Sequence*, *Choice*, *Delay*), a transition is a *word*: a producer and its
//!   consumers, or the other way round, each of which may be such a word. What was tested of the step that they are
//!   together is what is needed to take them one after the other. Tokens that were in the place at first are taken
//!   before all else. In the end the place is as empty as it is said to be where it is gone.
//! - Where places were made one (*Cycle*), tokens may be anywhere among them. Before each step, those that it needs are
//!   brought from where there are more than it needs, along free moves; there are enough of them in all, and paths
//!   between any two of the places. So moves depend on the run, and words of a net with merged places are a *layer* on
//!   those of the net before.
//!
//! A run that is mapped back ends in a marking that has the same tokens in all places that were left as they are, and
//! conditions are about those, or were rewritten where others say the same (*Constant*, *Parallel*) or where it makes
//! no difference in which of the places tokens are (*Cycle*). What is repeated for ever comes back to the same marking,
//! except for places that nobody tests: those may grow. Where they do, the given net has no bound.
//!
//! Cost: a number for each transition, two pairs of numbers for each step that was made of two, and the arcs at merged
//! places; to map a run back, its length in the given net.

use std::collections::{BTreeMap, VecDeque};

use super::cycles::free_move;
use crate::{PlainArc, PlainNet};

/// The steps of a run that is mapped back, at most. Weights make runs long.
const MOST_STEPS: usize = 1 << 20;

/// Transitions that fire one after the other from the initial marking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FiringSequence {
    /// The transitions, by number.
    pub steps: Vec<u32>,
    /// How many steps come before those that are repeated for ever, if some are. If that is all of them, nothing can
    /// fire in the end.
    pub back: Option<usize>,
}

/// Why a run is not mapped back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmapped {
    /// It has too many steps there.
    TooLong,
    /// It is not a run of the net that was made.
    NoRun,
}

/// What is known of how a net was made of the one that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Back {
    /// The first is about the net that was given, each other about what its moves have merged of the net before.
    layers: Vec<Layer>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Layer {
    /// How places were merged of the net that the layer before has made.
    moves: Option<Moves>,
    /// The number of transitions in that net; smaller numbers are words of a single one.
    letters: u32,
    /// The words with numbers from there on.
    joined: Vec<Joined>,
    /// The word of each transition.
    of: Vec<u32>,
    /// Words that come before all else, and how often.
    first: Vec<(u32, u32)>,
}

/// A word several times, and then another several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joined {
    pub(super) first: (u32, u32),
    pub(super) second: (u32, u32),
}

impl Back {
    /// A net as it was given.
    pub(super) fn of(net: &PlainNet) -> Back {
        Back { layers: vec![Layer::new(None, net.transitions.len() as u32)] }
    }

    fn last(&mut self) -> &mut Layer {
        self.layers.last_mut().expect("there is one")
    }

    /// Leaves out the transitions of which `keep` is false.
    pub(super) fn retain(&mut self, keep: &[bool]) {
        let mut keep = keep.iter();
        self.last().of.retain(|_| keep.next() == Some(&true));
    }

    /// The word of a transition.
    pub(super) fn word(&self, transition: u32) -> u32 {
        self.layers[self.layers.len() - 1].of[transition as usize]
    }

    /// Adds a transition that is two words together.
    pub(super) fn push(&mut self, joined: Joined) {
        let layer = self.last();
        layer.of.push(layer.letters + layer.joined.len() as u32);
        layer.joined.push(joined);
    }

    /// Notes that a word is executed first, several times; after what was noted before.
    pub(super) fn begin(&mut self, word: u32, times: u32) {
        self.last().first.push((word, times));
    }

    /// Notes that places of a net are merged, each with the one that represents it.
    pub(super) fn merge(&mut self, net: &PlainNet, representative: &[u32]) {
        let count = net.transitions.len() as u32;
        self.layers.push(Layer::new(Some(Moves::of(net, representative)), count));
    }

    /// A run of the net that was made, as one of the net that was given.
    ///
    /// # Errors
    ///
    /// If it is too long, or no run of the net that was made.
    pub fn given(&self, run: &FiringSequence) -> Result<FiringSequence, Unmapped> {
        self.layers.iter().rev().try_fold(run.clone(), |run, layer| {
            let run = layer.spelt(&run)?;
            match &layer.moves {
                Some(moves) => moves.inserted(&run),
                None => Ok(run),
            }
        })
    }
}

impl Layer {
    fn new(moves: Option<Moves>, letters: u32) -> Layer {
        let (joined, first) = Default::default();
        Layer { moves, letters, joined, of: (0..letters).collect(), first }
    }

    /// A run letter by letter.
    fn spelt(&self, run: &FiringSequence) -> Result<FiringSequence, Unmapped> {
        let mut spelt = FiringSequence::default();
        for &word in &self.first {
            self.spell(word, &mut spelt.steps)?;
        }
        for (at, step) in run.steps.iter().enumerate() {
            if run.back == Some(at) {
                spelt.back = Some(spelt.steps.len());
            }
            let word = *self.of.get(*step as usize).ok_or(Unmapped::NoRun)?;
            self.spell((word, 1), &mut spelt.steps)?;
        }
        if run.back == Some(run.steps.len()) {
            spelt.back = Some(spelt.steps.len());
        }
        Ok(spelt)
    }

    fn spell(&self, word: (u32, u32), steps: &mut Vec<u32>) -> Result<(), Unmapped> {
        // Words are as deep as lines of places are long.
        let mut open = vec![word];
        while let Some((word, times)) = open.pop() {
            match word.checked_sub(self.letters) {
                _ if times == 0 => {}
                None => {
                    add(steps, word, times)?;
                }
                Some(joined) => {
                    let joined = self.joined.get(joined as usize).ok_or(Unmapped::NoRun)?;
                    open.extend([(word, times - 1), joined.second, joined.first]);
                }
            }
        }
        Ok(())
    }
}

/// Adds a step several times.
fn add(steps: &mut Vec<u32>, step: u32, times: u32) -> Result<(), Unmapped> {
    if times as usize > MOST_STEPS - steps.len() {
        return Err(Unmapped::TooLong);
    }
    steps.extend(std::iter::repeat_n(step, times as usize));
    Ok(())
}

/// Free moves between places that were merged.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Moves {
    /// The tokens at first in places that were merged.
    initial: BTreeMap<u32, i32>,
    /// The moves into a place: from where, and by which transition.
    into: BTreeMap<u32, Vec<(u32, u32)>>,
    /// What transitions ask of such places, and do to them.
    arcs: BTreeMap<u32, Vec<PlainArc>>,
}

impl Moves {
    fn of(net: &PlainNet, representative: &[u32]) -> Moves {
        let mut is_merged = vec![false; representative.len()];
        for (place, &one) in representative.iter().enumerate() {
            if place != one as usize {
                (is_merged[place], is_merged[one as usize]) = (true, true);
            }
        }
        let (mut into, mut arcs) = (BTreeMap::<u32, Vec<_>>::new(), BTreeMap::new());
        for (number, transition) in (0..).zip(&net.transitions) {
            if let Some((from, to)) = free_move(transition)
                && representative[from as usize] == representative[to as usize]
            {
                into.entry(to).or_default().push((from, number));
            }
            let at = transition.arcs.iter().filter(|arc| is_merged[arc.place as usize]);
            let at: Vec<PlainArc> = at.copied().collect();
            if !at.is_empty() {
                arcs.insert(number, at);
            }
        }
        let merged = (0..).zip(is_merged).filter(|(_, is_merged)| *is_merged);
        let initial = merged.map(|(place, _)| (place, net.initial[place as usize])).collect();
        Moves { initial, into, arcs }
    }

    /// A run of the net with merged places, with the moves that it takes where they are not.
    fn inserted(&self, run: &FiringSequence) -> Result<FiringSequence, Unmapped> {
        let mut tokens = self.initial.clone();
        let mut moved = FiringSequence::default();
        for (at, step) in run.steps.iter().enumerate() {
            if run.back == Some(at) {
                moved.back = Some(moved.steps.len());
            }
            if let Some(arcs) = self.arcs.get(step) {
                for arc in arcs {
                    self.bring(arc, arcs, &mut tokens, &mut moved.steps)?;
                }
                for arc in arcs {
                    let there = tokens.entry(arc.place).or_default();
                    *there = there.checked_add(arc.change).ok_or(Unmapped::NoRun)?;
                }
            }
            add(&mut moved.steps, *step, 1)?;
        }
        if run.back == Some(run.steps.len()) {
            moved.back = Some(moved.steps.len());
        }
        Ok(moved)
    }

    /// Brings what an arc asks for, and leaves what the others of its transition do.
    fn bring(
        &self,
        arc: &PlainArc,
        arcs: &[PlainArc],
        tokens: &mut BTreeMap<u32, i32>,
        steps: &mut Vec<u32>,
    ) -> Result<(), Unmapped> {
        loop {
            let missing = arc.least - tokens[&arc.place];
            if missing <= 0 {
                return Ok(());
            }
            let to_spare = |place: u32| {
                let needed = arcs.iter().find(|other| other.place == place);
                tokens[&place] - needed.map_or(0, |other| other.least.max(0))
            };
            let found = self.path_to(arc.place, |place| to_spare(place) > 0);
            let (from, path) = found.ok_or(Unmapped::NoRun)?;
            let count = missing.min(to_spare(from));
            for step in path {
                add(steps, step, count.unsigned_abs())?;
            }
            *tokens.entry(from).or_default() -= count;
            *tokens.entry(arc.place).or_default() += count;
        }
    }

    /// The nearest place that is wanted, and the moves that lead from there, in order.
    fn path_to(&self, place: u32, is_wanted: impl Fn(u32) -> bool) -> Option<(u32, Vec<u32>)> {
        // For each place that was met the move that leads on from there.
        let mut leading = BTreeMap::new();
        let mut open = VecDeque::from([place]);
        while let Some(to) = open.pop_front() {
            if to != place && is_wanted(to) {
                let (mut at, mut path) = (to, Vec::new());
                while at != place {
                    let (next, transition) = leading[&at];
                    path.push(transition);
                    at = next;
                }
                return Some((to, path));
            }
            for &(from, transition) in self.into.get(&to).into_iter().flatten() {
                if from != place && !leading.contains_key(&from) {
                    leading.insert(from, (to, transition));
                    open.push_back(from);
                }
            }
        }
        None
    }
}
