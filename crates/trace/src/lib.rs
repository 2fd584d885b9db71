//! What is shown of a property that fails, or of what is reachable: a concrete run, and for what goes on for
//! ever, how it goes on.
//!
//! A [`Trace`] is written in the forms of [`TraceFormat`], one module each: as text that says what changed at
//! each step ([`Trace::text`]), as JSON that can be read back ([`Record`]) and replayed by the plain interpreter
//! ([`Record::replay`]), in Apalache's format, and as charts and logs of who sends what to whom. `docs/traces.md`
//! describes the forms. Who waits for what in a deadlock is found in [`waits()`]. Where a net was made of processes,
//! all of this is said in the words of the program (`speech.rs`).
//!
//! A [`ProgramTrace`] is a run of a program that the reference interpreter has executed (`executed.rs`). It is told in the
//! same forms and the same words: both give a plain account of what each step does and changes, of who sends what to whom
//! and of what the run comes to (`account.rs`), and the forms are written from that.

mod account;
mod brief;
mod change;
mod chart;
mod executed;
mod hopeless;
mod interaction;
mod itf;
mod layers;
mod mermaid;
mod net_tale;
mod outcome;
mod race;
mod record;
mod replay;
mod run;
mod shiviz;
mod speech;
mod text;
mod told;
mod waits;
mod words;

use std::borrow::Cow;
use std::collections::BTreeMap;

use net::interpret::Mode;
use net::listing::Listed;
use net::{Net, PlaceId, TransitionId};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use state::{Pid, State};

use net_tale::NetTale;
use speech::Speech;
use told::Contents;

pub use executed::{
    Again, Lost, ProgramRecord, ProgramRecordStep, ProgramTrace, RecordFailure, RecordState,
    RecordThread, Teller,
};
pub use hopeless::{Hopeless, Whereabouts};
pub use layers::{layers_dot, layers_svg};
pub use race::{Access, Race, races};
pub use record::{Record, RecordAct, RecordStep, read};
pub use replay::Mismatch;
pub use run::{Run, RunStep, all_modes, mode_text, step_text};
pub use speech::{ControlPoint, control_points};
pub use told::{
    Able, Asked, LifelineKind, MessageKind, Position, ToldCall, ToldEnd, ToldFault, ToldGlobal,
    ToldLifeline, ToldMessage, ToldNext, ToldObject, ToldPending, ToldPlace, ToldRun, ToldState,
    ToldStatement, ToldStep, ToldThread, ToldTokens, ToldVariable, ToldWait, Unable,
    statement_positions,
};
pub use waits::{Wait, unmet, waiting, waits};

/// What there is in a state of a net that was made of processes: threads with their lines and variables, global
/// variables, objects, a line for each.
#[must_use]
pub fn told_state(net: &Net, state: &State) -> Option<Vec<String>> {
    let speech = Speech::of(net)?;
    let state = speech::numbered_state(net, state);
    Some(Contents::of(net, Some(&speech), &state, None).lines(true))
}

/// `worker, line 14: lock.lock()`: what a transition stands for in a net that was made of processes.
#[must_use]
pub fn told_transition(net: &Net, transition: TransitionId) -> Option<String> {
    Speech::of(net)?.transition(transition)
}

/// `processes at line 14: lock.lock()`, `objects of type mutex`: what the tokens of a place are in a net that was made
/// of processes.
#[must_use]
pub fn told_place(net: &Net, place: PlaceId) -> Option<String> {
    Speech::of(net)?.tokens_of(&net.place(place).name)
}

/// The type of the objects that a place is for, in a net that was made of processes.
#[must_use]
pub fn objects_of(net: &Net, place: PlaceId) -> Option<&str> {
    match net.listing.as_ref()?.places.get(&place)? {
        Listed::Object { name, .. } => Some(name),
        _ => None,
    }
}

/// The statements of which nothing was executed if these transitions never fired, in a net that was made of
/// processes.
#[must_use]
pub fn never_executed(net: &Net, never_fired: &[TransitionId]) -> Option<Vec<String>> {
    Some(Speech::of(net)?.unexecuted(never_fired))
}

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
    /// A page to walk through, in one file.
    Html,
}

impl TraceFormat {
    /// All forms.
    pub const ALL: [TraceFormat; 7] = [
        TraceFormat::Text,
        TraceFormat::Json,
        TraceFormat::Itf,
        TraceFormat::Svg,
        TraceFormat::Mermaid,
        TraceFormat::ShiViz,
        TraceFormat::Html,
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
            TraceFormat::Html => "html",
        }
    }

    /// How the names of files in this form usually end.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            TraceFormat::Text => "txt",
            TraceFormat::Json => "json",
            TraceFormat::Itf => "itf.json",
            TraceFormat::Svg => "svg",
            TraceFormat::Mermaid => "mmd",
            TraceFormat::ShiViz => "log",
            TraceFormat::Html => "html",
        }
    }

    /// The type of such files.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            TraceFormat::Json | TraceFormat::Itf => "application/json",
            TraceFormat::Svg => "image/svg+xml",
            TraceFormat::Html => "text/html;charset=utf-8",
            TraceFormat::Text | TraceFormat::Mermaid | TraceFormat::ShiViz => {
                "text/plain;charset=utf-8"
            }
        }
    }

    /// What the form is, in a few words.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            TraceFormat::Text => "What changed at each step",
            TraceFormat::Json => "JSON, which `kinfold replay` reads",
            TraceFormat::Itf => "JSON in the Informal Trace Format of Apalache and Quint",
            TraceFormat::Svg => "A sequence chart, as a picture",
            TraceFormat::Mermaid => "A sequence chart, for Mermaid",
            TraceFormat::ShiViz => "A log with vector clocks, for ShiViz",
            TraceFormat::Html => "A page to walk through, in one file",
        }
    }
}

