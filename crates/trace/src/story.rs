//! Who does what with whom: a trace as lifelines, events and messages, from which charts and logs are drawn.
//!
//! A lifeline belongs to a thread, or to a transition in which no thread takes part. A step is an event on the
//! lifelines of those who take part. A message goes from the event that put a token to the event that takes or
//! reads it; copies of one token are taken in the order in which they were put. Tokens that are there initially
//! are sent by nobody, and what somebody puts and takes alone is no message.
//!
//! What a step takes is what is missing after it in a net whose transitions put nothing, which the plain
//! interpreter fires.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use net::interpret::{self, Mode};
use net::{Fate, Net};
use state::{Pid, State, Token};

use super::Trace;
use super::change::{At, Tokens, ended, ordinary_tokens, tokens_beyond, whereabouts};
use crate::mode_text;

/// A lifeline, from the event of its birth to that of its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifeline {
    /// What it is called: a pid, or the name of a transition.
    pub name: String,
    /// The event in which it is born; none if it is there initially.
    pub born: Option<usize>,
    /// The event in which it ends.
    pub ended: Option<usize>,
    /// Where its thread is first, and after which events it is elsewhere.
    pub stations: Vec<(Option<usize>, String)>,
}

/// A step.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// The name of the transition.
    pub name: String,
    /// What its variables are bound to: `p = 1.1, c = 0`.
    pub binding: String,
    /// The lifelines of those who take part, from left to right.
    pub actors: Vec<usize>,
    /// Who is born, and the lifeline of the parent.
    pub born: Vec<(usize, usize)>,
    /// Who ends.
    pub ended: Vec<usize>,
    /// The threads whose places are looked at, without their taking part.
    pub seen: Vec<usize>,
}

/// A token, or several, on the way from one event to another.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// The event that put them.
    pub put: usize,
    /// The event that takes or reads them.
    pub taken: usize,
    /// The lifelines it goes between: of those who take part in the events, the nearest to each other.
    pub from: usize,
    pub to: usize,
    /// Whether they are only read.
    pub read: bool,
    /// The tokens.
    pub tokens: Vec<String>,
}

/// A trace as lifelines, events and messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Story {
    pub lifelines: Vec<Lifeline>,
    pub events: Vec<Event>,
    /// In the order in which they are taken.
    pub messages: Vec<Message>,
}

/// Who has put the copies of a token, in order, each so many; nobody, if they are there initially.
type Producers = BTreeMap<(Arc<str>, Token), VecDeque<(Option<usize>, u32)>>;

impl Story {
    pub fn of(trace: &Trace, net: &Net) -> Story {
        let mut story = Story::default();
        let lines = story.draw_lifelines(trace, net);
        let taking = taking_only(net);
        let mut producers = Producers::new();
        put(&mut producers, None, ordinary_tokens(net, &trace.run.initial));
        let mut before = &trace.run.initial;
        for (i, step) in trace.run.steps.iter().enumerate() {
            story.event(net, &lines, (i, &step.mode), before, &step.children, &step.state);
            let fired = interpret::fire(&taking, before, &step.mode);
            // What fires in the net fires where nothing is put, too.
            let rest = fired.map_or_else(|_| before.clone(), |step| step.state);
            for tokens in reads(net, &step.mode) {
                let from = producers.get(&(tokens.place.clone(), tokens.values.clone()));
                if let Some((Some(put), _)) = from.and_then(VecDeque::front).copied() {
                    story.message(put, i, true, &tokens);
                }
            }
            for tokens in tokens_beyond(net, before, &rest) {
                for put in taken(&mut producers, &tokens) {
                    story.message(put, i, false, &tokens);
                }
            }
            put(&mut producers, Some(i), tokens_beyond(net, &step.state, &rest));
            before = &step.state;
        }
        story
    }

    /// Makes the lifelines: threads in the order of their pids, then transitions without threads.
    fn draw_lifelines(&mut self, trace: &Trace, net: &Net) -> BTreeMap<Line, usize> {
        let mut lines: BTreeMap<Line, Lifeline> = BTreeMap::new();
        let name = |pid: &Pid| Lifeline { name: pid.to_string(), ..Lifeline::default() };
        let first = whereabouts(net, &trace.run.initial);
        for pid in trace.run.initial.eta().keys() {
            let line = lines.entry(Line::Thread(pid.clone())).or_insert_with(|| name(pid));
            line.stations.extend(first.get(pid).map(|at| (None, at.text())));
        }
        let mut before = &trace.run.initial;
        let mut places = first;
        for (i, step) in trace.run.steps.iter().enumerate() {
            let now = whereabouts(net, &step.state);
            for pid in step.state.eta().keys().filter(|pid| places.get(*pid) != now.get(*pid)) {
                let line = lines.entry(Line::Thread(pid.clone())).or_insert_with(|| name(pid));
                if !before.eta().contains_key(pid) {
                    line.born = Some(i);
                }
                line.stations.extend(now.get(pid).map(|at: &At| (Some(i), at.text())));
            }
            for pid in ended(before, &step.state) {
                let line = lines.entry(Line::Thread(pid.clone())).or_insert_with(|| name(&pid));
                line.ended = Some(i);
            }
            let rule = net.transition(step.mode.transition);
            if rule.participants.is_empty() {
                let line = Lifeline { name: rule.name.clone(), ..Lifeline::default() };
                lines.entry(Line::Transition(step.mode.transition.0)).or_insert(line);
            }
            (before, places) = (&step.state, now);
        }
        let index = lines.keys().cloned().zip(0..).collect();
        self.lifelines = lines.into_values().collect();
        index
    }

