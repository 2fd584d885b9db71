//! How a run ends: limits, interruption, faults, and what is known then.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use budget::{Budget, Exhausted, Limits, Unmeasured};
use explore::{
    Control, Exploration, Failed, Options, Space, Standing, StateId, Stop, Successors, explore,
    explore_on,
};

/// Counts up without end, in steps of one and two, `width` times over.
#[derive(Clone)]
struct Endless {
    width: u64,
    fault_at: Option<u64>,
}

impl Endless {
    fn new() -> Self {
        Self { width: 1, fault_at: None }
    }
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{0} is too much")]
struct TooMuch(u64);

impl Space for Endless {
    type Fault = TooMuch;

    fn initial(&mut self, found: &mut Successors) -> Result<(), TooMuch> {
        match self.fault_at {
            Some(0) => Err(TooMuch(0)),
            _ => {
                found.push(9, 9, &0_u64.to_be_bytes());
                Ok(())
            }
        }
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, TooMuch> {
        let count = u64::from_be_bytes(state.try_into().expect("eight bytes"));
        for i in 0..self.width {
            if found.enough() {
                break;
            }
            for step in 1..=2 {
                let next = count + self.width * step + i;
                if self.fault_at == Some(next) {
                    return Err(TooMuch(next));
                }
                found.buffer().extend_from_slice(&next.to_be_bytes());
                found.commit(step as u32, 1);
            }
        }
        Ok(Standing::Alive)
    }
}

/// Ends after this time.
fn time(time: Duration) -> Options {
    Options {
        budget: Budget::new(Limits { time: Some(time), ..Limits::default() }),
        ..Options::default()
    }
}

/// Ends when this many bytes are counted, whatever else this process holds.
fn memory(bytes: u64) -> Options {
    let limits = Limits { memory: Some(bytes), ..Limits::default() };
    Options { budget: Budget::with_gauge(limits, Unmeasured), ..Options::default() }
}

/// Explores on as many threads as there are spaces.
fn on<S: Space + Send>(
    spaces: &mut [S],
    options: &Options,
) -> Result<Exploration, Failed<S::Fault>> {
    explore_on(spaces, options, &mut |_| Control::Continue, &mut |_| Control::Continue)
}

const OUT_OF_TIME: Option<Stop> = Some(Stop::Exhausted(Exhausted::Time));
const OUT_OF_MEMORY: Option<Stop> = Some(Stop::Exhausted(Exhausted::Memory));
const INTERRUPTED: Option<Stop> = Some(Stop::Exhausted(Exhausted::Interrupted));

fn run(space: &mut Endless, options: &Options) -> Exploration {
    explore(space, options, &mut |_| Control::Continue).expect("no fault")
}

#[test]
fn no_time_leaves_the_initial_states() {
    let found = run(&mut Endless::new(), &time(Duration::ZERO));
    assert_eq!((found.states(), found.expanded, found.complete), (1, 0, false));
    assert_eq!(found.reason, OUT_OF_TIME);
}

#[test]
fn time_ends_an_endless_run() {
    let found = run(&mut Endless::new(), &time(Duration::from_millis(20)));
    assert_eq!((found.complete, found.reason), (false, OUT_OF_TIME));
    assert!(found.expanded > 0 && found.expanded < found.states());
}

#[test]
fn time_ends_an_endless_expansion() {
    let mut space = Endless { width: u64::MAX / 4, fault_at: None };
    let found = run(&mut space, &time(Duration::from_millis(20)));
    assert_eq!((found.complete, found.reason), (false, OUT_OF_TIME));
    assert_eq!(found.expanded, 0);
    assert!(found.states() > 1 && found.modes > 0, "what was found is kept");
    assert_eq!(found.deadlocks.len(), 0);
}

#[test]
fn memory_ends_an_endless_run_and_is_kept_to() {
    for limit in [100_000, 1_000_000, 10_000_000] {
        for keep in [false, true] {
            let found = run(&mut Endless::new(), &Options { keep_edges: keep, ..memory(limit) });
            assert_eq!((found.complete, found.reason), (false, OUT_OF_MEMORY));
            let held = found.store.allocated_bytes() + found.search_bytes();
            let wanted = limit / 2..=limit + limit / 4;
            assert!(wanted.contains(&held), "{held} bytes held of {limit}");
        }
    }
}

#[test]
fn memory_ends_an_endless_expansion() {
    let mut space = Endless { width: u64::MAX / 4, fault_at: None };
    let found = run(&mut space, &memory(1_000_000));
    assert_eq!((found.complete, found.reason, found.expanded), (false, OUT_OF_MEMORY, 0));
}

/// Holds more with each state that is expanded.
#[derive(Clone)]
struct Hoarder(u64);

impl Space for Hoarder {
    type Fault = TooMuch;

