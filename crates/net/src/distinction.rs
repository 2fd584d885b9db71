//! Members that the initial marking tells apart, though their class promises that they are alike.
//!
//! An initial token that goes through all members is the same under every permutation, since its
//! condition is. What remains is the same exactly if each token is there as often as what neighbours of a
//! part swapped, or one step of the rotation, make of it; so the check costs no more than the tokens that
//! name members.

use std::collections::HashMap;

use crate::symmetry::Renaming;
use crate::{EnumId, Group, InitialValue, Literal, Net, PlaceId, Symmetry};

/// Two members that the initial marking tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distinction {
    /// Their class.
    pub class: EnumId,
    /// The one that a token names.
    pub member: u32,
    /// The one that a permutation takes it to.
    pub other: u32,
    /// What names it.
    pub at: Initial,
    /// How often its token is there.
    pub here: u64,
    /// How often what the permutation makes of the token is there.
    pub there: u64,
}

/// What is there initially.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// A thread, by its index in [`Net::start`].
    Thread(usize),
    /// A token, by its index in [`Net::tokens`].
    Token(usize),
}

/// A token without choices, with its thread, if it has one, first, and the records of its groups in some order that
/// depends on nothing but what they are.
type Token = (PlaceId, Vec<InitialValue>);

impl Net {
    /// The members that the initial marking tells apart: for each class the first that are found.
    #[must_use]
    pub fn distinctions(&self) -> Vec<Distinction> {
        let mut count: HashMap<Token, u64> = HashMap::new();
        let mut named: Vec<(Initial, Token)> = Vec::new();
        self.for_each_named(&mut |at, token, copies| {
            let token = self.sorted(token);
            *count.entry(token.clone()).or_default() += u64::from(copies);
            named.push((at, token));
        });
        let mut found: Vec<Distinction> = Vec::new();
        for (at, token) in &named {
            for value in &token.1 {
                let InitialValue::Data(Literal::Enum(class, member)) = *value else { continue };
                if found.iter().all(|other| other.class != class) {
                    let mut renamings = self.renamings(class, member).into_iter();
                    found.extend(renamings.find_map(|(other, by)| {
                        let often = |token: &Token| count.get(token).copied().unwrap_or(0);
                        let (here, there) =
                            (often(token), often(&self.sorted(renamed(token, &by))));
                        let distinction =
                            Distinction { class, member, other, at: *at, here, there };
                        (here != there).then_some(distinction)
                    }));
                }
            }
        }
        found
    }

    fn sorted(&self, (place, mut values): Token) -> Token {
        sort(&mut values, &self.place(place).groups);
        (place, values)
    }

    /// Calls `visit` with all tokens that name members which are like others, and how often they are there.
    fn for_each_named(&self, visit: &mut dyn FnMut(Initial, Token, u32)) {
        let has_likes = |value: &InitialValue| match *value {
            InitialValue::Data(Literal::Enum(id, member)) => {
                self.enumerations[id.index()].has_likes(member)
            }
            _ => false,
        };
        for (index, thread) in self.start.iter().enumerate() {
            if thread.values.iter().any(has_likes) {
                let own = InitialValue::Thread(index);
                let values = std::iter::once(own).chain(thread.values.iter().copied());
                visit(Initial::Thread(index), (thread.place, values.collect()), 1);
            }
        }
        for (index, token) in self.tokens.iter().enumerate() {
            if token.values.iter().any(has_likes) {
                let chosen = token.for_each_choice(self, &mut |members| {
                    let values = token.values.iter().map(|value| match *value {
                        InitialValue::Each(i) => {
                            InitialValue::Data(Literal::Enum(token.each[i], members[i]))
                        }
                        value => value,
                    });
                    visit(Initial::Token(index), (token.place, values.collect()), token.count);
                });
                // A condition that faults is a breach, and reported as that.
                chosen.unwrap_or_default();
            }
        }
    }

    /// Permutations that make no difference, enough to tell what a member is like, and where they take it.
    fn renamings(&self, id: EnumId, member: u32) -> Vec<(u32, Renaming)> {
        let class = &self.enumerations[id.index()];
        match class.symmetry {
            Symmetry::None => Vec::new(),
            Symmetry::Rotations => {
                let size = class.members.len() as u32;
                vec![((member + 1) % size, Renaming::turn(id, size))]
            }
            Symmetry::Full => {
                let part = class.part_of(member);
                let neighbours = [member.checked_sub(1), member.checked_add(1)].into_iter();
                let neighbours = neighbours.flatten().filter(|other| part.contains(other));
                neighbours.map(|other| (other, Renaming::swap(id, member, other))).collect()
            }
        }
    }
}

fn renamed((place, values): &Token, by: &Renaming) -> Token {
    let values = values.iter().map(|value| match *value {
        InitialValue::Data(Literal::Enum(id, member)) => {
            InitialValue::Data(Literal::Enum(id, by.image_in(id, member)))
        }
        value => value,
    });
    (*place, values.collect())
}

/// Sorts the records of groups, those within records first.
fn sort(values: &mut Vec<InitialValue>, groups: &[Group]) {
    for group in groups {
        let whole = group.first..group.end();
        let records = values[whole.clone()].chunks(group.width).map(<[InitialValue]>::to_vec);
        let mut records: Vec<Vec<InitialValue>> = records.collect();
        records.iter_mut().for_each(|record| sort(record, &group.groups));
        records.sort();
        values.splice(whole, records.into_iter().flatten());
    }
}
