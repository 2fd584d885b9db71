//! Tokens that have no label, or too many pids: written out in full.

use super::records::Records;
use crate::NONE;
use crate::labels::Labels;
use crate::writer::Writer;

/// Tokens that have no label, or too many pids. In the structure each is labelled by its rank, by place,
/// multiplicity and data, among those of this state, which is the same in every equivalent one. So are the
/// records of tokens with groups.
#[derive(Default)]
pub(super) struct Long {
    /// The place and the entry of each token, one after the other.
    words: Vec<u32>,
    /// Where each token begins.
    starts: Vec<u32>,
    order: Vec<u32>,
    ranks: Vec<u32>,
    pids: Vec<u32>,
    records: Records,
}

impl Long {
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.starts.clear();
        self.records.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    pub(super) fn add(&mut self, place: usize, entry: &[u32]) {
        self.starts.push(self.words.len() as u32);
        self.words.push(place as u32);
        self.words.extend_from_slice(entry);
    }

    /// Ranks the tokens by what they are, pids aside, and their records. There are so many pids.
    pub(super) fn rank(&mut self, labels: &Labels, pids: usize) {
        let Long { words, starts, order, ranks, records, .. } = self;
        let what = |token: u32| {
            let words = &words[starts[token as usize] as usize..];
            let plan = &labels.plans[words[0] as usize];
            let data = plan.data.iter().map(|&(column, _)| words[1 + column]);
            let presence = plan.presence(&words[1..]).map(u32::from);
            [words[0], words[1]].into_iter().chain(data).chain(presence)
        };
        order.clear();
        order.extend(0..starts.len() as u32);
        order.sort_unstable_by(|&a, &b| what(a).cmp(what(b)));
        ranks.clear();
        ranks.resize(starts.len(), 0);
        let mut rank = 0;
        for pair in order.windows(2) {
            rank += u32::from(!what(pair[0]).eq(what(pair[1])));
            ranks[pair[1] as usize] = rank;
        }
        records.read(words, starts, labels, pids);
    }

    /// The number of atoms that the structure has beside the pids.
    pub(super) fn added(&self) -> usize {
        self.records.added()
    }

    pub(super) fn for_each_tuple(&mut self, labels: &Labels, mut visit: impl FnMut(u32, &[u32])) {
        let Long { words, starts, ranks, pids, records, .. } = self;
        for (token, (&start, &rank)) in starts.iter().zip(&*ranks).enumerate() {
            let words = &words[start as usize..];
            pids.clear();
            pids.extend(records.added_for(token));
            pids.extend(labels.plans[words[0] as usize].pids_of(&words[1..]));
            if !pids.is_empty() {
                visit(rank, pids);
            }
        }
        let tokens = starts.len() as u32;
        records.for_each_tuple(pids, |rank, pids| visit(tokens + rank, pids));
    }

    /// Writes the tokens with pids renamed, in order.
    pub(super) fn write(&mut self, labels: &Labels, position: &[u32], writer: &mut Writer) {
        let Long { words, starts, order, .. } = self;
        for &start in &*starts {
            let words = &mut words[start as usize..];
            let plan = &labels.plans[words[0] as usize];
            plan.pids.iter().for_each(|&at| words[1 + at] = position[words[1 + at] as usize]);
            for &at in &plan.optional {
                let pid = words[1 + at];
                words[1 + at] = if pid == NONE { 0 } else { 1 + position[pid as usize] };
            }
            if let Some(groups) = &plan.groups {
                groups.rename(&mut words[1..=plan.stride], position);
            }
        }
        let token = |token: u32| {
            let words = &words[starts[token as usize] as usize..];
            &words[..=labels.plans[words[0] as usize].stride]
        };
        order.clear();
        order.extend(0..starts.len() as u32);
        order.sort_unstable_by(|&a, &b| token(a).cmp(token(b)));
        for &one in &*order {
            let words = token(one);
            let mut room = writer.room(words.len());
            words.iter().for_each(|&word| room.write(word));
        }
    }
}
