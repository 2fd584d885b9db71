//! `kinfold bench paper`: the table of Thierry-Mieg, Ilié and Poitrenaud 2004, beside ours.
//!
//! The models are Kinfold's own; those of Peterson and of the waves are reconstructed. What the paper
//! printed stands as it was printed, misprints are marked: numbers of states that are not those of the
//! model, and a row with the wrong number of sites. There are two tables, one for symbolic markings one by one,
//! one for the set of them in decision diagrams, as the paper has it. Times are CPU times on one thread,
//! after the model was read.

use std::sync::Arc;

use cpu_time::ProcessTime;
use kinfold::{Plan, survey};
use lang::Override;
use net::Net;
use num_bigint::BigUint;
use symbolic::Translation;
use unfold::DiagramLimits;

use crate::command::cli::{BenchPaperArgs, PaperEngine};
use crate::command::output::Output;
use crate::command::progress::peak_memory;
use crate::command::{Exit, Failure, explore};

/// The paper's table.
const TABLE: &str = include_str!("../../../../../models/papers/thierry-mieg-2004.tsv");

/// A model of the table.
struct Model {
    /// What the table calls it, and what people do.
    key: &'static str,
    name: &'static str,
    text: &'static str,
    /// What is set beside its sizes.
    set: &'static [(&'static str, &'static str)],
}

const MODELS: [Model; 4] = [
    Model {
        key: "peterson",
        name: "Peterson",
        text: include_str!("../../../../../models/peterson.kin"),
        set: &[],
    },
    Model {
        key: "wave_flow",
        name: "waves",
        text: include_str!("../../../../../models/waves.kin"),
        set: &[("apart", "false")],
    },
    Model {
        key: "distdb",
        name: "database",
        text: include_str!("../../../../../models/distributed_database.kin"),
        set: &[],
    },
    Model {
        key: "clientserver",
        name: "client/server",
        text: include_str!("../../../../../models/client_server.kin"),
        set: &[],
    },
];

/// A row of the paper's table.
struct Row {
    model: &'static str,
    /// The sizes as printed, and as they are.
    printed: &'static str,
    parameters: &'static str,
    states: &'static str,
    markings: u64,
    nodes: u64,
    share: &'static str,
    length: &'static str,
    seconds: f64,
}

fn rows() -> impl Iterator<Item = Row> {
    TABLE.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().expect("the table has nine columns");
        let (model, printed, parameters, states) = (cell(), cell(), cell(), cell());
        let markings = cell().parse().expect("a number of markings");
        let nodes = cell().parse().expect("a number of nodes");
        let (share, length) = (cell(), cell());
        let seconds = cells.next_back().and_then(|cell| cell.parse().ok()).expect("seconds");
        Row { model, printed, parameters, states, markings, nodes, share, length, seconds }
    })
}

impl Row {
    /// What people call the model, and its net at the size of the row.
    fn net(&self) -> (&'static str, Arc<Net>) {
        let model = MODELS.iter().find(|model| model.key == self.model);
        let Model { name, text, set, .. } = model.expect("the table is of our models");
        let sizes = self.parameters.split(',').filter_map(|parameter| parameter.split_once('='));
        let sizes = sizes.map(|(name, value)| match name {
            "c" => ("clients", value),
            "s" => ("servers", value),
            name => (name, value),
        });
        let overrides = sizes.chain(set.iter().copied());
        let overrides: Vec<Override> = overrides
            .map(|(name, value)| Override { name: name.into(), value: value.into() })
            .collect();
        let net = lang::compile(text, &overrides).net.expect("our models are right");
        (name, Arc::new(net))
    }

    /// Whether the number printed is not that of the model: 1.79e97 may be rounded or cut.
    fn is_misprinted(&self, states: &BigUint) -> bool {
        let digits = states.to_string();
        let Some((mantissa, exponent)) = self.states.split_once('e') else {
            return digits != self.states;
        };
        let printed: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let cut: u64 = digits.get(..printed.len()).and_then(|cut| cut.parse().ok()).unwrap_or(0);
        let printed: u64 = printed.parse().expect("digits");
        exponent.parse() != Ok(digits.len() - 1) || (cut != printed && cut + 1 != printed)
    }
}

/// A number of many digits as people read it.
fn scientific(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() <= 9 {
        return digits;
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1)
}

/// A row, what people call its model, and its size as it is.
struct Header {
    row: Row,
    name: &'static str,
    size: String,
    net: Arc<Net>,
}

impl Header {
    fn of(row: Row) -> Header {
        let (name, net) = row.net();
        let size = row.parameters.split(',').filter_map(|parameter| parameter.split('=').nth(1));
        let size = size.collect::<Vec<_>>().join(" ");
        Header { row, name, size, net }
    }

    fn is_mislabelled(&self) -> bool {
        self.size != self.row.printed
    }
}

