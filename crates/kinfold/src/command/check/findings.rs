//! What is wrong with a model, as a list of findings with their places in its file: for what shows them
//! beside the text.

use std::path::{Path, PathBuf};

use diagnostics::{Diagnostic, Severity, position};
use kinfold::trace::Site;
use kinfold::{Concern, Trace, Verdict};
use net::Origin;

use super::report::{Assertion, Report, evidence, remark};
use super::{Checked, Exit};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Error,
    Warning,
}

/// Line and column, from 1.
pub(super) type Place = (usize, usize);

/// Something wrong with a model.
pub(super) struct Finding<'a> {
    pub(super) level: Level,
    /// What kind of finding it is: one of [`RULES`], or the code of a diagnostic.
    pub(super) rule: &'static str,
    /// In a few words.
    pub(super) title: String,
    /// In full.
    pub(super) message: String,
    /// The file, unless the model came from standard input.
    pub(super) file: Option<PathBuf>,
    pub(super) place: Option<Place>,
    /// The property, if it is about one.
    pub(super) property: Option<&'a str>,
    /// The run that shows it.
    pub(super) run: Option<(&'a Report, &'a Trace)>,
}

/// The kinds of findings that are no diagnostics, with what they mean.
pub(super) const RULES: [(&str, &str); 8] = [
    ("fault", "The model faults when it runs: a value is out of range, or the like."),
    ("deadlock", "The model can reach a deadlock, or a state in which a thread is stuck."),
    (
        "state-property",
        "An invariant, a bound, reachability or a branching-time property fails, or a thread can never end.",
    ),
    ("run-property", "A linear-time property, or a property of a followed thread, fails."),
    ("assertion", "An assertion of the model fails."),
    ("undecided", "It could not be decided whether a property holds."),
    ("vacuous", "A property holds only because what it speaks of never happens."),
    ("error", "The model could not be checked."),
];

/// What is wrong, in the order of the report.
pub(super) fn findings(checked: &Checked) -> Vec<Finding<'_>> {
    let file = checked.job.path();
    match &checked.result {
        Ok(report) => {
            let warnings = report.warnings.iter().map(|warning| of_text(warning, file));
            let fault = of_fault(checked, report);
            let properties = of_properties(checked, report);
            let assertion = of_assertion(checked, report);
            warnings.chain(properties).chain(assertion).chain(fault).collect()
        }
        Err(failure) if !failure.diagnostics.is_empty() => {
            failure.diagnostics.iter().map(|one| of_text(one, file)).collect()
        }
        Err(failure) => {
            let is_open = failure.exit == Exit::Incomplete;
            vec![Finding {
                level: if is_open { Level::Warning } else { Level::Error },
                rule: if is_open { "undecided" } else { "error" },
                title: "the model could not be checked".into(),
                message: with_constants(checked, failure.message.trim_end()),
                file: file.map(Path::to_owned),
                place: None,
                property: None,
                run: None,
            }]
        }
    }
}

fn of_text<'a>(diagnostic: &'a Diagnostic, file: Option<&'a Path>) -> Finding<'a> {
    let help = diagnostic.help.as_ref().map(|help| format!("\nhelp: {help}"));
    Finding {
        level: match diagnostic.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
        },
        rule: diagnostic.code,
        title: diagnostic.code.into(),
        message: format!("{}{}", diagnostic.message, help.unwrap_or_default()),
        file: within(file, diagnostic.file.as_deref()),
        place: (diagnostic.line > 0).then_some((diagnostic.line, diagnostic.column)),
        property: None,
        run: None,
    }
}

fn of_assertion<'a>(checked: &'a Checked, report: &'a Report) -> Option<Finding<'a>> {
    let assertion = report.assertion.as_ref()?;
    let (file, place) = site(checked, place_of(report, assertion));
    let (level, rule, title, message) = match &assertion.tested {
        None => {
            let message = format!("assertion fails: {}", assertion.message);
            (Level::Error, "assertion", "an assertion fails", message)
        }
        Some(tested) => {
            let message = &assertion.message;
            let message = format!(
                "assertion may fail: {message}; depends on {tested}, of which nothing is kept"
            );
            (Level::Warning, "undecided", "an assertion may fail", message)
        }
    };
    Some(Finding {
        level,
        rule,
        title: title.into(),
        message: with_constants(checked, &message),
        file,
        place,
        property: None,
        run: assertion.trace.as_ref().map(|trace| (report, trace)),
    })
}

