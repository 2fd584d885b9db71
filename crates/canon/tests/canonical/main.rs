//! What a canonical labelling promises, checked against oracles that share no code with it.
//!
//! Every check runs with whole hashes and with hashes cut to eight and to three bits, with positions
//! that ascend with colours and regardless of them.

mod bits_and_lists;
mod brute_force;
mod composed;
mod families;
mod known;
mod oracle;
mod relabelling;
mod structures;

use std::fmt;

use canon::{Canoniser, Structure};
use random::Random;
use structures::structure;

/// A way of labelling under test.
#[derive(Clone, Copy)]
pub struct Way {
    hash_bits: u32,
    by_colour: bool,
}

/// All ways under test.
pub const WAYS: [Way; 6] = [
    Way { hash_bits: 64, by_colour: true },
    Way { hash_bits: 8, by_colour: true },
    Way { hash_bits: 3, by_colour: true },
    Way { hash_bits: 64, by_colour: false },
    Way { hash_bits: 8, by_colour: false },
    Way { hash_bits: 3, by_colour: false },
];

impl Way {
    /// A canoniser that labels this way.
    pub fn canoniser(self) -> Canoniser {
        let canoniser =
            if self.by_colour { Canoniser::new() } else { Canoniser::regardless_of_colours() };
        canoniser.with_hash_bits(self.hash_bits)
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let regard = if self.by_colour { "by colour" } else { "regardless of colour" };
        write!(f, "{} bits of hash, {regard}", self.hash_bits)
    }
}

/// The canonical form: the structure as it looks under its canonical labelling.
pub fn form(canoniser: &mut Canoniser, s: &Structure) -> Structure {
    let canonical = canoniser.canonise(s);
    let (order, position) = (canonical.order(), canonical.position());
    for (i, &a) in order.iter().enumerate() {
        assert_eq!(position[a as usize] as usize, i, "order and position are inverse");
    }
    s.relabelled(position)
}

#[test]
fn positions_ascend_with_colours() {
    for way in WAYS.into_iter().filter(|way| way.by_colour) {
        let mut canoniser = way.canoniser();
        for seed in 0..1_000 {
            let s = structure(&mut Random::new(seed), 1 + seed as usize % 40);
            let colours = form(&mut canoniser, &s);
            assert!(colours.colours().is_sorted(), "{way}, seed {seed}: {s:?}");
        }
    }
}

/// A worker may own a canoniser, and threads may share structures.
#[test]
fn canonisers_can_be_sent() {
    fn sent<T: Send>() {}
    fn shared<T: Send + Sync>() {}
    sent::<Canoniser>();
    shared::<Structure>();
}
