//! Concrete states `(σ, η)`.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::{Pid, Value};

/// A tuple of pids and data.
pub type Token = Vec<Value>;

/// No tokens.
static NONE: BTreeMap<Token, u32> = BTreeMap::new();

/// A state `(σ, η)`. Empty places are not kept, so equal states compare equal.
///
/// Copies share the places that have not been changed since, so the states of a run take little more memory than what
/// its steps change.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    places: BTreeMap<Arc<str>, Arc<BTreeMap<Token, u32>>>,
    eta: Arc<BTreeMap<Pid, u32>>,
}

/// A token that is not equally often in two states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<'s> {
    /// The place.
    pub place: &'s Arc<str>,
    /// The token.
    pub token: &'s Token,
    /// How often it is in the first state.
    pub before: u32,
    /// How often it is in the second.
    pub after: u32,
}

/// What keeps a state from being a consistent thread configuration (Klaudel et al. 2009, §3).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Inconsistency {
    /// Condition (i): each active pid is present in a local state.
    #[error("thread {0} is active, but its pid is in no token")]
    InNoToken(Pid),
    /// Condition (ii): all pids were created in the past.
    #[error("pid {pid} is present, but {creator} has created only {created} children so far")]
    NotYetCreated {
        /// The pid that is present too early.
        pid: Pid,
        /// The active thread it descends from.
        creator: Pid,
        /// How many children that thread has created.
        created: u32,
    },
}

impl State {
    /// The state without tokens and without threads.
    #[must_use]
    pub fn new() -> Self {
        State::default()
    }

    /// Adds `count` copies of `token` to `place`; says `false`, and adds none, if the token would be
    /// there more than `u32::MAX` times.
    #[must_use]
    pub fn put(&mut self, place: &Arc<str>, token: Token, count: u32) -> bool {
        if count > 0 {
            let tokens = match self.places.get_mut(place) {
                Some(tokens) => tokens,
                None => self.places.entry(place.clone()).or_default(),
            };
            let held = Arc::make_mut(tokens).entry(token).or_default();
            match held.checked_add(count) {
                Some(sum) => *held = sum,
                None => return false,
            }
        }
        true
    }

    /// Removes `count` copies of `token` from `place`; leaves the state as it is and says `false` if
    /// there are not that many.
    #[must_use]
    pub fn take(&mut self, place: &str, token: &[Value], count: u32) -> bool {
        let held = self.count(place, token);
        if count == 0 || held < count {
            return count == 0;
        }
        let Some(tokens) = self.places.get_mut(place) else { return false };
        if held == count && tokens.len() == 1 {
            self.places.remove(place);
            return true;
        }
        let tokens = Arc::make_mut(tokens);
        match tokens.get_mut(token) {
            Some(left) if held > count => *left -= count,
            _ => drop(tokens.remove(token)),
        }
        true
    }

    /// The tokens of a place with their multiplicities, in order.
    pub fn tokens(&self, place: &str) -> impl Iterator<Item = (&Token, u32)> {
        let tokens = self.places.get(place).into_iter().flat_map(|tokens| tokens.iter());
        tokens.map(|(token, &count)| (token, count))
    }

    /// The places that hold a token, by name.
    pub fn marked(&self) -> impl Iterator<Item = &Arc<str>> {
        self.places.keys()
    }

    /// How often `token` is in `place`.
    #[must_use]
    pub fn count(&self, place: &str, token: &[Value]) -> u32 {
        self.places.get(place).and_then(|tokens| tokens.get(token)).copied().unwrap_or(0)
    }

    /// The tokens that are not equally often in this state and in another, in the order of places and tokens. Costs
    /// as much as to compare the places that the two do not share.
    #[must_use]
    pub fn differences<'s>(&'s self, other: &'s State) -> Vec<Difference<'s>> {
        let mut found = Vec::new();
        for (place, before, after) in side_by_side(&self.places, &other.places) {
            if before == after {
                continue;
            }
            let [before, after] = [before, after].map(|tokens| tokens.map_or(&NONE, |one| &**one));
            for (token, before, after) in side_by_side(before, after) {
                if before != after {
                    let [before, after] = [before, after].map(|count| count.copied().unwrap_or(0));
                    found.push(Difference { place, token, before, after });
                }
            }
        }
        found
    }

