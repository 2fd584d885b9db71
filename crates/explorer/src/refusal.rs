//! Why there is no answer.

use std::fmt;

use budget::Exhausted;
use serde_json::{Map, Value as Json, json};

/// The kinds of refusals, as `docs/serve.md` lists them. Some are for those who run the explorer: it has no
/// connections of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// What is asked is not in the form of a request.
    BadRequest,
    /// No token, or a wrong one.
    Unauthorized,
    /// Another host or origin.
    Forbidden,
    /// No such path or operation.
    NotFound,
    /// No such model.
    NoSuchModel,
    /// No such job.
    NoSuchJob,
    /// No such class.
    NoSuchClass,
    /// The path is asked in another way.
    MethodNotAllowed,
    /// The model has errors.
    ModelWrong,
    /// The model has been read again since.
    Outdated,
    /// The run takes a step that is not there.
    NoSuchStep,
    /// The request, or what would be answered, is too large.
    TooLarge,
    /// What is asked has no answer here.
    Refused,
    /// Too many at once.
    TooMany,
    /// A fault of Kinfold.
    Internal,
    /// It took longer than allowed.
    TooLong,
}

impl Code {
    /// All of them.
    pub const ALL: [Code; 16] = [
        Code::BadRequest,
        Code::Unauthorized,
        Code::Forbidden,
        Code::NotFound,
        Code::NoSuchModel,
        Code::NoSuchJob,
        Code::NoSuchClass,
        Code::MethodNotAllowed,
        Code::ModelWrong,
        Code::Outdated,
        Code::NoSuchStep,
        Code::TooLarge,
        Code::Refused,
        Code::TooMany,
        Code::Internal,
        Code::TooLong,
    ];

    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Code::BadRequest => "bad_request",
            Code::Unauthorized => "unauthorized",
            Code::Forbidden => "forbidden",
            Code::NotFound => "not_found",
            Code::NoSuchModel => "no_such_model",
            Code::NoSuchJob => "no_such_job",
            Code::NoSuchClass => "no_such_class",
            Code::MethodNotAllowed => "method_not_allowed",
            Code::ModelWrong => "model_wrong",
            Code::Outdated => "outdated",
            Code::NoSuchStep => "no_such_step",
            Code::TooLarge => "too_large",
            Code::Refused => "refused",
            Code::TooMany => "too_many",
            Code::Internal => "internal",
            Code::TooLong => "too_long",
        }
    }

    /// The status of HTTP that it comes with.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            Code::BadRequest => 400,
            Code::Unauthorized => 401,
            Code::Forbidden => 403,
            Code::NotFound | Code::NoSuchModel | Code::NoSuchJob | Code::NoSuchClass => 404,
            Code::MethodNotAllowed => 405,
            Code::ModelWrong | Code::Outdated | Code::NoSuchStep => 409,
            Code::TooLarge => 413,
            Code::Refused => 422,
            Code::TooMany => 429,
            Code::Internal => 500,
            Code::TooLong => 503,
        }
    }
}

/// Why there is no answer: a code, a text that says what to do, and perhaps more for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    code: Code,
    message: String,
    more: Map<String, Json>,
}

impl Refusal {
    /// A refusal with nothing more to say.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), more: Map::new() }
    }

    /// Says more, for programs.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Json>) -> Refusal {
        self.more.insert(field.to_owned(), value.into());
        self
    }

    /// Its kind.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// What it says.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// As it is answered.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut error = self.more.clone();
        error.insert("code".into(), self.code.name().into());
        error.insert("message".into(), self.message.clone().into());
        json!({ "error": error })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl From<Exhausted> for Refusal {
    fn from(why: Exhausted) -> Refusal {
        Refusal::new(Code::TooLong, format!("{why} before there was an answer"))
    }
}
