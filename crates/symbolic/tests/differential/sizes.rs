//! Classes too large for brute force: a space with its memo against one that fires every marking
//! and tells all sizes apart.

use explore::{Control, Options, explore};
use symbolic::{Census, Symbolic, SymbolicSpace, SymmetricNet, Symmetry};

use crate::TASTES;
use crate::random_net::{Taste, random_net};
use random::{Random, Seed};

/// What is found within a limit on states; `None` if that is not all.
fn found(space: &mut SymbolicSpace) -> Option<(u64, u64, u64, Census)> {
    let options = Options { states: Some(400), ..Options::default() };
    let result = explore(space, &options, &mut |_| Control::Continue).ok()?;
    let census = result
        .complete
        .then(|| Census::of(space, &result, &budget::Budget::unlimited()).unwrap())?;
    Some((result.states(), result.edges, result.deadlocks.len() as u64, census))
}

/// Makes the largest static subclass of each class larger.
fn enlarge(net: &mut SymmetricNet, random: &mut Random) {
    for class in &mut net.classes {
        if let Symmetry::Symmetric(sizes) = &mut class.symmetry
            && let Some(largest) = sizes.iter_mut().filter(|size| **size > 1).max()
        {
            *largest += 4 + random.below(8) as u32;
        }
    }
}

#[test]
fn sizes_that_do_not_matter_do_not_matter() {
    let mut states = Vec::new();
    for seed in 7_000_000.. {
        let seed = Seed(seed);
        let mut random = Random::new(seed.0);
        // Tokens of three elements of a large class are very many when these are told apart.
        let taste = Taste { columns: 2, variables: 2, ..*random.pick(&TASTES) };
        let mut net = random_net(&mut random, taste);
        enlarge(&mut net, &mut random);
        let symbolic = Symbolic::new(&net).unwrap();
        let Some(with_memo) = found(&mut symbolic.space()) else { continue };
        if with_memo.0 >= 15 {
            states.push(with_memo.0);
            assert_eq!(Some(with_memo), found(&mut symbolic.plain_space(64)));
        }
        if states.len() == 300 {
            break;
        }
    }
    states.sort_unstable();
    assert!(states[states.len() / 2] >= 30, "median {}", states[states.len() / 2]);
}
