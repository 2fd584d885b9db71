//! Reachable markings of small Petri nets, as chains of guarded shifts.

use crate::philosophers::{philosophers, reachable};
use ddd::{Forest, Limits, Value};
use num_bigint::BigUint;

/// Markings found one by one.
fn explicit(n: u32) -> usize {
    let net = philosophers(n);
    let start: Vec<Value> = net.start.iter().map(|(_, tokens)| *tokens).collect();
    let mut seen = std::collections::BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(marking) = open.pop() {
        for transition in &net.transitions {
            let enabled = |x: u32| marking[x as usize];
            if transition.iter().all(|shift| shift.within.contains(&enabled(shift.variable))) {
                let mut next = marking.clone();
                transition.iter().for_each(|shift| next[shift.variable as usize] += shift.by);
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    seen.len()
}

#[test]
fn philosophers_one_by_one() {
    for n in 2..7 {
        let expected = explicit(n).into();
        for collect_at in [0, 1, 1 << 20] {
            let limits = Limits { collect_at, cache: 1 << 14, ..Limits::default() };
            let mut forest = Forest::with_limits(limits);
            let all = reachable(&mut forest, &philosophers(n));
            assert_eq!(forest.count(&all), expected, "{n} philosophers, {collect_at}");
        }
    }
}

#[test]
fn a_hundred_philosophers() {
    let mut forest = Forest::new();
    let all = reachable(&mut forest, &philosophers(100));
    // Each takes two forks in either order: 3^n markings.
    assert_eq!(forest.count(&all), BigUint::from(3u32).pow(100));
    assert!(forest.is_well_defined(&all));
}
