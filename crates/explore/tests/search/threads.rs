//! Several threads and disks against one in memory, on graphs that are large enough for many waves.

use std::panic::{AssertUnwindSafe, catch_unwind};

use budget::{Budget, Exhausted, Limits, Unmeasured};
use explore::{Control, Exploration, Options, Share, Spill, Stop, explore, explore_on};

use crate::graph::Web;
use crate::{assert_same, spill};

/// Threads, bits of the hash, and from how many waiting states on the work is shared.
const WAYS: [(usize, u32, Option<u64>); 8] = [
    (1, 8, None),
    (2, 32, None),
    (2, 32, Some(1)),
    (3, 8, Some(1)),
    (5, 32, Some(2000)),
    (5, 8, None),
    (8, 32, Some(1)),
    (8, 3, Some(300)),
];

fn options(bits: u32, from: Option<u64>, options: &Options) -> Options {
    Options { hash_bits: Some(bits), share_from: from, ..options.clone() }
}

/// With few bits a search takes the square of its size, and where tables are small nearly so with some more.
fn bits_on_disk(bits: u32) -> u32 {
    if bits == 8 { 16 } else { bits }
}

/// Explores on one thread, and sees to it that more find the same.
fn run(web: &Web, options: &Options) -> Exploration {
    let (watch, review) = (&mut |_: &_| Control::Continue, &mut |_: &_| Control::Continue);
    let one = explore(&mut web.clone(), options, watch).expect("no fault in the graph");
    for (threads, bits, from) in WAYS {
        // With few bits a search takes the square of its size.
        if bits < 8 && one.states() > 3000 {
            continue;
        }
        let options = self::options(bits, from, options);
        let many = explore_on(&mut vec![web.clone(); threads], &options, watch, review);
        let many = many.expect("no fault in the graph");
        println!("{threads} threads, {bits} bits of hash, shared from {from:?}");
        assert_same(&one, &many);
        let options = self::options(bits_on_disk(bits), from, &options);
        let options = Options { spill: spill(), ..options };
        let many = explore_on(&mut vec![web.clone(); threads], &options, watch, review);
        println!("on disk");
        assert_same(&one, &many.expect("no fault in the graph"));
    }
    one
}

#[test]
fn what_memory_is_too_small_for_goes_to_disk() {
    let web = Web { seed: 6, nodes: 300_000, fault: None };
    let (watch, review) = (&mut |_: &_| Control::Continue, &mut |_: &_| Control::Continue);
    for keep_edges in [false, true] {
        let whole = Options { keep_edges, ..Options::default() };
        let one = explore(&mut web.clone(), &whole, watch).expect("no fault in the graph");
        let held = one.store.allocated_bytes() + one.search_bytes();
        for threads in [1, 3] {
            // The search alone is counted, and not what tests beside this one hold.
            let limits = Limits { memory: Some(held * 2 / 3), ..Limits::default() };
            let budget = Budget::with_gauge(limits, Unmeasured);
            let small = Options { budget, share_from: Some(1), ..whole.clone() };
            let mut spaces = vec![web.clone(); threads];
            let some = explore_on(&mut spaces, &small, watch, review).expect("no fault");
            assert_eq!(some.reason, Some(Stop::Exhausted(Exhausted::Memory)));
            let spill = spill().map(|spill| Spill { share: Share::Half, ..spill });
            let limits = Limits { memory: Some(held * 2 / 3), ..Limits::default() };
            let budget = Budget::with_gauge(limits, Unmeasured);
            let on_disk = Options { spill, budget, ..small };
            let all = explore_on(&mut spaces, &on_disk, watch, review).expect("no fault");
            assert_eq!(all.reason, None, "{} of {} states", all.states(), one.states());
            assert_same(&one, &all);
            assert!(all.disk_bytes() > 0 && all.disk_trouble.is_none());
        }
    }
}

#[test]
fn a_disk_that_cannot_be_used_is_told_and_the_run_goes_on_in_memory() {
    let web = Web { seed: 7, nodes: 3000, fault: None };
    let directory = tempfile::NamedTempFile::new().expect("there is a place for files");
    let spill = Some(Spill { directory: directory.path().to_owned(), share: Share::Nothing });
    let (watch, review) = (&mut |_: &_| Control::Continue, &mut |_: &_| Control::Continue);
    let one = explore(&mut web.clone(), &Options::default(), watch).expect("no fault");
    for threads in [1, 2] {
        let options = Options { spill: spill.clone(), ..Options::default() };
        let found = explore_on(&mut vec![web.clone(); threads], &options, watch, review);
        let found = found.expect("no fault in the graph");
        assert_same(&one, &found);
        assert!(found.disk_trouble.is_some_and(|why| why.contains("cannot write to")));
    }
}

