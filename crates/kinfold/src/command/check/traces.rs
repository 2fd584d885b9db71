//! The files that runs are written to.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kinfold::TraceFormat;

use super::report::{Assertion, Report, evidence, fails};
use super::{CheckArgs, Failure, Job, ReportFormat, can_be_written};
use crate::command::output::{self, Output};

/// What `--trace` and `--trace-dir` ask for.
pub(super) struct TraceFiles {
    /// For one run.
    file: Option<(PathBuf, TraceFormat)>,
    /// The best run so far for that file, and the property it belongs to.
    chosen: Option<Chosen>,
    /// For all runs.
    folder: Option<(PathBuf, Vec<TraceFormat>)>,
    /// The names of files in that folder.
    names: BTreeSet<String>,
}

struct Chosen {
    fails: bool,
    property: String,
    text: String,
}

impl TraceFiles {
    /// Checks that what is asked for can be written.
    pub(super) fn of(args: &CheckArgs) -> Result<TraceFiles, Failure> {
        let format = args.trace_format;
        if format.is_some() && args.trace.is_none() && args.trace_dir.is_none() {
            return Err(Failure::usage("--trace-format needs --trace or --trace-dir"));
        }
        let file = match &args.trace {
            None => None,
            Some(path) if path.as_os_str() == "-" && args.format() != ReportFormat::Text => {
                return Err(Failure::usage("the trace and the report cannot both go to stdout"));
            }
            Some(path) => {
                can_be_written(path)?;
                Some((path.clone(), file_format(path, format)?))
            }
        };
        let folder = args.trace_dir.clone().map(|folder| {
            let formats = format.map_or(vec![TraceFormat::Svg, TraceFormat::Json], |one| vec![one]);
            (folder, formats)
        });
        if let Some((folder, _)) = &folder {
            fs::create_dir_all(folder).map_err(|error| {
                Failure::system(format!("cannot write to {}: {error}", folder.display()))
            })?;
        }
        Ok(TraceFiles { file, chosen: None, folder, names: BTreeSet::new() })
    }

    /// Writes the runs of a model.
    pub(super) fn write(
        &mut self,
        job: &Job,
        report: &Report,
        several: bool,
    ) -> Result<(), Failure> {
        let outcomes = report.found.outcomes.iter();
        let runs =
            outcomes.filter_map(|one| Some((one.name.as_str(), fails(one), &evidence(one)?.trace)));
        let assertion = report.assertion.iter().filter_map(|one| one.trace.as_ref());
        let assertion = assertion.map(|trace| (Assertion::NAME, true, trace));
        for (property, fails, trace) in runs.chain(assertion) {
            let text = |format| trace.write(format, &report.net, Some(property));
            if let Some((_, format)) = &self.file
                && self.chosen.as_ref().is_none_or(|chosen| fails && !chosen.fails)
            {
                let (property, text) = (property.to_owned(), text(*format));
                self.chosen = Some(Chosen { fails, property, text });
            }
            let Some((folder, formats)) = self.folder.clone() else { continue };
            let name = self.name(job, property, several);
            for format in formats {
                let path = folder.join(format!("{name}.{}", format.extension()));
                Output::to(Some(&path)).write(text(format))?;
            }
        }
        Ok(())
    }

    /// Writes the one run, and says what is where.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if let Some((path, _)) = self.file.take() {
            let is_stdout = path.as_os_str() == "-";
            match self.chosen.take() {
                None => {
                    output::note(format_args!(
                        "there is no run to show, so {} is not written",
                        path.display()
                    ));
                }
                Some(Chosen { text, .. }) if is_stdout => Output::Stdout.write(text)?,
                Some(Chosen { text, property, .. }) => {
                    Output::to(Some(&path)).write(text)?;
                    output::note(format_args!("the run for `{property}` is in {}", path.display()));
                }
            }
        }
        if let Some((folder, _)) = self.folder.take() {
            match self.names.len() {
                0 => output::note(format_args!("there is no run to write to {}", folder.display())),
                1 => output::note(format_args!("1 run is in {}", folder.display())),
                n => output::note(format_args!("{n} runs are in {}", folder.display())),
            }
        }
        Ok(())
    }

    /// A file name for the run of a property, without its extension.
    fn name(&mut self, job: &Job, property: &str, several: bool) -> String {
        let stem = job.path().and_then(Path::file_stem).and_then(|stem| stem.to_str());
        let constants = job.constants().replace(" = ", "=").replace(", ", ",");
        let comma = if constants.is_empty() { "" } else { "," };
        let name = match several {
            true => format!("{}{comma}{constants}.{}", stem.unwrap_or("stdin"), property),
            false => property.to_owned(),
        };
        // Names of properties can be anything in backticks.
        let is_harmless = |c: char| c.is_alphanumeric() || "_-.,=".contains(c);
        let name: String = name.chars().map(|c| if is_harmless(c) { c } else { '_' }).collect();
        let numbered = (2..).map(|n| format!("{name}-{n}"));
        let unused =
            [name.clone()].into_iter().chain(numbered).find(|one| !self.names.contains(one));
        let unused = unused.expect("there is no end of numbers");
        self.names.insert(unused.clone());
        unused
    }
}

/// Other endings of names than the usual ones.
const OTHER_ENDINGS: [(&str, TraceFormat); 3] = [
    ("mermaid", TraceFormat::Mermaid),
    ("shiviz", TraceFormat::ShiViz),
    ("htm", TraceFormat::Html),
];

/// The format that is given, or that a file has by its name.
fn file_format(path: &Path, given: Option<TraceFormat>) -> Result<TraceFormat, Failure> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let endings = TraceFormat::ALL.map(|format| (format.extension(), format));
    // The longest ending counts: `.itf.json` is no `.json`.
    let named = endings
        .into_iter()
        .chain(OTHER_ENDINGS)
        .filter(|(ending, _)| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')));
    let named = named.max_by_key(|(ending, _)| ending.len()).map(|(_, format)| format);
    let plain = (!name.contains('.')).then_some(TraceFormat::Text);
    given.or(named).or(plain).ok_or_else(|| {
        Failure::usage(format!(
            "the format of {} cannot be told from its name; give --trace-format {}",
            path.display(),
            TraceFormat::ALL.map(TraceFormat::name).join("|")
        ))
    })
}
