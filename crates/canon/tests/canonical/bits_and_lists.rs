//! The search by bits and the search by lists: the same classes, the same groups.
//!
//! A structure whose ties are decided by bits is sent along lists when each atom of it is marked by a tuple of three:
//! such tuples have no bits. Marking changes neither who is isomorphic to whom nor the automorphisms, so both must agree
//! on the classes of random structures and on the orders and orbits of their groups.

use std::collections::BTreeSet;

use canon::Structure;
use random::{Random, for_seeds};

use crate::structures::shuffled;
use crate::{WAYS, form};

/// A tuple of three for each atom, which says nothing.
fn marked(s: &Structure) -> Structure {
    let mut marked = s.clone();
    (0..s.len() as u32).for_each(|a| marked.tuple(999, &[a, a, a]));
    marked
}

/// A structure whose pairs come from regular or random graphs, so that ties are left; several labels, one or both ways.
fn tangled(random: &mut Random, n: u32) -> Structure {
    let mut s = Structure::new();
    let colours = 1 + random.below(2_u32);
    (0..n).for_each(|_| _ = s.atom(random.below(colours)));
    for label in 0..1 + random.below(3_u32) {
        let goes_both_ways = random.percent(50);
        let mut pairs = BTreeSet::new();
        match random.below(4) {
            // Steps around a ring.
            0 => {
                for _ in 0..1 + random.below(2) {
                    let step = random.below(n);
                    pairs.extend((0..n).map(|a| (a, (a + step) % n)));
                }
            }
            // A matching, or a permutation.
            1 => {
                let mut order: Vec<u32> = (0..n).collect();
                random.shuffle(&mut order);
                pairs.extend((0..n).zip(order.iter().copied()));
            }
            // Blocks.
            2 => {
                let size = 2 + random.below(3_u32);
                let blocks = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
                pairs.extend(blocks.filter(|&(a, b)| a / size == b / size));
            }
            _ => {
                for _ in 0..random.below(2 * n) {
                    pairs.insert((random.below(n), random.below(n)));
                }
            }
        }
        if goes_both_ways {
            pairs.extend(pairs.clone().into_iter().map(|(a, b)| (b, a)));
        }
        pairs.iter().filter(|(a, b)| a != b).for_each(|&(a, b)| s.tuple(label, &[a, b]));
    }
    s
}

/// A structure that differs from `s` in one pair.
fn varied(random: &mut Random, s: &Structure) -> Structure {
    let mut tuples = Vec::new();
    s.for_each_tuple(|label, atoms| tuples.push((label, atoms.to_vec())));
    if tuples.is_empty() {
        return s.clone();
    }
    let at = random.below(tuples.len());
    tuples[at].1.swap(0, 1);
    let mut varied = Structure::new();
    varied.atoms(s.colours().iter().copied());
    tuples.iter().for_each(|(label, atoms)| varied.tuple(*label, atoms));
    varied
}

#[test]
fn bits_and_lists_agree() {
    for_seeds(0..150, |_, random| {
        // Few atoms, as many as a word has bits and one more, up to more than two words have.
        let n = match random.below(8) {
            0 => 1 + random.below(5),
            1 => 63 + random.below(3),
            2 => 127 + random.below(4),
            _ => 2 + random.below(40),
        };
        let s = tangled(random, n);
        let (renamed, other) = (shuffled(random, &s), varied(random, &s));
        let [marked_s, marked_renamed, marked_other] = [&s, &renamed, &other].map(marked);
        for way in WAYS {
            let (mut by_bits, mut by_lists) = (way.canoniser(), way.canoniser());
            let plain = form(&mut by_bits, &s);
            assert_eq!(plain, form(&mut by_bits, &renamed), "by bits, {way}");
            let listed = form(&mut by_lists, &marked_s);
            assert_eq!(listed, form(&mut by_lists, &marked_renamed), "by lists, {way}");
            let is_same = plain == form(&mut by_bits, &other);
            assert_eq!(is_same, listed == form(&mut by_lists, &marked_other), "{way}");
            let (plain, listed) = (by_bits.canonise(&s), by_lists.canonise(&marked_s));
            assert_eq!(plain.group_order(), listed.group_order(), "{way}");
            assert_eq!(plain.orbits(), listed.orbits(), "{way}");
        }
    });
}
