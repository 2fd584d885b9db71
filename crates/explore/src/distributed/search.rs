//! A search of several processes, from the side of one of them.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use budget::Instant;

use super::network::{Lost, Mailbox, Network, Work, exchange};
use super::portion::Portion;
use super::progress::{Live, Progress, Share};
use super::report::{Report, Totals};
use super::worker::Worker;
use crate::{Fired, Options, Space};

/// Says of a fault the label of its step, if it is known, and what is wrong.
pub type Describe<F> = Arc<dyn Fn(F) -> (Option<u32>, String) + Send + Sync>;

/// A search of several processes. All of them make the same calls, in the same order, and get the same totals.
pub struct DistributedSearch<S: Space> {
    pub(super) network: Arc<dyn Network>,
    pub(super) workers: Vec<Arc<Mutex<Worker<S>>>>,
    pub(super) totals: Arc<Mutex<Totals>>,
    live: Arc<Live>,
    pub(super) most_states: u64,
    pub(super) began: Instant,
    /// The time that was spent on it before, in milliseconds.
    pub(super) earlier: u64,
}

impl<S: Space<Fault: 'static> + Send + 'static> DistributedSearch<S> {
    /// A search that has stored the initial states. There is one space for each worker of this process. Edges, if they
    /// are to be kept, can be [gathered](Self::gather).
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone.
    ///
    /// # Panics
    ///
    /// If there are more or fewer spaces than workers.
    pub fn begin(
        network: Arc<dyn Network>,
        spaces: Vec<S>,
        options: &Options,
        describe: Describe<S::Fault>,
    ) -> Result<Self, Lost> {
        let search = Self::unbegun(network, spaces, options, describe);
        let (totals, most_states) = (search.totals.clone(), search.most_states);
        search.each(&mut || {}, move |_, worker, mailbox| {
            worker.join(mailbox);
            worker.begin();
            agree(worker, mailbox, &totals, most_states, false)
        })?;
        Ok(search)
    }

    /// A search that has no states yet.
    pub(super) fn unbegun(
        network: Arc<dyn Network>,
        spaces: Vec<S>,
        options: &Options,
        describe: Describe<S::Fault>,
    ) -> Self {
        assert_eq!(spaces.len(), network.threads(), "there is a space for each worker");
        let live = Arc::new(Live::default());
        let worker = |space| {
            let worker = Worker::new(space, options, describe.clone(), live.clone());
            Arc::new(Mutex::new(worker))
        };
        let workers = spaces.into_iter().map(worker).collect();
        DistributedSearch {
            workers,
            totals: Arc::default(),
            live,
            most_states: options.states.unwrap_or(u64::MAX),
            began: Instant::now(),
            earlier: 0,
            network,
        }
    }

    /// Goes on level by level until the search is over, there are at least `states` states, or on some process
    /// `is_due` says at the end of a level that there is something else to do. `watch` is called now and then.
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone.
    pub fn advance(
        &mut self,
        states: u64,
        is_due: &Arc<dyn Fn() -> bool + Send + Sync>,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), Lost> {
        let (shared, most_states, is_due) = (self.totals.clone(), self.most_states, is_due.clone());
        let mut idle = || watch(&self.progress());
        self.each(&mut idle, move |number, worker, mailbox| {
            worker.totals.pause = false;
            while !worker.totals.is_over() && !worker.totals.pause && worker.totals.states < states
            {
                worker.expand_level(mailbox, most_states)?;
                agree(worker, mailbox, &shared, most_states, number == 0 && is_due())?;
            }
            Ok(())
        })
    }

