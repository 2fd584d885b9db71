//! Runs of programs, executed by the reference interpreter, in the words of the program.
//!
//! A [`Teller`] knows a program; a [`ProgramTrace`] is a run of it that shows something. In the order in which it is told:
//!
//! - `names`: what threads and objects are called along the run;
//! - `stops`: where a thread is in the graphs of its routines; `moment`: what can be seen in a state;
//! - `values`, `scene`: a state in words; `choices`, `act`, `change`: a step in words;
//! - `record`: a run as JSON, and back; `told_state`, `told_statement`: what could happen in a state, and why not;
//! - `ending`, `waits`: what it comes to, and what keeps processes from going on;
//! - `tale`: all of it as the account from which the forms are written; `deeds`, `resource`: who does what with whom.

mod act;
mod change;
mod choices;
mod deeds;
mod ending;
mod moment;
mod names;
mod record;
mod resource;
mod scene;
mod stops;
mod tale;
mod told_state;
mod told_statement;
mod values;
mod variables;
mod waits;

use std::collections::BTreeMap;

use interpret::{Interpreter, Pid, Race, Run};
use net::Origin;
use net::listing::Line;
use program::{Observed, Program};

use crate::{TraceFormat, account, text};
use choices::Choices;
pub use record::{ProgramRecord, ProgramRecordStep, RecordFailure, RecordState, RecordThread};
use stops::Stops;
pub(crate) use tale::ProgramTale;

/// What is known of a program whose runs are told.
pub struct Teller<'p> {
    /// The name of the model.
    model: String,
    interpreter: Interpreter<'p>,
    stops: Stops<'p>,
    choices: Choices<'p>,
}

impl<'p> Teller<'p> {
    /// Of the program of a model. What is observed decides what is a step, and which variables are seen.
    #[must_use]
    pub fn new(model: &str, program: &'p Program, observed: &'p Observed) -> Teller<'p> {
        Teller {
            model: model.to_owned(),
            interpreter: Interpreter::new(program, observed),
            stops: Stops::of(program, observed),
            choices: Choices::of(program),
        }
    }

    /// The interpreter by which runs are executed.
    #[must_use]
    pub fn interpreter(&self) -> &Interpreter<'p> {
        &self.interpreter
    }

    fn program(&self) -> &'p Program {
        self.interpreter.program()
    }

    fn line(&self, origin: Origin) -> Line {
        self.program().written(origin).unwrap_or_default()
    }
}

/// A run of a program that shows something. If its last step fails, it shows that.
#[derive(Clone, Debug)]
pub struct ProgramTrace {
    /// The run.
    pub run: Run,
    /// How it goes on for ever, if it does.
    pub again: Option<Again>,
    /// The threads of its last state that get no further, if that is what it shows.
    pub lost: Option<Lost>,
    /// Who races in its last state, if that is what it shows.
    pub races: Vec<Race>,
}

/// How a run of a program goes on for ever, as [`Back`](crate::Back) says it of a run of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The earlier state: 0 is the initial one, `i` that after step `i`.
    pub to: usize,
    /// For each thread of the last state, whose place it has taken.
    pub replaced: BTreeMap<Pid, Pid>,
}

/// Threads of a program that get no further, as [`Hopeless`](crate::Hopeless) says it of a run of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Whatever happens, they never act again, nor are they ended.
    Stuck(Vec<Pid>),
    /// Whatever happens, they are never ended, nor do they come to where they may be for ever.
    Endless(Vec<Pid>),
}

impl From<Run> for ProgramTrace {
    fn from(run: Run) -> ProgramTrace {
        ProgramTrace { run, again: None, lost: None, races: Vec::new() }
    }
}

impl ProgramTrace {
    /// The trace in any form.
    #[must_use]
    pub fn write(&self, format: TraceFormat, teller: &Teller, property: Option<&str>) -> String {
        account::write(&ProgramTale::of(self, teller), format, property)
    }

    /// The trace as text: for each step what it has changed.
    #[must_use]
    pub fn text(&self, teller: &Teller) -> String {
        text::text(&ProgramTale::of(self, teller))
    }

    /// The run up to the state after so many steps.
    fn until(&self, steps: usize) -> ProgramTrace {
        let Run { first, steps: all } = &self.run;
        Run { first: first.clone(), steps: all[..steps].to_vec() }.into()
    }

    /// The threads that run in the last state, by their numbers, and what they are called.
    #[must_use]
    pub fn threads(&self, teller: &Teller) -> Vec<(Pid, state::Pid)> {
        let tale = ProgramTale::of(self, teller);
        let threads = tale.last().threads().into_iter().map(|standing| standing.pid);
        threads.map(|pid| (pid, tale.names.pid(pid).clone())).collect()
    }

    /// What there is in the last state: threads with their lines and variables, global variables, objects.
    #[must_use]
    pub fn told_state(&self, teller: &Teller) -> Vec<String> {
        ProgramTale::of(self, teller).last().contents(None).lines(true)
    }
}
