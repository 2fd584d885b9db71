//! Structures put together from copies, twins and hubs: forms, groups and orbits do not depend on
//! how they are written down, nor on the width of hashes.

use canon::{Canoniser, Structure};
use num_bigint::BigUint;
use random::Random;

use crate::structures::{shuffled, structure};
use crate::{WAYS, Way, form};

fn tuples(s: &Structure) -> Vec<(u32, Vec<u32>)> {
    let mut all = Vec::new();
    s.for_each_tuple(|label, atoms| all.push((label, atoms.to_vec())));
    all
}

/// A small structure with some symmetry: anything, a ring, a cubic multigraph, or a triple system
/// that rotates.
fn piece(random: &mut Random) -> Structure {
    let kind = random.below(4);
    if kind == 0 {
        return structure(random, 7);
    }
    let n = if kind == 2 { 4 + 2 * random.below(3) } else { 3 + random.below(5) };
    let mut s = Structure::new();
    (0..n).for_each(|_| _ = s.atom(0));
    let steps = [1 + random.below(n), 1 + random.below(n)];
    let mut ends: Vec<u32> = (0..3 * n as u32).map(|i| i / 3).collect();
    for i in (1..ends.len()).rev() {
        ends.swap(i, random.below(i + 1));
    }
    let both_ways = random.below(2) == 0;
    for i in 0..n {
        let [next, second, third] = [1, steps[0], steps[1]].map(|step| ((i + step) % n) as u32);
        let i = i as u32;
        match kind {
            1 if both_ways => [[i, next], [next, i]].iter().for_each(|pair| s.tuple(0, pair)),
            1 => s.tuple(0, &[i, next]),
            2 => {}
            _ => s.tuple(0, &[i, second, third]),
        }
    }
    if kind == 2 {
        for pair in ends.chunks(2) {
            s.tuple(0, &[pair[0], pair[1]]);
            s.tuple(0, &[pair[1], pair[0]]);
        }
    }
    s
}

/// Adds a copy of `piece` with each atom made `twins` atoms, and each tuple all their choices.
fn add_copy(s: &mut Structure, piece: &Structure, twins: u32, hub: bool) {
    let from = s.len() as u32;
    for &colour in piece.colours() {
        (0..twins).for_each(|_| _ = s.atom(colour));
    }
    for (label, atoms) in tuples(piece) {
        for choice in 0..twins.pow(atoms.len() as u32) {
            let pick =
                |(i, &a): (usize, &u32)| from + a * twins + choice / twins.pow(i as u32) % twins;
            s.tuple(label, &atoms.iter().enumerate().map(pick).collect::<Vec<_>>());
        }
    }
    if hub {
        let (to, hub) = (s.len() as u32, s.atom(0));
        (from..to).for_each(|a| s.tuple(1, &[hub, a]));
    }
}

fn composed(random: &mut Random) -> Structure {
    let mut s = Structure::new();
    for _ in 0..1 + random.below(3) {
        let piece = piece(random);
        let twins = 1 + random.below(5) as u32 / 4;
        let hub = random.below(3) == 0;
        for _ in 0..1 + random.below(4) {
            add_copy(&mut s, &piece, twins, hub);
        }
    }
    s
}

fn symmetry(canoniser: &mut Canoniser, s: &Structure) -> (BigUint, usize) {
    let canonical = canoniser.canonise(s);
    let mut orbits = canonical.orbits();
    orbits.sort_unstable();
    orbits.dedup();
    (canonical.group_order(), orbits.len())
}

#[test]
fn copies_twins_and_hubs() {
    let mut canonisers = WAYS.map(Way::canoniser);
    for seed in 0..300 {
        let s = composed(&mut Random::new(seed));
        let same = s.relabelled(&(0..s.len() as u32).collect::<Vec<_>>());
        let expected = symmetry(&mut canonisers[0], &s);
        for (canoniser, way) in canonisers.iter_mut().zip(WAYS) {
            for generator in canoniser.canonise(&s).generators() {
                assert!(s.relabelled(&generator) == same, "seed {seed} {way}");
            }
            let form_of_s = form(canoniser, &s);
            assert_eq!(symmetry(canoniser, &s), expected, "seed {seed} {way}");
            let shuffled = shuffled(&mut Random::new(!seed), &s);
            assert!(form(canoniser, &shuffled) == form_of_s, "seed {seed} {way}");
            assert_eq!(symmetry(canoniser, &shuffled), expected, "seed {seed} {way}");
        }
    }
}
