//! What is said of a state, and of what a step has changed.

use std::collections::{BTreeMap, BTreeSet};

use net::interpret::Mode;
use net::listing::{Field, Listed, Shape};
use net::{Fate, PlaceId};
use state::{Pid, State, Token, Value};

use super::{Speech, Standing, seen};
use crate::RunStep;
use crate::change::{At, Change, Tokens, whereabouts};
use crate::told::ToldThread;

/// An object or a global variable as it is in a state.
pub(crate) struct Shared<'s> {
    /// Its place in the net.
    pub place: &'s str,
    pub token: &'s Token,
    /// What it is called: `mutex 1 (lock)`, or nothing for a global variable.
    pub name: Option<String>,
    /// The type of an object.
    pub of: Option<&'s str>,
    pub fields: Vec<(&'s str, String)>,
    /// Whether it is a variable by which an object is called, which is not said by itself.
    pub is_name: bool,
}

impl Shared<'_> {
    /// `mutex 1 (lock): holder = none`.
    fn text(&self) -> String {
        let fields: Vec<String> =
            self.fields.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        named(self.name.as_deref(), &fields.join(", "))
    }
}

fn named(name: Option<&str>, text: &str) -> String {
    match name {
        Some(name) if text.is_empty() => name.to_owned(),
        Some(name) => format!("{name}: {text}"),
        None => text.to_owned(),
    }
}

/// Objects by their types and numbers after global variables by their places.
type All<'s> = BTreeMap<(bool, usize, Option<Value>), Shared<'s>>;

