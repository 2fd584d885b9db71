//! Runs that are kept: `--checkpoint`, and `kinfold checkpoint`.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::explore::checkpoint::{About, Contents, Facts, Kept, Shard, Team, digest};
use ::explore::{Checkpoint, CheckpointError, Share, Spill, SpillTrouble};
use indicatif::{HumanBytes, HumanCount};
use serde_json::json;

use super::cli::{
    CheckArgs, CheckpointArgs, CheckpointShowArgs, ClusterArgs, Engine, ExplorationArgs,
    ExploreArgs, ModelFormat, RelationsArg,
};
use super::cluster::Joined;
use super::load::ModelFile;
use super::output::Output;
use super::{Exit, Failure, cluster, output, progress};

/// The time after which what was found is kept, unless another is given.
const EVERY: Duration = Duration::from_secs(60);

/// The names of what is noted of a run.
pub const COMMAND: &str = "command";
pub const MODEL: &str = "model";

/// A run that may be kept.
#[derive(Default)]
pub struct Keeping {
    kept: Option<(Checkpoint, PathBuf)>,
    /// How it goes on.
    goes_on: String,
    /// The trouble that was told last.
    told: Option<String>,
}

impl Keeping {
    /// A run of which this holds, unless it need not be kept.
    pub fn of(
        args: &CheckpointArgs,
        joined: Option<&Joined>,
        facts: Facts,
        path: &Path,
        model: &ModelFile,
    ) -> Result<Keeping, Failure> {
        let Some(whole) = &args.checkpoint else {
            return Ok(Keeping::default());
        };
        let directory = &match joined {
            None => whole.clone(),
            Some(joined) => whole.join(name_of_process(joined.index())),
        };
        let command = args.kept_command.clone().map_or_else(command_line, Ok)?;
        let notes = [(COMMAND.to_owned(), command), (MODEL.to_owned(), place_of(path)?)];
        let about = About { facts, notes: notes.into() };
        let attached = [(attachment(model.format()), model.bytes())];
        let every = args.every.unwrap_or(EVERY);
        let opened = Checkpoint::open(directory, &about, &attached, every);
        let checkpoint = opened.map_err(|error| match changed_model(directory, &error, model) {
            Some(why) => Failure::usage(why),
            None => failure(&error),
        })?;
        let goes_on = how_to_go_on(whole, joined);
        if joined.is_some() {
            cluster::say_at_a_loss(goes_on.clone());
        }
        Ok(Keeping { kept: Some((checkpoint, directory.clone())), goes_on, told: None })
    }

    /// The checkpoint, if there is one.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        self.kept.as_ref().map(|(checkpoint, _)| checkpoint.clone())
    }

    /// Tells that something could not be kept, once.
    pub fn tell(&mut self) {
        self.tell_and("and the run goes on");
    }

    /// Tells whether something could not be kept in the end.
    pub fn finish(&mut self) {
        self.told = None;
        self.tell_and("without what was found since");
    }

    fn tell_and(&mut self, what: &str) {
        let Some((checkpoint, directory)) = &self.kept else { return };
        let trouble = checkpoint.trouble();
        if trouble != self.told {
            if let Some(why) = &trouble {
                let directory = directory.display();
                progress::clear_line();
                output::tell(format_args!(
                    "note: {why}; the checkpoint in {directory} is as it was before, {what}"
                ));
            }
            self.told = trouble;
        }
    }

    /// Says how a run that has ended early goes on.
    pub fn say_how_to_go_on(&self) {
        if self.kept.is_some() {
            output::note(&self.goes_on);
        }
    }
}

/// The name of the directory in which one of several processes keeps its part.
fn name_of_process(index: usize) -> String {
    format!("process-{index}")
}

/// How a run goes on that was kept in a directory.
fn how_to_go_on(directory: &Path, joined: Option<&Joined>) -> String {
    let directory = directory.display();
    match joined {
        None => format!("`kinfold resume {directory}` goes on"),
        Some(joined) if joined.is_launched() => {
            let count = joined.count();
            format!("`kinfold cluster run -n {count} -- resume {directory}` goes on")
        }
        Some(_) => {
            format!("`kinfold resume {directory}` with --hosts, --process and --key goes on")
        }
    }
}

