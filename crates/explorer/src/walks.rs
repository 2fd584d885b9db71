//! Runs by their numbers, walked by the plain interpreter, and the last few of them kept.
//!
//! A run that goes on from one that is kept costs the steps by which it goes on: that one is taken out, made longer and
//! put back. What is a beginning of one that is kept costs nothing. What branches off costs a copy of the beginning.
//! So stepping forward and back on a long run never walks it again. What is kept is found by its numbers, all of which
//! are compared.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use budget::Budget;
use net::Net;
use net::interpret;
use state::{State, Value};
use trace::{Run, RunStep, all_modes};

use crate::refusal::{Code, Refusal};

/// The longest run that is walked.
pub(crate) const MOST_STEPS: usize = 100_000;
/// The most that the states of one run may take, in bytes, about.
const MOST_BYTES_OF_RUN: usize = 512 << 20;
/// The most runs that are kept, and the most bytes that they take together, about. The last one is kept in any case.
const MOST_KEPT: usize = 24;
const MOST_BYTES_KEPT: usize = 128 << 20;

/// A run that was walked, or a beginning of it.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// At least as long as asked.
    run: Arc<Run>,
    /// How long that is.
    pub(crate) at: usize,
}

impl Walk {
    /// The run, which may go on after [`Walk::at`].
    pub(crate) fn longer(&self) -> &Run {
        &self.run
    }

    /// The run itself.
    pub(crate) fn run(&self) -> Run {
        Run { initial: self.run.initial.clone(), steps: self.run.steps[..self.at].to_vec() }
    }

    /// The state that it ends in.
    pub(crate) fn last(&self) -> &State {
        self.run.state(self.at)
    }
}

/// The last few runs.
#[derive(Debug, Default)]
pub(crate) struct Walks {
    /// The last used one is last.
    kept: Mutex<VecDeque<Kept>>,
}

#[derive(Debug)]
struct Kept {
    numbers: Vec<u32>,
    run: Arc<Run>,
    bytes: usize,
}

impl Walks {
    /// The run with these numbers.
    ///
    /// # Errors
    /// If it takes a step that is not there, is too long, or the budget is used up before.
    pub(crate) fn walk(
        &self,
        net: &Net,
        numbers: &[u32],
        budget: &Budget,
    ) -> Result<Walk, Refusal> {
        if numbers.len() > MOST_STEPS {
            let message = format!("no run of more than {MOST_STEPS} steps is walked");
            return Err(Refusal::new(Code::TooLarge, message));
        }
        let mut kept = match self.begun(numbers) {
            Begun::Whole(run) => return Ok(Walk { run, at: numbers.len() }),
            Begun::Part(kept) => kept,
            Begun::Nothing => {
                let initial = interpret::initial(net);
                let bytes = bytes(&initial);
                Kept {
                    numbers: Vec::new(),
                    run: Arc::new(Run { initial, steps: Vec::new() }),
                    bytes,
                }
            }
        };
        let walked = kept.go_on(net, &numbers[kept.numbers.len()..], budget);
        let run = kept.run.clone();
        // What was walked before it went wrong is kept as well.
        self.keep(kept);
        walked.map(|()| Walk { run, at: numbers.len() })
    }

    /// What there is of a run.
    fn begun(&self, numbers: &[u32]) -> Begun {
        let mut kept = self.kept();
        let shared = |kept: &Kept| {
            kept.numbers.iter().zip(numbers).take_while(|(one, other)| one == other).count()
        };
        // Of several that share as much, one that can be taken out.
        let best = (0..kept.len()).max_by_key(|&at| {
            let shared = shared(&kept[at]);
            (shared, kept[at].numbers.len() == shared)
        });
        let Some(at) = best else { return Begun::Nothing };
        let shared = shared(&kept[at]);
        let found = kept.remove(at).expect("it is there");
        if shared == numbers.len() {
            let run = found.run.clone();
            kept.push_back(found);
            return Begun::Whole(run);
        }
        if shared == found.numbers.len() {
            return Begun::Part(found);
        }
        let steps = found.run.steps[..shared].to_vec();
        let run = Run { initial: found.run.initial.clone(), steps };
        let bytes =
            bytes(&run.initial) + run.steps.iter().map(|step| bytes(&step.state)).sum::<usize>();
        kept.push_back(found);
        Begun::Part(Kept { numbers: numbers[..shared].to_vec(), run: Arc::new(run), bytes })
    }

    fn keep(&self, new: Kept) {
        let mut kept = self.kept();
        kept.push_back(new);
        let mut bytes: usize = kept.iter().map(|kept| kept.bytes).sum();
        while kept.len() > MOST_KEPT || (bytes > MOST_BYTES_KEPT && kept.len() > 1) {
            bytes -= kept.pop_front().map_or(0, |oldest| oldest.bytes);
        }
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What there is of a run.
enum Begun {
    /// All of it, and perhaps more.
    Whole(Arc<Run>),
    /// A beginning, taken out.
    Part(Kept),
    Nothing,
}

impl Kept {
    /// Goes on by these numbers.
    fn go_on(&mut self, net: &Net, numbers: &[u32], budget: &Budget) -> Result<(), Refusal> {
        // Nobody else has it, unless an answer is being made of it at this moment.
        let run = Arc::make_mut(&mut self.run);
        for &number in numbers {
            let step = stepped(net, run, number, budget)?;
            self.bytes += bytes(&step.state);
            if self.bytes > MOST_BYTES_OF_RUN {
                let message = format!("the states of {} steps are too many", run.steps.len());
                return Err(Refusal::new(Code::TooLarge, message));
            }
            run.steps.push(step);
            self.numbers.push(number);
        }
        Ok(())
    }
}

/// The step with this number after a run.
fn stepped(net: &Net, run: &Run, number: u32, budget: &Budget) -> Result<RunStep, Refusal> {
    let at = run.steps.len();
    let refuse = |why: String| {
        let message = format!("step {at} of the run is not there: {why}");
        Refusal::new(Code::NoSuchStep, message).with("at", at)
    };
    let modes = all_modes(net, run.last(), budget)?;
    let modes = modes.map_err(|fault| refuse(fault.kind.describe(net)))?;
    let count = modes.len();
    let mode = modes.into_iter().nth(number as usize).ok_or_else(|| {
        refuse(match count {
            0 => "nothing can happen".into(),
            1 => format!("there is one step, and {number} is not its number, which is 0"),
            _ => format!("there are {count} steps, and {number} is no number of one"),
        })
    })?;
    let fired = interpret::fire(net, run.last(), &mode);
    let fired = fired.map_err(|fault| refuse(fault.kind.describe(net)))?;
    Ok(RunStep { mode, children: fired.children, state: fired.state })
}

/// The bytes that a state takes, about.
fn bytes(state: &State) -> usize {
    /// A token in its map, and a value in its token.
    const TOKEN: usize = 64;
    const VALUE: usize = size_of::<Value>() + 16;
    let tokens = state.marked().flat_map(|place| state.tokens(place));
    let tokens = tokens.map(|(token, _)| TOKEN + token.len() * VALUE).sum::<usize>();
    size_of::<State>() + tokens + (state.marked().count() + state.eta().len()) * TOKEN
}
