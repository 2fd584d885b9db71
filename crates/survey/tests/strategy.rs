//! What explores when one engine comes to a limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use budget::{Budget, Gauge, Limits};
use survey::{Plan, Surveyed, survey_by};

/// Four counters, by themselves: 10,000 states, and a diagram of a few dozen nodes.
const COUNTERS: &str = "model counters
    place a(n: 0..=9) = 0
    place b(n: 0..=9) = 0
    place c(n: 0..=9) = 0
    place d(n: 0..=9) = 0
    transition in_a { take a(n) put a((n + 1) % 10) }
    transition in_b { take b(n) put b((n + 1) % 10) }
    transition in_c { take c(n) put c((n + 1) % 10) }
    transition in_d { take d(n) put d((n + 1) % 10) }
";

/// A clock that stands still, and memory as the test says.
#[derive(Debug)]
struct Meter(Instant, Arc<AtomicU64>);

impl Gauge for Meter {
    fn now(&self) -> Instant {
        self.0
    }

    fn resident(&self) -> Option<u64> {
        Some(self.1.load(Ordering::Relaxed))
    }
}

#[test]
fn diagrams_follow_when_states_have_used_up_half_of_the_memory() {
    let net = Arc::new(lang::compile(COUNTERS, &[]).net.expect("a model"));
    let limit = 1 << 30;
    let used = Arc::new(AtomicU64::new(0));
    let limits = Limits { memory: Some(limit), ..Limits::default() };
    let budget = Budget::with_gauge(limits, Meter(Instant::now(), Arc::clone(&used)));
    let plan = Plan { budget, threads: 1, ..Plan::default() };
    let mut watch = |_: &explore::Exploration| used.store(limit / 10 * 6, Ordering::Relaxed);
    match survey_by(&net, &plan, None, &mut watch).expect("a survey") {
        Surveyed::Diagrams(survey, _) => assert_eq!(survey.states, 10_000_u32.into()),
        Surveyed::Explicit(survey, _) => panic!("{} states", survey.exploration().states()),
        Surveyed::Limit(limit) => panic!("{limit}"),
    }
}

/// A clock that stands still, and memory that rises once to nearly the limit, long after `began`.
#[derive(Debug)]
struct Rising {
    clock: Instant,
    limit: u64,
    began: Arc<AtomicU64>,
}

impl Gauge for Rising {
    fn now(&self) -> Instant {
        self.clock
    }

    fn resident(&self) -> Option<u64> {
        let began = self.began.load(Ordering::Relaxed);
        if began > 0 {
            self.began.store(began + 1, Ordering::Relaxed);
        }
        Some(match began {
            1..500 => self.limit / 100 * 60,
            500..510 => self.limit / 100 * 98,
            _ => 0,
        })
    }
}

#[test]
fn states_follow_when_a_diagram_has_no_memory_left() {
    let net = Arc::new(lang::compile(COUNTERS, &[]).net.expect("a model"));
    let (limit, began) = (1 << 30, Arc::new(AtomicU64::new(0)));
    let gauge = Rising { clock: Instant::now(), limit, began: Arc::clone(&began) };
    let time = Some(Duration::from_secs(3600));
    let budget =
        Budget::with_gauge(Limits { memory: Some(limit), time, ..Limits::default() }, gauge);
    let plan = Plan { budget, threads: 1, ..Plan::default() };
    let mut watch = |_: &explore::Exploration| {
        let _ = began.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed);
    };
    match survey_by(&net, &plan, None, &mut watch).expect("a survey") {
        Surveyed::Explicit(survey, Some(why)) => {
            assert!(why.contains("limit on memory"), "{why}");
            assert_eq!(survey.exploration().states(), 10_000);
        }
        Surveyed::Explicit(..) => panic!("there is a reason"),
        Surveyed::Diagrams(survey, _) => panic!("{} states, {began:?}", survey.states),
        Surveyed::Limit(limit) => panic!("{limit}, {began:?}"),
    }
}
