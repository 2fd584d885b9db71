//! The programs of the collection, in the order of their names.
//!
//! Of those after bugs of other systems, each with its fix, the suite looks at some. All of them:
//!
//! ```text
//! KINFOLD_TESTS=all cargo test --release -p kinfold-go --test known
//! ```

use std::fs;
use std::path::Path;

use crate::header::{Expected, expected};

/// A program, with what is expected of it.
pub struct Known {
    /// The name of its file, without the ending.
    pub name: String,
    pub text: String,
    pub expected: Expected,
}

impl Known {
    /// Whether it is a test; otherwise it has a `main`.
    pub fn test(&self) -> Option<&str> {
        let begin = self.text.find("\nfunc Test")? + "\nfunc ".len();
        self.text[begin..].split('(').next()
    }
}

/// The programs of a folder.
pub fn programs(folder: &str) -> Vec<Known> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(folder);
    let entries = fs::read_dir(path).expect("the folder can be read");
    let mut all: Vec<Known> = entries
        .map(|entry| {
            let path = entry.expect("the entry can be read").path();
            let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("it is a text");
            let expected = expected(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
            Known { name, text, expected }
        })
        .collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// Those that are looked at every day.
pub fn daily(folder: &str) -> Vec<Known> {
    let mut all = programs(folder);
    if folder == "systems" {
        let name = |known: &Known| known.name.trim_end_matches("_fixed").to_owned();
        let mut names: Vec<String> = all.iter().map(name).collect();
        names.dedup();
        let apart = names.len() / random::daily(names.len() as u64, 10) as usize;
        let chosen: Vec<String> = names.into_iter().step_by(apart).collect();
        all.retain(|known| chosen.contains(&name(known)));
    }
    all
}
