//! What there is in a state: threads, global variables, objects, tokens.

use net::Net;
use serde::Serialize;
use state::{Pid, State};

use crate::change::{At, ordinary_tokens, values_text, whereabouts};
use crate::speech::Speech;
use crate::text::some;
use crate::words::{equation, named};

/// A thread, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldThread {
    /// The thread.
    pub pid: Pid,
    /// `worker 1.2`; in a net `thread 1.2`.
    pub name: String,
    /// The kind of process that it is.
    pub process: Option<String>,
    /// The process or function that it executes.
    pub routine: Option<String>,
    /// The statement before which it is, with its label; in a net its place and data.
    pub at: String,
    /// The line of that statement, from 1; of what is in the prelude, that of the call.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// The label of the statement.
    pub label: Option<String>,
    /// The calls that led there, from the innermost outwards.
    pub calls: Vec<ToldCall>,
    /// Its variables, those of the innermost call last.
    pub variables: Vec<ToldVariable>,
    /// Whether the last step has changed it.
    pub changed: bool,
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldCall {
    /// The caller.
    pub routine: String,
    /// The line of the call; none if that is in the prelude.
    pub line: Option<usize>,
}

/// A variable, or what a variable of a transition is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldVariable {
    /// Its name.
    pub name: String,
    /// Its value, as it would be written.
    pub value: String,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldGlobal {
    /// Its name.
    pub name: String,
    /// Its value, as it would be written.
    pub value: String,
    /// Whether the last step has changed it.
    pub changed: bool,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldObject {
    /// `mutex 1 (lock)`.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub of: String,
    /// Its fields.
    pub fields: Vec<ToldVariable>,
    /// Whether the last step has changed or created it.
    pub changed: bool,
}

/// A marked ordinary place of a net.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldPlace {
    /// Its name.
    pub name: String,
    /// Its tokens.
    pub tokens: Vec<ToldTokens>,
    /// Whether the last step has changed what it holds.
    pub changed: bool,
}

/// Copies of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldTokens {
    /// Its data, `1, red`; nothing if it has none.
    pub text: String,
    /// How many there are.
    pub count: u32,
}

/// What there is in a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    /// In the order of their pids.
    pub threads: Vec<ToldThread>,
    /// But for those that are no more than the name of an object.
    pub globals: Vec<ToldGlobal>,
    pub objects: Vec<ToldObject>,
    pub places: Vec<ToldPlace>,
}

impl Contents {
    /// What there is in a state, and what of it was not there before.
    pub fn of(
        net: &Net,
        speech: Option<&Speech>,
        state: &State,
        before: Option<&State>,
    ) -> Contents {
        let old = before.map(|before| whereabouts(net, before));
        let mut contents = Contents::default();
        for (pid, at) in whereabouts(net, state) {
            let changed = old.as_ref().is_some_and(|old| old.get(&pid) != Some(&at));
            let thread = ToldThread::of(speech, state, &pid, &at);
            contents.threads.push(ToldThread { changed, ..thread });
        }
        if let Some(speech) = speech {
            contents.add_shared(speech, state, before);
        }
        for tokens in ordinary_tokens(net, state) {
            if speech.is_some_and(|speech| speech.listed(&tokens.place).is_some()) {
                continue;
            }
            let told = ToldTokens { text: values_text(&tokens.values), count: tokens.count };
            match contents.places.last_mut() {
                Some(place) if *place.name == *tokens.place => place.tokens.push(told),
                _ => {
                    let changed = before.is_some_and(|before| {
                        !before.tokens(&tokens.place).eq(state.tokens(&tokens.place))
                    });
                    let name = tokens.place.to_string();
                    contents.places.push(ToldPlace { name, tokens: vec![told], changed });
                }
            }
        }
        contents
    }

