//! One file, or more, for each mistake that can be made: it is found, alone, and reads well.
//!
//! The name of a file starts with the code that everything said about it has. Files that end in `.xml`
//! are property files.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use diagnostics::Report;
use pnml::{Limits, properties, read, to_net};

fn gallery() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gallery");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
        files.push((name, std::fs::read_to_string(&path).expect("it is a text")));
    }
    files.sort();
    files
}

fn found(name: &str, text: &str) -> Report {
    let limits = Limits::default();
    let errors = match name.ends_with(".xml") {
        true => properties::read(text, &limits).err(),
        false => match read(text, &limits) {
            Ok(document) => to_net(&document, text).err().or(Some(document.warnings)),
            Err(errors) => Some(errors),
        },
    };
    errors.filter(|found| !found.is_empty()).unwrap_or_else(|| panic!("{name} has no mistake"))
}

fn codes(errors: &Report) -> BTreeSet<&'static str> {
    errors.iter().map(|error| error.code).collect()
}

#[test]
fn every_mistake_is_found_and_reads_well() {
    let mut wrong = String::new();
    for (name, text) in gallery() {
        let errors = found(&name, &text);
        let expected = name.split('_').next().expect("a part before the first `_`");
        if codes(&errors).iter().copied().ne([expected]) {
            writeln!(wrong, "{name}: {errors}").expect("strings do not fail");
        }
        let drawn = errors.render(&name, &text, false);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name.as_str(), drawn);
        });
    }
    assert!(wrong.is_empty(), "other codes than the name of the file says:\n{wrong}");
}

#[test]
fn every_code_has_a_file_and_an_explanation() {
    let shown: BTreeSet<String> = gallery()
        .iter()
        .map(|(name, _)| name.chars().take_while(|&c| c != '_').collect())
        .collect();
    // Shown by other tests: these files would be large, or no text.
    let made = ["P0001", "P0004", "P0005", "P0006", "P0401", "P0403"].map(String::from).into();
    let known: BTreeSet<String> = pnml::EXPLANATIONS.iter().map(|one| one.code.into()).collect();
    assert_eq!(shown.union(&made).cloned().collect::<BTreeSet<_>>(), known);
    for one in pnml::EXPLANATIONS.iter() {
        assert!(one.text.len() > 20 && !one.title.is_empty(), "{one:?}");
    }
    assert_eq!(pnml::EXPLANATIONS.find("P9999"), None);
}
