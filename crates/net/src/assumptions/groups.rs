//! Whether the groups of a place are well-formed.

use crate::{Column, Group, Hold, Place};

pub(super) fn check(place: &Place) -> Vec<String> {
    let mut found = check_groups(&place.groups, &place.columns);
    let is_in_group = |column: usize| {
        place.groups.iter().any(|group| (group.first..group.end()).contains(&column))
    };
    if place.is_flow() && is_in_group(0) {
        found.push("the thread of a flow place is in a group".into());
    }
    if matches!(place.hold, Hold::Owned(owner) if is_in_group(owner)) {
        found.push("its owner is in a group".into());
    }
    found
}

/// What is wrong with groups of these columns, the first thing only.
fn check_groups(groups: &[Group], columns: &[Column]) -> Vec<String> {
    let is_alike =
        |one: &Column, other: &Column| (one.sort, one.optional) == (other.sort, other.optional);
    let mut end = 0;
    for group in groups {
        if group.width == 0 {
            return vec!["the records of a group have no column".into()];
        }
        if group.first < end || group.end() > columns.len() {
            return vec!["groups overlap, are out of order, or go beyond the columns".into()];
        }
        end = group.end();
        let mut records = columns[group.first..end].chunks(group.width);
        let Some(first) = records.next() else { continue };
        if !records.all(|record| first.iter().zip(record).all(|(a, b)| is_alike(a, b))) {
            return vec!["the records of a group differ in their columns".into()];
        }
        let within = check_groups(&group.groups, first);
        if !within.is_empty() {
            return within;
        }
    }
    Vec::new()
}
