//! `kinfold explore`.

mod diagrams;

use std::fmt::Write;
use std::sync::Arc;

use ::explore::Stop;
use budget::{Budget, Exhausted, Phase};
use diagnostics::position;
use indicatif::{HumanBytes, HumanCount};
use kinfold::trace::{objects_of, step_text};
use kinfold::{
    Census, Coverage, Engine, FaultyRun, Form, NoDiagram, Plan, Run, Survey, SurveyError, Surveyed,
    Unbounded, survey, survey_by,
};
use net::{Keep, Net, Observed, PlaceId, Seen};
use num_bigint::BigUint;
use serde_json::{Map, Value as Json, json};
use symbolic::Untranslatable;

use super::cli::{ExploreArgs, RelationsArg};
use super::cluster::Joined;
use super::load::ModelFile;
use super::output::Output;
use super::progress::{About, peak_memory};
use super::{Exit, Failure, checkpoint, cluster, coverage, load, output, progress, trace};

/// The version of the JSON format.
const SCHEMA_VERSION: u32 = 1;

/// What was found.
struct Results<'s, 'n> {
    survey: &'s Survey<'n>,
    coverage: Coverage,
    /// The exact counts, by their names for programs and for people: as strings, `+inf` where there is no
    /// bound, and nothing where they are not known.
    counts: [(&'static str, &'static str, Option<String>); 4],
    /// Why it is incomplete.
    stop: Option<Stop>,
    /// Why states were stored one by one, where that was chosen.
    why: Option<String>,
    /// The run to the transition that was looked for.
    run: Option<Run>,
    unbounded: Option<Unbounded>,
    /// Whether states were left out.
    is_reduced: bool,
}

/// The exact counts of what was folded.
fn counts(
    survey: &mut Survey,
    is_unbounded: bool,
) -> [(&'static str, &'static str, Option<String>); 4] {
    let census = survey.census();
    let text = |count: fn(&Census) -> &BigUint| match census {
        _ if is_unbounded => Some("+inf".to_owned()),
        census => census.map(|census| count(census).to_string()),
    };
    [
        ("concrete_states", "concrete states", text(|census| &census.concrete_states)),
        ("concrete_edges", "concrete edges", text(|census| &census.concrete_edges)),
        ("max_tokens_in_marking", "most tokens in a marking", text(|census| &census.most_tokens)),
        ("max_tokens_in_place", "most tokens in a place", text(|census| &census.most_in_place)),
    ]
}

pub fn run(args: &ExploreArgs) -> Result<Exit, Failure> {
    let joining = cluster::joining(&args.cluster, args.exploration.limits.threads())?;
    let budget = args.exploration.budget(load::is_go(&args.model.model));
    let about = About::new("explore", &args.model.model, &args.exploration, &budget);
    let shown = &args.exploration.limits.progress;
    progress::reported(shown, about, &budget, || within(args, joining, &budget), Exit::of)
}

