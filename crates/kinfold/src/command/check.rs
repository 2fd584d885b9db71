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
mod printer;
mod report;
mod sarif;
mod summary;
mod traces;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use job::Job;
use printer::Runs;
use report::Report;
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

/// The jobs of a command line, as far as they are done.
struct Checks {
    args: Arc<CheckArgs>,
    /// Those that are not done; the first may be under way.
    open: VecDeque<Job>,
    several: bool,
    done: Vec<Checked>,
    traces: TraceFiles,
    /// Why something could not be written.
    unwritten: Option<Failure>,
}

pub fn run(args: Box<CheckArgs>) -> Result<Exit, Failure> {
    let args: Arc<CheckArgs> = args.into();
    let traces = TraceFiles::of(&args)?;
    let files = [&args.junit, &args.sarif, &args.coverage];
    files.into_iter().flatten().try_for_each(|path| can_be_written(path))?;
    let mut joining = cluster::joining(&args.cluster, args.exploration.limits.threads())?;
    let all = Arc::new(Mutex::new(Checks::new(args.clone(), traces)));
    let checks = || all.lock().unwrap_or_else(PoisonError::into_inner);
    // Reports are written also if the process has to end before the work is done.
    let left = all.clone();
    progress::at_last(Some(Box::new(move |why| {
        let mut checks = left.lock().unwrap_or_else(PoisonError::into_inner);
        if !checks.open.is_empty() {
            checks.end(Err(Failure::new(Exit::Incomplete, why)));
        }
        checks.leave("the run has ended");
        Exit::of(&checks.finish().inspect_err(Failure::print))
    })));
    let jobs = progress::preparing(&args.exploration.budget(false), || job::jobs(&args))?;
    checks().begin(jobs);
    loop {
        let (job, several) = match &*checks() {
            Checks { open, several, .. } if !open.is_empty() => (open[0].clone(), *several),
            _ => break,
        };
        let mut interrupted = false;
        let result = job.checked(&args, joining.take(), several, &mut interrupted);
        let _quiet = progress::quiet();
        let exit = checks().end(result);
        let fails = [Exit::Deadlock, Exit::StateFails, Exit::RunFails, Exit::AssertionFails];
        if interrupted {
            checks().leave("the run was interrupted");
        } else if args.first && fails.contains(&exit) {
            checks().leave("the first failure has ended the check");
        }
    }
    let _quiet = progress::quiet();
    checks().finish()
}

impl Checks {
    fn new(args: Arc<CheckArgs>, traces: TraceFiles) -> Checks {
        let open = job::unread(&args).into();
        let several = args.models.len() > 1;
        Checks { args, open, several, done: Vec::new(), traces, unwritten: None }
    }

    /// The models were read.
    fn begin(&mut self, jobs: Vec<Job>) {
        self.several = jobs.len() > 1 || self.args.set.iter().any(|setting| setting.is_sweep);
        self.open = jobs.into();
    }

    /// Notes what became of the first job that was open, and writes what can be written before the others are done. Failures
    /// go to stderr.
    fn end(&mut self, result: Result<Report, Failure>) -> Exit {
        let job = self.open.pop_front().expect("a job was under way");
        let mut checked = Checked { job, result };
        let (args, out) = (self.args.clone(), report_output(&self.args));
        if args.format() == ReportFormat::Github {
            self.note(out.write(github::commands(&checked)));
        }
        if args.format() == ReportFormat::Json && !self.several {
            self.note(out.write(format!("{:#}\n", json::model(&checked))));
        }
        match &mut checked.result {
            Ok(report) => {
                let unwritten = report.unwritten.take().map_or(Ok(()), Err);
                self.note(unwritten);
                let written = self.traces.write(&checked.job, report, self.several);
                self.note(written);
            }
            Err(failure) => {
                failure.print();
                cluster::leave(failure);
            }
        }
        let exit = checked.exit();
        self.done.push(checked);
        exit
    }

    /// Leaves the jobs that are open, for this reason.
    fn leave(&mut self, why: &str) {
        while !self.open.is_empty() {
            let failure = Failure::new(Exit::Incomplete, format!("not checked: {why}"));
            self.end(Err(failure));
        }
    }

    /// Keeps in mind what could not be written; the rest is written all the same.
    fn note(&mut self, written: Result<(), Failure>) {
        self.unwritten = self.unwritten.take().or(written.err());
    }

    /// Writes what is said of all jobs together.
    ///
    /// # Errors
    ///
    /// If something could not be written.
    fn finish(&mut self) -> Result<Exit, Failure> {
        let written = self.traces.finish();
        self.note(written);
        let (args, several) = (self.args.clone(), self.several);
        let files = [
            (&args.junit, junit::junit as fn(&[Checked], bool) -> String),
            (&args.sarif, |all, _| sarif::document(all)),
            (&args.coverage, json::coverage),
        ];
        for (path, document) in files {
            if let Some(path) = path {
                self.note(Output::to(Some(path)).write(document(&self.done, several)));
            }
        }
        let all = &self.done;
        let document = match args.format() {
            ReportFormat::Text if several => Some(summary::table(all)),
            ReportFormat::Json if several => Some(json::list(all)),
            ReportFormat::Github => Some(summary::line(all)),
            ReportFormat::Sarif => Some(sarif::document(all)),
            ReportFormat::Text | ReportFormat::Json => None,
        };
        if let Some(document) = document {
            self.note(report_output(&args).write(document));
        }
        match self.unwritten.take() {
            None => Ok(Exit::most_severe(self.done.iter().map(Checked::exit))),
            Some(failure) => Err(failure),
        }
    }
}

/// The runs that are printed: a run in a file is not. Who asks for a property wants to see its run in any case; of many,
/// the runs of those that hold would hide those of the others.
fn runs_of(args: &CheckArgs) -> Runs {
    match (&args.trace, args.property.is_empty()) {
        (Some(_), _) => Runs::None,
        (None, true) => Runs::OfFailures,
        (None, false) => Runs::All,
    }
}

/// Where people read what is found, if they do.
fn people_read(args: &CheckArgs) -> Option<Output> {
    (args.format() == ReportFormat::Text).then(|| report_output(args))
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
