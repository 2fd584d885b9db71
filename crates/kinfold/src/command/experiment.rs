//! `kinfold experiment`: random states, compared by canonical forms and by VF2.
//!
//! The run is saved every few seconds, to a new file that then takes the place of the old one, so that
//! there is always one to go on from.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use budget::Limits;
use indicatif::{ProgressBar, ProgressStyle};
use kinfold::experiment::Experiment;

use super::cli::ExperimentArgs;
use super::output::{self, Output};
use super::{Exit, Failure, progress};

const SAVE_EVERY: Duration = Duration::from_secs(5);

pub fn run(args: &ExperimentArgs) -> Result<Exit, Failure> {
    let saved = args.out.join("run.json");
    let mut experiment = begin(args, &saved)?;
    let budget = progress::begin(Limits::default());
    let out = Output::Stdout;
    out.write(format!("seed {}\n", experiment.seed))?;
    let bar = ProgressBar::new(experiment.wanted);
    let template = "{bar:30} {human_pos}/{human_len} comparisons, {per_sec}, {eta} left{msg}";
    bar.set_style(ProgressStyle::with_template(template).expect("a valid template"));
    bar.set_position(experiment.tally.comparisons());
    bar.reset_eta();
    let mut last_saved = Instant::now();
    while !experiment.is_done() && !budget.is_exhausted() {
        experiment.advance(args.threads.into());
        bar.set_position(experiment.tally.comparisons());
        if experiment.tally.disagreed > 0 {
            bar.set_message(format!(", {} DISAGREEMENTS", experiment.tally.disagreed));
        }
        if last_saved.elapsed() >= SAVE_EVERY {
            save(&experiment, &saved)?;
            last_saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    save(&experiment, &saved)?;
    for (name, text) in experiment.files() {
        write(&args.out.join(name), &text)?;
    }
    out.write(experiment.summary())?;
    finish(args, &experiment)
}

/// Writes out the pairs on which verdicts differ, and says how the run ended.
fn finish(args: &ExperimentArgs, experiment: &Experiment) -> Result<Exit, Failure> {
    let tally = &experiment.tally;
    for (nth, disagreement) in (1..).zip(&tally.disagreements) {
        for (state, side) in disagreement.states.iter().zip(["a", "b"]) {
            let path = args.out.join(format!("disagreement-{nth}-{side}.json"));
            write(&path, &format!("{state:#}\n"))?;
        }
        output::tell(format_args!(
            "DISAGREEMENT {nth}: {} on state {}, observing {}: canonical states say {}, bytes {}, \
             VF2 {:?}, a proof {:?}, the construction {:?}",
            disagreement.transformation.name(),
            disagreement.group,
            if disagreement.relations.is_empty() {
                "=".into()
            } else {
                disagreement.relations.join(",")
            },
            disagreement.by_state,
            disagreement.by_bytes,
            disagreement.by_vf2,
            disagreement.by_proof,
            disagreement.by_construction
        ));
    }
    if tally.disagreed > 0 {
        let message =
            format!("{} pairs on which the verdicts differ: a fault of Kinfold", tally.disagreed);
        return Err(Failure::new(Exit::Internal, message));
    }
    if !experiment.is_done() {
        let dir = args.out.display();
        output::tell(format_args!(
            "kinfold: INCOMPLETE: interrupted; go on with --resume --out {dir}"
        ));
        return Ok(Exit::Incomplete);
    }
    Ok(Exit::Done)
}

/// The run to continue: a new one, or the one in the directory.
fn begin(args: &ExperimentArgs, saved: &Path) -> Result<Experiment, Failure> {
    let name = saved.display();
    if args.resume {
        let text = fs::read_to_string(saved)
            .map_err(|error| Failure::system(format!("cannot read {name}: {error}")))?;
        let mut experiment: Experiment = serde_json::from_str(&text)
            .map_err(|error| Failure::model(format!("{name} is no saved run: {error}")))?;
        if args.seed.seed.is_some_and(|seed| seed != experiment.seed) {
            let seed = experiment.seed;
            return Err(Failure::usage(format!("the run in {name} has another seed: {seed}")));
        }
        experiment.wanted = args.comparisons;
        return Ok(experiment);
    }
    fs::create_dir_all(&args.out).map_err(|error| {
        Failure::system(format!("cannot create the directory {}: {error}", args.out.display()))
    })?;
    match fs::metadata(saved) {
        Ok(_) => Err(Failure::usage(format!(
            "{name} is a saved run: continue it with --resume, or choose another directory with --out"
        ))),
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::system(format!("cannot look at {name}: {error}")))
        }
        Err(_) => Ok(Experiment::new(args.seed.seed(), args.comparisons)),
    }
}

fn save(experiment: &Experiment, saved: &Path) -> Result<(), Failure> {
    let text = serde_json::to_string(experiment)
        .map_err(|error| Failure::system(format!("cannot save the run: {error}")))?;
    let fresh: PathBuf = saved.with_extension("json.new");
    write(&fresh, &text)?;
    fs::rename(&fresh, saved)
        .map_err(|error| Failure::system(format!("cannot write {}: {error}", saved.display())))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    Output::to(Some(path)).write(text)
}
