//! Answers and refusals as HTTP has them.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use explorer::{Code, Refusal};

/// What JSON is called.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An answer.
pub(crate) fn json(text: Vec<u8>) -> Response {
    content(JSON, text)
}

/// Something of this type.
pub(crate) fn content(media_type: HeaderValue, content: impl Into<Body>) -> Response {
    let mut response = Response::new(content.into());
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response
}

/// A refusal.
pub(crate) fn refusal(refusal: &Refusal) -> Response {
    let mut response = json(refusal.to_json().to_string().into_bytes());
    *response.status_mut() = status(refusal.code());
    if refusal.code() == Code::Unauthorized {
        let challenge = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

pub(crate) fn status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
