//! Prints what is found of a model for people, each verdict with its run as soon as it is known.
//!
//! Nothing is printed twice: what is said in the end counts what was said before.

use kinfold::{Found, Outcome, Verdict};

use super::Failure;
use super::report::{Assertion, Report, evidence, fault_text};
use crate::command::output::Output;

/// The runs that are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// None.
    None,
    /// Those that show that something fails.
    OfFailures,
    /// Those that show that something is reachable, too.
    All,
}

/// What was printed so far.
pub(super) struct Printer {
    /// None where people read something else.
    out: Option<Output>,
    title: String,
    runs: Runs,
    /// The width of the widest name.
    width: usize,
    has_begun: bool,
    /// Whether the last line is empty.
    is_apart: bool,
    /// The runs that were printed, each with whose it is.
    printed: Vec<(String, String)>,
    trouble: Option<Failure>,
}

impl Printer {
    pub(super) fn new(out: Option<Output>, title: String, runs: Runs, width: usize) -> Printer {
        Printer {
            out,
            title,
            runs,
            width,
            has_begun: false,
            is_apart: true,
            printed: Vec::new(),
            trouble: None,
        }
    }

    /// Prints what was found.
    pub(super) fn found(&mut self, report: &Report, found: Found<'_>) {
        match found {
            Found::Outcome(_, outcome) => {
                let run = self.run_of(report, outcome);
                self.print(report, report.verdict(outcome, self.width), run);
            }
            Found::Fault(fault) => match Assertion::of(fault, &report.net) {
                Some(assertion) => {
                    let run = (self.runs != Runs::None).then(|| run_to(&assertion, report));
                    self.print(report, report.asserted(&assertion, self.width), run);
                }
                None => Failure::model(fault_text(&report.net, fault)).print(),
            },
        }
    }

    /// Prints what is to be said in the end.
    ///
    /// # Errors
    ///
    /// If something could not be written.
    pub(super) fn end(mut self, report: &Report) -> Result<(), Failure> {
        let apart = if self.is_apart { "" } else { "\n" };
        self.print(report, format!("{apart}{}", report.footer()), None);
        self.trouble.map_or(Ok(()), Err)
    }

    fn print(&mut self, report: &Report, lines: String, run: Option<String>) {
        let Some(out) = &self.out else { return };
        let header = if self.has_begun { String::new() } else { report.header(&self.title) };
        self.has_begun = true;
        self.is_apart = run.is_some();
        let run = run.map_or(String::new(), |run| format!("\n{}\n\n", run.trim_end()));
        let written = out.write(format!("{header}{lines}{run}"));
        self.trouble = self.trouble.take().or(written.err());
    }

    /// The run of an outcome, if it is printed.
    fn run_of(&mut self, report: &Report, outcome: &Outcome) -> Option<String> {
        let is_shown = match self.runs {
            Runs::None => false,
            Runs::OfFailures => !matches!(outcome.verdict, Verdict::Holds { .. }),
            Runs::All => true,
        };
        let evidence = evidence(outcome).filter(|_| is_shown)?;
        let name = &outcome.name;
        let mut text = match &outcome.verdict {
            Verdict::Fails(_) => format!("`{name}` fails:\n"),
            Verdict::Depends { .. } => format!(
                "`{name}` depends on data that is not kept: this run is possible only if tests on it give what is shown, and proves nothing:\n"
            ),
            _ => format!("`{name}` holds, as this run shows:\n"),
        };
        if let Some((variable, thread)) = &evidence.followed {
            text += &format!("{variable} is thread {thread}\n");
        }
        let run = evidence.trace.text(&report.net);
        match self.printed.iter().find(|(_, other)| *other == run) {
            Some((name, _)) => text += &format!("the same run as for `{name}`"),
            None => {
                text += &run;
                self.printed.push((name.clone(), run));
            }
        }
        Some(text)
    }
}

/// The run to an assertion that fails.
fn run_to(assertion: &Assertion, report: &Report) -> String {
    let fails = match &assertion.tested {
        Some(tested) => format!("fails, if {tested} gives what is shown"),
        None => "fails".into(),
    };
    let run = assertion.trace.as_ref().map(|trace| trace.text(&report.net));
    format!("{} {fails}: {}\n{}", Assertion::NAME, assertion.message, run.unwrap_or_default())
}
