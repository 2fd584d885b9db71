//! `kinfold conform`: whether what a system logged is a run of a model, up to who is who.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::thread;
use std::time::Duration;

use budget::{Budget, Limits};
use conform::{
    Answer, ConformError, Explained, Format, Mapping, Options, ReadError, Reader, Verdict,
    Vocabulary, conform,
};
use kinfold::TraceFormat;

use super::cli::ConformArgs;
use super::output::Output;
use super::{Exit, Failure, load, output, progress};

/// The time between two looks for more of a log.
const TIME_PER_LOOK: Duration = Duration::from_millis(100);

pub fn run(args: &ConformArgs) -> Result<Exit, Failure> {
    let inputs = [Some(&args.log), Some(&args.model.model), args.mapping.as_ref()];
    if inputs.iter().flatten().filter(|path| path.as_os_str() == "-").count() > 1 {
        let message = "only one of log, model and mapping can come from standard input";
        return Err(Failure::usage(message));
    }
    let (time, memory) = (args.time, args.limit.memory);
    let budget = progress::begin(Limits { time, memory, steps: None });
    let net = progress::preparing(&budget, || load::net(&args.model))?;
    let mapping = mapping(args)?;
    let of_mapping = |what: &dyn std::fmt::Display| match &args.mapping {
        Some(path) => Failure::model(format!("{}: {what}", load::name(path))),
        None => Failure::usage(format!("{what}; --mapping FILE says which events are which steps")),
    };
    let vocabulary = Vocabulary::new(&net, &mapping).map_err(|error| of_mapping(&error))?;
    let run = args.run.as_deref().map(|path| Ok((path, run_format(path, args.run_format)?)));
    let run = run.transpose()?;
    let options = Options {
        window: args.window,
        candidates: args.max_candidates,
        edits: args.changes,
        around: if args.follow { 0 } else { args.around },
        run: run.is_some(),
    };
    let input = open(args, &budget)?;
    let mut reader = Reader::new(input, &mapping.log).map_err(|error| of_mapping(&error))?;
    let log = load::name(&args.log);
    let answer = conform(&vocabulary, &mut || reader.next_entry(), &options, &budget);
    let answer = answer.map_err(|error| match error {
        ConformError::Read(ReadError::Io(error)) => {
            Failure::system(format!("cannot read {log}: {error}"))
        }
        ConformError::Read(ReadError::Log(error)) => Failure::model(format!("{log}, {error}")),
        ConformError::Mapping(error) => of_mapping(&error),
        ConformError::Untold(what) => Failure::new(Exit::Internal, what),
    })?;
    if let (Some((path, format)), Some(explained)) = (run, &answer.run) {
        write_run(path, format, &net, explained)?;
    }
    show(args, &answer, &net.name, &log)?;
    Ok(match answer.verdict {
        Verdict::Conforms => Exit::Done,
        Verdict::Differs => Exit::No,
        Verdict::Incomplete => Exit::Incomplete,
    })
}

/// The mapping, with what the command line adds.
fn mapping(args: &ConformArgs) -> Result<Mapping, Failure> {
    let mut mapping = match &args.mapping {
        None => Mapping::default(),
        Some(path) => {
            let text = load::text(path)?;
            let wrong = |error| Failure::model(format!("{}: {error}", load::name(path)));
            Mapping::read(&text).map_err(wrong)?
        }
    };
    mapping.unlogged.extend(args.unlogged.iter().cloned());
    if let Some(format) = args.format {
        mapping.log.format = format.format();
    }
    if mapping.log.format == Format::Text && mapping.log.lines.is_empty() {
        let message = "--format text needs a mapping with `log.lines`, the patterns of the lines";
        return Err(Failure::usage(message));
    }
    if mapping.log.format == Format::Otel && args.follow {
        let message = "--follow cannot read OpenTelemetry's format: spans come when they end, and are sorted by time";
        return Err(Failure::usage(message));
    }
    Ok(mapping)
}

/// The log, which goes on if it is followed.
fn open(args: &ConformArgs, budget: &Budget) -> Result<Box<dyn BufRead>, Failure> {
    if args.log.as_os_str() == "-" {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let unreadable = |error: io::Error| {
        Failure::system(format!("cannot read {}: {error}", load::name(&args.log)))
    };
    let file = File::open(&args.log).map_err(unreadable)?;
    Ok(match args.follow {
        true => Box::new(BufReader::new(Followed { file, budget: budget.clone() })),
        false => Box::new(BufReader::with_capacity(1 << 16, file)),
    })
}

/// A file that ends only when the run does.
struct Followed {
    file: File,
    budget: Budget,
}

impl Read for Followed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(into)? {
                0 if self.budget.is_exhausted() => return Ok(0),
                0 => thread::sleep(TIME_PER_LOOK),
                read => return Ok(read),
            }
        }
    }
}

/// The format of a run: as given, or by the name of the file.
fn run_format(path: &Path, given: Option<TraceFormat>) -> Result<TraceFormat, Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    let mut formats = TraceFormat::ALL.to_vec();
    // The longest ending counts: `itf.json` is not `json`.
    formats.sort_by_key(|format| std::cmp::Reverse(format.extension().len()));
    let by_name = formats.into_iter().find(|one| name.ends_with(&format!(".{}", one.extension())));
    given.or(by_name).ok_or_else(|| {
        let message = format!(
            "the name of {} does not say the format of the run; give --run-format",
            path.display()
        );
        Failure::usage(message)
    })
}

fn write_run(
    path: &Path,
    format: TraceFormat,
    net: &net::Net,
    explained: &Explained,
) -> Result<(), Failure> {
    let text = match format {
        TraceFormat::Json => {
            let mut json = explained.trace.json(net, None);
            let steps = json["steps"].as_array_mut().into_iter().flatten();
            for (step, line) in steps.zip(&explained.lines) {
                step["log_line"] = (*line).into();
            }
            format!("{json:#}\n")
        }
        format => explained.trace.write(format, net, None),
    };
    Output::to(Some(path)).write(text)
}

fn show(args: &ConformArgs, answer: &Answer, model: &str, log: &str) -> Result<(), Failure> {
    let text = match args.json {
        true => format!("{:#}\n", answer.json(model, log)),
        false => answer.text(),
    };
    if answer.run.is_none() && args.run.is_some() {
        output::note("no run was written");
    }
    Output::Stdout.write(text)
}
