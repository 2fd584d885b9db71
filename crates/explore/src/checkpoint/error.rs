//! Why a checkpoint cannot be used.

use std::{fmt, io};

use budget::Exhausted;

use super::document::VERSION;

/// Why a checkpoint cannot be begun, read or gone on from. What is on disk is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// There is none.
    #[error("there is no checkpoint in {0}")]
    Missing(String),
    /// There is something else.
    #[error("{0} is not empty, and has no checkpoint; give a directory that is new or empty")]
    NotEmpty(String),
    /// Another process works on it.
    #[error("the checkpoint in {0} is in use by another process")]
    InUse(String),
    /// A file cannot be read or written.
    #[error("cannot {doing} {file}: {error}")]
    Io {
        /// `read` or `write`.
        doing: &'static str,
        /// The file.
        file: String,
        /// Why not.
        error: io::Error,
    },
    /// A file does not hold what was written to it.
    #[error("{file} is damaged: {why}")]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// The checkpoint has another format.
    #[error("{file} has version {version} of the format, and this program reads version {VERSION}")]
    Version {
        /// The manifest.
        file: String,
        /// Its version.
        version: u64,
    },
    /// The checkpoint is one of another run.
    #[error("the checkpoint is of another run:{}", lines(.0))]
    Differs(Vec<Difference>),
    /// The budget was used up while it was read.
    #[error("{0} while the checkpoint was read, which is as it was")]
    Exhausted(Exhausted),
}

/// In what a checkpoint differs from the run that is to go on from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What it is about.
    pub what: String,
    /// What the checkpoint has; nothing if it knows nothing of it.
    pub kept: Option<String>,
    /// What the run has.
    pub now: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".into());
        write!(f, "{} was {}, and is now {}", self.what, text(&self.kept), text(&self.now))
    }
}

fn lines(differences: &[Difference]) -> String {
    differences.iter().map(|difference| format!("\n  {difference}")).collect()
}

impl CheckpointError {
    pub(crate) fn damaged(file: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Damaged { file: file.into(), why: why.into() }
    }

    pub(crate) fn reading(file: &str) -> impl FnOnce(io::Error) -> Self {
        Self::io("read", file)
    }

    pub(crate) fn writing(file: &str) -> impl FnOnce(io::Error) -> Self {
        Self::io("write", file)
    }

    fn io(doing: &'static str, file: &str) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        move |error| Self::Io { doing, file, error }
    }
}
