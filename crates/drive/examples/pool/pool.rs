//! A pool of threads with a bounded queue: jobs that read may run side by side, a job that writes runs alone. The pool grows
//! when jobs wait and nobody is idle. What `models/pool.kin` describes.
//!
//! A worker calls its [`Hook`] before it looks for a job, after that, and when the job is done. The hook of a pool in use
//! ([`Freely`]) does nothing; that of a driver waits for its turn.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

/// What a job does to what is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Reading,
    Writing,
}

/// A worker, by its number. No number is used twice.
pub type Worker = u32;
type Job = Box<dyn FnOnce(Worker) + Send>;

/// Where a worker can be stopped.
pub trait Hook: Send {
    /// Before it looks for a job: of which kind, or of any. `None` if it is to leave.
    fn look(&mut self) -> Option<Option<Kind>>;
    /// After that: of which kind the job is, if there is one that may run now.
    fn looked(&mut self, found: Option<Kind>);
    /// When the job is done.
    fn finished(&mut self);
}

/// Workers take what comes.
#[allow(dead_code, reason = "a pool that is driven has another")]
pub struct Freely;

impl Hook for Freely {
    fn look(&mut self) -> Option<Option<Kind>> {
        Some(None)
    }
    fn looked(&mut self, _: Option<Kind>) {}
    fn finished(&mut self) {}
}

/// What can be seen of a pool.
pub struct Snapshot {
    pub idle: Vec<Worker>,
    pub busy: Vec<(Worker, Kind)>,
    pub queued: Vec<Kind>,
    pub free: usize,
}

struct Inside {
    most_workers: usize,
    capacity: usize,
    queue: VecDeque<(Kind, Job)>,
    /// What each worker is at, if it is at work.
    workers: BTreeMap<Worker, Option<Kind>>,
    next_worker: Worker,
    readers: usize,
    is_writing: bool,
    /// The planted bug.
    is_forgetful: bool,
    is_closed: bool,
}

struct Shared {
    inside: Mutex<Inside>,
    changed: Condvar,
}

pub struct Pool {
    shared: Arc<Shared>,
    hook: Box<dyn FnMut(Worker) -> Box<dyn Hook>>,
    threads: BTreeMap<Worker, JoinHandle<()>>,
}

/// What a worker finds when it looks for a job.
enum Found {
    Job(Kind, Job),
    Nothing,
    Leave,
}

impl Inside {
    fn may_run(&self, kind: Kind) -> bool {
        !self.is_writing && (kind == Kind::Reading || self.readers == 0)
    }

    fn take(&mut self, worker: Worker, wanted: Option<Kind>) -> Found {
        if self.is_closed || !self.workers.contains_key(&worker) {
            return Found::Leave;
        }
        let is_right = |kind| wanted.is_none_or(|wanted| wanted == kind) && self.may_run(kind);
        let Some(at) = self.queue.iter().position(|(kind, _)| is_right(*kind)) else {
            return Found::Nothing;
        };
        let (kind, job) = self.queue.remove(at).expect("it is there");
        match kind {
            Kind::Reading => self.readers += 1,
            Kind::Writing => self.is_writing = true,
        }
        self.workers.insert(worker, Some(kind));
        Found::Job(kind, job)
    }

    fn finish(&mut self, worker: Worker, kind: Kind) {
        match kind {
            Kind::Reading => self.readers -= 1,
            Kind::Writing if self.is_forgetful && !self.queue.is_empty() => {}
            Kind::Writing => self.is_writing = false,
        }
        self.workers.insert(worker, None);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().expect("no worker panics while it holds the lock")
    }

    fn work(&self, worker: Worker, hook: &mut dyn Hook) {
        while let Some(wanted) = hook.look() {
            let mut inside = self.lock();
            let mut found = inside.take(worker, wanted);
            // Who is told what to look for says what it found; others wait for something.
            while wanted.is_none() && matches!(found, Found::Nothing) {
                inside = self.changed.wait(inside).expect("no worker panics");
                found = inside.take(worker, wanted);
            }
            drop(inside);
            match found {
                Found::Job(kind, job) => {
                    hook.looked(Some(kind));
                    job(worker);
                    self.lock().finish(worker, kind);
                    self.changed.notify_all();
                    hook.finished();
                }
                Found::Nothing => hook.looked(None),
                Found::Leave => break,
            }
        }
    }
}

impl Pool {
    pub fn new(
        most_workers: usize,
        capacity: usize,
        is_forgetful: bool,
        hook: Box<dyn FnMut(Worker) -> Box<dyn Hook>>,
    ) -> Pool {
        let inside = Inside {
            most_workers,
            capacity,
            queue: VecDeque::new(),
            workers: BTreeMap::new(),
            next_worker: 100,
            readers: 0,
            is_writing: false,
            is_forgetful,
            is_closed: false,
        };
        let shared = Arc::new(Shared { inside: Mutex::new(inside), changed: Condvar::new() });
        Pool { shared, hook, threads: BTreeMap::new() }
    }

    /// Puts a job into the queue, unless that is full.
    pub fn submit(&self, kind: Kind, job: Job) -> bool {
        let mut inside = self.shared.lock();
        let has_room = inside.queue.len() < inside.capacity;
        if has_room {
            inside.queue.push_back((kind, job));
            self.shared.changed.notify_all();
        }
        has_room
    }

    /// Starts a worker if jobs wait, nobody is idle, and there may be more.
    pub fn grow(&mut self) -> Option<Worker> {
        let mut inside = self.shared.lock();
        let is_anyone_idle = inside.workers.values().any(Option::is_none);
        if inside.queue.is_empty() || is_anyone_idle || inside.workers.len() >= inside.most_workers
        {
            return None;
        }
        let worker = inside.next_worker;
        inside.next_worker += 1;
        inside.workers.insert(worker, None);
        drop(inside);
        let (shared, mut hook) = (Arc::clone(&self.shared), (self.hook)(worker));
        self.threads.insert(worker, thread::spawn(move || shared.work(worker, &mut *hook)));
        Some(worker)
    }

    /// Lets an idle worker go if nothing is to be done.
    pub fn shrink(&mut self, worker: Worker) -> bool {
        let mut inside = self.shared.lock();
        let may_go = inside.queue.is_empty() && inside.workers.get(&worker) == Some(&None);
        if may_go {
            inside.workers.remove(&worker);
            self.shared.changed.notify_all();
        }
        may_go
    }

    pub fn snapshot(&self) -> Snapshot {
        let inside = self.shared.lock();
        let workers = || inside.workers.iter();
        Snapshot {
            idle: workers().filter(|(_, at)| at.is_none()).map(|(worker, _)| *worker).collect(),
            busy: workers().filter_map(|(worker, at)| Some((*worker, (*at)?))).collect(),
            queued: inside.queue.iter().map(|(kind, _)| *kind).collect(),
            free: inside.capacity - inside.queue.len(),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
        for thread in std::mem::take(&mut self.threads).into_values() {
            // A worker that panicked has said so.
            let _ = thread.join();
        }
    }
}
