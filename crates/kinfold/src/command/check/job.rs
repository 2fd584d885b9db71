//! One model with the values of its constants, and checking it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use budget::{Budget, Exhausted};
use explore::Exploration;
use kinfold::{Checking, Found, Outcome, Plan, Question, SurveyError, Verdict, decide};
use lang::Override;
use net::{Net, Property};

use super::printer::Printer;
use super::report::{Assertion, Report};
use super::{CheckArgs, Failure, exit, fair, people_read, runs_of};
use crate::command::cli::{ModelFormat, Setting};
use crate::command::cluster::{Joined, Joining};
use crate::command::load::{self, ModelFile};
use crate::command::progress::{self, About};
use crate::command::{checkpoint, explore as exploring};

/// The combinations of constants, at most.
const MOST_COMBINATIONS: usize = 10_000;

/// A model to check, and the values of its constants.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) path: PathBuf,
    pub(super) set: Vec<Override>,
    /// How many of these have other values in other jobs; they come first.
    swept: usize,
    /// The file, or why it could not be read.
    file: Arc<Result<ModelFile, Failure>>,
}

/// What is to be checked, before any of it is read.
pub(super) fn unread(args: &CheckArgs) -> Vec<Job> {
    let not_read = || Arc::new(Err(Failure::usage("the model was not read")));
    let job =
        |path: &PathBuf| Job { path: path.clone(), set: Vec::new(), swept: 0, file: not_read() };
    args.models.iter().map(job).collect()
}

/// What is to be checked, in the order of the command line.
pub(super) fn jobs(args: &CheckArgs) -> Result<Vec<Job>, Failure> {
    load::set_once(args.set.iter().map(|setting| setting.name.as_str()))?;
    if args.models.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(Failure::usage("only one of the models can come from standard input"));
    }
    let (swept, fixed): (Vec<&Setting>, Vec<&Setting>) =
        args.set.iter().partition(|setting| setting.is_sweep);
    let combinations = combinations(&[&swept[..], &fixed[..]].concat())?;
    let mut jobs = Vec::new();
    let for_one = match (&args.kept.checkpoint, args.cluster.is_given()) {
        (Some(_), _) => Some("--checkpoint is"),
        (None, true) => Some("runs of several processes are"),
        (None, false) => None,
    };
    if let Some(what) =
        for_one.filter(|_| load::programs(&args.models).len() * combinations.len() > 1)
    {
        let why = format!("{what} for one model with one value for each constant at a time");
        return Err(Failure::usage(why));
    }
    for paths in load::programs(&args.models) {
        let kept = args.kept.kept_model.as_deref();
        let file = Arc::new(match (&paths[..], kept) {
            ([path], kept) => ModelFile::read_or_kept(path, kept),
            (several, _) => ModelFile::read_package(several),
        });
        let folder = || paths[0].parent().filter(|folder| !folder.as_os_str().is_empty());
        let path = match &paths[..] {
            [path] => path.clone(),
            _ => folder().unwrap_or(Path::new(".")).to_owned(),
        };
        jobs.extend(combinations.iter().map(|set| Job {
            path: path.clone(),
            set: set.clone(),
            swept: swept.len(),
            file: file.clone(),
        }));
    }
    Ok(jobs)
}

/// Every combination of the values of the settings, the last changing fastest.
fn combinations(settings: &[&Setting]) -> Result<Vec<Vec<Override>>, Failure> {
    let mut all = vec![Vec::new()];
    for setting in settings {
        if all.len().saturating_mul(setting.values.len()) > MOST_COMBINATIONS {
            return Err(Failure::usage(format!(
                "--set asks for more than {MOST_COMBINATIONS} combinations"
            )));
        }
        let with = |before: &Vec<Override>, value: &String| {
            let one = Override { name: setting.name.clone(), value: value.clone() };
            before.iter().cloned().chain([one]).collect()
        };
        let longer = all
            .iter()
            .flat_map(|before| setting.values.iter().map(move |value| with(before, value)));
        all = longer.collect();
    }
    Ok(all)
}

