//! How long others are waited for.

use std::time::Duration;

/// How long others are waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadlines {
    /// Until all processes must have come.
    pub gather: Duration,
    /// For one who has called to prove that it holds the key.
    pub hello: Duration,
    /// Between two signs of life.
    pub heartbeat: Duration,
    /// After which one of whom nothing is heard is given up. It should be several times [`heartbeat`](Self::heartbeat).
    pub silence: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Deadlines {
            gather: Duration::from_secs(60),
            hello: Duration::from_secs(5),
            heartbeat: Duration::from_secs(1),
            silence: Duration::from_secs(10),
        }
    }
}

impl Deadlines {
    /// These deadlines with another time after which a silent process is given up, and signs of life that are
    /// frequent enough for it.
    #[must_use]
    pub fn with_silence(self, silence: Duration) -> Deadlines {
        Deadlines { silence, heartbeat: self.heartbeat.min(silence / 5), ..self }
    }
}
