//! Concrete runs: what a path through classes looks like with real pids.
//!
//! A path gives only transitions and classes. The run is found by the plain interpreter, which at each
//! step fires the modes of the transition until one leads into the class that comes next. So every run
//! that is shown has been executed by an engine that shares no code with the one that found the path.

use budget::{Budget, Exhausted};
use net::interpret::{self, Mode};
use net::{Fault, Net, TransitionId};
use state::{Pid, State, Value};

use crate::speech::{Speech, numbered};
use crate::told::{Contents, Scene};

/// A run from the initial state.
#[derive(Clone, Debug)]
pub struct Run {
    /// Where it starts.
    pub initial: State,
    /// Its steps.
    pub steps: Vec<RunStep>,
}

/// A step of a run.
#[derive(Clone, Debug)]
pub struct RunStep {
    /// The transition fired, and under which binding.
    pub mode: Mode,
    /// The children created.
    pub children: Vec<Pid>,
    /// The state it leads to.
    pub state: State,
}

impl Run {
    /// The run along `path`: transitions, each with what its target must fulfil to be the right one.
    ///
    /// # Errors
    /// If the budget is used up before.
    ///
    /// # Panics
    /// If the interpreter knows no such run: then it disagrees with the engine that found the path,
    /// and one of them is wrong.
    pub fn along<T>(
        net: &Net,
        path: impl IntoIterator<Item = (TransitionId, T)>,
        budget: &Budget,
        mut leads_to: impl FnMut(&State, &T) -> bool,
    ) -> Result<Run, Exhausted> {
        let mut run = Run::at_start(net);
        for (transition, target) in path {
            run.go(net, transition, budget, |_, state| leads_to(state, &target))?;
        }
        Ok(run)
    }

    /// The run that has not begun.
    pub fn at_start(net: &Net) -> Run {
        Run { initial: interpret::initial(net), steps: Vec::new() }
    }

    /// Goes on by the first mode of the transition, or of one that is alike, that is right, given where it leads.
    ///
    /// # Errors
    /// If the budget is used up before.
    ///
    /// # Panics
    /// If the interpreter knows none.
    pub fn go(
        &mut self,
        net: &Net,
        transition: TransitionId,
        budget: &Budget,
        is_right: impl FnMut(&Mode, &State) -> bool,
    ) -> Result<(), Exhausted> {
        if let Err(fault) = self.try_go(net, transition, budget, is_right)? {
            let (name, step) = (&net.transition(transition).name, self.steps.len() + 1);
            panic!("the interpreter cannot follow step {step} by `{name}`: {fault:?}");
        }
        Ok(())
    }

    /// The same, if there is such a mode; if not, it says whether looking for one has faulted.
    ///
    /// # Errors
    /// If the budget is used up before.
    pub fn try_go(
        &mut self,
        net: &Net,
        transition: TransitionId,
        budget: &Budget,
        mut is_right: impl FnMut(&Mode, &State) -> bool,
    ) -> Result<Result<(), Option<Fault>>, Exhausted> {
        budget.check()?;
        let (state, mut found, mut fault) = (self.last(), None, None);
        for alike in net.alike(transition) {
            let tried = interpret::for_each_mode(net, state, alike, &mut |mode| {
                if let Some(mode) = mode
                    && let Ok(step) = interpret::fire(net, state, &mode)
                    && is_right(&mode, &step.state)
                {
                    found = Some(RunStep { mode, children: step.children, state: step.state });
                }
                found.is_some() || budget.is_exhausted()
            });
            fault = fault.or(tried.err());
            if found.is_some() {
                break;
            }
        }
        match found {
            Some(step) => {
                self.steps.push(step);
                Ok(Ok(()))
            }
            None => {
                budget.check()?;
                Ok(Err(fault))
            }
        }
    }

    /// The state before all steps (0), or after that many.
    ///
    /// # Panics
    /// If it has fewer steps.
    #[must_use]
    pub fn state(&self, index: usize) -> &State {
        match index.checked_sub(1) {
            None => &self.initial,
            Some(step) => &self.steps[step].state,
        }
    }

    /// The last test on data that is not kept which the run makes: what was possible was executed, but perhaps not with
    /// the outcome that is real.
    #[must_use]
    pub fn tested(&self, net: &Net) -> Option<String> {
        if !net.has_forgotten() {
            return None;
        }
        (0..self.steps.len()).rev().find_map(|step| net.tested(self.state(step)))
    }

    /// The state it ends in.
    #[must_use]
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}

