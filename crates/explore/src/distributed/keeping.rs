//! Shards that are kept on disk: `checkpoint/shards` has what is kept, and how it counts.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use budget::Instant;
use serde::{Deserialize, Serialize};

use super::network::{Lost, Network};
use super::search::{exchange_on, lock, understood};
use crate::checkpoint::codec::{self, Sink, head};
use crate::checkpoint::disk::{Disk, Folder};
use crate::checkpoint::document::Document;
use crate::checkpoint::shards::{
    CutKey, ShardCut, ShardEntry, ShardManifest, ShardMark, common, directory_of, processes_of,
};
use crate::checkpoint::stream::{FileMark, Stream};
use crate::checkpoint::{Checkpoint, Facts, compare};
use crate::{CheckpointError, StateId};

/// Where this process keeps its shards of a search, and what all have kept of it.
pub struct ShardJournal {
    checkpoint: Checkpoint,
    /// The place of the search in the manifest.
    at: usize,
    manifest: ShardManifest,
    generation: u64,
    layout: (usize, usize),
    /// The cut that all processes have.
    agreed: Option<ShardCut>,
    streams: BTreeMap<String, Stream>,
    /// Of each worker: the states, deadlocks and terminated states that are written.
    pub(super) written: Vec<[usize; 3]>,
    pub(super) parts_written: u32,
    /// When it was saved last.
    saved: Arc<Mutex<Instant>>,
    /// What is to be read before the search goes on.
    pub(super) restoring: Option<Restoring>,
}

/// What is to be read.
pub(super) enum Restoring {
    /// Each worker had these states before.
    Same(Box<ShardCut>),
    /// States get other owners: all shards, with the directories they are in.
    Others(Vec<(usize, ShardCut)>),
}

/// Writes something.
pub(super) type Writing<'w> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'w>;

/// What a worker has to keep up to a cut.
pub(super) struct Kept<'k> {
    pub(super) mark: ShardMark,
    /// Writes the strings that are not written yet.
    pub(super) strings: Writing<'k>,
    /// Writes the states without successor that are not.
    pub(super) finals: Writing<'k>,
    pub(super) written: [usize; 3],
}

/// What a process tells of its directory.
#[derive(Serialize, Deserialize)]
struct Told {
    error: Option<String>,
    /// The number of processes that it knows to search, if it knows of the search.
    processes: Option<usize>,
    cuts: Vec<CutKey>,
}

impl ShardJournal {
    /// The shards of a search of which these are the facts, with what was kept of it. The checkpoint is that of this
    /// process, in a directory `process-I`; where the number of processes or workers has changed, all of these
    /// directories have to be in the same one. All processes call it.
    ///
    /// # Errors
    ///
    /// If a process is gone. The inner result says whether files cannot be read or written, are damaged or missing, or
    /// what is kept is another search.
    pub fn open(
        checkpoint: &Checkpoint,
        facts: &Facts,
        network: &dyn Network,
    ) -> Result<Result<ShardJournal, CheckpointError>, Lost> {
        let layout = (network.processes(), network.threads());
        let name = checkpoint.part_name();
        let process = network.process();
        let read = checkpoint.with_disk(|disk| ShardManifest::of(process, disk));
        let read = read.and_then(|manifest| {
            if let Some(entry) = manifest.search(name) {
                compare(&entry.facts, facts)?;
            }
            Ok(manifest)
        });
        let (manifest, error) = match read {
            Ok(manifest) => (manifest, None),
            Err(error) => (ShardManifest::default(), Some(error)),
        };
        let here = manifest.search(name);
        let cuts = here.iter().flat_map(|entry| &entry.cuts).map(ShardCut::key).collect();
        let processes = here.map(|entry| entry.processes);
        let told = Told { error: error.as_ref().map(ToString::to_string), processes, cuts };
        let told = serde_json::to_vec(&told).expect("numbers and texts");
        let told = exchange_on(network, told)?;
        let told: Result<Vec<Told>, Lost> = told.iter().map(|said| understood(said)).collect();
        let told = told?;
        if let Some(error) = agreed_error(error, told.iter().map(|told| &told.error))? {
            return Ok(Err(error));
        }
        // A cut that all have, of as many processes and workers.
        let is_same = |key: &&CutKey| (key.processes, key.threads) == layout;
        let have_all = |key: &&CutKey| told.iter().all(|told| told.cuts.contains(key));
        let same = told[0].cuts.iter().filter(is_same).filter(have_all).max().copied();
        // One that was made by others.
        let others = match process {
            0 => found_in_all(checkpoint, name),
            _ => Ok(None),
        };
        let (others, error) = match others {
            Ok(key) => (key, None),
            Err(error) => (None, Some(error)),
        };
        let said = (others, error.as_ref().map(ToString::to_string));
        let said = exchange_on(network, serde_json::to_vec(&said).expect("numbers"))?;
        let (others, trouble): (Option<CutKey>, Option<String>) = understood(&said[0])?;
        // Where each machine has a directory of its own, those of others are not to be seen. All may have been ended
        // while they kept the first cut; then none has two.
        let is_begun =
            told.iter().all(|told| told.processes == Some(layout.0) && told.cuts.len() < 2);
        if same.is_none()
            && !is_begun
            && let Some(error) = agreed_error(error, [&trouble].into_iter())?
        {
            return Ok(Err(error));
        }
        let mut journal = ShardJournal {
            checkpoint: checkpoint.clone(),
            at: manifest
                .searches
                .iter()
                .position(|search| search.name == name)
                .unwrap_or(manifest.searches.len()),
            generation: 1,
            layout,
            agreed: None,
            streams: BTreeMap::new(),
            written: vec![[0; 3]; layout.1],
            parts_written: 0,
            saved: Arc::new(Mutex::new(Instant::now())),
            restoring: None,
            manifest,
        };
        let done = journal.take_up(same, others, facts);
        let said = exchange_on(network, error_text(&done))?;
        let texts: Vec<Option<String>> = said.iter().map(|said| text_of(said)).collect();
        if let Some(error) = agreed_error(done.err(), texts.iter())? {
            return Ok(Err(error));
        }
        Ok(Ok(journal))
    }