/// The directory that says what a run is about: of several processes that of process 0, if it is on this machine.
pub fn described_in(directory: &Path, cluster: &ClusterArgs) -> Result<PathBuf, Failure> {
    let of_process = |index| directory.join(name_of_process(index));
    let name = directory.display();
    match cluster.index() {
        None if of_process(0).is_dir() => Err(Failure::usage(format!(
            "{name} is the checkpoint of a run of several processes, of which there may be any number: \
             `kinfold cluster run -n 2 -- resume {name}`, or give --hosts"
        ))),
        None => Ok(directory.to_owned()),
        Some(index) => {
            let found = [0, index].map(of_process).into_iter().find(|one| one.is_dir());
            found.ok_or_else(|| match Checkpoint::contents(directory) {
                Ok(_) => Failure::usage(format!(
                    "{name} is the checkpoint of a run of one process: `kinfold resume {name}`"
                )),
                Err(error) => failure(&error),
            })
        }
    }
}

/// What must be the same when a run of `kinfold explore` goes on, and for all of its processes if there are several.
pub fn facts_of_explore(args: &ExploreArgs, model: &ModelFile) -> Facts {
    let set = args.model.set.iter().map(|one| format!("{}={}", one.name, one.value));
    let trace_to = args.trace_to.iter().cloned();
    let given = [("--set", set.collect()), ("--trace-to", trace_to.collect())];
    facts("explore", &args.exploration, given, model)
}

/// As [`facts_of_explore`], for `kinfold check`.
pub fn facts_of_check(args: &CheckArgs, model: &ModelFile) -> Facts {
    let set = args.set.iter().map(|one| format!("{}={}", one.name, one.values.join(",")));
    let given = [
        ("--set", set.collect()),
        ("--property", args.property.clone()),
        ("--fair", args.fair.clone()),
    ];
    facts("check", &args.exploration, given, model)
}

