//! `kinfold check`.
//!
//! The models on the command line, each with every combination of the constants given, are checked one
//! after the other (`job`), and reported in one of several formats. One model alone is reported as it is;
//! of several there is a summary, too.

mod fair;
mod findings;
mod github;
mod job;
mod json;
mod junit;
mod report;
mod sarif;
mod summary;
mod traces;

use std::path::Path;

use job::Job;
use report::{Report, Runs};
use traces::TraceFiles;

use super::cli::{CheckArgs, ReportFormat};
use super::output::Output;
use super::{Exit, Failure, cluster, progress};

/// What became of a job.
struct Checked {
    job: Job,
    result: Result<Report, Failure>,
}

impl Checked {
    fn exit(&self) -> Exit {
        exit(&self.result)
    }
}

/// The status that a result stands for.
fn exit(result: &Result<Report, Failure>) -> Exit {
    match result {
        Ok(report) => report.exit(),
        Err(failure) => failure.exit,
    }
}

pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let mut traces = TraceFiles::of(args)?;
    let files = [&args.junit, &args.sarif, &args.coverage];
    files.into_iter().flatten().try_for_each(|path| can_be_written(path))?;
    let mut joining = cluster::joining(&args.cluster, args.exploration.limits.threads())?;
    let jobs = progress::preparing(&args.exploration.budget(), || job::jobs(args))?;
    let several = jobs.len() > 1 || args.set.iter().any(|setting| setting.is_sweep);
    let mut all = Vec::new();
    let mut interrupted = false;
    for job in jobs {
        let result = if interrupted {
            Err(Failure::new(Exit::Incomplete, "not checked: the run was interrupted"))
        } else {
            job.checked(args, joining.take(), &mut interrupted)
        };
        let checked = Checked { job, result };
        print(args, &checked, several)?;
        if let Ok(report) = &checked.result {
            traces.write(&checked.job, report, several)?;
        }
        all.push(checked);
    }
    traces.finish()?;
    if let Some(path) = &args.junit {
        Output::to(Some(path)).write(junit::junit(&all, several))?;
    }
    if let Some(path) = &args.sarif {
        Output::to(Some(path)).write(sarif::document(&all))?;
    }
    if let Some(path) = &args.coverage {
        Output::to(Some(path)).write(json::coverage(&all, several))?;
    }
    let out = report_output(args);
    match args.format() {
        ReportFormat::Text if several => out.write(summary::table(&all))?,
        ReportFormat::Json if several => out.write(json::list(&all))?,
        ReportFormat::Github => out.write(summary::line(&all))?,
        ReportFormat::Sarif => out.write(sarif::document(&all))?,
        ReportFormat::Text | ReportFormat::Json => {}
    }
    Ok(Exit::most_severe(all.iter().map(Checked::exit)))
}

/// Prints what can be printed of a job before the others are done. Failures go to stderr.
fn print(args: &CheckArgs, checked: &Checked, several: bool) -> Result<(), Failure> {
    let out = report_output(args);
    if args.format() == ReportFormat::Github {
        out.write(github::commands(checked))?;
    }
    let report = match &checked.result {
        Ok(report) => report,
        Err(failure) => {
            failure.print();
            cluster::leave(failure);
            return Ok(());
        }
    };
    match args.format() {
        ReportFormat::Text => {
            // A run in a file is not printed. Who asks for a property wants to see its run in any case; of
            // many, the runs of those that hold would hide those of the others.
            let runs = match (&args.trace, args.property.is_empty()) {
                (Some(_), _) => Runs::None,
                (None, true) => Runs::OfFailures,
                (None, false) => Runs::All,
            };
            let title = if several { checked.job.title(report) } else { report.net.name.clone() };
            let end = if several { "\n" } else { "" };
            out.write(format!("{}{end}", report.text(&title, runs)))?;
        }
        ReportFormat::Json if !several => out.write(format!("{:#}\n", json::model(checked)))?,
        _ => {}
    }
    if let Some(fault) = report.fault() {
        Failure::model(fault).print();
    }
    Ok(())
}

/// Where the report goes: to stdout, unless that is for a trace.
fn report_output(args: &CheckArgs) -> Output {
    match &args.trace {
        Some(path) if path.as_os_str() == "-" => Output::Stderr,
        _ => Output::Stdout,
    }
}

/// Whether there is a directory for a file, before it takes long to find out what to write.
fn can_be_written(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.is_none_or(Path::is_dir) && !path.is_dir() {
        true => Ok(()),
        false => Err(Failure::system(format!(
            "cannot write {}: there is no such directory",
            path.display()
        ))),
    }
}