    /// Takes up what is kept: with the same number of processes and workers, or with another; or begins.
    ///
    /// Other cuts are dropped first. What follows is written over their files, and another process may come to a cut
    /// like them: one that counts on the other side, and is half of what it was on this one.
    fn take_up(
        &mut self,
        same: Option<CutKey>,
        others: Option<CutKey>,
        facts: &Facts,
    ) -> Result<(), CheckpointError> {
        let name = self.checkpoint.part_name().to_owned();
        let is_same = same.is_some() && same >= others;
        let key = if is_same { same } else { others };
        let own = |manifest: &ShardManifest| manifest.search(&name)?.cut(key?).cloned();
        self.agreed = own(&self.manifest);
        if is_same {
            let cut = self.agreed.clone().expect("it was told");
            self.checkpoint.with_disk(|disk| {
                for mark in cut.marks() {
                    self.streams.insert(mark.file.clone(), Stream::verified(mark, disk)?);
                }
                Ok::<(), CheckpointError>(())
            })?;
            self.generation = cut.generation;
            self.written = cut.workers.iter().map(ShardMark::written).collect();
            self.parts_written = cut.part_count;
            self.restoring = Some(Restoring::Same(Box::new(cut)));
        } else if let Some(key) = key {
            let run = self.checkpoint.run_directory().unwrap_or_default();
            let mut shards = Vec::new();
            for process in 0..key.processes {
                let disk = directory_of(&run, process);
                let manifest = ShardManifest::of(process, &disk)?;
                let cut = own(&manifest).ok_or_else(|| {
                    CheckpointError::damaged(disk.path(ShardManifest::NAME), "it has changed")
                })?;
                compare(&manifest.search(&name).expect("it has a cut").facts, facts)?;
                shards.push((process, cut));
            }
            self.generation = key.generation + 1;
            self.restoring = Some(Restoring::Others(shards));
        }
        let mut manifest = self.manifest.clone();
        if self.at == manifest.searches.len() {
            let (facts, processes) = (facts.clone(), self.layout.0);
            manifest.searches.push(ShardEntry { name, facts, processes, cuts: Vec::new() });
        }
        manifest.searches[self.at].cuts = self.agreed.iter().cloned().collect();
        if manifest == self.manifest { Ok(()) } else { self.replace(manifest) }
    }

    /// Puts a manifest in the place of the one before, and removes the files that do not count any more.
    fn replace(&mut self, manifest: ShardManifest) -> Result<(), CheckpointError> {
        self.checkpoint.with_disk(|disk| {
            manifest.write(disk)?;
            for file in self.manifest.files().difference(&manifest.files()) {
                // What stays is of no use, and does no harm.
                let _ = std::fs::remove_file(disk.path(file));
            }
            Ok::<(), CheckpointError>(())
        })?;
        self.manifest = manifest;
        Ok(())
    }