    fn initial(&mut self, successors: &mut Successors) -> Result<(), TooMuch> {
        Endless::new().initial(successors)
    }

    fn expand(&mut self, state: &[u8], successors: &mut Successors) -> Result<Standing, TooMuch> {
        self.0 += 10_000;
        Endless::new().expand(state, successors)
    }

    fn allocated_bytes(&self) -> u64 {
        self.0
    }
}

#[test]
fn what_the_space_holds_counts() {
    for (threads, from) in [(1, None), (3, Some(1))] {
        let options = Options { share_from: from, ..memory(10_000_000) };
        let mut spaces = vec![Hoarder(0); threads];
        let found = on(&mut spaces, &options);
        let found = found.expect("no fault");
        assert_eq!((found.complete, found.reason), (false, OUT_OF_MEMORY));
        let held: u64 = spaces.iter().map(Space::allocated_bytes).sum();
        assert!((5_000_000..15_000_000).contains(&held), "{held} bytes held");
    }
}

#[test]
fn what_is_resident_counts() {
    // Any process has more than this.
    let limits = Limits { memory: Some(1), ..Limits::default() };
    let found = run(
        &mut Endless::new(),
        &Options { states: Some(100), budget: Budget::new(limits), ..Options::default() },
    );
    let expected =
        if budget::resident_memory().is_some() { OUT_OF_MEMORY } else { Some(Stop::States) };
    assert_eq!(found.reason, expected);
}

#[test]
fn limits_that_are_not_reached_change_nothing() {
    let limits = Limits { time: Some(Duration::MAX), memory: Some(u64::MAX), steps: None };
    let options = Options {
        budget: Budget::new(limits),
        states: Some(5000),
        until_label: Some(77),
        ..Options::default()
    };
    let found = run(&mut Endless::new(), &options);
    assert_eq!((found.states(), found.reason), (5000, Some(Stop::States)));
    assert_eq!(found.reached, None);
}

#[test]
fn the_watcher_sees_the_run_and_can_end_it() {
    let (mut seen, mut times) = (Vec::new(), Vec::new());
    let found = explore(&mut Endless::new(), &Options::default(), &mut |so_far| {
        assert_eq!(so_far.waiting(), so_far.states() - so_far.expanded);
        seen.push((so_far.states(), so_far.expanded, so_far.edges, so_far.modes));
        times.push((so_far.seconds, so_far.depth()));
        if so_far.expanded >= 5000 { Control::Interrupt } else { Control::Continue }
    })
    .expect("no fault");
    assert_eq!((found.complete, found.reason), (false, INTERRUPTED));
    assert_eq!((seen[0], times[0].1), ((1, 0, 0, 0), 0));
    assert!(seen.len() >= 4);
    let last = seen.last().expect("it was called");
    assert_eq!(*last, (found.states(), found.expanded, found.edges, found.modes));
    assert!(last.1 < 6500, "called too late: {}", last.1);
    assert!(times.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1));
}

#[test]
fn what_was_found_is_reviewed_each_time_it_has_doubled() {
    for threads in [1, 3] {
        let mut spaces: Vec<Endless> = (0..threads).map(|_| Endless::new()).collect();
        let mut sizes = Vec::new();
        let options = Options { share_from: Some(1), ..Options::default() };
        let found = explore_on(&mut spaces, &options, &mut |_| Control::Continue, &mut |so_far| {
            let states = so_far.store.len();
            let last = StateId(states - 1);
            let path = so_far.path_to(last);
            assert_eq!(path.last().map(|&(_, to)| to), Some(last));
            sizes.push(states);
            if states >= 20_000 { Control::Interrupt } else { Control::Continue }
        });
        let found = found.expect("no fault");
        assert_eq!((found.complete, found.reason), (false, INTERRUPTED));
        assert!(sizes.len() >= 4, "{sizes:?}");
        assert!(sizes.is_sorted_by(|a, b| 2 * a <= *b), "{sizes:?}");
        assert_eq!(u64::from(sizes[sizes.len() - 1]), found.states());
    }
}

#[test]
fn a_watcher_that_says_no_at_once_is_obeyed() {
    let found = explore(&mut Endless::new(), &Options::default(), &mut |_| Control::Interrupt)
        .expect("no fault");
    assert_eq!((found.states(), found.expanded, found.reason), (1, 0, INTERRUPTED));
}

#[test]
fn a_fault_comes_with_the_run_that_leads_to_it() {
    let mut space = Endless { width: 1, fault_at: Some(1001) };
    let failed = explore(&mut space, &Options::default(), &mut |_| Control::Continue)
        .expect_err("1001 is reached");
    assert_eq!(failed.fault, TooMuch(1001));
    assert_eq!(failed.to_string(), "1001 is too much");
    let at = failed.at.expect("not in the initial state");
    let known = failed.exploration;
    // 999 is the nearest to the start of the two that lead there.
    assert_eq!(known.store.get(at), 999_u64.to_be_bytes());
    assert_eq!(known.path_to(at).len(), 500);
    assert!(!known.complete);
    assert_eq!(known.reason, None);
    assert_eq!(known.expanded, u64::from(at.0));
}

#[test]
fn a_fault_in_the_initial_states_has_no_place() {
    let mut space = Endless { width: 1, fault_at: Some(0) };
    let failed = explore(&mut space, &Options::default(), &mut |_| Control::Continue)
        .expect_err("0 is initial");
    assert_eq!((failed.at, failed.exploration.states()), (None, 0));
}

/// Starts anywhere of `0..starts`, given twice, and stays there.
struct Still {
    starts: u8,
    standing: Standing,
}

impl Space for Still {
    type Fault = std::convert::Infallible;

