//! How states and steps of a net that was made of processes are told: who, which line, which statement, what
//! changed in which variable of whom.
//!
//! A [`Speech`] knows from the net's [`Listing`] what its places and transitions stand for. All forms of traces, the
//! reasons why threads wait, and what is said of a state use its words. Places and transitions that the listing does
//! not know, in a model that has a net beside its processes, are told as in any net.

mod account;
mod naming;
mod numbers;
mod points;
mod standing;
mod statements;

use std::collections::BTreeMap;

use net::interpret::Mode;
use net::listing::{Field, Line, LineKind, Listed, Listing};
use net::{Net, TransitionId};
use state::{Pid, State, Value};

use crate::change::{At, whereabouts, whereabouts_of};
use crate::words::{kind, line_text, own_line, place_text, statement_text};

pub use points::{ControlPoint, control_points};

pub(crate) use numbers::{Numbers, maker, numbered, numbered_state};
pub(crate) use standing::Standing;

/// The words for a net that was made of processes.
pub(crate) struct Speech<'n> {
    net: &'n Net,
    listing: &'n Listing,
    places: BTreeMap<&'n str, &'n Listed>,
    /// Those of them that are for global variables and objects, with their numbers, and for calls.
    shared: Vec<(usize, &'n str, &'n Listed)>,
    frames: Vec<(&'n str, &'n Listed)>,
}

/// What a thread does in a step.
pub(crate) struct Act<'n> {
    pub pid: Pid,
    /// The kind of process that it is.
    pub process: &'n str,
    /// The statement, and the calls that led there, from the innermost outwards.
    lines: Vec<&'n Line>,
}

impl<'n> Speech<'n> {
    /// The words for a net, if it was made of processes.
    pub fn of(net: &'n Net) -> Option<Speech<'n>> {
        let listing = net.listing.as_deref()?;
        let places = listing.places.iter();
        let places = places.map(|(id, listed)| (id.index(), &*net.place(*id).name, listed));
        let is_shared =
            |listed: &Listed| matches!(listed, Listed::Global(_) | Listed::Object { .. });
        let is_frame = |listed: &Listed| matches!(listed, Listed::Frame { .. });
        Some(Speech {
            net,
            listing,
            places: places.clone().map(|(_, name, listed)| (name, listed)).collect(),
            shared: places.clone().filter(|(.., listed)| is_shared(listed)).collect(),
            frames: places
                .filter(|(.., listed)| is_frame(listed))
                .map(|(_, name, listed)| (name, listed))
                .collect(),
        })
    }

    /// The net.
    pub fn net(&self) -> &'n Net {
        self.net
    }

    /// The statement that a transition is for a participant of it that acts.
    pub fn statement_of(&self, transition: TransitionId, role: usize) -> Option<String> {
        self.line_of(transition, self.nth(transition, role)).map(statement_text)
    }

    /// How many of those who act come before a participant of a transition.
    fn nth(&self, transition: TransitionId, role: usize) -> usize {
        let participants = &self.net.transition(transition).participants;
        participants[..role].iter().filter(|one| !one.passive).count()
    }

    /// `worker, line 14: lock.lock()`: what a transition stands for, whoever executes it.
    pub fn transition(&self, transition: TransitionId) -> Option<String> {
        let line = self.listing.statements.get(transition.index())?.as_ref()?;
        let mut participants = self.net.transition(transition).participants.iter();
        let first = participants.find(|one| !one.passive)?;
        let Listed::Point { process, line: point, .. } = self.listing.places.get(&first.from)?
        else {
            return None;
        };
        let lines = if line.in_prelude { vec![line, point] } else { vec![line] };
        Some(format!("{process}, {}", place_text(None, &lines)))
    }

