//! What a step has changed: who was born, who moved, who ended, which tokens came and went.
//!
//! A change is read off the states before and after the step alone, so it says what can be seen, whatever
//! the transition is called. A token that is taken and put back has not changed. The cost is that of comparing the
//! two states; nothing is made of what stays as it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use net::{Net, Place};
use state::{Difference, Pid, State, Token, Value};

use crate::Run;

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

/// Where one thread of a state is.
pub(super) fn whereabouts_of(net: &Net, state: &State, pid: &Pid) -> Option<At> {
    let mut places = net.places.iter().filter(|place| place.is_flow());
    places.find_map(|place| {
        let is_it = |token: &&Token| token.first().and_then(Value::as_pid) == Some(pid);
        let token = state.tokens(&place.name).map(|(token, _)| token).find(is_it)?;
        Some(At { place: place.name.clone(), values: token[1..].to_vec() })
    })
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

/// The places of a net by their names.
pub(super) struct Places<'n>(BTreeMap<&'n str, (usize, &'n Place)>);

impl<'n> Places<'n> {
    pub fn of(net: &'n Net) -> Places<'n> {
        let places = net.places.iter().enumerate();
        Places(places.map(|(number, place)| (&*place.name, (number, place))).collect())
    }

    pub fn is_flow(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|(_, place)| place.is_flow())
    }

    /// Its number, by which places are ordered.
    pub fn number(&self, name: &str) -> usize {
        self.0.get(name).map_or(usize::MAX, |(number, _)| *number)
    }
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
    pub fn between(places: &Places, before: &State, after: &State) -> Change {
        let mut change = Change::default();
        let mut moves: BTreeMap<&Pid, (Option<At>, Option<At>)> = BTreeMap::new();
        for Difference { place, token, before, after } in before.differences(after) {
            if !places.is_flow(place) {
                let (into, count) = match after.checked_sub(before) {
                    Some(more) => (&mut change.gained, more),
                    None => (&mut change.lost, before - after),
                };
                into.push(Tokens { place: place.clone(), values: token.clone(), count });
            } else if let Some((Value::Pid(pid), values)) = token.split_first() {
                let at = Some(At { place: place.clone(), values: values.to_vec() });
                let (from, to) = moves.entry(pid).or_default();
                *(if after > before { to } else { from }) = at;
            }
        }
        for pid in ended(after, before) {
            let (_, to) = moves.remove(&pid).unwrap_or_default();
            change.born.push((pid, to));
        }
        for pid in ended(before, after) {
            let (from, _) = moves.remove(&pid).unwrap_or_default();
            change.ended.push((pid, from));
        }
        let moves = moves.into_iter();
        change.moved = moves.map(|(pid, (from, to))| (pid.clone(), from, to)).collect();
        for tokens in [&mut change.gained, &mut change.lost] {
            // Those of one place are in order.
            tokens.sort_by_key(|one| places.number(&one.place));
        }
        change
    }

    /// What each step of a run has changed.
    pub fn along(net: &Net, run: &Run) -> Vec<Change> {
        let places = Places::of(net);
        let states = std::iter::once(&run.initial).chain(run.steps.iter().map(|step| &step.state));
        let pairs = states.zip(&run.steps);
        pairs.map(|(before, step)| Change::between(&places, before, &step.state)).collect()
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
    // Most steps leave it as it is, and share it.
    if std::ptr::eq(before.eta(), after.eta()) {
        return Vec::new();
    }
    let gone = before.eta().keys().filter(|pid| !after.eta().contains_key(*pid));
    gone.cloned().collect()
}
