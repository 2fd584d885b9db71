//! `kinfold mcc`: the examinations of the Model Checking Contest.
//!
//! An instance is a directory with a `model.pnml`. The answers are printed in the contest's format, each
//! line as soon as it is known; `CANNOT_COMPUTE` where a limit came first, and `DO_NOT_COMPETE` for an
//! examination that is not offered. What the contest says by environment variables holds where the command
//! line says nothing.

mod formulas;
mod self_test;

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Limits, Phase};
use kinfold::{Census, Checking, Plan, Surveyed};
use net::Net;

use super::checkpoint::Keeping;
use super::cli::MccArgs;
use super::output::Output;
use super::progress::About;
use super::{Exit, Failure, checkpoint, explore, load, progress};

/// The time that is kept back of what the contest grants, to print what is known.
const TIME_KEPT_BACK: Duration = Duration::from_secs(5);

/// The technique of diagrams, as the contest calls it.
const DIAGRAMS: &str = "DECISION_DIAGRAMS UNFOLDING_TO_PT";
const STRUCTURE: &str = "STATE_EQUATION TOPOLOGICAL UNFOLDING_TO_PT";

pub fn run(args: &MccArgs) -> Result<Exit, Failure> {
    if args.self_test {
        return self_test::run(args);
    }
    let examination = args.examination.clone().or_else(|| env::var("BK_EXAMINATION").ok());
    let examination = examination.ok_or_else(|| {
        Failure::usage("which examination? Give --examination, or set BK_EXAMINATION")
    })?;
    let asks_formulas = formulas::EXAMINATIONS.contains(&examination.as_str());
    if examination != "StateSpace" && !asks_formulas {
        Output::Stdout.write("DO_NOT_COMPETE\n")?;
        return Ok(Exit::Done);
    }
    let directory = args.directory.clone().unwrap_or_else(|| PathBuf::from("."));
    let budget = progress::begin(limits(args)?);
    let model = load::name(&directory);
    let about = About { command: "mcc", model, ..About::default() };
    let work = || match asks_formulas {
        true => answer(&directory, &examination, &budget, args),
        false => examined(&directory, &budget, args),
    };
    progress::reported(&args.limits.progress, about, &budget, work, Exit::of)
}

/// Prints the answer to the examination of the state space.
fn examined(directory: &Path, budget: &Budget, args: &MccArgs) -> Result<Exit, Failure> {
    checkpoint::explores(args.engine)?;
    let net = prepared(budget, || instance(directory))?;
    let plan = plan(budget, args)?;
    let parallel = plan.threads > 1;
    match state_space(&net, &plan, args)? {
        None => {
            Output::Stdout.write("CANNOT_COMPUTE\n")?;
            Ok(Exit::Incomplete)
        }
        Some(answer) => {
            Output::Stdout.write(answer.lines(parallel))?;
            Ok(Exit::Done)
        }
    }
}

/// Does what comes before there is anything to say; see [`progress::guarded`].
fn prepared<T>(budget: &Budget, work: impl FnOnce() -> T) -> T {
    let _under = budget.progress().during(Phase::Reading);
    // Nothing else can be said, and nowhere else.
    progress::at_last(Some(Box::new(|_| {
        drop(Output::Stdout.write("CANNOT_COMPUTE\n"));
        Exit::Incomplete
    })));
    let done = progress::guarded(budget, |reason| reason.to_string(), work);
    progress::at_last(None);
    done
}

/// Prints what an examination of formulas has as its answers.
fn answer(
    directory: &Path,
    examination: &str,
    budget: &Budget,
    args: &MccArgs,
) -> Result<Exit, Failure> {
    let net = &prepared(budget, || instance(directory))?;
    let asked = prepared(budget, || formulas::asked(net, directory, examination, budget))?;
    let checking = checking(budget, args)?;
    let processing = processing(args.limits.threads() > 1);
    let explicit = explicit_technique(net);
    let mut written = Ok(());
    let unanswered = formulas::verdicts(net, &asked, &checking, &mut |id, verdict, engine| {
        let technique = match engine {
            kinfold::Engine::Explicit => explicit,
            kinfold::Engine::Diagrams => DIAGRAMS,
            kinfold::Engine::Structure => STRUCTURE,
        };
        let line = format!("FORMULA {id} {verdict} TECHNIQUES {processing} {technique}\n");
        if written.is_ok() {
            written = Output::Stdout.write(line);
        }
    })?;
    written?;
    for id in &unanswered {
        Output::Stdout.write(format!("FORMULA {id} CANNOT_COMPUTE\n"))?;
    }
    Ok(if unanswered.is_empty() { Exit::Done } else { Exit::Incomplete })
}