    fn event(
        &mut self,
        net: &Net,
        lines: &BTreeMap<Line, usize>,
        (number, mode): (usize, &Mode),
        before: &State,
        children: &[Pid],
        after: &State,
    ) {
        let rule = net.transition(mode.transition);
        let line = |pid: &Pid| lines.get(&Line::Thread(pid.clone())).copied();
        let threads = mode.tokens.iter().take(rule.participants.len());
        let threads = threads.filter_map(|token| line(token.first()?.as_pid()?));
        let own = lines.get(&Line::Transition(mode.transition.0)).copied();
        let mut actors: Vec<usize> = threads.collect();
        if actors.is_empty() {
            actors.extend(own);
        }
        actors.sort_unstable();
        let parent = |child: &Pid| child.parent().and_then(|pid| line(&pid));
        let born = children.iter().filter_map(|child| Some((line(child)?, parent(child)?)));
        let seen = read_arcs(net, mode).filter(|(arc, _)| net.place(arc.place).is_flow());
        let text = mode_text(net, mode);
        let binding = text.strip_prefix(rule.name.as_str()).unwrap_or_default();
        let event = Event {
            name: rule.name.clone(),
            binding: binding.trim_start_matches('(').trim_end_matches(')').to_owned(),
            actors,
            born: born.collect(),
            ended: ended(before, after).iter().filter_map(line).collect(),
            seen: seen.filter_map(|(_, token)| line(token.first()?.as_pid()?)).collect(),
        };
        debug_assert_eq!(self.events.len(), number, "events come in their order");
        self.events.push(event);
    }

    /// A message between two events, unless somebody takes part in both.
    fn message(&mut self, put: usize, taken: usize, read: bool, tokens: &Tokens) {
        let (senders, receivers) = (&self.events[put].actors, &self.events[taken].actors);
        let pairs = senders.iter().flat_map(|from| receivers.iter().map(move |to| (*from, *to)));
        let Some((from, to)) = pairs.min_by_key(|(from, to)| from.abs_diff(*to)) else { return };
        if from == to {
            return;
        }
        let same = self.messages.iter_mut().rev().take_while(|message| message.taken == taken);
        let mut same = same.filter(|message| message.put == put && message.read == read);
        match same.next() {
            Some(message) => message.tokens.push(tokens.text()),
            None => {
                let tokens = vec![tokens.text()];
                self.messages.push(Message { put, taken, from, to, read, tokens });
            }
        }
    }

    /// The messages that an event receives.
    pub fn received(&self, event: usize) -> impl Iterator<Item = &Message> {
        let first = self.messages.partition_point(|message| message.taken < event);
        self.messages[first..].iter().take_while(move |message| message.taken == event)
    }

    /// Where somebody is after an event, if that has changed.
    pub fn station(&self, lifeline: usize, event: Option<usize>) -> Option<&str> {
        let stations = &self.lifelines[lifeline].stations;
        stations.iter().find(|(at, _)| *at == event).map(|(_, station)| station.as_str())
    }
}

/// Whose lifeline it is. Threads come before transitions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    Thread(Pid),
    Transition(u32),
}

/// The net in which transitions take what they take and put nothing.
fn taking_only(net: &Net) -> Net {
    let mut taking = net.clone();
    for rule in &mut taking.transitions {
        rule.puts.clear();
        rule.spawns.clear();
        rule.participants.iter_mut().for_each(|participant| participant.fate = Fate::End);
    }
    taking
}

/// The arcs that read one token each, and the tokens.
fn read_arcs<'a>(net: &'a Net, mode: &'a Mode) -> impl Iterator<Item = (&'a net::Arc, &'a Token)> {
    let rule = net.transition(mode.transition);
    let chosen = |arc: &&net::Arc| arc.each.is_empty();
    let before = rule.participants.len() + rule.takes.iter().filter(chosen).count();
    rule.reads.iter().filter(chosen).zip(mode.tokens.iter().skip(before))
}

/// The tokens of ordinary places that a mode reads.
fn reads(net: &Net, mode: &Mode) -> Vec<Tokens> {
    let arcs = read_arcs(net, mode).filter(|(arc, _)| !net.place(arc.place).is_flow());
    let tokens = arcs.map(|(arc, token)| Tokens {
        place: net.place(arc.place).name.clone(),
        values: token.clone(),
        count: 1,
    });
    tokens.collect()
}

fn put(producers: &mut Producers, event: Option<usize>, tokens: Vec<Tokens>) {
    for tokens in tokens {
        let queue = producers.entry((tokens.place, tokens.values)).or_default();
        queue.push_back((event, tokens.count));
    }
}

/// Takes the tokens that were put first; the events that have put them.
fn taken(producers: &mut Producers, tokens: &Tokens) -> Vec<usize> {
    let Some(queue) = producers.get_mut(&(tokens.place.clone(), tokens.values.clone())) else {
        return Vec::new();
    };
    let mut events = Vec::new();
    let mut left = tokens.count;
    while left > 0
        && let Some((event, held)) = queue.front_mut()
    {
        events.extend(*event);
        if *held > left {
            *held -= left;
            break;
        }
        left -= *held;
        queue.pop_front();
    }
    events
}