#[test]
fn threads_change_nothing_in_a_large_graph() {
    for (seed, nodes, keep) in [(1, 40_000, false), (2, 40_000, true), (3, 2500, true)] {
        println!("seed {seed}");
        let web = Web { seed, nodes, fault: None };
        let found = run(&web, &Options { keep_edges: keep, ..Options::default() });
        assert!(found.complete);
        assert!(found.states() > nodes / 2, "only {} states", found.states());
        assert!(
            !found.deadlocks.is_empty()
                && !found.terminated.is_empty()
                && found.edges < found.modes
        );
    }
}

#[test]
fn a_limit_on_states_within_a_wave_is_exact() {
    let web = Web { seed: 5, nodes: 20_000, fault: None };
    let all = run(&web, &Options::default());
    for limit in [1000, 7777, all.states() - 1, all.states()] {
        let some =
            run(&web, &Options { keep_edges: true, states: Some(limit), ..Options::default() });
        assert_eq!(some.states(), limit);
        assert_eq!(some.reason, (limit < all.states()).then_some(Stop::States));
    }
}

#[test]
fn a_rare_label_is_found_where_one_thread_finds_it() {
    let mut far = 0;
    for seed in 10..16 {
        println!("seed {seed}");
        let web = Web { seed, nodes: 20_000, fault: None };
        let found = run(&web, &Options { until_label: Some(Web::RARE), ..Options::default() });
        assert!(found.reached.is_some());
        far = far.max(found.expanded);
    }
    assert!(far > 500, "every seed has the label near the start");
}

#[test]
fn a_fault_is_found_where_one_thread_finds_it() {
    for (seed, fault) in [(20, 0), (21, 19), (22, 4000), (23, 9000)] {
        println!("seed {seed}");
        let web = Web { seed, nodes: 20_000, fault: Some(fault) };
        let (watch, review) = (&mut |_: &_| Control::Continue, &mut |_: &_| Control::Continue);
        let one =
            explore(&mut web.clone(), &Options::default(), watch).expect_err("it is reachable");
        for (threads, bits, from) in WAYS {
            let options = options(bits.max(8), from, &Options::default());
            let many = explore_on(&mut vec![web.clone(); threads], &options, watch, review);
            let many = many.expect_err("one thread finds it");
            assert_eq!((many.fault, many.at), (one.fault, one.at));
            assert_same(&one.exploration, &many.exploration);
            let options = Options { spill: spill(), hash_bits: None, ..options };
            let many = explore_on(&mut vec![web.clone(); threads], &options, watch, review);
            let many = many.expect_err("one thread finds it");
            assert_eq!((many.fault, many.at), (one.fault, one.at));
            assert_same(&one.exploration, &many.exploration);
        }
    }
}

#[test]
fn the_watcher_sees_waves_and_can_end_them() {
    let web = Web { seed: 30, nodes: 40_000, fault: None };
    for (threads, bits, from) in WAYS {
        let (mut seen, mut times) = (Vec::new(), Vec::new());
        let options = options(bits.max(8), from, &Options::default());
        let review = &mut |_: &_| Control::Continue;
        let watch = &mut |so_far: &Exploration| {
            seen.push((so_far.states(), so_far.expanded, so_far.edges, so_far.modes));
            times.push((so_far.seconds, so_far.depth()));
            if so_far.expanded >= 5000 { Control::Interrupt } else { Control::Continue }
        };
        let found = explore_on(&mut vec![web.clone(); threads], &options, watch, review);
        let found = found.expect("no fault in the graph");
        assert_eq!(
            (found.complete, found.reason),
            (false, Some(Stop::Exhausted(Exhausted::Interrupted)))
        );
        let last = seen.last().expect("it was called");
        assert_eq!(*last, (found.states(), found.expanded, found.edges, found.modes));
        assert!(times.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1));
    }
}

#[test]
fn a_watcher_that_panics_leaves_nobody_waiting() {
    let web = Web { seed: 31, nodes: 40_000, fault: None };
    for threads in [1, 2, 5] {
        let options = Options { share_from: Some(1), ..Options::default() };
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let watch = &mut |so_far: &Exploration| {
                assert!(so_far.expanded < 3000, "enough is seen");
                Control::Continue
            };
            let review = &mut |_: &_| Control::Continue;
            explore_on(&mut vec![web.clone(); threads], &options, watch, review)
        }));
        let panic = outcome.expect_err("it panics");
        assert_eq!(panic.downcast_ref(), Some(&"enough is seen"));
    }
}
