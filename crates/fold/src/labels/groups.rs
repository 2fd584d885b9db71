//! How tokens are read that have pids in groups.
//!
//! A token is then a tree: what is not in a group, and below it the records of its groups, each again with what
//! is not in a group within.

use crate::{Column, Group, NONE, Shape};

/// How the groups of a token are read that have pids.
pub(crate) struct GroupsPlan {
    pub shape: Shape,
    /// Where the pids in groups are in an entry that are always there, and those that may be.
    pub pids: Vec<usize>,
    pub optional: Vec<usize>,
    pub groups: Vec<GroupPlan>,
}

/// How the records of a group are read.
pub(crate) struct GroupPlan {
    /// Which group it is, among all of the schema.
    pub number: u32,
    /// Where it starts in an entry, or in the record that it is part of.
    pub first: usize,
    pub width: usize,
    pub count: usize,
    /// Where in a record the pids are that are always there, those that may be, and the data; those in groups within
    /// are not among them.
    pub pids: Vec<usize>,
    pub optional: Vec<usize>,
    pub data: Vec<usize>,
    pub groups: Vec<GroupPlan>,
}

impl GroupsPlan {
    /// The plan of the groups of a place that have pids, if there are some.
    pub(super) fn of(shape: &Shape, numbers: &mut u32) -> Option<GroupsPlan> {
        let columns = &shape.columns;
        let groups = shape.groups.iter().filter(|group| holds_pids(group, columns));
        let plan = |group: &Group| {
            GroupPlan::new(group, 1 + group.first, &columns[group.first..], numbers)
        };
        let groups: Vec<GroupPlan> = groups.map(plan).collect();
        let mut plan =
            GroupsPlan { shape: shape.clone(), pids: Vec::new(), optional: Vec::new(), groups };
        for (column, kind) in columns.iter().enumerate() {
            if plan.contain(1 + column) {
                match kind {
                    Column::Pid => plan.pids.push(1 + column),
                    Column::OptionalPid => plan.optional.push(1 + column),
                    _ => {}
                }
            }
        }
        (!plan.groups.is_empty()).then_some(plan)
    }

    /// Renames the pids in groups, and brings these into normal form. Pids that may be missing are then one more,
    /// and 0 where there is none.
    pub(crate) fn rename(&self, entry: &mut [u32], position: &[u32]) {
        for &at in self.pids.iter().chain(&self.optional) {
            if entry[at] != NONE {
                entry[at] = position[entry[at] as usize];
            }
        }
        self.shape.normalise(&mut entry[1..]);
        self.optional.iter().for_each(|&at| entry[at] = entry[at].wrapping_add(1));
    }

    /// Whether a column of an entry is in one of these groups.
    pub(super) fn contain(&self, column: usize) -> bool {
        let within = |group: &GroupPlan| {
            (group.first..group.first + group.width * group.count).contains(&column)
        };
        self.groups.iter().any(within)
    }
}

impl GroupPlan {
    /// The plan of a group which is at `first`, where its first record has these columns. Groups are numbered on.
    fn new(group: &Group, first: usize, columns: &[Column], numbers: &mut u32) -> GroupPlan {
        *numbers += 1;
        let mut plan = GroupPlan {
            number: *numbers,
            first,
            width: group.width,
            count: group.count,
            pids: Vec::new(),
            optional: Vec::new(),
            data: Vec::new(),
            groups: Vec::new(),
        };
        let within = |group: &&Group| holds_pids(group, columns);
        let within: Vec<&Group> = group.groups.iter().filter(within).collect();
        for (column, kind) in columns[..group.width].iter().enumerate() {
            if !{ within.iter() }.any(|group| (group.first..group.end()).contains(&column)) {
                match kind {
                    Column::Pid => plan.pids.push(column),
                    Column::OptionalPid => plan.optional.push(column),
                    _ => plan.data.push(column),
                }
            }
        }
        for group in within {
            let columns = &columns[group.first..];
            plan.groups.push(GroupPlan::new(group, group.first, columns, numbers));
        }
        plan
    }

    /// What a record is, pids aside: data, and which pids are there.
    pub(crate) fn data_of<'a>(&'a self, record: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let presence = self.optional.iter().map(|&at| u32::from(record[at] != NONE));
        self.data.iter().map(|&at| record[at]).chain(presence)
    }

    /// The pids of a record, but for those in groups within.
    pub(crate) fn pids_of<'a>(&'a self, record: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let present = self.optional.iter().filter(|&&at| record[at] != NONE);
        self.pids.iter().chain(present).map(|&at| record[at])
    }
}

/// Whether there are pids in a group, counted among these columns.
fn holds_pids(group: &Group, columns: &[Column]) -> bool {
    columns[group.first..group.end()].iter().any(|column| column.holds_pids())
}