    /// Makes `pid` active, with `children` created so far.
    pub fn activate(&mut self, pid: Pid, children: u32) {
        Arc::make_mut(&mut self.eta).insert(pid, children);
    }

    /// Ends the thread `pid`; its pid may stay in tokens.
    pub fn end(&mut self, pid: &Pid) {
        if self.eta.contains_key(pid) {
            Arc::make_mut(&mut self.eta).remove(pid);
        }
    }

    /// Lets the active thread `pid` create a child, and gives the child's pid. `None` if `pid` is not
    /// active, or has no number left for a child.
    pub fn spawn(&mut self, pid: &Pid) -> Option<Pid> {
        let child = self.next(pid)?;
        let eta = Arc::make_mut(&mut self.eta);
        eta.insert(pid.clone(), child.last());
        eta.insert(child.clone(), 0);
        Some(child)
    }

    /// η: the active threads and the number of children each has created.
    #[must_use]
    pub fn eta(&self) -> &BTreeMap<Pid, u32> {
        &self.eta
    }

    /// The pid that the active thread `pid` would create next.
    #[must_use]
    pub fn next(&self, pid: &Pid) -> Option<Pid> {
        self.eta.get(pid).and_then(|&n| n.checked_add(1)).map(|n| pid.child(n))
    }

    /// What is in tokens.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.places.values().flat_map(|tokens| tokens.keys().flatten())
    }

    /// The pids present: the active ones and those in tokens.
    #[must_use]
    pub fn pids(&self) -> BTreeSet<Pid> {
        let in_tokens = self.places.values().flat_map(|tokens| tokens.keys().flatten());
        in_tokens.filter_map(Value::as_pid).chain(self.eta.keys()).cloned().collect()
    }

    /// Checks both conditions of a consistent thread configuration: that every active pid is in a
    /// token, which holds in nets by construction, and what [`State::check`] checks.
    pub fn check_configuration(&self) -> Result<(), Inconsistency> {
        let values = self.places.values().flat_map(|tokens| tokens.keys().flatten());
        let in_tokens: BTreeSet<&Pid> = values.filter_map(Value::as_pid).collect();
        match self.eta.keys().find(|pid| !in_tokens.contains(pid)) {
            Some(pid) => Err(Inconsistency::InNoToken(pid.clone())),
            None => self.check(),
        }
    }

    /// Checks that every pid present was created in the past. Costs the number of pids times their
    /// length, by looking up the prefixes of each.
    pub fn check(&self) -> Result<(), Inconsistency> {
        for pid in self.pids() {
            let mut below = pid.clone();
            while let Some(creator) = below.parent() {
                if let Some(&created) = self.eta.get(&creator)
                    && below.last() > created
                {
                    return Err(Inconsistency::NotYetCreated { pid, creator, created });
                }
                below = creator;
            }
        }
        Ok(())
    }
}

