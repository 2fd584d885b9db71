//! An object taken through runs, step by step.

use std::fmt::{self, Debug, Display, Formatter};

use crate::{Identities, Observation, Run, Step, Suite, Value};

/// A real object that is to do what a model says.
pub trait Subject {
    /// What it calls those who take part: handles, numbers, names.
    type Identity: PartialEq + Debug;

    /// Makes the object ready for a run, and binds the threads that are there from the start.
    ///
    /// # Errors
    /// If it does not start as the run does.
    fn start(&mut self, run: &Run, who: &mut Identities<Self::Identity>) -> Result<(), Mismatch>;

    /// Makes the object do what a step says, and binds the threads that are born.
    ///
    /// # Errors
    /// If it does something else.
    fn step(&mut self, step: &Step, who: &mut Identities<Self::Identity>) -> Result<(), Mismatch>;

    /// What is seen of the object now.
    fn observe(&mut self) -> Observation<Self::Identity>;
}

/// What the model says, and what the object does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What the model says.
    pub expected: String,
    /// What was seen instead.
    pub seen: String,
}

impl Mismatch {
    /// The subject does not know what to do for a transition.
    #[must_use]
    pub fn unknown(transition: &str) -> Mismatch {
        Mismatch {
            expected: format!("the subject can do `{transition}`"),
            seen: "it does not know this transition".to_owned(),
        }
    }
}

/// Where an object first differs from its model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The run; the first is 1.
    pub run: usize,
    /// The step; 0 is the start.
    pub step: usize,
    /// What was to be done in that step.
    pub action: String,
    /// Both sides.
    pub mismatch: Mismatch,
}

impl Display for Difference {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Difference { run, step, action, mismatch: Mismatch { expected, seen } } = self;
        write!(f, "run {run}, step {step}: {action}\n  model: {expected}\n  seen:  {seen}")
    }
}

impl std::error::Error for Difference {}

/// What was driven without a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Driven {
    /// The runs.
    pub runs: usize,
    /// The steps of all of them.
    pub steps: usize,
}

/// Takes an object of its own through each run.
///
/// # Errors
/// If one differs from the model; with the first difference.
pub fn drive<S: Subject>(
    suite: &Suite,
    mut new: impl FnMut() -> S,
) -> Result<Driven, Box<Difference>> {
    let mut driven = Driven { runs: 0, steps: 0 };
    for (run, number) in suite.runs.iter().zip(1..) {
        let mut subject = new();
        let mut who = Identities::default();
        let at = |step: usize, action: String| {
            move |mismatch| Box::new(Difference { run: number, step, action, mismatch })
        };
        start(&mut subject, run, &mut who).map_err(at(0, "the start".to_owned()))?;
        for (step, index) in run.steps.iter().zip(1..) {
            go(&mut subject, step, &mut who).map_err(at(index, step.to_string()))?;
            driven.steps += 1;
        }
        driven.runs += 1;
    }
    Ok(driven)
}

fn start<S: Subject>(
    subject: &mut S,
    run: &Run,
    who: &mut Identities<S::Identity>,
) -> Result<(), Mismatch> {
    subject.start(run, who)?;
    are_bound(run.initial.eta.keys(), who)?;
    subject.observe().compare(&run.initial, who)
}

fn go<S: Subject>(
    subject: &mut S,
    step: &Step,
    who: &mut Identities<S::Identity>,
) -> Result<(), Mismatch> {
    subject.step(step, who)?;
    are_bound(step.born.iter(), who)?;
    subject.observe().compare(&step.state, who)
}

/// Whether it is known who these threads are.
fn are_bound<'p, I: PartialEq + Debug>(
    mut pids: impl Iterator<Item = &'p String>,
    who: &Identities<I>,
) -> Result<(), Mismatch> {
    pids.try_for_each(|pid| who.real(&Value::pid(pid)).map(drop))
}
