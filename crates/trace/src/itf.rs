//! A trace in Apalache's Informal Trace Format (ITF): JSON that model checkers and test generators exchange
//! (<https://apalache-mc.org/docs/adr/015adr-trace.html>).
//!
//! There is a variable for each place, a map from its tokens to the number of their copies; `threads`, a map
//! from the active threads to the number of children each has created; and `action`, what has fired. Pids and
//! members of enumerations are strings. ITF knows only loops that lead back to the same state, so `loop` is
//! there if the last state is the earlier one; how others go on is said in `#meta`.
//!
//! Of a net that was made of processes the variables are those of the program: each global variable, a map from the
//! objects of a type to records of their fields, and maps from the threads to where they are (`at`) and to their
//! variables (`locals`). What is no number, truth value or text is said as in the program.

mod told;

use std::collections::BTreeMap;

use net::{Column, Net, Place, Sort};
use serde_json::{Map, Value as Json, json};
use state::{Pid, State, Value};

use super::Trace;
use super::account::Tale;
use super::speech::Speech;
use crate::run::text_of;

/// What there is in each state of a run.
pub(super) struct Variables {
    /// Their names and types.
    pub declared: Vec<(String, String)>,
    /// For each state their values, the number of children of each active thread, and what has led there.
    pub states: Vec<(Vec<Json>, BTreeMap<Pid, u32>, String)>,
    /// The earlier state that the last one is, if it is one of those.
    pub again: Option<usize>,
}

/// What there is in the states of a run of a net.
pub(super) fn variables_of_net(trace: &Trace, net: &Net) -> Variables {
    let speech = Speech::of(net);
    let variables: Vec<Variable> = match &speech {
        Some(speech) => told::variables(speech),
        None => net.places.iter().map(of_place).collect(),
    };
    let values = |state: &State| variables.iter().map(|one| (one.value)(state)).collect();
    let row = |state: &State, fired: String| (values(state), state.eta().clone(), fired);
    let mut states = vec![row(&trace.run.initial, String::new())];
    for (number, step) in trace.run.steps.iter().enumerate() {
        let before = Some(trace.run.state(number));
        states.push(row(&step.state, text_of(net, speech.as_ref(), before, &step.mode)));
    }
    let again = trace.back.as_ref().map(|back| back.to);
    let again =
        again.filter(|to| *to <= trace.run.steps.len() && trace.run.state(*to) == trace.run.last());
    let declared = variables.iter().map(|one| (one.name.clone(), one.of.clone())).collect();
    Variables { declared, states, again }
}

pub(super) fn itf(tale: &dyn Tale, property: Option<&str>) -> Json {
    let Variables { declared, states, again } = tale.variables();
    let [threads, action] = ["threads", "action"].map(|name| unlike(&declared, name));
    let written = states.into_iter().enumerate().map(|(index, (row, eta, fired))| {
        let mut values = Map::new();
        values.insert("#meta".into(), json!({ "index": index }));
        values.extend(declared.iter().map(|(name, _)| name.clone()).zip(row));
        let counters = eta.iter().map(|(pid, &n)| json!([pid.to_string(), int(n.into())]));
        values.insert(threads.clone(), json!({ "#map": counters.collect::<Vec<_>>() }));
        values.insert(action.clone(), fired.into());
        Json::Object(values)
    });
    let written: Vec<Json> = written.collect();
    let mut vars: Vec<&str> = declared.iter().map(|(name, _)| &**name).collect();
    vars.extend([&*threads, &*action]);
    let typed = declared.iter();
    let mut types: Map<String, Json> =
        typed.map(|(name, of)| (name.clone(), of.clone().into())).collect();
    types.insert(threads.clone(), "Str -> Int".into());
    types.insert(action.clone(), "Str".into());
    let mut meta = json!({
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": tale.model(),
        "varTypes": types,
    });
    if let Some(property) = property {
        meta["description"] = property.into();
    }
    let mut itf = json!({ "vars": vars, "states": written });
    match (again, tale.back()) {
        (Some(to), _) => itf["loop"] = to.into(),
        (None, Some(back)) => meta["back"] = json!(back),
        (None, None) => {}
    }
    itf["#meta"] = meta;
    itf
}

/// A variable of a trace: its name, its type, and its value in a state.
struct Variable<'n> {
    name: String,
    of: String,
    value: Box<dyn Fn(&State) -> Json + 'n>,
}

/// A place: its tokens, and how many copies there are of each.
fn of_place(place: &Place) -> Variable<'_> {
    Variable {
        name: place.name.to_string(),
        of: tokens_type(place),
        value: Box::new(|state| tokens(state, place)),
    }
}

/// A name that no variable has.
pub(super) fn unlike(declared: &[(String, String)], name: &str) -> String {
    let mut name = name.to_owned();
    while declared.iter().any(|(other, _)| *other == name) {
        name.push('_');
    }
    name
}

/// A number.
pub(super) fn int(number: i64) -> Json {
    json!({ "#bigint": number.to_string() })
}

fn value(value: &Value) -> Json {
    match value {
        Value::Int(number) => int(*number),
        Value::Bool(truth) => json!(truth),
        Value::Pid(_) | Value::Enum(_) | Value::Object(..) | Value::None => {
            json!(value.to_string())
        }
    }
}

fn tokens(state: &State, place: &Place) -> Json {
    let token = |(token, count): (&Vec<Value>, u32)| {
        let values: Vec<Json> = token.iter().map(value).collect();
        json!([{ "#tup": values }, int(count.into())])
    };
    json!({ "#map": state.tokens(&place.name).map(token).collect::<Vec<_>>() })
}

fn tokens_type(place: &Place) -> String {
    let columns: Vec<&str> = place.columns.iter().map(column_type).collect();
    format!("<<{}>> -> Int", columns.join(", "))
}

fn column_type(column: &Column) -> &'static str {
    match column.sort {
        Sort::Pid | Sort::Enum(_) | Sort::Object(_) => "Str",
        Sort::Int { .. } => "Int",
        Sort::Bool => "Bool",
    }
}
