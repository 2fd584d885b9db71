//! Groups of columns: sets and maps in tokens.
//!
//! A group is a run of records, all alike in their columns, whose order makes no difference: two tokens
//! are the same when each group has the same records, each as often. Records may have groups of their own.
//!
//! In a working state every token is in *normal form*: the records of each group are sorted, those within
//! records first. Pids and members ascend, with [`NONE`](crate::NONE) last, and data descend, so that a
//! record of nothing but `NONE` and 0 comes after all others. Hence equal words mean equal tokens, and what a token
//! leaves unused of a group is at the end of it. A renaming that keeps the order of pids and members keeps
//! the normal form; after any other it is made anew.

use std::cmp::Ordering;

use crate::Column;

/// Columns whose order makes no difference, record by record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The first column: of the token, or of the record that the group is part of.
    pub first: usize,
    /// The number of columns of a record, at least one.
    pub width: usize,
    /// The number of records.
    pub count: usize,
    /// The groups within each record.
    pub groups: Vec<Group>,
}

impl Group {
    /// One without groups within its records.
    #[must_use]
    pub fn new(first: usize, width: usize, count: usize) -> Group {
        Group { first, width, count, groups: Vec::new() }
    }

    /// The column after the last.
    #[must_use]
    pub fn end(&self) -> usize {
        self.first + self.width * self.count
    }
}

/// Brings words into normal form, whose columns and groups these are. Costs the square of the number of
/// records at worst.
pub(crate) fn normalise(words: &mut [u32], columns: &[Column], groups: &[Group]) {
    for group in groups {
        let Group { first, width, count, groups } = group;
        let columns = &columns[*first..][..*width];
        let words = &mut words[*first..group.end()];
        for record in words.chunks_exact_mut(*width) {
            normalise(record, columns, groups);
        }
        for at in 1..*count {
            // A record goes before those that come after it.
            let mut start = at * width;
            while start > 0 {
                let (before, from) = words[start - width..start + width].split_at_mut(*width);
                if compare(before, from, columns).is_le() {
                    break;
                }
                before.swap_with_slice(from);
                start -= width;
            }
        }
    }
}

/// The order of records.
fn compare(one: &[u32], other: &[u32], columns: &[Column]) -> Ordering {
    for ((one, other), column) in one.iter().zip(other).zip(columns) {
        let order = match column {
            Column::Data(_) => other.cmp(one),
            _ => one.cmp(other),
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NONE;

    #[test]
    fn unused_records_come_last() {
        let columns = [Column::OptionalPid, Column::Data(4)].repeat(4);
        let group = [Group::new(0, 2, 4)];
        let mut words = [NONE, 0, 3, 0, NONE, 1, 3, 2];
        normalise(&mut words, &columns, &group);
        assert_eq!(words, [3, 2, 3, 0, NONE, 1, NONE, 0]);
    }

    #[test]
    fn records_within_records_are_sorted_first() {
        // A datum, and two records of a datum and two pids.
        let record = [Column::Data(2), Column::OptionalPid, Column::OptionalPid];
        let columns = [&[Column::Data(1)], &record[..], &record[..]].concat();
        let inner = vec![Group::new(1, 1, 2)];
        let group = [Group { groups: inner, ..Group::new(1, 3, 2) }];
        let mut words = [1, 2, 7, 5, 2, 6, 4];
        normalise(&mut words, &columns, &group);
        assert_eq!(words, [1, 2, 4, 6, 2, 5, 7]);
    }
}
