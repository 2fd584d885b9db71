//! The manifest: what a checkpoint consists of.
//!
//! A line with the version of the format, a JSON document, and a line with the BLAKE3 hash of all that is before it.
//! It is written under another name, synced, and renamed, so that there is always one that is whole.

use std::collections::BTreeMap;
use std::io::Read;

use serde::{Deserialize, Serialize};

use super::disk::Disk;
use super::error::{CheckpointError, Difference};
use super::stream::FileMark;

/// The name of the manifest.
pub(crate) const NAME: &str = "manifest";
/// The name under which it is written.
pub(crate) const NEW: &str = "manifest.new";

const FIRST: &str = "kinfold checkpoint ";
const LAST: &str = "\nblake3 ";
const VERSION: u64 = 1;
/// A manifest is not longer than this, in bytes.
const LONGEST: u64 = 1 << 30;

/// What is known of a run or an exploration that must be the same when it goes on, by name.
pub type Facts = BTreeMap<String, String>;

/// What a checkpoint says of the run that it is of.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct About {
    /// What must be the same when the run goes on.
    pub facts: Facts,
    /// What else its owner wants to know then, such as its command line.
    pub notes: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) about: About,
    /// Files that belong to the run, such as its model.
    pub(crate) attached: Vec<FileMark>,
    pub(crate) explorations: Vec<Entry>,
}

/// An exploration, up to where it is kept.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) facts: Facts,
    pub(crate) counts: Counts,
    /// The modes fired, per label.
    pub(crate) fired: Vec<(u32, u64)>,
    /// The numbers of states at which it was reviewed.
    pub(crate) reviews: Vec<u32>,
    /// The successors and expansions since it was asked whether there is to be a review.
    pub(crate) steps: u64,
    /// What the space has said it has saved up to.
    pub(crate) mark: u64,
    /// Its files, by what is in them.
    pub(crate) files: BTreeMap<String, FileMark>,
}

/// How far an exploration has come, as it is kept in a checkpoint.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Counts {
    /// The states that were found.
    pub states: u32,
    /// Those of them that were expanded.
    pub expanded: u32,
    /// Those of them that are initial.
    pub initial: u32,
    /// The distinct (state, label, state) of steps from expanded states.
    pub edges: u64,
    /// The modes fired.
    pub modes: u64,
    /// The expanded states without successor in which something is alive.
    pub deadlocks: u64,
    /// Those in which everything has ended.
    pub terminated: u64,
    /// The largest depth of a state.
    pub depth: u32,
    /// The time it took, in milliseconds.
    pub milliseconds: u64,
}

impl Manifest {
    /// Reads the manifest; nothing if there is none.
    pub(crate) fn read(disk: &dyn Disk) -> Result<Option<Manifest>, CheckpointError> {
        let path = disk.path(NAME);
        let length = disk.length(NAME).map_err(CheckpointError::reading(&path))?;
        if length.is_none() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let read = disk.read(NAME).and_then(|file| file.take(LONGEST).read_to_end(&mut bytes));
        read.map_err(CheckpointError::reading(&path))?;
        Manifest::parsed(&bytes, &path).map(Some)
    }

    fn parsed(bytes: &[u8], path: &str) -> Result<Manifest, CheckpointError> {
        let damaged = |why: &str| CheckpointError::damaged(path, why);
        let text = str::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8"))?;
        let rest = text.strip_prefix(FIRST).ok_or_else(|| damaged("it is not a manifest"))?;
        let (version, _) = rest.split_once('\n').unwrap_or((rest, ""));
        let version = version.parse().map_err(|_| damaged("it has no version"))?;
        if version != VERSION {
            return Err(CheckpointError::Version { file: path.to_owned(), version });
        }
        let end = text.rfind(LAST).ok_or_else(|| damaged("it is cut off"))?;
        let (before, hash) = text.split_at(end);
        if hash != last_line(before) {
            return Err(damaged("its checksum is not right"));
        }
        let (_, json) = before.split_once('\n').ok_or_else(|| damaged("it is cut off"))?;
        let manifest: Manifest =
            serde_json::from_str(json).map_err(|error| damaged(&error.to_string()))?;
        // Files are cut off and appended to: a manifest from elsewhere must not name others than those beside it.
        if let Some(mark) = manifest.marks().find(|mark| !is_plain(&mark.file)) {
            return Err(damaged(&format!("{:?} is not the name of a file", mark.file)));
        }
        Ok(manifest)
    }

