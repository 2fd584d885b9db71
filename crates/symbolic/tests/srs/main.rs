//! Sets of symbolic markings in diagrams against symbolic markings one by one.

#[path = "../table/nets.rs"]
mod nets;
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
fn random_nets() {
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
            Ok(srs) if srs.markings != states.into() => panic!("seed {seed}: {net:#?}"),
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

#[test]
fn table() {
    let models: [(&str, SymmetricNet); 12] = [
        ("cs 5 2", nets::client_server(5, 2)),
        ("cs 10 2", nets::client_server(10, 2)),
        ("cs 20 2", nets::client_server(20, 2)),
        ("cs 6 6", nets::client_server(6, 6)),
        ("w 300", nets::waves(300, false)),
        ("cs 9 9", nets::client_server(9, 9)),
        ("db 40", nets::distributed_database(40)),
        ("db 200", nets::distributed_database(200)),
        ("p 7", nets::peterson(7)),
        ("p 10", nets::peterson(10)),
        ("w 40", nets::waves(40, false)),
        ("w 100", nets::waves(100, false)),
    ];
    for (name, net) in models {
        let from = std::time::Instant::now();
        let srs = Srs::of(&net, Limits::default()).unwrap();
        println!("{name} {} nodes {} working {} share {:.3} length {:.1} peak {} {:?}", srs.markings, srs.final_nodes, srs.working, srs.share, srs.length, srs.peak_nodes, from.elapsed());
    }
}
