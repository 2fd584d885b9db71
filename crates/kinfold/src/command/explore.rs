//! `kinfold explore`.

mod diagrams;

use std::fmt::Write;
use std::sync::Arc;

use ::explore::Stop;
use budget::Exhausted;
use indicatif::{HumanBytes, HumanCount};
use kinfold::{
    Census, DiagramPlan, FaultyRun, Form, Plan, Run, Survey, SurveyError, Unbounded, mode_text,
    survey_watched,
};
use net::Net;
use num_bigint::BigUint;
use serde::Serialize;
use symbolic::Untranslatable;

use super::cli::{ExploreArgs, RelationsArg};
use super::engine::{self, Explored};
use super::output::Output;
use super::progress::{Watch, peak_memory};
use super::{Exit, Failure, load, progress, trace};

/// The version of the JSON format.
const SCHEMA_VERSION: u32 = 1;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    schema_version: u32,
    model: &'a str,
    relations: Vec<&'static str>,
    full: bool,
    engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    form: &'static str,
    states: u64,
    edges: u64,
    modes: u64,
    deadlocks: u64,
    terminated: u64,
    /// Exact integers as strings; `+inf` where there is no bound.
    concrete_states: Option<String>,
    concrete_edges: Option<String>,
    max_tokens_in_marking: Option<String>,
    max_tokens_in_place: Option<String>,
    complete: bool,
    reason: Option<&'static str>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    store_bytes: u64,
    most_tokens: serde_json::Map<String, serde_json::Value>,
    never_fired: Vec<&'a str>,
    never_marked: Vec<&'a str>,
    growing: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unbounded: Option<UnboundedReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<serde_json::Value>,
}

/// How a net grows without bound.
#[derive(Serialize)]
struct UnboundedReport<'a> {
    place: &'a str,
    /// The steps after this many can be repeated for ever.
    repeat_from: usize,
    trace: serde_json::Value,
}

/// The exact counts as strings; `None` where they are not known.
struct Counts {
    concrete_states: Option<String>,
    concrete_edges: Option<String>,
    max_tokens_in_marking: Option<String>,
    max_tokens_in_place: Option<String>,
}

impl Counts {
    fn of(survey: &mut Survey, unbounded: bool) -> Counts {
        let census = survey.census();
        let text = |count: fn(&Census) -> &BigUint| match census {
            _ if unbounded => Some("+inf".to_owned()),
            census => census.map(|census| count(census).to_string()),
        };
        Counts {
            concrete_states: text(|census| &census.concrete_states),
            concrete_edges: text(|census| &census.concrete_edges),
            max_tokens_in_marking: text(|census| &census.most_tokens),
            max_tokens_in_place: text(|census| &census.most_in_place),
        }
    }
}

pub fn run(args: &ExploreArgs) -> Result<Exit, Failure> {
    let budget = args.exploration.budget();
    let net = progress::preparing(&budget, || load::net(&args.model))?;
    let until = args.trace_to.as_deref().map(|name| load::transition(&net, name)).transpose()?;
    if !net.properties.is_empty() {
        let count = net.properties.len();
        let are = if count == 1 { "property is" } else { "properties are" };
        eprintln!("note: {count} {are} not checked: `explore` only explores");
    }
    let plan = Plan { until, ..args.exploration.plan(&budget) };
    let diagrams = DiagramPlan {
        order: args.diagrams.order()?,
        unfold: args.unfold,
        ..DiagramPlan::default()
    };
    let (mut survey, reason, why) = match engine::explored(&net, plan, args.engine, &diagrams)? {
        Explored::Explicit(survey, reason, why) => (*survey, reason, why),
        Explored::Diagrams(survey, why) => {
            return diagrams::run(&net, &survey, why.as_deref(), args.json);
        }
        Explored::Limit(limit) => return diagrams::stopped(&net, &limit, args.json),
    };
    let unbounded = survey.unbounded();
    let counts = Counts::of(&mut survey, unbounded.is_some());
    let run = survey.run_to_transition();
    let found = if run.is_some() { None } else { until };
    let output = if args.json {
        json(&mut survey, reason, why.as_deref(), run.as_ref(), counts, unbounded.as_ref())
    } else {
        text(&mut survey, args, reason, why.as_deref(), run.as_ref(), &counts, unbounded.as_ref())
    };
    Output::stdout().write(output)?;
    if let (Some(transition), false) = (found, reason.is_some()) {
        eprintln!("note: `{}` never fires", net.transition(transition).name);
    }
    // What is not bounded has been found out, but not been seen to its end.
    Ok(if reason.is_none() || run.is_some() { Exit::Done } else { Exit::Incomplete })
}

