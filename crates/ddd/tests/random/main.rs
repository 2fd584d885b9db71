//! Random operations, against sets of sequences that are written out.
//!
//! Half of the forests here collect garbage at every step, and all have a cache that forgets.

mod maps;
mod naive;
mod within;

use ddd::{Ddd, Error, Forest, Limits};
use maps::{Map, Swallow};
use naive::{End, Naive};
use random::{Random, for_seeds};

fn forest(random: &mut Random) -> Forest {
    let collect_at = [0, 0, 1, 1 << 20][random.below(4)];
    Forest::with_limits(Limits { collect_at, cache: 0, ..Limits::default() })
}

/// Any sequences, of different lengths and with variables repeated; ⊤ is likely.
fn wild(random: &mut Random) -> Naive {
    let count = random.below(4);
    let sequence = |random: &mut Random| {
        let length = random.below(4);
        let pairs = (0..length).map(|i| {
            let x = if random.below(5) == 0 { random.below(4) } else { i };
            (x as u32, random.below(3))
        });
        let pairs = pairs.collect();
        (pairs, if random.below(12) == 0 { End::Top } else { End::One })
    };
    Naive::of((0..count).map(|_| sequence(random)))
}

/// Sequences of one shape, some variables repeated.
fn tame(random: &mut Random, length: u32) -> Naive {
    let sequences = (0..1 + random.below(5)).map(|_| {
        let pairs = (0..length).map(|i| (i / 2, random.below(4)));
        (pairs.collect(), End::One)
    });
    Naive::of(sequences.collect::<Vec<_>>())
}

fn is(forest: &mut Forest, d: &Ddd, naive: &Naive, what: impl FnOnce() -> String) {
    let own = Naive::from_ddd(forest, d);
    assert_eq!(own, *naive, "{}", what());
    assert_eq!(forest.is_well_defined(d), naive.is_well_defined(), "{}", what());
    let paths: Vec<_> = forest.paths(d).collect();
    assert_eq!(forest.count(d), paths.len().into(), "{}", what());
    let ends = naive.0.iter().filter(|(_, end)| *end == End::One);
    assert!(ends.map(|(sequence, _)| sequence).eq(&paths), "{}", what());
    assert!(paths.iter().all(|path| forest.contains(d, path)), "{}", what());
    let assignments: usize = paths.iter().map(Vec::len).sum();
    assert_eq!(forest.shape(d).assignments, assignments.into(), "{}", what());
    // Equal sets are equal diagrams.
    assert_eq!(naive.to_ddd(forest), *d, "{}", what());
}

#[test]
fn set_operations() {
    for_seeds(0..3000, |seed, random| {
        let mut forest = forest(random);
        let mut sets: Vec<(Naive, Ddd)> = Vec::new();
        for step in 0..20 {
            let new = if sets.is_empty() || random.below(3) == 0 {
                let naive = if random.below(2) == 0 { wild(random) } else { tame(random, 4) };
                let d = naive.to_ddd(&mut forest);
                (naive, d)
            } else {
                let (a, d) = random.pick(&sets).clone();
                let (b, e) = random.pick(&sets).clone();
                match random.below(4) {
                    0 => (a.plus(&b), forest.union(&d, &e).unwrap()),
                    1 => (a.times(&b), forest.intersection(&d, &e).unwrap()),
                    2 => (a.without(&b), forest.difference(&d, &e).unwrap()),
                    _ if a.0.len() * b.0.len() > 100 => continue,
                    _ => (a.then(&b), forest.concatenation(&d, &e).unwrap()),
                }
            };
            is(&mut forest, &new.1, &new.0, || format!("seed {seed}, step {step}"));
            sets.push(new);
            if random.below(4) == 0 {
                sets.swap_remove(random.below(sets.len()));
            }
            if random.below(4) == 0 {
                forest.collect();
            }
        }
        for (naive, d) in &sets {
            is(&mut forest, d, naive, || format!("seed {seed}, at the end"));
        }
        let union = forest.union_all(sets.iter().map(|(_, d)| d)).unwrap();
        let naive = naive::sum(sets.iter().map(|(naive, _)| naive.clone()));
        is(&mut forest, &union, &naive, || format!("seed {seed}, all"));
    });
}

#[test]
fn homomorphisms() {
    for_seeds(0..20_000, |seed, random| {
        let mut forest = forest(random);
        let set = if random.below(3) == 0 { wild(random) } else { tame(random, 6) };
        let map = Map::random(random, 3, &mut |random| {
            if random.below(2) == 0 { wild(random) } else { tame(random, 2) }
        });
        let Some(expected) = map.on(&set) else { return };
        if expected.0.len() > 300 {
            return;
        }
        let hom = map.in_forest(&mut forest);
        let d = set.to_ddd(&mut forest);
        let image = forest.apply(&hom, &d).unwrap();
        is(&mut forest, &image, &expected, || format!("seed {seed}: {map:?} of {set:?}"));
    });
}

#[test]
fn an_image_of_a_union_is_the_union_of_the_images() {
    let mut checked = 0;
    for_seeds(0..10_000, |seed, random| {
        let mut forest = forest(random);
        let map = Map::random(random, 3, &mut |random| tame(random, 2));
        let (a, b) = (tame(random, 6), tame(random, 6));
        let hom = map.in_forest(&mut forest);
        let (d, e) = (a.to_ddd(&mut forest), b.to_ddd(&mut forest));
        let both = forest.union(&d, &e).unwrap();
        let image = forest.apply(&hom, &both).unwrap();
        if !forest.is_well_defined(&image) {
            return;
        }
        checked += 1;
        let (d, e) = (forest.apply(&hom, &d).unwrap(), forest.apply(&hom, &e).unwrap());
        assert_eq!(image, forest.union(&d, &e).unwrap(), "seed {seed}: {map:?}");
    });
    assert!(checked > 5000, "only {checked} cases");
}

#[test]
fn closures() {
    let mut checked = 0;
    for_seeds(0..1200, |seed, random| {
        let mut forest = forest(random);
        let set = tame(random, 6);
        let extra = match random.below(3) {
            0 => vec![Map::random(random, 2, &mut |random| tame(random, 6))],
            _ => Vec::new(),
        };
        let map = Map::Star(Box::new(Map::transitions(random, 3, extra)));
        let map = match random.below(4) {
            0 => Map::Compose(Box::new(Map::random(random, 1, &mut |r| tame(r, 6))), Box::new(map)),
            1 => Map::Star(Box::new(Map::Sum(vec![map, Map::transitions(random, 3, vec![])]))),
            _ => map,
        };
        let Some(expected) = map.on(&set) else { return };
        if !expected.is_well_defined() {
            return;
        }
        checked += 1;
        let hom = map.in_forest(&mut forest);
        let d = set.to_ddd(&mut forest);
        let image = forest.apply(&hom, &d).unwrap();
        is(&mut forest, &image, &expected, || format!("seed {seed}: {map:?} of {set:?}"));
    });
    assert!(checked > 600, "only {checked} cases");
}

#[test]
fn an_error_within_is_not_lost() {
    let mut forest = Forest::new();
    let d = forest.sequence(&[(0, 0)]).unwrap();
    let swallow = forest.inductive(Swallow);
    assert_eq!(forest.apply(&swallow, &d), Err(Error::Overflow));
    assert_eq!(forest.union(&d, &d), Ok(d));
}
