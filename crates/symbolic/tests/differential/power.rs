//! Whether faults would be noticed: what a faulty engine would find on the same nets, worked out
//! from the right markings, must often be something else than what brute force finds.

use std::collections::BTreeSet;

use symbolic::{Component, PlaceId, Symbolic, SymmetricNet, Symmetry};

use crate::oracle::{Limits, unfold};
use crate::random_net::TABLE;
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
    for (_seed, net, unfolded) in nets(600, 1) {
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
    assert!(blurred >= 30, "only {blurred} nets need patterns");
    assert!(undivided >= 80, "only {undivided} nets have automorphisms");
}

/// The table of a net, if every transition puts back what it takes there.
fn fixed_table(net: &SymmetricNet) -> Option<PlaceId> {
    let table = net.places.iter().position(|place| place.name == TABLE)?;
    let table = PlaceId(table as u32);
    let puts_back = net.transitions.iter().all(|t| {
        let at = |arcs: &'_ [symbolic::Arc]| -> Vec<symbolic::Term> {
            arcs.iter().filter(|arc| arc.place == table).map(|arc| arc.term.clone()).collect()
        };
        at(&t.takes) == at(&t.puts)
    });
    puts_back.then_some(table)
}

#[test]
fn what_never_changes_is_met_often_and_matters() {
    let (mut tables, mut matter) = (0, 0);
    for (_seed, mut net, unfolded) in nets(600, 40_000_000) {
        let Some(table) = fixed_table(&net) else { continue };
        tables += 1;
        for t in &mut net.transitions {
            for arcs in [&mut t.takes, &mut t.reads, &mut t.puts, &mut t.inhibitors] {
                arcs.retain(|arc| arc.place != table);
            }
        }
        let limits = Limits { states: 2000, tokens: 100 };
        let ignored = unfold(&net, &limits).map(|unfolded| unfolded.counts.concrete_edges);
        matter += u32::from(ignored != Some(unfolded.counts.concrete_edges));
    }
    assert!(tables >= 60, "only {tables} nets have a table");
    assert!(matter >= 30, "only in {matter} nets a table matters");
}
