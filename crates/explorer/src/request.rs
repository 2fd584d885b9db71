//! What is asked: JSON objects, one type for each operation. Fields that nobody knows are ignored.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use trace::Back;

use crate::refusal::{Code, Refusal};

/// Reads a request.
///
/// # Errors
/// If it is no JSON object, a field is missing or not what it should be.
pub(crate) fn read<T: DeserializeOwned>(request: &[u8]) -> Result<T, Refusal> {
    // A sequence would be read as the fields in their order.
    if !request.trim_ascii_start().starts_with(b"{") {
        return Err(Refusal::new(Code::BadRequest, "a request is a JSON object"));
    }
    serde_json::from_slice(request).map_err(|error| {
        Refusal::new(Code::BadRequest, format!("the request cannot be read: {error}"))
    })
}

/// Which model.
#[derive(Debug, Deserialize)]
pub(crate) struct Subject {
    pub(crate) model: String,
    pub(crate) generation: Option<u64>,
    /// The text that was typed in for which the net is, if it is not that of the model.
    pub(crate) with: Option<String>,
}

/// Nothing.
#[derive(Debug, Deserialize)]
pub(crate) struct Nothing {}

/// A run.
#[derive(Debug, Deserialize)]
pub(crate) struct OfRun {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    #[serde(default)]
    pub(crate) run: Vec<u32>,
}

/// `run`.
#[derive(Debug, Deserialize)]
pub(crate) struct RunRequest {
    #[serde(flatten)]
    pub(crate) of: OfRun,
    pub(crate) property: Option<String>,
    #[serde(rename = "loop")]
    pub(crate) back: Option<Back>,
}

/// `state`.
#[derive(Debug, Deserialize)]
pub(crate) struct StateRequest {
    #[serde(flatten)]
    pub(crate) of: OfRun,
    pub(crate) at: Option<usize>,
}

/// `why`.
#[derive(Debug, Deserialize)]
pub(crate) struct WhyRequest {
    #[serde(flatten)]
    pub(crate) of: OfRun,
    pub(crate) line: usize,
    pub(crate) column: Option<usize>,
}

/// `random`.
#[derive(Debug, Deserialize)]
pub(crate) struct RandomRequest {
    #[serde(flatten)]
    pub(crate) of: OfRun,
    pub(crate) steps: usize,
    pub(crate) seed: Option<u64>,
    pub(crate) until: Option<UntilRequest>,
}

/// When to stop.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct UntilRequest {
    pub(crate) predicate: Option<String>,
    pub(crate) line: Option<usize>,
    pub(crate) deadlock: Option<bool>,
}

/// `graph`.
#[derive(Debug, Deserialize)]
pub(crate) struct GraphRequest {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    pub(crate) run: Option<Vec<u32>>,
    #[serde(default)]
    pub(crate) grow: Vec<u32>,
    pub(crate) depth: Option<u32>,
    pub(crate) most: Option<usize>,
    #[serde(default)]
    pub(crate) whole: bool,
}

/// `way`.
#[derive(Debug, Deserialize)]
pub(crate) struct WayRequest {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    pub(crate) run: Option<Vec<u32>>,
    pub(crate) class: u32,
}

/// `export`.
#[derive(Debug, Deserialize)]
pub(crate) struct ExportRequest {
    #[serde(flatten)]
    pub(crate) run: RunRequest,
    pub(crate) format: String,
}

/// `carry`.
#[derive(Debug, Deserialize)]
pub(crate) struct CarryRequest {
    pub(crate) model: String,
    pub(crate) generation: Option<u64>,
    pub(crate) with: Option<String>,
    pub(crate) run: Option<Vec<u32>>,
    pub(crate) trace: Option<serde_json::Value>,
}

/// `write`.
#[derive(Debug, Deserialize)]
pub(crate) struct WriteRequest {
    pub(crate) model: String,
    pub(crate) source: String,
}

/// `check`.
#[derive(Debug, Deserialize)]
pub(crate) struct CheckRequest {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    pub(crate) properties: Option<Vec<String>>,
    pub(crate) text: Option<String>,
    pub(crate) fairness: Option<String>,
    #[serde(flatten)]
    pub(crate) limits: LimitsRequest,
}

/// `search`.
#[derive(Debug, Deserialize)]
pub(crate) struct SearchRequest {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    pub(crate) predicate: String,
    #[serde(flatten)]
    pub(crate) limits: LimitsRequest,
}

/// `coverage`.
#[derive(Debug, Deserialize)]
pub(crate) struct CoverageRequest {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    #[serde(flatten)]
    pub(crate) limits: LimitsRequest,
}

/// What a job may use.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct LimitsRequest {
    /// In MiB.
    pub(crate) memory: Option<u64>,
    pub(crate) seconds: Option<f64>,
}
