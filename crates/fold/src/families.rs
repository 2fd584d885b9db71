//! Families: a state falls apart where nothing ties its pids together.
//!
//! Two pids belong to the same family when a chain of links and of tokens leads from one to the other.
//! A bijection of pids that makes two states equivalent maps families onto families, so a state is,
//! up to equivalence, a bag of families: as many of each as there are, and one *rest*, the tokens that
//! hold no pid. Families are folded one by one, and the explorer's strings are sorted lists of the
//! numbers of its parts. So what is alike is stored once however often it occurs, and what happens
//! inside a family is worked out once (see [`Folded`](crate::Folded)).
//!
//! Members of classes have become atoms like pids before a state is split (see `members`), and are meant
//! by the word pid here. So two families share no member, and what is done to the members of each can be
//! done by one permutation, since parts of a class have as many members after it as before. The members
//! of a cyclic class all belong to one family.
//!
//! Splitting a state costs the number of its pids and tokens, nearly (union-find).

use crate::{Column, Schema, Working};

/// Splits working states. Holds the parts too, so that their memory is used again.
#[derive(Default)]
pub(crate) struct Splitter {
    /// Union-find: each pid, and a pid nearer to the one that stands for its family.
    towards: Vec<u32>,
    /// The part of each pid.
    part: Vec<u32>,
    /// The index of each pid in its part.
    index: Vec<u32>,
    parts: Vec<Working>,
}

impl Splitter {
    /// The parts of `working`: first the rest, then the families.
    pub(crate) fn split(&mut self, working: &Working, schema: &Schema) -> &[Working] {
        let families = self.find_families(working, schema);
        while self.parts.len() <= families {
            self.parts.push(working.emptied());
        }
        self.parts[..=families].iter_mut().for_each(Working::clear);
        self.place_pids(working);
        self.place_tokens(working, schema);
        &self.parts[..=families]
    }

    /// Numbers the families from 1, and gives how many there are.
    fn find_families(&mut self, working: &Working, schema: &Schema) -> usize {
        let kin = working.kinship.kin();
        self.towards.clear();
        self.towards.extend(0..kin.len() as u32);
        for (pid, kin) in (0..).zip(kin) {
            for link in [kin.ancestor, kin.elder, kin.youngest] {
                if let Some((other, _)) = link.get() {
                    self.unite(pid, other);
                }
            }
        }
        for (place, shape) in schema.places.iter().enumerate() {
            if shape.columns.iter().filter(|column| **column == Column::Pid).count() > 1 {
                for entry in working.entries(place) {
                    let mut pids = pids_of(&shape.columns, &entry[1..]);
                    if let Some(first) = pids.next() {
                        pids.for_each(|other| self.unite(first, other));
                    }
                }
            }
        }
        self.part.clear();
        self.part.resize(kin.len(), 0);
        let mut families = 0;
        for pid in 0..kin.len() as u32 {
            let root = self.find(pid) as usize;
            if self.part[root] == 0 {
                families += 1;
                self.part[root] = families;
            }
            self.part[pid as usize] = self.part[root];
        }
        families as usize
    }

    fn find(&mut self, mut pid: u32) -> u32 {
        while self.towards[pid as usize] != pid {
            let next = self.towards[pid as usize];
            self.towards[pid as usize] = self.towards[next as usize];
            pid = next;
        }
        pid
    }

    /// Unites two families; the smaller pid stands for both.
    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.towards[a.max(b) as usize] = a.min(b);
    }

    fn place_pids(&mut self, working: &Working) {
        let kin = working.kinship.kin();
        self.index.clear();
        // Links may lead to pids further on, so all are numbered before any is added.
        let mut sizes = std::mem::take(&mut self.towards);
        sizes.clear();
        sizes.resize(kin.len() + 1, 0);
        for &part in &self.part {
            self.index.push(sizes[part as usize]);
            sizes[part as usize] += 1;
        }
        self.towards = sizes;
        for (kin, &part) in kin.iter().zip(&self.part) {
            let kin = kin.renamed(|pid| self.index[pid as usize]);
            self.parts[part as usize].kinship.add(kin);
        }
    }

    fn place_tokens(&mut self, working: &Working, schema: &Schema) {
        let Splitter { part, index, parts, .. } = self;
        for (place, shape) in schema.places.iter().enumerate() {
            for entry in working.entries(place) {
                let family = pids_of(&shape.columns, &entry[1..]).next();
                let family = family.map_or(0, |pid| part[pid as usize]);
                parts[family as usize].put_new(place, entry[0], |words| {
                    let columns = shape.columns.iter().zip(&entry[1..]);
                    words.extend(columns.map(|(column, &word)| match column {
                        Column::Pid => index[word as usize],
                        Column::Data(_) | Column::Member(_) => word,
                    }));
                });
            }
        }
    }
}

fn pids_of<'a>(columns: &'a [Column], words: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    columns.iter().zip(words).filter(|(column, _)| **column == Column::Pid).map(|(_, &word)| word)
}
