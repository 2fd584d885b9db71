//! What is told of a run, whatever it is a run of: the forms are written from this alone.
//!
//! A [`Tale`] is a run of a net or of a program. It gives an [`Account`] of what each step does and changes, the
//! [`Parts`] of which charts and logs are made, and what it comes to in the end, all of it plain texts and numbers.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::interaction::{Interaction, Parts};
use crate::itf::Variables;
use crate::outcome::Outcome;
use crate::{Back, ToldRun, TraceFormat, chart, itf, mermaid, shiviz, text};

/// A run that is told.
pub(crate) trait Tale {
    /// The name of the model.
    fn model(&self) -> &str;

    /// How many steps it has.
    fn length(&self) -> usize;

    /// How it goes on for ever, if it does.
    fn back(&self) -> Option<&Back>;

    /// What it comes to.
    fn outcome(&self) -> Outcome;

    /// What there is at first, and what each step does and changes; in brief, what only prepares a statement is left out.
    fn account(&self, is_brief: bool) -> Account;

    /// Who does what with whom.
    fn parts(&self) -> Parts<'_>;

    /// What there is in each state, as it is given to other tools.
    fn variables(&self) -> Variables;

    /// All of it as JSON, with the name of the property that it is shown for.
    fn record(&self, property: Option<&str>) -> Json;
}

/// What is told of a run but for its end.
pub(crate) struct Account {
    /// What there is at first, a line for each.
    pub first: Vec<String>,
    pub steps: Vec<StepAccount>,
}

/// What is told of a step.
pub(crate) struct StepAccount {
    /// Who does what.
    pub text: String,
    /// What it changes, a line for each.
    pub changes: Vec<String>,
    /// Whether nothing is said of it.
    pub is_left_out: bool,
    /// The name of the transition; of a program the statement.
    pub transition: String,
    /// Line and column of the statement, where they are known.
    pub position: Option<(usize, usize)>,
}

/// A run in any form.
pub(crate) fn write(tale: &dyn Tale, format: TraceFormat, property: Option<&str>) -> String {
    match format {
        TraceFormat::Text => text::text(tale),
        TraceFormat::Json => format!("{:#}\n", tale.record(property)),
        TraceFormat::Itf => format!("{:#}\n", itf::itf(tale, property)),
        TraceFormat::ShiViz => shiviz::shiviz(&Interaction::of(tale.parts(), &BTreeSet::new())),
        TraceFormat::Svg | TraceFormat::Mermaid => {
            let outcome = tale.outcome().in_lines();
            let interaction = Interaction::of(tale.parts(), &outcome.awaited);
            let interaction = interaction.with_pending(&outcome.pending);
            let is_svg = format == TraceFormat::Svg;
            let write = if is_svg { chart::chart } else { mermaid::mermaid };
            write(&interaction, looped(tale), &outcome, &title(tale, property))
        }
        TraceFormat::Html => {
            page::run_html(&title(tale, property), &serde_json::json!(ToldRun::told(tale)))
        }
    }
}

/// The first step of what happens again and again.
fn looped(tale: &dyn Tale) -> Option<usize> {
    tale.back().map(|back| back.to).filter(|to| *to < tale.length())
}

/// What a picture of a run is called.
fn title(tale: &dyn Tale, property: Option<&str>) -> String {
    match property {
        Some(property) => format!("{}: {property}", tale.model()),
        None => tale.model().to_owned(),
    }
}
