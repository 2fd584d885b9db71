//! What is said of a state, and of what a step has changed.

use std::collections::{BTreeMap, BTreeSet};

use net::interpret::{Mode, in_normal_form, value};
use net::listing::{Chosen, Field, Listed, Shape};
use net::{Fate, PlaceId};
use state::{Pid, State, Token, Value};

use super::{Speech, Standing, seen};
use crate::RunStep;
use crate::change::{At, Change, Tokens, whereabouts_of};
use crate::told::ToldThread;
use crate::words::{changed_text, equation, line_text, named};

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
            self.fields.iter().map(|(name, value)| equation(name, value)).collect();
        named(self.name.as_deref(), &fields.join(", "))
    }
}

impl<'n> Speech<'n> {
    /// Global variables in the order of their places, and then objects, by their types and numbers.
    pub fn shared<'s>(&'s self, state: &'s State) -> impl Iterator<Item = Shared<'s>> {
        let of_type = |is_object: bool| {
            let wanted =
                move |listed: &Listed| matches!(listed, Listed::Object { .. }) == is_object;
            self.shared.iter().filter(move |(.., listed)| wanted(listed))
        };
        let places = of_type(false).chain(of_type(true));
        places.flat_map(move |(_, place, _)| {
            let tokens = state.tokens(place);
            tokens.filter_map(move |(token, _)| self.shared_in(state, place, token))
        })
    }

