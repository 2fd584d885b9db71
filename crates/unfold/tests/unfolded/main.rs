//! Random symmetric nets, unfolded and explored in decision diagrams, against brute force.

#[path = "../../../symbolic/tests/differential/oracle.rs"]
#[allow(dead_code, reason = "orbits are the concern of another test")]
mod oracle;
#[path = "../../../symbolic/tests/differential/random_net.rs"]
mod random_net;

mod contest;
mod limits;

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use num_bigint::BigUint;
use oracle::{Limits, Unfolded as BruteForce};
use random::{Random, Seed};
use random_net::{Taste, random_net};
use symbolic::{Condition, SymmetricNet, Symmetry, Term, Transition, Variable};
use unfold::{
    Diagram, DiagramCensus, DiagramLimits, PlaceOrder, UnfoldLimits, UnfoldedNet,
    UnfoldedTransition,
};

const TASTES: [Taste; 4] = [
    Taste { elements: 4, columns: 3, variables: 3, classes: 1 },
    Taste { elements: 4, columns: 2, variables: 3, classes: 2 },
    Taste { elements: 3, columns: 3, variables: 3, classes: 3 },
    Taste { elements: 5, columns: 1, variables: 2, classes: 1 },
];

/// Nets that are not too large, with what brute force finds; few that are very small.
fn nets(count: usize, first: u64) -> impl Iterator<Item = (Seed, SymmetricNet, BruteForce)> {
    let limits = Limits { states: 400, tokens: 18 };
    let mut small = 0;
    (first..)
        .filter_map(move |seed| {
            let mut random = Random::new(seed);
            let taste = *random.pick(&TASTES);
            let mut net = random_net(&mut random, taste);
            // What is inhibited by several tokens together is rare otherwise.
            let inhibitors = net.transitions.iter_mut().flat_map(|t| &mut t.inhibitors);
            for arc in inhibitors.filter(|arc| !arc.term.locals.is_empty()) {
                arc.term.count = *random.pick(&[1, 2, 2, 3]);
            }
            let brute_force = oracle::unfold(&net, &limits)?;
            if brute_force.states.len() < 10 {
                small += 1;
                if small % 4 > 0 {
                    return None;
                }
            }
            Some((Seed(seed), net, brute_force))
        })
        .take(count)
}

fn unfolded(net: &SymmetricNet) -> UnfoldedNet {
    UnfoldedNet::of(net, &UnfoldLimits::default()).unwrap()
}

fn census(net: UnfoldedNet, orders: Vec<PlaceOrder>) -> DiagramCensus {
    let mut diagram = Diagram::of(net, orders, &DiagramLimits::default()).unwrap();
    diagram.census().unwrap()
}

/// What brute force says of all markings, in the same form; nodes are taken over.
fn expected(brute_force: &BruteForce, of: &DiagramCensus) -> DiagramCensus {
    let counts = &brute_force.counts;
    DiagramCensus {
        states: counts.concrete_states.into(),
        edges: counts.concrete_edges.into(),
        deadlocks: counts.concrete_deadlocks.into(),
        most_tokens: counts.most_tokens.into(),
        most_in_place: counts.most_in_place,
        ..of.clone()
    }
}

/// An order at random.
fn any_order(random: &mut Random, places: usize) -> PlaceOrder {
    let mut order: Vec<u32> = (0..places as u32).collect();
    for i in (1..places).rev() {
        order.swap(i, random.below(i + 1));
    }
    PlaceOrder::new(order).unwrap()
}

#[test]
fn counts_are_those_of_brute_force_whatever_the_order() {
    let (mut with_sums, mut with_fixed, mut with_several, mut idle) = (0, 0, 0, 0);
    for (seed, net, brute_force) in nets(2000, 1) {
        let unfolded = unfolded(&net);
        with_sums += usize::from(unfolded.transitions.iter().any(|t| !t.sums.is_empty()));
        with_several += usize::from(unfolded.transitions.iter().any(|t| t.bindings > 1));
        idle += usize::from(unfolded.transitions.iter().any(|t| !t.has_effect()));
        with_fixed += usize::from(unfolded.most_fixed > 0);

        let found =
            census(unfolded.clone(), PlaceOrder::candidates(&unfolded, &Budget::unlimited()));
        assert_eq!(found, expected(&brute_force, &found));
        let mut random = Random::new(seed.0);
        let order = any_order(&mut random, unfolded.places.len());
        let found = census(unfolded, vec![order]);
        assert_eq!(found, expected(&brute_force, &found), "in another order");
    }
    // What is met: sums over several places, places that never change, bindings that are alike,
    // transitions without effect.
    for met in [with_sums, with_fixed, with_several, idle] {
        assert!(met >= 20, "only {met} of these nets");
    }
}

