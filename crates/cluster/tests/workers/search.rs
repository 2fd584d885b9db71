//! Several processes find what one does.

use std::sync::Arc;

use cluster::{Network, on_loopback};
use explore::distributed::{Destination, DistributedSearch, Gathered, Totals, portable};
use explore::{Control, Exploration, Options, Space, Standing, StateId, Successors};
use fold::Folded;
use net::Compiled;

use crate::shipped::models;

fn on_processes<T: Send>(
    processes: usize,
    threads: usize,
    run: impl Fn(Arc<dyn Network>) -> T + Sync,
) -> Vec<T> {
    on_loopback(processes, threads, run).expect("connections")
}

fn searched<S: Space<Fault: 'static> + Send + 'static>(
    network: Arc<dyn Network>,
    spaces: Vec<S>,
    options: &Options,
) -> DistributedSearch<S> {
    let describe = Arc::new(|_| (None, "a fault".to_owned()));
    let mut search =
        DistributedSearch::begin(network, spaces, options, describe).expect("all are there");
    let never: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
    search.advance(u64::MAX, &never, &mut |_| {}).expect("all are there");
    search
}

/// The sizes of the levels of an exploration by one process.
fn levels(found: &Exploration) -> Vec<u64> {
    let mut levels = vec![0; found.depth() as usize + 1];
    (0..found.store.len()).for_each(|id| levels[found.depth_of(StateId(id)) as usize] += 1);
    levels
}

fn assert_same(totals: &Totals, one: &Exploration, what: &str) {
    assert_eq!(totals.states, one.states(), "{what}");
    assert_eq!(totals.levels, levels(one), "{what}");
    assert_eq!((totals.edges, totals.modes), (one.edges, one.modes), "{what}");
    let finals = (one.deadlocks.len() as u64, one.terminated.len() as u64);
    assert_eq!((totals.deadlocks, totals.terminated), finals, "{what}");
    assert_eq!((totals.complete, totals.reason), (one.complete, one.reason), "{what}");
}

/// Numbers, in steps that make a graph of many levels; labels are the steps.
#[derive(Clone)]
struct Numbers {
    end: u32,
}

impl Space for Numbers {
    type Fault = String;

    fn initial(&mut self, successors: &mut Successors) -> Result<(), String> {
        successors.push(0, 1, &1_u32.to_le_bytes());
        successors.push(0, 1, &2_u32.to_le_bytes());
        Ok(())
    }

    fn expand(&mut self, state: &[u8], successors: &mut Successors) -> Result<Standing, String> {
        let number = u32::from_le_bytes(state.try_into().expect("four bytes"));
        for (label, next) in
            [(1, number * 3 + 1), (2, number + 7), (3, number / 2), (2, number + 7)]
        {
            if next < self.end {
                successors.push(label, 2, &next.to_le_bytes());
            }
        }
        Ok(if number % 2 == 0 { Standing::Alive } else { Standing::Ended })
    }
}

#[test]
fn several_processes_count_what_one_counts() {
    let space = Numbers { end: 20_000 };
    let options = Options::default();
    let one = explore::explore(&mut space.clone(), &options, &mut |_| Control::Continue).unwrap();
    let mut seen = Vec::new();
    for (processes, threads) in [(1, 1), (1, 3), (2, 1), (3, 2), (5, 1)] {
        let what = format!("{processes} processes of {threads}");
        let mut found = on_processes(processes, threads, |network| {
            let search = searched(network, vec![space.clone(); threads], &options);
            let totals = search.totals();
            assert_same(&totals, &one, &what);
            assert_eq!(search.fired().unwrap(), one.fired);
            let last = totals.levels.len() as u32 - 1;
            let deepest = (0..threads).filter_map(|worker| {
                search.look(worker, |portion, space| {
                    let ids = portion.level(last).map(StateId);
                    ids.map(|id| portable(space, portion.found().store.get(id))).min()
                })
            });
            let deepest = deepest.min().unwrap_or_default();
            let all = search.exchange(deepest).unwrap();
            let least = all.into_iter().filter(|state| !state.is_empty()).min().unwrap();
            let to = Destination { depth: last, state: least };
            let paths = search.paths_to(&[to.clone(), to], &options.budget).unwrap().unwrap();
            assert_eq!(paths[0], paths[1]);
            assert_eq!(paths[0].steps.len() as u32, last);
            paths[0].clone()
        });
        found.dedup();
        assert_eq!(found.len(), 1, "{what}");
        seen.append(&mut found);
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "the path does not depend on who has found it");
}

#[test]
fn every_model_is_the_same_for_any_number_of_processes() {
    let paths = models();
    let mut compared = 0;
    for (at, path) in paths.into_iter().enumerate() {
        let text = std::fs::read_to_string(&path).expect("a text");
        let Some(net) = lang::compile(&text, &[]).net else { continue };
        let net = Arc::new(net);
        let relations = net.relations();
        let options = Options { states: Some(3000), ..Options::default() };
        let mut space = Folded::new(Compiled::new(net.clone(), relations), relations);
        let one = explore::explore(&mut space, &options, &mut |_| Control::Continue);
        let Ok(one) = one else { continue };
        if !one.complete {
            continue;
        }
        compared += 1;
        for processes in [1, [2, 3, 5][at % 3]] {
            let what = format!("{} on {processes}", path.display());
            on_processes(processes, 1, |network| {
                let space = Folded::new(Compiled::new(net.clone(), relations), relations);
                let search = searched(network, vec![space], &options);
                assert_same(&search.totals(), &one, &what);
                assert_eq!(search.fired().unwrap(), one.fired, "{what}");
            });
        }
    }
    assert!(compared > 20, "{compared} models");
}

