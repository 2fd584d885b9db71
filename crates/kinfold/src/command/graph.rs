//! `kinfold graph`: the graph that `explore` counts.

use std::io::{self, Write};

use budget::{Budget, Phase};
use explore::Stop;
use kinfold::Plan;

use super::cli::{GraphArgs, GraphFormat};
use super::output::{self, Output};
use super::progress::About;
use super::{Exit, Failure, explore as exploring, load, progress};

/// Larger pictures are of no use to a reader.
const MOST_NODES_OF_SVG: u64 = 500;
/// A page with more would be slow to open.
const MOST_NODES_OF_HTML: u64 = 20_000;
/// What was seen when time or memory was used up is written if it has at most this many states of this many
/// bytes together, which takes a moment.
const MOST_STATES_AFTER_END: u64 = 5000;
const MOST_BYTES_AFTER_END: u64 = 1 << 20;

pub fn run(args: &GraphArgs) -> Result<Exit, Failure> {
    let budget = args.exploration.budget(load::is_go(&args.model.model));
    let about = About::new("graph", &args.model.model, &args.exploration, &budget);
    let shown = &args.exploration.limits.progress;
    progress::reported(shown, about, &budget, || within(args, &budget), Exit::of)
}

fn within(args: &GraphArgs, budget: &Budget) -> Result<Exit, Failure> {
    let net = progress::preparing(budget, || load::net(&args.model))?;
    let plan = Plan { keep_edges: true, ..args.exploration.plan(budget) };
    let (survey, reason) = exploring::explored(&net, plan)?;
    let states = survey.exploration().states();
    let too_many = match args.format {
        GraphFormat::Svg if states > MOST_NODES_OF_SVG => {
            Some(("picture", "--format html, dot (Graphviz), aut or json", MOST_NODES_OF_SVG))
        }
        GraphFormat::Html if states > MOST_NODES_OF_HTML => {
            Some(("page", "--format dot (Graphviz), aut or json", MOST_NODES_OF_HTML))
        }
        _ => None,
    };
    if let Some((what, others, most)) = too_many {
        return Err(Failure::usage(format!(
            "a {what} of {states} states could not be read; over {most} use {others}, \
             smaller constants (--set), or --max-states {most} for the part nearest to the start"
        )));
    }
    if let Some(Stop::Exhausted(why)) = reason
        && (states > MOST_STATES_AFTER_END || survey.store_bytes() > MOST_BYTES_AFTER_END)
    {
        output::tell(format_args!(
            "kinfold: INCOMPLETE: {why} after {states} states; no graph is written: use \
             --max-states for the part nearest to the start"
        ));
        return Ok(Exit::Incomplete);
    }
    let _under = budget.progress().during(Phase::Writing);
    let graph = survey.graph();
    let limit = reason.is_none().then_some(budget);
    let written = Output::to(args.output.as_deref()).write_by(|out| {
        let mut out = Within { out, budget: limit };
        match args.format {
            GraphFormat::Dot => graph.write_dot(out),
            GraphFormat::Svg => out.write_all(graph.svg().as_bytes()),
            GraphFormat::Aut => graph.write_aut(out),
            GraphFormat::Html => graph.write_html(out),
            GraphFormat::Json => {
                serde_json::to_writer_pretty(&mut out, &graph)?;
                writeln!(out)
            }
        }
    });
    if let Some(why) = limit.and_then(Budget::exhausted).filter(|_| written.is_err()) {
        output::tell(format_args!(
            "kinfold: INCOMPLETE: {why} while the graph was written; it is cut off"
        ));
        return Ok(Exit::Incomplete);
    }
    written?;
    match reason {
        None => Ok(Exit::Done),
        Some(reason) => {
            output::tell(format_args!(
                "kinfold: INCOMPLETE: {reason}; the graph is of what was seen"
            ));
            Ok(Exit::Incomplete)
        }
    }
}

/// Writes as long as the budget lasts.
struct Within<'o> {
    out: &'o mut dyn Write,
    /// None if what is left to write is to be written in any case.
    budget: Option<&'o Budget>,
}

impl Write for Within<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.budget.map_or(Ok(()), Budget::check) {
            Ok(()) => self.out.write(bytes),
            Err(why) => Err(io::Error::other(why)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