fn of_fault<'a>(checked: &'a Checked, report: &'a Report) -> Option<Finding<'a>> {
    let message = report.fault()?;
    let fault = report.found.fault.as_ref()?;
    let origin = fault.transition.map(|t| report.net.transition(t).origin);
    let (file, place) = site(checked, origin.and_then(|origin| place(report, origin)));
    Some(Finding {
        level: Level::Error,
        rule: "fault",
        title: "the model faults".into(),
        message: with_constants(checked, message.trim_end()),
        file,
        place,
        property: None,
        run: None,
    })
}

fn of_properties<'a>(
    checked: &'a Checked,
    report: &'a Report,
) -> impl Iterator<Item = Finding<'a>> {
    report.found.outcomes.iter().filter_map(move |outcome| {
        let name = &outcome.name;
        let says = &outcome.text;
        let property = report.net.properties.iter().find(|property| property.name == *name);
        let (level, rule, title, message) = match &outcome.verdict {
            Verdict::Fails(_) => {
                let rule = match outcome.concern {
                    Concern::Deadlock => "deadlock",
                    Concern::State => "state-property",
                    Concern::Run => "run-property",
                };
                let said = remark(&report.net, outcome)
                    .map_or(says.clone(), |who| format!("{says}: {who}"));
                (Level::Error, rule, format!("`{name}` fails"), said)
            }
            Verdict::Holds { vacuously: true, .. } => {
                let why = format!("{says}: what it speaks of never happens");
                (Level::Warning, "vacuous", format!("`{name}` holds vacuously"), why)
            }
            Verdict::Holds { .. } => return None,
            Verdict::Refused(why) => {
                (Level::Warning, "undecided", format!("`{name}` is refused"), why.to_string())
            }
            _ => {
                let why = remark(&report.net, outcome).unwrap_or_default();
                (Level::Warning, "undecided", format!("`{name}` is not known"), why)
            }
        };
        let trace = evidence(outcome).map(|evidence| &evidence.trace);
        // What is asked of every program is written in none.
        let is_translated = report.net.listing.as_ref().is_some_and(|one| one.words.is_some());
        let written = match is_translated {
            true => trace.and_then(|trace| trace.end_site(&report.net)),
            false => property.and_then(|property| place(report, property.origin)),
        };
        let (file, place) = site(checked, written);
        Some(Finding {
            level,
            rule,
            title,
            message: with_constants(checked, &message),
            file,
            place,
            property: Some(name),
            run: trace.map(|trace| (report, trace)),
        })
    })
}

/// A message, and for which constants it is true, where there are several.
fn with_constants(checked: &Checked, message: &str) -> String {
    match checked.job.constants() {
        none if none.is_empty() => message.to_owned(),
        constants => format!("{message} (with {constants})"),
    }
}

/// A file of a model: one of several is in the folder that the model is.
fn within(model: Option<&Path>, file: Option<&str>) -> Option<PathBuf> {
    let model = model?;
    Some(file.map_or_else(|| model.to_owned(), |file| model.join(file)))
}

/// The file of a site, and its place there; without a site the model.
fn site(checked: &Checked, site: Option<Site>) -> (Option<PathBuf>, Option<Place>) {
    in_model(checked.job.path(), site)
}

/// The same for a model at this path.
pub(super) fn in_model(
    model: Option<&Path>,
    site: Option<Site>,
) -> (Option<PathBuf>, Option<Place>) {
    let file = site.as_ref().and_then(|site| site.file.as_deref());
    (within(model, file), site.as_ref().map(|site| (site.line, site.column)))
}

/// Where something is written, if the model is a text.
pub(super) fn place(report: &Report, origin: Origin) -> Option<Site> {
    let text = report.text.as_deref()?;
    let start = lang::in_text(text, origin)?.start;
    Some(match go::located(text, start) {
        Some((file, line, column)) => Site { file: Some(file), line, column },
        None => {
            let (line, column) = position(text, start);
            Site { file: None, line, column }
        }
    })
}

/// The same in words: `14:2`, or of several files `main.go:14:2`.
pub(super) fn file_and_place(report: &Report, origin: Origin) -> Option<String> {
    let Site { file, line, column } = place(report, origin)?;
    let file = file.map(|file| format!("{file}:")).unwrap_or_default();
    Some(format!("{file}{line}:{column}"))
}

/// Where an assertion is written, or the statement that makes it fail.
pub(super) fn place_of(report: &Report, assertion: &Assertion) -> Option<Site> {
    let trace = &assertion.trace;
    let here = place(report, assertion.origin);
    here.or_else(|| {
        let trace = trace.as_ref()?;
        trace.site(&report.net, trace.run.steps.len())
    })
}