fn within(
    args: &ExploreArgs,
    joining: Option<cluster::Joining>,
    budget: &Budget,
) -> Result<Exit, Failure> {
    let engine = checkpoint::engine(&args.kept, &args.cluster, args.engine)?;
    checkpoint::explores(engine)?;
    let kept_model = args.kept.kept_model.as_deref();
    let file =
        progress::preparing(budget, || ModelFile::read_or_kept(&args.model.model, kept_model))?;
    let (net, source, diagnostics) = progress::preparing(budget, || {
        let mut written = file.with(&args.model.set, &args.model.go)?;
        let diagnostics = load::json(&written.warnings);
        let source = written.text.take();
        Ok((Arc::new(written.with_symmetry()), source, diagnostics))
    })?;
    let until = args.trace_to.as_deref().map(|name| load::transition(&net, name)).transpose()?;
    if !net.properties.is_empty() {
        let count = net.properties.len();
        let are = if count == 1 { "property is" } else { "properties are" };
        output::note(format_args!("{count} {are} not checked: `explore` only explores"));
    }
    let (order, unfold) = (args.diagrams.order()?, args.unfold);
    let facts = checkpoint::facts_of_explore(args, &file);
    let joined =
        joining.map(|joining| joining.join(&facts, &args.kept, &args.exploration)).transpose()?;
    let mut kept =
        checkpoint::Keeping::of(&args.kept, joined.as_ref(), facts, &args.model.model, &file)?;
    let checkpoint = kept.checkpoint();
    let team = joined.as_ref().map(|joined| joined.team(budget));
    let spill = checkpoint::spill(&args.kept);
    let stubborn = args.reduce.then(|| Keep::Runs(Seen::default()));
    if args.reduce && net.has_threads() {
        output::note("states are left out by stubborn sets");
    } else if args.reduce {
        output::note("no states are left out: the model has no threads");
    }
    let plan = args.exploration.plan(budget);
    let plan = Plan { until, order, unfold, stubborn, checkpoint, spill, team, ..plan };
    let surveyed = surveyed(&net, &plan, engine.only(), source.as_deref(), &mut kept);
    kept.finish();
    let (mut survey, why) = match surveyed? {
        Surveyed::Explicit(survey, why) => (*survey, why),
        Surveyed::Diagrams(survey, why) => {
            let json = args.json.then_some(diagnostics);
            return diagrams::run(&net, &survey, why.as_deref(), json);
        }
        Surveyed::Limit(limit) => {
            return diagrams::stopped(&net, &limit, args.json.then_some(diagnostics));
        }
    };
    checkpoint::tell_of_disk(survey.exploration().disk_trouble.as_ref());
    let showing = plan.showing();
    let under = budget.progress().during(Phase::Showing);
    let unbounded = survey.unbounded(&showing);
    let counts = counts(&mut survey, unbounded.is_some());
    let (run, stop) = match survey.run_to_transition(&showing) {
        Ok(run) => (run, survey.exploration().reason),
        Err(spent) => {
            output::note(format_args!(
                "the transition looked for can fire, but the run is not shown: {spent}"
            ));
            (None, Some(Stop::Exhausted(spent)))
        }
    };
    drop(under);
    let coverage = Coverage {
        growth: survey.growth(),
        relations: survey.relations(),
        states: survey.tally().states,
        complete: survey.exploration().complete,
        never_fired: survey.never_fired().collect(),
        never_marked: survey.never_marked().collect(),
    };
    let is_reduced = args.reduce && net.has_threads();
    let results =
        Results { survey: &survey, coverage, counts, stop, why, run, unbounded, is_reduced };
    let output = if args.json { results.json(diagnostics) } else { results.text(args) };
    // All that several processes had to find out together is found.
    joined.iter().try_for_each(Joined::finish)?;
    Output::Stdout.write(output)?;
    if let (Some(transition), None, None) = (until, &results.run, stop) {
        let name = &net.transition(transition).name;
        match net.copies(transition).len() {
            1 => output::note(format_args!("`{name}` never fires")),
            copies => output::note(format_args!(
                "`{name}` never fires in this order of records; others are `{name} #2` and so on, {copies} in all"
            )),
        }
    }
    if stop.is_some() && results.run.is_none() && results.unbounded.is_none() {
        kept.say_how_to_go_on();
    }
    // What is not bounded has been found out, but not been seen to its end.
    Ok(if stop.is_none() || results.run.is_some() { Exit::Done } else { Exit::Incomplete })
}

/// Explores with an engine, or the one that suits the model, with progress on stderr. `source` is the text of the
/// model.
pub fn surveyed<'n>(
    net: &'n Arc<Net>,
    plan: &Plan,
    engine: Option<Engine>,
    source: Option<&str>,
    kept: &mut checkpoint::Keeping,
) -> Result<Surveyed<'n>, Failure> {
    let surveyed = survey_by(net, plan, engine, &mut |_| kept.tell());
    surveyed.map_err(|error| failure(net, &error, source))
}

/// Explores one by one, with progress on stderr. The reason says why the run is incomplete.
pub fn explored(net: &Arc<Net>, plan: Plan) -> Result<(Survey<'_>, Option<Stop>), Failure> {
    let survey = survey(net, &plan);
    let survey = survey.map_err(|error| failure(net, &error, None))?;
    let reason = survey.exploration().reason;
    Ok((survey, reason))
}

