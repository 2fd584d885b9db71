//! What became of several models, one line for each.

use indicatif::HumanCount;

use super::report::{fails, word};
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
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; 6] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let mut text = String::from("summary\n");
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate().filter(|(column, _)| widths[*column] > 0) {
            let width = widths[column];
            // Numbers are flush right.
            line +=
                &if column < 4 { format!("  {cell:<width$}") } else { format!("  {cell:>width$}") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text + &line(all)
}

fn row(checked: &Checked) -> [String; 6] {
    let (file, constants) = (checked.job.file(), checked.job.constants());
    let verdict = verdict(checked).to_owned();
    match &checked.result {
        Ok(report) => {
            let failing: Vec<&str> = report
                .found
                .outcomes
                .iter()
                .filter(|o| fails(o))
                .map(|o| o.name.as_str())
                .collect();
            let failing = if failing.is_empty() {
                String::new()
            } else {
                format!(": {}", failing.join(", "))
            };
            let states = format!("{} classes", HumanCount(report.states()));
            let seconds = format!("{:.2} s", report.seconds);
            let found = format!("{}{failing}", report.summary());
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
    let phrases = [
        ("holds", "holds", "hold"),
        ("FAILS", "fails", "fail"),
        ("unknown", "is not decided", "are not decided"),
        ("error", "could not be checked", "could not be checked"),
    ];
    let said = phrases.into_iter().filter_map(|(wanted, one, many)| match count(wanted) {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    });
    let properties = all.iter().filter_map(|checked| checked.result.as_ref().ok());
    let failing =
        properties.flat_map(|report| &report.found.outcomes).filter(|o| word(o) == "fails");
    let failing = match failing.count() {
        0 => String::new(),
        1 => "; 1 property fails".into(),
        n => format!("; {n} properties fail"),
    };
    let checks = if all.len() == 1 { "check" } else { "checks" };
    format!("{} {checks}: {}{failing}\n", all.len(), said.collect::<Vec<_>>().join(", "))
}
