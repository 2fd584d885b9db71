//! Sums of homomorphisms, as tries.
//!
//! A member has a *key*: the least variable that it may not skip, and its number. A sum is a binary trie over the
//! keys of its members: it has those with a zero in the highest bit in which two of them differ on the left, and
//! those with a one on the right (Okasaki and Gill, *Fast mergeable integer maps*, ML 1998). So it does not
//! depend on the order in which it is put together, and equal sums are one term.
//!
//! Saturation takes the members of one variable after the other out of a sum. Whether variables ascend or descend
//! in a diagram, that makes a few new terms for each member that goes, and not one for each that stays.
//!
//! Cost: adding or taking out a member is at most 64 terms, usually the logarithm of their number.

use crate::Variable;
use crate::term::{HomId, NOTHING, Term, Terms};

impl Terms {
    /// The sum of these, in any order, sums among them taken apart.
    pub(crate) fn sum(&mut self, parts: &[HomId]) -> HomId {
        let (sums, mut members): (Vec<HomId>, Vec<HomId>) =
            parts.iter().partition(|part| matches!(self.term(**part), Term::Sum(..)));
        members.retain(|member| *member != NOTHING);
        members.sort_unstable_by_key(|member| self.key(*member));
        members.dedup();
        let members = self.sum_of_sorted(&members);
        sums.into_iter().fold(members, |a, b| self.plus(a, b))
    }

    fn sum_of_sorted(&mut self, members: &[HomId]) -> HomId {
        match members {
            [] => NOTHING,
            [member] => *member,
            [first, .., last] => {
                let bit = highest_difference(self.key(*first), self.key(*last));
                let middle = members.partition_point(|member| self.key(*member) & bit == 0);
                let left = self.sum_of_sorted(&members[..middle]);
                let right = self.sum_of_sorted(&members[middle..]);
                self.number(Term::Sum(left, right))
            }
        }
    }