    /// How long it has taken, in seconds, with what was spent before it was gone on with.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.earlier as f64 / 1000.0 + self.began.elapsed().as_secs_f64()
    }

    /// What all have found.
    #[must_use]
    pub fn totals(&self) -> Totals {
        lock(&self.totals).clone()
    }

    /// How far the search has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let totals = lock(&self.totals);
        let threads = self.network.threads();
        let shares = totals.portions.chunks(threads).zip(totals.sent_by.chunks(threads));
        let share = |(states, sent): (&[u64], &[u64])| Share {
            states: states.iter().sum(),
            sent: sent.iter().sum(),
        };
        Progress {
            levels: totals.levels.len() as u64,
            states: totals.states,
            frontier: totals.states - totals.expanded,
            edges: totals.edges,
            last_levels: totals.last_levels(),
            sent: totals.sent,
            skew: totals.skew(),
            shares: shares.map(share).collect(),
            states_here: self.live.states.load(Ordering::Relaxed),
            expanded_here: self.live.expanded.load(Ordering::Relaxed),
            seconds: self.began.elapsed().as_secs_f64(),
        }
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Arc<dyn Network> {
        &self.network
    }

    /// Looks at what a worker of this process holds: its states, and the space that understands them.
    pub fn look<T>(&self, worker: usize, look: impl FnOnce(&Portion, &mut S) -> T) -> T {
        let Worker { space, portion, .. } = &mut *lock(&self.workers[worker]);
        look(portion, space)
    }

    /// Has every process tell all others something, and gives what they said, in their order.
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone.
    pub fn exchange(&self, said: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost> {
        exchange_on(&*self.network, said)
    }

    /// How often each label was fired, in all.
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone.
    pub fn fired(&self) -> Result<Fired, Lost> {
        let mut here = Fired::default();
        for worker in 0..self.workers.len() {
            self.look(worker, |portion, _| {
                portion.found.fired.iter().for_each(|(label, modes)| here.add(label, modes));
            });
        }
        let here = self.look(0, |_, space| told_fired(&here, space));
        let mut all = Fired::default();
        for said in self.exchange(serde_json::to_vec(&here).expect("numbers"))? {
            let fired: Vec<ToldFired> = understood(&said)?;
            self.look(0, |_, space| add_fired(fired, &mut all, space));
        }
        Ok(all)
    }

    /// Gives the spaces back, with what workers hold.
    pub fn into_parts(self) -> Vec<(S, Portion)> {
        let workers = self.workers.into_iter().map(|worker| {
            let worker = Arc::into_inner(worker).expect("no work is under way");
            let Worker { space, portion, .. } =
                worker.into_inner().unwrap_or_else(PoisonError::into_inner);
            (space, portion)
        });
        workers.collect()
    }

    /// Has every worker do something.
    pub(super) fn each(
        &self,
        idle: &mut dyn FnMut(),
        work: impl Fn(usize, &mut Worker<S>, &mut dyn Mailbox) -> Result<(), Lost>
        + Clone
        + Send
        + 'static,
    ) -> Result<(), Lost> {
        let each = self.workers.iter().enumerate().map(|(number, worker)| {
            let (worker, work) = (worker.clone(), work.clone());
            Box::new(move |mailbox: &mut dyn Mailbox| work(number, &mut lock(&worker), mailbox))
                as Work
        });
        self.network.run(each.collect(), idle)
    }
}

/// How often a label was fired, as it is told: its name, if it has one, and its number.
pub(super) type ToldFired = (Option<String>, u32, u64);

/// What was fired, as every process understands it.
pub(super) fn told_fired<S: Space>(fired: &Fired, space: &S) -> Vec<ToldFired> {
    let name = |label| space.label_name(label).map(|name| name.to_string());
    fired.iter().map(|(label, modes)| (name(label), label, modes)).collect()
}

/// Adds what another process has fired.
pub(super) fn add_fired<S: Space>(told: Vec<ToldFired>, fired: &mut Fired, space: &mut S) {
    for (name, label, modes) in told {
        fired.add(name.map_or(label, |name| space.label(&name)), modes);
    }
}

/// Has every process of a network tell all others something, and gives what they said, in their order.
///
/// # Errors
///
/// If a process or a worker is gone.
pub fn exchange_on(network: &dyn Network, said: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost> {
    let threads = network.threads();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let work = (0..threads).map(|number| {
        let said = if number == 0 { said.clone() } else { Vec::new() };
        let heard = heard.clone();
        Box::new(move |mailbox: &mut dyn Mailbox| {
            let all = exchange(mailbox, &said)?;
            if number == 0 {
                *lock(&heard) = all.into_iter().step_by(mailbox.threads()).collect();
            }
            Ok(())
        }) as Work
    });
    network.run(work.collect(), &mut || {})?;
    Ok(std::mem::take(&mut *lock(&heard)))
}

/// Tells all others what this worker has found, and takes what they tell.
pub(super) fn agree<S: Space>(
    worker: &mut Worker<S>,
    mailbox: &mut dyn Mailbox,
    shared: &Mutex<Totals>,
    most_states: u64,
    pause: bool,
) -> Result<(), Lost> {
    let report = serde_json::to_vec(&worker.report(pause)).expect("it is made of numbers");
    let reports = exchange(mailbox, &report)?;
    let reports: Result<Vec<Report>, Lost> = reports.iter().map(|said| understood(said)).collect();
    let reports = reports?;
    worker.totals.take(&reports, most_states);
    // For those who watch, one of the workers of each process is enough.
    if mailbox.index().is_multiple_of(mailbox.threads()) {
        lock(shared).take(&reports, most_states);
    }
    Ok(())
}

/// What another process has said.
pub(super) fn understood<'s, T: serde::Deserialize<'s>>(said: &'s [u8]) -> Result<T, Lost> {
    serde_json::from_slice(said)
        .map_err(|error| Lost(format!("another process says what makes no sense: {error}")))
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
