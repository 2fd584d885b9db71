//! The models that can be looked at, and who answers what.

use std::sync::{Arc, PoisonError, RwLock};

use budget::Budget;
use diagnostics::nearest;
use lang::Override;
use serde_json::Value as Json;

use crate::job::{self, Job};
use crate::model::{Generation, Model, Written};
use crate::operation;
use crate::reading::GoOptions;
use crate::refusal::{Code, Refusal};
use crate::request::Subject;

/// Where the engine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Beside files, which are read again when they change.
    Server,
    /// In a browser, where texts are replaced.
    Playground,
}

impl Host {
    /// How it is called in answers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Host::Server => "server",
            Host::Playground => "playground",
        }
    }
}

/// The text of a model.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// What is shown to people. A name that ends with `.pnml` means PNML, all others the language of `.kin` files.
    pub file: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Constants given from outside, each at most once.
    pub set: Vec<Override>,
    /// How it is read, if it is a Go program.
    pub go: GoOptions,
}

/// That a text was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// How often the text of the model was read.
    pub generation: u64,
    /// Whether there is no error in it.
    pub is_right: bool,
}

/// The models that can be looked at, and what is known of them.
#[derive(Debug)]
pub struct Explorer {
    host: Host,
    /// In the order in which they were read first.
    models: RwLock<Vec<Arc<Model>>>,
}

impl Explorer {
    /// No models yet.
    #[must_use]
    pub fn new(host: Host) -> Explorer {
        Explorer { host, models: RwLock::default() }
    }

    /// Reads the text of a model, for the first time or again. That takes about linear time, and is not cut short when
    /// the budget ends.
    pub fn read(&self, name: &str, text: Text, _budget: &Budget) -> Read {
        let written = Written::of(text);
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        let generation = match models.iter().find(|model| model.name() == name) {
            Some(model) => model.renew(written),
            None => {
                let model = Arc::new(Model::new(name, written));
                models.push(model.clone());
                model.newest()
            }
        };
        Read { generation: generation.number, is_right: generation.view().is_ok() }
    }

    /// Answers an operation that is no job. `request` is a JSON object.
    ///
    /// # Errors
    /// If there is no answer: the request is wrong, or the budget was used up before.
    pub fn ask(&self, operation: &str, request: &[u8], budget: &Budget) -> Result<Json, Refusal> {
        operation::answer(self, operation, request, budget)
    }

    /// Whether an operation is a job.
    #[must_use]
    pub fn is_job(operation: &str) -> bool {
        job::is_job(operation)
    }

    /// Prepares a job. What can be said at once of its request is said here.
    ///
    /// # Errors
    /// If the request is wrong, or the budget was used up before.
    pub fn begin(&self, operation: &str, request: &[u8], budget: &Budget) -> Result<Job, Refusal> {
        job::begin(self, operation, request, budget)
    }

    pub(crate) fn host(&self) -> Host {
        self.host
    }

    /// All models.
    pub(crate) fn models(&self) -> Vec<Arc<Model>> {
        self.models.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The model with this name.
    pub(crate) fn model(&self, name: &str) -> Result<Arc<Model>, Refusal> {
        let models = self.models();
        if let Some(model) = models.iter().find(|model| model.name() == name) {
            return Ok(model.clone());
        }
        let names = models.iter().map(|model| model.name());
        Err(Refusal::new(Code::NoSuchModel, no_such("model", name, names)))
    }

    /// The newest generation of the model that is asked for, which must be that which the request means.
    pub(crate) fn generation(&self, subject: &Subject) -> Result<Arc<Generation>, Refusal> {
        let model = self.model(&subject.model)?;
        let newest = model.newest();
        match subject.generation {
            Some(meant) if meant != newest.number => {
                let message = format!(
                    "`{}` has been read again: this is its generation {}, not {meant}",
                    subject.model, newest.number
                );
                Err(Refusal::new(Code::Outdated, message).with("generation", newest.number))
            }
            _ => Ok(newest),
        }
    }
}

/// That there is no `kind` with this name, and which there are.
pub(crate) fn no_such<'n>(
    kind: &str,
    name: &str,
    known: impl Iterator<Item = &'n str> + Clone,
) -> String {
    const MOST_LISTED: usize = 20;
    let help = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => match known.clone().take(MOST_LISTED).collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "there are none".into(),
            names if known.count() > MOST_LISTED => format!("there are: {names}, …"),
            names => format!("there are: {names}"),
        },
    };
    format!("there is no {kind} named `{}`; {help}", draw::cut(name, 60))
}
