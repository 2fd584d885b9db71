//! A fixed number of inputs for each target.

use std::path::Path;
use std::time::Duration;

use fuzz::{Campaign, Target, Watch};

/// Tries this many inputs, or a part of them each day, of which at least this many in a thousand must be accepted:
/// mutations are worth something only if they spare enough.
fn run(target: Target, inputs: u64, accepted: u64) {
    let inputs = random::daily(inputs, 4);
    let last = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{target}.last"));
    let watch = Watch::new(last, Duration::from_secs(120), |path| {
        // The test's own thread is stuck: only the end of the process ends it.
        #[allow(clippy::print_stderr)]
        let () = eprintln!("an input takes too long: {}", path.display());
        std::process::abort();
    });
    let watch = watch.expect("the folder for temporary files is there");
    let mut campaign = Campaign::new(target, 1);
    for _ in 0..inputs {
        if let Err(failure) = campaign.step(&watch) {
            let text = String::from_utf8_lossy(&failure.input);
            let (caught, tried) = (&failure.caught, campaign.tried());
            panic!("input {tried} panics at {}: {}\n{text}", caught.place, caught.message);
        }
    }
    let found = campaign.accepted() * 1000 / inputs;
    assert!(found >= accepted, "only {found} of 1000 were accepted");
}

#[test]
fn lang() {
    run(Target::Lang, 50_000, 20);
}

#[test]
fn pnml() {
    run(Target::Pnml, 50_000, 10);
}

#[test]
fn properties() {
    run(Target::Properties, 50_000, 50);
}

#[test]
fn states() {
    run(Target::States, 50_000, 50);
}

#[test]
fn traces() {
    run(Target::Traces, 50_000, 20);
}

#[test]
fn engines() {
    run(Target::Engines, 15_000, 10);
}

#[test]
fn processes() {
    run(Target::Processes, 2_000, 20);
}

/// What is mutated is worth something only if it is right.
#[test]
fn engines_agree_on_the_models_that_are_mutated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let answer = fuzz::attempt(Target::Engines, &std::fs::read(&path).unwrap()).unwrap();
        assert!(answer.starts_with("ok"), "{}: {answer}", path.display());
    }
}
