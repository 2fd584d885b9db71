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

mod reason;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use fold::Concrete;
use net::interpret::{self, Mode};
use net::{Arc, Expr, Inhibitor, Net, Participant, Transition, TransitionId, Var};
use state::{Pid, State, Value};

use super::change::{At, whereabouts};

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
    /// Where they are, such as `listening(0)`.
    pub at: Option<String>,
    /// What keeps each of the transitions from firing that could go on from there; the nearest to firing
    /// first.
    pub reasons: Vec<String>,
    /// How many more transitions there are.
    pub more: usize,
    /// The ordinary places whose tokens, or the lack of them, these reasons name.
    pub places: BTreeSet<Name>,
}

/// The name of a place.
type Name = std::sync::Arc<str>;

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    let mut bare = without_transitions(net);
    if state.eta().is_empty() {
        let unmet = that_fire(net);
        let unmet =
            unmet.filter_map(|id| Conditions::of(net, id, None).unmet(&mut bare, state, None));
        let (unmet, more) = nearest(unmet.collect());
        // In a net without threads each transition is for itself.
        let alone = |unmet: Unmet| Wait::of(Vec::new(), None, vec![unmet], 0);
        let mut waits: Vec<Wait> = unmet.into_iter().map(alone).collect();
        if let Some(last) = waits.last_mut() {
            last.more = more;
        }
        return waits;
    }
    let busy: Vec<Pid> = whereabouts(net, state).into_keys().collect();
    waits_of(net, state, &busy)
}

/// Who among some threads, none of whom can act, waits for what. Threads that wait for the same are together, and
/// those that may wait for ever are left out.
pub(crate) fn waits_of(net: &Net, state: &State, threads: &[Pid]) -> Vec<Wait> {
    let mut bare = without_transitions(net);
    let is_idle = |at: &At| net.places.iter().any(|place| place.idle && place.name == at.place);
    let all = whereabouts(net, state).into_iter();
    let all = all.filter(|(pid, at)| threads.contains(pid) && !is_idle(at));
    let mut waits: Vec<Wait> = Vec::new();
    for (pid, at) in all {
        let (unmet, more) = nearest(of_thread(net, &mut bare, state, &pid, &at));
        let wait = Wait::of(vec![pid], Some(at.text()), unmet, more);
        let same = waits.iter_mut().find(|other| {
            (&other.at, &other.reasons, other.more) == (&wait.at, &wait.reasons, wait.more)
        });
        match same {
            Some(other) => other.threads.extend(wait.threads),
            None => waits.push(wait),
        }
    }
    waits
}

impl Wait {
    fn of(threads: Vec<Pid>, at: Option<String>, unmet: Vec<Unmet>, more: usize) -> Wait {
        let places = unmet.iter().filter_map(|unmet| unmet.place.clone()).collect();
        let reasons = unmet.into_iter().map(|unmet| unmet.reason).collect();
        Wait { threads, at, reasons, more, places }
    }
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
    let mut bare = without_transitions(net);
    Some(Conditions::of(net, transition, None).unmet(&mut bare, state, None)?.reason)
}

/// The transitions that can fire at all.
fn that_fire(net: &Net) -> impl Iterator<Item = TransitionId> {
    let all = (0..net.transitions.len() as u32).map(TransitionId);
    all.filter(|id| !net.transition(*id).probe)
}

