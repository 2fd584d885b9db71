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
use net::interpret::{self, Mode};
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
    /// What it takes, about. Nothing is there before the initial state is.
    bytes: usize,
}

impl Default for Kept {
    fn default() -> Kept {
        let run = Run { initial: State::new(), steps: Vec::new() };
        Kept { numbers: Vec::new(), run: Arc::new(run), bytes: 0 }
    }
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
        let kept = match self.begun(numbers) {
            Begun::Whole(run) => return Ok(Walk { run, at: numbers.len() }),
            Begun::Part(kept) => kept,
        };
        let mut going = Going { walks: self, net, kept };
        // What was walked before it goes wrong is kept as well.
        going.go_on(numbers, budget)?;
        Ok(Walk { run: going.kept.run.clone(), at: numbers.len() })
    }

    /// The run with these numbers, to go on from.
    ///
    /// # Errors
    /// As [`Walks::walk`].
    pub(crate) fn going<'w>(
        &'w self,
        net: &'w Net,
        numbers: &[u32],
        budget: &Budget,
    ) -> Result<Going<'w>, Refusal> {
        let kept = match self.begun(numbers) {
            Begun::Whole(run) => Kept::beginning(&run, numbers),
            Begun::Part(kept) => kept,
        };
        let mut going = Going { walks: self, net, kept };
        going.go_on(numbers, budget)?;
        Ok(going)
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
        let Some(at) = best else { return Begun::Part(Kept::default()) };
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
        let beginning = Kept::beginning(&found.run, &numbers[..shared]);
        kept.push_back(found);
        Begun::Part(beginning)
    }

    fn keep(&self, new: Kept) {
        if new.bytes == 0 {
            return;
        }
        let mut kept = self.kept();
        // One that is the beginning of another adds nothing to it.
        kept.retain(|other| !new.numbers.starts_with(&other.numbers));
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
    /// A beginning, taken out; perhaps not even the initial state.
    Part(Kept),
}

impl Kept {
    /// The beginning of a run that has these numbers.
    fn beginning(run: &Run, numbers: &[u32]) -> Kept {
        let steps = run.steps[..numbers.len()].to_vec();
        let bytes =
            bytes(&run.initial) + steps.iter().map(|step| bytes(&step.state)).sum::<usize>();
        let run = Run { initial: run.initial.clone(), steps };
        Kept { numbers: numbers.to_vec(), run: Arc::new(run), bytes }
    }
}

/// A run that goes on. It is kept in the end.
pub(crate) struct Going<'w> {
    walks: &'w Walks,
    net: &'w Net,
    kept: Kept,
}

impl Drop for Going<'_> {
    fn drop(&mut self) {
        self.walks.keep(std::mem::take(&mut self.kept));
    }
}

impl Going<'_> {
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.kept.numbers
    }

    /// The state that it has come to.
    pub(crate) fn last(&self) -> &State {
        self.kept.run.last()
    }

    /// Goes on by a step, given all modes of its state.
    ///
    /// # Errors
    /// If the step is not there, or the run becomes too long.
    pub(crate) fn go(&mut self, modes: Vec<Mode>, number: u32) -> Result<(), Refusal> {
        let at = self.kept.numbers.len();
        if at >= MOST_STEPS || self.kept.bytes > MOST_BYTES_OF_RUN {
            return Err(too_long(at));
        }
        let count = modes.len();
        let mode = modes.into_iter().nth(number as usize).ok_or_else(|| {
            self.not_there(&match count {
                0 => "nothing can happen".to_owned(),
                1 => format!("there is one step, and {number} is not its number, which is 0"),
                _ => format!("there are {count} steps, and {number} is no number of one"),
            })
        })?;
        let fired = interpret::fire(self.net, self.last(), &mode);
        let fired = fired.map_err(|fault| self.not_there(&fault.kind.describe(self.net)))?;
        let step = RunStep { mode, children: fired.children, state: fired.state };
        self.kept.bytes += bytes(&step.state);
        self.kept.numbers.push(number);
        // Nobody else has it, unless an answer is being made of it at this moment.
        Arc::make_mut(&mut self.kept.run).steps.push(step);
        Ok(())
    }

    /// Goes on until it has all these numbers; its own are the first of them.
    fn go_on(&mut self, numbers: &[u32], budget: &Budget) -> Result<(), Refusal> {
        if numbers.len() > MOST_STEPS {
            return Err(too_long(MOST_STEPS));
        }
        if self.kept.bytes == 0 {
            let initial = interpret::initial(self.net);
            self.kept.bytes = bytes(&initial);
            self.kept.run = Arc::new(Run { initial, steps: Vec::new() });
        }
        for &number in &numbers[self.kept.numbers.len()..] {
            let modes = all_modes(self.net, self.last(), budget)?;
            let modes = modes.map_err(|fault| self.not_there(&fault.kind.describe(self.net)))?;
            self.go(modes, number)?;
        }
        Ok(())
    }

    fn not_there(&self, why: &str) -> Refusal {
        let at = self.kept.numbers.len();
        let message = format!("step {at} of the run is not there: {why}");
        Refusal::new(Code::NoSuchStep, message).with("at", at)
    }
}

fn too_long(steps: usize) -> Refusal {
    let message = format!("runs of {steps} steps are the longest that are walked here");
    Refusal::new(Code::TooLarge, message)
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
