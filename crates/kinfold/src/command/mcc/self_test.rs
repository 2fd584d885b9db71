//! `kinfold mcc --self-test`: Kinfold's own nets, and a collection of the contest's, with the verdicts that
//! are agreed upon.
//!
//! A collection has the tables `statespace.tsv` and `formulas.tsv`, and the instances below `col` and `pt`. A
//! wrong value is a fault of Kinfold; one that is not reached within the limits is not. Formulas are
//! asked of the nets whose states are counted within the time, and with `--all` of all.

mod verdicts;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use budget::Limits;
use kinfold::Plan;
use net::Net;

use super::formulas::{self, Asked};
use super::{MccArgs, StateSpace, instance, state_space};
use crate::command::output::Output;
use crate::command::{Exit, Failure, load, progress};
use verdicts::{Counts, Verdicts};

/// Where a collection is looked for when none is given.
const BESIDE: &str = "../shared/mcc";
/// What each net may take, and with `--all`.
const TIME: Duration = Duration::from_secs(2);
const TIME_FOR_ALL: Duration = Duration::from_secs(60);
const MEMORY: u64 = 4 << 30;

/// The name and the text of one of Kinfold's own nets.
macro_rules! own {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../../models/pnml/", $name, ".pnml")))
    };
}

/// Kinfold's own nets and what is expected of them.
const OWN: &[(&str, &str)] = &[
    own!("client_server"),
    own!("distributed_database"),
    own!("philosophers"),
    own!("waves"),
    own!("queue"),
];
const OWN_TABLE: &str = include_str!("../../../../../models/pnml/statespace.tsv");
const OWN_VERDICTS: &str = include_str!("../../../../../models/pnml/formulas.tsv");

/// The net, the examination and the text of one of Kinfold's own property files.
macro_rules! own_formulas {
    ($net:literal, $examination:literal) => {
        (
            $net,
            $examination,
            include_str!(concat!("../../../../../models/pnml/", $net, "/", $examination, ".xml")),
        )
    };
}

const OWN_FORMULAS: &[(&str, &str, &str)] = &[
    own_formulas!("philosophers", "UpperBounds"),
    own_formulas!("philosophers", "ReachabilityCardinality"),
    own_formulas!("philosophers", "ReachabilityFireability"),
    own_formulas!("philosophers", "CTLCardinality"),
    own_formulas!("philosophers", "CTLFireability"),
    own_formulas!("philosophers", "LTLCardinality"),
    own_formulas!("philosophers", "LTLFireability"),
];

/// What a net is expected to have: states, transitions, most tokens in a marking and in a place.
struct Row<'t> {
    kind: &'t str,
    name: &'t str,
    values: [&'t str; 4],
}

/// The rows of a table; the first line names the columns.
fn rows<'t>(table: &'t str, file: &str) -> Result<Vec<Row<'t>>, Failure> {
    let row = |(i, line): (usize, &'t str)| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [kind, name, values @ ..] = &cells[..] else {
            return Err(Failure::system(format!("{file}, line {}: too few columns", i + 1)));
        };
        let values = values.try_into().map_err(|_| {
            Failure::system(format!("{file}, line {}: there should be six columns", i + 1))
        })?;
        Ok(Row { kind, name, values })
    };
    let lines = table.lines().enumerate().skip(1);
    lines.filter(|(_, line)| !line.trim().is_empty()).map(row).collect()
}

/// What gives what an examination of a net asks.
type Asking<'a> = &'a dyn Fn(&Arc<Net>, &str) -> Result<Asked, Failure>;

/// What came of the tests.
#[derive(Default)]
struct Tally {
    right: usize,
    unfinished: usize,
    wrong: usize,
    formulas: Counts,
}

