//! What became of several models, one line for each.

use indicatif::HumanCount;

use super::report::{Assertion, counted, fails};
use super::{Checked, Exit};

/// The verdict on a model in one word.
fn verdict(checked: &Checked) -> &'static str {
    match &checked.result {
        Err(failure) if failure.exit == Exit::Incomplete => "unknown",
        Err(_) => "error",
        Ok(report) => match report.exit() {
            Exit::Done => "holds",
            Exit::Incomplete => "unknown",
            Exit::ModelWrong => "error",
            _ => "FAILS",
        },
    }
}

/// A table with a row for each model.
pub(super) fn table(all: &[Checked]) -> String {
    let rows: Vec<[String; 6]> = all.iter().map(row).collect();
    let rows = crate::command::table::table(&rows, 4);
    let rows: String = rows.lines().map(|row| format!("  {row}\n")).collect();
    format!("summary\n{rows}{}", line(all))
}

fn row(checked: &Checked) -> [String; 6] {
    let (file, constants) = (checked.job.file(), checked.job.constants());
    let verdict = verdict(checked).to_owned();
    match &checked.result {
        Ok(report) => {
            let failing = report.found.outcomes.iter().filter(|outcome| fails(outcome));
            let failing = failing.map(|outcome| outcome.name.as_str());
            let assertion = report.assertion.iter().map(|_| Assertion::NAME);
            let failing: Vec<&str> = failing.chain(assertion).collect();
            let colon = if failing.is_empty() { "" } else { ": " };
            let states = format!("{} states", HumanCount(report.states()));
            let seconds = format!("{:.2} s", report.seconds);
            let found = format!("{}{colon}{}", report.summary(), failing.join(", "));
            [verdict, file, constants, found, states, seconds]
        }
        Err(failure) => {
            let first = failure.message.lines().next().unwrap_or_default().to_owned();
            [verdict, file, constants, first, String::new(), String::new()]
        }
    }
}

/// How many models hold, fail and so on.
pub(super) fn line(all: &[Checked]) -> String {
    let count = |wanted: &str| all.iter().filter(|checked| verdict(checked) == wanted).count();
    let said = counted([
        (count("holds"), "holds", "hold"),
        (count("FAILS"), "fails", "fail"),
        (count("unknown"), "is not decided", "are not decided"),
        (count("error"), "could not be checked", "could not be checked"),
    ]);
    let properties = all.iter().filter_map(|checked| checked.result.as_ref().ok());
    let failing = properties.flat_map(|report| &report.found.outcomes).filter(|o| fails(o));
    let failing = match failing.count() {
        0 => String::new(),
        1 => "; 1 property fails".into(),
        n => format!("; {n} properties fail"),
    };
    let checks = if all.len() == 1 { "check" } else { "checks" };
    format!("{} {checks}: {said}{failing}\n", all.len())
}
