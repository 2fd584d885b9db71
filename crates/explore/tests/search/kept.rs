//! Explorations that are kept, ended and gone on with.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use budget::{Budget, Limits, Unmeasured};
use explore::checkpoint::{About, Facts};
use explore::{
    Checkpoint, CheckpointError, Control, Exploration, Failed, Journal, Options, explore,
    explore_kept_on,
};
use random::Random;
use tempfile::TempDir;

use crate::assert_same;
use crate::graph::Web;

const HOUR: Duration = Duration::from_secs(3600);
const MODEL: &[u8] = b"a web of nodes\n";

fn facts(name: &str, value: &str) -> Facts {
    Facts::from([(name.to_owned(), value.to_owned())])
}

fn opened(directory: &Path, every: Duration) -> Result<Checkpoint, CheckpointError> {
    let about = About { facts: facts("the web", "large"), ..About::default() };
    Checkpoint::open(directory, &about, &[("model", MODEL)], every)
}

fn journal(
    directory: &Path,
    every: Duration,
    spaces: &mut [Web],
    options: &Options,
) -> Result<Journal, CheckpointError> {
    opened(directory, every)?.journal(&facts("colour", "red"), spaces, options)
}

/// Goes on until the watcher ends it.
fn gone_on(
    directory: &Path,
    every: Duration,
    spaces: &mut [Web],
    options: &Options,
    watch: &mut dyn FnMut(&Exploration) -> Control,
) -> Result<Exploration, Failed<u64>> {
    let mut journal = journal(directory, every, spaces, options).expect("the checkpoint is whole");
    explore_kept_on(spaces, options, &mut journal, watch, &mut |_| Control::Continue)
}

#[test]
fn whoever_goes_on_finds_the_same() {
    let mut times = 0;
    for seed in 0..20 {
        println!("seed {seed}");
        let mut random = Random::new(seed);
        let nodes = [300, 3000, 70_000][random.below(3_usize)];
        let fault = random.percent(20).then_some(nodes / 2);
        let web = Web { seed, nodes, fault };
        let keep_edges = random.percent(50);
        let until_label = random.percent(20).then_some(Web::RARE);
        let whole = Options { keep_edges, until_label, ..Options::default() };
        let expected = explore(&mut web.clone(), &whole, &mut |_| Control::Continue);
        let directory = TempDir::new().expect("there is a place for files");
        loop {
            times += 1;
            // With other threads, hashes and limits each time.
            let mut spaces = vec![web.clone(); 1 + random.below(4_usize)];
            let options = Options {
                hash_bits: Some([32, 12][random.below(2_usize)]),
                share_from: Some(1 + random.below(500_u64)),
                spill: crate::spill().filter(|_| random.percent(40)),
                ..whole.clone()
            };
            let every = if random.percent(70) { HOUR } else { Duration::ZERO };
            let mut left = 1 + random.below(3);
            let watch = &mut |_: &_| {
                left -= 1;
                if left == 0 { Control::Interrupt } else { Control::Continue }
            };
            let found = gone_on(directory.path(), every, &mut spaces, &options, watch);
            match (&expected, found) {
                (Ok(expected), Ok(found)) if left > 0 => {
                    assert_same(expected, &found);
                    break;
                }
                (Err(expected), Err(found)) => {
                    assert_eq!((expected.fault, expected.at), (found.fault, found.at));
                    assert_same(&expected.exploration, &found.exploration);
                    break;
                }
                (_, Ok(found)) => assert!(!found.complete),
                (Ok(_), Err(_)) => panic!("there is no fault"),
            }
        }
    }
    assert!(times > 50, "only {times} times it went on");
}

/// A small exploration that is complete, and its files.
fn small() -> (Web, TempDir, Vec<PathBuf>) {
    let web = Web { seed: 5, nodes: 60, fault: None };
    let directory = TempDir::new().expect("there is a place for files");
    let options = Options { keep_edges: true, ..Options::default() };
    let watch = &mut |_: &_| Control::Continue;
    let spaces = &mut [web.clone()];
    let found = gone_on(directory.path(), HOUR, spaces, &options, watch).expect("no fault");
    assert!(found.complete && found.states() > 20, "{} states", found.states());
    let files = fs::read_dir(directory.path()).expect("it is a directory");
    let files = files.map(|entry| entry.expect("it can be read").path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.file_name().is_some_and(|name| name != "lock")).collect();
    files.sort();
    assert_eq!(files.len(), 7, "{files:?}");
    (web, directory, files)
}

