//! The verdicts of formulas that are agreed upon, and how many are found.
//!
//! The table `formulas.tsv` has a line for each: instance, examination, identifier, verdict.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use budget::Limits;
use net::Net;

use super::super::formulas::{self, Asked, EXAMINATIONS};
use super::super::{MccArgs, checking};
use crate::command::{Failure, progress};

/// A table of verdicts.
pub struct Verdicts<'t> {
    /// By instance and examination: the identifiers, and the verdicts beside them.
    rows: HashMap<(&'t str, &'t str), Vec<(&'t str, &'t str)>>,
}

impl<'t> Verdicts<'t> {
    /// Reads a table; the first line names the columns.
    pub fn read(table: &'t str, file: &str) -> Result<Self, Failure> {
        let mut rows: HashMap<_, Vec<_>> = HashMap::new();
        for (i, line) in table.lines().enumerate().skip(1) {
            if line.trim().is_empty() {
                continue;
            }
            let cells: Vec<&str> = line.split('\t').collect();
            let [instance, examination, id, verdict] = cells[..] else {
                let message = format!("{file}, line {}: there should be four columns", i + 1);
                return Err(Failure::system(message));
            };
            rows.entry((instance, examination)).or_default().push((id, verdict));
        }
        Ok(Self { rows })
    }

    /// Whether there are verdicts of an instance.
    pub fn know(&self, instance: &str) -> bool {
        self.rows.keys().any(|(name, _)| *name == instance)
    }

    /// The verdicts of an examination, by identifier, of those that are in the file.
    fn expected<'a>(
        &self,
        instance: &str,
        examination: &str,
        ids: &'a [String],
    ) -> HashMap<&'a str, &'t str> {
        let rows = self.rows.get(&(instance, examination)).map_or(&[][..], Vec::as_slice);
        let verdicts: HashMap<&str, &str> = rows.iter().copied().collect();
        let verdict = |id: &'a String| Some((id.as_str(), *verdicts.get(id.as_str())?));
        ids.iter().filter_map(verdict).collect()
    }
}

/// How many verdicts of an examination were found.
#[derive(Clone, Copy, Default)]
pub struct Count {
    pub right: usize,
    pub unanswered: usize,
    pub wrong: usize,
}

/// How many were found of each examination.
#[derive(Default)]
pub struct Counts([Count; EXAMINATIONS.len()]);

impl Counts {
    /// All together.
    pub fn total(&self) -> Count {
        let add = |a: Count, b: &Count| Count {
            right: a.right + b.right,
            unanswered: a.unanswered + b.unanswered,
            wrong: a.wrong + b.wrong,
        };
        self.0.iter().fold(Count::default(), add)
    }

    /// A line for each examination.
    pub fn table(&self) -> String {
        let mut table =
            format!("{:<24} {:>7} {:>10} {:>7}\n", "examination", "right", "unanswered", "wrong");
        for (name, Count { right, unanswered, wrong }) in EXAMINATIONS.iter().zip(&self.0) {
            writeln!(table, "{name:<24} {right:>7} {unanswered:>10} {wrong:>7}")
                .expect("strings do not fail");
        }
        table
    }

    /// Examines all formulas of an instance, where `asked` gives those of an examination; what there is to be
    /// said of them.
    pub fn examine(
        &mut self,
        args: &MccArgs,
        limits: Limits,
        instance: &str,
        net: &Arc<Net>,
        verdicts: &Verdicts<'_>,
        asked: &dyn Fn(&str) -> Result<Asked, Failure>,
    ) -> Result<String, Failure> {
        let mut said = String::new();
        let mut of_instance = Count::default();
        for (examination, count) in EXAMINATIONS.iter().zip(&mut self.0) {
            if !verdicts.rows.contains_key(&(instance, *examination)) {
                continue;
            }
            let asked = asked(examination)?;
            let mut expected = verdicts.expected(instance, examination, &asked.ids);
            let mut wrong = 0;
            let mut found = expected.len();
            let checking = checking(&progress::begin(limits), args)?;
            formulas::verdicts(net, &asked, &checking, &mut |id, verdict, _| match expected
                .remove(id)
            {
                Some(right) if right != verdict => {
                    wrong += 1;
                    writeln!(said, "    WRONG: {id} {verdict}, not {right}")
                        .expect("strings do not fail");
                }
                _ => {}
            })?;
            found -= expected.len() + wrong;
            if !expected.is_empty() {
                writeln!(said, "    {examination}: {} not answered", expected.len())
                    .expect("strings do not fail");
            }
            for count in [count, &mut of_instance] {
                count.right += found;
                count.wrong += wrong;
                count.unanswered += expected.len();
            }
        }
        let Count { right, unanswered, wrong, .. } = of_instance;
        let all = right + unanswered + wrong;
        Ok(format!("{right} of {all} verdicts\n{said}"))
    }
}
