//! What is known of the symmetry of a class while it is narrowed down.

use crate::Symmetry;

/// The permutations of a class that are taken for symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Which permutations within the parts: all, the rotations of the one part, or the identity.
    pub(super) symmetry: Symmetry,
    /// By member: the index of its part.
    of: Vec<u32>,
    /// The members that are alike, in ascending order. Without symmetry each is in a part of its own, and
    /// with rotations all are in one.
    pub(super) parts: Vec<Vec<u32>>,
}

impl Group {
    /// The identity alone.
    pub(super) fn fixed(size: u32) -> Group {
        Group::new(Symmetry::None, size, (0..size).map(|member| vec![member]).collect())
    }

    /// The rotations of this number of members.
    pub(super) fn turning(size: u32) -> Group {
        Group::new(Symmetry::Rotations, size, vec![(0..size).collect()])
    }

    /// All permutations within these parts of a class.
    pub(super) fn within(size: u32, parts: Vec<Vec<u32>>) -> Group {
        Group::new(Symmetry::Full, size, parts)
    }

    fn new(symmetry: Symmetry, size: u32, parts: Vec<Vec<u32>>) -> Group {
        let mut of = vec![0; size as usize];
        for (index, part) in (0..).zip(&parts) {
            part.iter().for_each(|member| of[*member as usize] = index);
        }
        Group { symmetry, of, parts }
    }

    /// Whether there is a permutation in it that moves a member.
    pub(super) fn moves(&self, member: u32) -> bool {
        self.parts[self.of[member as usize] as usize].len() > 1
    }

    /// The index of the part of a member, where there are several parts.
    pub(super) fn part(&self, member: u32) -> Option<u32> {
        let several = self.symmetry == Symmetry::Full && self.parts.len() > 1;
        several.then(|| self.of[member as usize])
    }

    /// Keeps only permutations that keep a set of members, listed in ascending order. Gives two members
    /// that were alike and are no more.
    pub(super) fn keep(&mut self, set: &[u32]) -> Option<(u32, u32)> {
        if self.symmetry != Symmetry::Rotations {
            return self.split(set);
        }
        let size = self.of.len() as u32;
        let is_kept = set.is_empty() || set.len() == self.of.len();
        let parted = (!is_kept).then(|| (set[0], (set[0] + 1) % size));
        if parted.is_some() {
            *self = Group::fixed(size);
        }
        parted
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

    /// The group in its simplest form: parts in the order of their first members, and no symmetry where
    /// each has but one.
    pub(super) fn settled(mut self) -> Group {
        let size = self.of.len() as u32;
        if self.parts.len() >= self.of.len() {
            return Group::fixed(size);
        }
        self.parts.sort_unstable_by_key(|part| part[0]);
        Group::new(self.symmetry, size, self.parts)
    }
}