/// Explores, with progress on stderr. The reason says why the run is incomplete.
pub fn explored(net: &Arc<Net>, plan: Plan) -> Result<(Survey<'_>, Option<Stop>), Failure> {
    let mut watch = Watch::new(&plan.budget, plan.states);
    let survey = survey_watched(net, &plan, &mut |progress| watch.see(progress));
    watch.finish();
    let survey = survey.map_err(|error| failure(net, &error))?;
    let reason = survey.exploration().reason;
    Ok((survey, reason))
}

/// Why a model cannot be explored.
pub fn failure(net: &Net, error: &SurveyError) -> Failure {
    match error {
        SurveyError::TooFewRelations { .. } => Failure::usage(format!(
            "{error}; leave --relations out, or give at least {}",
            net.relations().iter().map(|r| r.name()).collect::<Vec<_>>().join(",")
        )),
        SurveyError::TooManyTokens => Failure::model(format!("error: {error}")),
        SurveyError::Fault(fault) => Failure::model(faulty(net, fault)),
    }
}

/// How a model faults, with the run that leads there.
pub fn faulty(net: &Net, faulty: &FaultyRun) -> String {
    format!(
        "error: {}\nwith {}\nafter this run:\n{}",
        faulty.message,
        mode_text(net, &faulty.mode),
        trace::text(net, &faulty.run)
    )
}

fn word(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "states",
        Stop::Exhausted(Exhausted::Time) => "time",
        Stop::Exhausted(Exhausted::Memory) => "memory",
        Stop::Exhausted(Exhausted::Interrupted) => "interrupted",
        Stop::Exhausted(Exhausted::Steps) => "steps",
        Stop::Label => "trace",
    }
}

fn growing(survey: &mut Survey) -> Vec<String> {
    let growth = survey.growth().into_iter();
    growth.map(|g| format!("{} (up to {}, then {})", g.what, g.before, g.after)).collect()
}

fn never_fired<'s>(survey: &'s Survey) -> Vec<&'s str> {
    survey.never_fired().map(|t| survey.net().transition(t).name.as_str()).collect()
}

fn never_marked<'s>(survey: &'s Survey) -> Vec<&'s str> {
    survey.never_marked().map(|p| &*survey.net().place(p).name).collect()
}

fn json(
    survey: &mut Survey,
    reason: Option<Stop>,
    why: Option<&str>,
    run: Option<&Run>,
    counts: Counts,
    unbounded: Option<&Unbounded>,
) -> String {
    let growing = growing(survey);
    let (net, exploration) = (survey.net(), survey.exploration());
    let most = net.places.iter().zip(survey.most_tokens());
    let report = Report {
        schema_version: SCHEMA_VERSION,
        model: &net.name,
        relations: survey.relations().iter().map(|relation| relation.name()).collect(),
        full: survey.is_full(),
        engine: "explicit",
        why,
        form: match survey.form() {
            Form::Full => "full",
            Form::Folded => "folded",
            Form::Symbolic => "symbolic",
        },
        states: exploration.states(),
        edges: exploration.edges,
        modes: survey.modes(),
        deadlocks: exploration.deadlocks.len() as u64,
        terminated: exploration.terminated.len() as u64,
        concrete_states: counts.concrete_states,
        concrete_edges: counts.concrete_edges,
        max_tokens_in_marking: counts.max_tokens_in_marking,
        max_tokens_in_place: counts.max_tokens_in_place,
        complete: exploration.complete,
        reason: if unbounded.is_some() { Some("unbounded") } else { reason.map(word) },
        seconds: exploration.seconds,
        peak_memory_bytes: peak_memory(),
        store_bytes: survey.store_bytes(),
        most_tokens: most.map(|(p, most)| (p.name.to_string(), (*most).into())).collect(),
        never_fired: never_fired(survey),
        never_marked: never_marked(survey),
        growing,
        unbounded: unbounded.map(|unbounded| UnboundedReport {
            place: &net.place(unbounded.place).name,
            repeat_from: unbounded.from,
            trace: trace::json(net, &unbounded.run),
        }),
        trace: run.map(|run| trace::json(net, run)),
    };
    let mut text = serde_json::to_string_pretty(&report).expect("a report is JSON");
    text.push('\n');
    text
}