    /// Whether something was kept before.
    #[must_use]
    pub fn is_resumed(&self) -> bool {
        self.restoring.is_some()
    }

    /// Says whether it is time to save.
    #[must_use]
    pub fn is_due(&self) -> Arc<dyn Fn() -> bool + Send + Sync> {
        let (saved, every): (_, Duration) = (self.saved.clone(), self.checkpoint.every());
        Arc::new(move || lock(&saved).elapsed() >= every)
    }

    /// The directory of a process of the run.
    pub(super) fn directory_of(&self, process: usize) -> Folder {
        directory_of(&self.checkpoint.run_directory().unwrap_or_default(), process)
    }

    /// A file of this process, from its start.
    pub(super) fn read(&self, content: &str, mark: &FileMark) -> Result<Source, CheckpointError> {
        self.checkpoint.with_disk(|disk| Source::of(content, mark, disk))
    }

    /// Keeps what the workers of this process have found up to a cut. It counts once all processes have done so, which
    /// [`settle`](Self::settle) is told.
    pub(super) fn write(
        &mut self,
        levels: usize,
        milliseconds: u64,
        parts: (u32, Vec<Vec<u8>>),
        kept: Vec<Kept<'_>>,
    ) -> Result<ShardCut, CheckpointError> {
        let prefix = format!("{}.g{}", self.at, self.generation);
        let checkpoint = self.checkpoint.clone();
        let mut streams = self.streams.clone();
        let mut append = |file: String, content: &str, write: Writing<'_>| {
            checkpoint.with_disk(|disk| {
                let path = disk.path(&file);
                let stream = match streams.remove(&file) {
                    Some(stream) => stream,
                    None => Stream::begun(&file, &head(content), disk)?,
                };
                let stream =
                    stream.appended(disk, write).map_err(CheckpointError::writing(&path))?;
                let mark = stream.mark();
                streams.insert(file, stream);
                Ok::<FileMark, CheckpointError>(mark)
            })
        };
        let mut workers = Vec::new();
        let mut written = Vec::new();
        for (number, kept) in kept.into_iter().enumerate() {
            let mut mark = kept.mark;
            let file = |content: &str| format!("{prefix}.w{number}.{content}");
            let strings = append(file("strings"), "strings", kept.strings)?;
            let finals = append(file("finals"), "finals", kept.finals)?;
            mark.files.insert("strings".to_owned(), strings);
            mark.files.insert("finals".to_owned(), finals);
            workers.push(mark);
            written.push(kept.written);
        }
        let (part_count, new_parts) = parts;
        let write_parts = move |to: &mut dyn Write| {
            let mut to = Sink::new(to);
            new_parts.iter().try_for_each(|part| to.string(part))?;
            to.finish()
        };
        let parts = append(format!("{prefix}.parts"), "parts", Box::new(write_parts))?;
        let (processes, threads) = self.layout;
        let generation = self.generation;
        let cut = ShardCut {
            generation,
            processes,
            threads,
            levels,
            milliseconds,
            parts,
            part_count,
            workers,
        };
        let mut manifest = self.manifest.clone();
        let entry = &mut manifest.searches[self.at];
        entry.processes = processes;
        entry.cuts =
            self.agreed.iter().filter(|agreed| agreed.key() != cut.key()).cloned().collect();
        entry.cuts.push(cut.clone());
        self.checkpoint.with_disk(|disk| {
            disk.sync_names().map_err(CheckpointError::writing(&disk.path("")))
        })?;
        self.replace(manifest)?;
        self.streams = streams;
        self.written = written;
        self.parts_written = part_count;
        Ok(cut)
    }

    /// Says whether all processes have kept a cut, and if not, why this one has not.
    pub(super) fn settle(&mut self, cut: Option<ShardCut>, trouble: Option<String>) {
        self.agreed = cut.or(self.agreed.take());
        self.checkpoint.note_trouble(trouble);
        *lock(&self.saved) = Instant::now();
    }

    /// Whether a cut is the one that all have.
    pub(super) fn has(&self, levels: usize) -> bool {
        self.agreed
            .as_ref()
            .is_some_and(|cut| cut.generation == self.generation && cut.levels == levels)
    }

    /// The time that was spent before, in milliseconds.
    pub(super) fn earlier(&self) -> u64 {
        self.agreed.as_ref().map_or(0, |cut| cut.milliseconds)
    }
}

