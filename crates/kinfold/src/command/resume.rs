//! `kinfold resume`.

use std::fs;
use std::path::Path;

use ::explore::Checkpoint;
use clap::Parser;

use super::checkpoint::{COMMAND, MODEL, described_in, failure, first_difference};
use super::cli::{CheckpointArgs, Cli, Command, ExplorationArgs, ResumeArgs};
use super::{Exit, Failure, check, explore, load, output};

pub fn run(args: &ResumeArgs) -> Result<Exit, Failure> {
    let directory = &described_in(&args.directory, &args.cluster)?;
    let contents = Checkpoint::contents(directory).map_err(|error| failure(&error))?;
    let notes = |name| contents.about.notes.get(name).cloned().unwrap_or_default();
    let (command, place) = (notes(COMMAND), notes(MODEL));
    let not_ours = || {
        let directory = directory.display();
        Failure::usage(format!(
            "{directory} is the checkpoint of a run that was not begun by `kinfold explore` or `check`"
        ))
    };
    let [attached] = &contents.attached[..] else { return Err(not_ours()) };
    let [place] = &place[..] else { return Err(not_ours()) };
    let model = Checkpoint::attachment(directory, attached).map_err(|error| failure(&error))?;
    unchanged(Path::new(place), &model, &directory.join(attached))?;
    let words = ["kinfold".to_owned()].into_iter().chain(command.clone());
    let parsed = Cli::try_parse_from(words).map_err(|_| not_ours())?;
    match parsed.command {
        Command::Explore(mut begun) => {
            replace(&mut begun.kept, &mut begun.exploration, args, model, command);
            begun.cluster = args.cluster.clone();
            explore::run(&begun)
        }
        Command::Check(mut begun) => {
            replace(&mut begun.kept, &mut begun.exploration, args, model, command);
            begun.cluster = args.cluster.clone();
            check::run(begun)
        }
        _ => Err(not_ours()),
    }
}

/// Puts what is given anew in the place of what the run was begun with.
fn replace(
    kept: &mut CheckpointArgs,
    exploration: &mut ExplorationArgs,
    args: &ResumeArgs,
    model: Vec<u8>,
    command: Vec<String>,
) {
    kept.checkpoint = Some(args.directory.clone());
    kept.every = args.every.or(kept.every);
    kept.disk = args.disk.clone().or(kept.disk.take());
    kept.kept_model = Some(model);
    kept.kept_command = Some(command);
    exploration.max_states = args.max_states.or(exploration.max_states);
    exploration.limits.replaced_by(&args.limits);
}

/// Refuses a model whose file has been changed. One whose file is gone is the one that was kept.
fn unchanged(place: &Path, model: &[u8], kept_in: &Path) -> Result<(), Failure> {
    if place.as_os_str() == "-" {
        return Ok(());
    }
    match fs::read(place) {
        Ok(now) if now == model => Ok(()),
        Ok(now) => {
            let difference = first_difference(model, &now);
            Err(Failure::usage(format!(
                "{} has changed since the run was begun, so its states may be others; put {} in its place, or begin \
                 another run. {difference}",
                load::name(place),
                kept_in.display(),
            )))
        }
        Err(_) => {
            let (place, kept_in) = (place.display(), kept_in.display());
            output::tell(format_args!(
                "note: {place} cannot be read; the model is the one in {kept_in}"
            ));
            Ok(())
        }
    }
}
