//! `kinfold check`.

mod engine;
mod fair;
mod junit;
mod report;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use kinfold::{Checking, Concern, Evidence, Outcome, TraceFormat, Verdict};
use net::{Formula, Net, Property};

use report::Runs;

use super::cli::{CheckArgs, ModelFormat};
use super::output::Output;
use super::progress::Watch;
use super::{Exit, Failure, explore, load, progress};

pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let trace_format = args.trace.as_deref().map(|path| trace_format(path, args.trace_format));
    let trace_format = trace_format.transpose()?;
    args.trace.iter().chain(&args.junit).try_for_each(|path| can_be_written(path))?;
    let budget = args.exploration.budget();
    let (net, properties) = progress::preparing(&budget, || {
        let (net, format) = load::as_written(&args.model)?;
        let properties = properties(&net, &args.property)?;
        let net = match format {
            ModelFormat::Kin => net,
            ModelFormat::Pnml => net.find_symmetry(&[]).net,
        };
        Ok((Arc::new(net), properties))
    })?;
    let fairness = fair::assumed(&net, &args.fair)?;
    let plan = args.exploration.plan(&budget);
    let mut watch = Watch::new(&budget, plan.states);
    let began = Instant::now();
    let checking = Checking { plan, fairness, engine: args.engine.only(), ..Checking::default() };
    let decided = engine::decided(&net, &properties, &checking, &mut watch);
    watch.finish();
    let kinfold::Report { outcomes, fault, .. } = decided?;
    let seconds = began.elapsed().as_secs_f64();
    let report = report::Report { net: &net, outcomes: &outcomes, checking: &checking, seconds };
    let without = net.properties.is_empty().then_some(
        "the model has no properties: it was checked for deadlocks, and for values out of their ranges",
    );
    if args.json {
        Output::stdout().write(format!("{:#}\n", report.json(without)))?;
    } else {
        // Who asks for a property wants to see it; of many, those that hold would hide those that fail.
        let runs = match (&args.trace, args.property.is_empty()) {
            (Some(_), _) => Runs::None,
            (None, true) => Runs::OfFailures,
            (None, false) => Runs::All,
        };
        Output::stdout().write(report.text(without, runs))?;
    }
    if let Some(path) = &args.junit {
        Output::to(Some(path)).write(junit::junit(&report))?;
    }
    if let Some((path, format)) = args.trace.as_ref().zip(trace_format) {
        write_trace(&net, &outcomes, path, format)?;
    }
    match (exit(&outcomes), fault) {
        // What was found is found; what is not known is not, since the model is faulty.
        (Exit::Done | Exit::Incomplete, Some(fault)) => {
            Err(Failure::model(explore::faulty(&net, &fault)))
        }
        (exit, Some(fault)) => {
            eprintln!("{}", explore::faulty(&net, &fault));
            Ok(exit)
        }
        (exit, None) => Ok(exit),
    }
}

/// The properties to check: those of these names, or all; of a model without any, that it has no deadlock.
fn properties(net: &Net, names: &[String]) -> Result<Vec<Property>, Failure> {
    if names.is_empty() && net.properties.is_empty() {
        let name = "deadlock_free";
        return Ok(vec![Property {
            name: name.into(),
            text: name.into(),
            variables: Vec::new(),
            formula: Formula::DeadlockFree,
        }]);
    }
    if names.is_empty() {
        return Ok(net.properties.clone());
    }
    let mut chosen = Vec::new();
    for name in names {
        let Some(property) = net.properties.iter().find(|property| property.name == *name) else {
            let known: Vec<&str> = net.properties.iter().map(|p| p.name.as_str()).collect();
            let known = match diagnostics::nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "the model has none".into(),
                None => format!("there are {}", known.join(", ")),
            };
            return Err(Failure::usage(format!("no property is called `{name}`; {known}")));
        };
        if !chosen.contains(property) {
            chosen.push(property.clone());
        }
    }
    Ok(chosen)
}

/// The smallest status that something calls for.
fn exit(outcomes: &[Outcome]) -> Exit {
    let failed = |concern| {
        outcomes.iter().any(|o| o.concern == concern && matches!(o.verdict, Verdict::Fails(_)))
    };
    let is_open =
        |outcome: &Outcome| matches!(outcome.verdict, Verdict::Unknown(_) | Verdict::Refused(_));
    match () {
        () if failed(Concern::Deadlock) => Exit::Deadlock,
        () if failed(Concern::State) => Exit::StateFails,
        () if failed(Concern::Run) => Exit::RunFails,
        () if outcomes.iter().any(is_open) => Exit::Incomplete,
        () => Exit::Done,
    }
}

/// The run that an outcome comes with.
fn evidence(outcome: &Outcome) -> Option<&Evidence> {
    match &outcome.verdict {
        Verdict::Fails(evidence) => evidence.as_ref(),
        Verdict::Holds { witness, .. } => witness.as_ref(),
        _ => None,
    }
}

/// Writes the run of the first property that fails, or else of the first that has one.
fn write_trace(
    net: &Net,
    outcomes: &[Outcome],
    path: &Path,
    format: TraceFormat,
) -> Result<(), Failure> {
    let failing = outcomes.iter().filter(|o| matches!(o.verdict, Verdict::Fails(_)));
    let Some((outcome, evidence)) = failing.chain(outcomes).find_map(|o| Some((o, evidence(o)?)))
    else {
        eprintln!("note: there is no run to show, and {} was not written", path.display());
        return Ok(());
    };
    Output::to(Some(path)).write(evidence.trace.write(format, net, Some(&outcome.name)))?;
    eprintln!("note: the run for `{}` is in {}", outcome.name, path.display());
    Ok(())
}

/// The form that is given, or that a file has by its name.
fn trace_format(path: &Path, given: Option<TraceFormat>) -> Result<TraceFormat, Failure> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ends = |end: &str| name.to_ascii_lowercase().ends_with(end);
    match given {
        Some(format) => Ok(format),
        None if ends(".itf.json") => Ok(TraceFormat::Itf),
        None if ends(".json") => Ok(TraceFormat::Json),
        None if ends(".svg") => Ok(TraceFormat::Svg),
        None if ends(".mmd") || ends(".mermaid") => Ok(TraceFormat::Mermaid),
        None if ends(".log") || ends(".shiviz") => Ok(TraceFormat::ShiViz),
        None if ends(".txt") || !name.contains('.') => Ok(TraceFormat::Text),
        None => Err(Failure::usage(format!(
            "{} does not say in which form the run is to be written; give --trace-format {}",
            path.display(),
            TraceFormat::ALL.map(TraceFormat::name).join("|")
        ))),
    }
}

/// Whether there is a folder for a file, before it takes long to find out what to write.
fn can_be_written(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.is_none_or(Path::is_dir) && !path.is_dir() {
        true => Ok(()),
        false => Err(Failure::system(format!(
            "cannot write {}: there is no such folder",
            path.display()
        ))),
    }
}