/// The keys of two maps in order, each with what is there for it.
fn side_by_side<'m, K: Ord, V>(
    one: &'m BTreeMap<K, V>,
    other: &'m BTreeMap<K, V>,
) -> impl Iterator<Item = (&'m K, Option<&'m V>, Option<&'m V>)> {
    let (mut ones, mut others) = (one.iter().peekable(), other.iter().peekable());
    std::iter::from_fn(move || {
        let order = match (ones.peek(), others.peek()) {
            (Some((a, _)), Some((b, _))) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        let one = if order.is_le() { ones.next() } else { None };
        let other = if order.is_ge() { others.next() } else { None };
        let (key, _) = one.or(other)?;
        Some((key, one.map(|(_, value)| value), other.map(|(_, value)| value)))
    })
}

/// As people read it: `listening(1.1, 0) ready(1.1.1)`.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (place, tokens) in &self.places {
            for (token, &count) in tokens.iter() {
                f.write_str(separator)?;
                separator = " ";
                if count > 1 {
                    write!(f, "{count}×")?;
                }
                f.write_str(place)?;
                if !token.is_empty() {
                    let values: Vec<String> = token.iter().map(Value::to_string).collect();
                    write!(f, "({})", values.join(", "))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_and_go() {
        let place: Arc<str> = "p".into();
        let mut state = State::new();
        assert!(state.put(&place, vec![Value::Int(1)], 2));
        assert!(!state.put(&place, vec![Value::Int(1)], u32::MAX));
        assert!(!state.take("p", &[Value::Int(1)], 3));
        assert!(state.take("p", &[Value::Int(1)], 1));
        assert_eq!(state.count("p", &[Value::Int(1)]), 1);
        assert!(state.take("p", &[Value::Int(1)], 1));
        assert_eq!(state, State::new());
        assert!(!state.take("q", &[], 1));
    }

    #[test]
    fn copies_change_apart() {
        let place: Arc<str> = "p".into();
        let mut one = State::new();
        one.activate(Pid::initial(1), 0);
        assert!(one.put(&place, vec![], 2));
        let (before, mut other) = (one.clone(), one.clone());
        assert!(other.take("p", &[], 1) && other.put(&place, vec![Value::Int(1)], 1));
        assert!(other.spawn(&Pid::initial(1)).is_some());
        assert_eq!((one.count("p", &[]), other.count("p", &[])), (2, 1));
        assert_eq!(one, before);
        assert!(!other.take("p", &[], 2) && one.take("p", &[], 2));
        assert_eq!((one.marked().count(), before.count("p", &[])), (0, 2));
    }

    #[test]
    fn children_are_numbered() {
        let mut state = State::new();
        let one = Pid::initial(1);
        state.activate(one.clone(), 0);
        assert_eq!(state.next(&one), Some(one.child(1)));
        assert_eq!(state.spawn(&one), Some(one.child(1)));
        assert_eq!(state.spawn(&one), Some(one.child(2)));
        state.end(&one.child(1));
        assert_eq!(state.spawn(&one.child(1)), None);
        assert_eq!(state.pids().len(), 2);
    }

    #[test]
    fn states_differ_by_tokens() {
        let [p, q, r]: [Arc<str>; 3] = ["p", "q", "r"].map(Into::into);
        let (mut one, mut other) = (State::new(), State::new());
        let token = |number: i64| vec![Value::Int(number)];
        for (place, number, before, after) in
            [(&p, 1, 2, 2), (&p, 2, 1, 0), (&q, 3, 0, 1), (&r, 4, 2, 5), (&r, 5, 1, 1)]
        {
            assert!(one.put(place, token(number), before));
            assert!(other.put(place, token(number), after));
        }
        let found = one.differences(&other).into_iter();
        let found: Vec<_> =
            found.map(|one| (&**one.place, one.token.clone(), one.before, one.after)).collect();
        assert_eq!(found, [("p", token(2), 1, 0), ("q", token(3), 0, 1), ("r", token(4), 2, 5)]);
        assert_eq!(one.differences(&one), []);
    }

    #[test]
    fn pids_of_the_future_are_refused() {
        let mut state = State::new();
        state.activate(Pid::initial(1), 1);
        let place: Arc<str> = "p".into();
        assert!(state.put(&place, vec![Pid::initial(1).child(1).child(7).into()], 1));
        assert_eq!(state.check(), Ok(()));
        assert!(state.put(&place, vec![Pid::initial(1).child(2).child(1).into()], 1));
        assert!(state.check().is_err());
    }

    #[test]
    fn threads_are_somewhere() {
        let mut state = State::new();
        state.activate(Pid::initial(1), 0);
        assert_eq!(state.check(), Ok(()));
        let pid = Pid::initial(1);
        assert_eq!(state.check_configuration(), Err(Inconsistency::InNoToken(pid.clone())));
        assert!(state.put(&"p".into(), vec![pid.into()], 1));
        assert_eq!(state.check_configuration(), Ok(()));
    }
}
