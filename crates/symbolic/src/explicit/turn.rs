//! The canonical rotation of a cyclic class that shares places with plain classes only.
//!
//! Such a class can be turned whatever the rest of the marking is. Each element sees its entries:
//! place, plain components, count, and how far away further components of the class are. The
//! canonical rotation is the one that makes the sequence of what elements see the least (Booth
//! 1980; here the two-candidates form of Duval 1983). The sequence has as many symmetries as it has periods.
//!
//! Cost: sorting the entries, and then linear in the size of the class.

use crate::explicit::marking::Marking;
use crate::explicit::rules::{Kind, Rules};

#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// What elements see: the element, and a code and count.
    seen: Vec<(u32, u64)>,
    /// Where in `seen` each element begins.
    starts: Vec<u32>,
    by_sight: Vec<u32>,
    /// The sequence: equal numbers for elements that see the same.
    ranks: Vec<u32>,
}

impl Turn {
    /// The element that becomes the first, and the number of rotations that leave the marking as it
    /// is.
    pub(crate) fn find(
        &mut self,
        rules: &Rules,
        marking: &Marking,
        class: u32,
        size: u32,
    ) -> (u32, u32) {
        if size == 0 {
            return (0, 1);
        }
        self.look(rules, marking, class);
        self.seen.sort_unstable();
        let n = size as usize;
        self.starts.clear();
        let mut at = 0;
        for element in 0..=size {
            while at < self.seen.len() && self.seen[at].0 < element {
                at += 1;
            }
            self.starts.push(at as u32);
        }
        let (seen, starts) = (&self.seen, &self.starts);
        let sight = |element: u32| {
            let (from, to) = (starts[element as usize], starts[element as usize + 1]);
            seen[from as usize..to as usize].iter().map(|&(_, word)| word)
        };
        self.by_sight.clear();
        self.by_sight.extend(0..size);
        self.by_sight.sort_unstable_by(|&a, &b| sight(a).cmp(sight(b)));
        self.ranks.clear();
        self.ranks.resize(n, 0);
        let mut rank = 0;
        for i in 0..n {
            if i > 0 && !sight(self.by_sight[i - 1]).eq(sight(self.by_sight[i])) {
                rank += 1;
            }
            self.ranks[self.by_sight[i] as usize] = rank;
        }
        let (first, period) = least_rotation(&self.ranks);
        (first as u32, (n / period) as u32)
    }

    fn look(&mut self, rules: &Rules, marking: &Marking, class: u32) {
        self.seen.clear();
        let places = rules.places.iter().enumerate();
        for (id, place) in places.filter(|(_, place)| place.turning == Some(class)) {
            for entry in marking.entries(id as u32, place.stride()) {
                let mut this = None;
                let mut code = 0;
                for (&value, column) in entry[1..].iter().zip(&place.columns) {
                    let value = if column.kind == Kind::Turning {
                        let this = *this.get_or_insert(value);
                        if value >= this { value - this } else { value + column.size - this }
                    } else {
                        value
                    };
                    code = code * column.size + value;
                }
                let element = this.expect("a component of the class");
                self.seen.push((element, u64::from(place.code + code) << 32 | u64::from(entry[0])));
            }
        }
    }
}

/// Where the least rotation of a sequence begins, and the sequence's period: the least number of
/// steps after which it repeats.
fn least_rotation(sequence: &[u32]) -> (usize, usize) {
    let n = sequence.len();
    let at = |i: usize| sequence[if i < n { i } else { i - n }];
    // Two candidates, and how many terms they agree in.
    let (mut a, mut b, mut agree) = (0, 1, 0);
    while b < n && agree < n {
        let (x, y) = (at(a + agree), at(b + agree));
        if x == y {
            agree += 1;
            continue;
        }
        // The loser is passed over, with all that begins in what it agreed with.
        if x > y {
            a = b.max(a + agree + 1);
            b = a + 1;
        } else {
            b += agree + 1;
        }
        agree = 0;
    }
    // If the candidates agree in everything, they are one period apart.
    if agree == n { (a, b - a) } else { (a, n) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_least_and_periods_exact() {
        for n in 1..=7_u32 {
            for code in 0..3_u32.pow(n) {
                let sequence: Vec<u32> = (0..n).map(|i| code / 3_u32.pow(i) % 3).collect();
                let turned = |by: usize| {
                    let mut turned = sequence.clone();
                    turned.rotate_left(by);
                    turned
                };
                let (first, period) = least_rotation(&sequence);
                let all: Vec<Vec<u32>> = (0..n as usize).map(turned).collect();
                assert_eq!(turned(first), *all.iter().min().unwrap(), "{sequence:?}");
                let symmetries = all.iter().filter(|other| **other == sequence).count();
                assert_eq!(n as usize / period, symmetries, "{sequence:?}");
            }
        }
    }
}
