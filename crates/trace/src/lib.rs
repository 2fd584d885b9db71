//! What is shown of a property that fails, or of what is reachable: a concrete run, and for what goes on for
//! ever, how it goes on.
//!
//! A [`Trace`] is written in the forms of [`TraceFormat`], one module each: as text that says what changed at
//! each step ([`Trace::text`]), as JSON that can be read back ([`Record`]) and replayed by the plain interpreter
//! ([`Record::replay`]), in Apalache's format, and as charts and logs of who sends what to whom. `docs/traces.md`
//! describes the forms. Who waits for what in a deadlock is found in [`waits()`].

mod change;
mod chart;
mod interaction;
mod itf;
mod mermaid;
mod record;
mod replay;
mod run;
mod shiviz;
mod text;
mod waits;

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use net::Net;
use serde_json::Value as Json;
use state::Pid;
use thiserror::Error;

use interaction::Interaction;

pub use record::{ReadError, Record, RecordStep, read};
pub use replay::Mismatch;
pub use run::{Run, RunStep, mode_text};
pub use waits::{Wait, unmet, waits};

/// The forms in which traces are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraceFormat {
    /// What changed at each step.
    Text,
    /// JSON that [`read`] reads.
    Json,
    /// JSON in Apalache's Informal Trace Format.
    Itf,
    /// A sequence chart, as a picture.
    Svg,
    /// A sequence chart, for Mermaid.
    Mermaid,
    /// A log with vector clocks, for ShiViz.
    ShiViz,
}

impl TraceFormat {
    /// All forms.
    pub const ALL: [TraceFormat; 6] = [
        TraceFormat::Text,
        TraceFormat::Json,
        TraceFormat::Itf,
        TraceFormat::Svg,
        TraceFormat::Mermaid,
        TraceFormat::ShiViz,
    ];

    /// What the form is called on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TraceFormat::Text => "text",
            TraceFormat::Json => "json",
            TraceFormat::Itf => "itf",
            TraceFormat::Svg => "svg",
            TraceFormat::Mermaid => "mermaid",
            TraceFormat::ShiViz => "shiviz",
        }
    }
}

/// There is no form of traces of this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no form of traces named `{0}`")]
pub struct ParseTraceFormatError(String);

impl FromStr for TraceFormat {
    type Err = ParseTraceFormatError;

    fn from_str(text: &str) -> Result<TraceFormat, ParseTraceFormatError> {
        let found = TraceFormat::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| ParseTraceFormatError(text.to_owned()))
    }
}

/// A concrete run that shows something.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The run.
    pub run: Run,
    /// How it goes on for ever, if it does.
    pub back: Option<Back>,
}

/// How a run goes on for ever: its last state is equivalent to an earlier one, from which the same happens
/// again, to the threads that have taken the places of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Back {
    /// The earlier state: 0 is the initial one, `i` that after step `i`. If it is the last state itself,
    /// nothing happens any more.
    pub to: usize,
    /// For each thread of the last state, whose place it has taken, that is, which thread of the earlier
    /// state it now does as.
    pub replaced: BTreeMap<Pid, Pid>,
}

impl From<Run> for Trace {
    fn from(run: Run) -> Trace {
        Trace { run, back: None }
    }
}

impl Trace {
    /// The trace in any form.
    #[must_use]
    pub fn write(&self, format: TraceFormat, net: &Net, property: Option<&str>) -> String {
        match format {
            TraceFormat::Text => self.text(net),
            TraceFormat::Json => format!("{:#}\n", self.json(net, property)),
            TraceFormat::Itf => format!("{:#}\n", self.itf(net, property)),
            TraceFormat::Svg => self.chart_svg(net, property),
            TraceFormat::Mermaid => self.mermaid(net, property),
            TraceFormat::ShiViz => self.shiviz(net),
        }
    }

    /// The trace as text: for each step what it has changed.
    #[must_use]
    pub fn text(&self, net: &Net) -> String {
        text::text(self, net)
    }

    /// The trace as JSON, with the name of the property that it is shown for. [`read`] reads it.
    #[must_use]
    pub fn json(&self, net: &Net, property: Option<&str>) -> Json {
        Record::of(self, net, property).to_json()
    }

    /// The trace in Apalache's Informal Trace Format.
    #[must_use]
    pub fn itf(&self, net: &Net, property: Option<&str>) -> Json {
        itf::itf(self, net, property)
    }

    /// The trace as a sequence chart: one SVG document.
    #[must_use]
    pub fn chart_svg(&self, net: &Net, property: Option<&str>) -> String {
        let outcome = text::outcome(self, net).in_lines();
        let interaction = Interaction::of(self, net, &outcome.awaited);
        chart::chart(&interaction, self.looped(), &outcome, &title(net, property))
    }

    /// The trace as a sequence diagram for Mermaid.
    #[must_use]
    pub fn mermaid(&self, net: &Net, property: Option<&str>) -> String {
        let outcome = text::outcome(self, net).in_lines();
        let interaction = Interaction::of(self, net, &outcome.awaited);
        mermaid::mermaid(&interaction, self.looped(), &outcome, &title(net, property))
    }

    /// The trace as a log with vector clocks for ShiViz.
    #[must_use]
    pub fn shiviz(&self, net: &Net) -> String {
        shiviz::shiviz(&Interaction::of(self, net, &BTreeSet::new()))
    }

    /// The first step of what happens again and again.
    fn looped(&self) -> Option<usize> {
        self.back.as_ref().map(|back| back.to).filter(|to| *to < self.run.steps.len())
    }
}

/// What a chart is called.
fn title(net: &Net, property: Option<&str>) -> String {
    match property {
        Some(property) => format!("{}: {property}", net.name),
        None => net.name.clone(),
    }
}