#[test]
fn what_is_not_possible_never_happens() {
    for (_seed, net, brute_force) in nets(300, 2_000_000) {
        let unfolded = unfolded(&net);
        let mut counts: BTreeMap<&(u32, Vec<u32>), BTreeSet<u64>> = BTreeMap::new();
        for token in brute_force.states.iter().flat_map(|state| state.keys()) {
            let count = |state: &oracle::Marking| state.get(token).copied().unwrap_or(0);
            counts.entry(token).or_insert_with(|| brute_force.states.iter().map(count).collect());
        }
        let listed: BTreeMap<(u32, Vec<u32>), i32> = unfolded
            .places
            .iter()
            .map(|place| ((place.place.0, place.tuple.clone()), place.initial))
            .collect();
        // A token whose number changes has a place; one that has none is counted as fixed.
        let mut fixed = vec![BigUint::ZERO; net.places.len()];
        for (token, counts) in &counts {
            match listed.get(token) {
                Some(initial) => assert!(counts.contains(&u64::from(initial.unsigned_abs()))),
                None => {
                    assert_eq!(counts.len(), 1, "{token:?} changes");
                    fixed[token.0 as usize] += counts.iter().sum::<u64>();
                }
            }
        }
        assert_eq!(fixed, unfolded.fixed);
    }
}

#[test]
fn an_arc_whose_condition_fails_asks_for_nothing() {
    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![2]));
    let (empty, done) = (net.place("empty", &[]), net.place("done", &[class]));
    let (x, y) = (Variable(0), Variable(1));
    let where_different = Term::one(&[]).for_all(&[], Condition::differ(x, y));
    net.transition(
        Transition::new("t", &[class, class])
            .take(empty, where_different)
            .put(done, Term::one(&[x.into()]))
            .unless(done, Term::one(&[x.into()])),
    );
    // Both may be done, each once, where `y` is the same.
    let unfolded = unfolded(&net);
    let orders = PlaceOrder::candidates(&unfolded, &Budget::unlimited());
    let found = census(unfolded, orders);
    assert_eq!((found.states, found.edges), (4_u32.into(), 4_u32.into()));
}

#[test]
fn orders_have_each_place_once() {
    for (_seed, net, _) in nets(100, 3_000_000) {
        let unfolded = unfolded(&net);
        let candidates = PlaceOrder::candidates(&unfolded, &Budget::unlimited());
        assert!((1..=4).contains(&candidates.len()));
        for order in candidates {
            assert_eq!(order.places().len(), unfolded.places.len());
            for (place, position) in order.places().iter().zip(0..) {
                assert_eq!(order.position(*place), position);
            }
        }
    }
    assert_eq!(PlaceOrder::new(vec![0, 2]), None);
    assert_eq!(PlaceOrder::new(vec![1, 1]), None);
}

#[test]
fn every_step_is_one_of_the_skeleton() {
    let (mut found, mut missing) = (0, 0);
    for (_seed, net, brute_force) in nets(150, 9_000_000) {
        let Some(skeleton) = UnfoldedNet::skeleton(&net, &UnfoldLimits::default()).unwrap() else {
            missing += 1;
            continue;
        };
        found += 1;
        let tokens = |state: usize| -> Vec<i64> {
            let tokens = oracle::tokens_in_places(&net, &brute_force.states[state]);
            tokens.into_iter().map(|tokens| i64::try_from(tokens).unwrap()).collect()
        };
        let first: Vec<i64> = skeleton.places.iter().map(|place| place.initial.into()).collect();
        assert_eq!(first, tokens(0));
        for &(from, label, to) in &brute_force.steps {
            let (before, after) = (tokens(from), tokens(to));
            let leads_there = |transition: &UnfoldedTransition| {
                let mut reached = before.clone();
                let can_fire = transition.arcs.iter().all(|arc| {
                    let tokens = &mut reached[arc.place as usize];
                    let has_enough = *tokens >= arc.least.into();
                    *tokens += i64::from(arc.change);
                    has_enough
                });
                can_fire && reached == after && transition.labels[0].index() == label
            };
            assert!(skeleton.transitions.iter().any(leads_there), "{label}: {before:?}");
        }
    }
    assert!(found > 50 && missing > 0, "{found} {missing}");
}
