//! Symbolic bindings: the ways to choose values for the variables of a transition, up to
//! permutations within dynamic subclasses.
//!
//! A variable of a symmetric class is bound to an element of a dynamic subclass Z: to one that
//! another variable already names, or to a further one if there is one left. There is only one way
//! to choose a further one (Thierry-Mieg et al. 2004, section 4): the elements of Z are numbered as
//! they are named. A binding that names k elements of Z stands for |Z| (|Z| − 1) … (|Z| − k + 1)
//! concrete ones for each Z, all of them alike. Each concrete binding belongs to exactly one
//! symbolic binding, since a tuple of elements belongs to exactly one entry.
//!
//! Cost: that of the join which the plan describes; nothing depends on sizes.

use std::ops::ControlFlow;

use crate::explicit::marking::{Marking, number_elements};
use crate::explicit::plan::{Pattern, Plan, Step};
use crate::explicit::rules::{Inhibitor, Kind, Rules, Transition};
use crate::word::{dynamic, falling, word};

/// The values of variables, and how many elements of each dynamic subclass they name.
#[derive(Debug, Default)]
pub(crate) struct Binder {
    pub(crate) values: Vec<u32>,
    pub(crate) named: Vec<u32>,
    /// The count of the entry that was matched last.
    matched: u32,
    tuple: Vec<u32>,
    scratch: Vec<u32>,
    /// How many were named before the matches of an inhibitor were counted.
    before: Vec<u32>,
}

/// Whether to go on.
pub(crate) type Flow = ControlFlow<()>;

/// Go on.
pub(crate) const ON: Flow = Flow::Continue(());

/// After this many values were tried, the sink is asked whether to stop.
pub(crate) const TRIES_PER_QUESTION: u32 = 64;

/// Where bindings go.
pub(crate) trait Sink {
    /// Takes a binding.
    fn bound(&mut self, binder: &mut Binder) -> Flow;

    /// Whether looking for more is of no use; asked now and then, also where nothing is found.
    fn is_enough(&mut self) -> bool {
        false
    }
}

impl<F: FnMut(&mut Binder) -> Flow> Sink for F {
    fn bound(&mut self, binder: &mut Binder) -> Flow {
        self(binder)
    }
}

impl Binder {
    /// Calls `sink` with each binding of a transition that its plan finds, inhibitors not looked
    /// at. The marking must have its dynamic subclasses in the order of static ones.
    pub(crate) fn for_each_binding(
        &mut self,
        rules: &Rules,
        marking: &Marking,
        transition: &Transition,
        sink: &mut impl Sink,
    ) -> Flow {
        if transition.needed.iter().any(|&place| marking.is_empty(place)) {
            return ON;
        }
        self.values.clear();
        self.values.resize(transition.symmetric.len(), 0);
        self.named.clear();
        self.named.resize(marking.sizes.len(), 0);
        for &(var, subclass) in &transition.constants {
            let of = marking.subclasses.partition_point(|&other| other < subclass);
            self.values[var as usize] = word(of as u32, 0);
            self.named[of] = 1;
        }
        self.follow(rules, marking, &transition.plan, sink)
    }

    /// Whether an inhibitor forbids the binding at hand.
    pub(crate) fn is_inhibited(
        &mut self,
        rules: &Rules,
        marking: &Marking,
        inhibitor: &Inhibitor,
    ) -> bool {
        let bound = self.values.len();
        self.values.resize(bound + inhibitor.locals as usize, 0);
        let mut before = std::mem::take(&mut self.before);
        before.clone_from(&self.named);
        let mut sum = 0_u128;
        let most = u128::from(inhibitor.count);
        let flow = if most == 0 {
            Flow::Break(())
        } else {
            self.follow(rules, marking, &inhibitor.plan, &mut |binder: &mut Binder| {
                let tuples = choices(&marking.sizes, &before, &binder.named).unwrap_or(u128::MAX);
                sum = sum.saturating_add(tuples.saturating_mul(u128::from(binder.matched)));
                if sum >= most { Flow::Break(()) } else { ON }
            })
        };
        self.values.truncate(bound);
        self.before = before;
        flow.is_break()
    }

    fn follow(
        &mut self,
        rules: &Rules,
        marking: &Marking,
        plan: &Plan,
        sink: &mut impl Sink,
    ) -> Flow {
        Follow { rules, marking, steps: &plan.steps, binder: self, sink, tries: 0 }.step(0)
    }
}

/// The number of ways to name further elements, from `before` to `after`; `None` if it does not
/// fit.
pub(crate) fn choices(sizes: &[u32], before: &[u32], after: &[u32]) -> Option<u128> {
    sizes.iter().zip(before.iter().zip(after)).try_fold(
        1_u128,
        |product, (&size, (&before, &after))| {
            if before == after {
                return Some(product);
            }
            product.checked_mul(falling(size - before, after - before)?)
        },
    )
}

/// A plan that is being followed.
struct Follow<'a, S> {
    rules: &'a Rules,
    marking: &'a Marking,
    steps: &'a [Step],
    binder: &'a mut Binder,
    sink: &'a mut S,
    /// The values tried since the sink was asked whether to stop.
    tries: u32,
}

