//! Faults of a model that is explored: where they are met, and the runs that show them.

use budget::{Budget, Exhausted};
use explore::StateId;
use explore::distributed::Path;
use net::interpret::{self, Mode};
use net::{Net, TransitionId};
use trace::Run;

use crate::Survey;

/// A fault of the model, and how it comes about.
#[derive(Debug)]
pub struct FaultyRun {
    /// What is wrong, with names.
    pub message: String,
    /// The transition that faults, if it is known.
    pub transition: Option<TransitionId>,
    /// Whether it is what the model says must not happen.
    pub is_failure: bool,
    /// The binding under which it faults, and a shortest run to the state in which it does; or why the
    /// interpreter did not come to them.
    pub shown: Result<(Mode, Run), Exhausted>,
}

impl FaultyRun {
    /// The last test on data that is not kept which is made on the way: the fault need not come about.
    #[must_use]
    pub fn tested(&self, net: &Net) -> Option<String> {
        self.shown.as_ref().ok()?.1.tested(net)
    }

    /// The fault of a net in the state that a run ends in, of this transition if it is known.
    ///
    /// # Errors
    /// If the budget is used up before.
    ///
    /// # Panics
    /// If the interpreter finds none.
    pub fn after(
        run: Run,
        net: &Net,
        transition: Option<TransitionId>,
        budget: &Budget,
    ) -> Result<FaultyRun, Exhausted> {
        let all = (0..net.transitions.len() as u32).map(TransitionId);
        let mut suspects = all.filter(|t| transition.is_none_or(|known| known == *t));
        let enough = &mut || budget.is_exhausted();
        let found = suspects.find_map(|t| interpret::fault(net, run.last(), t, enough));
        let Some((fault, mode)) = found else {
            budget.check()?;
            panic!("the interpreter does not find the fault");
        };
        let is_failure = is_failure(net, Some(fault.transition));
        let what = fault.kind.describe(net);
        let message = message(net, Some(fault.transition), &what, is_failure);
        let transition = Some(fault.transition);
        Ok(FaultyRun { message, transition, is_failure, shown: Ok((mode, run)) })
    }
}

/// Whether a transition stands for what must not happen.
fn is_failure(net: &Net, transition: Option<TransitionId>) -> bool {
    transition.is_some_and(|id| net.transition(id).failure.is_some())
}

fn message(net: &Net, transition: Option<TransitionId>, what: &str, is_failure: bool) -> String {
    if is_failure {
        return format!("assertion fails: {what}");
    }
    let who = transition.map(|id| format!("`{}`", net.transition(id).name));
    format!("when {} fires, {what}", who.as_deref().unwrap_or("a transition"))
}

/// Where a state is.
pub(crate) enum Whereabouts {
    Here(StateId),
    /// With one of several processes: the path to it, or why there is none.
    There(Result<Path, Exhausted>),
}

/// A fault as an exploration meets it.
pub(crate) struct FaultAt {
    pub(crate) state: Whereabouts,
    pub(crate) transition: Option<TransitionId>,
    /// What is wrong, with names.
    pub(crate) what: String,
}

impl Survey<'_> {
    /// Whether the model faults. Nothing is explored beyond that.
    #[must_use]
    pub fn has_fault(&self) -> bool {
        self.fault.is_some()
    }

    /// Whether the model faults by what it says must not happen.
    #[must_use]
    pub fn has_failure(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| is_failure(self.net, fault.transition))
    }

    /// The transition that stands for what must not happen, if the model faults by one.
    #[must_use]
    pub fn failing(&self) -> Option<TransitionId> {
        let transition = self.fault.as_ref().and_then(|fault| fault.transition);
        transition.filter(|id| self.net.transition(*id).failure.is_some())
    }

    /// Takes out the fault of the model, with the run that the interpreter finds within the budget.
    #[must_use]
    pub fn take_fault(&mut self, budget: &Budget) -> Option<FaultyRun> {
        let FaultAt { state, transition, what } = self.fault.take()?;
        let run = match state {
            Whereabouts::Here(state) => self.run_to(state, budget),
            Whereabouts::There(path) => path.and_then(|path| self.run_along_far(path, budget)),
        };
        let shown = run.and_then(|run| FaultyRun::after(run, self.net, transition, budget));
        Some(shown.unwrap_or_else(|why| {
            let is_failure = is_failure(self.net, transition);
            let message = message(self.net, transition, &what, is_failure);
            FaultyRun { message, transition, is_failure, shown: Err(why) }
        }))
    }
}
