//! What is known of the symmetry of a class while it is narrowed down.

use crate::{Enumeration, Symmetry};

/// The permutations of a class that are taken for symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// The identity alone.
    Fixed,
    /// The rotations of this number of members.
    Turning(u32),
    /// All permutations within parts.
    Within(Partition),
}

/// A partition of the members of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    /// By member: the index of its part.
    of: Vec<u32>,
    /// The members of each part, in ascending order.
    parts: Vec<Vec<u32>>,
}

impl Group {
    /// The group of these parts of a class.
    pub(super) fn within(size: u32, parts: Vec<Vec<u32>>) -> Group {
        let mut of = vec![0; size as usize];
        for (index, part) in (0..).zip(&parts) {
            part.iter().for_each(|member| of[*member as usize] = index);
        }
        Group::Within(Partition { of, parts })
    }

    /// Whether there is a permutation in it that moves a member.
    pub(super) fn moves(&self, member: u32) -> bool {
        match self {
            Group::Fixed => false,
            Group::Turning(size) => *size > 1,
            Group::Within(partition) => partition.part_of(member).len() > 1,
        }
    }

    /// Keeps only permutations that keep a set of members, listed in ascending order. Gives two members
    /// that were alike and are no more.
    pub(super) fn keep(&mut self, set: &[u32]) -> Option<(u32, u32)> {
        match self {
            Group::Fixed => None,
            Group::Turning(size) => {
                let is_kept = set.is_empty() || set.len() == *size as usize;
                let parted = (!is_kept).then(|| (set[0], (set[0] + 1) % *size));
                if parted.is_some() {
                    *self = Group::Fixed;
                }
                parted
            }
            Group::Within(partition) => partition.split(set),
        }
    }

    /// The group in its simplest form: parts in the order of their first members, and none where each
    /// has but one.
    pub(super) fn settled(self) -> Group {
        match self {
            Group::Turning(0 | 1) => Group::Fixed,
            Group::Within(Partition { of, parts }) if parts.len() == of.len() => {
                debug_assert!(parts.iter().all(|part| part.len() == 1));
                Group::Fixed
            }
            Group::Within(Partition { of, mut parts }) => {
                parts.sort_unstable_by_key(|part| part[0]);
                Group::within(of.len() as u32, parts)
            }
            group => group,
        }
    }

    pub(super) fn symmetry(&self) -> Symmetry {
        match self {
            Group::Fixed => Symmetry::None,
            Group::Turning(_) => Symmetry::Rotations,
            Group::Within(_) => Symmetry::Full,
        }
    }

    /// The index of the part of a member, where there are several parts.
    pub(super) fn part(&self, member: u32) -> Option<u32> {
        match self {
            Group::Within(partition) if partition.parts.len() > 1 => {
                Some(partition.of[member as usize])
            }
            _ => None,
        }
    }

    /// The parts of a class: its members that are alike. Members of a class without symmetry are alike to
    /// none, those of one with rotations to all.
    pub(super) fn parts(&self, class: &Enumeration) -> Vec<Vec<u32>> {
        let members = 0..class.members.len() as u32;
        match self {
            Group::Fixed => members.map(|member| vec![member]).collect(),
            Group::Turning(_) => vec![members.collect()],
            Group::Within(partition) => partition.parts.clone(),
        }
    }
}

impl Partition {
    fn part_of(&self, member: u32) -> &[u32] {
        &self.parts[self.of[member as usize] as usize]
    }

    pub(super) fn parts(&self) -> &[Vec<u32>] {
        &self.parts
    }

    /// Splits each part into the members that are in a set and those that are not.
    fn split(&mut self, set: &[u32]) -> Option<(u32, u32)> {
        let mut met: Vec<u32> = set.iter().map(|member| self.of[*member as usize]).collect();
        met.sort_unstable();
        let mut parted = None;
        for part in met.chunk_by(|a, b| a == b) {
            let (index, hits) = (part[0], part.len());
            let members = &mut self.parts[index as usize];
            if hits == members.len() {
                continue;
            }
            let (inside, outside): (Vec<u32>, Vec<u32>) =
                members.iter().partition(|member| set.binary_search(member).is_ok());
            parted = parted.or(Some((inside[0], outside[0])));
            inside.iter().for_each(|m| self.of[*m as usize] = self.parts.len() as u32);
            self.parts[index as usize] = outside;
            self.parts.push(inside);
        }
        parted
    }
}