    fn add_shared(&mut self, speech: &Speech, state: &State, before: Option<&State>) {
        for shared in speech.shared(state).filter(|shared| !shared.is_name) {
            let changed = before.is_some_and(|old| old.count(shared.place, shared.token) == 0);
            let variable =
                |(name, value): (&str, String)| ToldVariable { name: name.to_owned(), value };
            let fields = shared.fields.into_iter().map(variable);
            match (shared.name, shared.of) {
                (Some(name), Some(of)) => {
                    let (of, fields) = (of.to_owned(), fields.collect());
                    self.objects.push(ToldObject { name, of, fields, changed });
                }
                _ => self.globals.extend(fields.map(|ToldVariable { name, value }| ToldGlobal {
                    name,
                    value,
                    changed,
                })),
            }
        }
    }

    /// The same as text, a line for each.
    pub fn lines(&self, is_of_processes: bool) -> Vec<String> {
        let mut threads: Vec<(String, Vec<String>)> = Vec::new();
        for thread in &self.threads {
            let at = thread.at_with_variables();
            let name = if is_of_processes { thread.name.clone() } else { thread.pid.to_string() };
            match threads.iter_mut().find(|(other, _)| *other == at) {
                Some((_, names)) => names.push(name),
                None => threads.push((at, vec![name])),
            }
        }
        let mut lines = Vec::new();
        for (at, names) in threads {
            let noun = match names.len() {
                _ if is_of_processes => "",
                1 => "thread ",
                _ => "threads ",
            };
            lines.push(format!("{noun}{} at {at}", some(&names, ", ")));
        }
        let globals: Vec<String> =
            self.globals.iter().map(|one| format!("{} = {}", one.name, one.value)).collect();
        lines.extend((!globals.is_empty()).then(|| globals.join(", ")));
        lines.extend(
            self.objects.iter().map(|one| named(Some(&one.name), &variables_text(&one.fields))),
        );
        for place in &self.places {
            let texts: Vec<String> =
                place.tokens.iter().map(|tokens| tokens.text_in(&place.name)).collect();
            lines.push(some(&texts, " "));
        }
        lines
    }
}

impl ToldThread {
    /// A thread of a state.
    pub(crate) fn of(speech: Option<&Speech>, state: &State, pid: &Pid, at: &At) -> ToldThread {
        let standing = speech.and_then(|speech| speech.standing(Some(state), pid, at));
        let Some(standing) = standing else {
            return ToldThread {
                pid: pid.clone(),
                name: format!("thread {pid}"),
                process: None,
                routine: None,
                at: at.text(),
                line: None,
                column: None,
                label: None,
                calls: Vec::new(),
                variables: Vec::new(),
                changed: false,
            };
        };
        let (line, column) = standing.position().unzip();
        let variable = |((_, name), value): ((usize, &str), String)| ToldVariable {
            name: name.to_owned(),
            value,
        };
        ToldThread {
            pid: pid.clone(),
            name: format!("{} {pid}", standing.process()),
            process: Some(standing.process().to_owned()),
            routine: Some(standing.routine().to_owned()),
            at: standing.text(),
            line,
            column,
            label: standing.label().map(str::to_owned),
            calls: standing
                .calls()
                .map(|(routine, line)| ToldCall { routine: routine.to_owned(), line })
                .collect(),
            variables: standing.variables().map(variable).collect(),
            changed: false,
        }
    }

    /// `line 14: lock.lock() (job = 2)`.
    pub(crate) fn at_with_variables(&self) -> String {
        match self.variables.is_empty() {
            true => self.at.clone(),
            false => format!("{} ({})", self.at, variables_text(&self.variables)),
        }
    }
}

impl ToldTokens {
    /// `3×lock(red)`.
    fn text_in(&self, place: &str) -> String {
        let times = if self.count == 1 { String::new() } else { format!("{}×", self.count) };
        match self.text.is_empty() {
            true => format!("{times}{place}"),
            false => format!("{times}{place}({})", self.text),
        }
    }
}

/// `job = 2, done = 0`.
fn variables_text(variables: &[ToldVariable]) -> String {
    let texts: Vec<String> = variables.iter().map(|one| equation(&one.name, &one.value)).collect();
    texts.join(", ")
}
