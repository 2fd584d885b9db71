//! Checkpoints: explorations that can go on after the process that made them is gone.
//!
//! A checkpoint is a directory. What was found is appended to files (`stream`) that are then synced; a manifest
//! (`manifest`) says how much of each file counts, and has a checksum of it, and is put in place in one step. So
//! all files are committed together: whenever a run ends, by a kill, a full disk or a loss of power, the manifest is
//! that of one consistent cut. What is behind it in the files is dropped.
//!
//! Cuts are between the expansions of two states, or between two waves where several threads explore. What is kept
//! up to a cut is all that the search depends on: strings, tree, edges if they are kept, counts, and what the space has
//! numbered. So the search goes on from there as if nothing had happened, under the same numbers.
//!
//! One [`Checkpoint`] can hold several explorations, the [parts](Checkpoint::part) of a run. Each is a
//! [`Journal`], which [`explore_kept`](crate::explore_kept) and [`explore_kept_on`](crate::explore_kept_on) are given.
//!
//! Cost: of a state its string, one byte or two for its length, some two bytes for its place in the tree, written
//! once. While it is written, the search waits. Reading it again takes about as long as storing the states once.
//!
//! `docs/checkpoints.md` has the format.

pub(crate) mod codec;
mod contents;
pub(crate) mod disk;
pub(crate) mod document;
mod error;
mod journal;
mod manifest;
pub(crate) mod shards;
pub(crate) mod stream;
#[cfg(test)]
mod tests;

use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contents::found;
pub use contents::{Contents, Kept, Shard, Team};
use disk::{Disk, Folder};
use document::Document;
pub use error::{CheckpointError, Difference};
pub use journal::Journal;
use manifest::Manifest;
pub(crate) use manifest::compare;
pub use manifest::{About, Counts, Facts};
use stream::Stream;

/// A directory in which a run is kept. Clones are of the same.
#[derive(Clone)]
pub struct Checkpoint {
    inner: Arc<Mutex<Inner>>,
    part: String,
}

struct Inner {
    disk: Box<dyn Disk>,
    manifest: Manifest,
    every: Duration,
    /// Why what was found last could not be written.
    trouble: Option<String>,
    /// Whether it is not known any more what is on disk.
    is_broken: bool,
}

impl std::fmt::Debug for Checkpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkpoint").field("part", &self.part).finish_non_exhaustive()
    }
}

impl Checkpoint {
    /// The checkpoint of a run in this directory, in which what is found will be kept whenever this much time has
    /// passed, and at the end. If there is one already, the run goes on from there: it must have the same
    /// [facts](About::facts). If there is none, one is begun, with these files attached.
    ///
    /// # Errors
    ///
    /// If files cannot be read or written or are damaged, another process uses the directory, there is something else
    /// in it, or what is kept there is another run.
    pub fn open(
        directory: &Path,
        about: &About,
        attached: &[(&str, &[u8])],
        every: Duration,
    ) -> Result<Checkpoint, CheckpointError> {
        let disk = Folder::take(directory)?;
        let name = directory.display().to_string();
        if disk.length(Manifest::NAME).is_ok_and(|length| length.is_none()) {
            // Files that were attached before the first manifest was written are written anew.
            let is_ours = |file: &str| attached.iter().any(|(name, _)| *name == file);
            let has_others = Folder::has_others(directory, is_ours);
            if has_others.map_err(CheckpointError::reading(&name))? {
                return Err(CheckpointError::NotEmpty(name));
            }
        }
        Self::on(Box::new(disk), about, attached, every)
    }

    fn on(
        mut disk: Box<dyn Disk>,
        about: &About,
        attached: &[(&str, &[u8])],
        every: Duration,
    ) -> Result<Checkpoint, CheckpointError> {
        let manifest = match Manifest::read(&*disk)? {
            Some(manifest) => {
                for mark in &manifest.attached {
                    Stream::verified(mark, &*disk)?;
                }
                compare(&manifest.about.facts, &about.facts)?;
                manifest
            }
            None => {
                let mut marks = Vec::new();
                for (name, bytes) in attached {
                    marks.push(Stream::begun(name, bytes, &mut *disk)?.mark());
                }
                let names = disk.path("");
                disk.sync_names().map_err(CheckpointError::writing(&names))?;
                let (about, explorations) = (about.clone(), Vec::new());
                let manifest = Manifest { about, attached: marks, explorations };
                manifest.write(&mut *disk)?;
                manifest
            }
        };
        let inner = Inner { disk, manifest, every, trouble: None, is_broken: false };
        Ok(Checkpoint { inner: Arc::new(Mutex::new(inner)), part: "all".to_owned() })
    }

    /// A file that was attached.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is damaged.
    pub fn attachment(directory: &Path, name: &str) -> Result<Vec<u8>, CheckpointError> {
        let (disk, manifest) = (Folder::look(directory), found(directory)?);
        let none = || {
            let why = format!("it knows no file {name}");
            CheckpointError::damaged(disk.path(Manifest::NAME), why)
        };
        let mark = manifest.attached.iter().find(|mark| mark.file == name).ok_or_else(none)?;
        let mut bytes = Vec::new();
        let mut file = Stream::verified(mark, &disk)?
            .read(&disk)
            .map_err(CheckpointError::reading(&disk.path(name)))?;
        file.read_to_end(&mut bytes).map_err(CheckpointError::reading(&disk.path(name)))?;
        Ok(bytes)
    }

    /// The same checkpoint for one of several explorations of a run.
    #[must_use]
    pub fn part(&self, name: &str) -> Checkpoint {
        Checkpoint { inner: self.inner.clone(), part: name.to_owned() }
    }

    /// Why what was found could not be kept the last time, if it could not. What was kept before is still there.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.lock().trouble.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The BLAKE3 hash of some bytes, in hexadecimal: for [`Facts`] that are too long to be kept as they are.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