fn text(
    survey: &mut Survey,
    args: &ExploreArgs,
    reason: Option<Stop>,
    why: Option<&str>,
    run: Option<&Run>,
    counts: &Counts,
    unbounded: Option<&Unbounded>,
) -> String {
    let growing = growing(survey);
    let (net, exploration) = (survey.net(), survey.exploration());
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("strings do not fail");
    let constants = net.constants.iter().map(|c| format!("{} = {}", c.name, net.literal(c.value)));
    let constants: Vec<String> = constants.collect();
    let colon = if constants.is_empty() { "" } else { ": " };
    line(format!("model {}{colon}{}", net.name, constants.join(", ")));
    if survey.is_full() {
        line("not folded: every concrete state counts".into());
    } else {
        let how = match args.exploration.relations {
            RelationsArg::Auto => "inferred",
            RelationsArg::Given(_) => "given",
        };
        match survey.form() {
            Form::Symbolic => line("folded as symbolic markings".into()),
            _ => line(format!("folded up to {{{}}} ({how})", survey.relations())),
        }
        match survey.why_one_by_one() {
            None | Some(Untranslatable::Threads) => {}
            Some(why) => line(format!("each state by itself, not as symbolic markings: {why}")),
        }
    }
    if let Some(why) = why {
        line(format!("one by one, since {why}"));
    }
    line(String::new());
    let states = if survey.is_full() { "states" } else { "classes" };
    for (what, count) in [
        (states, exploration.states()),
        ("edges", exploration.edges),
        ("modes", survey.modes()),
        ("deadlocks", exploration.deadlocks.len() as u64),
        ("terminated", exploration.terminated.len() as u64),
        ("depth", exploration.depth().into()),
    ] {
        line(format!("{what:<12}{:>12}", HumanCount(count).to_string()));
    }
    if !survey.is_full() {
        for (what, count) in [
            ("concrete states", &counts.concrete_states),
            ("concrete edges", &counts.concrete_edges),
            ("most tokens in a marking", &counts.max_tokens_in_marking),
            ("most tokens in a place", &counts.max_tokens_in_place),
        ] {
            if let Some(count) = count {
                line(format!("{what}: {count}"));
            }
        }
    }
    line(String::new());
    let most = net.places.iter().zip(survey.most_tokens());
    let most: Vec<String> = most.map(|(place, most)| format!("{} {most}", place.name)).collect();
    line(format!("most tokens: {}", most.join(", ")));
    for (what, names) in
        [("never fired", never_fired(survey)), ("never marked", never_marked(survey))]
    {
        if !names.is_empty() {
            line(format!("{what}: {}", names.join(", ")));
        }
    }
    if let Some(run) = run {
        let name = args.trace_to.as_deref().unwrap_or_default();
        line(String::new());
        line(format!("a shortest run that ends with `{name}`, {} steps:", run.steps.len()));
        line(trace::text(net, run).trim_end().to_owned());
    }
    if let Some(Unbounded { place, run, from }) = unbounded {
        line(String::new());
        line(format!("`{}` can hold any number of tokens: in this run,", net.place(*place).name));
        line(format!(
            "the steps after step {from} can be repeated for ever, with more tokens each time"
        ));
        line(trace::text(net, run).trim_end().to_owned());
    }
    line(String::new());
    let memory = HumanBytes(peak_memory().unwrap_or(survey.store_bytes()));
    let store = HumanBytes(survey.store_bytes());
    let cost = format!("{:.2} s, store {store}, memory {memory}", exploration.seconds);
    match reason {
        None => line(format!("complete ({cost})")),
        Some(Stop::Label) => line(format!("stopped at the transition looked for ({cost})")),
        Some(_) if unbounded.is_some() => {
            line(format!("UNBOUNDED ({cost}); the counts are of what was seen"));
        }
        Some(reason) => {
            line(format!("INCOMPLETE: {reason} ({cost}); the counts are of what was seen"));
            if !growing.is_empty() {
                line(format!("still growing: {}", growing.join("; ")));
            }
        }
    }
    text
}