/// A graph in words that do not depend on who has numbered what: states with their depths, edges, states without
/// successor, and of each state the step of the tree.
fn drawn<S: Space>(found: &Exploration, space: &S) -> [Vec<String>; 4] {
    let name = |id: StateId| format!("{:?}", portable(space, found.store.get(id)));
    let all = || (0..found.store.len()).map(StateId);
    let edges = found.quotient.as_ref().expect("edges are kept").iter();
    let mut drawn = [
        all().map(|id| format!("{} at {}", name(id), found.depth_of(id))).collect(),
        edges.map(|(a, label, b)| format!("{} {label} {}", name(a), name(b))).collect(),
        found.deadlocks.iter().map(|id| format!("dead {}", name(*id))).collect::<Vec<_>>(),
        all()
            .filter(|id| found.is_terminated(*id))
            .map(|id| format!("ended {}", name(id)))
            .collect(),
    ];
    drawn.iter_mut().for_each(|lines| lines.sort());
    drawn
}

/// What one process finds, and what several gather: the same graph, with a tree of its own edges, and with numbers that
/// do not depend on how many have found it.
fn assert_gathered<S: Space<Fault: std::fmt::Debug + 'static> + Send + 'static>(
    spaces: &(impl Fn(usize) -> Vec<S> + Sync),
    what: &str,
) {
    let options = Options { keep_edges: true, ..Options::default() };
    let mut alone = spaces(1).remove(0);
    let one = explore::explore(&mut alone, &options, &mut |_| Control::Continue).unwrap();
    let one_drawn = drawn(&one, &alone);
    let mut numbered = Vec::new();
    for (processes, threads) in [(1, 1), (2, 1), (3, 2), (5, 1)] {
        let what = format!("{what} on {processes} processes of {threads}");
        let found = on_processes(processes, threads, |network| {
            let process = network.process();
            let options = options.clone();
            let describe = Arc::new(|_| (None, "a fault".to_owned()));
            let spaces = spaces(threads);
            let mut search = DistributedSearch::begin(network, spaces, &options, describe).unwrap();
            let gathered = Gathered::default();
            let never: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
            // Now and then on the way, and in the end.
            for states in [20, 100, u64::MAX] {
                search.advance(states, &never, &mut |_| {}).unwrap();
                assert_eq!(search.gather(&gathered).unwrap(), None, "{what}");
            }
            let found = gathered.into_exploration();
            if process > 0 {
                assert_eq!(found.states(), 0, "{what}");
                return None;
            }
            search.look(0, |_, space| {
                assert_eq!(drawn(&found, space), one_drawn, "{what}");
                let numbered: Vec<_> = (0..found.store.len())
                    .map(|id| {
                        (
                            portable(space, found.store.get(StateId(id))),
                            found.predecessor(StateId(id)),
                        )
                    })
                    .collect();
                assert_eq!((found.complete, found.expanded), (true, one.expanded), "{what}");
                assert_eq!((found.modes, found.edges), (one.modes, one.edges), "{what}");
                assert_eq!(found.fired, one.fired, "{what}");
                let edges = found.quotient.as_ref().expect("edges are kept");
                for id in (0..found.store.len()).map(StateId) {
                    let Some((source, label)) = found.predecessor(id) else { continue };
                    assert!(edges.successors(source).any(|edge| edge == (label, id)), "{what}");
                    assert_eq!(found.depth_of(source) + 1, found.depth_of(id), "{what}");
                }
                Some(numbered)
            })
        });
        numbered.extend(found.into_iter().flatten());
    }
    assert_eq!(numbered.len(), 4, "{what}");
    assert!(numbered.windows(2).all(|pair| pair[0] == pair[1]), "{what}: numbers differ");
}

#[test]
fn the_graph_that_is_gathered_is_that_of_one_process() {
    assert_gathered(&|count| vec![Numbers { end: 5_000 }; count], "numbers");
    let mut compared = 0;
    for (at, path) in models().into_iter().enumerate() {
        let text = std::fs::read_to_string(&path).expect("a text");
        let Some(net) = lang::compile(&text, &[]).net else { continue };
        let net = Arc::new(net);
        let relations = net.relations();
        let space = || Folded::new(Compiled::new(net.clone(), relations), relations);
        let spaces = |count| {
            let mut spaces = vec![space()];
            spaces.extend((1..count).map(|_| spaces[0].worker()).collect::<Vec<_>>());
            spaces
        };
        let options = Options { states: Some(500), ..Options::default() };
        let one = explore::explore(&mut space(), &options, &mut |_| Control::Continue);
        if at % 3 == 0 && one.is_ok_and(|one| one.complete) {
            assert_gathered(&spaces, &path.display().to_string());
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared} models");
}