    /// The sum of two sums or members.
    fn plus(&mut self, a: HomId, b: HomId) -> HomId {
        match (a, b) {
            (NOTHING, other) | (other, NOTHING) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let between = highest_difference(self.key(a), self.key(b));
        let (bit_a, bit_b) = (self.branching(a), self.branching(b));
        match (self.term(a), self.term(b)) {
            // They have nothing in common.
            _ if between > bit_a && between > bit_b => {
                let (left, right) = if self.key(a) < self.key(b) { (a, b) } else { (b, a) };
                self.number(Term::Sum(left, right))
            }
            (Term::Sum(left, right), _) if bit_a > bit_b => self.put_under((left, right), bit_a, b),
            (_, Term::Sum(left, right)) if bit_b > bit_a => self.put_under((left, right), bit_b, a),
            (Term::Sum(left_a, right_a), Term::Sum(left_b, right_b)) => {
                let (left, right) = (self.plus(left_a, left_b), self.plus(right_a, right_b));
                self.number(Term::Sum(left, right))
            }
            _ => unreachable!("two members with different keys have nothing in common"),
        }
    }

    /// Adds what belongs to one side of a sum.
    fn put_under(&mut self, (left, right): (HomId, HomId), bit: u64, other: HomId) -> HomId {
        let (left, right) = if self.key(other) & bit == 0 {
            (self.plus(left, other), right)
        } else {
            (left, self.plus(right, other))
        };
        self.number(Term::Sum(left, right))
    }

    /// The bit by which a sum is divided; none for a member.
    fn branching(&self, id: HomId) -> u64 {
        match self.term(id) {
            Term::Sum(left, right) => highest_difference(self.key(left), self.key(right)),
            _ => 0,
        }
    }

    /// The members of a sum that skip a variable, as a sum, and the others.
    pub(crate) fn parted(&mut self, sum: HomId, variable: Variable) -> (HomId, Vec<HomId>) {
        let mut others = Vec::new();
        (self.skipping(sum, variable, &mut others), others)
    }

    fn skipping(&mut self, sum: HomId, variable: Variable, others: &mut Vec<HomId>) -> HomId {
        // What is far from the variable is taken over as it is.
        if sum == NOTHING || self.far_from(sum, variable) {
            return sum;
        }
        match self.term(sum) {
            Term::Sum(left, right) => {
                let rest = [left, right].map(|part| self.skipping(part, variable, others));
                match rest {
                    [NOTHING, rest] | [rest, NOTHING] => rest,
                    _ if rest == [left, right] => sum,
                    [left, right] => self.number(Term::Sum(left, right)),
                }
            }
            _ if self.skips(sum, variable) => sum,
            _ => {
                others.push(sum);
                NOTHING
            }
        }
    }

    /// The members of a sum in the order of their keys, or the one homomorphism it is.
    pub(crate) fn members(&self, sum: HomId) -> Vec<HomId> {
        let (mut members, mut open) = (Vec::new(), vec![sum]);
        while let Some(id) = open.pop() {
            match self.term(id) {
                Term::Sum(left, right) => open.extend([right, left]),
                _ => members.push(id),
            }
        }
        members
    }
}

/// The highest bit in which two numbers differ; none if they are equal.
fn highest_difference(a: u64, b: u64) -> u64 {
    (a ^ b).checked_ilog2().map_or(0, |bit| 1 << bit)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use random::{Random, for_seeds};

    use super::*;
    use crate::term::IDENTITY;

    const VARIABLES: u32 = 8;

    fn shift(terms: &mut Terms, variable: Variable, by: i32) -> HomId {
        terms.number(Term::Shift { variable, low: 0, high: 9, by, next: IDENTITY })
    }

    fn some_of(random: &mut Random, all: &[HomId]) -> Vec<HomId> {
        let mut some: Vec<HomId> =
            all.iter().copied().filter(|_| random.below(3_u32) == 0).collect();
        random.shuffle(&mut some);
        some
    }

    /// Sums are sets of members, however they are put together, and one term for each set.
    #[test]
    fn sums_are_sets() {
        for_seeds(0..500, |_, random| {
            let mut terms = Terms::new();
            let mut all = Vec::new();
            for _ in 0..random.below(30_u32) {
                all.push(shift(&mut terms, random.below(VARIABLES), random.below(9_i32)));
            }
            all.push(IDENTITY);
            let (a, b) = (some_of(random, &all), some_of(random, &all));
            let both: BTreeSet<HomId> = a.iter().chain(&b).copied().collect();
            let sums = [terms.sum(&a), terms.sum(&b), NOTHING];
            let sum = terms.sum(&sums);
            let direct: Vec<HomId> = both.iter().copied().collect();
            assert_eq!(sum, terms.sum(&direct));
            let members = terms.members(sum);
            assert!(members.is_sorted_by_key(|member| terms.key(*member)));
            let members: BTreeSet<HomId> =
                members.into_iter().filter(|member| *member != NOTHING).collect();
            assert_eq!(members, both);
            let variable = random.below(VARIABLES);
            let is_local = |terms: &Terms, member: HomId| matches!(terms.term(member), Term::Shift { variable: own, .. } if own == variable);
            let (below, local) = terms.parted(sum, variable);
            let (expected, rest): (Vec<HomId>, Vec<HomId>) =
                direct.iter().partition(|member| is_local(&terms, **member));
            assert_eq!(
                local.iter().copied().collect::<BTreeSet<_>>(),
                expected.into_iter().collect()
            );
            assert_eq!(below, terms.sum(&rest));
        });
    }

    /// Members are taken out at either end for a few terms each.
    #[test]
    fn taking_out_makes_few_terms() {
        for descending in [false, true] {
            let mut terms = Terms::new();
            let all: Vec<HomId> =
                (0..1024).map(|variable| shift(&mut terms, variable, 1)).collect();
            let mut sum = terms.sum(&all);
            let before = terms.count();
            for i in 0..1024 {
                let variable = if descending { 1023 - i } else { i };
                let (below, local) = terms.parted(sum, variable);
                assert_eq!(local, [all[variable as usize]]);
                sum = below;
            }
            assert_eq!(sum, NOTHING);
            assert!(terms.count() - before <= 1024 * 10, "{}", terms.count() - before);
        }
    }
}
