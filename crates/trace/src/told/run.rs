//! A run as lifelines, steps and messages.

use net::Net;
use serde::Serialize;
use state::Pid;

use crate::account::{StepAccount, Tale};
use crate::executed::ProgramTale;
use crate::interaction::{Event, Interaction, Kind, Lifeline, Message, Owner};
use crate::net_tale::NetTale;
use crate::{Back, ProgramTrace, Teller, Trace};

/// A trace as lifelines, steps and messages. Lifelines and steps are counted from 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldRun {
    /// From left to right.
    pub lifelines: Vec<ToldLifeline>,
    /// The steps.
    pub steps: Vec<ToldStep>,
    /// In the order of the steps that take; what a step puts comes last.
    pub messages: Vec<ToldMessage>,
    /// How it goes on for ever, if it does.
    #[serde(rename = "loop")]
    pub back: Option<Back>,
    /// What its end shows.
    pub outcome: Option<String>,
    /// What threads would do after the last step, but wait for or race for.
    pub pending: Vec<ToldPending>,
}

/// A lifeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldLifeline {
    /// What it is called, without the noun.
    pub name: String,
    /// Whose it is.
    pub kind: LifelineKind,
    /// `thread`, `transition` or `place`; nothing where the name says what it is.
    pub noun: &'static str,
    /// The thread.
    pub pid: Option<Pid>,
    /// The step in which it is born; none if it is there initially.
    pub born: Option<usize>,
    /// The step in which it ends.
    pub ended: Option<usize>,
    /// Where its thread is, or what its place holds: at first (none), and after which steps something else.
    pub labels: Vec<(Option<usize>, String)>,
    /// After which of these its place holds nothing.
    pub vacant: Vec<Option<usize>>,
}

/// Whose a lifeline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LifelineKind {
    /// A thread's.
    Thread,
    /// That of a transition in which no thread takes part.
    Transition,
    /// That of a place.
    Place,
    /// That of an object or a global variable of processes.
    Object,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldStep {
    /// What happens, in one line. Who does it is in `actors`.
    pub text: String,
    /// The statement, or the name of the transition.
    pub name: String,
    /// What the variables of a transition are bound to: `p = 1.1, c = 0`. Of processes: what another does with it.
    pub binding: String,
    /// The name of the transition.
    pub transition: String,
    /// The line of the text, from 1.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// The lifelines of those who take part, from left to right.
    pub actors: Vec<usize>,
    /// Those of threads whose places are looked at, without their taking part.
    pub seen: Vec<usize>,
    /// The lifelines of parents and of the children that they create.
    pub born: Vec<(usize, usize)>,
    /// The lifelines that end.
    pub ended: Vec<usize>,
    /// The steps that put what this one takes or reads.
    pub causes: Vec<usize>,
    /// What it changes, a text each.
    pub changes: Vec<String>,
}

/// Something that goes from one lifeline to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldMessage {
    /// The step that put it; for what goes to or comes from a place or object, the step that does that.
    pub put: usize,
    /// The step that takes or reads it.
    pub taken: usize,
    /// The lifeline that it comes from.
    pub from: usize,
    /// The lifeline that it goes to.
    pub to: usize,
    /// What is done with it.
    pub kind: MessageKind,
    /// What it is.
    pub text: String,
}

/// What is done with tokens on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// They are taken.
    Take,
    /// They are there, and stay.
    Read,
    /// They are not there.
    Absent,
    /// They are put into a place that has a lifeline.
    Put,
}

/// What a thread would do after the last step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldPending {
    /// The lifeline of the thread.
    pub from: usize,
    /// The lifeline of what it waits for or races for.
    pub to: usize,
    /// `waits`, `reads` or `writes`.
    pub text: &'static str,
}

impl ToldRun {
    /// What is told of a trace.
    #[must_use]
    pub fn of(trace: &Trace, net: &Net) -> ToldRun {
        ToldRun::told(&NetTale::of(trace, net))
    }

    /// The same of a run of a program.
    #[must_use]
    pub fn of_program(trace: &ProgramTrace, teller: &Teller) -> ToldRun {
        ToldRun::told(&ProgramTale::of(trace, teller))
    }

    /// What is told of a run.
    pub(crate) fn told(tale: &dyn Tale) -> ToldRun {
        let outcome = tale.outcome();
        let interaction = Interaction::of(tale.parts(), &outcome.awaited);
        let Interaction { lifelines, events, messages, pending } =
            interaction.with_pending(&outcome.pending);
        let steps = events.into_iter().zip(tale.account(false).steps);
        let pending = pending.into_iter();
        ToldRun {
            lifelines: lifelines.into_iter().map(ToldLifeline::of).collect(),
            steps: steps.map(|(event, step)| ToldStep::of(event, step)).collect(),
            messages: messages.into_iter().map(ToldMessage::of).collect(),
            back: tale.back().cloned(),
            outcome: outcome.text(),
            pending: pending.map(|(from, to, text)| ToldPending { from, to, text }).collect(),
        }
    }

    /// With lines and columns where none are known yet, by the names of transitions.
    #[must_use]
    pub fn with_positions(mut self, of: impl Fn(&str) -> Option<(usize, usize)>) -> ToldRun {
        for step in self.steps.iter_mut().filter(|step| step.line.is_none()) {
            (step.line, step.column) = of(&step.transition).unzip();
        }
        self
    }
}

impl ToldLifeline {
    fn of(line: Lifeline) -> ToldLifeline {
        let (kind, pid) = match line.owner {
            Owner::Thread(pid) => (LifelineKind::Thread, Some(pid)),
            Owner::Transition(_) => (LifelineKind::Transition, None),
            // The name of an object or variable says what it is.
            Owner::Place(_) if line.noun.is_empty() => (LifelineKind::Object, None),
            Owner::Place(_) => (LifelineKind::Place, None),
        };
        ToldLifeline {
            name: line.name,
            kind,
            noun: line.noun,
            pid,
            born: line.born,
            ended: line.ended,
            labels: line.labels,
            vacant: line.vacant.into_iter().collect(),
        }
    }
}

impl ToldStep {
    fn of(event: Event, step: StepAccount) -> ToldStep {
        let StepAccount { transition, position, changes, .. } = step;
        let (line, column) = position.unzip();
        let mut causes = event.causes;
        causes.sort_unstable();
        causes.dedup();
        ToldStep {
            text: event.text,
            name: event.name,
            binding: event.binding,
            transition,
            line,
            column,
            actors: event.actors,
            seen: event.seen,
            born: event.born.into_iter().map(|(child, parent)| (parent, child)).collect(),
            ended: event.ended,
            causes,
            changes,
        }
    }
}

impl ToldMessage {
    fn of(message: Message) -> ToldMessage {
        let kind = match message.kind {
            Kind::Take => MessageKind::Take,
            Kind::Read => MessageKind::Read,
            Kind::Absent => MessageKind::Absent,
            Kind::Put => MessageKind::Put,
        };
        let Message { put, taken, from, to, label, .. } = message;
        ToldMessage { put, taken, from, to, kind, text: label }
    }
}
