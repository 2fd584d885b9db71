//! The version of the language that a program is written in.
//!
//! Go 1.22 gave each round of a loop variables of its own; before, all rounds share them. A file says which it is by
//! `//go:build go1.22`, and otherwise the module does, in its `go.mod`. Where neither does, a `range` over a number, which came with Go 1.22, says so,
//! too. Else rounds share variables, and a program in which that can make a difference is told so.

use std::fs;
use std::path::Path;

/// The first minor version in which each round of a loop has variables of its own.
const OWN_ROUNDS: u32 = 22;

/// Why rounds of loops have variables of their own, or share them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rounds {
    /// Somebody says that they have their own.
    Own,
    /// Somebody says that they share them.
    Shared,
    /// Nobody says anything.
    #[default]
    TakenAsShared,
}

impl Rounds {
    /// What the lines of a program say, or its module does, by its minor version.
    pub(crate) fn of(text: &str, module: Option<u32>) -> Rounds {
        let said = text.lines().filter_map(of_line).max();
        match said.or(module) {
            Some(minor) if minor >= OWN_ROUNDS => Rounds::Own,
            Some(_) => Rounds::Shared,
            None => Rounds::TakenAsShared,
        }
    }
}

/// The greatest version that a line asks for, if it is one that a file is built by.
fn of_line(line: &str) -> Option<u32> {
    let tags = line.trim().strip_prefix("//go:build")?;
    let tags = tags.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    tags.filter_map(|tag| tag.strip_prefix("go1.")?.parse().ok()).max()
}

/// The minor version of Go 1 that a `go.mod` says: 22 for `go 1.22.3`. One without such a line is of Go 1.16, as Go
/// takes it.
fn minor_of_module(go_mod: &str) -> Option<u32> {
    let said = go_mod.lines().find_map(|line| {
        let version = line.split("//").next()?.trim().strip_prefix("go")?;
        version.starts_with([' ', '\t']).then(|| version.trim())
    });
    let Some(version) = said else { return Some(16) };
    let minor = version.strip_prefix("1.")?;
    let end = minor.find(|c: char| !c.is_ascii_digit()).unwrap_or(minor.len());
    minor[..end].parse().ok()
}

/// The same of the module that a file or folder is in, if it is in one that says so.
#[must_use]
pub fn minor_of(path: &Path) -> Option<u32> {
    let path = path.canonicalize().ok()?;
    let module = path.ancestors().map(|folder| folder.join("go.mod")).find(|file| file.is_file());
    minor_of_module(&fs::read_to_string(module?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{Rounds, minor_of_module};

    #[test]
    fn modules_have_versions() {
        let of = |text: &str| minor_of_module(text);
        assert_eq!(of("module a\n\ngo 1.13\n"), Some(13));
        assert_eq!(of("module a // go 1.9\n\ngo\t1.22.3 // since\n\ntoolchain go1.23\n"), Some(22));
        assert_eq!(of("module a\n\ngo 1.21rc2\n"), Some(21));
        assert_eq!(of("module a\n\nrequire golang.org/x/sync v0.1.0\n"), Some(16));
        assert_eq!(of("module gopher\n"), Some(16));
        assert_eq!(of("go next\n"), None);
    }

    #[test]
    fn files_say_more_than_modules() {
        let tagged = "//go:build go1.22 && linux\n\npackage a\n";
        let old = "//go:build go1.18\n\npackage a\n";
        assert_eq!(Rounds::of(tagged, Some(13)), Rounds::Own);
        assert_eq!(Rounds::of(old, Some(22)), Rounds::Shared);
        assert_eq!(Rounds::of("package a\n", Some(22)), Rounds::Own);
        assert_eq!(Rounds::of("package a\n", Some(21)), Rounds::Shared);
        assert_eq!(Rounds::of("package a\n", None), Rounds::TakenAsShared);
    }
}