    fn initial(&mut self, found: &mut Successors) -> Result<(), Self::Fault> {
        (0..self.starts).chain(0..self.starts).for_each(|start| found.push(0, 1, &[start]));
        Ok(())
    }

    fn expand(&mut self, _: &[u8], _: &mut Successors) -> Result<Standing, Self::Fault> {
        Ok(self.standing)
    }
}

#[test]
fn initial_states_may_be_none_or_many() {
    for starts in [0, 1, 5, 255] {
        let mut space = Still { starts, standing: Standing::Alive };
        let found =
            explore(&mut space, &Options { keep_edges: true, ..Options::default() }, &mut |_| {
                Control::Continue
            })
            .expect("no fault");
        assert!(found.complete);
        assert_eq!(found.initial().len(), usize::from(starts));
        assert_eq!((found.states(), found.deadlocks.len()), (starts.into(), starts.into()));
        assert_eq!((found.edges, found.modes, found.terminated.len(), found.depth()), (0, 0, 0, 0));
    }
    let mut space = Still { starts: 5, standing: Standing::Ended };
    let found =
        explore(&mut space, &Options { states: Some(5), ..Options::default() }, &mut |_| {
            Control::Continue
        })
        .expect("no fault");
    assert_eq!((found.deadlocks.len(), found.terminated.len(), found.complete), (0, 5, true));
    let found =
        explore(&mut space, &Options { states: Some(4), ..Options::default() }, &mut |_| {
            Control::Continue
        })
        .expect("no fault");
    assert_eq!((found.states(), found.expanded, found.reason), (4, 0, Some(Stop::States)));
}

/// Explores on three threads, of which all take part from the start, or only when it pays.
fn on_three(space: &Endless, options: impl Fn() -> Options) -> [Exploration; 2] {
    [false, true].map(|at_once| {
        let options =
            if at_once { Options { share_from: Some(1), ..options() } } else { options() };
        let mut spaces = vec![space.clone(); 3];
        on(&mut spaces, &options).expect("no fault")
    })
}

#[test]
fn limits_end_several_threads_too() {
    let (narrow, wide) = (Endless::new(), Endless { width: 100, fault_at: None });
    let vast = Endless { width: u64::MAX / 8, fault_at: None };
    for space in [&narrow, &wide, &vast] {
        for found in on_three(space, || time(Duration::from_millis(30))) {
            assert_eq!((found.complete, found.reason), (false, OUT_OF_TIME));
        }
    }
    let interrupted = Budget::unlimited();
    interrupted.interrupt();
    for space in [&narrow, &wide, &vast] {
        for found in
            on_three(space, || Options { budget: interrupted.clone(), ..Options::default() })
        {
            assert_eq!((found.complete, found.reason), (false, INTERRUPTED));
        }
    }
    for space in [&narrow, &wide] {
        for found in on_three(space, || Options { states: Some(1_000), ..Options::default() }) {
            assert_eq!((found.states(), found.reason), (1_000, Some(Stop::States)));
        }
    }
    for found in on_three(&vast, || memory(1_000_000)) {
        assert_eq!((found.reason, found.expanded), (OUT_OF_MEMORY, 0));
    }
}

#[test]
fn memory_is_kept_to_on_several_threads() {
    let wide = Endless { width: 20, fault_at: None };
    for limit in [100_000, 1_000_000, 4_000_000] {
        for keep in [false, true] {
            for found in on_three(&wide, || Options { keep_edges: keep, ..memory(limit) }) {
                assert_eq!((found.complete, found.reason), (false, OUT_OF_MEMORY));
                let held = found.store.allocated_bytes() + found.search_bytes();
                let wanted = limit / 4..=limit + limit / 4;
                assert!(wanted.contains(&held), "{held} bytes held of {limit}");
            }
        }
    }
}

#[test]
fn a_fault_ends_several_threads_where_it_ends_one() {
    let space = Endless { width: 1, fault_at: Some(1001) };
    let failed = on(&mut vec![space; 3], &Options::default()).expect_err("1001 is reached");
    let at = failed.at.expect("not in the initial state");
    assert_eq!(failed.exploration.store.get(at), 999_u64.to_be_bytes());
    assert_eq!(failed.exploration.expanded, u64::from(at.0));
}

/// Counts to a thousand and panics.
#[derive(Clone)]
struct Panics;

impl Space for Panics {
    type Fault = TooMuch;

