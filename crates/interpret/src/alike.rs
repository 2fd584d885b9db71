//! Members of classes that are alike: states that differ only by a permutation of them are the same.
//!
//! Of a symmetric class any permutation makes no difference that keeps its parts, and of a cyclic one any rotation. Only
//! members that occur in a state count: of a part, they become the first ones, in any order. All ways are tried.

use std::collections::BTreeSet;

use net::{EnumId, Enumeration, Symmetry};

use crate::state::State;
use crate::value::Value;

/// What becomes of the members of each class, by their old numbers.
type Renaming = Vec<Vec<u32>>;

impl State {
    /// States that differ from this one by who is who among members that are alike: of all those that are the same up to
    /// that, the same ones come of it.
    pub(crate) fn with_members_renamed(&self, classes: &[Enumeration]) -> Vec<State> {
        let mut occurring = vec![BTreeSet::new(); classes.len()];
        self.clone().each_value(&mut |value| {
            value.each_member(&mut |class, member| _ = occurring[class.index()].insert(*member));
        });
        let mut renamings: Vec<Renaming> = vec![Vec::new()];
        for (class, occurring) in classes.iter().zip(&occurring) {
            let ways = ways(class, occurring);
            let with =
                |before: &Renaming, way: &Vec<u32>| [before, std::slice::from_ref(way)].concat();
            renamings = { renamings.iter() }
                .flat_map(|before| ways.iter().map(move |way| with(before, way)))
                .collect();
        }
        let renamed = renamings.iter().map(|renaming| {
            let mut state = self.clone();
            let new = |class: EnumId, member: u32| renaming[class.index()][member as usize];
            state.each_value(&mut |value| {
                value.each_member(&mut |class, member| *member = new(class, *member));
            });
            state
        });
        renamed.collect()
    }
}

/// The ways to rename the members of a class, given those that occur.
fn ways(class: &Enumeration, occurring: &BTreeSet<u32>) -> Vec<Vec<u32>> {
    let count = class.members.len() as u32;
    let same: Vec<u32> = (0..count).collect();
    match class.symmetry {
        _ if occurring.is_empty() => vec![same],
        Symmetry::None => vec![same],
        Symmetry::Rotations => {
            let rotation = |steps| same.iter().map(|member| (member + steps) % count).collect();
            (0..count).map(rotation).collect()
        }
        Symmetry::Full => {
            let mut ways = vec![same];
            for part in class.part_ranges() {
                let members: Vec<u32> = occurring.range(part.clone()).copied().collect();
                let orders = orders(&members);
                let ordered = |way: &Vec<u32>, order: &Vec<u32>| {
                    let mut way = way.clone();
                    for (member, new) in order.iter().zip(part.start..) {
                        way[*member as usize] = new;
                    }
                    way
                };
                ways = { ways.iter() }
                    .flat_map(|way| orders.iter().map(move |order| ordered(way, order)))
                    .collect();
            }
            ways
        }
    }
}

/// All orders of these.
fn orders(members: &[u32]) -> Vec<Vec<u32>> {
    if members.is_empty() {
        return vec![Vec::new()];
    }
    let first = members.iter().flat_map(|first| {
        let others: Vec<u32> = members.iter().copied().filter(|other| other != first).collect();
        orders(&others).into_iter().map(|order| [&[*first], &order[..]].concat())
    });
    first.collect()
}

impl Value {
    /// Calls `visit` with the number of each member in it. It may change.
    fn each_member(&mut self, visit: &mut dyn FnMut(EnumId, &mut u32)) {
        if let Value::Member(class, member) = self {
            visit(*class, member);
        }
        self.change_parts(&mut |part| part.each_member(visit));
    }
}

#[cfg(test)]
mod tests {
    use crate::examples::explored;

    fn states(class: &str) -> usize {
        let text = format!(
            "class Pod {class}
            shared a: Pod? = none
            shared b: Pod? = none
            process main {{
                atomic {{ choose x in Pod   a = x }}
                atomic {{ choose y in Pod   b = y }}
                await false
            }}"
        );
        explored(&text).states.len()
    }

    #[test]
    fn members_are_the_same_up_to_what_makes_no_difference() {
        // The first, one, two that are equal or not.
        assert_eq!(states("ordered 4"), 1 + 4 + 16);
        assert_eq!(states("symmetric 4"), 1 + 1 + 2);
        assert_eq!(states("cyclic 4"), 1 + 1 + 4);
        assert_eq!(states("symmetric first 1, others 3"), 1 + 2 + 5);
    }
}