pub fn run(args: &BenchPaperArgs) -> Result<Exit, Failure> {
    let began = ProcessTime::now();
    let mut text = String::new();
    let mut report = Vec::new();
    for header in rows().map(Header::of) {
        let (line, json) = match args.engine {
            PaperEngine::Explicit => one_by_one(&header)?,
            PaperEngine::Ddd => as_set(&header)?,
        };
        text += &line;
        report.push(json);
    }
    let seconds = began.elapsed().as_secs_f64();
    let output = if args.json {
        let report = serde_json::json!({
            "schema_version": 1,
            "engine": match args.engine {
                PaperEngine::Explicit => "explicit",
                PaperEngine::Ddd => "ddd",
            },
            "rows": report,
            "cpu_seconds": seconds,
            "peak_memory_bytes": peak_memory(),
        });
        format!("{report:#}\n")
    } else {
        let memory = peak_memory()
            .map_or_else(String::new, |bytes| format!(", {}", indicatif::HumanBytes(bytes)));
        let (heads, notes) = match args.engine {
            PaperEngine::Explicit => (
                explicit_line([
                    "",
                    "N",
                    "states there",
                    "states",
                    "markings",
                    "s there",
                    "CPU-s",
                    "ratio",
                ]),
                "!  misprinted in the paper: the states are not those of the model, or the row not that of N\n\
                 `--engine ddd` stores markings as the paper does, and has its columns: nodes, sharing, length\n",
            ),
            PaperEngine::Ddd => (
                ddd_line([
                    "",
                    "N",
                    "markings",
                    "nodes there",
                    "nodes",
                    "peak",
                    "share there",
                    "share %",
                    "length there",
                    "length",
                    "s there",
                    "CPU-s",
                    "ratio",
                ]),
                "",
            ),
        };
        format!("{heads}{text}\nall rows: {seconds:.2} CPU-s{memory}\n{notes}")
    };
    Output::stdout().write(output)?;
    Ok(Exit::Done)
}

fn explicit_line(
    [model, size, printed, states, markings, theirs, ours, ratio]: [&str; 8],
) -> String {
    format!(
        "{model:<14}{size:>6} {printed:>12} {states:>11} {markings:>9} {theirs:>9} {ours:>9} {ratio:>8}\n"
    )
}

/// Symbolic markings one by one: a line, and the same for programs.
fn one_by_one(header: &Header) -> Result<(String, serde_json::Value), Failure> {
    let Header { row, name, size, net } = header;
    let clock = ProcessTime::now();
    let mut survey =
        survey(net, &Plan::default()).map_err(|error| explore::failure(net, &error))?;
    let (markings, edges) = (survey.exploration().states(), survey.exploration().edges);
    let census = survey.census().expect("complete, and without threads").clone();
    let seconds = clock.elapsed().as_secs_f64();
    let is_misprinted = row.is_misprinted(&census.concrete_states);
    let mark = |is: bool| if is { "!" } else { "" };
    let line = explicit_line([
        name,
        &format!("{size}{}", mark(header.is_mislabelled())),
        &format!("{}{}", row.states, mark(is_misprinted)),
        &scientific(&census.concrete_states),
        &format!("{markings}{}", mark(markings != row.markings)),
        &format!("{:.1}", row.seconds),
        &format!("{seconds:.3}"),
        &format!("{:.0}", row.seconds / seconds),
    ]);
    let json = serde_json::json!({
        "model": name,
        "parameters": row.parameters,
        "printed_size": row.printed,
        "printed_states": row.states,
        "printed_markings": row.markings,
        "printed_seconds": row.seconds,
        "is_misprinted": is_misprinted || header.is_mislabelled(),
        "concrete_states": census.concrete_states.to_string(),
        "concrete_edges": census.concrete_edges.to_string(),
        "markings": markings,
        "edges": edges,
        "cpu_seconds": seconds,
    });
    Ok((line, json))
}

fn ddd_line(cells: [&str; 13]) -> String {
    let [
        model,
        size,
        markings,
        nodes_there,
        nodes,
        peak,
        share_there,
        share,
        length_there,
        length,
        rest @ ..,
    ] = cells;
    let [theirs, ours, ratio] = rest;
    format!(
        "{model:<14}{size:>6} {markings:>9} {nodes_there:>11} {nodes:>7} {peak:>8} {share_there:>11} \
         {share:>7} {length_there:>12} {length:>6} {theirs:>8} {ours:>7} {ratio:>6}\n"
    )
}

/// The set of symbolic markings in decision diagrams, in the paper's columns.
fn as_set(header: &Header) -> Result<(String, serde_json::Value), Failure> {
    let Header { row, name, size, net } = header;
    let translation = Translation::of(net).expect("our models have no threads");
    let clock = ProcessTime::now();
    let srs = translation.srs(DiagramLimits::default());
    let srs = srs.map_err(|error| Failure::model(format!("{name}: {error}")))?;
    let seconds = clock.elapsed().as_secs_f64();
    let line = ddd_line([
        name,
        size,
        &srs.markings.to_string(),
        &row.nodes.to_string(),
        &srs.final_nodes.to_string(),
        &srs.peak_nodes.to_string(),
        row.share,
        &format!("{:.2}", 100.0 * srs.average_share),
        row.length,
        &format!("{:.1}", srs.average_length),
        &format!("{:.1}", row.seconds),
        &format!("{seconds:.3}"),
        &format!("{:.0}", row.seconds / seconds),
    ]);
    let json = serde_json::json!({
        "model": name,
        "parameters": row.parameters,
        "printed_size": row.printed,
        "printed_markings": row.markings,
        "printed_nodes": row.nodes,
        "printed_share": row.share,
        "printed_length": row.length,
        "printed_seconds": row.seconds,
        "markings": srs.markings.to_string(),
        "final_nodes": srs.final_nodes,
        "peak_nodes": srs.peak_nodes,
        "average_share": srs.average_share,
        "average_length": srs.average_length,
        "cpu_seconds": seconds,
    });
    Ok((line, json))
}
