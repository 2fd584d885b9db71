//! What is seen while a run is under way, and how it is ended from outside.
//!
//! Progress is drawn on stderr, only when that is a terminal: one line, which is cleared before anything is printed.
//! Ctrl-C interrupts the budget of the run, which
//! ends cleanly, with what is known. A second Ctrl-C ends at once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;
use std::{fmt, fs};

use budget::{Budget, Exhausted, Limits, available_memory, resident_memory};
use explore::Exploration;
use explore::distributed::Progress;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressState, ProgressStyle};

use super::Exit;

/// The time between two changes of the progress line.
const TIME_PER_TICK: Duration = Duration::from_millis(250);

/// The time between two looks at the budget.
const TIME_PER_LOOK: Duration = Duration::from_millis(5);

/// The budget of the run that is under way.
static CURRENT: Mutex<Option<Budget>> = Mutex::new(None);

/// A budget that ends at these limits, and by Ctrl-C. Where no limit on memory is given, it is four fifths of
/// what is available: a run that grows then ends with what is known, and is not killed by the system.
pub fn begin(limits: Limits) -> Budget {
    let memory = limits.memory.or_else(|| available_memory().map(|bytes| bytes / 5 * 4));
    ended_by_interrupt(Budget::new(Limits { memory, ..limits }))
}

/// A budget that ends by Ctrl-C alone.
pub fn endless() -> Budget {
    ended_by_interrupt(Budget::unlimited())
}

/// The budget, which Ctrl-C ends from now on.
fn ended_by_interrupt(budget: Budget) -> Budget {
    if let Ok(mut current) = CURRENT.lock() {
        *current = Some(budget.clone());
    }
    // Where no handler can be installed, Ctrl-C ends the process as it does by default; where one is,
    // it serves all runs.
    let _ = ctrlc::set_handler(interrupt);
    budget
}

/// Ends the run that is under way, or the process if it should have ended already: what Ctrl-C does.
pub fn interrupt() {
    let current = CURRENT.lock().ok().and_then(|mut current| current.take());
    match current {
        Some(budget) => budget.interrupt(),
        None => std::process::exit(Exit::Incomplete as i32),
    }
}

/// Does what has nothing to show before it is done, and need not look at the budget itself: reading a model,
/// say. If the budget is used up meanwhile, the command ends as incomplete, after `last` has said what is to
/// be said then.
pub fn guarded<T>(budget: &Budget, last: impl Fn(Exhausted) + Sync, work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    let _watch = Watch::new(budget, None);
    thread::scope(|scope| {
        let guard = scope.spawn(|| {
            loop {
                // In this order: work that a budget has ended is not done.
                let was_done = is_done.load(Ordering::Acquire);
                if let Some(reason) = budget.exhausted() {
                    clear_line();
                    last(reason);
                    std::process::exit(Exit::Incomplete as i32);
                }
                if was_done {
                    break;
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
        self.is_done.store(true, Ordering::Release);
        self.guard.unpark();
    }
}

/// Reads a model, or whatever else comes before there is anything to show; see [`guarded`].
pub fn preparing<T>(budget: &Budget, work: impl FnOnce() -> T) -> T {
    let say = |reason| eprintln!("kinfold: INCOMPLETE: {reason} before the model was read");
    guarded(budget, say, work)
}

/// Does all the work of a command that has no limits of its own.
pub fn limited<T>(work: impl FnOnce() -> T) -> T {
    let say = |reason| eprintln!("kinfold: INCOMPLETE: {reason}");
    guarded(&begin(Limits::default()), say, work)
}

/// The line that is drawn.
static LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Clears the line, until there is another.
pub fn clear_line() {
    if let Some(line) = LINE.lock().ok().and_then(|mut line| line.take()) {
        line.finish_and_clear();
    }
}

/// Shows how far a run of several processes has come, where a run is watched.
pub fn see_shared(progress: &Progress) {
    let line = LINE.lock().ok().and_then(|line| line.clone());
    if let Some(line) = line.filter(|line| !line.is_hidden()) {
        line.set_message(format!(
            ", {} states, {}/s, queue {}, depth {}, sent {}, skew {:.2}",
            HumanCount(progress.states),
            HumanCount((progress.states as f64 / progress.seconds.max(1e-9)) as u64),
            HumanCount(progress.frontier),
            progress.levels,
            HumanBytes(progress.sent),
            progress.skew,
        ));
    }
}

/// Watches a run. Where nothing is seen of it, it is seen that it goes on, for how long and how large.
pub struct Watch {
    line: ProgressBar,
    budget: Budget,
    states: Option<u64>,
}

impl Watch {
    /// Watches a run within this budget, and this number of states.
    pub fn new(budget: &Budget, states: Option<u64>) -> Watch {
        clear_line();
        let memory = |_: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = resident_memory().map(|bytes| write!(out, ", {}", HumanBytes(bytes)));
        };
        let style = ProgressStyle::with_template("{spinner} {elapsed}{memory}{msg}");
        let line = ProgressBar::new_spinner();
        line.set_style(style.expect("a valid template").with_key("memory", memory));
        line.enable_steady_tick(TIME_PER_TICK);
        if let Ok(mut current) = LINE.lock() {
            *current = Some(line.clone());
        }
        Watch { line, budget: budget.clone(), states }
    }

    pub fn see(&mut self, exploration: &Exploration) {
        if !self.line.is_hidden() {
            self.line.set_message(self.message(exploration));
        }
    }

    fn message(&self, exploration: &Exploration) -> String {
        let rate = exploration.states() as f64 / exploration.seconds.max(1e-9);
        let mut message = format!(
            ", {} states, {}/s, queue {}, depth {}",
            HumanCount(exploration.states()),
            HumanCount(rate as u64),
            HumanCount(exploration.waiting()),
            exploration.depth(),
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
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

/// The largest memory the process has had, if the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
