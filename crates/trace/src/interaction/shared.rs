//! What threads of processes do to objects and global variables, and to each other by ending.
//!
//! An object is accessed if the step takes or reads its token. What is told of an access is what it changes. A global
//! variable that never changes in the trace, such as one that refers to a lock, is not told of. That a thread has
//! ended, and with which result, is a message from it to those who look.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use net::Net;
use net::listing::{Field, Listed, Listing};
use state::{State, Token, Value};

use super::Kind;
use super::transfers::Transfer;
use crate::change::Change;
use crate::speech::{Speech, field_text};
use crate::words::equation;
use crate::{RunStep, Trace};

/// What is said of a lifeline, and after which events.
pub(crate) type Labels = Vec<(Option<usize>, String)>;

/// An object or a global variable: by which it is known among lifelines, and its variables.
pub(super) struct Resource<'n> {
    listing: &'n Listing,
    pub key: Arc<str>,
    place: Arc<str>,
    object: Option<Value>,
    fields: Vec<&'n Field>,
}

impl<'n> Resource<'n> {
    /// What a token of a place belongs to.
    fn of(speech: &Speech<'n>, place: &Arc<str>, token: &[Value]) -> Option<Resource<'n>> {
        let written = |fields: &'n [Field]| fields.iter().filter(|one| !one.is_hidden()).collect();
        match speech.listed(place)? {
            Listed::Object { fields, .. } => Some(Resource {
                listing: speech.listing(),
                key: speech.value(&token[0]).into(),
                place: place.clone(),
                object: Some(token[0].clone()),
                fields: written(fields),
            }),
            Listed::Global(field) => Some(Resource {
                listing: speech.listing(),
                key: place.clone(),
                place: place.clone(),
                object: None,
                fields: written(std::slice::from_ref(field)),
            }),
            _ => None,
        }
    }

    fn token<'s>(&self, state: &'s State) -> Option<&'s Token> {
        let is_it = |token: &&Token| self.object.as_ref().is_none_or(|one| token[0] == *one);
        state.tokens(&self.place).map(|(token, _)| token).find(is_it)
    }

    /// The variables that differ between two states, with their values in the second.
    fn changes(&self, before: &State, after: &State) -> Option<String> {
        let (old, new) = (self.token(before)?, self.token(after)?);
        let changed = self
            .fields
            .iter()
            .filter(|field| old[field.columns.clone()] != new[field.columns.clone()]);
        let texts: Vec<String> = changed.map(|field| self.text(field, new)).collect();
        (old != new).then(|| texts.join(", "))
    }

    /// `holder = 1.2`; of a global variable, whose name is known, the value.
    fn text(&self, field: &Field, token: &[Value]) -> String {
        let value = field_text(self.listing, field, token);
        if self.object.is_some() { equation(&field.name, &value) } else { value }
    }

    /// What is said of it: first, and after which events something else; and after which of these there is nothing in
    /// it. Variables that never change are left out.
    pub fn labels<'t>(&self, trace: &'t Trace) -> (Labels, BTreeSet<Option<usize>>) {
        let states = (0..=trace.run.steps.len()).map(|number| (number, trace.run.state(number)));
        let tokens: Vec<(usize, &'t Token)> =
            states.filter_map(|(number, state)| Some((number, self.token(state)?))).collect();
        let varies = |field: &&&Field| {
            let value = |(_, token): &(usize, &'t Token)| &token[field.columns.clone()];
            let first = tokens.first().map(value);
            self.object.is_none() || tokens.iter().any(|one| Some(value(one)) != first)
        };
        let fields: Vec<&Field> = self.fields.iter().filter(varies).copied().collect();
        let nothing = [Value::None, Value::Int(0), Value::Bool(false)];
        let (mut labels, mut vacant) = (Labels::new(), BTreeSet::new());
        for (number, token) in tokens {
            let texts: Vec<String> = fields.iter().map(|field| self.text(field, token)).collect();
            let text = texts.join(", ");
            if labels.last().is_none_or(|(_, before)| *before != text) {
                let mut values = fields.iter().flat_map(|field| &token[field.columns.clone()]);
                let after = number.checked_sub(1);
                // The length of a sequence comes first, and what it has no room for is nothing.
                if self.object.is_some() && values.all(|value| nothing.contains(value)) {
                    vacant.insert(after);
                }
                labels.push((after, text));
            }
        }
        (labels, vacant)
    }

    /// `mutex 1 (lock)`.
    pub fn name(&self, speech: &Speech, trace: &Trace) -> String {
        let Some(object) = &self.object else { return self.key.to_string() };
        let mut states = (0..=trace.run.steps.len()).rev().map(|number| trace.run.state(number));
        let last = states.find(|state| self.token(state).is_some());
        last.map_or_else(|| self.key.to_string(), |state| speech.object(state, object))
    }
}

/// The objects and global variables that there are in a trace, given what its steps change.
pub(super) fn resources<'n>(
    speech: &Speech<'n>,
    trace: &Trace,
    changes: &[Change],
) -> BTreeMap<Arc<str>, Resource<'n>> {
    let mut all = BTreeMap::new();
    let mut add = |place: &Arc<str>, token: &Token| {
        if let Some(found) = Resource::of(speech, place, token) {
            all.entry(found.key.clone()).or_insert(found);
        }
    };
    for place in trace.run.initial.marked() {
        trace.run.initial.tokens(place).for_each(|(token, _)| add(place, token));
    }
    for gained in changes.iter().flat_map(|change| &change.gained) {
        add(&gained.place, &gained.values);
    }
    all
}

