//! Runs targets: `kinfold-fuzz TARGET…|all [--seed N] [--inputs N | --seconds N]`, or one input again:
//! `kinfold-fuzz TARGET --file PATH`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use fuzz::{Campaign, Failure, Target, Watch, attempt};

/// The longest that one input may take.
const PATIENCE: Duration = Duration::from_secs(20);

struct Arguments {
    targets: Vec<Target>,
    seed: u64,
    inputs: u64,
    time: Option<Duration>,
    file: Option<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut found =
        Arguments { targets: Vec::new(), seed: 0, inputs: 100_000, time: None, file: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("`{text}` is not a number"));
        match argument.as_str() {
            "--seed" => found.seed = number(value()?)?,
            "--inputs" => found.inputs = number(value()?)?,
            "--seconds" => found.time = Some(Duration::from_secs(number(value()?)?)),
            "--file" => found.file = Some(value()?.into()),
            "all" => found.targets = Target::ALL.to_vec(),
            name => found.targets.push(name.parse()?),
        }
    }
    if found.targets.is_empty() {
        let names: Vec<&str> = Target::ALL.iter().map(|target| target.name()).collect();
        return Err(format!("name a target: {}, or all", names.join(", ")));
    }
    Ok(found)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let results = arguments.targets.iter().map(|&target| match &arguments.file {
        Some(file) => again(target, file),
        None => run(target, &arguments),
    });
    let all: Vec<Result<(), String>> = results.collect();
    for why in all.iter().filter_map(|result| result.as_ref().err()) {
        eprintln!("{why}");
    }
    ExitCode::from(u8::from(all.iter().any(Result::is_err)))
}

/// Tries one input.
fn again(target: Target, file: &PathBuf) -> Result<(), String> {
    let input = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let answer = attempt(target, &input);
    let answer = answer.map_err(|it| format!("{target}: {}\n{}", it.place, it.message))?;
    println!("{target}: {answer}");
    Ok(())
}

/// Tries inputs until there are enough, the time is over, or one fails.
fn run(target: Target, arguments: &Arguments) -> Result<(), String> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/found"));
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let last = folder.join(format!("{target}.last"));
    let watch = Watch::new(last.clone(), PATIENCE, move |path| {
        eprintln!("{target}: takes longer than {} s: {}", PATIENCE.as_secs(), path.display());
        std::process::exit(1);
    });
    let watch = watch.map_err(failed)?;
    let (began, mut campaign) = (Instant::now(), Campaign::new(target, arguments.seed));
    let is_over = |tried| match arguments.time {
        Some(time) => began.elapsed() >= time,
        None => tried >= arguments.inputs,
    };
    while !is_over(campaign.tried()) {
        campaign.step(&watch).map_err(|failure| {
            let path = folder.join(format!("{target}.failed"));
            let Failure { input, caught, .. } = *failure;
            let saved = match std::fs::write(&path, input) {
                Ok(()) => format!("see {}", path.display()),
                Err(error) => format!("{}: {error}", path.display()),
            };
            let tried = campaign.tried();
            format!(
                "{target}: input {tried} panics at {}; {saved}\n{}",
                caught.place, caught.message
            )
        })?;
    }
    let _ = std::fs::remove_file(last);
    println!(
        "{target}: seed {}, {} inputs in {:.0} s, {} accepted, {} different answers",
        arguments.seed,
        campaign.tried(),
        began.elapsed().as_secs_f64(),
        campaign.accepted(),
        campaign.answers()
    );
    Ok(())
}
