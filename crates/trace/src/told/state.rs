//! A state of a run, and what could happen in it.

use std::collections::BTreeSet;

use budget::{Budget, Exhausted};
use net::interpret::{self, Mode};
use net::{Fault, Net};
use serde::Serialize;
use state::{Pid, State};

use super::{Contents, ToldGlobal, ToldObject, ToldPlace, ToldThread, ToldVariable};
use crate::change::{Change, Places, whereabouts};
use crate::run::{position_of, text_of};
use crate::speech::{Numbers, Speech, maker};
use crate::text::change_lines;
use crate::waits::{Wait, waits_of, waits_without_threads};
use crate::{Run, RunStep};

/// What there is in a state of a run, what the last step changed, and what could happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldState {
    /// The threads that are somewhere, in the order of their pids.
    pub threads: Vec<ToldThread>,
    /// The global variables, but for those that are no more than the name of an object.
    pub globals: Vec<ToldGlobal>,
    /// The objects.
    pub objects: Vec<ToldObject>,
    /// The marked ordinary places of a net.
    pub places: Vec<ToldPlace>,
    /// What the last step changed, a text each.
    pub changes: Vec<String>,
    /// What could happen.
    pub next: Vec<ToldNext>,
    /// What it means that nothing can, if nothing can.
    pub end: Option<ToldEnd>,
    /// What goes wrong in this state.
    pub fault: Option<ToldFault>,
    /// What those wait for who cannot go on.
    pub waits: Vec<ToldWait>,
}

/// A step that could be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldNext {
    /// Its number.
    pub index: usize,
    /// Who does what.
    pub text: String,
    /// The name of the transition.
    pub transition: String,
    /// The line of the text, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// Those who act.
    pub threads: Vec<Pid>,
    /// What the variables of the transition are bound to. Statements have none.
    pub binding: Vec<ToldVariable>,
    /// What it would change, a text each.
    pub changes: Vec<String>,
    /// What goes wrong if it is taken.
    pub fault: Option<String>,
}

/// Why nothing can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ToldEnd {
    /// Nothing can fire.
    Deadlock,
    /// All threads have ended.
    Terminated,
    /// All threads are where they may be for ever.
    Rest,
    /// Whatever could happen goes wrong.
    Fault,
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldFault {
    /// What it is.
    pub text: String,
    /// The line of the text, from 1.
    pub line: Option<usize>,
    /// By whom and by what, if that is known.
    pub by: Option<String>,
}

/// What threads at one place, or a net without threads, wait for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldWait {
    /// The threads; none in a net without threads.
    pub threads: Vec<Pid>,
    /// What they are called.
    pub names: Vec<String>,
    /// Where they are.
    pub at: Option<String>,
    /// The line of that, from 1.
    pub line: Option<usize>,
    /// What keeps them from going on.
    pub reasons: Vec<String>,
    /// How many more reasons there are.
    pub more: usize,
    /// The places, objects and global variables that these name.
    pub places: Vec<String>,
    /// All of it.
    pub text: String,
}

/// A state of a run as it is told, and how it came about.
pub(crate) struct Scene<'n> {
    pub(super) net: &'n Net,
    pub(super) speech: Option<Speech<'n>>,
    places: Places<'n>,
    pub(super) numbers: Numbers,
    pub(super) state: State,
    /// The state before, and the step that led here.
    last: Option<(State, RunStep)>,
}

