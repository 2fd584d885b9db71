//! Examinations of coloured nets, drawn at random: how much is answered of what nobody has chosen.

use std::collections::HashSet;

use random::Random;

use super::super::formulas::EXAMINATIONS;
use super::verdicts::Verdicts;
use super::{Row, STATE_SPACE};

/// What was drawn: instances and examinations.
pub struct Drawn(HashSet<(String, &'static str)>);

impl Drawn {
    /// Draws so many of the examinations of coloured nets whose outcome is known, none twice.
    pub fn of(rows: &[Row<'_>], verdicts: &Verdicts<'_>, count: usize, seed: u64) -> Drawn {
        let coloured = rows.iter().filter(|[kind, ..]| *kind == "col");
        let mut all: Vec<(String, &'static str)> = Vec::new();
        for [_, name, ..] in coloured {
            let known = EXAMINATIONS.iter().filter(|other| verdicts.know_of(name, other));
            all.extend([&STATE_SPACE].into_iter().chain(known).map(|e| ((*name).to_owned(), *e)));
        }
        Random::new(seed).shuffle(&mut all);
        all.truncate(count);
        Drawn(all.into_iter().collect())
    }

    /// Whether an examination of an instance was drawn.
    pub fn has(&self, instance: &str, examination: &str) -> bool {
        self.0.iter().any(|(name, other)| name == instance && *other == examination)
    }

    /// Whether an examination of an instance was drawn, whichever.
    pub fn has_some_of(&self, instance: &str) -> bool {
        self.0.iter().any(|(name, _)| name == instance)
    }
}