/// What each step of a trace does to objects, global variables and threads that have ended; changes last.
pub(super) fn transfers(speech: &Speech, trace: &Trace, changes: &[Change]) -> Vec<Vec<Transfer>> {
    let touched: BTreeSet<&Arc<str>> = changes
        .iter()
        .flat_map(|one| one.gained.iter().chain(&one.lost))
        .map(|one| &one.place)
        .collect();
    let constant =
        |resource: &Resource| resource.object.is_none() && !touched.contains(&resource.place);
    // The event that has changed each of them last, or has ended a thread.
    let mut writers: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    let mut before = &trace.run.initial;
    let mut all = Vec::new();
    for (event, (step, change)) in trace.run.steps.iter().zip(changes).enumerate() {
        let (mut looks, mut puts) = (Vec::new(), Vec::new());
        for (place, token) in accessed(speech.net(), step) {
            let Some(resource) = Resource::of(speech, &place, token) else {
                looks.extend(end(speech, &place, token, &writers));
                continue;
            };
            if constant(&resource) {
                continue;
            }
            let change = resource.changes(before, &step.state);
            let kind = if change.is_some() { Kind::Put } else { Kind::Read };
            let values = change.unwrap_or_else(|| "read".to_owned());
            let transfer = transfer(&resource, kind, values, writers.get(&resource.key).copied());
            if kind == Kind::Put {
                writers.insert(resource.key.clone(), event);
                puts.push(transfer);
            } else {
                looks.push(transfer);
            }
        }
        for resource in created(speech, before, change) {
            writers.insert(resource.key.clone(), event);
            let new = transfer(&resource, Kind::Put, "new".to_owned(), None);
            puts.push(Transfer { producers: Vec::new(), ..new });
        }
        for (pid, _) in &change.ended {
            writers.insert(end_key(&Value::Pid(pid.clone())), event);
        }
        all.push(looks.into_iter().chain(puts).collect());
        before = &step.state;
    }
    all
}

/// The objects and global variables that are there after a step, and not before it, in the order of their names.
fn created<'n>(speech: &Speech<'n>, before: &State, change: &Change) -> Vec<Resource<'n>> {
    let gained = change.gained.iter();
    let found = gained.filter_map(|one| Resource::of(speech, &one.place, &one.values));
    let mut new: Vec<Resource> = found.filter(|one| one.token(before).is_none()).collect();
    new.sort_by(|one, other| one.key.cmp(&other.key));
    new
}

fn transfer(resource: &Resource, kind: Kind, values: String, writer: Option<usize>) -> Transfer {
    let tokens = format!("{}: {values}", resource.key);
    Transfer {
        kind,
        place: resource.key.clone(),
        tokens,
        label: Some(values.clone()),
        values,
        producers: vec![writer],
        is_object: resource.object.is_some(),
    }
}

/// The tokens that a step takes and reads, with their places, each once.
pub(crate) fn accessed<'s>(net: &Net, step: &'s RunStep) -> Vec<(Arc<str>, &'s Token)> {
    let rule = net.transition(step.mode.transition);
    let arcs = rule.takes.iter().chain(&rule.reads).filter(|arc| arc.each.is_empty());
    let tokens = step.mode.tokens.iter().skip(rule.participants.len());
    let mut all: Vec<(Arc<str>, &Token)> = Vec::new();
    for (arc, token) in arcs.zip(tokens) {
        let place = net.place(arc.place);
        let one = (place.name.clone(), token);
        if !place.is_flow() && !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

fn end_key(thread: &Value) -> Arc<str> {
    format!("end of {thread}").into()
}

/// That a thread has ended, for one that looks.
fn end(
    speech: &Speech,
    place: &Arc<str>,
    token: &Token,
    writers: &BTreeMap<Arc<str>, usize>,
) -> Option<Transfer> {
    let said = match speech.listed(place)? {
        Listed::Ended => "end".to_owned(),
        Listed::Result(field) => format!("result = {}", speech.field(field, token)),
        _ => return None,
    };
    let key = end_key(&token[0]);
    let producers = writers.get(&key).map(|event| Some(*event)).into_iter().collect();
    Some(Transfer {
        kind: Kind::Read,
        place: key,
        tokens: said.clone(),
        values: said.clone(),
        label: Some(said),
        producers,
        is_object: false,
    })
}
