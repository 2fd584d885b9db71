//! The verdicts of formulas that are agreed upon, and how many are found.
//!
//! The table `formulas.tsv` has a line for each: instance, examination, identifier, verdict.
//!
//! Where a file has formulas of several years, its identifiers are not sorted, and the verdicts of such files
//! are taken to be in the order of the *sorted* identifiers: read as they stand they are refuted, also by
//! formulas that the initial marking decides (`6 <= Pm4` on some path for ever, where `Pm4` is empty at
//! first). That this is the order is inferred, not documented. So what is compared in this way is counted
//! apart and said, with the number of answers that contradict the lines as they stand.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use budget::Limits;
use net::Net;

use super::super::formulas::{self, Asked, EXAMINATIONS};
use super::super::{MccArgs, inquiry};
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

    /// The verdicts of an examination, by identifier, and those that stand beside the identifiers. `ids` are
    /// those of the file.
    fn expected<'a>(
        &self,
        instance: &str,
        examination: &str,
        ids: &'a [String],
    ) -> [HashMap<&'a str, &'t str>; 2] {
        let rows = self.rows.get(&(instance, examination)).map_or(&[][..], Vec::as_slice);
        let beside: HashMap<&str, &str> = rows.iter().copied().collect();
        let in_file = || ids.iter().map(String::as_str);
        let mut sorted: Vec<&str> = in_file().collect();
        sorted.sort_unstable();
        let verdict = |(id, meant)| beside.get(id).map(|verdict| (meant, *verdict));
        let paired = in_file().zip(sorted).filter_map(verdict).collect();
        [paired, in_file().zip(in_file()).filter_map(verdict).collect()]
    }
}

/// How many verdicts of an examination were found.
#[derive(Clone, Copy, Default)]
pub struct Count {
    pub right: usize,
    pub unanswered: usize,
    pub wrong: usize,
    /// Of those answered, how many were compared with the verdict of another line.
    pub paired: usize,
    /// Of those, how many answers contradict the line as it stands.
    pub contradicted: usize,
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
            paired: a.paired + b.paired,
            contradicted: a.contradicted + b.contradicted,
        };
        self.0.iter().fold(Count::default(), add)
    }

    /// A line for each examination.
    pub fn table(&self) -> String {
        let mut table =
            format!("{:<24} {:>7} {:>10} {:>7}\n", "examination", "right", "unanswered", "wrong");
        for (name, Count { right, unanswered, wrong, .. }) in EXAMINATIONS.iter().zip(&self.0) {
            writeln!(table, "{name:<24} {right:>7} {unanswered:>10} {wrong:>7}")
                .expect("strings do not fail");
        }
        let Count { paired, contradicted, .. } = self.total();
        if paired > 0 {
            writeln!(
                table,
                "{paired} of these are in files with identifiers of several years, whose verdicts are taken \
                 in the order of the sorted identifiers;\n\
                 with the lines as they stand, {contradicted} of our answers disagree"
            )
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
            let [mut expected, beside] = verdicts.expected(instance, examination, &asked.ids);
            let is_paired = !asked.ids.is_sorted();
            let (mut paired, mut contradicted) = (0, 0);
            let mut wrong = 0;
            let mut found = expected.len();
            formulas::verdicts(
                net,
                &asked,
                inquiry(&progress::begin(limits), args)?,
                &mut |id, verdict, _| {
                    if is_paired && expected.contains_key(id) {
                        paired += 1;
                        contradicted +=
                            usize::from(beside.get(id).is_some_and(|line| *line != verdict));
                    }
                    match expected.remove(id) {
                        Some(right) if right != verdict => {
                            wrong += 1;
                            writeln!(said, "    WRONG: {id} {verdict}, not {right}")
                                .expect("strings do not fail");
                        }
                        _ => {}
                    }
                },
            )?;
            found -= expected.len() + wrong;
            if !expected.is_empty() {
                writeln!(said, "    {examination}: {} not answered", expected.len())
                    .expect("strings do not fail");
            }
            for count in [count, &mut of_instance] {
                count.right += found;
                count.wrong += wrong;
                count.unanswered += expected.len();
                count.paired += paired;
                count.contradicted += contradicted;
            }
        }
        let Count { right, unanswered, wrong, .. } = of_instance;
        let all = right + unanswered + wrong;
        Ok(format!("{right} of {all} verdicts\n{said}"))
    }
}
