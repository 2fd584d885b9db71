//! What was found so far, while a text is read.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::report::Report;
use crate::span::{Span, position};

/// What was found so far. Only the first [`Diagnostics::KEPT`] errors are kept, and as many warnings, so
/// that a long file of nonsense costs no more than its length; the others are counted.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    kinds: HashMap<String, (Reported, Vec<String>)>,
}

/// Something that was reported, so that what repeats it can be added there.
#[derive(Clone, Copy, Debug)]
pub struct Reported(Option<usize>);

impl Diagnostics {
    /// At most this many errors are kept, and as many warnings.
    pub const KEPT: usize = 50;
    /// No mistake points at more places than this.
    const LABELS: usize = 6;
    /// No message lists more names than this.
    const NAMES: usize = 8;

    /// Adds a mistake.
    pub fn push(&mut self, diagnostic: Diagnostic) -> Reported {
        let found = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *found += 1;
        if *found > Diagnostics::KEPT {
            return Reported(None);
        }
        self.list.push(diagnostic);
        Reported(Some(self.list.len() - 1))
    }

    /// Adds an error whose words are put together only if it is kept.
    pub fn report(&mut self, error: impl FnOnce() -> Diagnostic) {
        if self.errors < Diagnostics::KEPT {
            self.push(error());
        } else {
            self.errors += 1;
        }
    }

    /// Adds one of a kind: the first is kept with its place, the others are counted with it.
    pub fn report_kind(&mut self, kind: String, diagnostic: impl FnOnce() -> Diagnostic) {
        self.report_named(kind, "", diagnostic);
    }

    /// Adds one of a kind; the message ends with the names of those that have one.
    pub fn report_named(
        &mut self,
        kind: String,
        name: &str,
        diagnostic: impl FnOnce() -> Diagnostic,
    ) {
        let (ticket, names) = match self.kinds.get_mut(&kind) {
            Some(known) => known,
            None => {
                let new = (self.push(Diagnostic { times: 0, ..diagnostic() }), Vec::new());
                self.kinds.entry(kind).or_insert(new)
            }
        };
        if let Some(index) = ticket.0 {
            self.list[index].times += 1;
        }
        if !name.is_empty() && names.len() <= Diagnostics::NAMES && names.iter().all(|n| n != name)
        {
            names.push(name.to_owned());
        }
    }

    /// The same mistake was made once more, here.
    pub fn again(&mut self, ticket: Reported, span: Span) {
        if let Some(diagnostic) = ticket.0.map(|index| &mut self.list[index])
            && diagnostic.labels.len() < Diagnostics::LABELS
        {
            let text = "also here".into();
            diagnostic.labels.push(Label { span: span.range(), text, primary: true });
        }
    }

    /// Adds what was found elsewhere.
    pub fn extend(&mut self, other: Diagnostics) {
        let kept = |severity| other.list.iter().filter(|found| found.severity == severity).count();
        self.errors += other.errors - kept(Severity::Error);
        self.warnings += other.warnings - kept(Severity::Warning);
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }

    /// Whether an error was found.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many were reported, kept or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.errors + self.warnings
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of them, in the order of the text; it says which lines they are in.
    #[must_use]
    pub fn finish(mut self, text: &str) -> Report {
        for (ticket, names) in self.kinds.into_values() {
            if let Some(index) = ticket.0.filter(|_| !names.is_empty()) {
                let list = names.iter().take(Diagnostics::NAMES).map(|name| format!("`{name}`"));
                let more = if names.len() > Diagnostics::NAMES { ", …" } else { "" };
                let list: Vec<String> = list.collect();
                self.list[index].message.push_str(&format!(": {}{more}", list.join(", ")));
            }
        }
        let mut list = self.list;
        // What was added to the text is not shown.
        for diagnostic in &mut list {
            diagnostic.labels.retain(|label| label.span.end <= text.len());
        }
        list.sort_by_key(Diagnostic::place);
        for diagnostic in &mut list {
            if let Some((start, _)) = diagnostic.place() {
                (diagnostic.line, diagnostic.column) = position(text, start);
            }
        }
        Report::new(list, self.errors, self.warnings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(at: usize) -> Diagnostic {
        Diagnostic::error("E1", "wrong").at(Span::new(at..at + 1), "")
    }

    #[test]
    fn a_flood_is_counted_and_warnings_do_not_crowd_out_errors() {
        let mut found = Diagnostics::default();
        for at in 0..Diagnostics::KEPT + 7 {
            found.push(Diagnostic::warning("W1", "odd").at(Span::new(at..at + 1), ""));
        }
        assert!(!found.has_errors());
        found.report(|| error(3));
        let mut other = Diagnostics::default();
        other.push(error(2));
        found.extend(other);
        let report = found.finish(&"x".repeat(100));
        assert_eq!(
            (report.errors(), report.warnings(), report.more()),
            (2, Diagnostics::KEPT + 7, 7)
        );
        let mistakes = report.iter().filter(|found| found.severity == Severity::Error);
        assert_eq!(mistakes.map(|found| found.column).collect::<Vec<_>>(), [3, 4]);
    }

    #[test]
    fn what_is_of_one_kind_is_shown_once_and_counted() {
        let mut found = Diagnostics::default();
        for at in 0..9455 {
            let warning = || Diagnostic::warning("W1", "odd").at(Span::new(at..at + 1), "");
            let name = format!("a{}", at % 20);
            found.report_named(
                format!("{}", at % 2),
                if at % 2 == 0 { &name } else { "" },
                warning,
            );
        }
        let report = found.finish(&"x".repeat(9500));
        let times: Vec<usize> = report.iter().map(|found| found.times).collect();
        assert_eq!(times, [4728, 4727]);
        assert_eq!((report.warnings(), report.more()), (2, 0));
        let messages: Vec<&str> = report.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(messages, ["odd: `a0`, `a2`, `a4`, `a6`, `a8`, `a10`, `a12`, `a14`, …", "odd"]);
        assert!(report.render("f", "xy", false).contains("found 4728 times; this is the first"));
    }
}
