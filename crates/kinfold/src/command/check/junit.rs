//! Outcomes as JUnit XML, which continuous integration understands: a test suite for each model, a test
//! case for each property.

use std::fmt::Write;

use draw::xml::{Attribute, Text};
use kinfold::Verdict;

use super::report::{Assertion, Report, evidence, remark};
use super::{Checked, Failure};

/// The report on one model, or on several.
pub(super) fn junit(all: &[Checked], several: bool) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let suites: String = all.iter().map(|checked| suite(checked, several)).collect();
    match several {
        true => writeln!(xml, "<testsuites name=\"kinfold\">\n{suites}</testsuites>"),
        false => write!(xml, "{suites}"),
    }
    .expect("strings can be written to");
    xml
}

fn suite(checked: &Checked, several: bool) -> String {
    match &checked.result {
        Ok(report) => {
            let name =
                if several { checked.job.title(&report.net) } else { report.net.name.clone() };
            found(report, Attribute(&name))
        }
        Err(failure) => error(Attribute(&checked.job.file()), failure),
    }
}

fn error(name: Attribute, failure: &Failure) -> String {
    let case = broken(&name, &failure.message);
    format!(
        "<testsuite name=\"{name}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n\
         {case}</testsuite>\n"
    )
}

/// What is wrong with a model itself, whatever is asked of it.
fn broken(suite: &Attribute, message: &str) -> String {
    let first = Attribute(message.lines().next().unwrap_or_default());
    let text = Text(message.trim_end());
    format!(
        "  <testcase classname=\"{suite}\" name=\"model\">\n    \
         <error message=\"{first}\">{text}</error>\n  </testcase>\n"
    )
}

fn found(report: &Report, suite: Attribute) -> String {
    let count =
        |wanted: &str| report.found.outcomes.iter().filter(|o| o.verdict.word() == wanted).count();
    let tested = |assertion: &&Assertion| assertion.tested.is_some();
    let doubtful = usize::from(report.assertion.as_ref().is_some_and(|one| tested(&one)));
    let open = count("unknown") + count("refused") + doubtful;
    let fault = report.fault();
    let errors = usize::from(fault.is_some());
    let asserted = usize::from(report.assertion.is_some());
    let mut xml = String::new();
    let mut line = |line: String| writeln!(xml, "{line}").expect("strings can be written to");
    line(format!(
        "<testsuite name=\"{suite}\" tests=\"{}\" failures=\"{}\" errors=\"{errors}\" skipped=\"{open}\" time=\"{:.3}\">",
        report.found.outcomes.len() + asserted + errors,
        count("fails") + asserted - doubtful,
        report.seconds,
    ));
    for outcome in &report.found.outcomes {
        let name = Attribute(&outcome.name);
        line(format!("  <testcase classname=\"{suite}\" name=\"{name}\">"));
        let says = Attribute(&outcome.text);
        match &outcome.verdict {
            Verdict::Holds { .. } => {
                if let Some(remark) = remark(&report.net, outcome) {
                    line(format!("    <system-out>{}</system-out>", Text(&remark)));
                }
            }
            Verdict::Fails(_) => {
                let run = evidence(outcome).map(|evidence| evidence.trace.text(&report.net));
                let run = run.unwrap_or_default();
                let run = Text(run.trim_end());
                line(format!("    <failure message=\"{says}\">{run}</failure>"));
            }
            _ => {
                let why = remark(&report.net, outcome).unwrap_or_default();
                line(format!(
                    "    <skipped message=\"{}: {}\"/>",
                    outcome.verdict.word(),
                    Attribute(&why)
                ));
            }
        }
        line("  </testcase>".into());
    }
    if let Some(assertion) = &report.assertion {
        let (name, says) = (Assertion::NAME, Attribute(&assertion.message));
        let run = assertion.trace.as_ref().map(|trace| trace.text(&report.net));
        let run = run.unwrap_or_default();
        let run = Text(run.trim_end());
        line(format!("  <testcase classname=\"{suite}\" name=\"{name}\">"));
        line(match &assertion.tested {
            None => format!("    <failure message=\"{says}\">{run}</failure>"),
            Some(tested) => format!(
                "    <skipped message=\"unknown: {says}: depends on {}, of which nothing is kept\"/>",
                Attribute(tested)
            ),
        });
        line("  </testcase>".into());
    }
    if let Some(fault) = &fault {
        line(broken(&suite, fault).trim_end().to_owned());
    }
    line("</testsuite>".into());
    xml
}