    /// The statements of the model that were never executed if these transitions never fired, in their order.
    pub fn unexecuted(&self, never: &[TransitionId]) -> Vec<String> {
        let mut executed: BTreeMap<_, (bool, String)> = BTreeMap::new();
        for (number, transition) in self.net.transitions.iter().enumerate() {
            let fired = !never.iter().any(|id| id.index() == number);
            let statement = self.listing.statements.get(number).and_then(Option::as_ref);
            let lines = statement.into_iter().chain(self.listing.partners.get(&number));
            let is_step = transition.failure.is_none() && !transition.probe;
            // What ends a block is not written as a statement.
            let is_written = |line: &&Line| !line.in_prelude && line.kind != LineKind::End;
            for line in lines.filter(|line| is_step && is_written(line)) {
                // Arms have lines of their own: what is left of a `select` is its `else`.
                let text = || match line.kind {
                    LineKind::Select => (false, format!("{}: else of select", line.place())),
                    LineKind::Rounds => {
                        let text = statement_text(line);
                        (false, format!("{}: a round of {text}", line.place()))
                    }
                    _ => (false, line_text(line)),
                };
                let key = (&line.file, line.line, line.column);
                executed.entry(key).or_insert_with(text).0 |= fired;
            }
        }
        executed.into_values().filter(|(fired, _)| !fired).map(|(_, text)| text).collect()
    }

    /// What the tokens of a place are, in words.
    pub fn tokens_of(&self, place: &str) -> Option<String> {
        Some(match self.listed(place)? {
            Listed::Point { process, label, line, .. } => {
                format!("processes {process} at {}", place_text(label.as_deref(), &[line]))
            }
            Listed::Global(field) => format!("the variable {}", field.name),
            Listed::Object { name, .. } => format!("objects of type {name}"),
            Listed::Frame { line, .. } => format!("calls under way at {}", line_text(line)),
            Listed::Ended => "processes that have ended".to_owned(),
            Listed::Result(_) => "results of processes that have ended".to_owned(),
        })
    }

