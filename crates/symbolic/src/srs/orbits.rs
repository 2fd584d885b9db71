//! How many concrete markings a set of symbolic ones stands for.
//!
//! A symbolic marking stands for as many concrete ones as there are ways to distribute the elements of
//! each static subclass over its dynamic ones, a multinomial coefficient each, divided by the number of
//! permutations of dynamic subclasses that leave the marking as it is ([`Census`](crate::Census) has the
//! argument). Such a permutation maps a dynamic subclass to one that looks the same in all tensors, so
//! where nothing is *tied* (`sort.rs`) there is none but the identity.
//!
//! - Markings that are not tied are counted on the nodes, all at once. The sizes in a motif add up to
//!   that of the static subclass, so what is left of it below a node does not depend on the way there,
//!   and binomials can be multiplied on the way up. Cost: a multiplication for each arc.
//! - Tied ones are taken out one by one, and `canon` finds their group, as it did when they were
//!   repaired. They are gathered by group and sizes before big integers are multiplied.

use ddd::{Ddd, Forest, Node, Result};
use num_bigint::BigUint;

use super::layout::{END, Layout, SIZE, Z};
use super::repair::{Repair, Written};
use crate::binomial::Row;
use crate::multinomial::Orbits;

/// How many markings are taken out before the time is looked at.
const AT_ONCE: usize = 1 << 10;

/// What is below a node.
#[derive(Clone)]
struct Below {
    ways: BigUint,
    /// The elements of the static subclass at hand that are still to be distributed.
    left: u32,
}

/// The concrete markings of a set in which nothing is tied.
pub(super) fn of_untied(forest: &Forest, set: &Ddd) -> BigUint {
    let all = forest.fold(set, |node: Node<&Below>| match node {
        Node::Arcs(variable, arcs) => {
            let (mut ways, mut left, mut row) = (BigUint::ZERO, 0, None);
            for (value, below) in arcs {
                match variable {
                    SIZE => {
                        let size = value as u32;
                        debug_assert!(row.is_none() || left == size + below.left);
                        left = size + below.left;
                        let row = row.get_or_insert_with(|| Row::new(left));
                        ways += row.at(size) * &below.ways;
                    }
                    Z if value != END => {
                        left = below.left;
                        ways += &below.ways;
                    }
                    _ => ways += &below.ways,
                }
            }
            Below { ways, left }
        }
        terminal => Below { ways: BigUint::from(u8::from(matches!(terminal, Node::One))), left: 0 },
    });
    all.ways
}

/// The concrete markings of a set, one symbolic marking after the other.
pub(super) fn of_tied(
    forest: &Forest,
    on: &Layout,
    repair: &mut Repair,
    set: &Ddd,
) -> Result<BigUint> {
    let mut orbits: Orbits<1> = Orbits::default();
    for (taken, sequence) in forest.paths(set).enumerate() {
        if taken % AT_ONCE == 0 {
            forest.limits().budget.check()?;
        }
        let mut written = Written::read(on, &sequence);
        repair.begin(on, &written, &mut orbits);
        for (sizes, subclass) in written.sizes.iter_mut().zip(&on.rules.subclasses) {
            if subclass.size > 1 {
                orbits.sizes(sizes);
            }
        }
        let [count] = orbits.counts();
        count.add(1.into());
    }
    let [all] = orbits.sum(&on.rules.several(), &BigUint::from(1_u32));
    Ok(all)
}