impl Job {
    /// What the file is called in messages.
    pub(super) fn file(&self) -> String {
        load::name(&self.path)
    }

    /// The file, if it is one.
    pub(super) fn path(&self) -> Option<&Path> {
        (self.path.as_os_str() != "-").then_some(&self.path)
    }

    /// The constants that distinguish this job from others on the same model, as in `k = 2, m = 1`.
    pub(super) fn constants(&self) -> String {
        let texts =
            self.set[..self.swept].iter().map(|one| format!("{} = {}", one.name, one.value));
        texts.collect::<Vec<_>>().join(", ")
    }

    /// How the report begins where there are several.
    pub(super) fn title(&self, net: &Net) -> String {
        match self.constants() {
            none if none.is_empty() => format!("{}: {}", self.file(), net.name),
            constants => format!("{}: {}, {constants}", self.file(), net.name),
        }
    }

    /// Checks the model, and prints what is found for people, if they are to read it. Ctrl-C sets `interrupted`.
    pub(super) fn checked(
        &self,
        args: &CheckArgs,
        joining: Option<Joining>,
        several: bool,
        interrupted: &mut bool,
    ) -> Result<Report, Failure> {
        let is_go = self.file.as_ref().as_ref().is_ok_and(|file| file.format() == ModelFormat::Go);
        let budget = args.exploration.budget(is_go);
        let about = About::new("check", &self.path, &args.exploration, &budget);
        let shown = &args.exploration.limits.progress;
        let work = || self.checked_within(args, joining, several, &budget);
        let checked = progress::reported(shown, about, &budget, work, exit);
        *interrupted |= budget.exhausted() == Some(Exhausted::Interrupted);
        checked
    }

    fn checked_within(
        &self,
        args: &CheckArgs,
        joining: Option<Joining>,
        several: bool,
        budget: &Budget,
    ) -> Result<Report, Failure> {
        let began = Instant::now();
        let file = self.file.as_ref().as_ref().map_err(Clone::clone)?;
        let (net, properties, text, warnings, assumed, executable) =
            progress::preparing(budget, || {
                let mut written = file.with(&self.set, &args.go)?;
                let (text, warnings) = (written.text.take(), std::mem::take(&mut written.warnings));
                let assumed = std::mem::take(&mut written.assumed);
                let executable = written.executable.take();
                let properties = properties(&written.net, &args.property)?;
                Ok((
                    Arc::new(written.with_symmetry()),
                    properties,
                    text,
                    warnings,
                    assumed,
                    executable,
                ))
            })?;
        let note = match net.properties.is_empty() {
            true if file.format() == ModelFormat::Go => Some(OF_GO),
            true => Some(by_default(&net)),
            false => not_asked(&net, &args.property),
        };
        let fairness = fair::assumed(&net, &args.fair)?;
        let engine = checkpoint::engine(&args.kept, &args.cluster, args.engine)?.only();
        let facts = checkpoint::facts_of_check(args, file);
        let joined = joining
            .map(|joining| joining.join(&facts, &args.kept, &args.exploration))
            .transpose()?;
        let mut kept =
            checkpoint::Keeping::of(&args.kept, joined.as_ref(), facts, &args.models[0], file)?;
        let checkpoint = kept.checkpoint();
        let team = joined.as_ref().map(|joined| joined.team(budget));
        let spill = checkpoint::spill(&args.kept);
        let plan = Plan { checkpoint, spill, team, ..args.exploration.plan(budget) };
        let reductions = args.reductions.allowed();
        let (evidence, first) = (true, args.first);
        let checking = Checking { plan, fairness, engine, evidence, reductions, first, executable };
        let given = checking.plan.relations;
        let mut report = Report {
            relations: given.unwrap_or_else(|| net.relations_with(&properties)),
            fairness: checking.fairness.clone(),
            full: checking.plan.full,
            found: kinfold::Report::default(),
            assertion: None,
            seconds: 0.0,
            unwritten: None,
            net,
            text,
            warnings,
            assumed,
            note,
        };
        let net = report.net.clone();
        let title = if several { self.title(&net) } else { net.name.clone() };
        let widths = properties.iter().map(|property| property.name.chars().count());
        let width = widths.max().unwrap_or(0);
        let questions: Vec<Question> = properties.into_iter().map(Question::Holds).collect();
        let mut printer = Printer::new(people_read(args), title, runs_of(args), width);
        let mut tell = |found: Found<'_>| printer.found(&report, found);
        let mut trouble = None;
        let mut watch = |progress: &Exploration| {
            kept.tell();
            trouble = progress.disk_trouble.clone().or(trouble.take());
        };
        let found = decide(&net, &questions, &checking, &mut watch, &mut tell);
        checkpoint::tell_of_disk(trouble.as_ref());
        kept.finish();
        if is_open(&found) {
            kept.say_how_to_go_on();
        }
        let failure = |error| exploring::failure(&net, &error, report.text.as_deref());
        let found = found.map_err(failure)?;
        joined.iter().try_for_each(Joined::finish)?;
        // What was found is to be written before a signal ends the process.
        let _quiet = progress::quiet();
        report.assertion = found.fault.as_ref().and_then(|fault| Assertion::of(fault, &net));
        report.found = found;
        report.seconds = began.elapsed().as_secs_f64();
        report.unwritten = printer.end(&report).err();
        Ok(report)
    }
}