/// All modes of a state in the order of transitions, unless looking for them faults. What is chosen among them is
/// told by its number.
///
/// # Errors
/// If the budget is used up before.
pub fn all_modes(
    net: &Net,
    state: &State,
    budget: &Budget,
) -> Result<Result<Vec<Mode>, Fault>, Exhausted> {
    let mut modes = Vec::new();
    for transition in (0..net.transitions.len() as u32).map(TransitionId) {
        budget.check()?;
        let found = interpret::for_each_mode(net, state, transition, &mut |mode| {
            modes.extend(mode);
            budget.is_exhausted()
        });
        budget.check()?;
        if let Err(fault) = found {
            return Ok(Err(fault));
        }
    }
    Ok(Ok(modes))
}

/// A run in the words of the program that its net was made of.
impl Run {
    /// What there is in the last state: threads with their lines and variables, global variables, objects. Nothing
    /// if the net was not made of processes.
    #[must_use]
    pub fn told_state(&self, net: &Net) -> Option<Vec<String>> {
        let speech = Speech::of(net)?;
        let (told, _) = numbered(net, self);
        Some(Contents::of(net, Some(&speech), told.last(), None).lines(true))
    }

    /// Modes of the last state as people read them. Of processes, what tells apart those of the same statement is
    /// what they change.
    #[must_use]
    pub fn choices(&self, net: &Net, modes: &[Mode]) -> Vec<String> {
        if net.listing.is_none() {
            return modes.iter().map(|mode| mode_text(net, mode)).collect();
        }
        let scene = Scene::of(self, self.steps.len(), net);
        let texts: Vec<String> = modes.iter().map(|mode| scene.text(mode)).collect();
        let is_alone = |text: &String| texts.iter().filter(|other| *other == text).count() == 1;
        let pairs = modes.iter().zip(&texts);
        let told = pairs.map(|(mode, text)| match is_alone(text) {
            true => text.clone(),
            false => match scene.changes_by(self.last(), mode) {
                Ok(changes) => format!("{text} ({})", changes.join("; ")),
                Err(_) => text.clone(),
            },
        });
        told.collect()
    }
}

/// `accept(p = 1.1, c = 0)`: a mode as people read it. Variables that `_` stands for are left out. Of a net that
/// was made of processes it is the statement, and who executes it: `worker 1.2, line 14: lock.lock()`.
#[must_use]
pub fn mode_text(net: &Net, mode: &Mode) -> String {
    text_of(net, Speech::of(net).as_ref(), None, mode)
}

/// The same where the state before it is known: then so are the calls by which processes have come to what they do.
#[must_use]
pub fn step_text(net: &Net, before: &State, mode: &Mode) -> String {
    text_of(net, Speech::of(net).as_ref(), Some(before), mode)
}

/// The same in the words for the net, which are made once for many steps.
pub(crate) fn text_of(
    net: &Net,
    speech: Option<&Speech>,
    before: Option<&State>,
    mode: &Mode,
) -> String {
    if let Some(text) = speech.and_then(|speech| speech.step(before, mode)) {
        return text;
    }
    let transition = net.transition(mode.transition);
    let binding = |(var, value): (&net::Var, &Value)| {
        format!("{} = {value}", transition.variables[var.index()].name)
    };
    let bindings: Vec<String> = mode.binding.iter().map(binding).collect();
    if bindings.is_empty() {
        transition.name.clone()
    } else {
        format!("{}({})", transition.name, bindings.join(", "))
    }
}

/// Line and column of the statement that a step is, if it is in the text of the model or called there.
pub(crate) fn position_of(
    speech: Option<&Speech>,
    before: &State,
    mode: &Mode,
) -> Option<(usize, usize)> {
    speech?.acts(Some(before), mode).first()?.position()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use budget::{Budget, Exhausted};
    use net::TransitionId;

    use super::Run;

    #[test]
    fn looking_for_a_mode_ends_with_the_budget() {
        let text = "model parameters\nplace p: 0..=1000000\n\
            transition t(x: 0..=1000000, y: 0..=1000000) { put p(x)   when x > y + 1000000 }\n";
        let net = lang::compile(text, &[]).net.expect("a model");
        let budget = Budget::unlimited().within(Duration::from_millis(20));
        let path = [(TransitionId(0), ())];
        let run = Run::along(&net, path, &budget, |_, ()| true);
        assert_eq!(run.map(|run| run.steps.len()), Err(Exhausted::Time));
    }
}
