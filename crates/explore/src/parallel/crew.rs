//! Threads that do the same task at the same time, again and again.
//!
//! One of them leads: it begins a task, takes part in it, and waits until all have done it. Waiting
//! is a short spin, then sleep: tasks take from some hundred microseconds to some ten milliseconds,
//! and all are done at about the same time.

use std::hint;
use std::panic::resume_unwind;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle, Thread};

/// How often to look before letting others have the core, some twenty microseconds …
const SPINS: u32 = 1 << 10;
/// … and how often after that, before going to sleep.
const YIELDS: u32 = 1 << 8;
/// The lock is held only to read or write a word.
const ALIVE: &str = "no thread panics while holding it";

/// The thread that leads, with the others. They end when it is dropped.
pub(crate) struct Crew<'scope, 'b, T: Copy> {
    bell: &'b Bell<T>,
    hands: Vec<ScopedJoinHandle<'scope, ()>>,
}

/// How the threads of a crew signal each other.
pub(crate) struct Bell<T> {
    lead: Thread,
    /// The task to be done; none when there are no more.
    task: RwLock<Option<T>>,
    /// The number of tasks begun.
    begun: AtomicU32,
    /// The number of hands that have not done the last one.
    busy: AtomicU32,
    /// Whether one has panicked.
    failed: AtomicBool,
}

impl<T: Copy> Bell<T> {
    /// For a crew that the current thread will lead.
    pub(crate) fn new() -> Self {
        Bell {
            lead: thread::current(),
            task: RwLock::new(None),
            begun: AtomicU32::new(0),
            busy: AtomicU32::new(0),
            failed: AtomicBool::new(false),
        }
    }

    /// Does the tasks that are begun until there are no more.
    fn follow(&self, mut work: impl FnMut(T)) {
        let mut begun = 0;
        loop {
            wait(|| self.begun.load(Ordering::Acquire) != begun);
            begun = begun.wrapping_add(1);
            let task = *self.task.read().expect(ALIVE);
            let Some(task) = task else { return };
            let done = Done(self);
            work(task);
            drop(done);
        }
    }
}

/// Signals that a task is done, or never will be.
struct Done<'b, T>(&'b Bell<T>);

impl<T> Drop for Done<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.failed.store(true, Ordering::Relaxed);
        }
        if self.0.busy.fetch_sub(1, Ordering::Release) == 1 {
            self.0.lead.unpark();
        }
    }
}

impl<'scope, 'b, T: Copy> Crew<'scope, 'b, T> {
    /// A crew of the current thread and one for each of `works`, which are given the task.
    pub(crate) fn hire<'env, W>(
        scope: &'scope Scope<'scope, 'env>,
        bell: &'b Bell<T>,
        works: impl Iterator<Item = W>,
    ) -> Self
    where
        T: Send + Sync,
        W: FnMut(T) + Send + 'scope,
        'b: 'scope,
    {
        let hands = works.map(|work| scope.spawn(|| bell.follow(work))).collect();
        Crew { bell, hands }
    }

    /// Does a task, together with the others if there is one for them.
    ///
    /// # Panics
    ///
    /// If another thread has panicked, with its panic.
    pub(crate) fn work(&mut self, task: Option<T>, own: impl FnOnce()) {
        if task.is_some() {
            self.bell.busy.store(self.hands.len() as u32, Ordering::Relaxed);
            self.begin(task);
        }
        own();
        wait(|| self.bell.busy.load(Ordering::Acquire) == 0);
        if self.bell.failed.load(Ordering::Relaxed) {
            self.begin(None);
            for hand in self.hands.drain(..) {
                if let Err(panic) = hand.join() {
                    resume_unwind(panic);
                }
            }
        }
    }

    fn begin(&self, task: Option<T>) {
        *self.bell.task.write().expect(ALIVE) = task;
        self.bell.begun.fetch_add(1, Ordering::Release);
        self.hands.iter().for_each(|hand| hand.thread().unpark());
    }
}

impl<T: Copy> Drop for Crew<'_, '_, T> {
    fn drop(&mut self) {
        // The lead may have panicked while the others were busy.
        wait(|| self.bell.busy.load(Ordering::Acquire) == 0);
        self.begin(None);
    }
}

/// Waits for what another thread does before it unparks this one.
fn wait(is_so: impl Fn() -> bool) {
    for _ in 0..SPINS {
        if is_so() {
            return;
        }
        hint::spin_loop();
    }
    for _ in 0..YIELDS {
        if is_so() {
            return;
        }
        thread::yield_now();
    }
    while !is_so() {
        thread::park();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    #[test]
    fn everybody_does_every_task_once() {
        for hands in [0, 1, 4] {
            let done: Vec<AtomicU64> = (0..=hands).map(|_| AtomicU64::new(0)).collect();
            let bell = Bell::new();
            thread::scope(|scope| {
                let works = done[1..].iter().map(|done| {
                    move |task| {
                        done.fetch_add(task, Ordering::Relaxed);
                    }
                });
                let mut crew = Crew::hire(scope, &bell, works);
                for task in 1..=100 {
                    crew.work(Some(task), || {
                        done[0].fetch_add(task, Ordering::Relaxed);
                    });
                    let sum = task * (task + 1) / 2;
                    assert!(done.iter().all(|done| done.load(Ordering::Relaxed) == sum));
                    crew.work(None, || ());
                }
            });
        }
    }
}
