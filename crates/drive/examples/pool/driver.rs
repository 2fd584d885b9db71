//! How the pool is made to do what `models/pool.kin` says.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use drive::{Identities, Mismatch, Observation, Run, Seen, Step, Subject, Value};

use crate::pool::{Hook, Kind, Pool, Worker};

/// A worker that has not answered by then is taken to hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// Those who take part in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Who grows and shrinks the pool.
    Keeper,
    Worker(Worker),
}

/// What a worker says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Looked(Option<Kind>),
    Finished,
}

/// A worker's end of its line to the driver.
struct Line {
    orders: Receiver<Kind>,
    events: Sender<Event>,
}

impl Hook for Line {
    fn look(&mut self) -> Option<Option<Kind>> {
        // Without a driver there is nothing more to do.
        self.orders.recv().ok().map(Some)
    }
    fn looked(&mut self, found: Option<Kind>) {
        let _ = self.events.send(Event::Looked(found));
    }
    fn finished(&mut self) {
        let _ = self.events.send(Event::Finished);
    }
}

/// The driver's ends.
type Lines = Arc<Mutex<BTreeMap<Worker, (Sender<Kind>, Receiver<Event>)>>>;

/// Jobs stop here until their worker may finish, or all may.
#[derive(Default)]
struct Gate {
    open_to: Mutex<(BTreeSet<Worker>, bool)>,
    changed: Condvar,
}

impl Gate {
    fn pass(&self, worker: Worker) {
        let open_to = self.open_to.lock().expect("nobody panics");
        let shut =
            |open_to: &mut (BTreeSet<Worker>, bool)| !open_to.1 && !open_to.0.remove(&worker);
        drop(self.changed.wait_while(open_to, shut).expect("nobody panics"));
    }

    fn open(&self, worker: Option<Worker>) {
        let mut open_to = self.open_to.lock().expect("nobody panics");
        match worker {
            Some(worker) => drop(open_to.0.insert(worker)),
            None => open_to.1 = true,
        }
        self.changed.notify_all();
    }
}

/// A pool that does nothing by itself.
pub struct DrivenPool {
    pool: Pool,
    lines: Lines,
    gate: Arc<Gate>,
}

impl DrivenPool {
    pub fn new(most_workers: usize, capacity: usize, is_forgetful: bool) -> DrivenPool {
        let lines = Lines::default();
        let known = Arc::clone(&lines);
        let hook = move |worker: Worker| {
            let ((order, orders), (event, events)) = (channel(), channel());
            known.lock().expect("nobody panics").insert(worker, (order, events));
            Box::new(Line { orders, events: event }) as Box<dyn Hook>
        };
        let pool = Pool::new(most_workers, capacity, is_forgetful, Box::new(hook));
        DrivenPool { pool, lines, gate: Arc::default() }
    }

    /// What a worker says next, after it was told to look for a job if one is given.
    fn ask(&self, worker: Worker, order: Option<Kind>) -> Result<Event, Mismatch> {
        let lines = self.lines.lock().expect("nobody panics");
        let silent = |seen: &str| Mismatch {
            expected: format!("worker {worker} answers"),
            seen: seen.to_owned(),
        };
        let (orders, events) =
            lines.get(&worker).ok_or_else(|| silent("there is no such worker"))?;
        if let Some(kind) = order {
            orders.send(kind).map_err(|_| silent("it has left"))?;
        }
        events.recv_timeout(PATIENCE).map_err(|_| silent("nothing for a minute"))
    }
}

impl Drop for DrivenPool {
    /// Lets all threads end, so that the pool can wait for them.
    fn drop(&mut self) {
        self.lines.lock().expect("nobody panics").clear();
        self.gate.open(None);
    }
}

fn kind(name: &str) -> Result<Kind, Mismatch> {
    match name {
        "reading" => Ok(Kind::Reading),
        "writing" => Ok(Kind::Writing),
        other => Err(Mismatch { expected: "a kind of job".to_owned(), seen: other.to_owned() }),
    }
}

fn name(kind: Kind) -> String {
    match kind {
        Kind::Reading => "reading".to_owned(),
        Kind::Writing => "writing".to_owned(),
    }
}

fn check(is_so: bool, expected: &str, seen: &str) -> Result<(), Mismatch> {
    let mismatch = || Mismatch { expected: expected.to_owned(), seen: seen.to_owned() };
    is_so.then_some(()).ok_or_else(mismatch)
}

fn worker(step: &Step, who: &Identities<Who>) -> Result<Worker, Mismatch> {
    match who.real(step.variable("w")?)? {
        Who::Worker(worker) => Ok(*worker),
        Who::Keeper => {
            Err(Mismatch { expected: "a worker".to_owned(), seen: "the keeper".to_owned() })
        }
    }
}

impl Subject for DrivenPool {
    type Identity = Who;

    fn start(&mut self, run: &Run, who: &mut Identities<Who>) -> Result<(), Mismatch> {
        let mut threads = run.initial.eta.keys();
        threads.try_for_each(|pid| who.bind(&Value::pid(pid), Who::Keeper))
    }

    fn step(&mut self, step: &Step, who: &mut Identities<Who>) -> Result<(), Mismatch> {
        match step.transition.as_str() {
            "submit" => {
                let gate = Arc::clone(&self.gate);
                let is_in = self
                    .pool
                    .submit(kind(step.name("job")?)?, Box::new(move |worker| gate.pass(worker)));
                check(is_in, "the job is put into the queue", "the queue is full")
            }
            "grow" => {
                let worker = self.pool.grow();
                check(worker.is_some(), "a worker is started", "nobody is")?;
                let mut born = step.born.iter().zip(worker);
                born.try_for_each(|(pid, worker)| who.bind(&Value::pid(pid), Who::Worker(worker)))
            }
            "fetch" => {
                let (worker, wanted) = (worker(step, who)?, kind(step.name("job")?)?);
                let event = self.ask(worker, Some(wanted))?;
                let expected = format!("worker {worker} takes a job that is {}", name(wanted));
                let seen = match event {
                    Event::Looked(None) => "it finds none that may run now".to_owned(),
                    other => format!("{other:?}"),
                };
                check(event == Event::Looked(Some(wanted)), &expected, &seen)
            }
            "finish" => {
                let worker = worker(step, who)?;
                self.gate.open(Some(worker));
                let event = self.ask(worker, None)?;
                check(event == Event::Finished, "the job is done", &format!("{event:?}"))
            }
            "shrink" => {
                let worker = worker(step, who)?;
                check(self.pool.shrink(worker), "the worker may go", "it may not")?;
                self.lines.lock().expect("nobody panics").remove(&worker);
                Ok(())
            }
            other => Err(Mismatch::unknown(other)),
        }
    }

    fn observe(&mut self) -> Observation<Who> {
        let seen = self.pool.snapshot();
        let size = (seen.idle.len() + seen.busy.len()) as i64;
        let busy = seen.busy.iter();
        Observation::new()
            .place("pool", [vec![Seen::Who(Who::Keeper), Seen::Int(size)]])
            .place("idle", seen.idle.iter().map(|worker| vec![Seen::Who(Who::Worker(*worker))]))
            .place(
                "busy",
                busy.map(|(worker, kind)| {
                    vec![Seen::Who(Who::Worker(*worker)), Seen::Name(name(*kind))]
                }),
            )
            .place("queue", seen.queued.iter().map(|kind| vec![Seen::Name(name(*kind))]))
            .place("free", (0..seen.free).map(|_| Vec::new()))
    }
}