impl ShardMark {
    /// What is written of a portion.
    fn written(&self) -> [usize; 3] {
        let states = self.ends.last().copied().unwrap_or(0) as usize;
        [states, self.deadlocks as usize, self.terminated as usize]
    }
}

/// The latest cut that all processes of a run have, in one directory.
fn found_in_all(checkpoint: &Checkpoint, name: &str) -> Result<Option<CutKey>, CheckpointError> {
    let Some(run) = checkpoint.run_directory() else { return Ok(None) };
    let mut all: BTreeMap<usize, ShardEntry> = BTreeMap::new();
    for process in processes_of(&run) {
        let manifest = ShardManifest::of(process, &directory_of(&run, process))?;
        if let Some(entry) = manifest.search(name) {
            all.insert(process, entry.clone());
        }
    }
    if let Some(key) = common(&all, |_| true) {
        return Ok(Some(key));
    }
    let keys = all.values().flat_map(|entry| &entry.cuts).map(ShardCut::key);
    let Some(last) = keys.max() else { return Ok(None) };
    // Nothing that all have: they may have been ended while they kept the first cut. Then none has two.
    let is_begun = all.values().all(|entry| entry.cuts.len() < 2);
    match (0..last.processes).find(|process| !all.contains_key(process)) {
        None if is_begun => Ok(None),
        missing => {
            let lacks = |at: &usize| all.get(at).is_none_or(|entry| entry.cut(last).is_none());
            let lacking = missing.or_else(|| (0..last.processes).find(lacks));
            let file = directory_of(&run, lacking.unwrap_or(0)).path(ShardManifest::NAME);
            Err(CheckpointError::damaged(file, "its part of what all have kept is not there"))
        }
    }
}

/// The error of this process, or that another has one.
fn agreed_error<'t>(
    own: Option<CheckpointError>,
    all: impl Iterator<Item = &'t Option<String>>,
) -> Result<Option<CheckpointError>, Lost> {
    if own.is_some() {
        return Ok(own);
    }
    for (process, text) in all.enumerate() {
        if let Some(text) = text {
            return Err(Lost(format!("process {process}: {text}")));
        }
    }
    Ok(None)
}

fn error_text<T>(done: &Result<T, CheckpointError>) -> Vec<u8> {
    done.as_ref().err().map(|error| error.to_string().into_bytes()).unwrap_or_default()
}

fn text_of(said: &[u8]) -> Option<String> {
    (!said.is_empty()).then(|| String::from_utf8_lossy(said).into_owned())
}

/// A file that was written, as far as it counts.
pub(super) struct Source {
    from: codec::Source<Box<dyn BufRead>>,
    path: String,
}

impl Source {
    /// A file with this content, if it holds what the manifest says.
    pub(super) fn of(
        content: &str,
        mark: &FileMark,
        disk: &dyn Disk,
    ) -> Result<Source, CheckpointError> {
        let path = disk.path(&mark.file);
        let file = Stream::verified(mark, disk)?.read(disk);
        let file: Box<dyn BufRead> = Box::new(file.map_err(CheckpointError::reading(&path))?);
        let from = codec::Source::new(file, &head(content));
        let from = from.map_err(|error| CheckpointError::damaged(&path, error.to_string()))?;
        Ok(Source { from, path })
    }

    /// What is wrong with the file.
    pub(super) fn damaged(&self, why: impl Into<String>) -> CheckpointError {
        CheckpointError::damaged(&self.path, why)
    }

    /// The next string.
    pub(super) fn string(&mut self) -> Result<&[u8], CheckpointError> {
        let Source { from, path } = self;
        from.string().map_err(|error| CheckpointError::damaged(&*path, error.to_string()))
    }

    /// A state without successor, of so many, and whether everything has ended in it.
    pub(super) fn final_state(&mut self, states: u32) -> Result<(StateId, bool), CheckpointError> {
        let number = self.from.number().map_err(|error| self.damaged(error.to_string()))?;
        match number >> 1 < u64::from(states) {
            true => Ok((StateId((number >> 1) as u32), number & 1 == 1)),
            false => Err(self.damaged("a number is too large")),
        }
    }
}
