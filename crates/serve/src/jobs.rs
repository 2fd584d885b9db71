//! What takes long: each job on a thread of its own, and what has become of it for those who ask later.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use budget::{Budget, Limits};
use explorer::{Code, End, EndState, Job, News, Refusal};
use serde_json::{Map, Value as Json, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Bounds;
use crate::events::Events;
use crate::operations::{internal, part_of_memory};
use crate::server::STACK_BYTES;

/// The time between two events that say how far a job has come.
const PROGRESS_TIME: Duration = Duration::from_millis(100);

/// The jobs of a server.
#[derive(Debug)]
pub(crate) struct Jobs {
    places: Arc<Semaphore>,
    most_ended: usize,
    budget: Budget,
    events: Events,
    table: Mutex<Table>,
    /// A job has ended.
    ended: Condvar,
}

#[derive(Debug, Default)]
struct Table {
    last: u64,
    records: BTreeMap<u64, Record>,
}

/// What is known of a job.
#[derive(Debug)]
struct Record {
    operation: &'static str,
    model: String,
    generation: u64,
    /// How it has ended, if it has.
    end: Option<End>,
    progress: Json,
    verdicts: Vec<Json>,
    result: Json,
    budget: Budget,
    /// When its progress was told last.
    told: Option<Instant>,
}

impl Record {
    /// Keeps the last word about each property.
    fn keep(&mut self, verdict: Json) {
        let number = &verdict["number"];
        match self.verdicts.iter_mut().find(|kept| !number.is_null() && kept["number"] == *number) {
            Some(kept) => *kept = verdict,
            None => self.verdicts.push(verdict),
        }
    }
}

/// The right to run a job.
pub(crate) type Place = OwnedSemaphorePermit;

impl Jobs {
    /// No jobs yet; all will be within this budget.
    pub(crate) fn new(bounds: &Bounds, budget: &Budget, events: Events) -> Jobs {
        Jobs {
            places: Arc::new(Semaphore::new(bounds.jobs)),
            most_ended: bounds.ended_jobs,
            budget: budget.clone(),
            events,
            table: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    /// A place for one more job.
    ///
    /// # Errors
    ///
    /// If there are as many as there may be.
    pub(crate) fn place(&self) -> Result<Place, Refusal> {
        self.places.clone().try_acquire_owned().map_err(|_| {
            let message = "too many jobs are under way; stop one of them, or wait for its end";
            Refusal::new(Code::TooMany, message)
        })
    }

    /// Starts a job, and gives its number.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub(crate) fn start(self: &Arc<Self>, job: Job, place: Place) -> Result<u64, Refusal> {
        let limits = job.limits();
        let memory = limits.memory.or_else(|| part_of_memory(1, 2));
        let budget = self.budget.child(Limits { memory, ..limits });
        let id = self.add(&job, budget.clone());
        let jobs = Arc::clone(self);
        let work = move || {
            let mut tell = |news| jobs.tell(id, news);
            let run = AssertUnwindSafe(|| job.run(&budget, &mut tell));
            let failed =
                |_| End { state: EndState::Failed, why: Some(internal().message().into()) };
            let end = catch_unwind(run).unwrap_or_else(failed);
            // Whoever hears of the end may start another job.
            drop(place);
            jobs.end(id, end);
        };
        let thread = thread::Builder::new().name("job".into()).stack_size(STACK_BYTES).spawn(work);
        match thread {
            Ok(_) => Ok(id),
            Err(_) => {
                self.table().records.remove(&id);
                Err(Refusal::new(Code::TooMany, "the system gives no thread for one more job"))
            }
        }
    }

    fn add(&self, job: &Job, budget: Budget) -> u64 {
        let mut table = self.table();
        table.last += 1;
        let id = table.last;
        let record = Record {
            operation: job.operation(),
            model: job.model().to_owned(),
            generation: job.generation(),
            end: None,
            progress: Json::Null,
            verdicts: Vec::new(),
            result: Json::Null,
            budget,
            told: None,
        };
        table.records.insert(id, record);
        id
    }

    /// Keeps and tells what a job says. Both under the lock, so that who asks and who listens see the same order.
    fn tell(&self, id: u64, news: News) {
        let mut table = self.table();
        let Some(record) = table.records.get_mut(&id) else { return };
        match news {
            News::Progress(progress) => {
                record.progress = progress.clone();
                if record.told.is_none_or(|told| told.elapsed() >= PROGRESS_TIME) {
                    record.told = Some(Instant::now());
                    self.events.tell(&event("progress", id, progress));
                }
            }
            News::Verdict(verdict) => {
                record.keep(verdict.clone());
                self.events.tell(&event("verdict", id, verdict));
            }
            News::Result(result) => {
                record.result = result.clone();
                self.events.tell(&event("result", id, result));
            }
        }
    }

    fn end(&self, id: u64, end: End) {
        let mut table = self.table();
        if let Some(record) = table.records.get_mut(&id) {
            let fields = json!({ "state": end.state.name(), "why": end.why });
            record.end = Some(end);
            self.events.tell(&event("end", id, fields));
        }
        let ended = table.records.iter().filter(|(_, record)| record.end.is_some());
        let ended: Vec<u64> = ended.map(|(&id, _)| id).collect();
        let too_many = ended.len().saturating_sub(self.most_ended);
        for id in &ended[..too_many] {
            table.records.remove(id);
        }
        self.ended.notify_all();
    }

    /// What has become of a job: operation `job`.
    ///
    /// # Errors
    ///
    /// If there is no such job, or it was forgotten.
    pub(crate) fn state_of(&self, id: u64) -> Result<Json, Refusal> {
        let table = self.table();
        let record = table.records.get(&id).ok_or_else(|| no_such(id))?;
        let state = record.end.as_ref().map_or("running", |end| end.state.name());
        Ok(json!({
            "job": id,
            "operation": record.operation,
            "model": record.model,
            "generation": record.generation,
            "state": state,
            "progress": record.progress,
            "verdicts": record.verdicts,
            "result": record.result,
            "why": record.end.as_ref().and_then(|end| end.why.as_deref()),
        }))
    }

    /// Asks a job to end: operation `stop`. One that has ended stays as it is.
    ///
    /// # Errors
    ///
    /// If there is no such job, or it was forgotten.
    pub(crate) fn stop(&self, id: u64) -> Result<Json, Refusal> {
        let table = self.table();
        let record = table.records.get(&id).ok_or_else(|| no_such(id))?;
        record.budget.interrupt();
        Ok(json!({}))
    }

    /// Waits until all have ended, but not for longer than this.
    pub(crate) fn wait(&self, time: Duration) {
        let is_under_way =
            |table: &mut Table| table.records.values().any(|record| record.end.is_none());
        let _ = self.ended.wait_timeout_while(self.table(), time, is_under_way);
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn no_such(id: u64) -> Refusal {
    let message = format!("there is no job {id}; jobs that ended long ago are forgotten");
    Refusal::new(Code::NoSuchJob, message)
}

/// An event about a job, with these fields.
fn event(name: &str, id: u64, fields: Json) -> Json {
    let mut event = Map::new();
    event.insert("event".into(), name.into());
    event.insert("job".into(), id.into());
    if let Json::Object(fields) = fields {
        event.extend(fields);
    }
    Json::Object(event)
}
