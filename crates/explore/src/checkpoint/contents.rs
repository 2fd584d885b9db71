//! What is in a checkpoint, and whether it is as it was written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::disk::{Disk, Folder};
use super::document::Document;
use super::error::CheckpointError;
use super::manifest::{About, Counts, Facts, Manifest};
use super::shards::{ShardCut, ShardEntry, ShardManifest, common, directory_of, processes_of};
use super::stream::{FileMark, Stream};
use super::{Checkpoint, compare};

/// What is in a checkpoint.
#[derive(Clone, Debug)]
pub struct Contents {
    /// What it says of its run.
    pub about: About,
    /// The names of the files that belong to the run.
    pub attached: Vec<String>,
    /// The explorations, in the order in which they were begun; those by several processes first.
    pub explorations: Vec<Kept>,
}

/// An exploration as it is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The part of the run that it is.
    pub part: String,
    /// What must be the same when it goes on.
    pub facts: Facts,
    /// How far it has come.
    pub counts: Counts,
    /// The bytes of its files.
    pub bytes: u64,
    /// The processes that have explored it together, if there are several.
    pub team: Option<Team>,
}

/// Processes that have kept an exploration together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// How many there are.
    pub processes: usize,
    /// The workers of each.
    pub threads: usize,
    /// What those have kept whose directories are here. The counts of the exploration are the sum of theirs.
    pub shards: Vec<Shard>,
    /// Those whose directories are not here.
    pub missing: Vec<usize>,
}

/// What one of several processes has kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the process.
    pub process: usize,
    /// The states that it owns.
    pub states: u64,
    /// The bytes of its files.
    pub bytes: u64,
}

impl Kept {
    /// Whether every state that was found is expanded.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_whole = self.team.as_ref().is_none_or(|team| team.missing.is_empty());
        is_whole && self.counts.states > 0 && self.counts.states == self.counts.expanded
    }
}

impl Checkpoint {
    /// What is in the checkpoint in a directory, which may be that of a run of several processes. Processes may be
    /// working on it.
    ///
    /// # Errors
    ///
    /// If there is none, or a manifest cannot be read or is damaged. Other files are not looked at.
    pub fn contents(directory: &Path) -> Result<Contents, CheckpointError> {
        let members = Members::of(directory)?;
        let manifest = match members.all.values().next() {
            Some((manifest, _)) => manifest.clone(),
            None => found(directory)?,
        };
        let together = members.searches().into_iter().map(|name| members.kept(name));
        Ok(Contents {
            explorations: together.chain(manifest.explorations.into_iter().map(alone)).collect(),
            attached: manifest.attached.into_iter().map(|mark| mark.file).collect(),
            about: manifest.about,
        })
    }

    /// Looks through all files of the checkpoint in a directory, and gives what is wrong with each.
    ///
    /// # Errors
    ///
    /// As [`contents`](Self::contents).
    pub fn verify(directory: &Path) -> Result<Vec<CheckpointError>, CheckpointError> {
        let damage = |mark: &FileMark, disk: &Folder| Stream::verified(mark, disk).err();
        let members = Members::of(directory)?;
        if members.all.is_empty() {
            let (disk, manifest) = (Folder::look(directory), found(directory)?);
            return Ok(manifest.marks().filter_map(|mark| damage(mark, &disk)).collect());
        }
        let mut wrong = Vec::new();
        let cuts: Vec<(usize, &ShardCut)> =
            members.searches().into_iter().flat_map(|name| members.cuts(name)).collect();
        for (process, (manifest, _)) in &members.all {
            let disk = directory_of(directory, *process);
            let own = cuts.iter().filter(|(owner, _)| owner == process);
            let marks = manifest.marks().chain(own.flat_map(|(_, cut)| cut.marks()));
            wrong.extend(marks.filter_map(|mark| damage(mark, &disk)));
        }
        Ok(wrong)
    }
}

/// The manifest in a directory.
pub(super) fn found(directory: &Path) -> Result<Manifest, CheckpointError> {
    let missing = || CheckpointError::Missing(directory.display().to_string());
    Manifest::read(&Folder::look(directory))?.ok_or_else(missing)
}

