//! Outcomes as JUnit XML, which continuous integration understands: a test case for each property.

use std::fmt::Write;

use draw::xml::{Attribute, Text};
use kinfold::Verdict;

use super::evidence;
use super::report::{Report, remark, word};

pub(super) fn junit(report: &Report) -> String {
    let model = Attribute(&report.net.name);
    let count = |wanted: &str| report.outcomes.iter().filter(|o| word(o) == wanted).count();
    let open = count("unknown") + count("refused");
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut line = |line: String| writeln!(xml, "{line}").expect("strings can be written to");
    line(format!(
        "<testsuite name=\"{model}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{open}\" time=\"{:.3}\">",
        report.outcomes.len(),
        count("fails"),
        report.seconds,
    ));
    for outcome in report.outcomes {
        let name = Attribute(&outcome.name);
        line(format!("  <testcase classname=\"{model}\" name=\"{name}\">"));
        let says = Attribute(&outcome.text);
        match &outcome.verdict {
            Verdict::Holds { .. } => {
                if let Some(remark) = remark(outcome) {
                    line(format!("    <system-out>{}</system-out>", Text(&remark)));
                }
            }
            Verdict::Fails(_) => {
                let run = evidence(outcome).map(|evidence| evidence.trace.text(report.net));
                let run = run.unwrap_or_default();
                let run = Text(run.trim_end());
                line(format!("    <failure message=\"{says}\">{run}</failure>"));
            }
            _ => {
                let why = remark(outcome).unwrap_or_default();
                line(format!("    <skipped message=\"{}: {}\"/>", word(outcome), Attribute(&why)));
            }
        }
        line("  </testcase>".into());
    }
    line("</testsuite>".into());
    xml
}
