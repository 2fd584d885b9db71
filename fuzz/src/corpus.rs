//! The inputs from which mutation starts: files of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// Inputs longer than this would only be slow.
const LONGEST: usize = 12_000;

/// Some inputs, always in the same order.
#[derive(Clone, Debug)]
pub struct Corpus(pub Vec<Vec<u8>>);

/// The folder of the project.
pub(crate) fn project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The files in a folder of the project that have this extension.
pub(crate) fn paths(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(project().join(folder)).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == extension)).collect();
    paths.sort();
    paths
}

impl Corpus {
    /// The small files in these folders that have this extension.
    #[must_use]
    pub fn files(folders: &[&str], extension: &str) -> Corpus {
        let paths = folders.iter().flat_map(|folder| paths(folder, extension));
        Corpus::of(paths.map(|path| fs::read(path).expect("the file can be read")))
    }

    /// Those of the inputs that are small.
    #[must_use]
    pub fn of(inputs: impl IntoIterator<Item = Vec<u8>>) -> Corpus {
        Corpus(inputs.into_iter().filter(|input| input.len() <= LONGEST).collect())
    }
}