    /// The object or global variable that a token of a place stands for.
    fn shared_in<'s>(
        &'s self,
        state: &State,
        place: &'s str,
        token: &'s Token,
    ) -> Option<Shared<'s>> {
        Some(match self.listed(place)? {
            Listed::Global(field) => Shared {
                place,
                token,
                name: None,
                of: None,
                fields: seen(self.listing, std::slice::from_ref(field), token),
                is_name: self.is_name(state, field, token),
            },
            Listed::Object { name, fields } => Shared {
                place,
                token,
                name: Some(self.object(state, &token[0])),
                of: Some(name),
                fields: seen(self.listing, fields, token),
                is_name: false,
            },
            _ => return None,
        })
    }

    /// Whether a global variable is no more than the name of an object.
    fn is_name(&self, state: &State, field: &Field, token: &[Value]) -> bool {
        let [object @ Value::Object(..)] = &token[field.columns.clone()] else { return false };
        field.shape == Shape::Scalar && self.references(state, object).len() == 1
    }

    /// What a step has changed: variables of threads, global variables, objects; who was born, killed, has ended;
    /// where those are now who acted. If it is nothing, what it reads.
    pub fn changes(&self, change: &Change, before: &State, step: &RunStep) -> Vec<String> {
        let Changes { mut lines, places } = self.changes_and_places(change, before, step);
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

    /// The same, with where those are now who acted apart, and without what it reads.
    pub fn changes_and_places(&self, change: &Change, before: &State, step: &RunStep) -> Changes {
        let after = &step.state;
        let actor = self.actor(&step.mode);
        let whose = |pid: &Pid, at: &At, text: String| match &actor {
            Some(actor) if *actor == pid => text,
            _ => format!("{}: {text}", self.name_at(pid, &at.place)),
        };
        let (mut variables, mut places) = (Vec::new(), Vec::new());
        let mut chosen = self.chosen(&step.mode);
        for (pid, from, to) in &change.moved {
            let [old, new] = [(before, from), (after, to)]
                .map(|(state, at)| self.standing(Some(state), pid, at.as_ref()?));
            let (Some(old), Some(new), Some(at)) = (old, new, to) else {
                let text = |at: &Option<At>| at.as_ref().map_or("nowhere".into(), At::text);
                let name = to.as_ref().or(from.as_ref()).map(|at| self.name_at(pid, &at.place));
                let name = name.unwrap_or_else(|| pid.to_string());
                places.push(format!("{name}: {} → {}", text(from), text(to)));
                continue;
            };
            let changed = changed_variables(&old, &new, self.is_translated());
            if actor == Some(pid) {
                chosen.retain(|(name, _)| !changed.iter().any(|(other, _)| Some(*other) == *name));
            }
            variables.extend(changed.into_iter().map(|(_, text)| whose(pid, at, text)));
            let (old, new) = (old.short(), new.short());
            if old != new {
                places.push(whose(pid, at, format!("→ {new}")));
            }
        }
        let mut lines: Vec<String> = chosen.into_iter().map(|(_, text)| text).collect();
        lines.extend(variables);
        lines.extend(self.changed_shared(change, before, step));
        lines.extend(self.written(before, step));
        let others = [("-", &change.lost), ("+", &change.gained)].into_iter();
        for (sign, tokens) in others {
            let other = tokens.iter().filter(|one| self.listed(&one.place).is_none());
            lines.extend(other.map(|one| format!("{sign} {}", Tokens::text(one))));
        }
        lines.extend(step.children.iter().map(|child| self.birth(change, after, child)));
        lines.extend(self.deaths(&step.mode));
        let ended = change.ended.iter().filter(|(pid, _)| !is_passive(self, &step.mode, pid));
        lines.extend(ended.map(|(pid, at)| {
            let name =
                at.as_ref().map_or_else(|| pid.to_string(), |at| self.name_at(pid, &at.place));
            format!("{name} ends{}", self.result(after, pid))
        }));
        Changes { lines, places }
    }

    /// The first of those who act in a mode, if it is a process.
    fn actor<'m>(&self, mode: &'m Mode) -> Option<&'m Pid> {
        let participants = self.net.transition(mode.transition).participants.iter();
        let mut acting = participants.zip(&mode.tokens).filter(|(one, _)| !one.passive);
        acting.find_map(|(one, token)| {
            let point = self.listed(&self.net.place(one.from).name)?;
            token.first()?.as_pid().filter(|_| matches!(point, Listed::Point { .. }))
        })
    }

    /// What is known to who acts in a mode: its variables, and the global variables that the mode reads.
    pub fn known(&self, before: &State, mode: &Mode) -> Vec<String> {
        let standing = self.actor(mode).and_then(|pid| {
            let at = whereabouts_of(self.net, before, pid)?;
            self.standing(Some(before), pid, &at)
        });
        let own = standing.iter().flat_map(Standing::variables);
        let mut known: Vec<String> = own.map(|((_, name), value)| equation(name, &value)).collect();
        known.extend(self.read(before, mode));
        // What a function was given may have the name that it has for who calls it.
        let mut seen = BTreeSet::new();
        known.retain(|one| !self.is_translated() || seen.insert(one.clone()));
        known
    }

    /// The global variables that a mode reads, with their values.
    fn read(&self, before: &State, mode: &Mode) -> Vec<String> {
        let rule = self.net.transition(mode.transition);
        let arcs = rule.takes.iter().chain(&rule.reads);
        let globals = self.globals_of(before, arcs.map(|arc| arc.place).collect());
        globals.iter().map(Shared::text).collect()
    }

    /// The global variables that a step writes, but leaves as they were: what somebody else has written may be lost.
    fn written(&self, before: &State, step: &RunStep) -> Vec<String> {
        let taken = self.net.transition(step.mode.transition).takes.iter();
        let then = self.globals_of(before, taken.map(|arc| arc.place).collect());
        let stays = |one: &&Shared| step.state.count(one.place, one.token) > 0;
        let those = then.iter().filter(stays);
        those.map(|one| format!("writes {}, as it was", one.text())).collect()
    }

    /// The global variables in some places, but for the names of objects.
    fn globals_of<'s>(&'s self, state: &'s State, places: BTreeSet<PlaceId>) -> Vec<Shared<'s>> {
        let mut found = Vec::new();
        for place in places.iter().map(|id| &*self.net.place(*id).name) {
            if let Some(Listed::Global(_)) = self.listed(place) {
                let tokens = state.tokens(place);
                found.extend(tokens.filter_map(|(token, _)| self.shared_in(state, place, token)));
            }
        }
        found.retain(|shared| !shared.is_name);
        found
    }

    /// `, with result 3`, if a thread that has ended has one that somebody can still ask for.
    fn result(&self, after: &State, pid: &Pid) -> String {
        let result = self.places.iter().find_map(|(place, listed)| {
            let Listed::Result(field) = listed else { return None };
            let mut tokens = after.tokens(place);
            let (token, _) = tokens.find(|(token, _)| token[0].as_pid() == Some(pid))?;
            Some(format!(", with result {}", self.field(field, token)))
        });
        result.unwrap_or_default()
    }

    fn birth(&self, change: &Change, after: &State, child: &Pid) -> String {
        let mut born = change.born.iter();
        match born.find(|(pid, _)| pid == child) {
            Some((_, Some(at))) => {
                let thread = ToldThread::of(Some(self), after, child, at);
                format!("spawns {} at {}", thread.name, thread.at_with_variables())
            }
            _ => format!("spawns {child}, which ends at once"),
        }
    }

    /// Those to whom something is done by others.
    fn deaths(&self, mode: &Mode) -> Vec<String> {
        let participants = self.net.transition(mode.transition).participants.iter();
        let passive = participants.zip(&mode.tokens).filter(|(one, _)| one.passive);
        let said = passive.filter_map(|(one, token)| {
            let name = self.name_at(token.first()?.as_pid()?, &self.net.place(one.from).name);
            Some(match one.fate {
                Fate::Crash => format!("crashes {name}"),
                Fate::End => format!("kills {name}, which ends"),
                Fate::Move { .. } | Fate::Stay => format!("kills {name}"),
            })
        });
        said.collect()
    }

    /// What is new, and what has other values. Global variables come first.
    fn changed_shared(&self, change: &Change, before: &State, step: &RunStep) -> Vec<String> {
        let after = &step.state;
        let mut lines = [Vec::new(), Vec::new()];
        for gained in &change.gained {
            let Some(now) = self.shared_in(after, &gained.place, &gained.values) else { continue };
            let is_it = |lost: &&Tokens| {
                lost.place == gained.place && (now.name.is_none() || lost.values[0] == now.token[0])
            };
            let lines = &mut lines[usize::from(now.name.is_some())];
            let then = change.lost.iter().find(is_it);
            let Some(then) =
                then.and_then(|lost| self.shared_in(before, &lost.place, &lost.values))
            else {
                let words = self.listing.words.as_ref();
                let is_quiet =
                    now.of.is_some_and(|of| words.is_some_and(|all| all.quiet.contains(of)));
                if !is_quiet {
                    lines.push(format!("creates {}", now.text()));
                }
                continue;
            };
            lines.extend(changed_fields(&then, &now, now.name.as_deref()));
        }
        for lost in &change.lost {
            // An object that nobody refers to any more is garbage after the step, but was changed by it.
            let Some(then) = self.shared_in(before, &lost.place, &lost.values) else { continue };
            let is_same = |object: &[Value]| object[0] == lost.values[0];
            let is_there =
                then.of.is_none() || after.tokens(then.place).any(|(one, _)| is_same(one));
            let put = || self.puts(&step.mode, then.place).into_iter().find(|one| is_same(one));
            if !is_there && let Some(token) = put() {
                let now = self.shared_in(after, then.place, &token);
                let name = then.name.as_deref();
                lines[1].extend(now.and_then(|now| changed_fields(&then, &now, name)));
            }
        }
        lines.concat()
    }

    /// The tokens that a mode puts into a place, as far as they are known before it fires.
    fn puts(&self, mode: &Mode, place: &str) -> Vec<Token> {
        let rule = self.net.transition(mode.transition);
        let puts = rule.puts.iter().filter(|arc| *self.net.place(arc.place).name == *place);
        let token = |arc: &net::Arc| {
            let values = arc.pattern.iter().map(|expr| value(self.net, mode, expr.as_ref()?));
            Some(in_normal_form(
                self.net,
                self.net.place(arc.place),
                values.collect::<Option<_>>()?,
            ))
        };
        puts.filter_map(token).collect()
    }

    /// What is chosen in a mode: the variable that gets a value, if it is one, and what is said of it.
    fn chosen(&self, mode: &Mode) -> Vec<(Option<&'n str>, String)> {
        let chosen = self.listing.choices.get(&mode.transition.index());
        let said = chosen.into_iter().flatten().filter_map(|one| match one {
            Chosen::Branch { number, first } => {
                let first = first.as_ref().map_or_else(|| "which is empty".to_owned(), line_text);
                Some((None, format!("takes branch {}, {first}", number + 1)))
            }
            Chosen::Value { field, value: row } => {
                let row: Option<Token> = row.iter().map(|one| value(self.net, mode, one)).collect();
                let value = self.field(field, &row?);
                let text = match field.name.is_empty() {
                    true => format!("taken to be {value}"),
                    false => format!("chooses {}", equation(&field.name, &value)),
                };
                Some((Some(field.name.as_str()), text))
            }
        });
        said.collect()
    }

    /// The value that is wrong where a mode fails.
    pub fn wrong(&self, mode: &Mode) -> Option<String> {
        let wrong = self.listing.wrong.get(&mode.transition.index())?;
        Some(self.value(&value(self.net, mode, wrong)?))
    }
}

