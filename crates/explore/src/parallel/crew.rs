//! Threads that do the same task at the same time, again and again.
//!
//! One of them leads: it begins a task, takes part in it, and waits until all have done it. Tasks take from
//! some hundred microseconds to some ten milliseconds, and all are done at about the same time.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

/// The threads beside the one that leads. They end when it is dropped.
pub(crate) struct Crew<'scope, T> {
    hands: Vec<Hand<'scope, T>>,
}

/// A thread: where it gets its tasks, and where it says that one is done.
struct Hand<'scope, T> {
    tasks: Sender<T>,
    done: Receiver<()>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope, T: Copy + Send + 'scope> Crew<'scope, T> {
    /// A crew of the current thread and one for each of `works`, which are given the task.
    pub(crate) fn hire<W: FnMut(T) + Send + 'scope>(
        scope: &'scope Scope<'scope, '_>,
        works: impl Iterator<Item = W>,
    ) -> Self {
        let hand = |mut work: W| {
            let (tasks, given) = channel();
            let (finished, done) = channel();
            let thread = scope.spawn(move || {
                for task in given {
                    work(task);
                    if finished.send(()).is_err() {
                        return;
                    }
                }
            });
            Hand { tasks, done, thread }
        };
        Crew { hands: works.map(hand).collect() }
    }

    /// The current thread alone.
    pub(crate) fn alone() -> Self {
        Crew { hands: Vec::new() }
    }

    /// Does a task, together with the others if there is one for them.
    ///
    /// # Panics
    ///
    /// If another thread has panicked, with its panic.
    pub(crate) fn work(&mut self, task: Option<T>, own: impl FnOnce()) {
        let Some(task) = task else { return own() };
        // A hand that is gone has panicked, and is missed below.
        self.hands.iter().for_each(|hand| _ = hand.tasks.send(task));
        own();
        if let Some(at) = self.hands.iter().position(|hand| hand.done.recv().is_err()) {
            let panic = self.hands.remove(at).thread.join();
            resume_unwind(panic.expect_err("it ends early only by a panic"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn everybody_does_every_task_once() {
        for hands in [0, 1, 4] {
            let done: Vec<AtomicU64> = (0..=hands).map(|_| AtomicU64::new(0)).collect();
            thread::scope(|scope| {
                let works = done[1..].iter().map(|done| {
                    move |task| {
                        done.fetch_add(task, Ordering::Relaxed);
                    }
                });
                let mut crew = Crew::hire(scope, works);
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
