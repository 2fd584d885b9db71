//! What is seen while a run is under way, and how it is ended from outside.
//!
//! Progress is drawn on stderr, only when that is a terminal. Ctrl-C, and memory beyond the limit, set
//! a flag that the search looks at: it ends cleanly, with what is known. A second Ctrl-C ends at once.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use explore::{Limits, Progress};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};

use super::Exit;

/// The time between two looks at the memory of the process: the system takes tens of microseconds to
/// tell it.
const TIME_PER_LOOK: Duration = Duration::from_millis(10);

/// The flag that ends the run that is under way.
static CURRENT: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

/// Watches a run.
pub struct Watch {
    bar: ProgressBar,
    limits: Limits,
    interrupt: Arc<AtomicBool>,
    out_of_memory: bool,
    /// The memory of the process, if the system tells, and when it was looked at.
    resident: Option<u64>,
    looked: Option<Duration>,
}

impl Watch {
    pub fn new(limits: Limits) -> Watch {
        let interrupt = Arc::new(AtomicBool::new(false));
        if let Ok(mut current) = CURRENT.lock() {
            *current = Some(interrupt.clone());
        }
        // Where no handler can be installed, Ctrl-C ends the process as it does by default; where one is,
        // it serves all runs.
        let _ = ctrlc::set_handler(|| {
            let flag = CURRENT.lock().ok().and_then(|current| current.clone());
            if flag.is_none_or(|flag| flag.swap(true, Ordering::Relaxed)) {
                std::process::exit(Exit::Incomplete as i32);
            }
        });
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a valid template"));
        Watch { bar, limits, interrupt, out_of_memory: false, resident: None, looked: None }
    }

    /// The flag that ends the run.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// Whether the run was ended because the process had grown beyond the limit on memory.
    pub fn is_out_of_memory(&self) -> bool {
        self.out_of_memory
    }

    pub fn see(&mut self, progress: &Progress) {
        // Time begins anew with each exploration.
        let since = self.looked.and_then(|looked| progress.elapsed.checked_sub(looked));
        if since.is_none_or(|since| since >= TIME_PER_LOOK) {
            self.looked = Some(progress.elapsed);
            self.resident = memory("VmRSS:");
        }
        if let (Some(limit), Some(resident)) = (self.limits.memory, self.resident)
            && resident > limit
        {
            self.out_of_memory = true;
            self.interrupt.store(true, Ordering::Relaxed);
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(self.message(progress));
            self.bar.tick();
        }
    }

    fn message(&self, progress: &Progress) -> String {
        let seconds = progress.elapsed.as_secs_f64().max(1e-9);
        let rate = progress.states as f64 / seconds;
        let used = self.resident.unwrap_or(progress.store_bytes + progress.search_bytes);
        let mut message = format!(
            "{} states, {}/s, queue {}, depth {}, {}",
            HumanCount(progress.states),
            HumanCount(rate as u64),
            HumanCount(progress.queue),
            progress.depth,
            HumanBytes(used),
        );
        // The end of an exploration cannot be foreseen, but that of a limit can.
        let by_time = self.limits.time.map(|limit| limit.saturating_sub(progress.elapsed));
        let by_states = self.limits.states.map(|limit| {
            Duration::from_secs_f64(limit.saturating_sub(progress.states) as f64 / rate.max(1e-3))
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
    memory("VmHWM:")
}

fn memory(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
