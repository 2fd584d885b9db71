//! Whether a recorded trace is one of a model, found out by the plain interpreter alone.
//!
//! The initial state must be the model's; each step must be a mode that can fire where it is, must create and
//! end the threads it says, and must lead to exactly the state it says. Where the trace goes on for ever, the
//! last state must be the earlier one under a bijection that takes each thread to the one whose place it has
//! taken, and that keeps the relations that the model and the property observe: each thread is marked with a
//! token of its own, in the last state and, as the thread whose place it has, in the earlier one, and the
//! marked states must be equivalent. Members of colour classes may be permuted as the classes allow.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fold::layers::Layers;
use fold::{Folder, equivalent};
use net::interpret::{self, Mode};
use net::{Column, Compiled, Net, Place, PlaceKind, Property, Sort, Symmetry, TransitionId};
use serde_json::Value as Json;
use state::{Pid, Relations, State, Value};
use thiserror::Error;

use super::change::{copies_text, ended};
use super::record::{RecordStep, binding, constants};
use super::{Back, Record, Trace};
use crate::{Run, RunStep, mode_text};

/// How many modes are listed that could have fired.
const MOST_LISTED: usize = 4;

/// Where a trace is not one of the model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Mismatch {
    /// The trace starts elsewhere.
    #[error("the initial state is not the model's: {0}")]
    Initial(String),
    /// A step cannot be, or leads elsewhere.
    #[error("step {step}: {what}")]
    Step {
        /// The step; the first is 1.
        step: usize,
        /// What is wrong with it.
        what: String,
    },
    /// It does not go on as it says.
    #[error("the way back to state {to}: {what}")]
    Back {
        /// The state to which it is said to lead back.
        to: usize,
        /// What is wrong with it.
        what: String,
    },
}

impl Record {
    /// The trace of `net` that is recorded here.
    ///
    /// # Errors
    /// If it is none; with the first step that does not fit.
    pub fn replay(&self, net: &Net) -> Result<Trace, Mismatch> {
        let initial = interpret::initial(net);
        if let Some(difference) = difference(&self.initial, &initial) {
            return Err(Mismatch::Initial(difference));
        }
        let mut run = Run { initial, steps: Vec::new() };
        for (i, recorded) in self.steps.iter().enumerate() {
            let step = step(net, run.last(), recorded)
                .map_err(|what| Mismatch::Step { step: i + 1, what })?;
            run.steps.push(step);
        }
        if let Some(back) = &self.back {
            self.check_back(net, &run, back)
                .map_err(|what| Mismatch::Back { to: back.to, what })?;
        }
        Ok(Trace { back: self.back.clone(), ..Trace::from(run) })
    }

    /// In what the model of the trace differs from `net`, by its name and its constants: what a reader
    /// should know, and the likely reason for a mismatch. If the trace has no constants at all, that
    /// is no difference.
    #[must_use]
    pub fn differences(&self, net: &Net) -> Vec<String> {
        let mut differences = Vec::new();
        if self.model != net.name {
            let (theirs, ours) = (&self.model, &net.name);
            differences.push(format!("the trace is of a model named `{theirs}`, not `{ours}`"));
        }
        let text =
            |value: &Json| value["enum"].as_str().map_or_else(|| value.to_string(), str::to_owned);
        let ours = constants(net);
        for (name, value) in &self.constants {
            let made = format!("the trace was made with {name} = {}", text(value));
            match ours.get(name) {
                Some(own) if own == value => {}
                Some(own) => {
                    let (own, value) = (text(own), text(value));
                    differences.push(format!("{made}, not {own}; try --set {name}={value}"));
                }
                None => differences.push(format!("{made}, and the model has no such constant")),
            }
        }
        for name in ours.keys().filter(|name| !self.constants.contains_key(*name)) {
            if !self.constants.is_empty() {
                differences.push(format!("the trace does not say what `{name}` was"));
            }
        }
        differences
    }

