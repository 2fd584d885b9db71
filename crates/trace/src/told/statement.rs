//! Who can take a statement, and why others cannot.
//!
//! A statement is that of a thread if a transition that goes on from where the thread is stands for it, or was called
//! by it. So an arm of a `select` belongs to those who are at the `select`, and what is called in the prelude to those
//! who called it.

use std::collections::BTreeSet;

use budget::{Budget, Exhausted};
use net::interpret::Mode;
use net::{Fault, Net, TransitionId};
use serde::Serialize;
use state::Pid;

use super::ToldThread;
use super::state::{Scene, acting};
use crate::Run;
use crate::change::{At, whereabouts};
use crate::speech::Speech;
use crate::waits::{Trial, reasons, unmet_within};

/// Which statement is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// What processes do at a line, and column if that is given, both from 1.
    Line(usize, Option<usize>),
    /// A transition of a net.
    Transition(TransitionId),
}

/// Which threads can take a statement, and why the others cannot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldStatement {
    /// The statement.
    pub statement: Position,
    /// Who can take it, by which step. Of a net without threads the steps alone.
    pub can: Vec<Able>,
    /// Who cannot.
    pub cannot: Vec<Unable>,
}

/// A statement in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// The statement, or the name of the transition.
    pub text: String,
}

/// A thread that can take a statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Able {
    /// The thread.
    pub thread: Option<Pid>,
    /// What it is called.
    pub name: Option<String>,
    /// The number of the step.
    pub index: usize,
    /// The step.
    pub text: String,
}

/// A thread that cannot take a statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unable {
    /// The thread.
    pub thread: Option<Pid>,
    /// What it is called.
    pub name: Option<String>,
    /// Where it is.
    pub at: Option<String>,
    /// The line of that, from 1.
    pub line: Option<usize>,
    /// Why it cannot.
    pub reasons: Vec<String>,
}

/// What is said of threads that are at another statement or place.
pub(crate) const ELSEWHERE: &str = "it is elsewhere";

impl ToldStatement {
    /// What is told of a statement in the state after `at` steps of a run, given all its modes in the order of
    /// transitions. None if there is no such statement.
    ///
    /// # Errors
    /// If the budget is used up before.
    ///
    /// # Panics
    /// If the run has fewer steps, or the net has no such transition.
    pub fn of(
        run: &Run,
        at: usize,
        net: &Net,
        modes: &Result<Vec<Mode>, Fault>,
        asked: Asked,
        budget: &Budget,
    ) -> Result<Option<ToldStatement>, Exhausted> {
        let scene = Scene::of(run, at, net);
        let statement = match (asked, &scene.speech) {
            (Asked::Transition(id), _) => {
                let text = net.transition(id).name.clone();
                Position { line: None, column: None, text }
            }
            (Asked::Line(..), None) => return Ok(None),
            (Asked::Line(line, column), Some(speech)) => {
                let Some(statement) = speech.statement_at(line, column) else { return Ok(None) };
                statement
            }
        };
        let mut told = ToldStatement { statement, can: Vec::new(), cannot: Vec::new() };
        for (index, mode) in modes.iter().flatten().enumerate() {
            budget.check()?;
            told.add_able(&scene, asked, index, mode);
        }
        told.add_unable(&scene, asked, budget)?;
        Ok(Some(told))
    }

    /// With the line and the column, if they are not known yet.
    #[must_use]
    pub fn with_position(mut self, of: Option<(usize, usize)>) -> ToldStatement {
        if self.statement.line.is_none() {
            (self.statement.line, self.statement.column) = of.unzip();
        }
        self
    }

    fn add_able(&mut self, scene: &Scene, asked: Asked, index: usize, mode: &Mode) {
        let text = || scene.text(mode);
        match asked {
            Asked::Line(line, column) => {
                let Some(speech) = &scene.speech else { return };
                let acts = speech.acts(Some(&scene.state), &scene.numbers.mode(mode));
                for act in acts.into_iter().filter(|act| is_at(act.position(), line, column)) {
                    let name = Some(format!("{} {}", act.process, act.pid));
                    self.can.push(Able { thread: Some(act.pid), name, index, text: text() });
                }
            }
            Asked::Transition(id) if mode.transition == id => {
                let mut able = Able { thread: None, name: None, index, text: text() };
                for pid in acting(scene.net, mode) {
                    able = Able { thread: Some(pid.clone()), name: Some(scene.name(pid)), ..able };
                    self.can.push(able.clone());
                }
                if able.thread.is_none() {
                    self.can.push(able);
                }
            }
            Asked::Transition(_) => {}
        }
    }

