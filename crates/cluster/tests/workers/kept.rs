//! What several processes keep, and go on from, as the same number of processes or another.

#![expect(clippy::print_stdout, reason = "how much was changed is of interest")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cluster::on_loopback;
use explore::Checkpoint;
use explore::checkpoint::About;
use net::Net;
use random::Random;
use survey::{Plan, Survey, SurveyError, Team, survey};
use tempfile::TempDir;

fn model(name: &str) -> Arc<Net> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let text = fs::read_to_string(path).expect("a model");
    Arc::new(lang::compile(&text, &[]).net.expect("a net"))
}

/// What was found.
fn told(survey: &mut Survey<'_>) -> String {
    let exploration = survey.exploration();
    let fired: Vec<(u32, u64)> = exploration.fired.iter().collect();
    let modes = exploration.modes;
    let census = survey.census().map(|census| format!("{census:?}"));
    format!("{:?} {modes} {fired:?} {:?} {census:?}", survey.tally(), survey.most_tokens())
}

/// Explores up to a number of states, by this many processes and workers, from what is kept in a directory. What was
/// found, if that is all.
fn explored(
    net: &Arc<Net>,
    directory: &Path,
    (processes, threads): (usize, usize),
    plan: &Plan,
) -> Vec<Result<Option<String>, String>> {
    let done = on_loopback(processes, threads, |network| {
        let own = directory.join(format!("process-{}", network.process()));
        let checkpoint = Checkpoint::open(&own, &About::default(), &[], Duration::from_secs(3600));
        let checkpoint = Some(checkpoint.map_err(|error| error.to_string())?);
        let team = Some(Team { network, watch: None });
        let plan = Plan { team, checkpoint, ..plan.clone() };
        let mut survey = survey(net, &plan).map_err(|error: SurveyError| error.to_string())?;
        let is_complete = survey.exploration().complete;
        Ok(is_complete.then(|| told(&mut survey)))
    });
    done.expect("connections")
}

fn up_to(states: u64) -> Plan {
    Plan { states: Some(states), ..Plan::default() }
}

#[test]
fn any_number_of_processes_goes_on() {
    for (name, full) in [("server.kin", false), ("peterson.kin", false), ("philosophers.kin", true)]
    {
        let net = model(name);
        let plan = Plan { full, ..Plan::default() };
        let one = told(&mut survey(&net, &plan).expect("a survey"));
        let mut random = Random::new(14);
        for _ in 0..3 {
            let directory = tempfile::tempdir().expect("a directory");
            let (mut limit, mut layouts) = (2, Vec::new());
            loop {
                let layout = (1 + random.below(3) as usize, 1 + random.below(2) as usize);
                layouts.push(layout);
                let found =
                    explored(&net, directory.path(), layout, &Plan { full, ..up_to(limit) });
                let what = format!("{name}, seed 14, {layouts:?}");
                let found: Vec<Option<String>> =
                    found.into_iter().map(|found| found.expect(&what)).collect();
                if found[0].is_some() {
                    assert!(found.iter().all(|found| found.as_ref() == Some(&one)), "{what}");
                    break;
                }
                assert!(found.iter().all(Option::is_none), "{what}");
                limit *= 2;
            }
            // What is complete stays so.
            let again = explored(&net, directory.path(), (2, 1), &plan);
            assert_eq!(again[0], Ok(Some(one.clone())), "{layouts:?}");
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("a copy")),
        }
    }
}

#[test]
fn processes_that_ended_before_or_after_a_cut_go_on_together() {
    let net = model("server.kin");
    let one = told(&mut survey(&net, &Plan::default()).expect("a survey"));
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    let layout = (3, 1);
    let runs = ["a", "b", "c"];
    for (step, limit) in [8, 12, 16].into_iter().enumerate() {
        if step > 0 {
            copy(&at(runs[step - 1]), &at(runs[step]));
        }
        let found = explored(&net, &at(runs[step]), layout, &up_to(limit));
        assert!(found.iter().all(|found| *found == Ok(None)), "{found:?}");
    }
    for (mixture, goes_on) in [("aba", true), ("bab", true), ("bcc", true), ("acb", false)] {
        let mixed = at(&format!("mixed-{mixture}"));
        for (process, run) in mixture.chars().enumerate() {
            let own = format!("process-{process}");
            copy(&at(&run.to_string()).join(&own), &mixed.join(&own));
        }
        let found = explored(&net, &mixed, layout, &Plan::default());
        for found in found {
            match goes_on {
                true => assert_eq!(found, Ok(Some(one.clone())), "{mixture}"),
                false => assert!(found.is_err_and(|why| why.contains("process-")), "{mixture}"),
            }
        }
    }
}

