//! The manifest: what a checkpoint consists of.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::document::Document;
use super::error::{CheckpointError, Difference};
use super::stream::FileMark;

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
    pub states: u64,
    /// Those of them that were expanded.
    pub expanded: u64,
    /// Those of them that are initial.
    pub initial: u64,
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

impl Document for Manifest {
    const NAME: &'static str = "manifest";
    const NEW: &'static str = "manifest.new";
    const FIRST: &'static str = "kinfold checkpoint ";

    fn marks(&self) -> impl Iterator<Item = &FileMark> {
        let files = self.explorations.iter().flat_map(|entry| entry.files.values());
        self.attached.iter().chain(files)
    }
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