    /// What a place stands for.
    pub fn listed(&self, place: &str) -> Option<&'n Listed> {
        self.places.get(place).copied()
    }

    /// The place of a global variable.
    pub fn place_of_global(&self, name: &str) -> Option<&'n str> {
        let is_it = |listed: &Listed| matches!(listed, Listed::Global(field) if field.name == name);
        self.places.iter().find(|(_, listed)| is_it(listed)).map(|(place, _)| *place)
    }

    /// The file that the program is from.
    pub fn file(&self) -> Option<&'n str> {
        self.listing.file.as_deref()
    }

    /// What places and transitions stand for.
    pub fn listing(&self) -> &'n Listing {
        self.listing
    }

    /// Whether the program was translated from another language, which has words of its own.
    pub fn is_translated(&self) -> bool {
        self.listing.words.is_some()
    }

    /// `3`, `1.2`, `mutex 1`: a value as it is said.
    pub fn value(&self, value: &Value) -> String {
        value_text(self.listing, value)
    }

    /// What a variable stands for in a token.
    pub fn field(&self, field: &Field, token: &[Value]) -> String {
        field_text(self.listing, field, token)
    }

    /// `mutex 1 (lock)`: an object, with the global variable that refers to it if there is exactly one.
    pub fn object(&self, state: &State, object: &Value) -> String {
        let name = self.value(object);
        if matches!(object, Value::Object(_, 0)) && self.is_translated() {
            return name;
        }
        match self.way_to(state, object) {
            Some(way) => format!("{name} ({way})"),
            None => name,
        }
    }

    /// `` `lock` ``, or `mutex 1` where no one variable leads to it: the same in short.
    pub fn short_object(&self, state: &State, object: &Value, pid: &Pid) -> String {
        let way = self.way_to(state, object).or_else(|| self.own_way_to(state, object, pid));
        way.map_or_else(|| self.value(object), |way| format!("`{way}`"))
    }

    /// The same, or else by the variable of a thread that refers to it.
    pub fn object_of(&self, state: &State, object: &Value, pid: &Pid) -> String {
        let name = self.object(state, object);
        match self.own_way_to(state, object, pid) {
            Some(way) if name == self.value(object) && !name.ends_with(&format!(" {way}")) => {
                format!("{name} ({way})")
            }
            _ => name,
        }
    }

    /// The variable of a thread that refers to an object, if there is one.
    fn own_way_to(&self, state: &State, object: &Value, pid: &Pid) -> Option<String> {
        let at = whereabouts_of(self.net, state, pid)?;
        let Some(Listed::Point { variables, .. }) = self.listed(&at.place) else { return None };
        let token: Vec<Value> =
            std::iter::once(Value::Pid(pid.clone())).chain(at.values.iter().cloned()).collect();
        let variables = variables.iter().filter(|variable| !variable.is_hidden());
        let ways = variables.flat_map(|variable| variable.scalars(&token));
        let ways: Vec<String> =
            ways.filter(|(_, value)| *value == object).map(|(way, _)| way).collect();
        <[String; 1]>::try_from(ways).ok().map(|[only]| only)
    }

    /// How an object is referred to, if in one way only: by a global variable, or by a field of another object.
    fn way_to(&self, state: &State, object: &Value) -> Option<String> {
        let globals = self.references(state, object);
        if !globals.is_empty() {
            return <[String; 1]>::try_from(globals).ok().map(|[only]| only);
        }
        let mut ways = Vec::new();
        for (_, place, listed) in &self.shared {
            let Listed::Object { fields, .. } = listed else { continue };
            for (token, _) in state.tokens(place) {
                let scalars = fields.iter().flat_map(|field| field.scalars(token));
                let here = scalars.filter(|(_, value)| *value == object);
                ways.extend(here.map(|(way, _)| (&token[0], way)));
            }
        }
        let [(owner, field)] = &ways[..] else { return None };
        match &self.references(state, owner)[..] {
            [only] => Some(format!("{only}.{field}")),
            _ => Some(format!("{field} of {}", self.value(owner))),
        }
    }

    /// The global variables that refer to an object: `lock`, `forks[1]`.
    fn references(&self, state: &State, object: &Value) -> Vec<String> {
        let mut found = Vec::new();
        for (_, place, listed) in &self.shared {
            let Listed::Global(field) = listed else { continue };
            for (token, _) in state.tokens(place) {
                let scalars = field.scalars(token).into_iter();
                found.extend(scalars.filter(|(_, value)| *value == object).map(|(way, _)| way));
            }
        }
        found
    }

    /// What the threads of a state are called: `worker 1.2`.
    pub fn names(&self, state: &State) -> BTreeMap<Pid, String> {
        let threads = whereabouts(self.net, state).into_iter();
        threads.map(|(pid, at)| (pid.clone(), self.name_at(&pid, &at.place))).collect()
    }

    /// What a thread is called that is at a place.
    pub fn name_at(&self, pid: &Pid, place: &str) -> String {
        match self.listed(place) {
            Some(Listed::Point { process, .. }) => format!("{process} {pid}"),
            _ => format!("thread {pid}"),
        }
    }

    /// What a thread of a state is called.
    pub fn name(&self, state: &State, pid: &Pid) -> String {
        let at = whereabouts_of(self.net, state, pid);
        at.map_or_else(|| pid.to_string(), |at| self.name_at(pid, &at.place))
    }

    /// `line 14: lock.lock()`: where a thread of a state is. Nothing if it is nowhere.
    pub fn place(&self, state: &State, pid: &Pid) -> Option<String> {
        let at = whereabouts_of(self.net, state, pid)?;
        Some(self.place_of(state, pid, &at))
    }

    /// The same for a thread that is known to be somewhere.
    pub fn place_of(&self, state: &State, pid: &Pid, at: &At) -> String {
        self.standing(Some(state), pid, at).map_or_else(|| at.text(), |standing| standing.text())
    }

    /// Where a thread is, in few words: a label, or `line 14`.
    pub fn short_place(&self, state: &State, pid: &Pid, at: &At) -> String {
        self.standing(Some(state), pid, at).map_or_else(|| at.text(), |standing| standing.short())
    }

    /// Who acts in a step. Without the state before it, the calls that led there are not known.
    pub fn acts(&self, before: Option<&State>, mode: &Mode) -> Vec<Act<'n>> {
        let participants = self.net.transition(mode.transition).participants.iter();
        let mut acts = Vec::new();
        let acting = participants.zip(&mode.tokens).filter(|(one, _)| !one.passive);
        for (nth, (one, token)) in acting.enumerate() {
            let Some((Value::Pid(pid), values)) = token.split_first() else { continue };
            let at = At { place: self.net.place(one.from).name.clone(), values: values.to_vec() };
            let Some(standing) = self.standing(before, pid, &at) else { continue };
            let lines = self.lines(standing.lines, mode.transition, nth);
            acts.push(Act { pid: pid.clone(), process: standing.process, lines });
        }
        acts
    }

    /// The statement that a transition is for the `nth` of those who act, and the calls that led there, given the
    /// lines of where it is.
    fn lines(&self, mut at: Vec<&'n Line>, transition: TransitionId, nth: usize) -> Vec<&'n Line> {
        match self.line_of(transition, nth) {
            // A step of an object of the prelude is told by its call.
            Some(line) if line.in_prelude && !at[0].in_prelude => at.insert(0, line),
            Some(line) => at[0] = line,
            None => {}
        }
        at
    }

    /// The line of the statement that a transition is for the `nth` of those who act.
    fn line_of(&self, transition: TransitionId, nth: usize) -> Option<&'n Line> {
        match nth {
            0 => self.listing.statements.get(transition.index())?.as_ref(),
            1 => self.listing.partners.get(&transition.index()),
            _ => None,
        }
    }

    /// `worker 1.2, line 14: lock.lock()`; where two threads meet, both. Nothing if no process acts.
    pub fn step(&self, before: Option<&State>, mode: &Mode) -> Option<String> {
        let acts = self.acts(before, mode).into_iter();
        let texts: Vec<String> =
            acts.map(|act| format!("{} {}, {}", act.process, act.pid, act.text())).collect();
        (!texts.is_empty()).then(|| texts.join(", with "))
    }
}

