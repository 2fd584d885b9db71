//! The models under `models/` with and without stubborn sets: the same verdicts, runs that can be replayed, and how many
//! states are left.
//!
//! `cargo test -p kinfold --test reductions -- --nocapture` prints the table of docs/reductions.md.

#![expect(clippy::print_stdout, reason = "the table is to be looked at")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kinfold::net::{Net, Property};
use kinfold::{Checking, Plan, Reduction, Reductions, Report, Verdict, lang, verify};

/// Models with more classes are left out.
const MOST: u64 = 6_000;

/// Of these models at most a tenth of the states is left.
const TENFOLD: [&str; 1] = ["private_locks"];

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.extension() {
            _ if path.is_dir() => models(&path, found),
            Some(extension) if extension == "kin" => found.push(path),
            _ => {}
        }
    }
}

fn verified(net: &Arc<Net>, property: &Property, reductions: Reductions) -> Option<Report> {
    let plan = Plan { states: Some(MOST), ..Plan::default() };
    let checking = Checking { plan, reductions, ..Checking::default() };
    verify(net, std::slice::from_ref(property), &checking, &mut |_| {}).ok()
}

/// What is told of a verdict, without its run.
fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds { vacuously: false, .. } => "holds",
        Verdict::Holds { vacuously: true, .. } => "holds vacuously",
        Verdict::Fails(_) => "fails",
        _ => "unknown",
    }
}

#[test]
fn verdicts_on_the_models_do_not_depend_on_stubborn_sets() {
    let mut paths = Vec::new();
    models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut paths);
    let (mut compared, mut tenfold) = (0, Vec::new());
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let Some(net) = lang::compile(&text, &[]).net.map(Arc::new) else { continue };
        if !net.has_threads() {
            continue;
        }
        let mut properties = net.properties.clone();
        properties.extend(net.default_properties());
        for property in &properties {
            let Some(whole) = verified(&net, property, Reductions::NONE) else { continue };
            let reductions = Reductions { threads: true, ..Reductions::default() };
            let left = verified(&net, property, reductions).expect("it was explored before");
            let [before, after] = [&whole, &left].map(|report| &report.outcomes[0]);
            let known = word(&before.verdict) != "unknown" && whole.fault.is_none();
            if !known || !left.reductions.contains(&Reduction::Stubborn) {
                continue;
            }
            let name = path.file_stem().unwrap().to_string_lossy();
            assert_eq!(word(&before.verdict), word(&after.verdict), "{name}: {}", property.name);
            compared += 1;
            if before.states >= 10 * after.states {
                tenfold.push(name.to_string());
            }
            println!("| {name} | {} | {} | {} |", property.name, before.states, after.states);
        }
    }
    assert!(compared > 50, "{compared} properties are decided by stubborn sets");
    for name in TENFOLD {
        assert!(tenfold.iter().any(|model| model == name), "{name}: not tenfold, but {tenfold:?}");
    }
}
