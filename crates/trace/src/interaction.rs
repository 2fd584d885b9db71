//! Who does what with whom: a trace as lifelines, events and messages, from which charts and logs are made.
//!
//! A lifeline belongs to a thread, to a transition in which no thread takes part, or to a place whose tokens
//! several of these compete for or wait for ([`places`] chooses them). A step is an event on the lifelines of
//! those who take part. A message goes from the event that put a token to the event that takes or reads it;
//! copies of one token are taken in the order in which they were put. Tokens that are there initially are
//! sent by nobody, and what somebody puts and takes alone is no message. To and from a place that has a
//! lifeline there is instead a message for each access. In a net that was made of processes, objects and global
//! variables take the role of places ([`shared`]), and events are statements.

mod places;
mod shared;
mod transfers;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use net::Net;
use net::interpret::Mode;
use state::{Pid, State};

use super::change::{At, Change, whereabouts};
use super::{RunStep, Trace};
use crate::run::text_of;
use crate::speech::{self, Speech};
use transfers::{Transfer, read_arcs, transfers};

pub(super) use shared::accessed;

/// Whose lifeline it is. Threads come before transitions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    Thread(Pid),
    Transition(u32),
    Place(Arc<str>),
}

/// A lifeline, from the event of its birth to that of its end.
#[derive(Clone, Debug)]
pub(super) struct Lifeline {
    /// Whose it is.
    pub owner: Owner,
    /// What it is: `thread`, `transition` or `place`; nothing where the name says so.
    pub noun: &'static str,
    /// What it is called: a pid, or the name of a transition or a place.
    pub name: String,
    /// The event in which it is born; none if it is there initially.
    pub born: Option<usize>,
    /// The event in which it ends.
    pub ended: Option<usize>,
    /// Where its thread is, or what its place holds: first, and after which events something else.
    pub labels: Vec<(Option<usize>, String)>,
    /// After which of these its place holds nothing.
    pub vacant: BTreeSet<Option<usize>>,
}

impl Lifeline {
    fn new(owner: Owner, name: &str) -> Lifeline {
        let noun = match owner {
            Owner::Thread(_) => "thread",
            Owner::Transition(_) => "transition",
            Owner::Place(_) => "place",
        };
        let name = name.to_owned();
        let (labels, vacant) = (Vec::new(), BTreeSet::new());
        Lifeline { owner, noun, name, born: None, ended: None, labels, vacant }
    }

    /// `thread 1.1`, `worker 1.1`.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.noun, self.name).trim_start().to_owned()
    }

    /// Whether it is there just before an event.
    pub fn is_alive_before(&self, event: usize) -> bool {
        self.born.is_none_or(|born| born < event) && self.ended.is_none_or(|ended| ended >= event)
    }

    /// What is true of it after an event, if that has changed.
    pub fn label_after(&self, event: Option<usize>) -> Option<&str> {
        let found = self.labels.iter().find(|(after, _)| *after == event);
        found.map(|(_, label)| label.as_str())
    }
}

/// A step.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// The name of the transition.
    pub name: String,
    /// What its variables are bound to: `p = 1.1, c = 0`.
    pub binding: String,
    /// All of it: `accept(p = 1.1, c = 0)`.
    pub text: String,
    /// The lifelines of those who take part, from left to right.
    pub actors: Vec<usize>,
    /// Who is born, and the lifeline of the parent.
    pub born: Vec<(usize, usize)>,
    /// Who ends.
    pub ended: Vec<usize>,
    /// The threads whose places are looked at, without their taking part.
    pub seen: Vec<usize>,
    /// The events that put what this one takes or reads.
    pub causes: Vec<usize>,
}

/// What a message does with its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// They are taken.
    Take,
    /// They are there, and stay.
    Read,
    /// They are not there.
    Absent,
    /// They are put into a place that has a lifeline.
    Put,
}

impl Kind {
    /// What somebody does to tokens of a place.
    fn access(self, values: &str) -> String {
        let verb = match self {
            Kind::Take => "take",
            Kind::Read => "read",
            Kind::Absent if values.is_empty() => "none",
            Kind::Absent => "no",
            Kind::Put => "put",
        };
        if values.is_empty() { verb.to_owned() } else { format!("{verb} {values}") }
    }
}

/// Tokens on the way from one lifeline to another.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// The event that put them; for a message to or from a place the event that accesses it.
    pub put: usize,
    /// The event that takes or reads them.
    pub taken: usize,
    /// The lifelines it goes between: of those who take part in the events, the nearest to each other.
    pub from: usize,
    pub to: usize,
    pub kind: Kind,
    /// The tokens, with a verb where they come from or go to a place.
    pub label: String,
}

impl Message {
    /// Whether it goes to or comes from a place, all in one event.
    pub fn is_level(&self) -> bool {
        self.put == self.taken
    }
}

/// A trace as lifelines, events and messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Interaction {
    /// From left to right.
    pub lifelines: Vec<Lifeline>,
    pub events: Vec<Event>,
    /// In the order of the events that take; what an event puts comes last.
    pub messages: Vec<Message>,
    /// What threads would do after the last event: who, with whom or what, and in a word.
    pub pending: Vec<(usize, usize, &'static str)>,
}

