//! Structures whose pairs are the links of a forest.
//!
//! Every atom is the head of at most one pair (or every atom the tail of at most one), there is no
//! cycle and no wider tuple. Beside its parent, an atom has a colour, the label of the link to its
//! parent, and unary tuples.

use std::cmp::Ordering;

use super::{Forest, Others};
use crate::mixing::{link, mix};
use crate::structure::Structure;
use crate::unary::Unary;

#[derive(Debug, Default)]
pub(super) struct Links {
    /// Roots have the parent `n`.
    parents: Vec<u32>,
    /// The labels of the links to the parents.
    labels: Vec<u32>,
    keys: Vec<u64>,
}

struct Linked<'a> {
    structure: &'a Structure,
    labels: &'a [u32],
    unary: &'a mut Unary,
}

impl Others for Linked<'_> {
    const NOTHING: bool = false;

    fn compare(&mut self, a: usize, b: usize) -> Ordering {
        let coded = |atom: usize| (self.structure.colours[atom], self.labels[atom]);
        coded(a).cmp(&coded(b)).then_with(|| self.unary.compare(self.structure, a as u32, b as u32))
    }
}

impl Forest {
    /// Labels `s` if its pairs are the links of a forest; `false` if they are not. `words` holds
    /// the words of colours and unary tuples. Leaves the canonical order at the front of `order`.
    pub(crate) fn label_structure(
        &mut self,
        s: &Structure,
        words: &[u64],
        mask: u64,
        by_colour: bool,
        unary: &mut Unary,
        (order, position): (&mut Vec<u32>, &mut Vec<u32>),
    ) -> bool {
        if s.arcs.len() >= s.len() || !s.wide.is_empty() || !self.links.find(s) {
            return false;
        }
        unary.reset();
        let links = std::mem::take(&mut self.links);
        let code =
            |(&word, &label): (&u64, &u32)| (mix(word.wrapping_add(link(label))) & mask) as u32;
        let codes = words[..s.len()].iter().zip(&links.labels).map(code);
        let atoms = codes.zip(links.parents.iter().copied());
        let mut others = Linked { structure: s, labels: &links.labels, unary };
        let is_forest = self.label(atoms, &mut others, mask, order, position);
        self.links = links;
        if is_forest && by_colour {
            self.links.sort_by_colour(s, &mut order[..s.len()]);
        }
        is_forest
    }
}

impl Links {
    /// Finds the parents; `false` if some atom has two whichever way pairs are read.
    fn find(&mut self, s: &Structure) -> bool {
        self.read(s, |&(label, u, v)| (label, u, v)) || self.read(s, |&(label, u, v)| (label, v, u))
    }

    fn read(&mut self, s: &Structure, pair: impl Fn(&(u32, u32, u32)) -> (u32, u32, u32)) -> bool {
        let root = s.len() as u32;
        self.parents.clear();
        self.parents.resize(s.len(), root);
        self.labels.clear();
        self.labels.resize(s.len(), 0);
        s.arcs.iter().map(pair).all(|(label, parent, child)| {
            self.labels[child as usize] = label;
            std::mem::replace(&mut self.parents[child as usize], parent) == root
        })
    }

    /// Brings colours together.
    fn sort_by_colour(&mut self, s: &Structure, order: &mut [u32]) {
        let colour = |a: u32| s.colours[a as usize];
        if order.is_sorted_by_key(|&a| colour(a)) {
            return;
        }
        self.keys.clear();
        let keyed = order.iter().enumerate();
        self.keys.extend(keyed.map(|(i, &a)| u64::from(colour(a)) << 32 | i as u64));
        self.keys.sort_unstable();
        // The parents are known to the forest by now.
        self.parents.copy_from_slice(order);
        for (place, &key) in order.iter_mut().zip(&self.keys) {
            *place = self.parents[key as u32 as usize];
        }
    }
}
