//! A net to walk through, and what is known of it.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use budget::Budget;
use net::Net;
use trace::{Run, Trace};

use crate::classes::Classes;
use crate::refusal::Refusal;
use crate::walks::{Going, Walk, Walks};

/// The verdicts of which it is remembered what their runs show.
const MOST_SHOWN: usize = 64;

/// A net to walk through, and what is known of it.
pub(crate) struct View {
    pub(crate) net: Arc<Net>,
    walks: Walks,
    classes: OnceLock<Classes>,
    /// What runs show that were found by checking.
    shown: Mutex<VecDeque<Shown>>,
}

/// What the end of a run shows, beyond what can be seen of the run alone.
#[derive(Clone, Debug)]
struct Shown {
    numbers: Vec<u32>,
    property: Option<String>,
    /// Without its steps.
    trace: Trace,
}

impl View {
    pub(crate) fn of(net: Net) -> View {
        View {
            net: Arc::new(net),
            walks: Walks::default(),
            classes: OnceLock::new(),
            shown: Mutex::default(),
        }
    }

    /// The run with these numbers.
    pub(crate) fn walk(&self, numbers: &[u32], budget: &Budget) -> Result<Walk, Refusal> {
        self.walks.walk(&self.net, numbers, budget)
    }

    /// The run with these numbers, to go on from.
    pub(crate) fn going(&self, numbers: &[u32], budget: &Budget) -> Result<Going<'_>, Refusal> {
        self.walks.going(&self.net, numbers, budget)
    }

    /// The classes that were met.
    pub(crate) fn classes(&self) -> &Classes {
        self.classes.get_or_init(|| Classes::of(&self.net))
    }

    /// Remembers what the end of a run shows.
    pub(crate) fn remember(&self, numbers: Vec<u32>, property: Option<&str>, trace: &Trace) {
        let Trace { run, back, hopeless, failure, races } = trace;
        let trace = Trace {
            run: Run { initial: run.initial.clone(), steps: Vec::new() },
            back: back.clone(),
            hopeless: hopeless.clone(),
            failure: failure.clone(),
            races: races.clone(),
        };
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.push_back(Shown { numbers, property: property.map(str::to_owned), trace });
        if shown.len() > MOST_SHOWN {
            shown.pop_front();
        }
    }

    /// What was remembered of the end of a run for a property; all but the run itself.
    pub(crate) fn shown(&self, numbers: &[u32], property: Option<&str>) -> Option<Trace> {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let mut shown = shown.iter().rev();
        let shown = shown.find(|one| one.numbers == numbers && one.property.as_deref() == property);
        shown.map(|one| one.trace.clone())
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("net", &self.net.name).finish_non_exhaustive()
    }
}