impl<'n> Speech<'n> {
    /// Global variables and objects.
    pub fn shared<'s>(&self, state: &'s State) -> All<'s>
    where
        'n: 's,
    {
        let mut all = All::new();
        for (number, place) in self.net.places.iter().enumerate() {
            for (token, _) in state.tokens(&place.name) {
                let shared = |fields: &'n [Field]| Shared {
                    place: &place.name,
                    token,
                    name: None,
                    of: None,
                    fields: seen(fields, token),
                    is_name: false,
                };
                match self.listed(&place.name) {
                    Some(Listed::Global(field)) => {
                        let is_name = self.is_name(state, field, token);
                        let shared = Shared { is_name, ..shared(std::slice::from_ref(field)) };
                        all.insert((false, number, None), shared);
                    }
                    Some(Listed::Object { name, fields }) => {
                        let (of, name) = (Some(&**name), Some(self.object(state, &token[0])));
                        let key = (true, number, Some(token[0].clone()));
                        all.insert(key, Shared { of, name, ..shared(fields) });
                    }
                    _ => {}
                }
            }
        }
        all
    }

    /// Whether a global variable is no more than the name of an object.
    fn is_name(&self, state: &State, field: &Field, token: &[Value]) -> bool {
        let [object @ Value::Object(..)] = &token[field.columns.clone()] else { return false };
        field.shape == Shape::Scalar && self.references(state, object).len() == 1
    }

    /// What a step has changed: variables of threads, global variables, objects; who was born, killed, has ended;
    /// where those are now who acted.
    pub fn changes(&self, before: &State, step: &RunStep) -> Vec<String> {
        let after = &step.state;
        let actor = self.acts(None, &step.mode).into_iter().next().map(|act| act.pid);
        let change = Change::between(self.net, before, after);
        let mut names = self.names(before);
        names.extend(self.names(after));
        let whose = |pid: &Pid, text: String| match &actor {
            Some(actor) if actor == pid => text,
            _ => format!("{}: {text}", names[pid]),
        };
        let (mut variables, mut places) = (Vec::new(), Vec::new());
        for (pid, from, to) in &change.moved {
            let [old, new] = [(before, from), (after, to)]
                .map(|(state, at)| self.standing(Some(state), pid, at.as_ref()?));
            let (Some(old), Some(new)) = (old, new) else {
                let text = |at: &Option<At>| at.as_ref().map_or("nowhere".into(), At::text);
                places.push(format!("{}: {} → {}", names[pid], text(from), text(to)));
                continue;
            };
            let changed = changed_variables(&old, &new);
            variables.extend(changed.into_iter().map(|text| whose(pid, text)));
            if old.short() != new.short() {
                places.push(whose(pid, format!("→ {}", new.short())));
            }
        }
        let mut lines = variables;
        lines.extend(self.changed_shared(before, after));
        lines.extend(self.written(before, step));
        let others = [("-", &change.lost), ("+", &change.gained)].into_iter();
        for (sign, tokens) in others {
            let other = tokens.iter().filter(|one| self.listed(&one.place).is_none());
            lines.extend(other.map(|one| format!("{sign} {}", Tokens::text(one))));
        }
        lines.extend(step.children.iter().map(|child| self.birth(after, child)));
        lines.extend(self.deaths(&step.mode, &names));
        let ended = change.ended.iter().filter(|(pid, _)| !is_passive(self, &step.mode, pid));
        lines.extend(
            ended.map(|(pid, _)| format!("{} ends{}", names[pid], self.result(after, pid))),
        );
        lines.extend(places);
        if lines.is_empty() {
            let read = self.read(before, &step.mode);
            lines.push(if read.is_empty() {
                "(nothing changes)".to_owned()
            } else {
                format!("reads {}", read.join(", "))
            });
        }
        lines
    }

    /// What is known to who acts in a mode: its variables, and the global variables that the mode reads.
    pub fn known(&self, before: &State, mode: &Mode) -> Vec<String> {
        let actor = self.acts(None, mode).into_iter().next().map(|act| act.pid);
        let standing = actor.and_then(|pid| {
            let at = whereabouts(self.net, before).remove(&pid)?;
            self.standing(Some(before), &pid, &at)
        });
        let own = standing.iter().flat_map(Standing::variables);
        let own = own.map(|(name, value)| format!("{name} = {value}"));
        own.chain(self.read(before, mode)).collect()
    }

    /// The global variables that a mode reads, with their values.
    fn read(&self, before: &State, mode: &Mode) -> Vec<String> {
        let rule = self.net.transition(mode.transition);
        let arcs = rule.takes.iter().chain(&rule.reads);
        self.globals_of(before, arcs.map(|arc| arc.place).collect())
    }

    /// The global variables that a step writes, but leaves as they were: what somebody else has written may be lost.
    fn written(&self, before: &State, step: &RunStep) -> Vec<String> {
        let taken = self.net.transition(step.mode.transition).takes.iter();
        let then = self.globals_of(before, taken.map(|arc| arc.place).collect());
        let now = self.shared(&step.state);
        let stays = |text: &String| now.values().any(|shared| shared.text() == *text);
        then.into_iter().filter(stays).map(|text| format!("writes {text}, as it was")).collect()
    }

    /// The global variables in some places, with their values, but for the names of objects.
    fn globals_of(&self, state: &State, places: BTreeSet<PlaceId>) -> Vec<String> {
        let all = self.shared(state).into_iter().filter(|(_, shared)| !shared.is_name);
        let those = all.filter(|((is_object, place, _), _)| {
            !is_object && places.iter().any(|id| id.index() == *place)
        });
        those.map(|(_, shared)| shared.text()).collect()
    }

    /// `, with result 3`, if a thread that has ended has one that somebody can still ask for.
    fn result(&self, after: &State, pid: &Pid) -> String {
        let result = self.places.iter().find_map(|(place, listed)| {
            let Listed::Result(field) = listed else { return None };
            let mut tokens = after.tokens(place);
            let (token, _) = tokens.find(|(token, _)| token[0].as_pid() == Some(pid))?;
            Some(format!(", with result {}", Speech::field(field, token)))
        });
        result.unwrap_or_default()
    }

    fn birth(&self, after: &State, child: &Pid) -> String {
        match whereabouts(self.net, after).remove(child) {
            None => format!("spawns {child}, which ends at once"),
            Some(at) => {
                let name = self.name(after, child);
                let thread = ToldThread::of(Some(self), after, child, &at);
                format!("spawns {name} at {}", thread.at_with_variables())
            }
        }
    }

    /// Those to whom something is done by others.
    fn deaths(&self, mode: &Mode, names: &BTreeMap<Pid, String>) -> Vec<String> {
        let participants = self.net.transition(mode.transition).participants.iter();
        let passive = participants.zip(&mode.tokens).filter(|(one, _)| one.passive);
        let said = passive.filter_map(|(one, token)| {
            let name = names.get(token.first()?.as_pid()?)?;
            Some(match one.fate {
                Fate::Crash => format!("crashes {name}"),
                Fate::End => format!("kills {name}, which ends"),
                Fate::Move { .. } | Fate::Stay => format!("kills {name}"),
            })
        });
        said.collect()
    }

    fn changed_shared(&self, before: &State, after: &State) -> Vec<String> {
        let (old, new) = (self.shared(before), self.shared(after));
        let mut lines = Vec::new();
        for (key, now) in &new {
            let Some(then) = old.get(key) else {
                lines.push(format!("creates {}", now.text()));
                continue;
            };
            let pairs = then.fields.iter().zip(&now.fields).filter(|(old, new)| old != new);
            let texts: Vec<String> =
                pairs.map(|((name, old), (_, new))| format!("{name}: {old} → {new}")).collect();
            if !texts.is_empty() {
                lines.push(named(now.name.as_deref(), &texts.join(", ")));
            }
        }
        lines
    }
}

fn is_passive(speech: &Speech, mode: &Mode, pid: &Pid) -> bool {
    let participants = speech.net.transition(mode.transition).participants.iter();
    let mut passive = participants.zip(&mode.tokens).filter(|(one, _)| one.passive);
    passive.any(|(_, token)| token.first().and_then(Value::as_pid) == Some(pid))
}

/// Variables that have got a value, or another one.
fn changed_variables(old: &Standing, new: &Standing) -> Vec<String> {
    let old: BTreeMap<_, _> = old.variables.iter().map(|(key, text)| (key, text)).collect();
    let changed = new.variables.iter().filter_map(|(key, text)| match old.get(key) {
        Some(before) if *before == text => None,
        Some(before) => Some(format!("{}: {before} → {text}", key.1)),
        None => Some(format!("{} = {text}", key.1)),
    });
    changed.collect()
}