/// Why a model cannot be explored; `source` is its text.
pub fn failure(net: &Net, error: &SurveyError, source: Option<&str>) -> Failure {
    match error {
        SurveyError::TooFewRelations { .. } => Failure::usage(format!(
            "{error}; leave --relations out, or give at least {}",
            net.relations().iter().map(|r| r.name()).collect::<Vec<_>>().join(",")
        )),
        SurveyError::TooManyTokens => Failure::model(format!("error: {error}")),
        SurveyError::Fault(fault) if fault.is_failure => {
            let origin = fault.transition.map(|id| net.transition(id).origin);
            let place = source.zip(origin).and_then(|(text, origin)| {
                let range = lang::in_text(text, origin)?;
                Some(position(text, range.start))
            });
            let place =
                place.map_or_else(String::new, |(line, column)| format!(" ({line}:{column})"));
            let text = format!("{}{place}\n{}", fault.message, how(net, fault));
            Failure::new(Exit::AssertionFails, text)
        }
        SurveyError::Fault(fault) => Failure::model(faulty(net, fault)),
        SurveyError::NoDiagram(NoDiagram::NoPlace(_)) => Failure::usage(error.to_string()),
        SurveyError::NoDiagram(why) => Failure::usage(format!("{why}; use --engine explicit")),
        SurveyError::Checkpoint(error) => checkpoint::failure(error),
        SurveyError::Lost(why) => cluster::why(&why.to_string()),
    }
}

/// How a model faults, with the run that leads there.
pub fn faulty(net: &Net, faulty: &FaultyRun) -> String {
    format!("error: {}\n{}", faulty.message, how(net, faulty))
}

/// The run that leads to a fault.
fn how(net: &Net, faulty: &FaultyRun) -> String {
    match &faulty.shown {
        Ok((mode, run)) => {
            let step = step_text(net, run.last(), mode);
            format!("with {step}\nafter this run:\n{}", trace::text(net, run))
        }
        Err(why) => format!("the run that leads there is not shown: {why}\n"),
    }
}

fn word(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "states",
        Stop::Exhausted(Exhausted::Time | Exhausted::DefaultTime) => "time",
        Stop::Exhausted(Exhausted::Memory) => "memory",
        Stop::Exhausted(Exhausted::Interrupted) => "interrupted",
        Stop::Exhausted(Exhausted::Steps) => "steps",
        Stop::Label => "trace",
    }
}

/// What is said of states that are folded by what is still observed of them.
const WHERE_NEEDED: &str = ", where it can still be observed";

/// What is observed of each column with identities.
fn columns(net: &Net, observed: &Observed) -> Json {
    let words = observed.words(net).into_iter();
    words.map(|(column, observed)| json!({ "column": column, "observed": observed })).collect()
}

impl Results<'_, '_> {
    fn json(&self, diagnostics: Json) -> String {
        let Results { survey, stop, unbounded, .. } = self;
        let (net, exploration, tally) = (survey.net(), survey.exploration(), survey.tally());
        let most = net.places.iter().zip(survey.most_tokens());
        let most: Map<String, Json> =
            most.map(|(place, most)| (place.name.to_string(), (*most).into())).collect();
        let mut json = coverage::json(net, &self.coverage, unbounded.as_ref());
        if self.is_reduced {
            json["reduced"] = true.into();
        }
        let details = json!({
            "schema_version": SCHEMA_VERSION,
            "model": net.name,
            "full": survey.is_full(),
            "engine": "explicit",
            "why": self.why,
            "form": survey.form().name(),
            "observed": survey.observed().map(|observed| columns(net, observed)),
            "edges": tally.edges,
            "modes": survey.modes(),
            "deadlocks": tally.deadlocks,
            "terminated": tally.terminated,
            "reason": if unbounded.is_some() { Some("unbounded") } else { stop.map(word) },
            "seconds": exploration.seconds,
            "peak_memory_bytes": peak_memory(),
            "store_bytes": survey.store_bytes(),
            "disk_bytes": exploration.disk_bytes(),
            "most_tokens": most,
            "trace": self.run.as_ref().map(|run| trace::json(net, run)),
        });
        for (key, value) in details.as_object().into_iter().flatten() {
            json[key] = value.clone();
        }
        for (key, _, count) in &self.counts {
            json[key] = count.clone().into();
        }
        json["diagnostics"] = diagnostics;
        format!("{json:#}\n")
    }