/// An exploration of one process.
fn alone(entry: super::manifest::Entry) -> Kept {
    let bytes = entry.files.values().map(|mark| mark.bytes).sum();
    Kept { part: entry.name, facts: entry.facts, counts: entry.counts, bytes, team: None }
}

/// What the processes of a run have kept whose directories are here.
struct Members {
    all: BTreeMap<usize, (Manifest, ShardManifest)>,
}

impl Members {
    /// Those that have a directory in this one. They have to be of the same run.
    fn of(directory: &Path) -> Result<Members, CheckpointError> {
        let mut all: BTreeMap<usize, (Manifest, ShardManifest)> = BTreeMap::new();
        for process in processes_of(directory) {
            let disk = directory_of(directory, process);
            // A process may have been ended before it had written anything.
            let Some(manifest) = Manifest::read(&disk)? else { continue };
            if let Some((first, (other, _))) = all.first_key_value()
                && let Err(error) = compare(&other.about.facts, &manifest.about.facts)
            {
                let why = format!("it is not of the run that process {first} is of: {error}");
                return Err(CheckpointError::damaged(disk.path(Manifest::NAME), why));
            }
            let shards = ShardManifest::of(process, &disk)?;
            all.insert(process, (manifest, shards));
        }
        Ok(Members { all })
    }

    /// The names of the searches, in the order in which they were begun.
    fn searches(&self) -> Vec<&str> {
        let mut known = BTreeSet::new();
        let entries = self.all.values().flat_map(|(_, shards)| &shards.searches);
        let names = entries.map(|entry| entry.name.as_str());
        names.filter(|name| known.insert(*name)).collect()
    }

    /// What each has of a search.
    fn entries(&self, name: &str) -> BTreeMap<usize, ShardEntry> {
        let entry = |shards: &ShardManifest| shards.search(name).cloned();
        self.all.iter().filter_map(|(at, (_, shards))| Some((*at, entry(shards)?))).collect()
    }

    /// What counts of a search: the latest cut that all have, as far as they are here.
    fn cuts(&self, name: &str) -> Vec<(usize, &ShardCut)> {
        let Some(key) = common(&self.entries(name), |at| self.all.contains_key(&at)) else {
            return Vec::new();
        };
        let all = self.all.iter();
        all.filter_map(|(at, (_, shards))| Some((*at, shards.search(name)?.cut(key)?))).collect()
    }

    /// A search, as far as it is here.
    fn kept(&self, name: &str) -> Kept {
        let entries = self.entries(name);
        let entry = entries.values().next().expect("it has a name");
        let cuts = self.cuts(name);
        let (processes, threads) =
            cuts.first().map_or((entry.processes, 1), |(_, cut)| (cut.processes, cut.threads));
        let missing = (0..processes).filter(|at| !self.all.contains_key(at)).collect();
        let mut counts = Counts::default();
        let mut shards = Vec::new();
        for (process, cut) in cuts {
            let before = counts.states;
            add(cut, &mut counts);
            let bytes = cut.marks().map(|mark| mark.bytes).sum();
            shards.push(Shard { process, states: counts.states - before, bytes });
        }
        let bytes = shards.iter().map(|shard| shard.bytes).sum();
        let team = Some(Team { processes, threads, shards, missing });
        Kept { part: entry.name.clone(), facts: entry.facts.clone(), counts, bytes, team }
    }
}

/// Adds what a process has kept up to a cut. The last level is not expanded.
fn add(cut: &ShardCut, counts: &mut Counts) {
    for worker in &cut.workers {
        let end = |level: Option<usize>| {
            level.and_then(|level| worker.ends.get(level)).map_or(0, |end| u64::from(*end))
        };
        counts.states += end(cut.levels.checked_sub(1));
        counts.expanded += end(cut.levels.checked_sub(2));
        counts.initial += end(Some(0));
        counts.edges += worker.edges;
        counts.modes = counts.modes.saturating_add(worker.modes);
        counts.deadlocks += worker.deadlocks;
        counts.terminated += worker.terminated;
        let states = worker.ends.last();
        let depth = worker.ends.iter().position(|end| Some(end) == states).unwrap_or(0);
        counts.depth = counts.depth.max(depth as u32);
    }
    counts.milliseconds = counts.milliseconds.max(cut.milliseconds);
}
