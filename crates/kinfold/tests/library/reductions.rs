//! The models under `models/` with and without stubborn sets: the same verdicts, runs that can be replayed, and how many
//! states are left.
//!
//! `cargo test -p kinfold --test library -- reductions --nocapture` prints them; `scripts/reductions` has larger ones.

#![expect(clippy::print_stdout, reason = "the table is to be looked at")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kinfold::net::{Net, Property};
use kinfold::{Checking, Plan, Reduction, Reductions, Report, Verdict, lang, verify};

/// Models with more classes are left out.
const MOST: u64 = 6_000;

/// Of these models at most a tenth of the states is left, with these constants.
const TENFOLD: [(&str, &[(&str, i64)]); 4] = [
    ("private_locks", &[]),
    ("channel_pairs", &[]),
    ("sessions", &[("clients", 4)]),
    ("tree_sum", &[("depth", 3), ("leaves", 8)]),
];

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
    let mut compared = 0;
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
            let reductions = Reductions { from_start: true, ..Reductions::default() };
            let left = verified(&net, property, reductions).expect("it was explored before");
            let [before, after] = [&whole, &left].map(|report| &report.outcomes[0]);
            let known = word(&before.verdict) != "unknown" && whole.fault.is_none();
            if !known || !left.reductions.contains(&Reduction::Stubborn) {
                continue;
            }
            let name = path.file_stem().unwrap().to_string_lossy();
            assert_eq!(word(&before.verdict), word(&after.verdict), "{name}: {}", property.name);
            compared += 1;
            println!("| {name} | {} | {} | {} |", property.name, before.states, after.states);
        }
    }
    assert!(compared > 50, "{compared} properties are decided by stubborn sets");
}

/// A model of processes, with constants.
fn process_model(name: &str, constants: &[(&str, i64)]) -> Arc<Net> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/processes");
    let text = fs::read_to_string(models.join(name).with_extension("kin")).unwrap();
    let given = constants
        .iter()
        .map(|(name, value)| lang::Override { name: (*name).into(), value: value.to_string() });
    Arc::new(lang::compile(&text, &given.collect::<Vec<_>>()).net.unwrap())
}

#[test]
fn independent_work_has_a_tenth_of_the_states() {
    for (name, constants) in TENFOLD {
        let net = process_model(name, constants);
        let property = &net.default_properties()[0];
        let from_start = Reductions { from_start: true, ..Reductions::default() };
        let states = [Reductions::NONE, from_start].map(|reductions| {
            let report = verified(&net, property, reductions).expect("it has no fault");
            assert_eq!(word(&report.outcomes[0].verdict), "holds", "{name}");
            report.outcomes[0].states
        });
        assert!(states[0] >= 10 * states[1], "{name}: {states:?}");
    }
}

/// By default, stubborn sets are used where a model is not small, and it pays.
#[test]
fn small_models_are_looked_at_whole() {
    for (name, constants, is_reduced) in
        [("dining", &[("seats", 4)], false), ("dining", &[("seats", 7)], true)]
    {
        let net = process_model(name, constants);
        let report = verify(&net, &net.default_properties(), &Checking::default(), &mut |_| {});
        let report = report.expect("it has no fault");
        assert_eq!(word(&report.outcomes[0].verdict), "holds", "{constants:?}");
        assert_eq!(report.reductions.contains(&Reduction::Stubborn), is_reduced, "{constants:?}");
    }
}