#[test]
fn what_is_missing_or_damaged_is_named() {
    let net = model("server.kin");
    let directory = tempfile::tempdir().expect("a directory");
    let whole = directory.path().join("whole");
    explored(&net, &whole, (2, 1), &up_to(12));
    let files = |process: usize| {
        let folder = whole.join(format!("process-{process}"));
        let names = fs::read_dir(folder).expect("a directory");
        let names = names.map(|entry| entry.expect("an entry").file_name().into_string());
        let mut names: Vec<String> = names.map(|name| name.expect("a name")).collect();
        names.retain(|name| name.starts_with("0.g") || name == "shards");
        names.sort();
        names
    };
    assert_eq!(files(1), ["0.g1.parts", "0.g1.w0.finals", "0.g1.w0.strings", "shards"]);
    let mut number = 0;
    for file in files(1) {
        let length = fs::metadata(whole.join("process-1").join(&file)).expect("a file").len();
        let damages = [None, Some(0), Some(length / 2), Some(length - 1)];
        for damage in damages {
            for layout in [(2, 1), (1, 1), (3, 1)] {
                number += 1;
                let copied = directory.path().join(format!("copy-{number}"));
                copy(&whole, &copied);
                let path = copied.join("process-1").join(&file);
                match damage {
                    None => fs::remove_file(&path).expect("it was there"),
                    Some(at) => {
                        let mut bytes = fs::read(&path).expect("a file");
                        bytes[at as usize] ^= 1;
                        fs::write(&path, bytes).expect("a file");
                    }
                }
                let found = explored(&net, &copied, layout, &Plan::default());
                let named = format!("process-1/{file}");
                for found in found {
                    let why = found.expect_err(&named);
                    assert!(why.contains(&named), "{named} {damage:?} {layout:?}: {why}");
                }
            }
        }
    }
    let whole_again = explored(&net, &whole, (1, 2), &Plan::default());
    assert!(matches!(&whole_again[0], Ok(Some(_))), "{whole_again:?}");
}

/// A cut that not all have is dropped when the run goes on: its files are written over, and a cut like it may come to be on
/// the other side.
#[test]
fn a_cut_that_does_not_count_is_not_taken_for_one_that_is_made_later() {
    let net = model("server.kin");
    let one = told(&mut survey(&net, &Plan::default()).expect("a survey"));
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    let own = |run: &str, process: usize| at(run).join(format!("process-{process}"));
    explored(&net, &at("a"), (2, 1), &up_to(8));
    copy(&at("a"), &at("b"));
    explored(&net, &at("b"), (2, 1), &up_to(12));
    // Process 0 has kept one cut more than process 1. They go on, and are killed before they keep anything.
    copy(&own("b", 0), &own("mixed", 0));
    copy(&own("a", 1), &own("mixed", 1));
    explored(&net, &at("mixed"), (2, 1), &up_to(8));
    // They go on again. Process 1 has kept the cut, and process 0 has cut its files back when they are killed.
    for file in ["0.g1.parts", "0.g1.w0.strings", "0.g1.w0.finals"] {
        fs::copy(own("a", 0).join(file), own("mixed", 0).join(file)).expect("a copy");
    }
    copy(&own("b", 1), &own("mixed", 1));
    for found in explored(&net, &at("mixed"), (2, 1), &Plan::default()) {
        assert_eq!(found, Ok(Some(one.clone())));
    }
}

/// The files of a run of two processes, but locks, which are empty.
fn files(run: &Path) -> Vec<PathBuf> {
    let of = |process: usize| fs::read_dir(run.join(format!("process-{process}")));
    let entries = (0..2).flat_map(|process| of(process).expect("a directory"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| !path.ends_with("lock"));
    files.sort();
    files
}

/// A checkpoint of two processes, and what a whole run finds.
struct Whole {
    net: Arc<Net>,
    directory: TempDir,
    one: String,
    number: usize,
}

impl Whole {
    fn new() -> Whole {
        let net = model("server.kin");
        let directory = tempfile::tempdir().expect("a directory");
        explored(&net, &directory.path().join("whole"), (2, 1), &up_to(12));
        let one = told(&mut survey(&net, &Plan::default()).expect("a survey"));
        Whole { net, directory, one, number: 0 }
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("whole")
    }

    /// Goes on from what is left after some damage, which is refused or leads to what there is to find. Says whether
    /// it is refused.
    fn is_refused(&mut self, damage: impl FnOnce(&Path), layout: (usize, usize)) -> bool {
        self.number += 1;
        let copied = self.directory.path().join(format!("copy-{}", self.number));
        copy(&self.path(), &copied);
        damage(&copied);
        let found = explored(&self.net, &copied, layout, &Plan::default());
        fs::remove_dir_all(&copied).expect("it was there");
        let is_right = |found: &Option<String>| found.as_ref() == Some(&self.one);
        found.iter().flatten().for_each(|found| assert!(is_right(found), "{found:?}"));
        found.iter().any(Result::is_err)
    }
}

fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).expect("a file");
    bytes[at] ^= 1 << (at % 8);
    fs::write(path, bytes).expect("a file");
}

