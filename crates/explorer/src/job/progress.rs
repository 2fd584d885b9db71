//! How far an exploration has come, told now and then.

use budget::resident_memory;
use explore::Exploration;
use serde_json::json;

use super::News;

/// The time between two of them, in seconds.
const PAUSE: f64 = 0.2;

/// Tells the progress of explorations, not too often.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// When it was told last, in the time of the exploration.
    told: Option<f64>,
}

impl Progress {
    /// Tells how far an exploration has come, if it is time.
    pub(super) fn see(&mut self, exploration: &Exploration, tell: &mut dyn FnMut(News)) {
        let seconds = exploration.seconds;
        // Where time has gone back, it is another exploration.
        if self.told.is_some_and(|told| (told..told + PAUSE).contains(&seconds)) {
            return;
        }
        self.told = Some(seconds);
        let states = exploration.states();
        tell(News::Progress(json!({
            "classes": states,
            "edges": exploration.edges,
            "rate": (states as f64 / seconds.max(1e-3)).round() as u64,
            "memory": resident_memory(),
            "depth": exploration.depth(),
            "seconds": seconds,
        })));
    }
}
