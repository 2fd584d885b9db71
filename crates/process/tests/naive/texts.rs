//! The models of the tree, and the examples of its documents.

use std::fs;
use std::path::{Path, PathBuf};

/// The files in a folder and those below it that end in some way.
fn files(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("there is such a folder") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files(&path, end, found);
        } else if path.extension().is_some_and(|extension| extension == end) {
            found.push(path);
        }
    }
    found.sort();
}

/// Models and examples, each with where it is.
pub fn texts() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &PathBuf| fs::read_to_string(path).expect("it can be read");
    let (mut models, mut documents) = (Vec::new(), Vec::new());
    files(&root.join("models"), "kin", &mut models);
    files(&root.join("docs"), "md", &mut documents);
    let examples = documents.iter().flat_map(|path| {
        let text = read(path);
        let parts = text.split("\n```kin\n").skip(1);
        let parts = parts.filter_map(|part| Some(part.split_once("\n```")?.0.to_owned()));
        parts.map(|part| (path.clone(), part)).collect::<Vec<_>>()
    });
    models.iter().map(|path| (path.clone(), read(path))).chain(examples).collect()
}
