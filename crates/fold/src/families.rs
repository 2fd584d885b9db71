//! Families: a state falls apart where nothing ties its pids together.
//!
//! Two pids belong to the same family when a chain of links and of tokens leads from one to the other.
//! A bijection of pids that makes two states equivalent maps families onto families, so a state is,
//! up to equivalence, a bag of families. The tokens that hold no pid make up one more family, the *rest*.
//! Families are folded one by one, and the explorer's strings are sorted lists of the numbers of
//! families. So what is alike is stored once however often it occurs, and what happens inside a family
//! is computed once (see [`Folded`](crate::Folded)).
//!
//! Members of classes have become atoms like pids before a state is split (see `members`), and are meant
//! by the word pid here. So two families share no member, and what is done to the members of each can be
//! done by one permutation, since parts of a class have as many members after it as before. The members
//! of a cyclic class all belong to one family.
//!
//! Splitting a state costs the number of its pids and tokens, nearly (union-find).

use canon::UnionFind;

use crate::{Schema, Working};

/// Splits working states. Holds the families too, so that their memory is used again.
#[derive(Default)]
pub(crate) struct Splitter {
    related: UnionFind,
    /// The family of each pid, counted from 1.
    family: Vec<u32>,
    /// The index of each pid in its family.
    index: Vec<u32>,
    /// The number of pids of each family.
    sizes: Vec<u32>,
    /// The rest, and the families with pids.
    families: Vec<Working>,
}

impl Splitter {
    /// The families of `working`, the rest first.
    pub(crate) fn split(&mut self, working: &Working, schema: &Schema) -> &[Working] {
        let count = self.find_families(working, schema);
        while self.families.len() <= count {
            self.families.push(working.emptied());
        }
        self.families[..=count].iter_mut().for_each(Working::clear);
        self.place_pids(working);
        self.place_tokens(working, schema);
        &self.families[..=count]
    }

    /// The family of a pid of the state that was split last, by its place among those given, and its index there.
    pub(crate) fn place_of(&self, pid: u32) -> (usize, usize) {
        (self.family[pid as usize] as usize, self.index[pid as usize] as usize)
    }

    /// Numbers the families that have pids from 1, and gives their number.
    fn find_families(&mut self, working: &Working, schema: &Schema) -> usize {
        let Splitter { related, family, .. } = self;
        let kin = working.kinship.kin();
        related.reset(kin.len());
        for (pid, kin) in (0..).zip(kin) {
            for link in [kin.ancestor, kin.elder, kin.youngest] {
                if let Some((other, _)) = link.get() {
                    related.join(pid, other);
                }
            }
        }
        for (place, shape) in schema.places.iter().enumerate() {
            if shape.columns.iter().filter(|column| column.holds_pids()).count() > 1 {
                for entry in working.entries(place) {
                    let mut pids = shape.pids(entry);
                    if let Some(first) = pids.next() {
                        pids.for_each(|other| _ = related.join(first, other));
                    }
                }
            }
        }
        family.clear();
        family.resize(kin.len(), 0);
        let mut count = 0;
        for pid in 0..kin.len() as u32 {
            let root = related.find(pid) as usize;
            if family[root] == 0 {
                count += 1;
                family[root] = count;
            }
            family[pid as usize] = family[root];
        }
        count as usize
    }

    fn place_pids(&mut self, working: &Working) {
        let Splitter { family, index, sizes, families, .. } = self;
        let kin = working.kinship.kin();
        index.clear();
        // Links may lead to pids further on, so all are numbered before any is added.
        sizes.clear();
        sizes.resize(kin.len() + 1, 0);
        for &family in &*family {
            index.push(sizes[family as usize]);
            sizes[family as usize] += 1;
        }
        for (kin, &family) in kin.iter().zip(&*family) {
            families[family as usize].kinship.add(kin.renamed(|pid| index[pid as usize]));
        }
    }

    fn place_tokens(&mut self, working: &Working, schema: &Schema) {
        let Splitter { family, index, families, .. } = self;
        for (place, shape) in schema.places.iter().enumerate() {
            for entry in working.entries(place) {
                let first = shape.pids(entry).next();
                let family = first.map_or(0, |pid| family[pid as usize]);
                families[family as usize].put_new(place, entry[0], |words| {
                    let columns = shape.columns.iter().zip(&entry[1..]);
                    words
                        .extend(columns.map(|(column, &word)| {
                            column.renamed(word, |pid| index[pid as usize])
                        }));
                });
            }
        }
    }
}
