//! A worker's mailbox: a dataflow of one exchange.
//!
//! Parcels go into an input, through an exchange that delivers them as addressed, into a sink. Time is that of the
//! dataflow: when the frontier of the sink has passed a time, everybody has received all that was sent before.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use explore::distributed::{Lost, Mailbox};
use timely::WorkerConfig;
use timely::communication::Allocator;
use timely::container::NoopBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::Input;
use timely::dataflow::operators::generic::Operator;
use timely::worker::Worker;

use crate::end::End;
use crate::parcel::{Content, Parcel, Sorter};

/// How long a worker waits before it asks whether all is over.
const WAIT: Duration = Duration::from_millis(20);

/// The end of the network at which one worker is.
pub(crate) struct Post {
    worker: Worker,
    /// None once it is closed.
    input: Option<InputHandle<u64, NoopBuilder<Parcel>>>,
    /// What has come, with its time.
    inbox: Rc<RefCell<VecDeque<(u64, Parcel)>>>,
    /// What has come from workers that are ahead, but not by much. The first is not later than the others by an epoch.
    early: VecDeque<(u64, Parcel)>,
    /// Nothing sent before this time will come any more, to anybody.
    frontier: Rc<Cell<u64>>,
    threads: usize,
    end: Arc<End>,
}

impl Post {
    pub(crate) fn new(allocator: Allocator, threads: usize, end: Arc<End>) -> Post {
        let config = WorkerConfig::default();
        let mut worker = Worker::new(config, allocator, Some(Instant::now()));
        let (inbox, frontier) = (Rc::new(RefCell::new(VecDeque::new())), Rc::new(Cell::new(0)));
        let (arrived, passed) = (inbox.clone(), frontier.clone());
        let input = worker.dataflow::<u64, _, _>(|scope| {
            let (input, stream) = scope.new_input_with_builder::<NoopBuilder<Parcel>>();
            stream.sink(DistributorPact(|_| Sorter), "Inbox", move |(input, frontier)| {
                input.for_each(|time, parcel| {
                    arrived.borrow_mut().push_back((*time.time(), std::mem::take(parcel)));
                });
                passed.set(frontier.frontier().first().copied().unwrap_or(u64::MAX));
            });
            input
        });
        Post { worker, input: Some(input), inbox, early: VecDeque::new(), frontier, threads, end }
    }

    /// Says that it will send nothing any more, and waits until all others have said so.
    pub(crate) fn close(mut self) {
        self.input = None;
        while self.worker.has_dataflows() && !self.end.has_come() {
            self.worker.step_or_park(Some(WAIT));
        }
    }

    fn input(&mut self) -> &mut InputHandle<u64, NoopBuilder<Parcel>> {
        self.input.as_mut().expect("it is open")
    }
}

impl Mailbox for Post {
    fn index(&self) -> usize {
        self.worker.index()
    }

    fn workers(&self) -> usize {
        self.worker.peers()
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn now(&self) -> u64 {
        *self.input.as_ref().expect("it is open").time()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        let from = self.worker.index();
        self.input().send_batch(&mut Parcel { to, from, bytes: Content::Own(bytes) });
    }

    fn advance_to(&mut self, time: u64) {
        self.input().advance_to(time);
    }

    fn receive(
        &mut self,
        before: u64,
        wait: bool,
        take: &mut dyn FnMut(u64, usize, &[u8]),
    ) -> Result<(), Lost> {
        self.end.check()?;
        let mut is_waiting = wait;
        // What came early, and is no longer early.
        if self.early.front().is_some_and(|(time, _)| *time < before) {
            let early = std::mem::take(&mut self.early);
            let (due, early) = early.into_iter().partition(|(time, _)| *time < before);
            self.early = early;
            let due: VecDeque<(u64, Parcel)> = due;
            due.iter().for_each(|(time, parcel)| take(*time, parcel.from, &parcel.bytes));
            is_waiting = false;
        }
        match is_waiting {
            true => self.worker.step_or_park(Some(WAIT)),
            false => self.worker.step(),
        };
        for (time, parcel) in self.inbox.borrow_mut().drain(..) {
            match time < before {
                true => take(time, parcel.from, &parcel.bytes),
                false => self.early.push_back((time, parcel)),
            }
        }
        Ok(())
    }

    fn is_past(&self, time: u64) -> bool {
        self.frontier.get() >= time
    }
}
