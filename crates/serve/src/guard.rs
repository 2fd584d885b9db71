//! Who may ask, and what browsers may do with the answers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use explorer::{Code, Refusal};

use crate::own::Own;
use crate::reply;
use crate::token::Token;

/// Nothing is loaded but the page's own files, and nothing is asked but this server. Pictures may be made in the page.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// What goes with every answer.
const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// What a request must show.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) own: Own,
    pub(crate) token: Token,
}

/// Lets those through who may ask.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match guard.admit(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => reply::refusal(&refusal),
    };
    response.headers_mut().extend(HEADERS);
    response
}

impl Guard {
    fn admit(&self, request: &Request) -> Result<(), Refusal> {
        self.check_host(request)?;
        self.check_origin(request.headers())?;
        let path = request.uri().path();
        if path == "/api" || path.starts_with("/api/") {
            self.check_token(request.headers())?;
        }
        Ok(())
    }

    /// The host is named once, or twice alike where the whole URL is asked for.
    fn check_host(&self, request: &Request) -> Result<(), Refusal> {
        let is_own = |host: &HeaderValue| host.to_str().is_ok_and(|host| self.own.is_host(host));
        let mut hosts = request.headers().get_all(header::HOST).iter();
        let is_named = hosts.next().is_some_and(is_own) && hosts.next().is_none();
        let uri = request.uri();
        let is_meant = uri.authority().is_none_or(|host| self.own.is_host(host.as_str()))
            && uri.scheme_str().is_none_or(|scheme| scheme == "http");
        if is_named && is_meant {
            return Ok(());
        }
        let url = self.own.url();
        let message = format!("this server is asked by its own address only, which is {url}");
        Err(Refusal::new(Code::Forbidden, message))
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let is_own = |origin: &HeaderValue| origin.to_str().is_ok_and(|o| self.own.is_origin(o));
        if headers.get_all(header::ORIGIN).iter().all(is_own) {
            return Ok(());
        }
        let message = "pages of other origins may not ask this server";
        Err(Refusal::new(Code::Forbidden, message))
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut said = headers.get_all(header::AUTHORIZATION).iter();
        let (first, more) = (said.next(), said.next());
        let token = first.and_then(|value| bearer(value.as_bytes()));
        let message = match (token, more) {
            (Some(token), None) if self.token.is(token) => return Ok(()),
            (None, _) => {
                "the token is missing: send what stands behind `#token=` in the link, as \
                 `Authorization: Bearer TOKEN`"
            }
            _ => "the token is wrong: each start of the server has its own, open the newest link",
        };
        Err(Refusal::new(Code::Unauthorized, message))
    }
}

/// The token in `Bearer TOKEN`.
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| token.trim_ascii())
}
