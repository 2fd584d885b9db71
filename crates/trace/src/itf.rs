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

use net::{Column, Net, Place, Sort};
use serde_json::{Map, Value as Json, json};
use state::{State, Value};

use super::Trace;
use super::speech::Speech;
use crate::run::text_of;

pub(super) fn itf(trace: &Trace, net: &Net, property: Option<&str>) -> Json {
    let speech = Speech::of(net);
    let [threads, action] = ["threads", "action"].map(|name| unlike_places(net, name));
    let mut states: Vec<(&State, String)> = vec![(&trace.run.initial, String::new())];
    for step in &trace.run.steps {
        let before = states.last().map_or(&trace.run.initial, |(state, _)| *state);
        states.push((&step.state, text_of(net, speech.as_ref(), Some(before), &step.mode)));
    }
    let variables: Vec<Variable> = match &speech {
        Some(speech) => told::variables(speech),
        None => net.places.iter().map(of_place).collect(),
    };
    let written = states.iter().enumerate().map(|(index, (state, fired))| {
        let mut values = Map::new();
        values.insert("#meta".into(), json!({ "index": index }));
        for variable in &variables {
            values.insert(variable.name.clone(), (variable.value)(state));
        }
        let counters = state.eta().iter().map(|(pid, &n)| json!([pid.to_string(), int(n.into())]));
        values.insert(threads.clone(), json!({ "#map": counters.collect::<Vec<_>>() }));
        values.insert(action.clone(), fired.as_str().into());
        Json::Object(values)
    });
    let mut vars: Vec<&str> = variables.iter().map(|variable| &*variable.name).collect();
    vars.extend([&*threads, &*action]);
    let typed = variables.iter();
    let mut types: Map<String, Json> =
        typed.map(|variable| (variable.name.clone(), variable.of.clone().into())).collect();
    types.insert(threads.clone(), "Str -> Int".into());
    types.insert(action.clone(), "Str".into());
    let mut meta = json!({
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": net.name,
        "varTypes": types,
    });
    if let Some(property) = property {
        meta["description"] = property.into();
    }
    let mut itf = json!({ "vars": vars, "states": written.collect::<Vec<_>>() });
    if let Some(back) = &trace.back {
        if states.get(back.to).is_some_and(|(state, _)| *state == trace.run.last()) {
            itf["loop"] = back.to.into();
        } else {
            meta["back"] = json!(back);
        }
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

/// A name that no place has.
fn unlike_places(net: &Net, name: &str) -> String {
    let mut name = name.to_owned();
    while net.places.iter().any(|place| *place.name == *name) {
        name.push('_');
    }
    name
}

fn int(number: i64) -> Json {
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
