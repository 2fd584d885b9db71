//! Sets of symbolic markings in decision diagrams: the same markings as the explicit engine finds,
//! in no more nodes than the paper has.

#[path = "../table/nets.rs"]
#[allow(dead_code)]
mod nets;
#[path = "../differential/random_net.rs"]
mod random_net;
mod refused;
mod sort;
mod table;

use ddd::Limits;
use explore::{Control, Options, explore};
use num_bigint::BigUint;
use random::Random;
use random_net::{Taste, random_net};
use symbolic::{Census, Srs, SrsError, Symbolic, SymmetricNet, Symmetry};

/// What the explicit engine counts: symbolic markings, and the concrete ones they stand for. Not more than
/// `most` symbolic ones.
fn explicit(net: &SymmetricNet, most: u64) -> Option<(BigUint, BigUint)> {
    let mut space = Symbolic::new(net).unwrap().space();
    let options = Options { states: Some(most), ..Options::default() };
    let result = explore(&mut space, &options, &mut |_| Control::Continue).ok()?;
    let mut concrete =
        || Census::of(&mut space, &result, &budget::Budget::unlimited()).unwrap().concrete_states;
    result.complete.then(|| (result.states().into(), concrete()))
}

const TASTES: [Taste; 5] = [
    Taste { elements: 4, columns: 3, variables: 3, classes: 1 },
    Taste { elements: 4, columns: 3, variables: 3, classes: 2 },
    Taste { elements: 3, columns: 3, variables: 3, classes: 3 },
    Taste { elements: 6, columns: 1, variables: 1, classes: 1 },
    Taste { elements: 5, columns: 2, variables: 1, classes: 2 },
];

/// Compares both engines on `count` nets, or half of them each day, from a seed on, that have enough markings.
fn compare(seed: u64, count: usize, make: impl Fn(&mut Random) -> SymmetricNet) {
    let count = random::daily(count as u64, 2) as usize;
    let mut sizes = Vec::new();
    for seed in seed.. {
        let net = make(&mut Random::new(seed));
        let Some((markings, concrete)) = explicit(&net, 250) else { continue };
        if markings < BigUint::from(12_u32) {
            continue;
        }
        match Srs::of(&net, Limits::default()) {
            Ok(srs) => {
                assert_eq!(srs.markings, markings, "seed {seed}");
                assert_eq!(srs.concrete_markings, concrete, "seed {seed}");
            }
            Err(SrsError::Unsupported(_)) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        }
        sizes.push(markings);
        if sizes.len() == count {
            break;
        }
    }
    sizes.sort_unstable();
    assert!(sizes[count / 2] >= BigUint::from(20_u32), "median {}", sizes[count / 2]);
}

#[test]
fn both_engines_find_the_same_markings_of_random_nets() {
    compare(1, 400, |random| {
        let taste = *random.pick(&TASTES);
        random_net(random, taste)
    });
}

#[test]
fn both_engines_find_the_same_markings_of_large_classes() {
    compare(7_000_000, 200, |random| {
        let taste = Taste { columns: 2, variables: 2, ..*random.pick(&TASTES) };
        let mut net = random_net(random, taste);
        for class in &mut net.classes {
            if let Symmetry::Symmetric(sizes) = &mut class.symmetry
                && let Some(largest) = sizes.iter_mut().filter(|size| **size > 1).max()
            {
                *largest += 4 + random.below(8) as u32;
            }
        }
        net
    });
}
