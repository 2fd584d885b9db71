//! Shorter edges at unchanged order: a last word on the positions along layers.
//!
//! The alignments of [`coordinates`](super::coordinates) leave slack where an item is the last of
//! its layer or is aligned with nothing. Here each item, or straight run of bends, moves to the
//! nearest point at which the sum of horizontal distances to its neighbours is least (a weighted
//! median), as far as the items beside it allow. Every move shortens that sum, so the total falls
//! until nothing moves. A node in the middle of its neighbours above, or below, stays.
//!
//! Cost: O(m log m) for a round; the number of rounds falls as the graph grows.

use super::layers::{Kind, Layered};

const MAX_ROUNDS: usize = 12;
const MIN_ROUNDS: usize = 3;
/// Items looked at in all rounds together, about.
const BUDGET: usize = 500_000;
/// How much more a link between two bends of one edge counts than others.
const BEND_WEIGHT: f64 = 4.0;
const NEGLIGIBLE: f64 = 0.01;

/// Moves items without changing their order or coming closer than they should.
pub(super) fn settle(layered: &Layered, x: &mut [f64]) {
    let mut beside: Vec<Beside> = vec![(None, None); x.len()];
    for pair in layered.layers.iter().flat_map(|layer| layer.windows(2)) {
        beside[pair[0]].1 = Some(pair[1]);
        beside[pair[1]].0 = Some(pair[0]);
    }
    let rounds = (BUDGET / x.len().max(1)).clamp(MIN_ROUNDS, MAX_ROUNDS);
    for round in 0..rounds {
        let mut moved = false;
        let mut runs = runs(layered, x);
        if round % 2 == 1 {
            runs.reverse();
        }
        for run in &runs {
            let here = x[run[0]];
            let Some((first, last)) = best_positions(layered, x, run) else { continue };
            let (low, high) = room(layered, x, &beside, run);
            let best = here.clamp(first, last);
            // Rounding may leave a hair's breadth less than nothing between the two.
            let there =
                if best < here { best.max(low).min(here) } else { best.min(high).max(here) };
            if (there - here).abs() > NEGLIGIBLE {
                run.iter().for_each(|&item| x[item] = there);
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    // A bend between its two neighbours is as good anywhere, but in line with one of them there is
    // one turn less to follow.
    for run in runs(layered, x).iter().filter(|run| layered.items[run[0]].kind != Kind::Node) {
        let here = x[run[0]];
        let Some((first, last)) = best_positions(layered, x, run) else { continue };
        let (low, high) = room(layered, x, &beside, run);
        let in_line = [first, last].into_iter().filter(|at| (low..=high).contains(at));
        let nearest = in_line.min_by(|a, b| (a - here).abs().total_cmp(&(b - here).abs()));
        if let Some(there) = nearest {
            run.iter().for_each(|&item| x[item] = there);
        }
    }
}

/// The items to the left and to the right of an item.
type Beside = (Option<usize>, Option<usize>);

/// The positions that the items beside a run leave it.
fn room(layered: &Layered, x: &[f64], beside: &[Beside], run: &[usize]) -> (f64, f64) {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for &item in run {
        if let Some(left) = beside[item].0 {
            low = low.max(x[left] + layered.distance(left, item));
        }
        if let Some(right) = beside[item].1 {
            high = high.min(x[right] - layered.distance(item, right));
        }
    }
    (low, high)
}

/// What moves as one: nodes alone, bends with those of the same edge straight above and below. From
/// the first layer to the last.
fn runs(layered: &Layered, x: &[f64]) -> Vec<Vec<usize>> {
    let is_bend = |item: usize| layered.items[item].kind != Kind::Node;
    let mut runs = Vec::new();
    for &item in layered.layers.iter().flatten() {
        let joined = |upper: usize, lower: usize| {
            is_bend(upper) && is_bend(lower) && (x[upper] - x[lower]).abs() <= NEGLIGIBLE
        };
        if is_bend(item) && joined(layered.above[item][0], item) {
            continue;
        }
        let mut run = vec![item];
        let mut last = item;
        while is_bend(last) && joined(last, layered.below[last][0]) {
            last = layered.below[last][0];
            run.push(last);
        }
        runs.push(run);
    }
    runs
}

/// The first and the last position at which the run's links are shortest; `None` if it has none,
/// or is to stay where it is.
fn best_positions(layered: &Layered, x: &[f64], run: &[usize]) -> Option<(f64, f64)> {
    let (first, last) = (run[0], run[run.len() - 1]);
    let weight = |item: usize, other: usize| {
        let bends = [item, other].iter().all(|&at| layered.items[at].kind != Kind::Node);
        if bends { BEND_WEIGHT } else { 1.0 }
    };
    // Links within the run have no length.
    let above = layered.above[first].iter().map(|&other| (x[other], weight(first, other)));
    let below = layered.below[last].iter().map(|&other| (x[other], weight(last, other)));
    let (above, below): (Vec<_>, Vec<_>) = (above.collect(), below.collect());
    if layered.items[first].kind == Kind::Node {
        // A node in the middle of its neighbours on one side is left there: it looks balanced.
        let at_rest = |pulls: &[(f64, f64)]| {
            medians(pulls.to_vec()).is_some_and(|(low, high)| (low..=high).contains(&x[first]))
        };
        if at_rest(&above) || at_rest(&below) {
            return None;
        }
    }
    medians([above, below].concat())
}

/// The first and the last of the weighted medians of positions.
fn medians(mut pulls: Vec<(f64, f64)>) -> Option<(f64, f64)> {
    pulls.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = pulls.iter().map(|pull| pull.1).sum::<f64>() / 2.0;
    let mut sum = 0.0;
    let mut low = None;
    for &(position, weight) in &pulls {
        sum += weight;
        if sum >= half && low.is_none() {
            low = Some(position);
        }
        if sum > half {
            return low.map(|low| (low, position));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::super::tests::{assert_distances, layered, random_edges};
    use super::super::{coordinates, order};
    use super::*;

    fn travel(layered: &Layered, x: &[f64]) -> f64 {
        let length = |pair: &[usize]| {
            let bends = pair.iter().all(|&at| layered.items[at].kind != Kind::Node);
            (x[pair[0]] - x[pair[1]]).abs() * if bends { BEND_WEIGHT } else { 1.0 }
        };
        layered.chains.iter().flat_map(|chain| chain.windows(2)).map(length).sum()
    }

    #[test]
    fn edges_become_shorter_and_neighbours_keep_their_distance() {
        let mut shortened = 0;
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(40);
            let mut layered = layered(count, &random_edges(&mut random, count));
            order::reduce_crossings(&mut layered);
            let mut x = coordinates::positions(&layered);
            let before = travel(&layered, &x);
            settle(&layered, &mut x);
            // Bends that were nearly in line become quite so, at a cost below what is negligible.
            let slack = 1e-6 + NEGLIGIBLE * BEND_WEIGHT * x.len() as f64;
            assert!(travel(&layered, &x) <= before + slack, "seed {seed}");
            shortened += usize::from(travel(&layered, &x) < before - 1.0);
            assert_distances(&layered, &x, 2.0 * NEGLIGIBLE, seed);
        }
        assert!(shortened > 100, "only {shortened} of 200 graphs gained");
    }
}
