//! Findings as workflow commands of GitHub Actions, which shows them beside the lines they are about.

use super::Checked;
use super::findings::{Finding, Level, findings};

/// A command for each finding.
pub(super) fn commands(checked: &Checked) -> String {
    findings(checked).iter().map(command).collect()
}

fn command(finding: &Finding) -> String {
    let name = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let mut parameters = Vec::new();
    if let Some(file) = &finding.file {
        parameters.push(format!("file={}", parameter(&file.display().to_string())));
        if let Some((line, column)) = finding.place {
            parameters.push(format!("line={line},col={column}"));
        }
    }
    parameters.push(format!("title={}", parameter(&finding.title)));
    let run = finding.run.map(|(report, trace)| format!("\n{}", trace.text(&report.net)));
    let message = format!("{}{}", finding.message, run.unwrap_or_default());
    format!("::{name} {}::{}\n", parameters.join(","), data(message.trim_end()))
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a parameter of a command.
fn parameter(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
