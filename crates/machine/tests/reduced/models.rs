//! The models of the tree, with smaller constants where they have some.

use std::path::{Path, PathBuf};

use crate::{code_of, compare};

/// As many states a model may have; every day, a tenth of that.
const MOST_STATES: u64 = 20_000;

fn models(below: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(below).expect("a folder");
    for entry in entries.map(|entry| entry.expect("a folder").path()) {
        match entry.extension().is_some_and(|extension| extension == "kin") {
            true => found.push(entry),
            false if entry.is_dir() => models(&entry, found),
            false => {}
        }
    }
}

#[test]
fn models_have_the_same_verdicts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    models(&root.join("models"), &mut found);
    models(&root.join("rivals/programs/models"), &mut found);
    found.sort();
    let most = random::daily(MOST_STATES, 10);
    let (mut compared, mut fewer) = (0, 0);
    for path in found {
        let text = std::fs::read_to_string(&path).expect("a model");
        let Some(code) = code_of(&text) else { continue };
        let same = std::panic::catch_unwind(|| compare(&code, most));
        let same = same.unwrap_or_else(|_| panic!("{}", path.display()));
        if let Some((states, reduced, _)) = same {
            compared += 1;
            fewer += usize::from(reduced < states);
        }
    }
    assert!(compared >= 30 && 2 * fewer >= compared, "{fewer} of {compared} have fewer states");
}
