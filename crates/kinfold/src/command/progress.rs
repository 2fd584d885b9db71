//! What is seen while a run is under way, and how it is ended from outside.
//!
//! Progress is drawn on stderr, only when that is a terminal. Ctrl-C interrupts the budget of the run, which
//! ends cleanly, with what is known. A second Ctrl-C ends at once.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use budget::{Budget, Exhausted, Limits, available_memory, resident_memory};
use explore::Exploration;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};

use super::Exit;

/// The time between two looks at the budget.
const TIME_PER_LOOK: Duration = Duration::from_millis(5);

/// The budget of the run that is under way.
static CURRENT: Mutex<Option<Budget>> = Mutex::new(None);

/// A budget that ends at these limits, and by Ctrl-C. Where no limit on memory is given, it is four fifths of
/// what is available: a run that grows then ends with what is known, and is not killed by the system.
pub fn begin(limits: Limits) -> Budget {
    let memory = limits.memory.or_else(|| available_memory().map(|bytes| bytes / 5 * 4));
    let budget = Budget::new(Limits { memory, ..limits });
    if let Ok(mut current) = CURRENT.lock() {
        *current = Some(budget.clone());
    }
    // Where no handler can be installed, Ctrl-C ends the process as it does by default; where one is,
    // it serves all runs.
    let _ = ctrlc::set_handler(|| {
        let current = CURRENT.lock().ok().and_then(|mut current| current.take());
        match current {
            Some(budget) => budget.interrupt(),
            None => std::process::exit(Exit::Incomplete as i32),
        }
    });
    budget
}

/// Does what has nothing to show before it is done, and does not look at the budget itself: reading a model,
/// say. If the budget is used up meanwhile, the command ends as incomplete, after `last` has said what is to
/// be said then.
pub fn guarded<T>(budget: &Budget, last: impl Fn(Exhausted) + Sync, work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let guard = scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                if let Some(reason) = budget.exhausted() {
                    last(reason);
                    std::process::exit(Exit::Incomplete as i32);
                }
                thread::park_timeout(TIME_PER_LOOK);
            }
        });
        // Also when the work panics.
        let _done = Done { is_done: &is_done, guard: guard.thread().clone() };
        work()
    })
}

/// Says that the work is done when it is dropped.
struct Done<'d> {
    is_done: &'d AtomicBool,
    guard: Thread,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        self.guard.unpark();
    }
}

/// Reads a model, or whatever else comes before there is anything to show; see [`guarded`].
pub fn preparing<T>(budget: &Budget, work: impl FnOnce() -> T) -> T {
    let say = |reason| eprintln!("kinfold: INCOMPLETE: {reason} before the model was read");
    guarded(budget, say, work)
}

/// Watches a run.
pub struct Watch {
    bar: ProgressBar,
    budget: Budget,
    states: Option<u64>,
}

impl Watch {
    /// Watches a run within this budget, and this number of states.
    pub fn new(budget: &Budget, states: Option<u64>) -> Watch {
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a valid template"));
        Watch { bar, budget: budget.clone(), states }
    }

    pub fn see(&mut self, exploration: &Exploration) {
        if !self.bar.is_hidden() {
            self.bar.set_message(self.message(exploration));
            self.bar.tick();
        }
    }

    fn message(&self, exploration: &Exploration) -> String {
        let rate = exploration.states() as f64 / exploration.seconds.max(1e-9);
        let held = || exploration.store.allocated_bytes() + exploration.search_bytes();
        let used = resident_memory().unwrap_or_else(held);
        let mut message = format!(
            "{} states, {}/s, queue {}, depth {}, {}",
            HumanCount(exploration.states()),
            HumanCount(rate as u64),
            HumanCount(exploration.waiting()),
            exploration.depth(),
            HumanBytes(used),
        );
        // The end of an exploration cannot be foreseen, but that of a limit can.
        let by_time = self.budget.time_left();
        let by_states = self.states.map(|limit| {
            let more = limit.saturating_sub(exploration.states());
            Duration::from_secs_f64(more as f64 / rate.max(1e-3))
        });
        if let Some(left) = by_time.into_iter().chain(by_states).min() {
            message += &format!(", at most {} s left", left.as_secs() + 1);
        }
        message
    }

    /// Clears the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The largest memory the process has had, if the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
