//! Dependencies point one way: as the table in ARCHITECTURE.md says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Crates by folder, and the folders of those they use.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The rows of the code map: what each crate may use.
fn allowed() -> Uses {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut rows = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let names = cells[2].split(',').map(|name| name.trim().trim_matches('`'));
        let names = names.filter(|name| *name != "–").map(str::to_owned);
        rows.insert(cells[0].trim_matches('`').to_owned(), names.collect());
    }
    rows
}

/// What each crate does use, tests and benches aside.
fn actual() -> Uses {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let folder = |path: &str| Path::new(path).file_name().unwrap().to_str().unwrap().to_owned();
    let mut crates = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
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
