//! `export`: a run as a file.

use budget::Budget;
use serde_json::{Value as Json, json};
use trace::TraceFormat;

use super::{model, run};
use crate::explorer::{Explorer, no_such};
use crate::refusal::{Code, Refusal};
use crate::request::ExportRequest;

/// The forms of files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FileFormat {
    Trace(TraceFormat),
    /// A page that works from disk.
    Html,
}

impl FileFormat {
    /// All of them.
    pub(super) fn all() -> Vec<FileFormat> {
        let traces = TraceFormat::ALL.into_iter().map(FileFormat::Trace);
        traces.chain([FileFormat::Html]).collect()
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            FileFormat::Trace(format) => format.name(),
            FileFormat::Html => "html",
        }
    }

    /// What it is, in a few words.
    pub(super) fn about(self) -> &'static str {
        match self {
            FileFormat::Trace(format) => format.about(),
            FileFormat::Html => "A page that works from disk",
        }
    }

    /// How the names of files end.
    pub(super) fn extension(self) -> &'static str {
        match self {
            FileFormat::Trace(TraceFormat::Text) => "txt",
            FileFormat::Trace(TraceFormat::Json) => "json",
            FileFormat::Trace(TraceFormat::Itf) => "itf.json",
            FileFormat::Trace(TraceFormat::Svg) => "svg",
            FileFormat::Trace(TraceFormat::Mermaid) => "mmd",
            FileFormat::Trace(TraceFormat::ShiViz) => "log",
            FileFormat::Html => "html",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            FileFormat::Trace(TraceFormat::Json | TraceFormat::Itf) => "application/json",
            FileFormat::Trace(TraceFormat::Svg) => "image/svg+xml",
            FileFormat::Trace(_) => "text/plain;charset=utf-8",
            FileFormat::Html => "text/html;charset=utf-8",
        }
    }
}

pub(super) fn export(
    explorer: &Explorer,
    request: ExportRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let formats = FileFormat::all();
    let format = formats.iter().find(|format| format.name() == request.format).copied();
    let Some(format) = format else {
        let message =
            no_such("format", &request.format, formats.iter().map(|format| format.name()));
        return Err(Refusal::new(Code::Refused, message));
    };
    let property = request.run.property.clone();
    let (looked, trace) = run::trace(explorer, &request.run, budget)?;
    budget.check()?;
    let content = match format {
        FileFormat::Trace(format) => trace.write(format, &looked.view.net, property.as_deref()),
        FileFormat::Html => {
            let name = &request.run.of.subject.model;
            let title = match &property {
                Some(property) => format!("{name}: {property}"),
                None => name.clone(),
            };
            let model = model::told(explorer, name, &looked.generation);
            let run = run::told_run(&looked, &trace)?;
            page::run_html(&title, &json!({ "run": run, "model": model }))
        }
    };
    let stem: String = match property {
        Some(property) => format!("{}.{property}", request.run.of.subject.model),
        None => request.run.of.subject.model.clone(),
    };
    // Names of models and properties can be anything.
    let is_harmless = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let stem: String = stem.chars().map(|c| if is_harmless(c) { c } else { '_' }).collect();
    Ok(json!({
        "file": format!("{}.{}", draw::cut(&stem, 100).replace('…', "_"), format.extension()),
        "media_type": format.media_type(),
        "content": content,
    }))
}
