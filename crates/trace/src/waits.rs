//! Who waits for what in a state in which nothing can fire.
//!
//! A transition is taken apart into its conditions: the threads that take part, the tokens that are taken
//! and read, the guard, what must not be there. They are put together again one by one, and the plain
//! interpreter is asked each time for the modes of what there is so far. The first condition under which no
//! mode is left is what the transition waits for. With a thread given, the thread comes first, and only modes
//! in which it has that part count.
//!
//! Expressions whose variables no condition so far has bound are left out until they are. The number of
//! combinations tried is limited; where that is not enough, nothing is said of the transition.
//!
//! Of a net that was made of processes it is said in the words of the program ([`told`]). There the other threads come
//! after the tokens, so that the object is known where nobody comes to meet the thread, and a guard is taken apart.

mod conditions;
mod reason;
#[cfg(test)]
mod tests;
mod told;
pub(crate) mod words;

use std::collections::BTreeSet;
use std::fmt;

use budget::{Budget, Exhausted};
use fold::Concrete;
use net::interpret::{self, Mode};
use net::{Net, TransitionId};
use state::{Pid, State};

use super::change::{At, whereabouts};
use super::speech::Speech;
use conditions::Conditions;

/// How often the interpreter may ask whether it has tried enough.
const MOST_QUESTIONS: u32 = 2_000;

/// How many transitions are explained of a thread, or of a net without threads.
const MOST_REASONS: usize = 5;

/// Whether no transition can fire. Where that takes too long to find out: no.
#[must_use]
pub fn is_dead(net: &Net, state: &State) -> bool {
    let (mut found, mut questions) = (false, 0);
    let mut net = net;
    let looked = net.successors(state, &mut |successor| {
        questions += 1;
        found |= successor.is_some();
        found || questions > MOST_QUESTIONS
    });
    looked.is_ok() && !found && questions <= MOST_QUESTIONS
}

/// What threads at one place, or a net without threads, wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The threads; none in a net without threads.
    pub threads: Vec<Pid>,
    /// What they are called in a net that was made of processes.
    pub names: Vec<String>,
    /// Where they are, such as `listening(0)`.
    pub at: Option<String>,
    /// The line of that, from 1, in a net that was made of processes.
    pub line: Option<usize>,
    /// What keeps each of the transitions from firing that could go on from there; the nearest to firing
    /// first.
    pub reasons: Vec<String>,
    /// How many more transitions there are.
    pub more: usize,
    /// The ordinary places whose tokens, or the lack of them, these reasons name. Of processes: the objects and
    /// global variables.
    pub places: BTreeSet<Name>,
    /// Of processes: those whose end is waited for.
    pub ends: BTreeSet<Pid>,
    /// Whether they are asleep, and not woken.
    pub(crate) is_asleep: bool,
    /// Of programs that were translated: objects, each with the variable whose last change is the reason.
    pub(crate) since: BTreeSet<(Name, String)>,
}

/// What is said of threads that can act, but never come to an end.
pub(crate) const GOES_ON: &str = "goes on, but never to an end";

/// The name of a place.
type Name = std::sync::Arc<str>;

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(at), true) = (&self.at, self.is_asleep) {
            return write!(f, "{}: {} at {at}", self.reasons.join("; "), self.names.join(", "));
        }
        if let (Some(at), false) = (&self.at, self.names.is_empty()) {
            let verb = if self.names.len() == 1 { "waits" } else { "wait" };
            write!(f, "{} at {at} ", self.names.join(", "))?;
            return match &self.reasons[..] {
                [] => f.write_str("cannot go on"),
                [only] if self.places.is_empty() && only == GOES_ON => f.write_str(only),
                reasons => write!(f, "{verb}: {}", reasons.join("; ")),
            };
        }
        if let Some(at) = &self.at {
            let pids: Vec<String> = self.threads.iter().map(Pid::to_string).collect();
            let noun = if pids.len() == 1 { "thread" } else { "threads" };
            write!(f, "{noun} {} at {at}: ", pids.join(", "))?;
        }
        if self.reasons.is_empty() {
            return f.write_str("no transition goes on from there");
        }
        f.write_str(&self.reasons.join("; "))?;
        match self.more {
            0 => Ok(()),
            1 => f.write_str("; and one more transition"),
            more => write!(f, "; and {more} more transitions"),
        }
    }
}

/// Who waits for what, in a state in which nothing can fire. Threads that wait for the same are together.
#[must_use]
pub fn waits(net: &Net, state: &State) -> Vec<Wait> {
    let unlimited = Budget::unlimited();
    let waits = if state.eta().is_empty() {
        waits_without_threads(net, state, &unlimited)
    } else {
        let busy: Vec<Pid> = whereabouts(net, state).into_keys().collect();
        waits_of(net, state, (&busy, true), &unlimited)
    };
    waits.expect("there is no limit")
}