impl Interaction {
    /// The interaction in a trace, given what its steps change, at whose end threads wait for the tokens of some
    /// places.
    pub fn of(
        trace: &Trace,
        net: &Net,
        changes: &[Change],
        awaited: &BTreeSet<Arc<str>>,
    ) -> Interaction {
        let mut lines = lifelines(trace, net, changes);
        let steps = &trace.run.steps;
        let actors: Vec<Vec<Owner>> = steps.iter().map(|step| actors(net, &step.mode)).collect();
        let transfers = all_transfers(trace, net, changes);
        places::insert(&mut lines, net, (trace, changes), (&actors, &transfers), awaited);

        let speech = Speech::of(net);
        let words = (net, speech.as_ref());
        let index = lines.iter().map(|line| line.owner.clone()).zip(0..).collect();
        let mut interaction = Interaction { lifelines: lines, ..Interaction::default() };
        let mut before = &trace.run.initial;
        for (i, step) in steps.iter().enumerate() {
            let event = event(words, &index, (before, step), &actors[i], &changes[i]);
            let causes = transfers[i].iter().flat_map(|one| one.producers.iter().flatten());
            interaction.events.push(Event { causes: causes.copied().collect(), ..event });
            interaction.add_messages(&index, i, &transfers[i]);
            before = &step.state;
        }
        interaction
    }

