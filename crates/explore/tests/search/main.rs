//! The search against a naive one that shares no code with it, on random graphs.
//!
//! Every test runs with the whole hash, with three bits of it and with none: no answer may rest on
//! a hash. And every test runs on one thread and on several, in memory and on disk, which must find the same.

#![expect(clippy::print_stdout, reason = "a test that fails shows its seed")]

mod graph;
mod kept;
mod threads;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use std::sync::LazyLock;

use explore::{Control, Exploration, Options, Share, Spill, StateId, Stop, explore, explore_on};
use graph::Graph;
use random::Random;
use tempfile::TempDir;

const HASH_BITS: [u32; 3] = [32, 3, 0];

/// Puts everything on disk from the start.
fn spill() -> Option<Spill> {
    static FOLDER: LazyLock<TempDir> =
        LazyLock::new(|| TempDir::new().expect("there is a place for files"));
    Some(Spill { directory: FOLDER.path().to_owned(), share: Share::Nothing })
}

/// Explores on one thread, and sees to it that more find the same.
fn run(graph: &Graph, options: &Options) -> Exploration {
    let (watch, review) = (&mut |_: &_| Control::Continue, &mut |_: &_| Control::Continue);
    let one = explore(&mut graph.clone(), options, watch).expect("no fault in the graph");
    // Everything is shared, or only what is worth it, which changes from wave to wave.
    for (threads, from) in [(2, 1), (3, 6), (5, 1), (8, 3)] {
        let mut spaces = vec![graph.clone(); threads];
        let options = Options { share_from: Some(from), ..options.clone() };
        let many = explore_on(&mut spaces, &options, watch, review).expect("no fault in the graph");
        assert_same(&one, &many);
    }
    let options = Options { spill: spill(), share_from: Some(1), ..options.clone() };
    let on_disk = explore(&mut graph.clone(), &options, watch).expect("no fault in the graph");
    assert_same(&one, &on_disk);
    let many = explore_on(&mut vec![graph.clone(); 3], &options, watch, review);
    assert_same(&one, &many.expect("no fault in the graph"));
    one
}

fn assert_same(one: &Exploration, many: &Exploration) {
    assert!(one.store.iter().eq(many.store.iter()), "other states, or in another order");
    assert_eq!(one.expanded, many.expanded);
    assert_eq!((one.complete, one.reason), (many.complete, many.reason));
    assert_eq!((one.edges, one.modes, &one.fired), (many.edges, many.modes, &many.fired));
    assert_eq!(one.deadlocks, many.deadlocks);
    assert_eq!(one.terminated, many.terminated);
    assert_eq!(one.reached, many.reached);
    for (id, _) in one.store.iter() {
        assert_eq!(one.predecessor(id), many.predecessor(id));
        assert_eq!(one.depth_of(id), many.depth_of(id));
    }
    let edges = |found: &Exploration| found.quotient.as_ref().map(|q| q.iter().collect::<Vec<_>>());
    assert_eq!(edges(one), edges(many));
}

/// What a search should find, from its definition.
struct Naive {
    distance: HashMap<Vec<u8>, usize>,
    edges: BTreeSet<(Vec<u8>, u32, Vec<u8>)>,
    fired: BTreeMap<u32, u64>,
    deadlocks: BTreeSet<Vec<u8>>,
    terminated: BTreeSet<Vec<u8>>,
}

fn naive(graph: &Graph) -> Naive {
    let mut result = Naive {
        distance: HashMap::new(),
        edges: BTreeSet::new(),
        fired: BTreeMap::new(),
        deadlocks: BTreeSet::new(),
        terminated: BTreeSet::new(),
    };
    let mut queue = VecDeque::new();
    for &node in &graph.initial {
        if result.distance.insert(graph.names[node].clone(), 0).is_none() {
            queue.push_back(node);
        }
    }
    while let Some(node) = queue.pop_front() {
        let name = &graph.names[node];
        let distance = result.distance[name];
        if graph.arcs[node].is_empty() {
            let ends =
                if graph.ended[node] { &mut result.terminated } else { &mut result.deadlocks };
            ends.insert(name.clone());
        }
        for &(label, modes, target) in &graph.arcs[node] {
            let target_name = &graph.names[target];
            result.edges.insert((name.clone(), label, target_name.clone()));
            *result.fired.entry(label).or_default() += modes;
            if !result.distance.contains_key(target_name) {
                result.distance.insert(target_name.clone(), distance + 1);
                queue.push_back(target);
            }
        }
    }
    result
}

fn names(exploration: &Exploration, ids: &[StateId]) -> BTreeSet<Vec<u8>> {
    ids.iter().map(|&id| exploration.store.get(id).to_vec()).collect()
}

/// The path exists in the graph, leads to `id`, and has the length it should have.
fn assert_shortest(graph: &Graph, exploration: &Exploration, id: StateId, length: usize) {
    let path = exploration.path_to(id);
    assert_eq!(path.len(), length);
    assert_eq!(exploration.depth_of(id) as usize, length);
    let origin = exploration.origin_of(id);
    assert!(exploration.initial().any(|initial| initial == origin));
    let mut at = origin;
    for &(label, target) in &path {
        assert!(graph.has_arc(exploration.store.get(at), label, exploration.store.get(target)));
        at = target;
    }
    assert_eq!(at, id);
}