/// Changes every byte once: it is seen, with the name of the file. Every so many times the run is gone on with, too.
fn every_byte(per_run: usize) {
    let mut whole = Whole::new();
    let run = whole.path();
    let mut number = 0;
    for file in files(&run) {
        let original = fs::read(&file).expect("a file");
        for at in 0..original.len() {
            flip(&file, at);
            let damage = match Checkpoint::verify(&run) {
                Ok(damage) => damage,
                Err(error) => vec![error],
            };
            let name = file.display().to_string();
            let is_named = damage.iter().any(|error| error.to_string().contains(&name));
            assert!(is_named, "byte {at} of {name}: {damage:?}");
            fs::write(&file, &original).expect("a file");
            number += 1;
            if number % per_run == 0 {
                let name = file.strip_prefix(&run).expect("it is there");
                let layout = [(2, 1), (1, 1), (3, 1), (2, 2)][number / per_run % 4];
                let is_refused = whole.is_refused(|copied| flip(&copied.join(name), at), layout);
                // Nobody reads the files of a process that takes part no more but the states.
                let is_read = layout.0 > 1 || !name.starts_with("process-1/manifest");
                assert!(is_refused || !is_read, "byte {at} of {}", name.display());
            }
        }
    }
    assert!(Checkpoint::verify(&run).expect("it is whole").is_empty());
    println!("{number} bytes, {} runs", whole.number);
}

#[test]
fn every_byte_that_is_changed_is_noticed() {
    every_byte(131);
}

/// Takes some minutes.
#[test]
#[ignore = "it takes some minutes"]
fn every_byte_that_is_changed_is_refused() {
    every_byte(1);
}

#[test]
fn files_that_are_cut_off_or_swapped_are_refused() {
    let mut whole = Whole::new();
    let run = whole.path();
    let files = files(&run);
    let names: Vec<&Path> =
        files.iter().map(|file| file.strip_prefix(&run).expect("it is there")).collect();
    for name in &names {
        let length = fs::metadata(run.join(name)).expect("a file").len();
        for length in [0, length / 2, length - 1] {
            let cut = |copied: &Path| {
                let file = fs::File::options().write(true).open(copied.join(name));
                file.and_then(|file| file.set_len(length)).expect("a file");
            };
            assert!(whole.is_refused(cut, (2, 1)), "{} cut at {length}", name.display());
        }
    }
    for (at, one) in names.iter().enumerate() {
        for other in &names[..at] {
            let contents = |name: &Path| fs::read(run.join(name)).expect("a file");
            let is_same = contents(one) == contents(other);
            let swap = |copied: &Path| {
                let spare = copied.join("spare");
                fs::rename(copied.join(one), &spare).expect("a file");
                fs::rename(copied.join(other), copied.join(one)).expect("a file");
                fs::rename(&spare, copied.join(other)).expect("a file");
            };
            let is_refused = whole.is_refused(swap, (2, 1));
            assert!(is_refused || is_same, "{} and {}", one.display(), other.display());
        }
    }
    // Whole directories: each process has what another one owns.
    let swap = |copied: &Path| {
        let [one, other, spare] = ["process-0", "process-1", "spare"].map(|name| copied.join(name));
        fs::rename(&one, &spare).expect("a directory");
        fs::rename(&other, &one).expect("a directory");
        fs::rename(&spare, &other).expect("a directory");
    };
    assert!(whole.is_refused(swap, (2, 1)));
}

/// The graph that the first process has gathered: states and edges under their numbers.
fn graph(survey: &Survey<'_>) -> Option<String> {
    let found = survey.has_graph().then(|| survey.exploration())?;
    let states = (0..found.store.len()).map(|id| survey.state(explore::StateId(id)).to_string());
    let edges = found.quotient.as_ref().expect("edges are kept").iter();
    Some(format!("{:?} {:?}", states.collect::<Vec<_>>(), edges.collect::<Vec<_>>()))
}

#[test]
fn the_graph_is_gathered_where_states_were_kept() {
    for name in ["server.kin", "peterson.kin"] {
        let net = model(name);
        let plan = Plan { keep_edges: true, ..Plan::default() };
        let gathered = |layout: (usize, usize), directory: Option<&Path>, plan: &Plan| {
            let done = on_loopback(layout.0, layout.1, |network| {
                let own = directory.map(|path| path.join(format!("process-{}", network.process())));
                let every = Duration::from_secs(3600);
                let open =
                    |path| Checkpoint::open(path, &About::default(), &[], every).expect("it opens");
                let checkpoint = own.as_deref().map(open);
                let team = Some(Team { network, watch: None });
                let plan = Plan { team, checkpoint, ..plan.clone() };
                let survey = survey(&net, &plan).expect("a survey");
                (survey.exploration().complete, graph(&survey))
            });
            let mut done = done.expect("connections");
            assert!(done[1..].iter().all(|(_, graph)| graph.is_none()));
            done.swap_remove(0)
        };
        let (_, whole) = gathered((1, 1), None, &plan);
        let mut random = Random::new(7);
        for round in 0..3 {
            let directory = tempfile::tempdir().expect("a directory");
            let mut limit = 2;
            loop {
                let layout = (1 + random.below(3) as usize, 1 + random.below(2) as usize);
                let limited = Plan { keep_edges: true, ..up_to(limit) };
                let (complete, found) = gathered(layout, Some(directory.path()), &limited);
                if complete {
                    assert_eq!(found, whole, "{name}, seed 7, round {round}, {layout:?}");
                    break;
                }
                limit *= 3;
            }
        }
    }
}
