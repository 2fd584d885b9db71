//! `export`: a run as a file.

use budget::Budget;
use serde_json::{Value as Json, json};
use trace::TraceFormat;

use super::{model, run};
use crate::explorer::{Explorer, no_such};
use crate::refusal::{Code, Refusal};
use crate::request::ExportRequest;

pub(super) fn export(
    explorer: &Explorer,
    request: ExportRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let format = TraceFormat::ALL.into_iter().find(|format| format.name() == request.format);
    let Some(format) = format else {
        let names = TraceFormat::ALL.iter().map(|format| format.name());
        let message = no_such("format", &request.format, names);
        return Err(Refusal::new(Code::Refused, message));
    };
    let property = request.run.property.clone();
    let (looked, trace) = run::trace(explorer, &request.run, budget)?;
    budget.check()?;
    let content = match format {
        // With the text of the model beside it.
        TraceFormat::Html => {
            let name = &request.run.of.subject.model;
            let title = match &property {
                Some(property) => format!("{name}: {property}"),
                None => name.clone(),
            };
            let model = model::told(explorer, name, &looked.generation);
            let run = run::told_run(&looked, &trace)?;
            page::run_html(&title, &json!({ "run": run, "model": model }))
        }
        format => trace.write(format, &looked.view.net, property.as_deref()),
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
