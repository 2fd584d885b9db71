//! What stays within a set, and what is chosen by a sum.

use ddd::Forest;
use random::{Random, for_seeds};

use crate::maps::Map;
use crate::naive::{End, Naive, Sequence};
use crate::{forest, is, tame, wild};

/// Some of the sequences of a set.
fn part(random: &mut Random, set: &Naive) -> Naive {
    let share = 1 + random.below(4);
    Naive::of(set.0.iter().filter(|_| random.below(4) < share).cloned())
}

/// What is reached within a set, step by step; none if that takes too long or is not well-defined.
fn reached(map: &Map, set: &Naive, within: &Naive) -> Option<Naive> {
    let mut all = set.times(within);
    for _ in 0..60 {
        let image = map.on(&all)?;
        let more = all.plus(&image.times(within));
        if !image.is_well_defined() || !more.is_well_defined() {
            return None;
        }
        if more == all {
            return Some(all);
        }
        all = more;
    }
    None
}

fn transitions(random: &mut Random) -> Map {
    let extra = match random.below(4) {
        0 => vec![Map::random(random, 2, &mut |random| tame(random, 6))],
        _ => Vec::new(),
    };
    Map::transitions(random, 3, extra)
}

#[test]
fn closures_stay_within() {
    let (mut checked, mut cut) = (0, 0);
    for_seeds(0..1500, |seed, random| {
        let mut forest = forest(random);
        let set = tame(random, 6);
        let map = transitions(random);
        let Some(all) = Map::Star(Box::new(map.clone())).on(&set) else { return };
        let within = part(random, &all).plus(&part(random, &set));
        let Some(expected) = reached(&map, &set, &within) else { return };
        checked += 1;
        cut += usize::from(expected.0.len() > 1 && expected != all.times(&within));
        let hom = map.in_forest(&mut forest);
        let hom = forest.star(&hom);
        let (d, c) = (set.to_ddd(&mut forest), within.to_ddd(&mut forest));
        let closure = forest.apply_within(&hom, &d, &c).unwrap();
        let what = || format!("seed {seed}: {map:?} of {set:?} within {within:?}");
        is(&mut forest, &closure, &expected, what);
    });
    assert!(checked > 700 && cut > 120, "only {checked} cases, {cut} of them cut");
}

#[test]
fn images_are_cut() {
    let mut checked = 0;
    for_seeds(0..3000, |seed, random| {
        let mut forest = forest(random);
        let set = tame(random, 6);
        let map = transitions(random);
        let Some(image) = map.on(&set).filter(Naive::is_well_defined) else { return };
        let within = part(random, &image).plus(&tame(random, 6));
        if !within.is_well_defined() {
            return;
        }
        checked += 1;
        let hom = map.in_forest(&mut forest);
        let (d, c) = (set.to_ddd(&mut forest), within.to_ddd(&mut forest));
        let found = forest.apply_within(&hom, &d, &c).unwrap();
        let what = || format!("seed {seed}: {map:?} of {set:?} within {within:?}");
        is(&mut forest, &found, &image.times(&within), what);
    });
    assert!(checked > 1500, "only {checked} cases");
}

#[test]
fn sums_choose() {
    for_seeds(0..5000, |seed, random| {
        let mut forest: Forest = forest(random);
        let set = if random.below(3) == 0 { wild(random) } else { tame(random, 6) };
        let weights: Vec<(u32, i128)> =
            (0..3).map(|x| (x, i128::from(random.below(7)) - 3)).collect();
        let bound = i128::from(random.below(13)) - 6;
        let sum = |sequence: &[(u32, i32)]| -> i128 {
            let weight = |x: u32| weights.get(x as usize).map_or(0, |(_, weight)| *weight);
            sequence.iter().map(|(x, v)| weight(*x) * i128::from(*v)).sum()
        };
        let stays = |(sequence, end): &&(Sequence, End)| *end == End::Top || sum(sequence) <= bound;
        let expected = Naive(set.0.iter().filter(stays).cloned().collect());
        let d = set.to_ddd(&mut forest);
        if set.is_well_defined() {
            let sums = set.0.iter().map(|(sequence, _)| sum(sequence));
            let range = sums.clone().min().zip(sums.max());
            assert_eq!(forest.sum_range(&d, &weights).unwrap(), range, "seed {seed}: {weights:?}");
        }
        let found = forest.select_sum(&d, &weights, bound).unwrap();
        is(&mut forest, &found, &expected, || format!("seed {seed}: {weights:?} <= {bound}"));
    });
}
