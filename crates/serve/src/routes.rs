//! Which path is what.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use explorer::{Code, Explorer, Refusal};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Value as Json, json};
use tokio::time::{Instant, timeout_at};

use crate::Bounds;
use crate::events::Events;
use crate::guard::{Guard, guard};
use crate::jobs::Jobs;
use crate::operations::{Operations, too_long};
use crate::reply;
use crate::watch::Missing;

const OPERATIONS: &str = "/api/v1/";

/// What requests are answered from.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) explorer: Arc<Explorer>,
    pub(crate) operations: Operations,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) events: Events,
    pub(crate) missing: Missing,
    pub(crate) bounds: Bounds,
}

/// All paths, behind the guard.
pub(crate) fn router(app: Arc<App>, guarded: Guard) -> Router {
    let mut router = Router::new();
    for file in page::files() {
        let give = async || reply::content(HeaderValue::from_static(file.media_type), file.content);
        router = router.route(file.path, get(give));
    }
    router
        .route("/api/v1/events", get(events))
        .route("/api/v1/{operation}", post(operation))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(from_fn_with_state(Arc::new(guarded), guard))
        .with_state(app)
}

async fn not_found() -> Response {
    reply::refusal(&Refusal::new(Code::NotFound, "there is nothing at this path"))
}

async fn method_not_allowed(method: Method) -> Response {
    let message = format!("nothing can be asked here with {method}");
    reply::refusal(&Refusal::new(Code::MethodNotAllowed, message))
}

async fn events(State(app): State<Arc<App>>) -> Response {
    let media_type = HeaderValue::from_static("application/x-ndjson");
    reply::content(media_type, app.events.stream())
}

async fn operation(State(app): State<Arc<App>>, request: Request) -> Response {
    match answer(app, request).await {
        Ok(text) => reply::json(text),
        Err(refusal) => reply::refusal(&refusal),
    }
}

/// Answers an operation. Reading the request, waiting for a place and working on it all count into the time.
async fn answer(app: Arc<App>, request: Request) -> Result<Vec<u8>, Refusal> {
    let deadline = Instant::now() + app.bounds.answer_time;
    let path = request.uri().path();
    let name = path.strip_prefix(OPERATIONS).unwrap_or_default().to_owned();
    let body = match timeout_at(deadline, body(request, app.bounds.request_bytes)).await {
        Ok(body) => body?,
        Err(_) => return Err(too_long("the request did not come in time")),
    };
    let this = Arc::clone(&app);
    let work = move |budget: &_| this.answer(&name, &body, budget);
    app.operations.work(deadline, work).await
}

/// The body of a request.
async fn body(request: Request, most: usize) -> Result<Bytes, Refusal> {
    let too_large = || {
        let message = format!("a request has at most {most} bytes");
        Refusal::new(Code::TooLarge, message)
    };
    // What is announced as too large is not read at all.
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    match Limited::new(request.into_body(), most).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
        Err(_) => Err(Refusal::new(Code::BadRequest, "the request ended too early")),
    }
}

impl App {
    /// Answers an operation, on a thread that may take its time.
    fn answer(
        &self,
        operation: &str,
        request: &[u8],
        budget: &budget::Budget,
    ) -> Result<Vec<u8>, Refusal> {
        let answer = match operation {
            "job" => self.jobs.state_of(job_of(request)?),
            "stop" => self.jobs.stop(job_of(request)?),
            "models" => self.explorer.ask(operation, request, budget).map(|mut models| {
                self.tell_missing(&mut models);
                models
            }),
            job if Explorer::is_job(job) => {
                let place = self.jobs.place()?;
                let job = self.explorer.begin(job, request, budget)?;
                self.jobs.start(job, place).map(|id| json!({ "job": id }))
            }
            _ => self.explorer.ask(operation, request, budget),
        }?;
        Operations::text(&answer, self.operations.answer_bytes())
    }

    /// Says of each model whether its file is missing.
    fn tell_missing(&self, models: &mut Json) {
        let models = models.get_mut("models").and_then(Json::as_array_mut);
        for model in models.into_iter().flatten() {
            let why = model["name"].as_str().and_then(|name| self.missing.why(name));
            if let Json::Object(fields) = model {
                fields.insert("missing".into(), why.into());
            }
        }
    }
}

/// The job that a request is about.
fn job_of(request: &[u8]) -> Result<u64, Refusal> {
    let bad = |message: String| Refusal::new(Code::BadRequest, message);
    let request: Json = serde_json::from_slice(request)
        .map_err(|error| bad(format!("the request cannot be read: {error}")))?;
    let job = request.get("job").and_then(Json::as_u64);
    job.ok_or_else(|| bad("a request has a field `job`, the number of a job".into()))
}