/// That a checkpoint is refused, with the name of one of these files; and that whoever looks at it sees it.
fn assert_refused(web: &Web, directory: &Path, files: &[&PathBuf], what: &str) {
    let options = Options { keep_edges: true, ..Options::default() };
    let error = journal(directory, HOUR, &mut [web.clone()], &options).err();
    let error = error.unwrap_or_else(|| panic!("{what}: accepted"));
    let names = |text: &str| files.iter().any(|file| text.contains(&file.display().to_string()));
    assert!(names(&error.to_string()), "{what}: {error}");
    let seen = match Checkpoint::verify(directory) {
        Ok(damage) => damage.iter().any(|error| names(&error.to_string())),
        Err(error) => names(&error.to_string()),
    };
    assert!(seen, "{what}: not seen");
}

#[test]
fn every_byte_that_is_another_is_noticed() {
    let (web, directory, files) = small();
    let mut random = Random::new(1);
    let mut bytes = 0;
    for file in &files {
        let whole = fs::read(file).expect("it is there");
        for at in 0..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 1 << random.below(8_u32);
            fs::write(file, &other).expect("it can be written");
            let what = format!("byte {at} of {}", file.display());
            assert_refused(&web, directory.path(), &[file], &what);
            bytes += 1;
        }
        fs::write(file, &whole).expect("it can be written");
    }
    assert!(bytes > 1000, "only {bytes} bytes");
    let options = Options { keep_edges: true, ..Options::default() };
    assert!(journal(directory.path(), HOUR, &mut [web], &options).is_ok(), "it is whole again");
}

#[test]
fn files_that_are_cut_off_missing_or_swapped_are_noticed() {
    let (web, directory, files) = small();
    for file in &files {
        let whole = fs::read(file).expect("it is there");
        for length in 0..whole.len() {
            fs::write(file, &whole[..length]).expect("it can be written");
            let what = format!("{length} bytes of {}", file.display());
            assert_refused(&web, directory.path(), &[file], &what);
        }
        fs::write(file, &whole).expect("it can be written");
    }
    for file in files.iter().filter(|file| !file.ends_with("manifest")) {
        let elsewhere = directory.path().join("elsewhere");
        fs::rename(file, &elsewhere).expect("it is there");
        assert_refused(&web, directory.path(), &[file], "a file is gone");
        fs::rename(&elsewhere, file).expect("it is there");
    }
    for (at, one) in files.iter().enumerate() {
        for other in &files[at + 1..] {
            let [a, b] = [one, other].map(|file| fs::read(file).expect("it is there"));
            fs::write(one, &b).expect("it can be written");
            fs::write(other, &a).expect("it can be written");
            assert_refused(&web, directory.path(), &[one, other], "two files are swapped");
            fs::write(one, &a).expect("it can be written");
            fs::write(other, &b).expect("it can be written");
        }
    }
}

#[test]
fn what_was_being_written_is_dropped() {
    let (web, directory, files) = small();
    for file in files.iter().filter(|file| !file.ends_with("manifest") && !file.ends_with("model"))
    {
        let mut bytes = fs::read(file).expect("it is there");
        bytes.extend_from_slice(b"half of someth");
        fs::write(file, &bytes).expect("it can be written");
    }
    fs::write(directory.path().join("manifest.new"), b"kinfold check").expect("it can be written");
    let options = Options { keep_edges: true, ..Options::default() };
    let watch = &mut |_: &_| Control::Continue;
    let expected = explore(&mut web.clone(), &options, watch).expect("no fault");
    let found = gone_on(directory.path(), HOUR, &mut [web], &options, watch).expect("no fault");
    assert_same(&expected, &found);
}