impl Tally {
    /// Examines a net and its formulas, and prints about it.
    fn examine(
        &mut self,
        args: &MccArgs,
        row: &Row,
        net: Result<Arc<Net>, Failure>,
        verdicts: &Verdicts<'_>,
        asked: Asking<'_>,
    ) -> Result<(), Failure> {
        let time = args.time.unwrap_or(if args.all { TIME_FOR_ALL } else { TIME });
        let memory = args.memory.unwrap_or(MEMORY);
        let limits = Limits { time: Some(time), memory: Some(memory), steps: None };
        let began = Instant::now();
        let net = net?;
        let budget = progress::begin(limits);
        let plan = Plan { budget, threads: args.threads(), ..Plan::default() };
        let found = state_space(&net, plan, args)?;
        let line =
            |began: Instant| format!("{:<38} {:>7.2} s  ", row.name, began.elapsed().as_secs_f64());
        let mut text = line(began);
        match found.as_ref().map(StateSpace::values) {
            None => {
                self.unfinished += 1;
                text += "not finished";
            }
            Some(values) if values == row.values => {
                self.right += 1;
                write!(text, "{} states", values[0]).expect("strings do not fail");
            }
            Some(values) => {
                self.wrong += 1;
                let (found, expected) = (values.join(" "), row.values.join(" "));
                write!(text, "WRONG: {found}, not {expected}").expect("strings do not fail");
            }
        }
        text.push('\n');
        Output::stdout().write(text)?;
        if (found.is_some() || args.all) && verdicts.know(row.name) {
            let began = Instant::now();
            let asked = &|examination: &str| asked(&net, examination);
            let said = self.formulas.examine(args, limits, row.name, &net, verdicts, asked)?;
            Output::stdout().write(line(began) + &said)?;
        }
        Ok(())
    }
}

pub fn run(args: &MccArgs) -> Result<Exit, Failure> {
    let mut tally = Tally::default();
    let verdicts = Verdicts::read(OWN_VERDICTS, "the table of Kinfold's own formulas")?;
    for row in rows(OWN_TABLE, "the table of Kinfold's own nets")? {
        let text = OWN.iter().find(|(name, _)| *name == row.name).map(|(_, text)| *text);
        let text = text.expect("every row has its net");
        let asked = &|net: &Arc<Net>, examination: &str| {
            let is_meant = |own: &&(&str, &str, &str)| own.0 == row.name && own.1 == examination;
            formulas::asked_with(net, examination, &|| {
                let (.., text) =
                    OWN_FORMULAS.iter().find(is_meant).expect("every file is among them");
                Ok((text.as_bytes().to_vec(), examination.to_owned()))
            })
        };
        tally.examine(args, &row, load::pnml_text(text, row.name), &verdicts, asked)?;
    }
    if let Some(collection) = collection(args)? {
        let read = |file: &str| {
            let file = collection.join(file);
            let name = file.display().to_string();
            match fs::read_to_string(&file) {
                Ok(table) => Ok((table, name)),
                Err(error) => Err(Failure::system(format!("cannot read {name}: {error}"))),
            }
        };
        let (table, name) = read("statespace.tsv")?;
        let (of_formulas, name_of_formulas) = read("formulas.tsv")?;
        let verdicts = Verdicts::read(&of_formulas, &name_of_formulas)?;
        for row in rows(&table, &name)? {
            let directory = collection.join(row.kind).join(row.name);
            let asked =
                &|net: &Arc<Net>, examination: &str| formulas::asked(net, &directory, examination);
            tally.examine(args, &row, instance(&directory), &verdicts, asked)?;
        }
    }
    let Tally { right, unfinished, wrong, formulas } = tally;
    let of_formulas = formulas.total();
    let (right, unfinished, wrong) =
        (right + of_formulas.right, unfinished + of_formulas.unanswered, wrong + of_formulas.wrong);
    let summary = format!("{right} right, {unfinished} not finished, {wrong} wrong\n");
    Output::stdout().write(formulas.table() + &summary)?;
    Ok(if wrong == 0 { Exit::Done } else { Exit::Internal })
}

/// The collection given, or the one that lies beside the project, if there is one.
fn collection(args: &MccArgs) -> Result<Option<PathBuf>, Failure> {
    match &args.directory {
        Some(directory) if !directory.join("statespace.tsv").is_file() => {
            let name = directory.display();
            Err(Failure::usage(format!("{name} is no collection: it has no statespace.tsv")))
        }
        Some(directory) => Ok(Some(directory.clone())),
        None => Ok(Some(Path::new(BESIDE).to_owned()).filter(|path| path.is_dir())),
    }
}
