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
use crate::command::table::table;
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
        for [instance, examination, id, verdict] in super::rows(table, file)? {
            rows.entry((instance, examination)).or_default().push((id, verdict));
        }
        Ok(Self { rows })
    }

    /// Whether there are verdicts of an instance.
    pub fn know(&self, instance: &str) -> bool {
        self.rows.keys().any(|(name, _)| *name == instance)
    }

    /// Whether there are verdicts of an examination of an instance.
    pub fn know_of(&self, instance: &str, examination: &str) -> bool {
        self.rows.contains_key(&(instance, examination))
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

impl Count {
    pub fn plus(self, other: &Count) -> Count {
        Count {
            right: self.right + other.right,
            unanswered: self.unanswered + other.unanswered,
            wrong: self.wrong + other.wrong,
        }
    }
}

/// How many were found of each examination.
#[derive(Default)]
pub struct Counts([Count; EXAMINATIONS.len()]);

impl Counts {
    /// All together.
    pub fn total(&self) -> Count {
        self.0.iter().fold(Count::default(), Count::plus)
    }

    /// A line for each examination, with that of state spaces.
    pub fn table(&self, state_spaces: &Count) -> String {
        let heads = ["examination", "right", "unanswered", "wrong"].map(str::to_owned);
        let row = |(name, count): (&&str, &Count)| {
            let Count { right, unanswered, wrong } = count;
            [(*name).to_owned(), right.to_string(), unanswered.to_string(), wrong.to_string()]
        };
        let formulas = EXAMINATIONS.iter().zip(&self.0);
        let rows = [(&super::STATE_SPACE, state_spaces)].into_iter().chain(formulas).map(row);
        table(&[heads].into_iter().chain(rows).collect::<Vec<_>>(), 1)
    }

    /// Examines all formulas of an instance, where `asked` gives those of an examination, unless it is left out; what
    /// there is to be said of them.
    pub fn examine(
        &mut self,
        args: &MccArgs,
        limits: Limits,
        instance: &str,
        net: &Arc<Net>,
        verdicts: &Verdicts<'_>,
        asked: &dyn Fn(&str) -> Result<Option<Asked>, Failure>,
    ) -> Result<String, Failure> {
        let mut said = String::new();
        let mut of_instance = Count::default();
        for (examination, count) in EXAMINATIONS.iter().zip(&mut self.0) {
            if !verdicts.know_of(instance, examination) {
                continue;
            }
            let Some(asked) = asked(examination)? else { continue };
            let mut expected = verdicts.expected(instance, examination, &asked.ids);
            let all = expected.len();
            let mut wrong = 0;
            let checking = checking(&progress::begin(limits), args)?;
            formulas::verdicts(net, &asked, &checking, &mut |id, verdict, _| {
                if let Some(right) = expected.remove(id).filter(|right| *right != verdict) {
                    wrong += 1;
                    writeln!(said, "    WRONG: {id} {verdict}, not {right}")
                        .expect("strings do not fail");
                }
            })?;
            let unanswered = expected.len();
            if unanswered > 0 {
                writeln!(said, "    {examination}: {unanswered} not answered")
                    .expect("strings do not fail");
            }
            let found = Count { right: all - unanswered - wrong, unanswered, wrong };
            *count = count.plus(&found);
            of_instance = of_instance.plus(&found);
        }
        let Count { right, unanswered, wrong, .. } = of_instance;
        let all = right + unanswered + wrong;
        Ok(format!("{right} of {all} verdicts\n{said}"))
    }
}