    /// What it says of files.
    pub(crate) fn marks(&self) -> impl Iterator<Item = &FileMark> {
        let files = self.explorations.iter().flat_map(|entry| entry.files.values());
        self.attached.iter().chain(files)
    }

    /// Puts the manifest in the place of the one before, on disk to stay.
    pub(crate) fn write(&self, disk: &mut dyn Disk) -> Result<(), CheckpointError> {
        let json = serde_json::to_string_pretty(self).expect("it is made of numbers and strings");
        let mut text = format!("{FIRST}{VERSION}\n{json}");
        text += &last_line(&text);
        put_in_place(disk, &text, NEW, NAME)
    }
}

/// Puts a text in the place of the file that has this name, at once and on disk to stay. It is written under another
/// name.
pub(super) fn put_in_place(
    disk: &mut dyn Disk,
    text: &str,
    new: &str,
    name: &str,
) -> Result<(), CheckpointError> {
    let written = disk
        .cut(new, 0)
        .and_then(|()| disk.append(new, text.as_bytes()))
        .and_then(|()| disk.sync(new))
        .and_then(|()| disk.rename(new, name))
        .and_then(|()| disk.sync_names());
    let path = disk.path(name);
    written.map_err(CheckpointError::writing(&path))
}

/// Whether this is the name of a file in the same directory.
pub(super) fn is_plain(name: &str) -> bool {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_usual)
}

fn last_line(before: &str) -> String {
    format!("{LAST}{}\n", blake3::hash(before.as_bytes()).to_hex())
}

/// Refuses facts that differ from those that were kept.
pub(crate) fn compare(kept: &Facts, now: &Facts) -> Result<(), CheckpointError> {
    let names: std::collections::BTreeSet<&String> = kept.keys().chain(now.keys()).collect();
    let differences = names.into_iter().filter(|&name| kept.get(name) != now.get(name));
    let differences: Vec<Difference> = differences
        .map(|name| Difference {
            what: name.clone(),
            kept: kept.get(name).cloned(),
            now: now.get(name).cloned(),
        })
        .collect();
    if differences.is_empty() { Ok(()) } else { Err(CheckpointError::Differs(differences)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(file: &str) -> String {
        let mark = FileMark { file: file.to_owned(), bytes: 0, blake3: String::new() };
        let manifest =
            Manifest { about: About::default(), attached: vec![mark], explorations: Vec::new() };
        let json = serde_json::to_string(&manifest).expect("it is made of strings");
        let before = format!("{FIRST}{VERSION}\n{json}");
        format!("{before}{}", last_line(&before))
    }

    #[test]
    fn only_files_beside_it_are_named() {
        assert!(Manifest::parsed(text("0.strings").as_bytes(), "m").is_ok());
        for name in ["", "..", "../0.strings", "/etc/passwd", "a\\b", "C:x", ".hidden"] {
            let error = Manifest::parsed(text(name).as_bytes(), "m").expect_err("it is elsewhere");
            assert!(error.to_string().contains("is not the name of a file"), "{error}");
        }
    }

    #[test]
    fn a_later_version_is_told_from_damage() {
        let later = text("model").replacen("checkpoint 1", "checkpoint 2", 1);
        let error = Manifest::parsed(later.as_bytes(), "m").expect_err("it is later");
        assert!(matches!(error, CheckpointError::Version { version: 2, .. }), "{error}");
        for text in
            ["", "kinfold checkpoint ", "kinfold checkpoint x\n", "kinfold checkpoint 1\n{}"]
        {
            let error = Manifest::parsed(text.as_bytes(), "m").expect_err("it is no manifest");
            assert!(matches!(error, CheckpointError::Damaged { .. }), "{error}");
        }
    }
}
