//! Concrete runs: what a path through classes looks like with real pids.
//!
//! A path gives only transitions and classes. The run is found by the plain interpreter, which at each
//! step fires the modes of the transition until one leads into the class that comes next. So every run
//! that is shown has been executed by an engine that shares no code with the one that found the path.

use budget::{Budget, Exhausted};
use net::interpret::{self, Mode};
use net::{Net, TransitionId};
use state::{Pid, State, Value};

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

    /// Goes on by the first mode of the transition that is right, given where it leads.
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
        mut is_right: impl FnMut(&Mode, &State) -> bool,
    ) -> Result<(), Exhausted> {
        budget.check()?;
        let (state, mut found) = (self.last(), None);
        let tried = interpret::for_each_mode(net, state, transition, &mut |mode| {
            if let Some(mode) = mode
                && let Ok(step) = interpret::fire(net, state, &mode)
                && is_right(&mode, &step.state)
            {
                found = Some(RunStep { mode, children: step.children, state: step.state });
            }
            found.is_some() || budget.is_exhausted()
        });
        match found {
            Some(step) => self.steps.push(step),
            None => {
                budget.check()?;
                let (name, step) = (&net.transition(transition).name, self.steps.len() + 1);
                panic!("the interpreter cannot follow step {step} by `{name}`: {tried:?}");
            }
        }
        Ok(())
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

    /// The state it ends in.
    #[must_use]
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}

/// `accept(p = 1.1, c = 0)`: a mode as people read it. Variables that `_` stands for are left out.
#[must_use]
pub fn mode_text(net: &Net, mode: &Mode) -> String {
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
