//! The models that Kinfold has.

use std::fs;
use std::path::{Path, PathBuf};

/// All of them that are written in `.kin`, in the order of their names.
pub fn models() -> Vec<PathBuf> {
    let mut found = Vec::new();
    gather(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut found);
    found.sort();
    found
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            gather(&path, found);
        } else if path.extension().is_some_and(|end| end == "kin") {
            found.push(path);
        }
    }
}