impl<S: Sink> Follow<'_, S> {
    /// Follows the steps from this one on, in all ways.
    fn step(&mut self, at: usize) -> Flow {
        let Some(step) = self.steps.get(at) else { return self.sink.bound(self.binder) };
        match step {
            Step::Entry { place, count, patterns } => {
                let stride = patterns.len() + 1;
                for from in self.marking.range(*place).step_by(stride) {
                    self.try_one()?;
                    let entry = &self.marking.words[from..from + stride];
                    if entry[0] >= *count {
                        self.binder.matched = entry[0];
                        self.component(at, patterns, &entry[1..], 0)?;
                    }
                }
                ON
            }
            Step::Known { place, count, tuple } => {
                let info = &self.rules.places[*place as usize];
                let Binder { values, tuple: known, scratch, .. } = self.binder;
                known.clear();
                for operand in tuple {
                    let Some(value) = operand.value(values) else { return ON };
                    known.push(value);
                }
                if known.len() > 1 {
                    let symmetric = |i: usize| info.columns[i].kind == Kind::Symmetric;
                    number_elements(known, symmetric, scratch);
                } else if info.symmetric {
                    known[0] = word(dynamic(known[0]), 0);
                }
                let Some(entry) = self.marking.find(*place, info, known) else { return ON };
                let there = self.marking.range(*place).start + entry * info.stride();
                self.binder.matched = self.marking.words[there];
                if self.binder.matched >= *count { self.step(at + 1) } else { ON }
            }
            Step::Row { table, known, patterns } => {
                let Binder { values, tuple: key, .. } = self.binder;
                key.clear();
                for operand in known {
                    let Some(value) = operand.value(values) else { return ON };
                    key.push(value);
                }
                for (others, count) in table.rows(key) {
                    self.try_one()?;
                    self.binder.matched = count;
                    self.component(at, patterns, others, 0)?;
                }
                ON
            }
            Step::Let(var, operand, from) => {
                let value = from.value(&self.binder.values);
                let Some(value) = value.and_then(|value| operand.solved(value)) else { return ON };
                self.binder.values[*var as usize] = value;
                self.step(at + 1)
            }
            Step::Any { var, class, symmetric: true, .. } => {
                for of in 0..self.marking.sizes.len() as u32 {
                    let subclass = self.marking.subclasses[of as usize];
                    if self.rules.subclasses[subclass as usize].class == *class {
                        for which in 0..=self.binder.named[of as usize] {
                            self.try_one()?;
                            self.name(*var, of, which, |follow| follow.step(at + 1))?;
                        }
                    }
                }
                ON
            }
            Step::Any { var, size, .. } => {
                for element in 0..*size {
                    self.try_one()?;
                    self.binder.values[*var as usize] = element;
                    self.step(at + 1)?;
                }
                ON
            }
            Step::Test(test) => {
                if test.holds(&self.binder.values, &self.marking.subclasses) {
                    self.step(at + 1)
                } else {
                    ON
                }
            }
        }
    }

    /// Counts a value that is tried.
    #[inline]
    fn try_one(&mut self) -> Flow {
        self.tries += 1;
        if self.tries == TRIES_PER_QUESTION {
            self.tries = 0;
            if self.sink.is_enough() {
                return Flow::Break(());
            }
        }
        ON
    }

    /// Matches the components of an entry from this one on, and goes on with the next step.
    fn component(&mut self, at: usize, patterns: &[Pattern], tuple: &[u32], i: usize) -> Flow {
        let Some(&pattern) = patterns.get(i) else { return self.step(at + 1) };
        let this = tuple[i];
        match pattern {
            Pattern::Meet(var) => {
                let of = dynamic(this);
                for which in 0..=self.binder.named[of as usize] {
                    if self.fits(patterns, tuple, i, word(of, which)) {
                        self.name(var, of, which, |follow| {
                            follow.component(at, patterns, tuple, i + 1)
                        })?;
                    }
                }
                ON
            }
            Pattern::Same(var) => {
                let value = self.binder.values[var as usize];
                if dynamic(value) == dynamic(this) && self.fits(patterns, tuple, i, value) {
                    self.component(at, patterns, tuple, i + 1)
                } else {
                    ON
                }
            }
            Pattern::Solve(var, operand) => {
                let Some(value) = operand.solved(this) else { return ON };
                self.binder.values[var as usize] = value;
                self.component(at, patterns, tuple, i + 1)
            }
            Pattern::Is(operand) => {
                if operand.value(&self.binder.values) == Some(this) {
                    self.component(at, patterns, tuple, i + 1)
                } else {
                    ON
                }
            }
        }
    }

    /// Whether a value is equal to those of earlier components exactly where the entry says so.
    fn fits(&self, patterns: &[Pattern], tuple: &[u32], i: usize, value: u32) -> bool {
        patterns[..i].iter().zip(tuple).all(|(pattern, &other)| match *pattern {
            Pattern::Meet(var) | Pattern::Same(var) => {
                let met = self.binder.values[var as usize];
                (met == value) == (other == tuple[i])
            }
            Pattern::Solve(..) | Pattern::Is(_) => true,
        })
    }

    /// Binds a variable to the element of a dynamic subclass with this number, a further one if it
    /// is the number of those named.
    #[inline]
    fn name(
        &mut self,
        var: u32,
        of: u32,
        which: u32,
        then: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        let named = self.binder.named[of as usize];
        if which == named && named == self.marking.sizes[of as usize] {
            return ON;
        }
        self.binder.values[var as usize] = word(of, which);
        self.binder.named[of as usize] = named.max(which + 1);
        let flow = then(self);
        self.binder.named[of as usize] = named;
        flow
    }
}