fn facts<const N: usize>(
    command: &str,
    exploration: &ExplorationArgs,
    given: [(&str, Vec<String>); N],
    model: &ModelFile,
) -> Facts {
    let relations = match exploration.relations {
        RelationsArg::Auto => "auto".to_owned(),
        RelationsArg::Given(relations) => format!("{{{relations}}}"),
    };
    let mut facts = Facts::from([
        ("kinfold".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("the command".to_owned(), command.to_owned()),
        ("the model".to_owned(), digest(model.bytes())),
        ("--relations".to_owned(), relations),
        (
            "--precise".to_owned(),
            if exploration.precise { "given" } else { "not given" }.to_owned(),
        ),
        ("--full".to_owned(), if exploration.full { "given" } else { "not given" }.to_owned()),
    ]);
    for (option, mut values) in given {
        // The order of properties is that of the report; that of constants says nothing.
        if option == "--set" {
            values.sort();
        }
        let text = if values.is_empty() { "not given".to_owned() } else { values.join(" ") };
        facts.insert(option.to_owned(), text);
    }
    facts
}

/// The engine that is meant. Only states that are explored one by one can be kept, go to disk, or be shared among
/// processes.
pub fn engine(
    args: &CheckpointArgs,
    cluster: &ClusterArgs,
    given: Engine,
) -> Result<Engine, Failure> {
    let why_explicit = match (&args.checkpoint, &args.disk, cluster.is_given()) {
        (Some(_), _, _) => "decision diagrams cannot be kept: leave out --checkpoint",
        (None, Some(_), _) => "decision diagrams are in memory alone: leave out --disk",
        (None, None, true) => "decision diagrams cannot be shared by several processes: use one",
        (None, None, false) => return Ok(given),
    };
    match given {
        Engine::Ddd => Err(Failure::usage(format!("{why_explicit}, or leave out --engine ddd"))),
        Engine::Structure => Err(Failure::usage(
            "`--engine structure` has no states that could be kept, go to disk or be shared: leave it out",
        )),
        Engine::Auto | Engine::Explicit => Ok(Engine::Explicit),
    }
}

/// That an engine explores states, and does not only decide formulas.
pub fn explores(engine: Engine) -> Result<(), Failure> {
    match engine {
        Engine::Structure => Err(Failure::usage(
            "`--engine structure` decides formulas and explores no states: use another engine",
        )),
        Engine::Explicit | Engine::Ddd | Engine::Auto => Ok(()),
    }
}

/// Where what memory is too small for goes.
pub fn spill(args: &CheckpointArgs) -> Option<Spill> {
    let directory = args.disk.as_ref().or(args.checkpoint.as_ref())?;
    Some(Spill { directory: directory.clone(), share: Share::Half })
}

/// Says what could not be put on disk.
pub fn tell_of_disk(trouble: Option<&SpillTrouble>) {
    if let Some(why) = trouble {
        output::note(format_args!("{why}; what was to go there has stayed in memory"));
    }
}

/// The command line, without the name of the program.
fn command_line() -> Result<Vec<String>, Failure> {
    let args = env::args_os().skip(1).map(|arg| arg.into_string());
    args.collect::<Result<_, _>>().map_err(|arg| {
        let arg = arg.display();
        Failure::usage(format!("--checkpoint keeps the command line, but `{arg}` is not Unicode"))
    })
}

/// Where the model is, whatever the working directory will be.
fn place_of(path: &Path) -> Result<Vec<String>, Failure> {
    if path.as_os_str() == "-" {
        return Ok(vec!["-".to_owned()]);
    }
    let place = std::path::absolute(path)
        .map_err(|error| Failure::system(format!("cannot find {}: {error}", path.display())))?;
    Ok(vec![place.display().to_string()])
}

/// The name under which a model is kept.
pub fn attachment(format: ModelFormat) -> &'static str {
    match format {
        ModelFormat::Kin => "model.kin",
        ModelFormat::Pnml => "model.pnml",
        ModelFormat::Go => "model.go",
    }
}

/// Why a checkpoint cannot be used.
pub fn failure(error: &CheckpointError) -> Failure {
    let exit = match error {
        CheckpointError::Missing(_)
        | CheckpointError::NotEmpty(_)
        | CheckpointError::InUse(_)
        | CheckpointError::Differs(_) => Exit::Usage,
        CheckpointError::Io { .. } => Exit::SystemFailed,
        CheckpointError::Damaged { .. } | CheckpointError::Version { .. } => Exit::ModelWrong,
        CheckpointError::Exhausted(_) => Exit::Incomplete,
    };
    let message = match error {
        CheckpointError::Exhausted(_) => format!("INCOMPLETE: {error}"),
        _ => error.to_string(),
    };
    Failure::new(exit, message)
}

/// In what a model differs from the one that was kept, if that is why a checkpoint cannot be used.
fn changed_model(directory: &Path, error: &CheckpointError, model: &ModelFile) -> Option<String> {
    let CheckpointError::Differs(differences) = error else { return None };
    differences.iter().find(|difference| difference.what == "the model")?;
    let name = attachment(model.format());
    let kept = Checkpoint::attachment(directory, name).ok()?;
    let difference = first_difference(&kept, model.bytes());
    Some(format!(
        "{error}\nthe model of the checkpoint is {}; {difference}",
        directory.join(name).display()
    ))
}

/// The first line in which two texts differ.
pub fn first_difference(kept: &[u8], now: &[u8]) -> String {
    let mut lines = (kept.split(|&byte| byte == b'\n')).zip(now.split(|&byte| byte == b'\n'));
    match (1..).zip(&mut lines).find(|(_, (kept, now))| kept != now) {
        Some((number, (kept, now))) => {
            let [kept, now] = [kept, now].map(|line| String::from_utf8_lossy(line).into_owned());
            format!("the first line that differs is line {number}:\n  kept: {kept}\n  now:  {now}")
        }
        None if kept.len() < now.len() => "there are more lines now".to_owned(),
        None => "there are fewer lines now".to_owned(),
    }
}