    fn initial(&mut self, found: &mut Successors) -> Result<(), TooMuch> {
        Endless::new().initial(found)
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, TooMuch> {
        assert!(state != 1000_u64.to_be_bytes(), "a thousand is too much");
        Endless { width: 20, fault_at: None }.expand(state, found)
    }
}

#[test]
fn a_worker_that_panics_does_not_leave_the_others_waiting() {
    for (threads, from) in [(2, None), (2, Some(1)), (3, Some(1)), (7, Some(1))] {
        // Who panics is a matter of luck.
        for _ in 0..20 {
            let options = Options { share_from: from, ..Options::default() };
            let mut spaces = vec![Panics; threads];
            let outcome = catch_unwind(AssertUnwindSafe(|| on(&mut spaces, &options)));
            let panic = outcome.expect_err("it panics");
            assert_eq!(panic.downcast_ref(), Some(&"a thousand is too much"));
        }
    }
}

#[test]
fn who_stops_since_time_is_up_is_not_said_to_interrupt() {
    let budget = Budget::unlimited().within(Duration::from_millis(20));
    let options = Options { budget: budget.clone(), ..Options::default() };
    let found = explore(&mut Endless::new(), &options, &mut |_| {
        std::thread::sleep(Duration::from_millis(40));
        if budget.is_exhausted() { Control::Interrupt } else { Control::Continue }
    });
    let found = found.expect("nothing fails");
    assert_eq!(found.reason, Some(Stop::Exhausted(Exhausted::Time)));
}
