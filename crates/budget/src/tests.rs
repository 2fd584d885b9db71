use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::*;

/// A clock and a meter that are set by hand.
#[derive(Clone, Debug)]
struct ByHand {
    start: Instant,
    millis: Arc<AtomicU64>,
    resident: Arc<AtomicU64>,
}

impl ByHand {
    fn new() -> Self {
        Self { start: Instant::now(), millis: Arc::default(), resident: Arc::default() }
    }

    fn set_time(&self, millis: u64) {
        self.millis.store(millis, Ordering::Relaxed);
    }

    fn set_memory(&self, bytes: u64) {
        self.resident.store(bytes, Ordering::Relaxed);
    }
}

impl Gauge for ByHand {
    fn now(&self) -> Instant {
        self.start + Duration::from_millis(self.millis.load(Ordering::Relaxed))
    }

    fn resident(&self) -> Option<u64> {
        Some(self.resident.load(Ordering::Relaxed))
    }
}

fn limited(time: Option<u64>, memory: Option<u64>, steps: Option<u64>) -> (Budget, ByHand) {
    let gauge = ByHand::new();
    let limits = Limits { time: time.map(Duration::from_millis), memory, steps };
    (Budget::with_gauge(limits, gauge.clone()), gauge)
}

#[test]
fn without_limits_only_an_interruption_ends_it() {
    let budget = Budget::unlimited();
    let clone = budget.clone();
    assert_eq!(
        (budget.check(), budget.spend(u64::MAX), budget.require(u64::MAX)),
        (Ok(()), Ok(()), Ok(()))
    );
    assert!(budget.allows(u64::MAX));
    assert_eq!((budget.memory_left(), budget.time_left(), budget.deadline()), (None, None, None));
    thread::spawn(move || clone.interrupt()).join().unwrap();
    assert_eq!(budget.check(), Err(Exhausted::Interrupted));
    assert!(budget.child(Limits::default()).is_exhausted());
}

#[test]
fn a_deadline_in_the_past_is_seen_at_once() {
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(Budget::new(limits).check(), Err(Exhausted::Time));
    let parent = Budget::unlimited();
    assert_eq!(parent.within(Duration::ZERO).check(), Err(Exhausted::Time));
    assert_eq!(parent.check(), Ok(()));
}

#[test]
fn a_deadline_too_far_away_is_none() {
    let budget = Budget::new(Limits { time: Some(Duration::MAX), ..Limits::default() });
    assert_eq!((budget.check(), budget.deadline()), (Ok(()), None));
}

#[test]
fn time_that_nobody_has_limited_is_used_up_for_a_reason_of_its_own() {
    let (root, gauge) = limited(None, None, None);
    assert_eq!(root.ends_by_time(), None);
    let whole = root.within_default(Duration::from_millis(60));
    let part = whole.within(Duration::from_millis(20));
    assert_eq!(whole.ends_by_time(), Some(Exhausted::DefaultTime));
    assert_eq!(part.ends_by_time(), Some(Exhausted::Time));
    gauge.set_time(20);
    assert_eq!((part.check(), whole.check()), (Err(Exhausted::Time), Ok(())));
    let showing = whole.grace(Duration::from_millis(10));
    gauge.set_time(60);
    assert_eq!(whole.check(), Err(Exhausted::DefaultTime));
    assert_eq!((showing.check(), root.check()), (Ok(()), Ok(())));
    gauge.set_time(70);
    assert_eq!(showing.check(), Err(Exhausted::DefaultTime));
}

#[test]
fn time_runs_out_for_the_child_first() {
    let (budget, gauge) = limited(Some(100), None, None);
    let child = budget.within(Duration::from_millis(10));
    let late = budget.within(Duration::from_millis(1000));
    assert_eq!(child.time_left(), Some(Duration::from_millis(10)));
    assert_eq!(late.time_left(), Some(Duration::from_millis(100)));
    gauge.set_time(50);
    assert_eq!((child.check(), budget.check()), (Err(Exhausted::Time), Ok(())));
    gauge.set_time(100);
    assert_eq!((late.check(), budget.check()), (Err(Exhausted::Time), Err(Exhausted::Time)));
    assert_eq!(budget.time_left(), Some(Duration::ZERO));
}

#[test]
fn the_first_reason_stays() {
    let (budget, gauge) = limited(Some(100), None, None);
    let child = budget.within(Duration::from_millis(10));
    gauge.set_time(20);
    assert_eq!(child.check(), Err(Exhausted::Time));
    budget.interrupt();
    assert_eq!(
        (child.check(), budget.check()),
        (Err(Exhausted::Time), Err(Exhausted::Interrupted))
    );
}

