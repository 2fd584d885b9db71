//! `kinfold mcc --self-test`: Kinfold's own nets, and a collection of the contest's, with the verdicts that
//! are agreed upon.
//!
//! A collection has the tables `statespace.tsv` and `formulas.tsv`, and the instances below `col` and `pt`. A
//! wrong value is a fault of Kinfold; one that is not reached within the limits is not. Formulas are
//! asked of the nets whose states are counted within the time, and with `--all` of all. With `--draw`, some examinations
//! of coloured nets are drawn, and nothing else is examined.

mod drawn;
mod verdicts;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use budget::{Budget, Limits};
use net::Net;

use super::formulas::{self, Asked};
use super::{MccArgs, instance, plan, state_space};
use crate::command::output::Output;
use crate::command::{Exit, Failure, load, progress};
use drawn::Drawn;
use verdicts::{Count, Counts, Verdicts};

/// Where a collection is looked for when none is given.
const BESIDE: &str = "../shared/mcc";
/// What each net may take, and with `--all`.
const TIME: Duration = Duration::from_secs(2);
const TIME_FOR_ALL: Duration = Duration::from_secs(60);
const TIME_FOR_DRAWN: Duration = Duration::from_secs(10);
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
/// The examination that is none of formulas.
const STATE_SPACE: &str = "StateSpace";
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

/// The rows of a table, with as many cells each as it has columns; the first line names these.
fn rows<'t, const N: usize>(table: &'t str, file: &str) -> Result<Vec<[&'t str; N]>, Failure> {
    let row = |(i, line): (usize, &'t str)| {
        let cells: Vec<&str> = line.split('\t').collect();
        cells.try_into().map_err(|_| {
            Failure::system(format!("{file}, line {}: there should be {N} columns", i + 1))
        })
    };
    let lines = table.lines().enumerate().skip(1);
    lines.filter(|(_, line)| !line.trim().is_empty()).map(row).collect()
}

/// What a net is expected to have: its kind, its name, and the values of its state space.
type Row<'t> = [&'t str; 6];

/// What gives what an examination of a net asks.
type Asking<'a> = &'a dyn Fn(&Arc<Net>, &str) -> Result<Asked, Failure>;

/// What came of the tests.
#[derive(Default)]
struct Tally {
    /// Those that are examined, if not all.
    drawn: Option<Drawn>,
    state_spaces: Count,
    formulas: Counts,
}

impl Tally {
    /// Examines a net and its formulas, and prints about it.
    fn examine(
        &mut self,
        args: &MccArgs,
        [_, name, expected @ ..]: Row<'_>,
        net: Result<Arc<Net>, Failure>,
        verdicts: &Verdicts<'_>,
        asked: Asking<'_>,
    ) -> Result<(), Failure> {
        let Tally { drawn, state_spaces, formulas } = self;
        let wants =
            &|examination: &str| drawn.as_ref().is_none_or(|drawn| drawn.has(name, examination));
        let usual = match drawn {
            Some(_) => TIME_FOR_DRAWN,
            None if args.all => TIME_FOR_ALL,
            None => TIME,
        };
        let time = args.limits.time.unwrap_or(usual);
        let memory = args.limits.memory.unwrap_or(MEMORY);
        let limits = Limits { time: Some(time), memory: Some(memory), steps: None };
        let began = Instant::now();
        let net = net?;
        let line =
            |began: Instant| format!("{name:<38} {:>7.2} s  ", began.elapsed().as_secs_f64());
        let mut is_counted = false;
        if wants(STATE_SPACE) {
            let budget = progress::begin(limits);
            let found = state_space(&net, &plan(&budget, args)?, args)?;
            is_counted = found.is_some();
            let mut text = line(began);
            match found.map(|found| found.values) {
                None => {
                    state_spaces.unanswered += 1;
                    text += "not finished";
                }
                Some(values) if values == expected => {
                    state_spaces.right += 1;
                    write!(text, "{} states", values[0]).expect("strings do not fail");
                }
                Some(values) => {
                    state_spaces.wrong += 1;
                    let (found, expected) = (values.join(" "), expected.join(" "));
                    write!(text, "WRONG: {found}, not {expected}").expect("strings do not fail");
                }
            }
            text.push('\n');
            Output::Stdout.write(text)?;
        }
        if (is_counted || args.all || drawn.is_some()) && verdicts.know(name) {
            let began = Instant::now();
            let asked = &|examination: &str| match wants(examination) {
                true => asked(&net, examination).map(Some),
                false => Ok(None),
            };
            let said = formulas.examine(args, limits, name, &net, verdicts, asked)?;
            Output::Stdout.write(line(began) + &said)?;
        }
        Ok(())
    }
}

pub fn run(args: &MccArgs) -> Result<Exit, Failure> {
    let mut tally = Tally::default();
    let verdicts = Verdicts::read(OWN_VERDICTS, "the table of Kinfold's own formulas")?;
    let own = rows(OWN_TABLE, "the table of Kinfold's own nets")?;
    for row in own.into_iter().filter(|_| args.draw.is_none()) {
        let name = row[1];
        let text = OWN.iter().find(|own| own.0 == name).expect("every row has its net").1;
        let asked = &|net: &Arc<Net>, examination: &str| {
            let is_meant = |own: &&(&str, &str, &str)| own.0 == name && own.1 == examination;
            formulas::asked_with(net, examination, &Budget::unlimited(), &|| {
                let (.., text) =
                    OWN_FORMULAS.iter().find(is_meant).expect("every file is among them");
                Ok((text.as_bytes().to_vec(), examination.to_owned()))
            })
        };
        tally.examine(args, row, load::pnml_text(text, name), &verdicts, asked)?;
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
        let rows: Vec<Row<'_>> = rows(&table, &name)?;
        tally.drawn = args.draw.map(|count| Drawn::of(&rows, &verdicts, count, args.seed));
        let is_examined =
            |row: &Row<'_>| tally.drawn.as_ref().is_none_or(|drawn| drawn.has_some_of(row[1]));
        let rows: Vec<Row<'_>> = rows.into_iter().filter(is_examined).collect();
        for row in rows {
            let directory = collection.join(row[0]).join(row[1]);
            let asked = &|net: &Arc<Net>, examination: &str| {
                formulas::asked(net, &directory, examination, &Budget::unlimited())
            };
            tally.examine(args, row, instance(&directory), &verdicts, asked)?;
        }
    }
    let Count { right, unanswered, wrong } = tally.formulas.total().plus(&tally.state_spaces);
    let summary = format!("{right} right, {unanswered} not finished, {wrong} wrong\n");
    Output::Stdout.write(tally.formulas.table(&tally.state_spaces) + &summary)?;
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
