//! The records of tokens with groups, in the structure of a state.
//!
//! The order of records makes no difference, so each is a tuple of its own, labelled by its rank: by group,
//! data, and how often it is in its group. It has to be said whose record it is. This is its *holder*, the first atom
//! of the tuple:
//!
//! - of a token, nobody, if it is the only one of its place;
//! - or its first pid, if no two tokens of its place have the same;
//! - or else an atom that is added to the structure beside the pids, which is in the tuple of the token, too;
//! - of a record with groups within, an atom that is added, which is in the tuple of the record, too.
//!
//! Which of these it is depends on nothing that equivalent states differ in. No automorphism moves an atom that
//! was added unless it moves a pid, since no two tokens are equal, and equal records count as one.

use std::ops::Range;

use crate::labels::{GroupPlan, Labels, Plan};

#[derive(Default)]
pub(super) struct Records {
    /// The holder of the records of each token.
    holders: Vec<Holder>,
    records: Vec<Record>,
    /// How many pids there are, and how many atoms are added.
    pids: u32,
    added: u32,
    /// What the records are, pids aside, one after the other; and the pids of all.
    keys: Vec<u32>,
    atoms: Vec<u32>,
    order: Vec<u32>,
    ranks: Vec<u32>,
    firsts: Vec<u32>,
}

#[derive(Clone, Copy)]
enum Holder {
    Nobody,
    Pid(u32),
    Added(u32),
}

/// A record of a token.
struct Record {
    /// Who holds it, and who holds the records within.
    holder: Holder,
    own: Holder,
    key: Range<usize>,
    pids: Range<usize>,
}

impl Holder {
    fn atom(self) -> Option<u32> {
        match self {
            Holder::Nobody => None,
            Holder::Pid(atom) | Holder::Added(atom) => Some(atom),
        }
    }
}

impl Records {
    pub(super) fn clear(&mut self) {
        self.holders.clear();
        self.records.clear();
        self.keys.clear();
        self.atoms.clear();
        self.added = 0;
    }

    /// The number of atoms that are added.
    pub(super) fn added(&self) -> usize {
        self.added as usize
    }

    /// The atom that is added for a token.
    pub(super) fn added_for(&self, token: usize) -> Option<u32> {
        match self.holders.get(token) {
            Some(Holder::Added(atom)) => Some(*atom),
            _ => None,
        }
    }

    /// Finds and ranks the records of tokens, which are where `starts` says: each its place and its entry, those of
    /// a place one after the other. There are so many pids.
    pub(super) fn read(&mut self, words: &[u32], starts: &[u32], labels: &Labels, pids: usize) {
        let place = |start: u32| words[start as usize] as usize;
        if starts.iter().all(|&start| labels.plans[place(start)].groups.is_none()) {
            return;
        }
        self.pids = pids as u32;
        for starts in starts.chunk_by(|a, b| place(*a) == place(*b)) {
            self.find_holders(words, starts, &labels.plans[place(starts[0])]);
        }
        for (token, &start) in starts.iter().enumerate() {
            if let Some(groups) = &labels.plans[place(start)].groups {
                let holder = self.holders[token];
                self.walk(&words[start as usize + 1..], &groups.groups, holder);
            }
        }
        self.rank();
    }

    /// Finds who holds the records of all tokens of a place.
    fn find_holders(&mut self, words: &[u32], starts: &[u32], plan: &Plan) {
        let first = plan.pids.first().map(|pid| 1 + pid);
        let first_of = |start: &u32| Some(words[*start as usize + first?]);
        self.firsts.clear();
        self.firsts.extend(starts.iter().filter_map(first_of));
        self.firsts.sort_unstable();
        self.firsts.dedup();
        let are_alone = starts.len() == 1 || plan.groups.is_none();
        let are_told_apart = self.firsts.len() == starts.len();
        for start in starts {
            let holder = match first_of(start) {
                _ if are_alone => Holder::Nobody,
                Some(pid) if are_told_apart => Holder::Pid(pid),
                _ => self.add(),
            };
            self.holders.push(holder);
        }
    }

    fn add(&mut self) -> Holder {
        self.added += 1;
        Holder::Added(self.pids + self.added - 1)
    }

    /// Goes through the records of these groups of a token or a record.
    fn walk(&mut self, of: &[u32], groups: &[GroupPlan], holder: Holder) {
        for group in groups {
            let mut rest = &of[group.first..][..group.width * group.count];
            while !rest.is_empty() {
                // Those that are equal are next to each other.
                let record = &rest[..group.width];
                let copies = rest.chunks_exact(group.width).take_while(|other| *other == record);
                let copies = copies.count();
                rest = &rest[copies * group.width..];
                let (key, pids) = (self.keys.len(), self.atoms.len());
                self.keys.extend([group.number, copies as u32]);
                self.keys.extend(group.data_of(record));
                self.atoms.extend(group.pids_of(record));
                let (key, pids) = (key..self.keys.len(), pids..self.atoms.len());
                let own = if group.groups.is_empty() { Holder::Nobody } else { self.add() };
                self.records.push(Record { holder, own, key, pids });
                self.walk(record, &group.groups, own);
            }
        }
    }

    fn rank(&mut self) {
        let Records { records, keys, order, ranks, .. } = self;
        let key = |record: u32| &keys[records[record as usize].key.clone()];
        order.clear();
        order.extend(0..records.len() as u32);
        order.sort_unstable_by_key(|&record| key(record));
        ranks.clear();
        ranks.resize(records.len(), 0);
        let mut rank = 0;
        for pair in order.windows(2) {
            rank += u32::from(key(pair[0]) != key(pair[1]));
            ranks[pair[1] as usize] = rank;
        }
    }

    /// Calls `visit` for each record with its rank, its holders and pids. `tuple` is scratch.
    pub(super) fn for_each_tuple(&self, tuple: &mut Vec<u32>, mut visit: impl FnMut(u32, &[u32])) {
        for (record, &rank) in self.records.iter().zip(&self.ranks) {
            tuple.clear();
            tuple.extend(record.holder.atom());
            tuple.extend(record.own.atom());
            tuple.extend_from_slice(&self.atoms[record.pids.clone()]);
            if !tuple.is_empty() {
                visit(rank, tuple);
            }
        }
    }
}
