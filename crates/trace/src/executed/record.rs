//! A run of a program as JSON, and back.
//!
//! A [`ProgramRecord`] says what can be seen of a run: in each step who acts by which statement, what is chosen, who is born
//! and who ends, and in each state what there is. It is executed again by the interpreter: at each step one of the
//! successors must be just as it says ([`ProgramRecord::replay`]).

use interpret::{Next, Run, State, Step, Turns};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use state::Pid;

use super::act::{Act, acts};
use super::ending::message;
use super::moment::Moment;
use super::names::Names;
use super::scene::Scene;
use super::tale::ProgramTale;
use super::{ProgramTrace, Teller};
use crate::Back;
use crate::account::Tale;
use crate::record::RecordAct;
use crate::replay::Mismatch;

/// The version of the form in which runs of programs are written.
const SCHEMA_VERSION: u64 = 2;

/// A run of a program as its JSON form has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a trace, which is an object")]
pub struct ProgramRecord {
    schema_version: u64,
    /// The name of the model.
    pub model: String,
    /// The property that it is shown for.
    pub property: Option<String>,
    /// The initial state.
    pub initial: RecordState,
    /// The steps.
    pub steps: Vec<ProgramRecordStep>,
    /// What goes wrong after the last step, if that is what it shows.
    pub failure: Option<RecordFailure>,
    /// How it goes on for ever, if it does.
    pub back: Option<Back>,
}

/// A step of a [`ProgramRecord`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a step, which is an object")]
pub struct ProgramRecordStep {
    /// Who acts, and by which statement. Two act where they meet.
    pub acts: Vec<RecordAct>,
    /// What is chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// The threads that it creates, in their order.
    pub born: Vec<Pid>,
    /// The threads that it ends.
    pub ended: Vec<Pid>,
    /// The state that it leads to.
    pub state: RecordState,
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a failure, which is an object")]
pub struct RecordFailure {
    /// Who acts, and by which statement.
    pub acts: Vec<RecordAct>,
    /// What it is.
    pub text: String,
}

/// What there is in a state: names of threads, variables and objects, and texts of values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a state, which is an object")]
pub struct RecordState {
    /// The threads.
    pub threads: Vec<RecordThread>,
    /// The global variables.
    pub globals: Map<String, Json>,
    /// The objects and their fields.
    pub objects: Map<String, Json>,
}

/// A thread in a [`RecordState`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a thread, which is an object")]
pub struct RecordThread {
    /// The thread.
    pub thread: Pid,
    /// The kind of process that it is.
    pub process: String,
    /// The statement before which it is.
    pub at: String,
    /// Its variables and their values, those of the innermost call last.
    pub variables: Vec<(String, String)>,
}

impl ProgramRecord {
    /// What is written of a trace.
    #[must_use]
    pub fn of(trace: &ProgramTrace, teller: &Teller, property: Option<&str>) -> ProgramRecord {
        ProgramRecord::told(&ProgramTale::of(trace, teller), property)
    }

    /// What is written of a run.
    pub(super) fn told(tale: &ProgramTale, property: Option<&str>) -> ProgramRecord {
        let steps = tale.steps().enumerate().map(|(at, (next, step))| {
            ProgramRecordStep::of(tale.scene(at), next, step, tale.scene(at + 1))
        });
        let last = tale.trace.run.steps.last();
        ProgramRecord {
            schema_version: SCHEMA_VERSION,
            model: tale.model().to_owned(),
            property: property.map(str::to_owned),
            initial: RecordState::of(tale.scene(0)),
            steps: steps.collect(),
            failure: last.and_then(|next| RecordFailure::of(tale.last(), next)),
            back: tale.back().cloned(),
        }
    }

    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> Json {
        json!(self)
    }

