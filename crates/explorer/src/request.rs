//! What is asked: JSON objects, one type for each operation. Fields that nobody knows are ignored.

use serde::Deserialize;
use serde::de::DeserializeOwned;

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
}