#[test]
fn finds_what_a_naive_search_finds() {
    for seed in 0..300 {
        let graph = Graph::random(&mut Random::new(seed));
        let naive = naive(&graph);
        for bits in HASH_BITS {
            println!("seed {seed}, {bits} bits of hash");
            let found = run(
                &graph,
                &Options { keep_edges: true, hash_bits: Some(bits), ..Options::default() },
            );
            assert!(found.complete);
            assert_eq!(found.reason, None);
            assert_eq!(found.states(), naive.distance.len() as u64);
            assert_eq!(found.expanded, found.states());
            assert_eq!(found.states(), u64::from(found.store.len()));
            assert_eq!(found.edges, naive.edges.len() as u64);
            assert_eq!(found.modes, naive.fired.values().sum::<u64>());
            let fired: BTreeMap<u32, u64> = found.fired.iter().collect();
            assert_eq!(fired, naive.fired);
            assert_eq!(names(&found, &found.deadlocks), naive.deadlocks);
            assert_eq!(names(&found, &found.terminated), naive.terminated);
            assert_eq!(found.deadlocks.len(), naive.deadlocks.len());
            assert_eq!(found.terminated.len(), naive.terminated.len());
            for (name, &distance) in &naive.distance {
                let id = found.store.find(name).expect("every reachable state is stored");
                assert_shortest(&graph, &found, id, distance);
            }
            assert_eq!(found.depth() as usize, naive.distance.values().copied().max().unwrap_or(0));
            let quotient = found.quotient.as_ref().expect("edges were to be kept");
            let edges: BTreeSet<_> = quotient
                .iter()
                .map(|(source, label, target)| {
                    let (source, target) = (found.store.get(source), found.store.get(target));
                    (source.to_vec(), label, target.to_vec())
                })
                .collect();
            assert_eq!(quotient.edges(), naive.edges.len(), "an edge is kept twice");
            assert_eq!(edges, naive.edges);
            assert_eq!(quotient.states() as u64, found.states());
        }
    }
}

#[test]
fn the_bits_of_the_hash_change_nothing_at_all() {
    for seed in 0..50 {
        println!("seed {seed}");
        let graph = Graph::random(&mut Random::new(seed));
        let whole = run(&graph, &Options { keep_edges: true, ..Options::default() });
        let few =
            run(&graph, &Options { keep_edges: true, hash_bits: Some(3), ..Options::default() });
        assert!(whole.store.iter().eq(few.store.iter()), "the numbers differ");
        assert!(whole.quotient.unwrap().iter().eq(few.quotient.unwrap().iter()));
    }
}

#[test]
fn a_limit_on_states_is_exact() {
    for seed in 0..60 {
        let graph = Graph::random(&mut Random::new(seed));
        let all = run(&graph, &Options { keep_edges: true, ..Options::default() });
        for limit in 0..=all.states() + 1 {
            println!("seed {seed}, limit {limit}");
            let some = run(
                &graph,
                &Options { keep_edges: true, states: Some(limit), ..Options::default() },
            );
            assert_eq!(some.states(), limit.min(all.states()));
            assert_eq!(some.complete, limit >= all.states());
            assert_eq!(some.reason, (limit < all.states()).then_some(Stop::States));
            // The states and the edges that are there are the first of all.
            assert!(some.store.iter().eq(all.store.iter().take(some.states() as usize)));
            assert!(some.edges <= all.edges && some.modes <= all.modes);
            let (some_edges, all_edges) =
                (some.quotient.as_ref().unwrap(), all.quotient.as_ref().unwrap());
            assert_eq!(some_edges.edges() as u64, some.edges);
            assert_eq!(some_edges.states() as u64, some.states());
            for id in (0..some.states() as u32).map(StateId) {
                if u64::from(id.0) < some.expanded {
                    assert!(some_edges.successors(id).eq(all_edges.successors(id)));
                } else {
                    let kept: BTreeSet<_> = some_edges.successors(id).collect();
                    assert!(kept.is_subset(&all_edges.successors(id).collect()));
                }
            }
            assert_eq!(some.fired.iter().map(|(_, modes)| modes).sum::<u64>(), some.modes);
        }
    }
}

#[test]
fn stops_at_the_nearest_step_with_the_label() {
    for seed in 0..100 {
        let graph = Graph::random(&mut Random::new(seed));
        let naive = naive(&graph);
        for label in 0..Graph::LABELS + 1 {
            println!("seed {seed}, label {label}");
            let nearest = naive
                .edges
                .iter()
                .filter(|edge| edge.1 == label)
                .map(|(source, _, _)| naive.distance[source])
                .min();
            let found = run(&graph, &Options { until_label: Some(label), ..Options::default() });
            let path = found.path_to_label();
            assert_eq!(path.as_ref().map(Vec::len), nearest.map(|distance| distance + 1));
            let (Some(reached), Some(path)) = (found.reached, path) else {
                assert!(found.complete && found.reached.is_none());
                assert_eq!(found.fired.of(label), 0);
                continue;
            };
            assert!(found.fired.of(label) > 0);
            assert_eq!(path.last(), Some(&(label, reached.target)));
            let source = found.store.get(reached.source);
            assert!(graph.has_arc(source, label, found.store.get(reached.target)));
            // The expansion that fired it was finished, and was the last one.
            assert_eq!(found.expanded, u64::from(reached.source.0) + 1);
            assert_eq!(found.complete, found.expanded == found.states());
            assert_eq!(found.reason, (!found.complete).then_some(Stop::Label));
        }
    }
}
