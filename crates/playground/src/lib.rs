//! The engine of the playground: the explorer, to be compiled to WebAssembly and asked by a worker of the page.
//!
//! - [`Playground`]: the examples, and answers to the operations of `docs/serve.md`.
//! - `door`: how the worker hands requests in and takes answers out, where this is WebAssembly.
//! - [`examples()`]: the models to choose from.
//!
//! A job takes all of the thread that it runs on, so the page has a worker of its own for jobs, which it ends to stop
//! one. `playground/` has the workers, and the script that builds all of it.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod door;
mod examples;

use budget::{Budget, Limits};
use explorer::{Explorer, Host, News, Text};
use serde_json::{Value as Json, json};

pub use examples::{Example, examples};

/// What a job may use, in bytes, unless it is asked for with another limit: a page has at most 4 GiB.
const MEMORY_OF_A_JOB: u64 = 1 << 30;

/// The examples, and whatever they have been changed to.
pub struct Playground {
    explorer: Explorer,
}

impl Default for Playground {
    fn default() -> Self {
        let explorer = Explorer::new(Host::Playground);
        for Example { name, source } in examples() {
            let file = format!("{name}.kin");
            let text = Text { file, bytes: source.into(), ..Text::default() };
            explorer.read(&name, text, &Budget::unlimited());
        }
        Playground { explorer }
    }
}

impl Playground {
    /// Answers an operation; a job is done to its end, and its news are told as they come.
    ///
    /// The answer of a job is how it ended: `{"state", "why"}`. That it has begun is told first. What cannot be answered
    /// is `{"error"}`.
    pub fn answer(&self, operation: &str, request: &[u8], tell: &mut dyn FnMut(&Json)) -> Json {
        let budget = Budget::unlimited();
        let answer = if Explorer::is_job(operation) {
            self.work(operation, request, &budget, tell)
        } else {
            self.explorer.ask(operation, request, &budget)
        };
        answer.unwrap_or_else(|refusal| refusal.to_json())
    }

    fn work(
        &self,
        operation: &str,
        request: &[u8],
        budget: &Budget,
        tell: &mut dyn FnMut(&Json),
    ) -> Result<Json, explorer::Refusal> {
        let job = self.explorer.begin(operation, request, budget)?;
        tell(&json!({ "event": "begun" }));
        let limits = job.limits();
        let memory = Some(limits.memory.unwrap_or(MEMORY_OF_A_JOB));
        let end = job.run(&budget.child(Limits { memory, ..limits }), &mut |news| {
            let (event, mut fields) = match news {
                News::Progress(fields) => ("progress", fields),
                News::Verdict(fields) => ("verdict", fields),
                News::Result(fields) => ("result", fields),
            };
            fields["event"] = event.into();
            tell(&fields);
        });
        Ok(json!({ "state": end.state.name(), "why": end.why }))
    }
}
