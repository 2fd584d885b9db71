//! Does a system treat pids as black boxes?
//!
//! Folding is right only if equivalent states have the same steps up to who is who (Klaudel et al. 2009,
//! Assumption 1): if `s ~ₕ s'` and `s → r` by `t`, then `s' → r'` by `h(t)` and `r ~ₕ' r'`, where `h'`
//! agrees with `h` on the pids that survive. For nets this holds by construction; a [`System`](crate::System) is code
//! and can do anything. The audit looks for a counterexample: it draws another state of the class
//! (see [`disguised`]), asks the system for the steps of both, and compares them. The pids that survive
//! a step are marked by extra tokens, which say from where in `s` they come, before the successors are
//! compared by their representatives.
//!
//! A breach that is found is one. That none was found proves nothing, but what code commonly gets wrong
//! (reading digits or counters, relying on the order of pids, observing more than it declares) shows in
//! a few draws. Each draw costs about as much as expanding the state twice.

mod disguise;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use canon::Canoniser;
use state::{Pid, Relations, State, Value};

pub use disguise::disguised;

use crate::checked::{configuration, renaming};
use crate::{Step, canonical};

/// Two equivalent states, one of which has a step that the other has not: a breach of Assumption 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asymmetry {
    /// The state with the step.
    pub state: State,
    /// The state without.
    pub other: State,
    /// The bijection from the pids of the one to those of the other.
    pub renamed: BTreeMap<Pid, Pid>,
    /// Ω.
    pub relations: Relations,
    /// The step.
    pub step: Step,
}

impl fmt::Display for Asymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Asymmetry { state, other, renamed, relations, step } = self;
        writeln!(f, "the steps depend on more of the pids than {{{relations}}}.")?;
        writeln!(f, "Only who is who tells these states apart:")?;
        writeln!(f, "  {}", configuration(state))?;
        writeln!(f, "  {}", configuration(other))?;
        writeln!(f, "by the renaming {}; but the first has the step", renaming(renamed))?;
        writeln!(f, "  {step}, to {}", configuration(&step.state))?;
        writeln!(f, "and the second has none, or fewer, like it.")?;
        write!(
            f,
            "Declare the relations that are used; look at no digits, order or counters of pids"
        )
    }
}

/// Compares the steps of two states that the bijection `renamed` shows to be equivalent up to
/// `relations`. `steps` and `others` are all of theirs.
pub fn compare(
    (state, steps): (&State, &[Step]),
    (other, others): (&State, &[Step]),
    renamed: &BTreeMap<Pid, Pid>,
    relations: Relations,
    canoniser: &mut Canoniser,
) -> Result<(), Box<Asymmetry>> {
    // The pids of both states by one numbering.
    let numbers: BTreeMap<&Pid, i64> = renamed.keys().zip(0..).collect();
    let other_numbers: BTreeMap<&Pid, i64> = renamed.values().zip(0..).collect();
    let mark = marking_place(steps.iter().chain(others));
    let mut kinds: BTreeMap<Kind, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (i, step) in steps.iter().enumerate() {
        kinds.entry(kind(step, &numbers, &mark, relations, canoniser)).or_default().0.push(i);
    }
    for (i, step) in others.iter().enumerate() {
        kinds.entry(kind(step, &other_numbers, &mark, relations, canoniser)).or_default().1.push(i);
    }
    let unequal = kinds.values().find(|(ours, theirs)| ours.len() != theirs.len());
    let Some((ours, theirs)) = unequal else { return Ok(()) };
    let back = || renamed.iter().map(|(a, b)| (b.clone(), a.clone())).collect();
    let (state, other, renamed, step) = match ours.len() > theirs.len() {
        true => (state, other, renamed.clone(), &steps[ours[0]]),
        false => (other, state, back(), &others[theirs[0]]),
    };
    let (state, other, step) = (state.clone(), other.clone(), step.clone());
    Err(Box::new(Asymmetry { state, other, renamed, relations, step }))
}

/// What equivalent steps have in common: the action, who acts, and where it leads, the surviving pids
/// marked.
type Kind = (String, Option<i64>, State);

fn kind(
    step: &Step,
    numbers: &BTreeMap<&Pid, i64>,
    mark: &Arc<str>,
    relations: Relations,
    canoniser: &mut Canoniser,
) -> Kind {
    let mut marked = step.state.clone();
    for pid in step.state.pids() {
        if let Some(&number) = numbers.get(&pid) {
            let fits = marked.put(mark, vec![Value::Pid(pid), Value::Int(number)], 1);
            assert!(fits, "the place was empty");
        }
    }
    let thread = step.thread.as_ref().and_then(|thread| numbers.get(thread).copied());
    (step.action.to_string(), thread, canonical(&marked, relations, canoniser).state)
}

/// The name of a place that no successor uses.
fn marking_place<'a>(steps: impl Iterator<Item = &'a Step> + Clone) -> Arc<str> {
    let mut name = String::from("survives");
    while steps.clone().any(|step| step.state.marked().any(|place| **place == *name)) {
        name.push('\'');
    }
    name.into()
}
