//! Dependencies point one way: as the table in ARCHITECTURE.md says. Who is said to have no tests has none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Crates by folder, and the folders of those they use.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The rows of the code map: what each crate may use.
fn allowed() -> Uses {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut rows = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let names = cells[2].split(',').map(|name| name.trim().trim_matches('`'));
        let names = names.filter(|name| *name != "–").map(str::to_owned);
        rows.insert(cells[0].trim_matches('`').to_owned(), names.collect());
    }
    rows
}

/// What cargo knows of the crates.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// What each crate does use, tests and benches aside.
fn actual() -> Uses {
    let folder = |path: &str| Path::new(path).file_name().unwrap().to_str().unwrap().to_owned();
    let mut crates = BTreeMap::new();
    for package in packages() {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let name = folder(manifest.parent().unwrap().to_str().unwrap());
        let uses = package["dependencies"].as_array().unwrap().iter();
        let uses = uses.filter(|dependency| dependency["kind"] != "dev");
        let uses = uses.filter_map(|dependency| dependency["path"].as_str()).map(folder);
        crates.insert(name, uses.collect());
    }
    crates
}

fn forbidden(actual: &Uses, allowed: &Uses) -> Vec<String> {
    let edges = actual.iter().flat_map(|(from, uses)| uses.iter().map(move |to| (from, to)));
    edges
        .filter(|(from, to)| !allowed.get(*from).is_some_and(|uses| uses.contains(*to)))
        .map(|(from, to)| format!("{from} → {to}"))
        .collect()
}

#[test]
fn dependencies_point_one_way() {
    let (actual, allowed) = (actual(), allowed());
    assert_eq!(forbidden(&actual, &allowed), Vec::<String>::new());
    let crates: Vec<&String> = actual.keys().collect();
    assert_eq!(crates, allowed.keys().collect::<Vec<_>>(), "the table lists all crates");
}

#[test]
fn a_forbidden_edge_is_found() {
    let mut actual = actual();
    actual.get_mut("canon").unwrap().insert("state".into());
    assert_eq!(forbidden(&actual, &allowed()), ["canon → state"]);
}

#[test]
fn the_table_has_no_cycle() {
    let mut left = allowed();
    while !left.is_empty() {
        let free: Vec<String> =
            left.iter().filter(|(_, uses)| uses.is_empty()).map(|(name, _)| name.clone()).collect();
        assert!(!free.is_empty(), "a cycle among {:?}", left.keys());
        left.retain(|name, _| !free.contains(name));
        left.values_mut().for_each(|uses| uses.retain(|name| !free.contains(name)));
    }
}

/// The sources in a folder and those below it.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The first of the files in which there is such a line.
fn file_with(files: &[PathBuf], is_such: impl Fn(&str) -> bool) -> Option<&PathBuf> {
    files.iter().find(|file| fs::read_to_string(file).unwrap().lines().any(&is_such))
}

/// Crates without tests of their own, or without examples in their documentation, say so (`test = false`, `doctest =
/// false`), so that they are not compiled once more to find none. Should they get some, these have to be run.
#[test]
fn what_is_said_to_have_no_tests_has_none() {
    let is_fence = |line: &str| {
        let text = line.trim().strip_prefix("///").or(line.trim().strip_prefix("//!"));
        text.is_some_and(|text| text.trim().starts_with("```"))
    };
    let kinds = |target: &Value| -> Vec<String> {
        let kinds = target["kind"].as_array().unwrap().iter();
        kinds.map(|kind| kind.as_str().unwrap().to_owned()).collect()
    };
    let is_library = |target: &Value| kinds(target).iter().any(|kind| kind.ends_with("lib"));
    let mut said = [0, 0];
    for package in packages() {
        let targets = package["targets"].as_array().unwrap();
        let has_tested_library =
            targets.iter().any(|target| is_library(target) && target["test"] == true);
        for target in targets {
            let is_library = is_library(target);
            if !is_library && kinds(target) != ["bin"] {
                continue;
            }
            let file = PathBuf::from(target["src_path"].as_str().unwrap());
            let mut files = Vec::new();
            match has_tested_library && !is_library {
                // What is beside it belongs to the library.
                true => files.push(file),
                false => sources(file.parent().unwrap(), &mut files),
            }
            // These files have the tests of the command, and are modules here.
            let here = ["estimate", "pace", "signals"]
                .map(|name| format!("kinfold/src/command/progress/{name}.rs"));
            files.retain(|file| !here.iter().any(|here| file.ends_with(here)));
            if target["test"] == false {
                said[0] += 1;
                let with_test = file_with(&files, |line| line.trim() == "#[test]");
                assert_eq!(with_test, None, "{} has `test = false`", target["name"]);
            }
            if is_library && target["doctest"] == false {
                said[1] += 1;
                let with_example = file_with(&files, is_fence);
                assert_eq!(with_example, None, "{} has `doctest = false`", target["name"]);
            }
        }
    }
    assert!(said.iter().all(|&count| count > 0), "{said:?}");
}
