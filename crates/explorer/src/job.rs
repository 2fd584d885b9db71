//! What takes long: it is begun, and then runs beside what is answered at once.

mod check;
mod coverage;
mod progress;
mod search;
mod shown;
mod verdict;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use budget::{Budget, Exhausted, Limits};
use serde_json::Value as Json;
use survey::Plan;

use crate::explorer::{Explorer, Host, no_such};
use crate::model::Generation;
use crate::refusal::{Code, Refusal};
use crate::request::{self, CheckRequest, CoverageRequest, LimitsRequest, SearchRequest, Subject};
use check::Check;
use coverage::Coverage;
use search::Search;

/// The operations that are jobs.
const NAMES: [&str; 3] = ["check", "search", "coverage"];

/// Whether an operation is a job.
pub(crate) fn is_job(operation: &str) -> bool {
    NAMES.contains(&operation)
}

/// Something that takes long, ready to run on a thread of its own.
#[derive(Debug)]
pub struct Job {
    model: String,
    generation: Arc<Generation>,
    limits: Limits,
    /// The threads that it may work on.
    threads: usize,
    task: Task,
}

/// What is to be done.
#[derive(Debug)]
enum Task {
    Check(Check),
    Search(Search),
    Coverage(Coverage),
}

/// What is told while a job runs, with the fields of the events of `docs/serve.md` but `event` and `job`.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// How far it has come.
    Progress(Json),
    /// What was found of a property.
    Verdict(Json),
    /// What was found.
    Result(Json),
}

/// How a job has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndState {
    /// It has done what it was asked, as far as its limits go.
    Done,
    /// Somebody has stopped it. What was told until then holds.
    Stopped,
    /// It could not do it.
    Failed,
}

impl EndState {
    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EndState::Done => "done",
            EndState::Stopped => "stopped",
            EndState::Failed => "failed",
        }
    }
}

/// The end of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// How it has ended.
    pub state: EndState,
    /// Why it failed, or which limit has ended it.
    pub why: Option<String>,
}

impl End {
    /// The end of what was not ended by anybody, or by the budget.
    fn of(budget: &Budget, is_open: bool) -> End {
        match budget.exhausted().filter(|_| is_open) {
            None => End { state: EndState::Done, why: None },
            Some(Exhausted::Interrupted) => End { state: EndState::Stopped, why: None },
            Some(limit) => End { state: EndState::Done, why: Some(limit.to_string()) },
        }
    }

    fn failed(why: impl ToString) -> End {
        End { state: EndState::Failed, why: Some(why.to_string()) }
    }
}

impl Job {
    /// The operation that it is.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        match self.task {
            Task::Check(_) => "check",
            Task::Search(_) => "search",
            Task::Coverage(_) => "coverage",
        }
    }

    /// The name of the model that it is about.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The generation of the model that it is about.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.number
    }

    /// The limits that it was asked to keep. Its budget is to be made with these; where there is none on memory,
    /// whoever runs it should set one.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Works until it is done or the budget ends. News are told as they come. What was found is told also where the
    /// budget has ended it.
    pub fn run(self, budget: &Budget, tell: &mut dyn FnMut(News)) -> End {
        // Classes are those of the page, all of whose states can be walked to.
        let (budget, threads) = (budget.clone(), self.threads);
        let plan = Plan { budget, threads, precise: true, ..Plan::default() };
        match self.task {
            Task::Check(check) => check.run(plan, tell),
            Task::Search(search) => search.run(plan, tell),
            Task::Coverage(coverage) => coverage.run(plan, &self.generation, tell),
        }
    }
}

/// Prepares a job.
pub(crate) fn begin(
    explorer: &Explorer,
    operation: &str,
    request: &[u8],
    budget: &Budget,
) -> Result<Job, Refusal> {
    budget.check()?;
    match operation {
        "check" => {
            let CheckRequest { subject, properties, text, fairness, limits } =
                request::read(request)?;
            job(explorer, subject, &limits, |generation| {
                let check = Check::of(generation, properties, text, fairness.as_deref());
                check.map(Task::Check)
            })
        }
        "search" => {
            let SearchRequest { subject, predicate, limits } = request::read(request)?;
            job(explorer, subject, &limits, |generation| {
                Search::of(generation, &predicate).map(Task::Search)
            })
        }
        "coverage" => {
            let CoverageRequest { subject, limits } = request::read(request)?;
            job(explorer, subject, &limits, |generation| {
                Coverage::of(generation).map(Task::Coverage)
            })
        }
        _ => {
            let message = no_such("operation", operation, NAMES.into_iter());
            Err(Refusal::new(Code::NotFound, message))
        }
    }
}

/// A job on a model.
fn job(
    explorer: &Explorer,
    subject: Subject,
    limits: &LimitsRequest,
    task: impl FnOnce(&Generation) -> Result<Task, Refusal>,
) -> Result<Job, Refusal> {
    let limits = limits_of(limits)?;
    let generation = explorer.generation(&subject)?;
    let task = task(&generation)?;
    Ok(Job { model: subject.model, generation, limits, threads: threads(explorer.host()), task })
}

/// The threads that a job may work on. Where there are several cores, one is left for answers.
fn threads(host: Host) -> usize {
    match host {
        Host::Playground => 1,
        Host::Server => {
            let cores = thread::available_parallelism().map_or(1, usize::from);
            (cores - 1).clamp(1, 256)
        }
    }
}

fn limits_of(request: &LimitsRequest) -> Result<Limits, Refusal> {
    let time = request.seconds.map(Duration::try_from_secs_f64).transpose().map_err(|_| {
        Refusal::new(Code::BadRequest, "`seconds` is a number that is not negative, nor too large")
    })?;
    let memory = request.memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
    Ok(Limits { time, memory, steps: None })
}
