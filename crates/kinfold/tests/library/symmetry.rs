//! What is symmetric in the models under `models/`: as much as they declare.

use std::fs;
use std::path::{Path, PathBuf};

use kinfold::lang;
use kinfold::net::{Enumeration, Net, Symmetry};

fn models() -> Vec<(PathBuf, Net)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = fs::read_dir(folder).expect("there are models");
    let paths = files.map(|file| file.expect("it can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "kin")).collect();
    paths.sort();
    let compiled = paths.into_iter().map(|path| {
        let text = fs::read_to_string(&path).expect("it can be read");
        let net = lang::compile(&text, &[]).net;
        (path, net.expect("it is a model"))
    });
    compiled.collect()
}

/// The net without what it declares.
fn undeclared(net: &Net) -> Net {
    let mut net = net.clone();
    for class in &mut net.enumerations {
        class.round = class.goes_round();
        class.symmetry = Symmetry::None;
    }
    net
}

#[test]
fn models_declare_what_is_found() {
    let mut symmetric = 0;
    for (path, net) in models() {
        let found = undeclared(&net).find_symmetry(&[]);
        assert_eq!(found.net.check(), [], "{}", path.display());
        let written = lang::compile(&lang::write(&found.net), &[]).net;
        let again = written.unwrap_or_else(|| panic!("{} is not written well", path.display()));
        // A cyclic class goes round whether it is said or not.
        let classes = |net: &Net| undeclared(net).enumerations;
        assert_eq!(classes(&again), classes(&found.net), "{}", path.display());
        for (declared, found) in net.enumerations.iter().zip(&found.net.enumerations) {
            let parts = |class: &Enumeration| class.part_ranges().collect::<Vec<_>>();
            if declared.symmetry == Symmetry::None {
                continue;
            }
            symmetric += 1;
            let name = &declared.name;
            assert_eq!(found.symmetry, declared.symmetry, "{name} in {}", path.display());
            assert_eq!(parts(found), parts(declared), "{name} in {}", path.display());
            assert_eq!(found.members, declared.members, "{name} in {}", path.display());
        }
    }
    assert!(symmetric > 5, "{symmetric}");
}
