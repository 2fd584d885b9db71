//! What is done with the successors that belong to a shard.

use std::ops::Deref;

use super::outbox::Outbox;
use crate::quotient::pack;
use crate::store::Shard;
use crate::{StateId, Store};

/// The number of strings looked up at a time.
const GROUP: usize = 16;

/// A shard, with what was found out about its strings in a wave.
#[derive(Default)]
pub(crate) struct Desk {
    /// The shard, while the store has lent it.
    pub(crate) shard: Option<Shard>,
    /// The strings that were new, in their order.
    pub(crate) fresh: Vec<Fresh>,
    /// The number of distinct edges that lead to strings of this shard.
    pub(crate) edges: u64,
    /// These, where they are to be kept: source, label and number in the shard, sorted.
    pub(crate) rows: Vec<(StateId, u64)>,
    /// Those from one state, with repetitions.
    row: Vec<u64>,
    /// The chunks of the wave: first state, worker, and number among those of the worker.
    chunks: Vec<(StateId, usize, usize)>,
}

/// A string that was new, and how it was first found.
#[derive(Clone, Copy)]
pub(crate) struct Fresh {
    /// Which successor of the wave it is.
    pub(crate) place: u32,
    pub(crate) source: StateId,
    pub(crate) label: u32,
}

impl Desk {
    /// Puts the strings that belong to this shard into it, in the order in which a sequential search
    /// finds them, and counts the edges that lead to them.
    pub(crate) fn store(
        &mut self,
        number: usize,
        outboxes: &[impl Deref<Target = Outbox>],
        keep_edges: bool,
    ) {
        self.fresh.clear();
        self.rows.clear();
        self.edges = 0;
        self.chunks.clear();
        for (worker, outbox) in outboxes.iter().enumerate() {
            let firsts = outbox.chunks.iter().enumerate();
            self.chunks.extend(firsts.map(|(chunk, &(first, _))| (first, worker, chunk)));
        }
        self.chunks.sort_unstable();
        let mut source = StateId(0);
        let mut before = 0;
        for at in 0..self.chunks.len() {
            let (_, worker, chunk) = self.chunks[at];
            let strings = outboxes[worker].strings();
            for group in outboxes[worker].heads(chunk, number).chunks(GROUP) {
                let shard = self.shard.as_mut().expect("the shard is lent");
                shard.touch(group.iter().map(|head| head.hash));
                for head in group {
                    if head.source != source {
                        self.finish_row(source, keep_edges);
                        source = head.source;
                    }
                    let shard = self.shard.as_mut().expect("the shard is lent");
                    let string = &strings[head.offset as usize..][..head.length as usize];
                    let stored = shard.insert_within(head.hash, string, Store::CAPACITY);
                    let (target, new) = stored.expect("there is room for all");
                    if new {
                        let place = before + head.place;
                        self.fresh.push(Fresh { place, source, label: head.label });
                    }
                    self.row.push(pack(head.label, StateId(target)));
                }
            }
            before += outboxes[worker].chunks[chunk].1;
        }
        self.finish_row(source, keep_edges);
    }

    /// Counts the edges from one state.
    fn finish_row(&mut self, source: StateId, keep_edges: bool) {
        if self.row.len() > 1 {
            self.row.sort_unstable();
            self.row.dedup();
        }
        self.edges += self.row.len() as u64;
        if keep_edges {
            self.rows.extend(self.row.iter().map(|&edge| (source, edge)));
        }
        self.row.clear();
    }
}