/// What the transitions of a net wait for, where there are no threads that could.
pub(crate) fn waits_without_threads(
    net: &Net,
    state: &State,
    budget: &Budget,
) -> Result<Vec<Wait>, Exhausted> {
    let mut trial = Trial::new(net, state, budget);
    let mut unmet = Vec::new();
    for id in that_fire(net) {
        unmet.extend(Conditions::of(net, id, None).unmet(&mut trial, None)?);
    }
    let (unmet, more) = nearest(unmet);
    // In a net without threads each transition is for itself.
    let alone = |unmet: Unmet| Wait::of(Vec::new(), None, vec![unmet], 0);
    let mut waits: Vec<Wait> = unmet.into_iter().map(alone).collect();
    if let Some(last) = waits.last_mut() {
        last.more = more;
    }
    Ok(waits)
}

/// Who among some threads, none of whom can act, waits for what; and whether no one who is not among them will change
/// that. Threads that wait for the same are together, and those that may wait for ever are left out.
pub(crate) fn waits_of(
    net: &Net,
    state: &State,
    (threads, for_ever): (&[Pid], bool),
    budget: &Budget,
) -> Result<Vec<Wait>, Exhausted> {
    let mut trial = Trial::new(net, state, budget);
    let speech = Speech::of(net);
    let is_idle = |at: &At| net.places.iter().any(|place| place.idle && place.name == at.place);
    let threads: BTreeSet<&Pid> = threads.iter().collect();
    let mut waits: Vec<Wait> = Vec::new();
    for (pid, at) in whereabouts(net, state) {
        if !threads.contains(&pid) || is_idle(&at) {
            continue;
        }
        let mut wait = wait_of(net, speech.as_ref(), &mut trial, pid, &at, &|_, _| true)?;
        wait.is_for_ever(for_ever);
        add(&mut waits, wait);
    }
    Ok(waits)
}

/// Adds one who waits to those who wait for the same.
pub(crate) fn add(waits: &mut Vec<Wait>, wait: Wait) {
    let same = waits.iter_mut().find(|other| {
        (&other.at, &other.reasons, other.more) == (&wait.at, &wait.reasons, wait.more)
    });
    match same {
        Some(other) => {
            other.threads.extend(wait.threads);
            other.names.extend(wait.names);
        }
        None => waits.push(wait),
    }
}

/// What a thread waits for that cannot take its part in any of some transitions, each with the number of that part.
pub(crate) fn reasons(
    net: &Net,
    speech: Option<&Speech>,
    trial: &mut Trial,
    (pid, at): (&Pid, &At),
    parts: &[(TransitionId, usize)],
) -> Result<Vec<String>, Exhausted> {
    let is_meant = |id, role| parts.contains(&(id, role));
    Ok(wait_of(net, speech, trial, pid.clone(), at, &is_meant)?.reasons)
}

/// Whether a part in a transition is meant.
type IsMeant<'a> = dyn Fn(TransitionId, usize) -> bool + 'a;

fn wait_of(
    net: &Net,
    speech: Option<&Speech>,
    trial: &mut Trial,
    pid: Pid,
    at: &At,
    is_meant: &IsMeant,
) -> Result<Wait, Exhausted> {
    match speech {
        Some(speech) => told::wait(speech, trial, pid, at, is_meant),
        None => {
            let (unmet, more) = nearest(of_thread(net, trial, &pid, at, is_meant)?);
            Ok(Wait::of(vec![pid], Some(at.text()), unmet, more))
        }
    }
}

impl Wait {
    /// Says of one who is asleep whether no one will wake it.
    pub(crate) fn is_for_ever(&mut self, for_ever: bool) {
        if self.is_asleep && for_ever {
            let reasons = self.reasons.iter_mut();
            reasons.for_each(|reason| *reason += ", and no one is left to signal it");
        }
    }

    /// One who can act, but whom that brings no nearer to an end.
    pub(crate) fn goes_on(&mut self) {
        (self.reasons, self.more) = (vec![GOES_ON.into()], 0);
        self.places.clear();
    }

    fn of(threads: Vec<Pid>, at: Option<String>, unmet: Vec<Unmet>, more: usize) -> Wait {
        let places = unmet.iter().filter_map(|unmet| unmet.place.clone()).collect();
        let reasons = unmet.into_iter().map(|unmet| unmet.reason).collect();
        let (names, ends, since) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        let (line, is_asleep) = (None, false);
        Wait { threads, names, at, line, reasons, more, places, ends, is_asleep, since }
    }
}