impl<'n> Act<'n> {
    /// `line 14: lock.lock()`.
    pub fn text(&self) -> String {
        place_text(None, &self.lines)
    }

    /// The same without where that is in the prelude.
    pub fn short_text(&self) -> String {
        self.line().map_or_else(String::new, |line| place_text(None, &[line]))
    }

    /// The innermost line of the program itself.
    pub fn line(&self) -> Option<&'n Line> {
        own_line(&self.lines).or(self.lines.first().copied())
    }

    /// The innermost line that is in the text of the model.
    pub fn own_line(&self) -> Option<&'n Line> {
        own_line(&self.lines)
    }

    /// Its line and column, if it is in the text of the model.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.own_line().map(|line| (line.line, line.column))
    }
}

/// The variables that were written by somebody.
fn seen_names(fields: &[Field]) -> impl Iterator<Item = &str> {
    fields.iter().filter(|field| !field.is_hidden()).map(|field| field.name.as_str())
}

/// The same with their values in a token.
fn seen<'n>(listing: &Listing, fields: &'n [Field], token: &[Value]) -> Vec<(&'n str, String)> {
    let fields = fields.iter().filter(|field| !field.is_hidden());
    fields.map(|field| (field.name.as_str(), field_text(listing, field, token))).collect()
}

fn value_text(listing: &Listing, value: &Value) -> String {
    let word = |text: &str| Some(listing.words.as_ref()?.names.get(text)?.clone());
    match value {
        Value::Object(name, 0) if listing.words.is_some() => name.to_string(),
        Value::Object(class, number) => {
            let class = kind(class);
            format!("{} {number}", word(class).unwrap_or_else(|| class.to_owned()))
        }
        Value::Enum(_) | Value::None => {
            let text = value.to_string();
            word(&text).unwrap_or(text)
        }
        other => other.to_string(),
    }
}

pub(crate) fn field_text(listing: &Listing, field: &Field, token: &[Value]) -> String {
    field.text_by(token, &|value| value_text(listing, value))
}