fn is_passive(speech: &Speech, mode: &Mode, pid: &Pid) -> bool {
    let participants = speech.net.transition(mode.transition).participants.iter();
    let mut passive = participants.zip(&mode.tokens).filter(|(one, _)| one.passive);
    passive.any(|(_, token)| token.first().and_then(Value::as_pid) == Some(pid))
}

/// What a step has changed, a line for each.
pub(crate) struct Changes {
    /// In variables and objects, and among threads.
    pub lines: Vec<String>,
    /// Where those are now who acted.
    pub places: Vec<String>,
}

/// `mutex 1 (lock): holder: none → 1.1`: what differs between two states of an object or a variable, if something does.
fn changed_fields(then: &Shared, now: &Shared, name: Option<&str>) -> Option<String> {
    let pairs = then.fields.iter().zip(&now.fields).filter(|(old, new)| old != new);
    let texts: Vec<String> =
        pairs.map(|((name, old), (_, new))| changed_text(name, old, new)).collect();
    (!texts.is_empty()).then(|| named(name, &texts.join(", ")))
}

/// Variables that have got a value, or another one, each with what is said of it. Where objects have names, those are
/// left out that refer to an object of their own name.
fn changed_variables<'s>(
    old: &Standing,
    new: &'s Standing,
    has_names: bool,
) -> Vec<(&'s str, String)> {
    let old: BTreeMap<_, _> = old.variables().collect();
    let is_name = |name: &str, text: &str| has_names && text.ends_with(&format!(" {name}"));
    let changed = new.variables().filter_map(|(key, text)| match old.get(&key) {
        Some(before) if *before == text => None,
        None if is_name(key.1, &text) => None,
        Some(before) => Some((key.1, format!("{}: {before} → {text}", key.1))),
        None => Some((key.1, format!("{} = {text}", key.1))),
    });
    changed.collect()
}
