//! What may be set: by whoever starts the server, and by the client.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

/// How the server works.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long a check may take.
    pub time: Duration,
    /// How much memory the process may use while it checks, in bytes.
    pub memory: u64,
    /// Whether properties are checked when a document is opened or saved.
    pub check_on_save: bool,
    /// Whether the client shows runs by itself, so that nothing need be said of them.
    pub shows_runs: bool,
    /// Where the prelude can be read as a file, for those who want to look at it.
    pub prelude: Option<PathBuf>,
    /// The version of the server.
    pub version: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            time: Duration::from_secs(20),
            memory: 2 << 30,
            check_on_save: true,
            shows_runs: false,
            prelude: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// What a client may ask for, as `initializationOptions`. What is not given stays as it is.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Options {
    check_on_save: Option<bool>,
    check_seconds: Option<f64>,
    check_memory: Option<u64>,
    shows_runs: Option<bool>,
}

impl Settings {
    /// Heeds what a client asks for. What cannot be read is ignored.
    pub(crate) fn heed(&mut self, options: Option<serde_json::Value>) {
        let options = options.and_then(|options| serde_json::from_value::<Options>(options).ok());
        let options = options.unwrap_or_default();
        self.check_on_save = options.check_on_save.unwrap_or(self.check_on_save);
        self.shows_runs = options.shows_runs.unwrap_or(self.shows_runs);
        let time = options.check_seconds.and_then(|time| Duration::try_from_secs_f64(time).ok());
        self.time = time.unwrap_or(self.time);
        let memory = options.check_memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
        self.memory = memory.unwrap_or(self.memory);
    }
}
