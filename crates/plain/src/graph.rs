//! The graph of reachable markings, found as far as it is asked for.

use budget::Budget;
use random::Random;

use crate::firing::Firing;
use crate::search::Undecided;
use crate::store::Store;
use crate::stubborn::ample::Ample;
use crate::{PlainNet, Steps, Valuation};

/// So many successors are compared with each other.
const FEW: usize = 64;

/// Markings with their successors and the atoms that hold in them.
pub(crate) struct Graph<'n> {
    net: &'n PlainNet,
    atoms: &'n dyn Valuation,
    firing: Firing,
    store: Store,
    budget: &'n Budget,
    /// In which order successors come.
    random: Option<Random>,
    /// Which of them are left out.
    ample: Option<Ample>,
    /// Where the successors of each marking are, once they are known.
    successors: Vec<Option<(u64, u32)>>,
    targets: Vec<u32>,
    /// The atoms that hold in each marking whose successors are known, as bits.
    truths: Vec<u64>,
    words: usize,
    marking: Vec<i32>,
    next: Vec<i32>,
    enabled: Vec<u32>,
}

impl<'n> Graph<'n> {
    /// The graph of a net; its initial marking has the number 0. With a seed, successors come in random order; with
    /// ample sets, only those.
    pub(crate) fn new(
        net: &'n PlainNet,
        atoms: &'n dyn Valuation,
        seed: Option<u64>,
        ample: Option<Ample>,
        budget: &'n Budget,
    ) -> Result<Self, Undecided> {
        let mut store = Store::new(budget);
        store.insert(&net.initial)?;
        Ok(Graph {
            net,
            atoms,
            firing: Firing::new(net),
            store,
            budget,
            random: seed.map(Random::new),
            ample,
            successors: vec![None],
            targets: Vec::new(),
            truths: Vec::new(),
            words: atoms.count().div_ceil(64),
            marking: net.initial.clone(),
            next: net.initial.clone(),
            enabled: Vec::new(),
        })
    }

    /// Reads a marking.
    pub(crate) fn read(&self, number: u32, marking: &mut [i32]) {
        self.store.read(number, marking);
    }

    /// A transition that leads from one marking to another, if one does.
    pub(crate) fn transition(&mut self, from: u32, to: u32) -> Option<u32> {
        let Graph { net, store, marking, next, enabled, .. } = self;
        store.read(from, marking);
        self.firing.enabled(net, marking, enabled);
        let mut target = marking.clone();
        store.read(to, &mut target);
        let leads_there = |transition: &u32| {
            next.copy_from_slice(marking);
            net.transitions[*transition as usize].fire(next).is_some() && *next == target
        };
        enabled.iter().copied().find(leads_there)
    }

    /// How many markings were found.
    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }
}

impl Steps for Graph<'_> {
    fn expand(&mut self, number: u32) -> Result<(), Undecided> {
        if self.successors[number as usize].is_some() {
            return Ok(());
        }
        self.budget.check()?;
        let Graph { net, store, marking, next, enabled, .. } = self;
        store.read(number, marking);
        self.firing.enabled(net, marking, enabled);
        let at = number as usize * self.words;
        if self.truths.len() < at + self.words {
            self.truths.resize((at + self.words).max(self.truths.len() * 3 / 2), 0);
        }
        self.atoms.note(marking, enabled, &mut self.truths[at..at + self.words]);
        if let Some(ample) = &mut self.ample {
            ample.reduce(net, marking, enabled);
        }
        if let Some(random) = &mut self.random {
            random.shuffle(enabled);
        }
        let begin = self.targets.len();
        for &transition in enabled.iter() {
            next.copy_from_slice(marking);
            net.transitions[transition as usize].fire(next).ok_or(Undecided::TooManyTokens)?;
            let (target, is_new) = store.insert(next)?;
            if is_new {
                self.successors.push(None);
            }
            // Where there are many, looking for the same costs more than meeting it twice.
            if self.targets.len() - begin > FEW || !self.targets[begin..].contains(&target) {
                self.targets.push(target);
            }
        }
        self.successors[number as usize] =
            Some((begin as u64, (self.targets.len() - begin) as u32));
        Ok(())
    }

    fn successors(&self, number: u32) -> &[u32] {
        let (begin, count) = self.successors[number as usize].expect("an expanded marking");
        &self.targets[begin as usize..begin as usize + count as usize]
    }

    fn holds(&self, number: u32, atom: u32) -> bool {
        let at = number as usize * self.words + atom as usize / 64;
        self.truths[at] >> (atom % 64) & 1 == 1
    }
}
