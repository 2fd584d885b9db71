//! Documents that are made of nets mean the same nets again, and so do texts of the language.

use std::path::{Path, PathBuf};

use net::{EnumId, Fairness, Strength, TransitionId, Whom};
use pnml::{Limits, from_net, read, to_net, write};

use crate::random_document;

/// The net that a document of the net means; none if the net cannot be said.
fn again(net: &net::Net, context: &str) -> Option<net::Net> {
    let document = from_net(net).ok()?;
    let text = write(&document);
    let again = read(&text, &Limits::default())
        .unwrap_or_else(|errors| panic!("{context}\n{}", errors.render("written", &text, false)));
    assert_eq!(again, document, "{context}");
    let net = to_net(&again, &text);
    Some(
        net.unwrap_or_else(|errors| {
            panic!("{context}\n{}", errors.render("written", &text, false))
        }),
    )
}

/// Checks that the language can say a net, and says the same. It refuses a net in which nothing starts.
fn check_language(net: &net::Net, context: &str) {
    let text = lang::write(net);
    let compilation = lang::compile(&text, &[]);
    if net.start.is_empty() && net.tokens.is_empty() && compilation.net.is_none() {
        let first = compilation.diagnostics.iter().next().map(|error| error.code);
        assert_eq!(first, Some("E0004"), "{context}\n{text}");
        return;
    }
    let again = compilation.net.unwrap_or_else(|| {
        let drawn = compilation.diagnostics.render("written.kin", &text, false);
        panic!("{context}\n{drawn}")
    });
    assert!(again == *net, "{context}\n{text}\n{again:#?}\n{net:#?}");
}

fn files(folder: PathBuf, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("it can be read").path()) {
        match path.is_dir() {
            true => files(path, into),
            false if path.extension().is_some_and(|e| e == "pnml") => into.push(path),
            false => {}
        }
    }
}

/// The contest's models and the nets with known counts, where they lie beside the project.
#[test]
fn models_survive_being_nets() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let mut paths = Vec::new();
    files(shared.join("mcc"), &mut paths);
    files(shared.join("expected"), &mut paths);
    for path in paths {
        let context = path.to_string_lossy();
        let bytes = std::fs::read(&path).expect("it can be read");
        let text = pnml::decode(&bytes).expect("it is text");
        let document = read(&text, &Limits::default()).expect("it is right");
        let net = to_net(&document, &text).expect("it can be said");
        if let Err(list) = from_net(&net) {
            panic!("{context}: {list:?}");
        }
        assert!(again(&net, &context).as_ref() == Some(&net), "{context}");
        check_language(&net, &context);
    }
}

#[test]
fn random_nets_survive_being_documents() {
    const DOCUMENTS: u64 = 3000;
    let (mut nets, mut said) = (0, 0);
    for seed in 0..DOCUMENTS {
        let document = random_document::document(seed);
        let Ok(net) = to_net(&document, "") else { continue };
        nets += 1;
        check_language(&net, &format!("seed {seed}"));
        if let Some(again) = again(&net, &format!("seed {seed}")) {
            said += 1;
            assert_eq!(again, net, "seed {seed}");
        }
    }
    assert!(said > nets * 3 / 4, "only {said} of {nets} can be said");
}

/// Random nets with fairness of every transition and every class: the language says it, PNML does not.
#[test]
fn fairness_survives_in_the_language_only() {
    const DOCUMENTS: u64 = 300;
    let mut assumptions = 0;
    for seed in 0..DOCUMENTS {
        let document = random_document::document(seed);
        let Ok(mut net) = to_net(&document, "") else { continue };
        let transitions = (0..).map(TransitionId).take(net.transitions.len()).map(Whom::Transition);
        let classes = (0..).map(EnumId).take(net.enumerations.len()).map(Whom::Class);
        let strengths = [Strength::Weak, Strength::Strong, Strength::Strong].into_iter().cycle();
        let assumed = transitions.chain(classes).zip(strengths);
        net.fairness = assumed.map(|(of, strength)| Fairness { strength, of }).collect();
        check_language(&net, &format!("seed {seed}"));
        let unsayable = from_net(&net).err().unwrap_or_default();
        let listed = unsayable.iter().filter(|it| it.place.starts_with("fairness of "));
        assert_eq!(listed.count(), net.fairness.len(), "seed {seed}: {unsayable:?}");
        assumptions += net.fairness.len();
    }
    assert!(assumptions > 100, "only {assumptions} assumptions were made");
}

#[test]
fn fairness_is_listed_by_whom_it_is_of() {
    let net = net::Net {
        fairness: vec![Fairness { strength: Strength::Weak, of: Whom::Threads }],
        ..net::Net::default()
    };
    let listed: Vec<String> = from_net(&net).unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        listed,
        ["fairness of threads: what is assumed of runs is no part of a net in PNML"]
    );
}