    /// With what threads would do after the last event, as far as those have lifelines with whom they would.
    pub fn with_pending(mut self, pending: &[(Pid, Owner, &'static str)]) -> Interaction {
        let line = |owner: &Owner| self.lifelines.iter().position(|line| line.owner == *owner);
        let known = pending.iter().filter_map(|(pid, with, word)| {
            Some((line(&Owner::Thread(pid.clone()))?, line(with)?, *word))
        });
        self.pending = known.filter(|(from, to, _)| from != to).collect();
        self
    }

    fn add_messages(&mut self, index: &Index, event: usize, transfers: &[Transfer]) {
        let first = self.messages.len();
        for transfer in transfers {
            let kind = transfer.kind;
            let Some(&place) = index.get(&Owner::Place(transfer.place.clone())) else {
                // What is changed is taken first.
                let kind = if kind == Kind::Put { Kind::Take } else { kind };
                for put in transfer.producers.iter().flatten() {
                    self.add_direct(first, (*put, event), kind, &transfer.tokens);
                }
                continue;
            };
            let actors = self.events[event].actors.iter();
            let Some(&actor) = actors.min_by_key(|actor| actor.abs_diff(place)) else { continue };
            let (from, to) = if kind == Kind::Put { (actor, place) } else { (place, actor) };
            let mut same = self.messages[first..].iter_mut();
            match same.find(|message| (message.kind, message.from, message.to) == (kind, from, to))
            {
                Some(message) => message.label += &format!(", {}", transfer.values),
                None => {
                    let label = transfer.label.clone();
                    let label = label.unwrap_or_else(|| kind.access(&transfer.values));
                    self.messages.push(Message { put: event, taken: event, from, to, kind, label });
                }
            }
        }
        self.messages[first..].sort_by_key(|message| message.kind == Kind::Put);
    }

    /// A message between two events, unless somebody takes part in both.
    fn add_direct(&mut self, first: usize, (put, taken): (usize, usize), kind: Kind, label: &str) {
        let (senders, receivers) = (&self.events[put].actors, &self.events[taken].actors);
        let pairs = senders.iter().flat_map(|from| receivers.iter().map(move |to| (*from, *to)));
        let Some((from, to)) = pairs.min_by_key(|(from, to)| from.abs_diff(*to)) else { return };
        if from == to {
            return;
        }
        let mut same = self.messages[first..].iter_mut();
        match same.find(|message| (message.put, message.kind) == (put, kind)) {
            Some(message) => message.label += &format!(", {label}"),
            None => {
                let label = label.to_owned();
                self.messages.push(Message { put, taken, from, to, kind, label });
            }
        }
    }

    /// The messages of an event: what it takes and reads, and then what it puts into places.
    pub fn messages_of(&self, event: usize) -> impl Iterator<Item = &Message> {
        let first = self.messages.partition_point(|message| message.taken < event);
        self.messages[first..].iter().take_while(move |message| message.taken == event)
    }
}

/// The number of each lifeline.
type Index = BTreeMap<Owner, usize>;

/// The lifelines of threads in the order of their pids, then those of transitions without threads.
fn lifelines(trace: &Trace, net: &Net, changes: &[Change]) -> Vec<Lifeline> {
    let mut lines: BTreeMap<Owner, Lifeline> = BTreeMap::new();
    let speech = Speech::of(net);
    let new = |pid: &Pid, at: Option<&At>| {
        let owner = Owner::Thread(pid.clone());
        match (&speech, at) {
            (Some(speech), Some(at)) => {
                Lifeline { noun: "", ..Lifeline::new(owner, &speech.name_at(pid, &at.place)) }
            }
            _ => Lifeline::new(owner, &pid.to_string()),
        }
    };
    let label = |state: &State, pid: &Pid, at: &At| match &speech {
        Some(speech) => speech.short_place(state, pid, at),
        None => at.text(),
    };
    let first = whereabouts(net, &trace.run.initial);
    for pid in trace.run.initial.eta().keys() {
        let at = first.get(pid);
        let mut line = new(pid, at);
        line.labels.extend(at.map(|at| (None, label(&trace.run.initial, pid, at))));
        lines.insert(line.owner.clone(), line);
    }
    for (i, (step, change)) in trace.run.steps.iter().zip(changes).enumerate() {
        for (pid, at) in &change.born {
            let line = Lifeline { born: Some(i), ..new(pid, at.as_ref()) };
            lines.insert(line.owner.clone(), line);
        }
        let moved = change.moved.iter().map(|(pid, _, to)| (pid, to));
        for (pid, at) in change.born.iter().map(|(pid, at)| (pid, at)).chain(moved) {
            let (Some(line), Some(at)) = (lines.get_mut(&Owner::Thread(pid.clone())), at) else {
                continue;
            };
            let label = label(&step.state, pid, at);
            // Of processes it is not said which of their variables changes.
            if line.labels.last().is_none_or(|(_, old)| *old != label) {
                line.labels.push((Some(i), label));
            }
        }
        for (pid, _) in &change.ended {
            if let Some(line) = lines.get_mut(&Owner::Thread(pid.clone())) {
                line.ended = Some(i);
            }
        }
        for owner in actors(net, &step.mode) {
            if let Owner::Transition(_) = owner {
                let name = &net.transition(step.mode.transition).name;
                lines.entry(owner.clone()).or_insert_with(|| Lifeline::new(owner, name));
            }
        }
    }
    lines.into_values().collect()
}

/// Those who take part in a step: threads, or the transition itself.
fn actors(net: &Net, mode: &Mode) -> Vec<Owner> {
    let threads = mode.tokens.iter().take(net.transition(mode.transition).participants.len());
    let threads = threads.filter_map(|token| token.first()?.as_pid().cloned());
    let threads: Vec<Owner> = threads.map(Owner::Thread).collect();
    if threads.is_empty() { vec![Owner::Transition(mode.transition.0)] } else { threads }
}

/// The name of an event, what is bound, and all of it. Of processes the name is the statement.
fn event_texts(net: &Net, speech: Option<&Speech>, before: &State, mode: &Mode) -> [String; 3] {
    let acts = speech.map(|speech| speech.acts(Some(before), mode)).unwrap_or_default();
    let short = acts.first().map(speech::Act::short_text).unwrap_or_default();
    let acts: Vec<String> = acts.iter().map(speech::Act::text).collect();
    if let [first, others @ ..] = &acts[..] {
        let others: Vec<String> = others.iter().map(|act| format!("with {act}")).collect();
        let others = others.join(", ");
        let comma = if others.is_empty() { "" } else { ", " };
        return [short, others.clone(), format!("{first}{comma}{others}")];
    }
    let name = net.transition(mode.transition).name.clone();
    let text = text_of(net, speech, None, mode);
    let binding = text.strip_prefix(name.as_str()).unwrap_or_default();
    let binding = binding.trim_start_matches('(').trim_end_matches(')').to_owned();
    [name, binding, text]
}

/// What each step does to what is shared: of processes to objects and variables, else to places.
fn all_transfers(trace: &Trace, net: &Net, changes: &[Change]) -> Vec<Vec<Transfer>> {
    let mut all = transfers(trace, net, changes);
    let Some(speech) = Speech::of(net) else { return all };
    for (of_net, of_processes) in all.iter_mut().zip(shared::transfers(&speech, trace, changes)) {
        of_net.retain(|transfer| speech.listed(&transfer.place).is_none());
        of_net.extend(of_processes);
    }
    all
}

fn event(
    (net, speech): (&Net, Option<&Speech>),
    index: &Index,
    (before, step): (&State, &RunStep),
    actors: &[Owner],
    change: &Change,
) -> Event {
    let line = |pid: &Pid| index.get(&Owner::Thread(pid.clone())).copied();
    let mut actors: Vec<usize> =
        actors.iter().filter_map(|owner| index.get(owner).copied()).collect();
    actors.sort_unstable();
    let parent = |child: &Pid| child.parent().and_then(|pid| line(&pid));
    let born = step.children.iter().filter_map(|child| Some((line(child)?, parent(child)?)));
    let seen = read_arcs(net, &step.mode).filter(|(arc, _)| net.place(arc.place).is_flow());
    let [name, binding, text] = event_texts(net, speech, before, &step.mode);
    Event {
        name,
        binding,
        text,
        actors,
        born: born.collect(),
        ended: change.ended.iter().filter_map(|(pid, _)| line(pid)).collect(),
        seen: seen.filter_map(|(_, token)| line(token.first()?.as_pid()?)).collect(),
        causes: Vec::new(),
    }
}