#[test]
fn another_run_is_refused_with_what_differs() {
    let (web, directory, _) = small();
    let options = Options { keep_edges: true, ..Options::default() };
    let spaces = &mut [web];
    let about = About { facts: facts("the web", "small"), ..About::default() };
    let error = Checkpoint::open(directory.path(), &about, &[], HOUR).expect_err("another run");
    let text = "the checkpoint is of another run:\n  the web was large, and is now small";
    assert_eq!(error.to_string(), text);
    let checkpoint = opened(directory.path(), HOUR).expect("it is the run");
    let error = checkpoint.journal(&facts("colour", "blue"), spaces, &options).err();
    let text = "the checkpoint is of another run:\n  colour was red, and is now blue";
    assert_eq!(error.expect("it is another exploration").to_string(), text);
    let error = checkpoint.journal(&facts("colour", "red"), spaces, &Options::default()).err();
    let text = "what is done with edges was kept, and is now not kept";
    assert!(error.expect("it has no edges").to_string().ends_with(text));
    // Another part of the run is new.
    let journal = checkpoint.part("two").journal(&facts("colour", "blue"), spaces, &options);
    assert!(journal.expect("it is begun").restored().is_none());
    assert!(checkpoint.journal(&facts("colour", "red"), spaces, &options).is_ok());
}

#[test]
fn a_space_that_begins_elsewhere_is_refused() {
    let (_, directory, _) = small();
    let options = Options { keep_edges: true, ..Options::default() };
    let checkpoint = opened(directory.path(), HOUR).expect("it is the run");
    let mut other = [Elsewhere];
    let error = checkpoint.journal(&facts("colour", "red"), &mut other, &options).err();
    let text = error.expect("it is another space").to_string();
    assert!(text.ends_with("its first states are not those of the model"), "{text}");
}

/// Begins where no web does.
struct Elsewhere;

impl explore::Space for Elsewhere {
    type Fault = ();

    fn initial(&mut self, found: &mut explore::Successors) -> Result<(), ()> {
        found.push(0, 1, b"elsewhere");
        Ok(())
    }

    fn expand(&mut self, _: &[u8], _: &mut explore::Successors) -> Result<explore::Standing, ()> {
        Ok(explore::Standing::Alive)
    }
}

#[test]
fn one_process_at_a_time_and_nothing_else_in_the_directory() {
    let directory = TempDir::new().expect("there is a place for files");
    let path = directory.path().join("deep/inside");
    assert!(matches!(Checkpoint::contents(&path), Err(CheckpointError::Missing(_))));
    let first = opened(&path, HOUR).expect("it is made");
    assert!(matches!(opened(&path, HOUR), Err(CheckpointError::InUse(_))));
    assert_eq!(Checkpoint::contents(&path).expect("it is there").attached, ["model"]);
    assert_eq!(Checkpoint::attachment(&path, "model").expect("it is there"), MODEL);
    assert!(Checkpoint::attachment(&path, "other").is_err());
    drop(first);
    opened(&path, HOUR).expect("it is free again");
    fs::write(directory.path().join("notes"), b"mine").expect("it can be written");
    assert!(matches!(opened(directory.path(), HOUR), Err(CheckpointError::NotEmpty(_))));
}

#[test]
fn too_little_memory_for_what_is_kept_changes_nothing() {
    let web = Web { seed: 9, nodes: 70_000, fault: None };
    let directory = TempDir::new().expect("there is a place for files");
    let options = Options::default();
    let watch = &mut |_: &_| Control::Continue;
    let expected = gone_on(directory.path(), HOUR, &mut [web.clone()], &options, watch);
    let before = Checkpoint::contents(directory.path()).expect("it is there").explorations;
    let limits = Limits { memory: Some(100_000), ..Limits::default() };
    let little = Options { budget: Budget::with_gauge(limits, Unmeasured), ..Options::default() };
    let error = journal(directory.path(), HOUR, &mut [web.clone()], &little).err();
    assert!(matches!(error, Some(CheckpointError::Exhausted(_))), "{error:?}");
    let after = Checkpoint::contents(directory.path()).expect("it is there").explorations;
    assert_eq!(before[0].counts, after[0].counts);
    let found = gone_on(directory.path(), HOUR, &mut [web], &options, watch);
    assert_same(&expected.expect("no fault"), &found.expect("no fault"));
}
