//! Sets of symbolic markings in diagrams against symbolic markings one by one.

#[path = "../differential/random.rs"]
mod random;
#[path = "../differential/random_net.rs"]
mod random_net;

use ddd::Limits;
use explore::{Control, Options, explore};
use random::Random;
use random_net::{Taste, random_net};
use symbolic::{Srs, SrsError, Symbolic, SymmetricNet};

/// What the explicit engine counts, unless there are more than so many.
fn explicit(net: &SymmetricNet, most: u64) -> Option<u64> {
    let mut space = Symbolic::new(net).unwrap().space();
    let options = Options::new().states(most);
    let result = explore(&mut space, &options, &mut |_| Control::Continue).ok()?;
    result.complete.then_some(result.states)
}

#[test]
fn both_engines_count_the_same_markings_of_random_nets() {
    let tastes = [
        Taste { elements: 4, columns: 3, variables: 3, classes: 1 },
        Taste { elements: 4, columns: 3, variables: 3, classes: 2 },
        Taste { elements: 3, columns: 3, variables: 3, classes: 3 },
        Taste { elements: 6, columns: 1, variables: 1, classes: 1 },
        Taste { elements: 5, columns: 2, variables: 1, classes: 2 },
    ];
    let mut compared = 0;
    for seed in 1.. {
        let mut random = Random::new(seed);
        let taste = random.pick(&tastes);
        let net = random_net(&mut random, taste);
        let Some(states) = explicit(&net, 300) else { continue };
        if states < 5 {
            continue;
        }
        match Srs::of(&net, Limits::default()) {
            Ok(srs) => assert_eq!(srs.markings, states.into(), "seed {seed}"),
            Err(SrsError::Unsupported(_)) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        }
        compared += 1;
        if compared == 500 {
            break;
        }
    }
}