    fn check_back(&self, net: &Net, run: &Run, back: &Back) -> Result<(), String> {
        let count = run.steps.len();
        let earlier = match back.to.checked_sub(1) {
            None => &run.initial,
            Some(i) => match run.steps.get(i) {
                Some(step) => &step.state,
                None => return Err(format!("there is none; the last state is {count}")),
            },
        };
        let last = run.last();
        let mut taken = BTreeSet::new();
        for (now, then) in &back.replaced {
            if !last.eta().contains_key(now) {
                return Err(format!("{now} is no thread of the last state"));
            }
            if !earlier.eta().contains_key(then) {
                return Err(format!("{then} is no thread of that state"));
            }
            if !taken.insert(then) {
                return Err(format!("two threads have taken the place of {then}"));
            }
        }
        if let Some(pid) = last.eta().keys().find(|pid| !back.replaced.contains_key(*pid)) {
            return Err(format!("it is not said whose place {pid} has taken"));
        }
        if let Some(pid) = earlier.eta().keys().find(|pid| !taken.contains(pid)) {
            return Err(format!("nobody has taken the place of {pid}"));
        }
        let is_shown = |property: &&Property| Some(&property.name) == self.property.as_ref();
        let relations = net.relations_with(net.properties.iter().find(is_shown));
        let marked = Marked::new(net, relations, back);
        let states = [
            marked.state(last, |now| back.replaced[now].clone()),
            marked.state(earlier, Clone::clone),
        ];
        if marked.are_equivalent(&states) {
            Ok(())
        } else {
            Err(format!("the last state is not that one, observing {relations}"))
        }
    }
}

fn step(net: &Net, state: &State, recorded: &RecordStep) -> Result<RunStep, String> {
    let name = &recorded.transition;
    let known = net.transitions.iter().position(|transition| transition.name == *name);
    let Some(known) = known else {
        return Err(format!("the model has no transition `{name}`"));
    };
    let faulty = |fault: net::Fault| format!("`{name}` has a fault: {}", fault.kind.describe(net));
    let modes = interpret::modes(net, state, TransitionId(known as u32)).map_err(faulty)?;
    let (fitting, others): (Vec<Mode>, Vec<Mode>) =
        modes.into_iter().partition(|mode| binding(net, mode) == recorded.binding);
    if fitting.is_empty() {
        return Err(cannot_fire(net, recorded, &others));
    }
    // Modes with the same binding may differ in tokens that `_` stands for.
    let mut wrong = None;
    for mode in fitting {
        let step = interpret::fire(net, state, &mode).map_err(faulty)?;
        match difference(&recorded.state, &step.state) {
            Some(difference) => {
                wrong.get_or_insert(difference);
            }
            None => {
                let RecordStep { born, ended: gone, .. } = recorded;
                let ended = ended(state, &step.state);
                if *born != step.children {
                    return Err(format!("`{name}` creates {}", not(&step.children, born)));
                }
                if *gone != ended {
                    return Err(format!("`{name}` ends {}", not(&ended, gone)));
                }
                return Ok(RunStep { mode, children: step.children, state: step.state });
            }
        }
    }
    Err(format!("`{name}` leads to another state: {}", wrong.unwrap_or_default()))
}

fn cannot_fire(net: &Net, recorded: &RecordStep, others: &[Mode]) -> String {
    let values = recorded.binding.iter().map(|(name, value)| {
        let plain = value.as_str().or_else(|| value["enum"].as_str());
        format!("{name} = {}", plain.map_or_else(|| value.to_string(), str::to_owned))
    });
    let values: Vec<String> = values.collect();
    let name = &recorded.transition;
    let with = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
    let said = match recorded.acts.first() {
        Some(act) => act.text(),
        None => format!("{name}{with}"),
    };
    let mut text = format!("`{said}` cannot fire");
    let could: Vec<String> =
        others.iter().take(MOST_LISTED).map(|mode| format!("`{}`", mode_text(net, mode))).collect();
    if !could.is_empty() {
        let more = if others.len() > MOST_LISTED { ", …" } else { "" };
        text += &format!("; {}{more} could", could.join(", "));
    }
    text
}

