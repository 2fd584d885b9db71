//! What is seen while a run is under way, and how it is ended from outside.
//!
//! Engines say through the budget of the run how far they have come; a thread shows it on stderr (`report`), as one
//! line of a terminal, which is cleared before anything is printed, or as lines of text or of JSON (`snapshot`).
//! Ctrl-C and SIGTERM interrupt the budget of the run, which ends cleanly, with what is known (`signals`).

mod estimate;
mod pace;
mod report;
mod signals;
mod snapshot;

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use budget::{Budget, Exhausted, Limits, Phase, Process, available_memory, resident_memory};
use explore::distributed::Progress;
use indicatif::HumanBytes;

use super::cli::{MemoryArgs, ProgressArgs};
use super::{Exit, output};

pub use report::{About, clear_line, quiet, reported};
use signals::{Response, Signals};

/// The time between two looks at the budget, and where little memory is left.
const TIME_PER_LOOK: Duration = Duration::from_millis(5);
const TIME_IF_LITTLE_IS_LEFT: Duration = Duration::from_micros(500);
const LITTLE: u64 = 32 << 20;

/// How long Go programs are looked at where no time is given.
pub const TIME_FOR_GO: Duration = Duration::from_secs(60);

/// The run that is under way.
static CURRENT: Mutex<Current> =
    Mutex::new(Current { budget: None, signals: Signals::NONE, last: None });

struct Current {
    budget: Option<Budget>,
    signals: Signals,
    last: Option<Last>,
}

/// What is to be done with what is known if the process has to end before the work is done, for this reason, which is to
/// be said. It gives the status with which the process ends.
type Last = Box<dyn FnOnce(&str) -> Exit + Send>;

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
    let mut run = current();
    if run.signals.have_come() {
        budget.interrupt();
    }
    run.budget = Some(budget.clone());
    drop(run);
    // Where no handler can be installed, Ctrl-C ends the process as it does by default; where one is,
    // it serves all runs.
    let _ = ctrlc::set_handler(interrupt);
    budget
}

fn current() -> MutexGuard<'static, Current> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the run that is under way, or the process if it should have ended already: what Ctrl-C does.
pub fn interrupt() {
    let mut run = current();
    match run.signals.response(Instant::now(), report::is_quiet()) {
        Response::Interrupt => run.budget.iter().for_each(Budget::interrupt),
        Response::Ignore => {}
        Response::Exit => {
            drop(run);
            give_up(&format!("INCOMPLETE: {}", Exhausted::Interrupted))
        }
    }
}

/// From now on, this is done if the process has to end before the work is done.
pub fn at_last(last: Option<Last>) {
    current().last = last;
}

/// Ends the process though the work is not done.
fn give_up(reason: &str) -> ! {
    let last = current().last.take();
    let exit = match last {
        Some(last) => last(reason),
        None => {
            output::tell(format_args!("kinfold: {reason}"));
            Exit::Incomplete
        }
    };
    report::end(exit);
    std::process::exit(exit as i32)
}

/// Does what has nothing to show before it is done, and need not look at the budget itself: reading a model,
/// say. If the budget is used up meanwhile, the command ends as incomplete, for the reason that `why` gives.
pub fn guarded<T>(
    budget: &Budget,
    why: impl Fn(Exhausted) -> String + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let guard = scope.spawn(|| {
            loop {
                // In this order: work that a budget has ended is not done.
                let was_done = is_done.load(Ordering::Acquire);
                if let Some(reason) = budget.exhausted() {
                    give_up(&format!("INCOMPLETE: {}", why(reason)));
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
    let why = |reason| format!("{reason} before the model was read{}", how_much(budget, reason));
    let _under = budget.progress().during(Phase::Reading);
    guarded(budget, why, work)
}

/// Does all the work of a command that has no limit of its own but that on memory.
pub fn limited<T>(limit: &MemoryArgs, work: impl FnOnce() -> T) -> T {
    let budget = begin(Limits { memory: limit.memory, ..Limits::default() });
    let about = About { command: "kinfold", is_short: true, ..About::default() };
    let why = |reason| format!("{reason}{}", how_much(&budget, reason));
    let work = || guarded(&budget, why, work);
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