/// The net with its places and without its transitions.
fn without_transitions(net: &Net) -> Net {
    Net {
        name: net.name.clone(),
        enumerations: net.enumerations.clone(),
        fresh: net.fresh.clone(),
        places: net.places.clone(),
        ..Net::default()
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

fn of_thread(net: &Net, bare: &mut Net, state: &State, pid: &Pid, at: &At) -> Vec<Unmet> {
    let mut unmet = Vec::new();
    for id in that_fire(net) {
        let rule = net.transition(id);
        // Nobody waits for what must not happen, or for what others do to it.
        if rule.failure.is_some() || rule.probe {
            continue;
        }
        let participants = rule.participants.iter().enumerate().filter(|(_, one)| !one.passive);
        let roles = participants.filter(|(_, one)| net.place(one.from).name == at.place);
        let reasons = roles.filter_map(|(role, _)| {
            let conditions = Conditions::of(net, id, Some(role));
            // The thread itself comes first: what its own data keep it from is not what it waits for.
            let others = conditions.list.len() - 1;
            conditions.unmet(bare, state, Some(pid)).filter(|unmet| unmet.left < others)
        });
        unmet.extend(reasons.min_by_key(|unmet| unmet.left));
    }
    unmet
}

/// A condition of a transition.
#[derive(Clone, Copy)]
enum Condition<'a> {
    Thread(&'a Participant),
    Take(&'a Arc),
    Read(&'a Arc),
    Guard(&'a Expr),
    Unless(&'a Inhibitor),
}

/// The conditions of a transition, in the order in which they are put together.
struct Conditions<'a> {
    net: &'a Net,
    rule: &'a Transition,
    /// The participant that the thread is.
    role: Option<usize>,
    list: Vec<Condition<'a>>,
}

impl<'a> Conditions<'a> {
    fn of(net: &'a Net, transition: TransitionId, role: Option<usize>) -> Conditions<'a> {
        let rule = net.transition(transition);
        let others = (0..rule.participants.len()).filter(|i| Some(*i) != role);
        let threads = role.into_iter().chain(others).map(|i| &rule.participants[i]);
        let mut list: Vec<Condition> = threads.map(Condition::Thread).collect();
        // Arcs for each member bind nothing, and come when all is bound.
        for each in [false, true] {
            let wanted = |arc: &&Arc| arc.each.is_empty() != each;
            list.extend(rule.takes.iter().filter(wanted).map(Condition::Take));
            list.extend(rule.reads.iter().filter(wanted).map(Condition::Read));
        }
        list.extend(rule.guard.iter().map(Condition::Guard));
        list.extend(rule.inhibitors.iter().map(Condition::Unless));
        Conditions { net, rule, role, list }
    }

    /// The first condition under which no mode is left. `bare` is the net without transitions, which gets
    /// that put together so far.
    fn unmet(self, bare: &mut Net, state: &State, pid: Option<&Pid>) -> Option<Unmet> {
        let mut before = vec![Mode {
            transition: TransitionId(0),
            binding: BTreeMap::new(),
            tokens: Vec::new(),
        }];
        for count in 1..=self.list.len() {
            bare.transitions = vec![self.first(count)];
            let (mut modes, mut questions) = (Vec::new(), 0);
            let found = interpret::for_each_mode(bare, state, TransitionId(0), &mut |mode| {
                questions += u32::from(mode.is_none());
                modes.extend(mode);
                questions > MOST_QUESTIONS
            });
            if questions > MOST_QUESTIONS {
                return None;
            }
            // A condition may fault where one that comes later would have prevented it.
            if found.is_err() {
                continue;
            }
            if let (Some(role), Some(pid)) = (self.role, pid) {
                let thread = self.rule.participants[role].thread;
                modes.retain(|mode| mode.binding.get(&thread).and_then(Value::as_pid) == Some(pid));
            }
            if modes.is_empty() {
                let condition = self.list[count - 1];
                let reason = self.reason(condition, state, &before);
                return Some(Unmet {
                    left: self.list.len() - count,
                    reason,
                    place: self.place(condition),
                });
            }
            before = modes;
        }
        None
    }

    /// The ordinary place that a condition is about.
    fn place(&self, condition: Condition) -> Option<Name> {
        let id = match condition {
            Condition::Thread(_) | Condition::Guard(_) => return None,
            Condition::Take(arc) | Condition::Read(arc) => arc.place,
            Condition::Unless(inhibitor) => inhibitor.arcs[0].place,
        };
        let place = self.net.place(id);
        (!place.is_flow()).then(|| place.name.clone())
    }

    /// The transition of the first `count` conditions, which does nothing.
    fn first(&self, count: usize) -> Transition {
        let rule = self.rule;
        let mut part = Transition {
            name: rule.name.clone(),
            variables: rule.variables.clone(),
            parameters: rule.parameters.clone(),
            ..Transition::default()
        };
        for condition in &self.list[..count] {
            match *condition {
                Condition::Thread(participant) => part.participants.push(participant.clone()),
                Condition::Take(arc) => part.takes.push(arc.clone()),
                Condition::Read(arc) => part.reads.push(arc.clone()),
                Condition::Guard(guard) => part.guard.push(guard.clone()),
                Condition::Unless(inhibitor) => part.inhibitors.push(inhibitor.clone()),
            }
        }
        let bind = |one: &Transition| (one.participants.len(), one.takes.len(), one.reads.len());
        if bind(&part) == bind(rule) {
            part.definitions.clone_from(&rule.definitions);
        } else {
            leave_out_unbound(rule, &mut part);
        }
        part
    }
}

/// Keeps of the definitions and patterns what can be evaluated.
fn leave_out_unbound(rule: &Transition, part: &mut Transition) {
    let is_defined = |var: Var| rule.definitions.iter().any(|(defined, _)| *defined == var);
    let mut bound: Vec<Var> = part.parameters.iter().map(|(var, _)| *var).collect();
    bound.extend(part.participants.iter().map(|participant| participant.thread));
    let threads = part.participants.iter().map(|participant| &participant.pattern);
    let arcs = part.takes.iter().chain(&part.reads).filter(|arc| arc.each.is_empty());
    for expr in threads.chain(arcs.map(|arc| &arc.pattern)).flatten().flatten() {
        if let Expr::Var(var) = expr
            && !is_defined(*var)
        {
            bound.push(*var);
        }
    }
    for (var, expr) in &rule.definitions {
        if is_bound(expr, &bound) {
            bound.push(*var);
            part.definitions.push((*var, expr.clone()));
        }
    }
    let threads = part.participants.iter_mut().map(|participant| &mut participant.pattern);
    let arcs = part.takes.iter_mut().chain(&mut part.reads).filter(|arc| arc.each.is_empty());
    for column in threads.chain(arcs.map(|arc| &mut arc.pattern)).flatten() {
        if column.as_ref().is_some_and(|expr| !is_bound(expr, &bound)) {
            *column = None;
        }
    }
}

fn is_bound(expr: &Expr, bound: &[Var]) -> bool {
    let mut all = true;
    expr.variables(&mut |var| all &= bound.contains(&var));
    all
}
