//! What one of several processes keeps of a search: its shards.
//!
//! Each process has a directory of its own, `process-I`. Strings and what the space has numbered are appended to files;
//! a manifest, `shards`, says how much of them counts up to a *cut*, which is between two levels. The last two cuts are
//! in it: a cut counts when all processes have it, and the one before is there until they do. So whatever process
//! ends at whatever moment, there is a cut that all have, and files only grow.
//!
//! Where the number of processes or of their workers changes, states get other owners. Then everything is written anew,
//! as another *generation*, whose files have other names; those of the one before stay until all have a cut of the new
//! one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::disk::{Disk, Folder};
use super::document::Document;
use super::error::CheckpointError;
use super::stream::FileMark;
use super::{Checkpoint, Facts};

/// What a process keeps of the searches of a run.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct ShardManifest {
    /// The number of the process. What another one has kept is of no use to it.
    pub(crate) process: usize,
    pub(crate) searches: Vec<ShardEntry>,
}

/// What a process keeps of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ShardEntry {
    /// The part of the run that it is.
    pub(crate) name: String,
    pub(crate) facts: Facts,
    /// The number of processes that began it, or went on with it as another number.
    pub(crate) processes: usize,
    /// At most two: one that all processes have, and one that they may have.
    pub(crate) cuts: Vec<ShardCut>,
}

/// How far a search had come, as far as one process is concerned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ShardCut {
    pub(crate) generation: u64,
    pub(crate) processes: usize,
    pub(crate) threads: usize,
    /// The number of levels that are complete; the last of them is not expanded, or the search is done.
    pub(crate) levels: usize,
    pub(crate) milliseconds: u64,
    /// What the space has numbered.
    pub(crate) parts: FileMark,
    pub(crate) part_count: u32,
    pub(crate) workers: Vec<ShardMark>,
}

/// What is kept of the portion of a worker.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct ShardMark {
    /// Where each level ends.
    pub(crate) ends: Vec<u32>,
    pub(crate) edges: u64,
    pub(crate) modes: u64,
    pub(crate) fired: Vec<(u32, u64)>,
    pub(crate) deadlocks: u64,
    pub(crate) terminated: u64,
    /// `strings` and `finals`.
    pub(crate) files: BTreeMap<String, FileMark>,
}

impl ShardEntry {
    /// The cut with this key.
    pub(crate) fn cut(&self, key: CutKey) -> Option<&ShardCut> {
        self.cuts.iter().find(|cut| cut.key() == key)
    }
}

impl ShardCut {
    /// What all processes have to have of it.
    pub(crate) fn key(&self) -> CutKey {
        let ShardCut { generation, processes, threads, levels, .. } = *self;
        CutKey { generation, processes, threads, levels }
    }

    pub(crate) fn marks(&self) -> impl Iterator<Item = &FileMark> {
        let workers = self.workers.iter().flat_map(|worker| worker.files.values());
        workers.chain([&self.parts])
    }
}

/// Which cut it is. The largest is the latest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct CutKey {
    pub(crate) generation: u64,
    pub(crate) levels: usize,
    pub(crate) processes: usize,
    pub(crate) threads: usize,
}

impl Document for ShardManifest {
    const NAME: &'static str = "shards";
    const NEW: &'static str = "shards.new";
    const FIRST: &'static str = "kinfold shards ";

    fn marks(&self) -> impl Iterator<Item = &FileMark> {
        self.searches.iter().flat_map(|search| &search.cuts).flat_map(ShardCut::marks)
    }
}

impl ShardManifest {
    /// The manifest of a process; an empty one if there is none.
    pub(crate) fn of(process: usize, disk: &dyn Disk) -> Result<ShardManifest, CheckpointError> {
        match ShardManifest::read(disk)? {
            None => Ok(ShardManifest { process, searches: Vec::new() }),
            Some(manifest) if manifest.process == process => Ok(manifest),
            Some(manifest) => {
                let why = format!("it is that of process {}", manifest.process);
                Err(CheckpointError::damaged(disk.path(Self::NAME), why))
            }
        }
    }

    /// The names of the files that count.
    pub(crate) fn files(&self) -> BTreeSet<String> {
        self.marks().map(|mark| mark.file.clone()).collect()
    }

    /// What is kept of a search.
    pub(crate) fn search(&self, name: &str) -> Option<&ShardEntry> {
        self.searches.iter().find(|search| search.name == name)
    }
}

/// The latest cut that all of its processes have, of those that may be asked.
pub(crate) fn common(
    all: &BTreeMap<usize, ShardEntry>,
    is_asked: impl Fn(usize) -> bool,
) -> Option<CutKey> {
    let has = |process: usize, key: CutKey| {
        all.get(&process).is_some_and(|entry| entry.cut(key).is_some())
    };
    let keys = all.values().flat_map(|entry| &entry.cuts).map(ShardCut::key);
    let has_all = |key: &CutKey| {
        (0..key.processes).filter(|process| is_asked(*process)).all(|process| has(process, *key))
    };
    keys.filter(has_all).max()
}

impl Checkpoint {
    /// Does something with the directory of this process.
    pub(crate) fn with_disk<T>(&self, work: impl FnOnce(&mut dyn Disk) -> T) -> T {
        work(&mut *self.lock().disk)
    }

    /// The part of the run that this is for.
    pub(crate) fn part_name(&self) -> &str {
        &self.part
    }

    /// How often what was found is to be kept.
    pub(crate) fn every(&self) -> std::time::Duration {
        self.lock().every
    }

    /// Notes why what was found could not be kept, or that it could.
    pub(crate) fn note_trouble(&self, trouble: Option<String>) {
        self.lock().trouble = trouble;
    }

    /// The directory in which all processes of the run have theirs.
    pub(crate) fn run_directory(&self) -> Option<PathBuf> {
        let own = self.with_disk(|disk| disk.path(""));
        Path::new(&own).parent().map(Path::to_owned)
    }
}

/// The directory of a process of a run.
pub(crate) fn directory_of(run: &Path, process: usize) -> Folder {
    Folder::look(&run.join(format!("process-{process}")))
}

/// The numbers of the processes that have a directory in that of the run.
pub(crate) fn processes_of(run: &Path) -> Vec<usize> {
    let entries = std::fs::read_dir(run).into_iter().flatten().flatten();
    let numbers = entries
        .filter_map(|entry| entry.file_name().to_str()?.strip_prefix("process-")?.parse().ok());
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    numbers
}