impl<'n> Scene<'n> {
    /// The state after so many steps of a run.
    pub fn of(run: &Run, at: usize, net: &'n Net) -> Scene<'n> {
        let (before, numbers) = Numbers::after(run, at, net);
        let state = numbers.state(run.state(at));
        let last = before.zip(at.checked_sub(1)).map(|(numbers, number)| {
            let step = &run.steps[number];
            let (mode, children) = (numbers.mode(&step.mode), step.children.clone());
            let before = numbers.state(run.state(number));
            (before, RunStep { mode, children, state: state.clone() })
        });
        Scene { net, speech: Speech::of(net), places: Places::of(net), numbers, state, last }
    }

    /// A mode as it is told.
    pub fn text(&self, mode: &Mode) -> String {
        text_of(self.net, self.speech.as_ref(), Some(&self.state), &self.numbers.mode(mode))
    }

    /// What a thread is called.
    pub(super) fn name(&self, pid: &Pid) -> String {
        match &self.speech {
            Some(speech) => speech.name(&self.state, pid),
            None => format!("thread {pid}"),
        }
    }

    fn position(&self, mode: &Mode) -> Option<(usize, usize)> {
        position_of(self.speech.as_ref(), &self.state, &self.numbers.mode(mode))
    }

    fn changes(&self, before: &State, step: &RunStep) -> Vec<String> {
        let change = Change::between(&self.places, before, &step.state);
        change_lines(self.speech.as_ref(), &change, before, step)
    }

    /// What a mode changes, given the state itself; or what goes wrong.
    pub fn changes_by(&self, state: &State, mode: &Mode) -> Result<Vec<String>, Fault> {
        let fired = interpret::fire(self.net, state, mode)?;
        let step = RunStep {
            mode: self.numbers.mode(mode),
            children: fired.children,
            state: self.numbers.clone().next(state, &self.state, &fired.state, maker(mode)),
        };
        Ok(self.changes(&self.state, &step))
    }

    fn next(&self, state: &State, index: usize, mode: &Mode) -> ToldNext {
        let (changes, fault) = match self.changes_by(state, mode) {
            Ok(changes) => (changes, None),
            Err(fault) => (Vec::new(), Some(fault.kind.describe(self.net))),
        };
        let (line, column) = self.position(mode).unzip();
        let rule = self.net.transition(mode.transition);
        let told = self.numbers.mode(mode);
        let variables = told.binding.iter().map(|(var, value)| ToldVariable {
            name: rule.variables[var.index()].name.clone(),
            value: value.to_string(),
        });
        // Those of statements were named by nobody.
        let is_statement = self.speech.as_ref().is_some_and(|speech| speech.is_statement(mode));
        ToldNext {
            index,
            text: self.text(mode),
            transition: rule.name.clone(),
            line,
            column,
            threads: acting(self.net, mode).cloned().collect(),
            binding: if is_statement { Vec::new() } else { variables.collect() },
            changes,
            fault,
        }
    }

    /// What goes wrong where looking for modes faults.
    fn fault(&self, state: &State, fault: &Fault, budget: &Budget) -> Result<ToldFault, Exhausted> {
        let mut enough = || budget.is_exhausted();
        let found = interpret::fault(self.net, state, fault.transition, &mut enough);
        budget.check()?;
        let mode = found.map(|(_, mode)| mode);
        Ok(ToldFault {
            text: fault.kind.describe(self.net),
            line: mode.as_ref().and_then(|mode| self.position(mode)).map(|(line, _)| line),
            by: mode.map(|mode| self.text(&mode)),
        })
    }
}

/// Those who act in a mode.
pub(super) fn acting<'a>(net: &'a Net, mode: &'a Mode) -> impl Iterator<Item = &'a Pid> {
    let participants = net.transition(mode.transition).participants.iter();
    let acting = participants.zip(&mode.tokens).filter(|(one, _)| !one.passive);
    acting.filter_map(|(_, token)| token.first()?.as_pid())
}

impl ToldState {
    /// What is told of the state after `at` steps of a run, given all its modes in the order of transitions.
    ///
    /// # Errors
    /// If the budget is used up before.
    ///
    /// # Panics
    /// If the run has fewer steps.
    pub fn of(
        run: &Run,
        at: usize,
        net: &Net,
        modes: &Result<Vec<Mode>, Fault>,
        budget: &Budget,
    ) -> Result<ToldState, Exhausted> {
        let (scene, state) = (Scene::of(run, at, net), run.state(at));
        let speech = scene.speech.as_ref();
        let mut next = Vec::new();
        for (index, mode) in modes.iter().flatten().enumerate() {
            budget.check()?;
            next.push(scene.next(state, index, mode));
        }
        let fault = match modes {
            Err(fault) => Some(scene.fault(state, fault, budget)?),
            Ok(_) => next.iter().find_map(|one| {
                let text = one.fault.clone()?;
                Some(ToldFault { text, line: one.line, by: Some(one.text.clone()) })
            }),
        };
        let end = match &fault {
            Some(_) => next.iter().all(|one| one.fault.is_some()).then_some(ToldEnd::Fault),
            None => next.is_empty().then(|| ToldEnd::of(net, state)),
        };
        let changes = scene.last.as_ref().map(|(before, step)| scene.changes(before, step));
        let changes = changes.unwrap_or_default();
        let before = scene.last.as_ref().map(|(before, _)| before);
        let Contents { threads, globals, objects, places } =
            Contents::of(net, speech, &scene.state, before);
        let waits = waits(&scene, modes, budget)?;
        Ok(ToldState { threads, globals, objects, places, changes, next, end, fault, waits })
    }

    /// With lines and columns where none are known yet, by the names of transitions.
    #[must_use]
    pub fn with_positions(mut self, of: impl Fn(&str) -> Option<(usize, usize)>) -> ToldState {
        for step in self.next.iter_mut().filter(|step| step.line.is_none()) {
            (step.line, step.column) = of(&step.transition).unzip();
        }
        self
    }
}

impl ToldEnd {
    fn of(net: &Net, state: &State) -> ToldEnd {
        match net.has_threads() {
            true if state.eta().is_empty() => ToldEnd::Terminated,
            true if net.may_rest(state) => ToldEnd::Rest,
            _ => ToldEnd::Deadlock,
        }
    }
}

/// Who cannot act, and what each waits for. Where looking for modes has faulted, nobody knows.
fn waits(
    scene: &Scene,
    modes: &Result<Vec<Mode>, Fault>,
    budget: &Budget,
) -> Result<Vec<ToldWait>, Exhausted> {
    let (net, state) = (scene.net, &scene.state);
    let Ok(modes) = modes else { return Ok(Vec::new()) };
    let waits = if net.has_threads() {
        let able: BTreeSet<&Pid> = modes.iter().flat_map(|mode| acting(net, mode)).collect();
        let all = whereabouts(net, state).into_keys();
        let unable: Vec<Pid> = all.filter(|pid| !able.contains(pid)).collect();
        waits_of(net, state, (&unable, modes.is_empty()), budget)?
    } else if modes.is_empty() {
        waits_without_threads(net, state, budget)?
    } else {
        Vec::new()
    };
    Ok(waits.into_iter().map(ToldWait::of).collect())
}

impl ToldWait {
    /// Of those who wait.
    pub(crate) fn of(wait: Wait) -> ToldWait {
        let text = wait.to_string();
        let names = match wait.names.is_empty() {
            true => wait.threads.iter().map(|pid| format!("thread {pid}")).collect(),
            false => wait.names,
        };
        ToldWait {
            threads: wait.threads,
            names,
            at: wait.at,
            line: wait.line,
            reasons: wait.reasons,
            more: wait.more,
            places: wait.places.iter().map(ToString::to_string).collect(),
            text,
        }
    }
}