    fn add_unable(
        &mut self,
        scene: &Scene,
        asked: Asked,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let (net, speech) = (scene.net, scene.speech.as_ref());
        if let Asked::Transition(id) = asked
            && net.transition(id).participants.iter().all(|one| one.passive)
        {
            if self.can.is_empty() {
                let reasons = unmet_within(net, &scene.state, id, budget)?.into_iter().collect();
                let unable = Unable { thread: None, name: None, at: None, line: None, reasons };
                self.cannot.push(unable);
            }
            return Ok(());
        }
        let able: BTreeSet<Pid> = self.can.iter().filter_map(|one| one.thread.clone()).collect();
        let processes = processes_that_may_come(scene, asked);
        let mut trial = Trial::new(net, &scene.state, budget);
        for (pid, at) in whereabouts(net, &scene.state) {
            let thread = ToldThread::of(speech, &scene.state, &pid, &at);
            let parts = parts_at(scene, asked, &pid, &at);
            let may_come = match (&processes, &thread.process) {
                (Some(processes), Some(process)) => processes.contains(process.as_str()),
                (Some(_), None) => false,
                (None, _) => true,
            };
            if able.contains(&pid) || parts.is_empty() && !may_come {
                continue;
            }
            let reasons = match parts.is_empty() {
                true => vec![ELSEWHERE.to_owned()],
                false => reasons(net, speech, &mut trial, (&pid, &at), &parts)?,
            };
            self.cannot.push(Unable {
                thread: Some(pid),
                name: Some(thread.name),
                at: Some(thread.at),
                line: thread.line,
                reasons,
            });
        }
        Ok(())
    }
}

/// The kinds of processes that have a statement. Threads of nets may come to all places.
fn processes_that_may_come<'n>(scene: &Scene<'n>, asked: Asked) -> Option<BTreeSet<&'n str>> {
    match (asked, &scene.speech) {
        (Asked::Line(line, column), Some(speech)) => {
            Some(speech.processes_at(&|position| is_at(Some(position), line, column)))
        }
        _ => None,
    }
}

/// The transitions that stand for a statement and could be taken by a thread where it is, and its part in them.
fn parts_at(scene: &Scene, asked: Asked, pid: &Pid, at: &At) -> Vec<(TransitionId, usize)> {
    let net = scene.net;
    let mut parts = Vec::new();
    for id in (0..net.transitions.len() as u32).map(TransitionId) {
        let rule = net.transition(id);
        if rule.probe || rule.failure.is_some() {
            continue;
        }
        for (role, one) in rule.participants.iter().enumerate() {
            if one.passive || net.place(one.from).name != at.place {
                continue;
            }
            let is_meant = match (asked, &scene.speech) {
                (Asked::Transition(asked), _) => asked == id,
                (Asked::Line(line, column), Some(speech)) => {
                    is_at(speech.position(&scene.state, pid, at, id, role), line, column)
                }
                (Asked::Line(..), None) => false,
            };
            if is_meant {
                parts.push((id, role));
            }
        }
    }
    parts
}

/// Whether a position is that asked for.
pub(crate) fn is_at(position: Option<(usize, usize)>, line: usize, column: Option<usize>) -> bool {
    position.is_some_and(|found| found.0 == line && column.is_none_or(|column| column == found.1))
}

/// Line and column, both from 1, of the statements that a transition stands for, whoever executes it: two where
/// threads meet. None of a net that was not made of processes, and of what is in the prelude and called from there.
#[must_use]
pub fn statement_positions(net: &Net, transition: TransitionId) -> Vec<(usize, usize)> {
    Speech::of(net).map_or_else(Vec::new, |speech| speech.positions(transition))
}
