//! Who does what with whom: a trace as lifelines, events and messages, from which charts and logs are made.
//!
//! A lifeline belongs to a thread, to a transition in which no thread takes part, or to a place whose tokens
//! several of these compete for or wait for ([`places`] chooses them). A step is an event on the lifelines of
//! those who take part. A message goes from the event that put a token to the event that takes or reads it;
//! copies of one token are taken in the order in which they were put. Tokens that are there initially are
//! sent by nobody, and what somebody puts and takes alone is no message. To and from a place that has a
//! lifeline there is instead a message for each access. In a net that was made of processes, objects and global
//! variables take the role of places ([`shared`]), and events are statements.

mod of_net;
mod places;
mod shared;
mod transfers;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use state::Pid;

pub(super) use of_net::parts_of_net;
pub(super) use shared::{Labels, accessed};
pub(super) use transfers::Transfer;

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
    pub fn new(owner: Owner, name: &str) -> Lifeline {
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

impl Event {
    fn of(deed: &Deed, index: &Index) -> Event {
        let line = |pid: &Pid| index.get(&Owner::Thread(pid.clone())).copied();
        let mut actors: Vec<usize> =
            deed.actors.iter().filter_map(|owner| index.get(owner).copied()).collect();
        actors.sort_unstable();
        let parent = |child: &Pid| child.parent().and_then(|pid| line(&pid));
        let born = deed.children.iter().filter_map(|child| Some((line(child)?, parent(child)?)));
        let causes = deed.transfers.iter().flat_map(|one| one.producers.iter().flatten());
        Event {
            name: deed.name.clone(),
            binding: deed.binding.clone(),
            text: deed.text.clone(),
            actors,
            born: born.collect(),
            ended: deed.ended.iter().filter_map(line).collect(),
            seen: deed.seen.iter().filter_map(line).collect(),
            causes: causes.copied().collect(),
        }
    }
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

/// The lifeline of a place, if it is to have one.
pub(super) type OfPlace<'r> = Box<dyn Fn(&Arc<str>) -> Lifeline + 'r>;

/// What is known of a run before it is chosen which places have lifelines.
pub(super) struct Parts<'r> {
    /// The lifelines of threads and transitions, from left to right.
    pub lifelines: Vec<Lifeline>,
    /// What is done in each step.
    pub deeds: Vec<Deed>,
    /// The lifeline of a place, if it is to have one.
    pub shared: OfPlace<'r>,
}

/// What is done in a step.
pub(super) struct Deed {
    /// See [`Event`].
    pub name: String,
    /// See [`Event`].
    pub binding: String,
    /// See [`Event`].
    pub text: String,
    /// Those who take part.
    pub actors: Vec<Owner>,
    /// The threads that are created.
    pub children: Vec<Pid>,
    /// The threads that end.
    pub ended: Vec<Pid>,
    /// The threads whose places are looked at, without their taking part.
    pub seen: Vec<Pid>,
    /// What it does to what is shared, puts last.
    pub transfers: Vec<Transfer>,
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
    /// The interaction in a run, at whose end threads wait for what some places hold.
    pub fn of(parts: Parts, awaited: &BTreeSet<Arc<str>>) -> Interaction {
        let Parts { mut lifelines, deeds, shared } = parts;
        places::insert(&mut lifelines, &deeds, &*shared, awaited);
        let index: Index = lifelines.iter().map(|line| line.owner.clone()).zip(0..).collect();
        let mut interaction = Interaction { lifelines, ..Interaction::default() };
        for (number, deed) in deeds.iter().enumerate() {
            interaction.events.push(Event::of(deed, &index));
            interaction.add_messages(&index, number, &deed.transfers);
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