/// Who cannot act in a state, whatever others can, and what each waits for.
#[must_use]
pub fn waiting(net: &Net, state: &State) -> Vec<Wait> {
    let busy = whereabouts(net, state);
    let waiting: Vec<Pid> = busy.keys().filter(|pid| !can_act(net, state, pid)).cloned().collect();
    let for_ever = waiting.len() == busy.len();
    waits_of(net, state, (&waiting, for_ever), &Budget::unlimited()).expect("there is no limit")
}

/// Whether a thread acts in some mode that can fire. Where that takes too long to find out: no.
pub(crate) fn can_act(net: &Net, state: &State, pid: &Pid) -> bool {
    (0..net.transitions.len() as u32).map(TransitionId).any(|id| {
        let acting = || net.transition(id).participants.iter().filter(|one| !one.passive);
        let (mut acts, mut questions) = (false, 0);
        let tried = interpret::for_each_mode(net, state, id, &mut |mode| {
            questions += 1;
            let is_it =
                |mode: Mode| acting().any(|one| mode.binding[&one.thread].as_pid() == Some(pid));
            acts |= mode.is_some_and(is_it);
            acts || questions > MOST_QUESTIONS
        });
        tried.is_ok() && acts
    })
}

/// What keeps a transition from firing in a state: the first of its conditions that nothing there fulfils.
/// `None` if it can fire, or if that takes too long to find out.
#[must_use]
pub fn unmet(net: &Net, state: &State, transition: TransitionId) -> Option<String> {
    unmet_within(net, state, transition, &Budget::unlimited()).expect("there is no limit")
}

/// The same, unless the budget is used up before.
pub(crate) fn unmet_within(
    net: &Net,
    state: &State,
    transition: TransitionId,
    budget: &Budget,
) -> Result<Option<String>, Exhausted> {
    let mut trial = Trial::new(net, state, budget);
    let unmet = Conditions::of(net, transition, None).unmet(&mut trial, None)?;
    Ok(unmet.map(|unmet| unmet.reason))
}

/// The transitions that can fire at all.
fn that_fire(net: &Net) -> impl Iterator<Item = TransitionId> {
    let all = (0..net.transitions.len() as u32).map(TransitionId);
    all.filter(|id| !net.transition(*id).probe)
}

/// A state in which conditions are tried, within a budget.
pub(crate) struct Trial<'a> {
    /// The net without its transitions, which gets the conditions that are tried.
    bare: Net,
    state: &'a State,
    budget: &'a Budget,
}

impl<'a> Trial<'a> {
    pub fn new(net: &Net, state: &'a State, budget: &'a Budget) -> Trial<'a> {
        let bare = Net {
            name: net.name.clone(),
            enumerations: net.enumerations.clone(),
            fresh: net.fresh.clone(),
            places: net.places.clone(),
            ..Net::default()
        };
        Trial { bare, state, budget }
    }
}

/// What keeps a transition from firing.
struct Unmet {
    /// How many of its conditions are left to be looked at then.
    left: usize,
    reason: String,
    /// The ordinary place that the condition is about.
    place: Option<Name>,
}

/// The first few of what is nearest to firing, each reason once, and how many more there are.
fn nearest(mut unmet: Vec<Unmet>) -> (Vec<Unmet>, usize) {
    unmet.sort_by_key(|unmet| unmet.left);
    let mut seen = BTreeSet::new();
    unmet.retain(|unmet| seen.insert(unmet.reason.clone()));
    let more = unmet.len().saturating_sub(MOST_REASONS);
    unmet.truncate(MOST_REASONS);
    (unmet, more)
}

fn of_thread(
    net: &Net,
    trial: &mut Trial,
    pid: &Pid,
    at: &At,
    is_meant: &IsMeant,
) -> Result<Vec<Unmet>, Exhausted> {
    let mut all = Vec::new();
    for id in that_fire(net) {
        let rule = net.transition(id);
        // Nobody waits for what must not happen, or for what others do to it.
        if rule.failure.is_some() || rule.probe {
            continue;
        }
        let mut nearest: Option<Unmet> = None;
        for (role, one) in rule.participants.iter().enumerate() {
            if one.passive || net.place(one.from).name != at.place || !is_meant(id, role) {
                continue;
            }
            let conditions = Conditions::of(net, id, Some(role));
            // The thread itself comes first: what its own data keep it from is not what it waits for.
            let others = conditions.list.len() - 1;
            let unmet = conditions.unmet(trial, Some(pid))?.filter(|unmet| unmet.left < others);
            let is_nearer = |new: &Unmet| nearest.as_ref().is_none_or(|old| new.left < old.left);
            if let Some(unmet) = unmet.filter(is_nearer) {
                nearest = Some(unmet);
            }
        }
        all.extend(nearest);
    }
    Ok(all)
}
