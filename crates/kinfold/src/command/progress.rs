//! What is seen while a run is under way, and how it is ended from outside.
//!
//! Engines say through the budget of the run how far they have come; a thread shows it on stderr (`report`), as one
//! line of a terminal, which is cleared before anything is printed, or as lines of JSON (`snapshot`).
//! Ctrl-C interrupts the budget of the run, which
//! ends cleanly, with what is known. A second Ctrl-C ends at once.

mod estimate;
mod report;
mod snapshot;

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use budget::{Budget, Exhausted, Limits, Phase, Process, available_memory, resident_memory};
use explore::distributed::Progress;
use indicatif::HumanBytes;

use super::Exit;
use super::cli::{MemoryArgs, ProgressArgs};

pub use report::{About, clear_line, quiet, reported};

/// The time between two looks at the budget, and where little memory is left.
const TIME_PER_LOOK: Duration = Duration::from_millis(5);
const TIME_IF_LITTLE_IS_LEFT: Duration = Duration::from_micros(500);
const LITTLE: u64 = 32 << 20;

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
        None => {
            report::end(Exit::Incomplete);
            std::process::exit(Exit::Incomplete as i32)
        }
    }
}

/// Does what has nothing to show before it is done, and need not look at the budget itself: reading a model,
/// say. If the budget is used up meanwhile, the command ends as incomplete, after `last` has said what is to
/// be said then.
pub fn guarded<T>(budget: &Budget, last: impl Fn(Exhausted) + Sync, work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let guard = scope.spawn(|| {
            loop {
                // In this order: work that a budget has ended is not done.
                let was_done = is_done.load(Ordering::Acquire);
                if let Some(reason) = budget.exhausted() {
                    clear_line();
                    last(reason);
                    report::end(Exit::Incomplete);
                    std::process::exit(Exit::Incomplete as i32);
                }
                if was_done {
                    break;
                }
                thread::park_timeout(match budget.allows(LITTLE) {
                    true => TIME_PER_LOOK,
                    false => TIME_IF_LITTLE_IS_LEFT,
                });
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

/// How much memory there was and is, if that is why a run has ended: a limit may be too small for anything.
fn how_much(budget: &Budget, reason: Exhausted) -> String {
    match (reason, budget.memory_limit(), resident_memory()) {
        (Exhausted::Memory, Some(limit), Some(used)) => {
            let (limit, used) = (HumanBytes(limit), HumanBytes(used));
            format!(": it is {limit}, and {used} are in use; give --memory more")
        }
        _ => String::new(),
    }
}

/// Reads a model, or whatever else comes before there is anything to show; see [`guarded`].
pub fn preparing<T>(budget: &Budget, work: impl FnOnce() -> T) -> T {
    let say = |reason| {
        let how_much = how_much(budget, reason);
        eprintln!("kinfold: INCOMPLETE: {reason} before the model was read{how_much}");
    };
    let _under = budget.progress().during(Phase::Reading);
    guarded(budget, say, work)
}

/// Does all the work of a command that has no limit of its own but that on memory.
pub fn limited<T>(limit: &MemoryArgs, work: impl FnOnce() -> T) -> T {
    let budget = begin(Limits { memory: limit.memory, ..Limits::default() });
    let about = About { command: "kinfold", model: String::new(), states: None, is_short: true };
    let say = |reason| eprintln!("kinfold: INCOMPLETE: {reason}{}", how_much(&budget, reason));
    let work = || guarded(&budget, say, work);
    reported(&ProgressArgs::default(), about, &budget, work, |_| Exit::Done)
}

/// Tells how far a run of several processes has come.
pub fn tell_of_team(budget: &Budget, progress: &Progress) {
    budget.progress().tell(|known| {
        known.states = progress.states;
        known.expanded = progress.states.saturating_sub(progress.frontier);
        known.edges = progress.edges;
        known.depth = progress.levels.saturating_sub(1) as u32;
        known.levels.clone_from(&progress.last_levels);
        known.processes = (progress.shares.iter())
            .map(|share| Process {
                states: share.states,
                bytes_sent: share.sent,
                ..Process::default()
            })
            .collect();
    });
}

/// The largest memory the process has had, if the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
