//! Machines are what they are defined to be, and are found in nets that are made of them.

use random::for_seeds;

use super::*;
use crate::{UnfoldedArc, UnfoldedPlace, UnfoldedTransition};
use symbolic::PlaceId;

fn net(places: u32, transitions: &[Vec<(u32, i32)>]) -> UnfoldedNet {
    let place = |place| UnfoldedPlace { place: PlaceId(place), tuple: Vec::new(), initial: 0 };
    let transition = |changes: &Vec<(u32, i32)>| {
        let arc = |&(place, change): &(u32, i32)| UnfoldedArc {
            place,
            least: (-change).max(0),
            most: i32::MAX,
            change,
        };
        let mut arcs: Vec<UnfoldedArc> = changes.iter().map(arc).collect();
        arcs.sort_unstable_by_key(|arc| arc.place);
        UnfoldedTransition { arcs, sums: Vec::new(), bindings: 1, labels: Vec::new() }
    };
    UnfoldedNet {
        places: (0..places).map(place).collect(),
        transitions: transitions.iter().map(transition).collect(),
        fixed: Vec::new(),
        most_fixed: 0,
    }
}

/// Circles of places, each a process, that take steps together at times; places are numbered at random.
#[test]
fn processes_are_found() {
    for_seeds(0..200, |_, random| {
        let circles: u32 = 1 + random.below(6_u32);
        let length: u32 = 2 + random.below(6_u32);
        let places = circles * length;
        let mut names: Vec<u32> = (0..places).collect();
        random.shuffle(&mut names);
        let at = |circle: u32, position: u32| names[(circle * length + position % length) as usize];
        let mut transitions = Vec::new();
        for position in 0..length {
            for circle in 0..circles {
                let step = |circle| [(at(circle, position), -1), (at(circle, position + 1), 1)];
                let mut changes = step(circle).to_vec();
                if circle > 0 && random.below(4_u32) == 0 {
                    changes.extend(step(circle - 1));
                }
                transitions.push(changes);
            }
        }
        let found = machines(&net(places, &transitions), &Budget::unlimited());
        let covered: usize = found.iter().map(Vec::len).sum();
        assert!(covered >= places as usize, "{found:?}");
    });
}

/// Whatever is found keeps the number of its tokens under every transition, as the definition asks.
#[test]
fn every_transition_is_balanced() {
    let mut found = 0;
    for_seeds(0..2_000, |_, random| {
        let places: u32 = 2 + random.below(9_u32);
        let count: usize = 1 + random.below(8_usize);
        let mut transitions = Vec::new();
        for _ in 0..count {
            let mut changes: Vec<(u32, i32)> = Vec::new();
            for place in 0..places {
                if random.below(3_u32) == 0 {
                    changes.push((place, random.below(5_i32) - 2));
                }
            }
            transitions.push(changes);
        }
        for machine in machines(&net(places, &transitions), &Budget::unlimited()) {
            assert!(machine.is_sorted_by(|a, b| a < b));
            for changes in &transitions {
                let of_machine = changes.iter().filter(|(place, _)| machine.contains(place));
                assert_eq!(of_machine.map(|(_, change)| change).sum::<i32>(), 0, "{machine:?}");
            }
            found += 1;
        }
    });
    assert!(found > 100, "only {found}");
}
