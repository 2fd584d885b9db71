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
use serde_json::{Value as Json, json};
use symbolic::Translation;
use unfold::DiagramLimits;

use crate::command::cli::{BenchPaperArgs, PaperEngine};
use crate::command::output::Output;
use crate::command::progress::peak_memory;
use crate::command::table::table;
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

    /// The columns with which both tables end.
    fn times(&self, seconds: f64) -> [(&'static str, String); 3] {
        let there = self.row.seconds;
        [
            ("s there", format!("{there:.1}")),
            ("CPU-s", format!("{seconds:.3}")),
            ("ratio", format!("{:.0}", there / seconds)),
        ]
    }

    /// What programs are told in both cases.
    fn json(&self, seconds: f64) -> Json {
        json!({
            "model": self.name,
            "parameters": self.row.parameters,
            "printed_size": self.row.printed,
            "printed_markings": self.row.markings,
            "printed_seconds": self.row.seconds,
            "cpu_seconds": seconds,
        })
    }
}

/// A row of our table: the heads of its columns with their cells, and the same for programs.
struct Measured {
    cells: Vec<(&'static str, String)>,
    json: Json,
}

pub fn run(args: &BenchPaperArgs) -> Result<Exit, Failure> {
    let began = ProcessTime::now();
    let measured = rows().map(Header::of).map(|header| match args.engine {
        PaperEngine::Explicit => one_by_one(&header),
        PaperEngine::Ddd => as_set(&header),
    });
    let measured = measured.collect::<Result<Vec<Measured>, Failure>>()?;
    let seconds = began.elapsed().as_secs_f64();
    let (engine, notes) = match args.engine {
        PaperEngine::Explicit => (
            "explicit",
            "!  misprinted in the paper: the states are not those of the model, or the row not that of N\n\
             `--engine ddd` stores markings as the paper does, and has its columns: nodes, sharing, length\n",
        ),
        PaperEngine::Ddd => ("ddd", ""),
    };
    let output = if args.json {
        let report = json!({
            "schema_version": 1,
            "engine": engine,
            "rows": measured.into_iter().map(|row| row.json).collect::<Vec<_>>(),
            "cpu_seconds": seconds,
            "peak_memory_bytes": peak_memory(),
        });
        format!("{report:#}\n")
    } else {
        let memory = peak_memory().map(|bytes| format!(", {}", indicatif::HumanBytes(bytes)));
        let heads = measured[0].cells.iter().map(|(head, _)| (*head).to_owned()).collect();
        let cells = measured.into_iter().map(|row| row.cells.into_iter().map(|(_, cell)| cell));
        let rows: Vec<Vec<String>> =
            [heads].into_iter().chain(cells.map(Iterator::collect)).collect();
        let (table, memory) = (table(&rows, 1), memory.unwrap_or_default());
        format!("{table}\nall rows: {seconds:.2} CPU-s{memory}\n{notes}")
    };
    Output::Stdout.write(output)?;
    Ok(Exit::Done)
}

/// Symbolic markings one by one.
fn one_by_one(header: &Header) -> Result<Measured, Failure> {
    let Header { row, name, size, net } = header;
    let clock = ProcessTime::now();
    let mut survey =
        survey(net, &Plan::default()).map_err(|error| explore::failure(net, &error, None))?;
    let (markings, edges) = (survey.exploration().states(), survey.exploration().edges);
    let census = survey.census().expect("complete, and without threads").clone();
    let seconds = clock.elapsed().as_secs_f64();
    let is_misprinted = row.is_misprinted(&census.concrete_states);
    let is_mislabelled = *size != row.printed;
    let mark = |is: bool| if is { "!" } else { "" };
    let mut cells = vec![
        ("", name.to_string()),
        ("N", format!("{size}{}", mark(is_mislabelled))),
        ("states there", format!("{}{}", row.states, mark(is_misprinted))),
        ("states", scientific(&census.concrete_states)),
        ("markings", format!("{markings}{}", mark(markings != row.markings))),
    ];
    cells.extend(header.times(seconds));
    let mut json = header.json(seconds);
    json["printed_states"] = row.states.into();
    json["is_misprinted"] = (is_misprinted || is_mislabelled).into();
    json["concrete_states"] = census.concrete_states.to_string().into();
    json["concrete_edges"] = census.concrete_edges.to_string().into();
    json["markings"] = markings.into();
    json["edges"] = edges.into();
    Ok(Measured { cells, json })
}

/// The set of symbolic markings in decision diagrams, in the paper's columns.
fn as_set(header: &Header) -> Result<Measured, Failure> {
    let Header { row, name, size, net } = header;
    let translation =
        Translation::of(net, &budget::Budget::unlimited()).expect("our models have no threads");
    let clock = ProcessTime::now();
    let srs = translation.srs(DiagramLimits::default());
    let srs = srs.map_err(|error| Failure::model(format!("{name}: {error}")))?;
    let seconds = clock.elapsed().as_secs_f64();
    let mut cells = vec![
        ("", name.to_string()),
        ("N", size.clone()),
        ("markings", srs.markings.to_string()),
        ("nodes there", row.nodes.to_string()),
        ("nodes", srs.final_nodes.to_string()),
        ("peak", srs.peak_nodes.to_string()),
        ("share there", row.share.to_owned()),
        ("share %", format!("{:.2}", 100.0 * srs.average_share)),
        ("length there", row.length.to_owned()),
        ("length", format!("{:.1}", srs.average_length)),
    ];
    cells.extend(header.times(seconds));
    let mut json = header.json(seconds);
    json["printed_nodes"] = row.nodes.into();
    json["printed_share"] = row.share.into();
    json["printed_length"] = row.length.into();
    json["markings"] = srs.markings.to_string().into();
    json["final_nodes"] = srs.final_nodes.into();
    json["peak_nodes"] = srs.peak_nodes.into();
    json["average_share"] = srs.average_share.into();
    json["average_length"] = srs.average_length.into();
    Ok(Measured { cells, json })
}