/// Whether a question has no answer, which it may get when the run goes on.
fn is_open(found: &Result<kinfold::Report, SurveyError>) -> bool {
    let is_open = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Unknown(_));
    let is_bounded = |found: &kinfold::Report| found.fault.is_none() && found.unbounded.is_none();
    found.as_ref().is_ok_and(|found| is_bounded(found) && found.outcomes.iter().any(is_open))
}

/// What a Go program is checked for.
const OF_GO: &str =
    "checked for goroutines that are blocked for ever, for data races, and for panics";

/// What is said of a model without properties.
fn by_default(net: &Net) -> &'static str {
    match (&net.listing, net.has_probes()) {
        (None, _) => {
            "the model has no properties: it is checked for deadlocks, and for values out of range"
        }
        (Some(_), false) => {
            "the model has no properties: it is checked for processes that are stuck, for assertions, and for \
             values out of range"
        }
        (Some(_), true) => {
            "the model has no properties: it is checked for processes that are stuck, for races, for assertions, \
             and for values out of range"
        }
    }
}

/// What is not checked of processes, since the properties of the model do not ask for it.
fn not_asked(net: &Net, names: &[String]) -> Option<&'static str> {
    let asks = |property: &Property| {
        let words = ["no_one_stuck", "everyone_can_end", "deadlock_free"];
        words.iter().any(|word| property.text.contains(word))
    };
    let is_asked = net.listing.is_none() || !names.is_empty() || net.properties.iter().any(asks);
    (!is_asked).then_some(
        "no property asks for processes that are stuck: add `property no_leak: no_one_stuck`",
    )
}

/// The properties to check: those with these names, or all; if the model has none, those of any model.
fn properties(net: &Net, names: &[String]) -> Result<Vec<Property>, Failure> {
    if names.is_empty() && net.properties.is_empty() {
        return Ok(net.default_properties());
    }
    if names.is_empty() {
        return Ok(net.properties.clone());
    }
    let mut chosen = Vec::new();
    for name in names {
        let Some(property) = net.properties.iter().find(|property| property.name == *name) else {
            let known = net.properties.iter().map(|property| property.name.as_str());
            return Err(Failure::usage(load::no_such("property", name, known)));
        };
        if !chosen.contains(property) {
            chosen.push(property.clone());
        }
    }
    Ok(chosen)
}
