//! Positions along the layers: short edges, long ones straight, nodes in the middle of their
//! neighbours.
//!
//! Section 4.2 of Gansner et al. 1993: the sum of the horizontal lengths of all links, each with a
//! weight, is least, neighbours in a layer keeping their order and distance. The length of a link is
//! an absolute value. It becomes linear with one node more for each link, which is to the left of
//! both its ends and as near to them as can be; then [`simplex`] finds the positions. Links between
//! bends weigh most, so that the inner part of a long edge is straight. Where several positions of a
//! node are equally good, as between two neighbours, the middle of them is taken; a bend is rather in
//! line with one of its neighbours.
//!
//! Cost: that of the simplex method on items and links.

use super::layers::{Kind, Layered};
use super::simplex::{self, Constraint};

/// The position of each item.
pub(super) fn positions(layered: &Layered) -> Vec<f64> {
    let beside = layered.layers.iter().flat_map(|layer| layer.windows(2));
    let mut constraints: Vec<Constraint> = beside
        .map(|pair| Constraint {
            tail: pair[0],
            head: pair[1],
            length: layered.distance(pair[0], pair[1]).ceil() as i64,
            weight: 0,
        })
        .collect();
    let mut count = layered.items.len();
    for link in layered.chains.iter().flat_map(|chain| chain.windows(2)) {
        let nodes = link.iter().filter(|&&item| layered.items[item].kind == Kind::Node).count();
        let weight = [8, 2, 1][nodes];
        constraints.extend(link.iter().map(|&head| Constraint {
            tail: count,
            head,
            length: 0,
            weight,
        }));
        count += 1;
    }
    let is_bend = |at: usize| layered.items.get(at).is_some_and(|item| item.kind != Kind::Node);
    let mut positions = simplex::ranks(count, &constraints, |at| !is_bend(at));
    positions.truncate(layered.items.len());
    positions.into_iter().map(|position| position as f64).collect()
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::super::order;
    use super::super::tests::{layered, plain_edges, random_edges};
    use super::*;

    #[test]
    fn neighbours_keep_their_distance() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(40);
            let mut layered = layered(count, &random_edges(&mut random, count));
            order::reduce_crossings(&mut layered);
            let x = positions(&layered);
            for pair in layered.layers.iter().flat_map(|layer| layer.windows(2)) {
                let distance = x[pair[1]] - x[pair[0]];
                assert!(distance >= layered.distance(pair[0], pair[1]), "seed {seed}: {distance}");
            }
        }
    }

    #[test]
    fn a_path_and_the_edge_beside_it_are_straight() {
        let path = (0..6).map(|upper| (upper, upper + 1));
        let mut layered = layered(7, &plain_edges(path.chain([(0, 6)])));
        order::reduce_crossings(&mut layered);
        let x = positions(&layered);
        for items in [&layered.chains[1][..], &layered.chains[4], &layered.chains[6][1..6]] {
            assert!(items.windows(2).all(|pair| x[pair[0]] == x[pair[1]]));
        }
    }

    #[test]
    fn a_node_is_in_the_middle_of_two_others() {
        let x = positions(&layered(3, &plain_edges([(0, 1), (0, 2)])));
        assert_eq!(2.0 * x[0], x[1] + x[2]);
    }
}
