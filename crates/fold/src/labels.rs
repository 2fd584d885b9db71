//! Labels of tokens: one number for a place and the data of a token of it.
//!
//! Places get ranges of labels one after the other, as wide as their data, as long as they fit. Tokens
//! of places whose data are too wide, and tokens that are there several times, have no label; they are
//! written out in full. Where a pid may be missing, whether it is there is a datum of one bit.
//!
//! Tokens with pids in groups have no label either. Groups of data alone are like other data, since
//! tokens are in normal form.

mod groups;

use crate::{Column, NONE, Schema, Shape};

pub(crate) use groups::{GroupPlan, GroupsPlan};

/// Labels are below this.
pub(crate) const LABELS: u32 = 1 << 26;

/// How the tokens of a place are read.
#[derive(Default)]
pub(crate) struct Plan {
    pub stride: usize,
    /// Where the pids are in an entry that are always there, and those that may be, but for those in groups.
    pub pids: Vec<usize>,
    pub optional: Vec<usize>,
    /// Where the data are in an entry, and their bits; those in groups with pids are not among them.
    pub data: Vec<(usize, u32)>,
    /// The groups that have pids, if there are some.
    pub groups: Option<Box<GroupsPlan>>,
    /// The label of a token whose data are 0, unless the data are too wide.
    base: Option<u32>,
    /// How the label of an entry that is there once is made of one of its words, if it is.
    pub sum: Option<Sum>,
}

/// A label is `base + entry[column]`; without data, the column is that of the multiplicity, 1.
#[derive(Clone, Copy)]
pub(crate) struct Sum {
    base: u32,
    pub column: usize,
}

impl Sum {
    /// The label of an entry whose word at the column is `word`.
    #[inline]
    pub(crate) fn of(self, word: u32) -> u32 {
        self.base.wrapping_add(word)
    }
}

/// The labels of all places.
pub(crate) struct Labels {
    pub plans: Vec<Plan>,
    /// The first label of each place that has some, in order, and the place.
    starts: Vec<(u32, u32)>,
}

impl Plan {
    fn new(shape: &Shape, groups: &mut u32) -> Plan {
        let mut plan = Plan { stride: shape.stride(), ..Plan::default() };
        plan.groups = GroupsPlan::of(shape, groups).map(Box::new);
        for (column, kind) in shape.columns.iter().enumerate() {
            if plan.groups.as_ref().is_some_and(|groups| groups.contain(1 + column)) {
                continue;
            }
            match kind {
                Column::Pid => plan.pids.push(1 + column),
                Column::OptionalPid => plan.optional.push(1 + column),
                Column::Data(bits) => plan.data.push((1 + column, *bits)),
                Column::Member(_) | Column::OptionalMember(_) => {
                    unreachable!("members are atoms by now")
                }
            }
        }
        plan
    }

    /// The label of an entry, if it has one.
    #[inline]
    pub(crate) fn label(&self, entry: &[u32]) -> Option<u32> {
        if entry[0] != 1 {
            return None;
        }
        let base = self.base?;
        Some(match self.sum {
            Some(sum) => sum.of(entry[sum.column]),
            None => {
                let data = self.data.iter().fold(0, |n, &(column, bits)| n << bits | entry[column]);
                base + self.presence(entry).fold(data, |n, is_there| n << 1 | u32::from(is_there))
            }
        })
    }

    /// The greatest label that an entry may have, if entries have labels.
    pub(crate) fn last_label(&self) -> Option<u32> {
        let bits: u32 = self.data.iter().map(|&(_, bits)| bits).sum();
        self.base.map(|base| base + (1 << (bits + self.optional.len() as u32)) - 1)
    }

    /// The number of pids of an entry with these data, as a label has them.
    pub(crate) fn count_pids(&self, data: u32) -> usize {
        let presence = data & ((1 << self.optional.len()) - 1);
        self.pids.len() + presence.count_ones() as usize
    }

    /// For each pid that may be missing, whether it is there.
    pub(crate) fn presence<'a>(&'a self, entry: &'a [u32]) -> impl Iterator<Item = bool> + 'a {
        self.optional.iter().map(|&column| entry[column] != NONE)
    }

    /// The pids of an entry: those that are always there, then the others.
    pub(crate) fn pids_of<'a>(&'a self, entry: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let present = self.optional.iter().filter(|&&column| entry[column] != NONE);
        self.pids.iter().chain(present).map(|&column| entry[column])
    }
}

impl Labels {
    pub(crate) fn new(schema: &Schema) -> Labels {
        let mut groups = 0;
        let plan = |shape: &Shape| Plan::new(shape, &mut groups);
        let mut plans: Vec<Plan> = schema.places.iter().map(plan).collect();
        let mut next = 0;
        let mut starts = Vec::new();
        for (place, plan) in (0..).zip(&mut plans) {
            let bits: u32 = plan.data.iter().map(|&(_, bits)| bits).sum();
            let bits = bits + plan.optional.len() as u32;
            if plan.groups.is_none() && bits < 26 && next + (1 << bits) <= LABELS {
                plan.base = Some(next);
                plan.sum = match *plan.data {
                    _ if !plan.optional.is_empty() => None,
                    [] => Some(Sum { base: next.wrapping_sub(1), column: 0 }),
                    [(column, _)] => Some(Sum { base: next, column }),
                    _ => None,
                };
                starts.push((next, place));
                next += 1 << bits;
            }
        }
        Labels { plans, starts }
    }

    /// The place that a label belongs to, and the data as one number.
    pub(crate) fn place_of(&self, label: u32) -> (usize, u32) {
        let at = self.starts.partition_point(|&(start, _)| start <= label) - 1;
        let (start, place) = self.starts[at];
        (place as usize, label - start)
    }
}