fn not(right: &[Pid], said: &[Pid]) -> String {
    let list = |pids: &[Pid]| match pids {
        [] => "nobody".to_owned(),
        pids => pids.iter().map(Pid::to_string).collect::<Vec<_>>().join(", "),
    };
    format!("{}, not {}", list(right), list(said))
}

/// What the trace says of a state, and the model does not, or the other way round.
fn difference(said: &State, right: &State) -> Option<String> {
    if said == right {
        return None;
    }
    let places: BTreeSet<&Arc<str>> = said.marked().chain(right.marked()).collect();
    for place in places {
        let tokens = said.tokens(place).chain(right.tokens(place));
        for token in tokens.map(|(token, _)| token) {
            let (theirs, ours) = (said.count(place, token), right.count(place, token));
            if theirs != ours {
                let token = copies_text(place, token, 1);
                return Some(format!(
                    "the model has `{token}` {}, the trace {}",
                    times(ours),
                    times(theirs)
                ));
            }
        }
    }
    let threads: BTreeSet<&Pid> = said.eta().keys().chain(right.eta().keys()).collect();
    threads.into_iter().find_map(|pid| {
        let children = |state: &State| match state.eta().get(pid) {
            None => "not active".to_owned(),
            Some(n) => format!("active, with {n} children so far"),
        };
        let (theirs, ours) = (children(said), children(right));
        (theirs != ours).then(|| format!("thread {pid} is {ours}, not {theirs}"))
    })
}

fn times(count: u32) -> String {
    match count {
        0 => "not at all".to_owned(),
        1 => "once".to_owned(),
        n => format!("{n} times"),
    }
}

/// States in which each thread has a mark of its own.
struct Marked<'a> {
    net: &'a Net,
    relations: Relations,
    place: Arc<str>,
    marks: BTreeMap<&'a Pid, i64>,
}

impl<'a> Marked<'a> {
    fn new(net: &'a Net, relations: Relations, back: &'a Back) -> Self {
        let mut name = "mark".to_owned();
        while net.places.iter().any(|place| *place.name == *name) {
            name.push('\'');
        }
        let marks = back.replaced.values().zip(0..).collect();
        Marked { net, relations, place: name.into(), marks }
    }

    /// The state with its threads marked as those that `as_whom` says.
    fn state(&self, state: &State, as_whom: impl Fn(&Pid) -> Pid) -> State {
        let mut marked = state.clone();
        for pid in state.eta().keys() {
            let token = vec![Value::Pid(pid.clone()), Value::Int(self.marks[&as_whom(pid)])];
            let fits = marked.put(&self.place, token, 1);
            assert!(fits, "each thread has one mark");
        }
        marked
    }

    fn are_equivalent(&self, states: &[State; 2]) -> bool {
        let [one, other] = states;
        if let Some(bijection) = equivalent(one, other, self.relations) {
            let [one, other] = states.each_ref().map(|state| Layers::new(state, self.relations));
            assert!(
                one.is_carried_by(&bijection, &other),
                "canonical forms are equal, but {bijection:?} is no isomorphism"
            );
            return true;
        }
        let has_classes = self.net.enumerations.iter().any(|e| e.symmetry != Symmetry::None);
        (has_classes || self.net.has_objects()) && self.are_folded_alike(states)
    }

    /// The same, where members of classes may be permuted too, objects may have other numbers, and records may be in
    /// another order.
    fn are_folded_alike(&self, states: &[State; 2]) -> bool {
        let sorts = [Sort::Pid, Sort::Int { min: 0, max: self.marks.len() as i64 }];
        let columns = sorts.map(Column::of).into();
        let place = Place::new(self.place.clone(), PlaceKind::Ordinary, columns);
        let mut net = self.net.clone();
        net.places.push(place);
        let compiled = Compiled::new(Arc::new(net), self.relations);
        let mut folder = Folder::new(compiled.schema(), self.relations);
        let [one, other] = states.each_ref().map(|state| {
            let mut bytes = Vec::new();
            folder.fold(&compiled.working(state).0, &mut bytes);
            bytes
        });
        one == other
    }
}
