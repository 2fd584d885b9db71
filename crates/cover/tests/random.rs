//! Paths through random graphs: that they are paths, cover everything, and are no shorter than the bound allows; and on small
//! graphs, the bound against the shortest set of paths, found by trying all.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use budget::Budget;
use cover::{Bound, Graph, Item, choose};
use random::Random;

/// For each state its edges, as (label, target).
type Edges = Vec<Vec<(u32, u32)>>;

/// A graph all of whose states can be reached from state 0.
fn edges(random: &mut Random, states: u32, more: u32, labels: u32) -> Edges {
    let mut edges: Vec<BTreeSet<(u32, u32)>> = vec![BTreeSet::new(); states as usize];
    for state in 1..states {
        edges[random.below(state) as usize].insert((random.below(labels), state));
    }
    for _ in 0..more {
        let (source, target) = (random.below(states), random.below(states));
        edges[source as usize].insert((random.below(labels), target));
    }
    edges.into_iter().map(|edges| edges.into_iter().collect()).collect()
}

#[derive(Clone, Copy, Debug)]
enum What {
    Actions,
    Pairs,
    Classes(u32),
}

/// Two labels are one action now and then.
fn action(label: u32) -> u32 {
    label / 2 * 2
}

fn graph(edges: &Edges, what: What) -> Graph {
    let states = edges.len() as u32;
    let successors = |state: u32| edges[state as usize].iter().copied();
    let budget = Budget::unlimited();
    let graph = match what {
        What::Actions => Graph::of_actions(states, successors, action, &budget),
        What::Pairs => Graph::of_pairs(states, successors, action, &budget),
        What::Classes(most) => Graph::of_classes(states, successors, |state| state < most, &budget),
    };
    graph.expect("there is no limit")
}

/// What a path covers, by the definition.
fn covered(path: &[(u32, u32)], what: What) -> BTreeSet<Item> {
    match what {
        What::Actions => path.iter().map(|(label, _)| Item::Action(action(*label))).collect(),
        What::Pairs => {
            let pair = |two: &[(u32, u32)]| Item::Pair(action(two[0].0), action(two[1].0));
            path.windows(2).map(pair).collect()
        }
        What::Classes(most) => {
            let states = path.iter().map(|(_, state)| *state).chain([0]);
            states.filter(|state| *state < most).map(Item::State).collect()
        }
    }
}

/// All that there is to cover: what all paths of two steps from anywhere cover.
fn wanted(edges: &Edges, what: What) -> BTreeSet<Item> {
    let mut wanted = covered(&[], what);
    for &first in edges.iter().flatten() {
        wanted.extend(covered(&[first], what));
        for &second in &edges[first.1 as usize] {
            wanted.extend(covered(&[first, second], what));
        }
    }
    wanted
}

/// The fewest steps, and the fewest paths, of a set of paths that covers everything.
fn fewest(edges: &Edges, what: What, wanted: &BTreeSet<Item>) -> (u64, u64) {
    let numbers: BTreeMap<Item, u32> = wanted.iter().copied().zip(0..).collect();
    let all = (1_u32 << numbers.len()) - 1;
    let start = covered(&[], what).iter().fold(0, |set, item| set | 1 << numbers[item]);
    let cheapest = |step: u64, beginning: u64| {
        // Where one is, by which action one came, and what is covered.
        let mut best = BTreeMap::from([((0, None, start), beginning)]);
        let mut queue = VecDeque::from([(0_u32, None::<u32>, start)]);
        while let Some(at) = queue.pop_front() {
            let (state, before, set) = at;
            let cost = best[&at];
            let mut reach = |next: (u32, Option<u32>, u32), cost: u64| {
                if best.get(&next).is_none_or(|known| cost < *known) {
                    best.insert(next, cost);
                    queue.push_back(next);
                }
            };
            if state != 0 || before.is_some() {
                reach((0, None, set), cost + beginning);
            }
            for &(label, target) in &edges[state as usize] {
                let path: Vec<_> =
                    before.map(|b| (b, state)).into_iter().chain([(label, target)]).collect();
                let items = match what {
                    What::Pairs => covered(&path, what),
                    _ => covered(&path[path.len() - 1..], what),
                };
                let set = items.iter().fold(set, |set, item| set | 1 << numbers[item]);
                reach((target, Some(action(label)), set), cost + step);
            }
        }
        let done = best.iter().filter(|((.., set), _)| *set == all).map(|(_, cost)| *cost);
        done.min().expect("everything can be covered")
    };
    let paths = if start == all { 0 } else { cheapest(0, 1) };
    (cheapest(1, 0), paths)
}

#[test]
fn paths_cover_everything() {
    for seed in 0..600 {
        let random = &mut Random::named(&[seed]);
        let is_small = seed % 2 == 0;
        let (states, labels) = if is_small {
            (2 + random.below(5), 2 + random.below(5))
        } else {
            (2 + random.below(60), 8)
        };
        let more = random.below(states * 2);
        let edges = edges(random, states, more, labels);
        for what in [What::Actions, What::Pairs, What::Classes(1 + random.below(states))] {
            let graph = graph(&edges, what);
            let wanted = wanted(&edges, what);
            let items: BTreeSet<Item> = graph.items().iter().copied().collect();
            assert_eq!(items, wanted, "seed {seed}, {what:?}: {edges:?}");
            let chosen = choose(&graph, &Budget::unlimited()).expect("there is no limit");
            assert_eq!(chosen.cut, None);
            let mut found = covered(&[], what);
            for path in &chosen.paths {
                let path: Vec<_> = path.iter().map(|arc| (arc.label, arc.state)).collect();
                let mut at = 0;
                for step in &path {
                    assert!(edges[at as usize].contains(step), "seed {seed}, {what:?}: no path");
                    at = step.1;
                }
                found.extend(covered(&path, what));
            }
            assert_eq!(found, wanted, "seed {seed}, {what:?}: {edges:?}");
            let steps = chosen.paths.iter().map(|path| path.len() as u64).sum::<u64>();
            let bound = Bound::of(&graph, &Budget::unlimited()).expect("there is no limit");
            assert!(bound.steps <= steps, "seed {seed}, {what:?}: {bound:?}, {steps} steps");
            assert!(bound.paths <= chosen.paths.len() as u64, "seed {seed}, {what:?}: {bound:?}");
            if is_small && wanted.len() <= 9 {
                let (least, fewest) = fewest(&edges, what, &wanted);
                let said = format!(
                    "seed {seed}, {what:?}: {bound:?}, in truth {least} and {fewest}: {edges:?}"
                );
                assert!(bound.steps <= least && bound.paths <= fewest, "{said}");
                assert!(least <= steps, "{said}; {steps} steps found");
            }
        }
    }
}

#[test]
fn a_limit_leaves_paths_that_are_right() {
    let edges = edges(&mut Random::new(1), 50, 80, 8);
    let graph = graph(&edges, What::Classes(50));
    let spent = Budget::unlimited();
    spent.interrupt();
    assert!(choose(&graph, &spent).is_err());
    assert!(Bound::of(&graph, &spent).is_err());
}
