//! Work on threads beside: within time and memory, and only as long as somebody waits for it.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Limits, available_memory, resident_memory};
use explorer::{Code, Refusal};
use serde_json::Value as Json;
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::{Instant, timeout_at};

use crate::Bounds;

/// The time that work has to notice that its budget has ended.
const NOTICE: Duration = Duration::from_secs(2);

/// Where operations are worked on.
#[derive(Debug)]
pub(crate) struct Operations {
    places: Arc<Semaphore>,
    budget: Budget,
    /// What the process may use while it works on them.
    memory: Option<u64>,
    answer_bytes: usize,
}

/// Interrupts work that nobody waits for any more.
struct Waiting(Budget);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.interrupt();
    }
}

impl Operations {
    /// A place for operations, all within this budget.
    pub(crate) fn new(bounds: &Bounds, budget: &Budget) -> Operations {
        Operations {
            places: Arc::new(Semaphore::new(bounds.operations)),
            budget: budget.clone(),
            memory: part_of_memory(4, 5),
            answer_bytes: bounds.answer_bytes,
        }
    }

    /// Waits for a place, works, and waits for the end, all until `deadline`. If the future is dropped, the work is
    /// interrupted; it keeps its place until it has ended.
    ///
    /// # Errors
    ///
    /// Whatever the work is refused for, and if it took too long.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        deadline: Instant,
        work: impl FnOnce(&Budget) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let place = match timeout_at(deadline, self.places.clone().acquire_owned()).await {
            Ok(Ok(place)) => place,
            Ok(Err(_)) => return Err(internal()),
            Err(_) => return Err(too_long("too many other requests came before it")),
        };
        let time = Some(deadline.saturating_duration_since(Instant::now()));
        let budget = self.budget.child(Limits { time, memory: self.memory, steps: None });
        let _waiting = Waiting(budget.clone());
        let done = task::spawn_blocking(move || {
            let done = work(&budget);
            drop(place);
            done
        });
        match timeout_at(deadline + NOTICE, done).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => Err(internal()),
            Err(_) => Err(too_long("the time for an answer is up")),
        }
    }

    /// An answer as text.
    ///
    /// # Errors
    ///
    /// If it is longer than answers may be.
    pub(crate) fn text(answer: &Json, most: usize) -> Result<Vec<u8>, Refusal> {
        let mut text = Capped { text: Vec::new(), most };
        match serde_json::to_writer(&mut text, answer) {
            Ok(()) => Ok(text.text),
            Err(_) => {
                let message = format!("the answer would be longer than {} MiB", most >> 20);
                Err(Refusal::new(Code::TooLarge, message))
            }
        }
    }

    /// The longest answer.
    pub(crate) fn answer_bytes(&self) -> usize {
        self.answer_bytes
    }
}

/// What the process may use: what it does now, and a part of what the system could give.
pub(crate) fn part_of_memory(part: u64, of: u64) -> Option<u64> {
    Some(available_memory()? / of * part + resident_memory()?)
}

/// That something failed that never should.
pub(crate) fn internal() -> Refusal {
    Refusal::new(Code::Internal, "this is a fault of Kinfold; please report it with the model")
}

/// That it took longer than allowed.
pub(crate) fn too_long(why: &str) -> Refusal {
    Refusal::new(Code::TooLong, format!("there is no answer: {why}"))
}

/// Text that does not grow beyond a length.
struct Capped {
    text: Vec<u8>,
    most: usize,
}

impl Write for Capped {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if self.text.len() + more.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_has_a_longest_length() {
        let answer = json!({ "a": "bc" });
        assert_eq!(Operations::text(&answer, 10).unwrap(), br#"{"a":"bc"}"#);
        assert_eq!(Operations::text(&answer, 9).unwrap_err().code(), Code::TooLarge);
    }
}
