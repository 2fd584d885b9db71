//! `kinfold replay`: whether a recorded trace is one of a model.

use std::path::Path;

use kinfold::trace::{self, Record};
use net::Net;

use super::cli::ReplayArgs;
use super::output::{self, Output};
use super::{Exit, Failure, load};

pub fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    if args.trace.as_os_str() == "-" && args.model.model.as_os_str() == "-" {
        return Err(Failure::usage("only one of trace and model can come from standard input"));
    }
    let record = read(&args.trace)?;
    let net = load::net(&args.model)?;
    let notes = record.differences(&net).into_iter().map(|text| format!("note: {text}\n"));
    let notes: String = notes.collect();
    let trace = match record.replay(&net) {
        Ok(trace) => trace,
        Err(mismatch) => {
            Output::Stdout.write(format!("the trace is wrong: {mismatch}\n{notes}"))?;
            return Ok(Exit::No);
        }
    };
    let text = match args.format {
        Some(format) => {
            output::ask(format_args!("{notes}"));
            trace.write(format, &net, record.property.as_deref())
        }
        None => right(&net, &record) + &notes,
    };
    Output::to(args.output.as_deref()).write(text)?;
    Ok(Exit::Done)
}

fn read(path: &Path) -> Result<Record, Failure> {
    let text = load::whole_text(path)?;
    trace::read(&text).map_err(|error| Failure::model(format!("{}: {error}", load::name(path))))
}

fn right(net: &Net, record: &Record) -> String {
    let steps = match record.steps.len() {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    };
    let back = match &record.back {
        Some(back) if back.to < record.steps.len() => {
            format!(", and from state {} on for ever", back.to)
        }
        Some(_) => ", and nothing happens any more".to_owned(),
        None => String::new(),
    };
    format!("the trace is right: {steps} of model {}{back}\n", net.name)
}
