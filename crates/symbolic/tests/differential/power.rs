//! Whether faults would be noticed: what a faulty engine would find on the same nets, worked out
//! from the right markings, must often be something else than what brute force finds.

use std::collections::BTreeSet;

use symbolic::{Component, PlaceId, Symbolic, SymmetricNet, Symmetry};

use crate::{explored, nets};

/// Dynamic subclasses with their sizes, and entries without saying which components are the same
/// element.
type Blurred = (Vec<(u32, u32)>, BTreeSet<(u32, u32, Vec<u32>)>);

fn factorial(n: u32) -> f64 {
    (1..=n).map(f64::from).product()
}

/// The order of the group.
fn group_order(net: &SymmetricNet) -> f64 {
    let orders = net.classes.iter().map(|class| match &class.symmetry {
        Symmetry::Symmetric(sizes) => sizes.iter().map(|&size| factorial(size)).product(),
        Symmetry::Cyclic(size) => f64::from((*size).max(1)),
        Symmetry::Plain(_) => 1.0,
    });
    orders.product()
}

#[test]
fn faults_would_be_noticed() {
    let (mut blurred, mut undivided) = (0, 0);
    for (_seed, net, unfolded) in nets(200, 900_000) {
        let mut space = Symbolic::new(&net).unwrap().space();
        let (result, _) = explored(&mut space);
        let mut seen: BTreeSet<Blurred> = BTreeSet::new();
        let mut sum = 0.0;
        for (_, bytes) in result.store.iter() {
            let marking = space.decode(bytes);
            let mut entries = BTreeSet::new();
            for place in 0..net.places.len() as u32 {
                space.for_each_entry(&marking, PlaceId(place), |count, components| {
                    let components = components.iter().map(|component| match component {
                        Component::Element(element) => *element,
                        Component::Some { of, .. } => *of,
                    });
                    entries.insert((place, count, components.collect()));
                });
            }
            let subclasses: Vec<(u32, u32)> = marking.dynamic_subclasses().collect();
            sum += group_order(&net)
                / subclasses.iter().map(|&(_, size)| factorial(size)).product::<f64>();
            seen.insert((subclasses, entries));
        }
        // An engine that dropped the pattern of equal components would merge markings.
        blurred += u32::from((seen.len() as u64) < unfolded.counts.classes);
        // One that did not divide by automorphisms would count too many.
        undivided += u32::from(sum.round() as u64 != unfolded.counts.concrete_states);
    }
    assert!(blurred >= 20, "only {blurred} nets need patterns");
    assert!(undivided >= 40, "only {undivided} nets have automorphisms");
}
