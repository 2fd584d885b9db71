//! What a step has changed: who was born, who moved, who ended, which tokens came and went.
//!
//! A change is read off the states before and after the step alone, so it says what can be seen, whatever
//! the transition is called. A token that is taken and put back has not changed. The cost is that of the
//! two states.

use std::collections::BTreeMap;
use std::sync::Arc;

use net::Net;
use state::{Pid, State, Token, Value};

/// Where a thread is: its flow place, and what follows the thread in its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub place: Arc<str>,
    pub values: Token,
}

impl At {
    /// `listening(0)`.
    pub fn text(&self) -> String {
        token_text(&self.place, &self.values)
    }
}

/// `request(1, 2)`: a token in its place.
pub(super) fn token_text(place: &str, values: &[Value]) -> String {
    if values.is_empty() {
        return place.to_owned();
    }
    format!("{place}({})", values_text(values))
}

/// `1, 2`: what is in a token.
pub(super) fn values_text(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")
}

/// `3×permit`: copies of a token.
pub(super) fn copies_text(place: &str, values: &[Value], count: u32) -> String {
    let token = token_text(place, values);
    if count == 1 { token } else { format!("{count}×{token}") }
}

/// Where each thread of a state is. A thread that has ended may still be in tokens, but is nowhere.
pub(super) fn whereabouts(net: &Net, state: &State) -> BTreeMap<Pid, At> {
    let mut found = BTreeMap::new();
    for place in net.places.iter().filter(|place| place.is_flow()) {
        for (token, _) in state.tokens(&place.name) {
            if let Some((Value::Pid(pid), values)) = token.split_first() {
                let at = At { place: place.name.clone(), values: values.to_vec() };
                found.insert(pid.clone(), at);
            }
        }
    }
    found
}

/// Copies of a token in an ordinary place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tokens {
    pub place: Arc<str>,
    pub values: Token,
    pub count: u32,
}

impl Tokens {
    /// `3×permit`, `lock(red)`.
    pub fn text(&self) -> String {
        copies_text(&self.place, &self.values, self.count)
    }

    /// The same without the place: `3`, `red`.
    pub fn values_text(&self) -> String {
        match (self.values.as_slice(), self.count) {
            ([], 1) => String::new(),
            ([], count) => count.to_string(),
            ([value], count) => copies_text(&value.to_string(), &[], count),
            (values, count) => copies_text("", values, count),
        }
    }
}

/// The tokens of ordinary places, in the order in which the net has the places.
pub(super) fn ordinary_tokens(net: &Net, state: &State) -> Vec<Tokens> {
    let mut found = Vec::new();
    for place in net.places.iter().filter(|place| !place.is_flow()) {
        for (token, count) in state.tokens(&place.name) {
            found.push(Tokens { place: place.name.clone(), values: token.clone(), count });
        }
    }
    found
}

/// The tokens of ordinary places that are in `one`, and not, or less often, in `other`.
pub(super) fn tokens_beyond(net: &Net, one: &State, other: &State) -> Vec<Tokens> {
    let more = ordinary_tokens(net, one).into_iter().map(|tokens| {
        let held = other.count(&tokens.place, &tokens.values);
        Tokens { count: tokens.count.saturating_sub(held), ..tokens }
    });
    more.filter(|tokens| tokens.count > 0).collect()
}

/// What a step has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub born: Vec<(Pid, Option<At>)>,
    pub moved: Vec<(Pid, Option<At>, Option<At>)>,
    pub ended: Vec<(Pid, Option<At>)>,
    pub gained: Vec<Tokens>,
    pub lost: Vec<Tokens>,
}

impl Change {
    pub fn between(net: &Net, before: &State, after: &State) -> Change {
        let (mut old, mut new) = (whereabouts(net, before), whereabouts(net, after));
        let mut change = Change::default();
        for pid in after.eta().keys() {
            let (from, to) = (old.remove(pid), new.remove(pid));
            if !before.eta().contains_key(pid) {
                change.born.push((pid.clone(), to));
            } else if from != to {
                change.moved.push((pid.clone(), from, to));
            }
        }
        for pid in before.eta().keys().filter(|pid| !after.eta().contains_key(*pid)) {
            change.ended.push((pid.clone(), old.remove(pid)));
        }
        change.gained = tokens_beyond(net, after, before);
        change.lost = tokens_beyond(net, before, after);
        change
    }

    /// A line for each, in the words of nets.
    pub fn lines(&self) -> Vec<String> {
        let text = |at: &Option<At>| at.as_ref().map_or_else(|| "nowhere".to_owned(), At::text);
        let mut lines = Vec::new();
        let born = self.born.iter().map(|(pid, at)| format!("thread {pid} born at {}", text(at)));
        lines.extend(born);
        let moved = self.moved.iter();
        lines.extend(moved.map(|(pid, from, to)| format!("{pid}: {} → {}", text(from), text(to))));
        let ended = self.ended.iter();
        lines.extend(ended.map(|(pid, at)| format!("{pid} ended (was at {})", text(at))));
        for (sign, tokens) in [("-", &self.lost), ("+", &self.gained)] {
            lines.extend(tokens.iter().map(|one| format!("{sign} {}", one.text())));
        }
        if lines.is_empty() {
            lines.push("(nothing changes)".to_owned());
        }
        lines
    }
}

/// The threads that are active before a step, and not after it.
pub(super) fn ended(before: &State, after: &State) -> Vec<Pid> {
    let gone = before.eta().keys().filter(|pid| !after.eta().contains_key(*pid));
    gone.cloned().collect()
}