    /// The run of a program that is recorded here, executed again. Whether it goes on for ever as it says is not asked.
    ///
    /// # Errors
    /// If there is none; with the first step that does not fit.
    pub fn replay(&self, teller: &Teller) -> Result<ProgramTrace, Mismatch> {
        let turns = Turns::Steps;
        let firsts = teller.interpreter.initial(turns).unwrap_or_default();
        let mut found: Vec<(Run, Names)> = Vec::new();
        for first in firsts {
            let mut names = Names::new();
            let is_it = {
                let moment = Moment::of(teller, &first);
                names.add_objects(teller.program(), &first, &moment.objects);
                let scene = Scene { teller, moment: &moment, names: &names };
                RecordState::of(scene) == self.initial
            };
            if is_it {
                found.push((Run { first, steps: Vec::new() }, names));
            }
        }
        if found.is_empty() {
            return Err(Mismatch::Initial("no run begins with it".to_owned()));
        }
        for (number, recorded) in self.steps.iter().enumerate() {
            let longer = |(run, names): &(Run, Names)| go_on(teller, run, names, recorded);
            found = found.iter().flat_map(longer).collect();
            if found.is_empty() {
                let who = recorded.acts.first().map_or_else(String::new, RecordAct::text);
                let what = format!("`{who}` cannot be done, or leads elsewhere");
                return Err(Mismatch::Step { step: number + 1, what });
            }
        }
        let (mut run, names) = found.swap_remove(0);
        if let Some(failure) = &self.failure {
            let next = {
                let moment = Moment::of(teller, run.last());
                let scene = Scene { teller, moment: &moment, names: &names };
                let fits = |next: &Next| RecordFailure::of(scene, next).as_ref() == Some(failure);
                teller.interpreter.follow(run.last(), turns, &mut { fits })
            };
            let step = self.steps.len() + 1;
            let what = format!("it does not fail: {}", failure.text);
            run.steps.push(next.ok_or(Mismatch::Step { step, what })?);
        }
        Ok(run.into())
    }
}

/// The runs that are longer by a step that is recorded.
fn go_on(
    teller: &Teller,
    run: &Run,
    names: &Names,
    recorded: &ProgramRecordStep,
) -> Vec<(Run, Names)> {
    let state = run.last();
    let moment = Moment::of(teller, state);
    let mut found: Vec<(Run, Names)> = Vec::new();
    let mut seen: Vec<State> = Vec::new();
    for next in teller.interpreter.successors(state, Turns::Steps) {
        let Ok(step) = &next.outcome else { continue };
        let after = Moment::of(teller, &step.state);
        let mut names = names.clone();
        names.add_births(&step.births);
        names.add_objects(teller.program(), &step.state, &after.objects);
        let [before, after] =
            [&moment, &after].map(|moment| Scene { teller, moment, names: &names });
        let is_it = ProgramRecordStep::of(before, &next, step, after) == *recorded;
        if is_it && !seen.contains(&step.state) {
            seen.push(step.state.clone());
            let mut run = run.clone();
            run.steps.push(next);
            found.push((run, names));
        }
    }
    found
}

impl ProgramRecordStep {
    fn of(before: Scene, next: &Next, step: &Step, after: Scene) -> ProgramRecordStep {
        let choices = before.teller.choices.said(step, after.values());
        let ended = before.threads().into_iter().map(|standing| standing.pid);
        let ended = ended.filter(|pid| step.state.thread(*pid).is_none());
        let name = |pid| after.names.pid(pid).clone();
        ProgramRecordStep {
            acts: acts(before, next).iter().map(RecordAct::of_program).collect(),
            choices: choices.into_iter().map(|(_, text)| text).collect(),
            born: step.births.iter().map(|birth| name(birth.child)).collect(),
            ended: ended.map(name).collect(),
            state: RecordState::of(after),
        }
    }
}

impl RecordFailure {
    fn of(last: Scene, next: &Next) -> Option<RecordFailure> {
        let failed = next.outcome.as_ref().err()?;
        let acts = acts(last, next);
        let acts = acts.iter().map(RecordAct::of_program).collect();
        Some(RecordFailure { acts, text: message(last, failed) })
    }
}

impl RecordAct {
    /// What a process of a program does.
    fn of_program(act: &Act) -> RecordAct {
        let line = act.line();
        RecordAct {
            process: act.process.to_owned(),
            thread: act.name.clone(),
            file: None,
            line: line.line,
            column: line.column,
            statement: line.text.clone(),
        }
    }
}

impl RecordState {
    fn of(scene: Scene) -> RecordState {
        let mut state = RecordState::default();
        for standing in scene.threads() {
            let variables = scene.variables(standing).into_iter();
            state.threads.push(RecordThread {
                thread: scene.names.pid(standing.pid).clone(),
                process: standing.process.to_owned(),
                at: standing.text(),
                variables: variables.map(|((_, name), text)| (name.to_owned(), text)).collect(),
            });
        }
        for (number, global) in scene.program().globals.iter().enumerate() {
            let id = program::GlobalId(number as u32);
            if !scene.is_hidden(id) {
                state.globals.insert(global.variable.name.clone(), scene.global(id).into());
            }
        }
        for object in scene.objects() {
            let fields = scene.fields(object).into_iter();
            let fields: Map<String, Json> =
                fields.map(|(name, text)| (name.to_owned(), text.into())).collect();
            state.objects.insert(scene.names.object(object), fields.into());
        }
        state
    }
}