/// `kinfold checkpoint show`.
pub fn show(args: &CheckpointShowArgs) -> Result<Exit, Failure> {
    progress::limited(&args.limit, || {
        let contents = Checkpoint::contents(&args.directory).map_err(|error| failure(&error))?;
        let damage = Checkpoint::verify(&args.directory).map_err(|error| failure(&error))?;
        let text = match args.json {
            true => format!("{:#}\n", as_json(&contents, &damage)),
            false => as_text(&contents, &damage),
        };
        Output::Stdout.write(text)?;
        Ok(if damage.is_empty() { Exit::Done } else { Exit::ModelWrong })
    })
}

fn as_text(contents: &Contents, damage: &[CheckpointError]) -> String {
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("strings do not fail");
    for (what, notes) in &contents.about.notes {
        line(format!("{what}: {}", notes.join(" ")));
    }
    for (what, fact) in &contents.about.facts {
        line(format!("{what}: {fact}"));
    }
    for kept in &contents.explorations {
        let counts = &kept.counts;
        line(String::new());
        line(format!("exploration {}", kept.part));
        for (what, count) in [
            ("states", counts.states),
            ("expanded", counts.expanded),
            ("edges", counts.edges),
            ("deadlocks", counts.deadlocks),
            ("terminated", counts.terminated),
            ("depth", counts.depth.into()),
        ] {
            line(format!("  {what:<12}{:>12}", HumanCount(count).to_string()));
        }
        let seconds = Duration::from_millis(counts.milliseconds).as_secs_f64();
        line(format!("  {}, {seconds:.2} s, {}", standing(kept), HumanBytes(kept.bytes)));
        kept.team.iter().flat_map(of_team).for_each(|about| line(format!("  {about}")));
    }
    line(String::new());
    let mut teams = contents.explorations.iter().filter_map(|kept| kept.team.as_ref());
    match damage {
        [] if teams.any(|team| !team.missing.is_empty()) => {
            line("all files that are here are as they were written".to_owned());
        }
        [] => line("all files are as they were written".to_owned()),
        damage => damage.iter().for_each(|error| line(error.to_string())),
    }
    text
}

/// Who has what of an exploration by several processes.
fn of_team(team: &Team) -> Vec<String> {
    let Team { processes, threads, shards, missing } = team;
    let mut lines = vec![format!("by {processes} processes of {threads} threads each:")];
    lines.extend(shards.iter().map(|shard| {
        let (states, bytes) = (HumanCount(shard.states), HumanBytes(shard.bytes));
        format!("process {}: {states} states, {bytes}", shard.process)
    }));
    let missing = missing.iter();
    lines.extend(missing.map(|at| format!("process {at}: not here, and not in the counts above")));
    lines
}

fn standing(kept: &Kept) -> String {
    match kept.is_complete() {
        true => "complete".to_owned(),
        false => {
            let waiting = kept.counts.states - kept.counts.expanded;
            format!("{} states wait to be expanded", HumanCount(waiting))
        }
    }
}

fn as_json(contents: &Contents, damage: &[CheckpointError]) -> serde_json::Value {
    let team = |team: &Team| {
        let shards = team.shards.iter().map(|Shard { process, states, bytes }| {
            json!({ "process": process, "states": states, "bytes": bytes })
        });
        json!({
            "processes": team.processes,
            "threads": team.threads,
            "shards": shards.collect::<Vec<_>>(),
            "missing": team.missing,
        })
    };
    let exploration = |kept: &Kept| {
        json!({
            "part": kept.part,
            "facts": kept.facts,
            "counts": kept.counts,
            "complete": kept.is_complete(),
            "bytes": kept.bytes,
            "team": kept.team.as_ref().map(team),
        })
    };
    json!({
        "schema_version": 1,
        "about": contents.about,
        "attached": contents.attached,
        "explorations": contents.explorations.iter().map(exploration).collect::<Vec<_>>(),
        "damage": damage.iter().map(CheckpointError::to_string).collect::<Vec<_>>(),
    })
}
