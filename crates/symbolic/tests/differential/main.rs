//! Random symmetric nets: the symbolic engine against brute force on the unfolded net.

mod oracle;
mod power;
mod random_net;
mod sizes;

use std::collections::{BTreeMap, BTreeSet};

use explore::{Control, Exploration, Options, explore, explore_on};
use num_bigint::BigUint;
use oracle::{Counts, Limits, Unfolded};
use random::{Random, Seed};
use random_net::{Taste, random_net};
use symbolic::{Census, Symbolic, SymbolicSpace, SymmetricNet};

const TASTES: [Taste; 5] = [
    Taste { elements: 4, columns: 3, variables: 3, classes: 1 },
    Taste { elements: 4, columns: 3, variables: 3, classes: 2 },
    Taste { elements: 3, columns: 3, variables: 3, classes: 3 },
    // Sizes above the thresholds are met in these.
    Taste { elements: 6, columns: 1, variables: 1, classes: 1 },
    Taste { elements: 5, columns: 2, variables: 1, classes: 2 },
];

fn counts(space: &mut SymbolicSpace, result: &Exploration) -> Counts {
    let census = Census::of(space, result, &budget::Budget::unlimited()).unwrap();
    let small = |number: &BigUint| u64::try_from(number).unwrap();
    Counts {
        classes: result.states(),
        edges: result.edges,
        concrete_states: small(&census.concrete_states),
        concrete_edges: small(&census.concrete_edges),
        deadlocks: result.deadlocks.len() as u64,
        concrete_deadlocks: small(&census.concrete_deadlocks),
        most_tokens: small(&census.most_tokens),
        most_in_place: census.most_in_place.try_into().unwrap(),
    }
}

fn explored(space: &mut SymbolicSpace) -> (Exploration, Counts) {
    let result = explore(space, &Options::default(), &mut |_| Control::Continue).unwrap();
    let counts = counts(space, &result);
    (result, counts)
}

/// Nets with their seeds and what brute force says of them; not too many of them small.
fn nets(count: usize, first_seed: u64) -> impl Iterator<Item = (Seed, SymmetricNet, Unfolded)> {
    let mut small = 0;
    let mut given = 0;
    let limits = Limits { states: 600, tokens: 18 };
    (first_seed..)
        .filter_map(move |seed| {
            let mut random = Random::new(seed);
            let taste = *random.pick(&TASTES);
            let net = random_net(&mut random, taste);
            let unfolded = oracle::unfold(&net, &limits)?;
            if unfolded.counts.classes < 20 {
                if small * 5 > given * 2 {
                    return None;
                }
                small += 1;
            }
            given += 1;
            Some((Seed(seed), net, unfolded))
        })
        .take(count)
}

#[test]
fn symbolic_markings_are_the_orbits() {
    let (mut sizes, mut plain) = (Vec::new(), 0);
    for (seed, net, unfolded) in nets(1000, 1) {
        let symbolic = Symbolic::new(&net).unwrap();
        let mut space = symbolic.space();
        let (result, counts) = explored(&mut space);
        assert_eq!(counts, unfolded.counts);
        sizes.push(counts.classes);
        if let Some(most) = space.most_tokens_found() {
            let most: Vec<BigUint> = most.iter().map(|&most| most.into()).collect();
            assert_eq!(
                most,
                Census::of(&mut space, &result, &budget::Budget::unlimited())
                    .unwrap()
                    .most_in_places
            );
            plain += 1;
        }
        let (_, plain) = explored(&mut symbolic.plain_space(seed.0 as u32 % 3));
        assert_eq!(plain, unfolded.counts, "without memo");

        // Each concrete marking folds to the bytes of its orbit.
        let mut bytes_of: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (state, &orbit) in unfolded.states.iter().zip(&unfolded.orbits) {
            let bytes = space.fold(&oracle::tokens(state)).unwrap();
            assert!(result.store.find(&bytes).is_some());
            let known = bytes_of.entry(orbit).or_insert_with(|| bytes.clone());
            assert_eq!(*known, bytes, "two forms of one orbit");
        }
        let distinct: BTreeSet<&Vec<u8>> = bytes_of.values().collect();
        assert_eq!(distinct.len(), bytes_of.len(), "one form of two orbits");

        // And bytes stand for a marking of that orbit, whose bytes they are.
        let group = oracle::group(&net);
        for (state, &orbit) in unfolded.states.iter().zip(&unfolded.orbits).take(20) {
            let bytes = &bytes_of[&orbit];
            let shown = space.representative(bytes);
            let least = |marking| oracle::least_image(&net, &group, marking);
            assert_eq!(least(&oracle::marking(&shown)), least(state));
            assert_eq!(space.fold(&shown).unwrap(), *bytes);
            let mut tokens = Vec::new();
            space.count_tokens_in_places(bytes, &mut tokens);
            assert_eq!(tokens, oracle::tokens_in_places(&net, state));
            let decoded = space.decode(bytes);
            assert_eq!(space.encode(&decoded), *bytes);
        }
    }
    assert!(plain >= 20, "only {plain} nets have plain places only");
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] >= 20, "median {}", sizes[sizes.len() / 2]);
}

#[test]
fn several_workers_find_what_one_finds() {
    for (_seed, net, unfolded) in nets(60, 500_000) {
        let symbolic = Symbolic::new(&net).unwrap();
        let (one, _) = explored(&mut symbolic.space());
        let mut spaces = [symbolic.space(), symbolic.space(), symbolic.space()];
        let several =
            explore_on(&mut spaces, &Options::default(), &mut |_| Control::Continue, &mut |_| {
                Control::Continue
            })
            .unwrap();
        assert!(one.store.iter().eq(several.store.iter()), "the same bytes in the same order");
        assert_eq!(counts(&mut spaces[2], &several), unfolded.counts);
    }
}