    fn text(&self, args: &ExploreArgs) -> String {
        let Results { survey, unbounded, .. } = self;
        let (net, exploration, tally) = (survey.net(), survey.exploration(), survey.tally());
        let mut text = String::new();
        let mut line = |line: &str| writeln!(text, "{line}").expect("strings do not fail");
        let constants: Vec<String> = (net.constants.iter())
            .map(|c| format!("{} = {}", c.name, net.literal(c.value)))
            .collect();
        let colon = if constants.is_empty() { "" } else { ": " };
        line(&format!("model {}{colon}{}", net.name, constants.join(", ")));
        self.how(args).iter().for_each(|how| line(how));
        line("");
        for (what, count) in [
            ("states", tally.states),
            ("edges", tally.edges),
            ("modes", survey.modes()),
            ("deadlocks", tally.deadlocks),
            ("terminated", tally.terminated),
            ("depth", tally.depth.into()),
        ] {
            line(&format!("{what:<12}{:>12}", HumanCount(count).to_string()));
        }
        if !survey.is_full() {
            for (_, what, count) in &self.counts {
                count.iter().for_each(|count| line(&format!("{what}: {count}")));
            }
        }
        line("");
        if let Some(most) = most(net, survey.most_tokens()) {
            line(&most);
        }
        coverage::never(net, &self.coverage).iter().for_each(|said| line(said));
        if let Some(run) = &self.run {
            let name = args.trace_to.as_deref().unwrap_or_default();
            line(&format!("\na shortest run that ends with `{name}`, {} steps:", run.steps.len()));
            line(trace::text(net, run).trim_end());
        }
        if let Some(unbounded) = unbounded {
            line(&format!("\n{}", coverage::unbounded(net, unbounded)));
        }
        line("");
        let memory = HumanBytes(peak_memory().unwrap_or(survey.store_bytes()));
        let store = HumanBytes(survey.store_bytes());
        let disk = match exploration.disk_bytes() {
            0 => String::new(),
            bytes => format!(", disk {}", HumanBytes(bytes)),
        };
        let cost = format!("{:.2} s, store {store}{disk}, memory {memory}", exploration.seconds);
        match self.stop {
            None => line(&format!("complete ({cost})")),
            Some(Stop::Label) => line(&format!("stopped at the transition looked for ({cost})")),
            Some(_) if unbounded.is_some() => {
                line(&format!("UNBOUNDED ({cost}); the counts are of what was seen"));
            }
            Some(stop) => {
                line(&format!("INCOMPLETE: {stop} ({cost}); the counts are of what was seen"));
                coverage::growing(&self.coverage).iter().for_each(|growing| line(growing));
            }
        }
        text
    }

    /// How states were stored, and why so.
    fn how(&self, args: &ExploreArgs) -> Vec<String> {
        let survey = self.survey;
        let given = match args.exploration.relations {
            RelationsArg::Auto => "inferred",
            RelationsArg::Given(_) => "given",
        };
        let mut how = vec![match survey.form() {
            Form::Full => "not folded: every concrete state counts".to_owned(),
            Form::Symbolic => "folded as symbolic markings".to_owned(),
            Form::Folded => {
                let relations = survey.relations();
                let where_needed = survey.observed().map_or("", |_| WHERE_NEEDED);
                format!("{} (as {given}){where_needed}", output::folded(relations))
            }
        }];
        match survey.why_one_by_one() {
            None | Some(Untranslatable::Threads) => {}
            Some(why) => how.push(format!("each state by itself, not as symbolic markings: {why}")),
        }
        how.extend(self.why.iter().map(|why| format!("one by one, since {why}")));
        how
    }
}

/// How many tokens there are at most in each place; of processes, how many objects of each type.
fn most(net: &Net, most: &[u64]) -> Option<String> {
    let all = net.places.iter().zip(0..).zip(most);
    let objects = |id: u32| objects_of(net, PlaceId(id));
    let (what, texts): (_, Vec<String>) = match net.listing {
        None => {
            ("tokens", all.map(|((place, _), most)| format!("{} {most}", place.name)).collect())
        }
        Some(_) => {
            let named = all.filter_map(|((_, id), most)| Some(format!("{} {most}", objects(id)?)));
            ("objects", named.collect())
        }
    };
    (!texts.is_empty()).then(|| format!("most {what}: {}", texts.join(", ")))
}