#[test]
fn memory_is_what_is_resident_and_at_least_what_is_counted() {
    let (budget, gauge) = limited(None, Some(1000), None);
    gauge.set_memory(400);
    assert_eq!((budget.memory_limit(), budget.memory_left()), (Some(1000), Some(600)));
    assert!(budget.allows(600) && !budget.allows(601));
    assert_eq!(budget.check(), Ok(()));
    let mut account = budget.account();
    account.set(900);
    assert!(budget.allows(100) && !budget.allows(101));
    account.set(300);
    assert!(budget.allows(600) && !budget.allows(601));
    gauge.set_memory(1001);
    assert_eq!(budget.check(), Err(Exhausted::Memory));
}

#[test]
fn accounts_add_up_and_are_closed() {
    let (budget, _) = limited(None, Some(1000), None);
    let child = budget.child(Limits::default());
    let (mut one, mut other) = (child.account(), budget.account());
    one.set(600);
    other.set(400);
    assert_eq!(budget.memory_left(), Some(0));
    drop(one);
    assert_eq!((budget.memory_left(), budget.check()), (Some(600), Ok(())));
    other.set(1001);
    assert_eq!((budget.check(), child.check()), (Err(Exhausted::Memory), Err(Exhausted::Memory)));
}

#[test]
fn what_cannot_be_done_without_ends_the_budget_that_is_too_small() {
    let (budget, gauge) = limited(None, Some(1000), None);
    gauge.set_memory(200);
    let half = budget.share(0.5);
    assert_eq!((half.memory_limit(), half.memory_left()), (Some(600), Some(400)));
    assert_eq!(half.require(400), Ok(()));
    assert_eq!((half.require(401), budget.check()), (Err(Exhausted::Memory), Ok(())));
    assert_eq!(budget.require(801), Err(Exhausted::Memory));
    assert_eq!(Budget::unlimited().share(0.5).memory_left(), None);
}

#[test]
fn steps_are_counted_for_all_above() {
    let (budget, _) = limited(None, None, Some(100));
    let child = budget.with_steps(60);
    assert_eq!((child.spend(60), child.spend(0)), (Ok(()), Ok(())));
    assert_eq!((child.spend(1), budget.check()), (Err(Exhausted::Steps), Ok(())));
    assert_eq!((budget.spend(39), budget.spend(1)), (Ok(()), Err(Exhausted::Steps)));
}

#[test]
fn grace_begins_when_the_budget_has_ended() {
    let (budget, gauge) = limited(Some(100), None, None);
    let grace = budget.grace(Duration::from_millis(10));
    gauge.set_time(99);
    assert_eq!((budget.check(), grace.check()), (Ok(()), Ok(())));
    gauge.set_time(102);
    assert_eq!((budget.check(), grace.check()), (Err(Exhausted::Time), Ok(())));
    gauge.set_time(111);
    assert_eq!(grace.check(), Ok(()), "it was seen to end at 102");
    gauge.set_time(112);
    assert_eq!(grace.check(), Err(Exhausted::Time));
}

#[test]
fn grace_is_given_to_what_was_interrupted_and_its_end_is_seen_by_a_thread() {
    let budget = Budget::unlimited();
    let grace = budget.grace(Duration::from_millis(5));
    budget.interrupt();
    let after = budget.grace(Duration::from_secs(3600));
    while grace.check().is_ok() {
        thread::yield_now();
    }
    assert_eq!((grace.check(), after.check()), (Err(Exhausted::Interrupted), Ok(())));
}

#[test]
fn a_thread_sees_the_end() {
    // The thread that watches is waited for, however long it takes.
    let budget = Budget::new(Limits { time: Some(Duration::from_millis(1)), ..Limits::default() });
    let child = budget.child(Limits::default());
    while child.check().is_ok() {
        thread::yield_now();
    }
    assert_eq!((budget.check(), child.check()), (Err(Exhausted::Time), Err(Exhausted::Time)));
    let grown = Budget::unlimited();
    let child = grown.child(Limits { memory: Some(1), ..Limits::default() });
    assert_eq!((child.check().is_err(), grown.check()), (resident_memory().is_some(), Ok(())));
}

#[test]
fn children_that_are_gone_are_forgotten() {
    let budget = Budget::unlimited();
    for _ in 0..100 {
        assert_eq!(budget.within(Duration::from_secs(3600)).check(), Ok(()));
    }
    assert!(budget.node.number_of_children() <= 1);
}
