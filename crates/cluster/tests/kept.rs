//! What several processes keep, and go on from, as the same number of processes or another.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cluster::on_loopback;
use explore::Checkpoint;
use explore::checkpoint::About;
use net::Net;
use random::Random;
use survey::{Plan, Survey, SurveyError, Team, survey};

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
