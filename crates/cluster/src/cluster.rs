//! The workers of one process.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use explore::distributed::{Lost, Mailbox, Network, Work};
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards, initialize_from};

use crate::Stream;
use crate::end::End;
use crate::post::Post;

/// How often whoever waits for workers is told.
const IDLE: Duration = Duration::from_millis(50);

/// What a worker is given to do, and where to say how it went.
type Piece = (Work, Sender<Result<(), Lost>>);

/// The workers of this process, and their connections to those of others.
pub struct Cluster {
    process: usize,
    processes: usize,
    workers: Vec<Sender<Piece>>,
    /// The threads of the workers, and those that send and receive.
    threads: Mutex<Option<(WorkerGuards<()>, Option<CommsGuard>)>>,
    end: Arc<End>,
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {}", self.process, self.processes)
    }
}

impl Cluster {
    /// A process alone, with this many workers.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    pub fn alone(threads: usize) -> io::Result<Cluster> {
        let hooks = Hooks::default();
        let builders = ProcessBuilder::new_typed_vector(threads, hooks.refill, hooks.spill);
        let builders = builders.into_iter().map(AllocatorBuilder::Process).collect();
        Cluster::start(0, 1, builders, None)
    }

    /// One of several processes, which has a stream to each other, by their numbers, and none to itself. All have the
    /// same number of workers.
    ///
    /// # Errors
    ///
    /// If threads cannot be started, or streams not be used.
    ///
    /// # Panics
    ///
    /// If there is a stream to itself, or one is missing.
    pub fn connected<S: Stream + 'static>(
        process: usize,
        threads: usize,
        streams: Vec<Option<S>>,
    ) -> io::Result<Cluster> {
        let processes = streams.len();
        for (other, stream) in streams.iter().enumerate() {
            assert_eq!(stream.is_none(), other == process, "there is a stream to each other");
        }
        if processes == 1 {
            return Cluster::alone(threads);
        }
        let hooks = Hooks::default();
        let inside =
            ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), hooks.spill.clone());
        let (builders, guard) =
            initialize_networking_from_sockets(inside, streams, process, threads, hooks)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        Cluster::start(process, processes, builders, Some(guard))
    }

    fn start(
        process: usize,
        processes: usize,
        builders: Vec<AllocatorBuilder>,
        guard: Option<CommsGuard>,
    ) -> io::Result<Cluster> {
        let end = Arc::new(End::default());
        let count = builders.len();
        let (workers, pieces): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
        let pieces = Mutex::new(pieces.into_iter().map(Some).collect::<Vec<_>>());
        let ends = end.clone();
        let threads = initialize_from(builders, Box::new(()), move |allocator| {
            let post = Post::new(allocator, count, ends.clone());
            let number = post.index() % count;
            let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
            let piece = pieces[number].take().expect("each worker is started once");
            drop(pieces);
            work(post, &piece, &ends);
        });
        let threads = Mutex::new(Some((threads.map_err(io::Error::other)?, guard)));
        Ok(Cluster { process, processes, workers, threads, end })
    }

    /// Ends everything that waits for others, with this as the reason. May be called from any thread. A cluster that
    /// was given up is of no use any more.
    pub fn give_up(&self, why: impl Into<String>) {
        self.end.come(Lost(why.into()));
    }

    /// Has `tell` called when the cluster is given up, by whoever does: a worker may have panicked.
    pub fn when_given_up(&self, tell: impl FnOnce(&Lost) + Send + 'static) {
        self.end.listen(Box::new(tell));
    }
}

/// What a worker does all its life.
fn work(mut post: Post, take: &Receiver<Piece>, end: &End) {
    while let Ok((piece, done)) = take.recv() {
        let result = catch_unwind(AssertUnwindSafe(|| piece(&mut post)));
        let result = result.unwrap_or_else(|_| Err(Lost("a worker has panicked".to_owned())));
        if let Err(why) = &result {
            end.come(why.clone());
        }
        // Nobody may want to know any more.
        let _ = done.send(result);
    }
    post.close();
}

impl Network for Cluster {
    fn process(&self) -> usize {
        self.process
    }

    fn processes(&self) -> usize {
        self.processes
    }

    fn threads(&self) -> usize {
        self.workers.len()
    }

    fn run(&self, work: Vec<Work>, idle: &mut dyn FnMut()) -> Result<(), Lost> {
        assert_eq!(work.len(), self.workers.len(), "there is work for each worker");
        self.end.check()?;
        let (done, results) = channel();
        for (worker, piece) in self.workers.iter().zip(work) {
            if worker.send((piece, done.clone())).is_err() {
                self.end.come(Lost("a worker is gone".to_owned()));
            }
        }
        drop(done);
        loop {
            match results.recv_timeout(IDLE) {
                Ok(Ok(())) => {}
                Ok(Err(why)) => self.end.come(why),
                Err(RecvTimeoutError::Timeout) => idle(),
                Err(RecvTimeoutError::Disconnected) => return self.end.check(),
            }
        }
    }
}

impl Drop for Cluster {
    /// Waits until all processes have ended their clusters, unless it was given up.
    fn drop(&mut self) {
        self.workers.clear();
        let threads = self.threads.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let Some((workers, guard)) = threads else { return };
        workers.join();
        if self.end.has_come() {
            // Those who receive may wait for a process that is gone.
            std::mem::forget(guard);
        } else {
            // What timely panics with was told by who made the streams.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(guard)));
        }
    }
}