fn checking(budget: &Budget, args: &MccArgs) -> Result<Checking, Failure> {
    let (plan, engine) = (plan(budget, args)?, args.engine.only());
    let reductions = args.reductions.allowed();
    Ok(Checking { plan, engine, reductions, ..Checking::default() })
}

fn plan(budget: &Budget, args: &MccArgs) -> Result<Plan, Failure> {
    let (threads, order) = (args.limits.threads(), args.diagrams.order()?);
    // The contest asks for counts of the unfolded net.
    Ok(Plan { budget: budget.clone(), threads, order, unfold: true, ..Plan::default() })
}

fn processing(parallel: bool) -> &'static str {
    if parallel { "PARALLEL_PROCESSING" } else { "SEQUENTIAL_PROCESSING" }
}

fn explicit_technique(net: &Net) -> &'static str {
    let is_folded = net.enumerations.iter().any(|class| class.symmetry != net::Symmetry::None);
    if is_folded { "EXPLICIT SYMMETRIES" } else { "EXPLICIT" }
}

/// The net of an instance, with the symmetry found in it.
fn instance(directory: &Path) -> Result<Arc<Net>, Failure> {
    load::pnml(&directory.join("model.pnml"))
}

/// Limits as given, or as the contest says: seconds, and megabytes.
fn limits(args: &MccArgs) -> Result<Limits, Failure> {
    let granted = |name: &str| match env::var(name) {
        Err(_) => Ok(None),
        Ok(text) => text
            .trim()
            .parse::<u64>()
            .map(Some)
            .map_err(|_| Failure::usage(format!("{name} is `{text}`, which is not a number"))),
    };
    let time = match args.limits.time {
        Some(time) => Some(time),
        None => granted("BK_TIME_CONFINEMENT")?.map(|seconds| {
            let granted = Duration::from_secs(seconds);
            granted.checked_sub(TIME_KEPT_BACK).unwrap_or(granted / 2)
        }),
    };
    let memory = match args.limits.memory {
        Some(memory) => Some(memory),
        None => {
            granted("BK_MEMORY_CONFINEMENT")?.map(|megabytes| megabytes.saturating_mul(1 << 20))
        }
    };
    Ok(Limits { time, memory, steps: None })
}

/// The answer to the examination of the state space: numbers or `+inf`, and how they were found.
struct StateSpace {
    values: [String; 4],
    technique: &'static str,
}

/// What these values are, as the contest calls it.
const VALUES: [&str; 4] = ["STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"];

impl StateSpace {
    fn lines(&self, parallel: bool) -> String {
        let how = format!("{} {}", processing(parallel), self.technique);
        let lines = VALUES.iter().zip(&self.values);
        lines
            .map(|(name, value)| format!("STATE_SPACE {name} {value} TECHNIQUES {how}\n"))
            .collect()
    }
}

/// Examines the state space of a net; `None` if a limit comes first.
fn state_space(net: &Arc<Net>, plan: &Plan, args: &MccArgs) -> Result<Option<StateSpace>, Failure> {
    let mut survey =
        match explore::surveyed(net, plan, args.engine.only(), None, &mut Keeping::default())? {
            Surveyed::Explicit(survey, _) => survey,
            Surveyed::Limit(_) => return Ok(None),
            Surveyed::Diagrams(survey, _) => {
                return Ok(survey.census.map(|census| StateSpace {
                    values: [
                        census.states.to_string(),
                        census.edges.to_string(),
                        census.most_tokens.to_string(),
                        census.most_in_place.to_string(),
                    ],
                    technique: DIAGRAMS,
                }));
            }
        };
    let technique = explicit_technique(net);
    if survey.is_unbounded() {
        let values = std::array::from_fn(|_| "+inf".to_owned());
        return Ok(Some(StateSpace { values, technique }));
    }
    Ok(survey.census().map(|census| {
        let Census { concrete_states, concrete_edges, most_tokens, most_in_place, .. } = census;
        let values = [concrete_states, concrete_edges, most_tokens, most_in_place];
        StateSpace { values: values.map(ToString::to_string), technique }
    }))
}
