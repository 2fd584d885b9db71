//! `kinfold bench paper`: the table of Thierry-Mieg, Ilié and Poitrenaud 2004, beside ours.
//!
//! The models are Kinfold's own; those of Peterson and of the waves are reconstructed. What the paper
//! printed stands as it was printed, misprints are marked: numbers of states that are not those of the
//! model, and a row with the wrong number of sites. Times are CPU times of exploring and counting on one
//! thread, after the model was read.

use std::fmt::Write;
use std::sync::Arc;

use cpu_time::ProcessTime;
use kinfold::{Plan, survey};
use lang::Override;
use net::Net;
use num_bigint::BigUint;

use crate::command::cli::BenchPaperArgs;
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
    seconds: f64,
}

fn rows() -> impl Iterator<Item = Row> {
    TABLE.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().expect("the table has eight columns");
        let (model, printed, parameters, states) = (cell(), cell(), cell(), cell());
        let markings = cell().parse().expect("a number of markings");
        let seconds = cells.next_back().and_then(|cell| cell.parse().ok()).expect("seconds");
        Row { model, printed, parameters, states, markings, seconds }
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

pub fn run(args: &BenchPaperArgs) -> Result<Exit, Failure> {
    let mut text = String::new();
    let mut report = Vec::new();
    let mut line = |cells: [&str; 8]| {
        let [model, size, printed, states, markings, theirs, ours, ratio] = cells;
        let line = format!(
            "{model:<14}{size:>6} {printed:>12} {states:>11} {markings:>9} {theirs:>9} {ours:>9} {ratio:>8}"
        );
        writeln!(text, "{line}").expect("strings do not fail");
    };
    line(["", "N", "states there", "states", "markings", "s there", "CPU-s", "ratio"]);
    let began = ProcessTime::now();
    for row in rows() {
        let (name, net) = row.net();
        let clock = ProcessTime::now();
        let mut survey =
            survey(&net, &Plan::default()).map_err(|error| explore::failure(&net, &error))?;
        let markings = survey.exploration().states;
        let census = survey.census().expect("complete, and without threads").clone();
        let seconds = clock.elapsed().as_secs_f64();
        let ratio = row.seconds / seconds;
        let size = row.parameters.split(',').filter_map(|parameter| parameter.split('=').nth(1));
        let size = size.collect::<Vec<_>>().join(" ");
        let is_mislabelled = size != row.printed;
        let is_misprinted = row.is_misprinted(&census.concrete_states);
        let mark = |is: bool| if is { "!" } else { "" };
        line([
            name,
            &format!("{size}{}", mark(is_mislabelled)),
            &format!("{}{}", row.states, mark(is_misprinted)),
            &scientific(&census.concrete_states),
            &format!("{markings}{}", mark(markings != row.markings)),
            &format!("{:.1}", row.seconds),
            &format!("{seconds:.3}"),
            &format!("{ratio:.0}"),
        ]);
        report.push(serde_json::json!({
            "model": name,
            "parameters": row.parameters,
            "printed_size": row.printed,
            "printed_states": row.states,
            "printed_markings": row.markings,
            "printed_seconds": row.seconds,
            "is_misprinted": is_misprinted || is_mislabelled,
            "concrete_states": census.concrete_states.to_string(),
            "concrete_edges": census.concrete_edges.to_string(),
            "markings": markings,
            "edges": survey.exploration().edges,
            "cpu_seconds": seconds,
        }));
    }
    let seconds = began.elapsed().as_secs_f64();
    let output = if args.json {
        let report = serde_json::json!({
            "schema_version": 1,
            "rows": report,
            "cpu_seconds": seconds,
            "peak_memory_bytes": peak_memory(),
        });
        format!("{report:#}\n")
    } else {
        let memory = peak_memory()
            .map_or_else(String::new, |bytes| format!(", {}", indicatif::HumanBytes(bytes)));
        format!(
            "{text}\nall rows: {seconds:.2} CPU-s{memory}\n\
             !  misprinted in the paper: the states are not those of the model, or the row not that of N\n"
        )
    };
    Output::stdout().write(output)?;
    Ok(Exit::Done)
}