/// A concrete run that shows something.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The run.
    pub run: Run,
    /// How it goes on for ever, if it does.
    pub back: Option<Back>,
    /// The threads of its last state that get no further, if that is what it shows.
    pub hopeless: Option<Hopeless>,
    /// What fails in its last state, and by which mode, if that is what it shows.
    pub failure: Option<(String, Mode)>,
    /// The modes of probes for races that are enabled in its last state, if that is what it shows.
    pub races: Vec<Mode>,
}

/// How a run goes on for ever: its last state is equivalent to an earlier one, from which the same happens
/// again, to the threads that have taken the places of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "the way back, which is an object")]
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
        Trace { run, back: None, hopeless: None, failure: None, races: Vec::new() }
    }
}

impl Trace {
    /// The trace in any form.
    #[must_use]
    pub fn write(&self, format: TraceFormat, net: &Net, property: Option<&str>) -> String {
        account::write(&NetTale::of(self, net), format, property)
    }

    /// The trace as text: for each step what it has changed.
    #[must_use]
    pub fn text(&self, net: &Net) -> String {
        text::text(&NetTale::of(self, net))
    }

    /// The trace as it is told: if the net was made of processes, each object has a number of its own, while in
    /// states it may have that of one which is no longer there.
    #[must_use]
    pub fn told(&self, net: &Net) -> Cow<'_, Trace> {
        if net.listing.is_none() {
            return Cow::Borrowed(self);
        }
        let (run, numbers) = speech::numbered(net, &self.run);
        let failure = self.failure.as_ref();
        let failure = failure.map(|(message, mode)| (message.clone(), numbers.mode(mode)));
        let races = self.races.iter().map(|mode| numbers.mode(mode)).collect();
        Cow::Owned(Trace { run, failure, races, ..self.clone() })
    }

    /// Who races for what in the last state, if that is what it shows.
    #[must_use]
    pub fn told_races(&self, net: &Net) -> Vec<Race> {
        let told = self.told(net);
        race::told(net, told.run.last(), &told.races)
    }

    /// The trace as JSON, with the name of the property that it is shown for. [`read`] reads it.
    #[must_use]
    pub fn json(&self, net: &Net, property: Option<&str>) -> Json {
        Record::of(self, net, property).to_json()
    }

    /// Line and column, from 1, of the statement that a step is, where the net was made of processes. Steps are counted
    /// from 0; what is as many as there are steps is what fails after the last, if the trace shows that.
    #[must_use]
    pub fn position(&self, net: &Net, step: usize) -> Option<(usize, usize)> {
        let mode = match self.run.steps.get(step) {
            Some(step) => &step.mode,
            None => &self.failure.as_ref()?.1,
        };
        run::position_of(Speech::of(net).as_ref(), self.run.state(step), mode)
    }

    /// The same with the file, where the program has several.
    #[must_use]
    pub fn site(&self, net: &Net, step: usize) -> Option<Site> {
        let mode = match self.run.steps.get(step) {
            Some(step) => &step.mode,
            None => &self.failure.as_ref()?.1,
        };
        let acts = Speech::of(net)?.acts(Some(self.run.state(step)), mode);
        acts.first()?.own_line().map(Site::of)
    }

    /// Where it is that a trace ends, if it was made of processes: the statement that fails, or by which somebody races, or
    /// at which one who is stuck is.
    #[must_use]
    pub fn end_site(&self, net: &Net) -> Option<Site> {
        let (speech, last) = (Speech::of(net)?, self.run.last());
        let standing = |pid: &Pid| {
            let at = change::whereabouts_of(net, last, pid)?;
            speech.standing(Some(last), pid, &at)?.own_line().map(Site::of)
        };
        let race = self.races.first().and_then(|mode| {
            let race = net.listing.as_ref()?.races.get(&mode.transition.index())?;
            let (thread, line, _) = &race.accesses[0];
            let own = line.as_ref().filter(|line| !line.in_prelude && line.line > 0);
            own.map(Site::of).or_else(|| standing(mode.binding.get(thread)?.as_pid()?))
        });
        let failing =
            self.failure.is_some().then(|| self.site(net, self.run.steps.len())).flatten();
        let stuck = self.hopeless.as_ref().and_then(|one| one.threads().iter().find_map(standing));
        failing.or(race).or(stuck)
    }
}

/// A place in the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The file, if there are several.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl Site {
    fn of(line: &net::listing::Line) -> Site {
        let file = line.file.as_ref().map(ToString::to_string);
        Site { file, line: line.line, column: line.column }
    }
}
