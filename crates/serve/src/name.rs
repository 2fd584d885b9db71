//! What models are called.

use std::collections::BTreeSet;
use std::path::Path;

/// A name for the model in each file: its own without the extension, and where several would have the same, a number
/// behind it.
pub(crate) fn names_of<'p>(paths: impl Iterator<Item = &'p Path>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    paths
        .map(|path| {
            let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
            let numbered = (2_u64..).map(|number| format!("{stem}-{number}"));
            let mut names = std::iter::once(stem.to_string()).chain(numbered);
            let name = names.find(|name| !taken.contains(name)).unwrap_or_default();
            taken.insert(name.clone());
            name
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_files_and_unique() {
        let paths = ["a/abba.kin", "abba-2.kin", "b/abba.kin", "abba.pnml", ".kin", "x.y.kin"];
        let names = names_of(paths.iter().map(Path::new));
        assert_eq!(names, ["abba", "abba-2", "abba-3", "abba-4", ".kin", "x.y"]);
    }
}
