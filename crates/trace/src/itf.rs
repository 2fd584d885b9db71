//! A trace in Apalache's Informal Trace Format (ITF): JSON that model checkers and test generators exchange
//! (<https://apalache-mc.org/docs/adr/015adr-trace.html>).
//!
//! There is a variable for each place, a map from its tokens to the number of their copies; `threads`, a map
//! from the active threads to the number of children each has created; and `action`, what has fired. Pids and
//! members of enumerations are strings. ITF knows only loops that lead back to the same state, so `loop` is
//! there if the last state is the earlier one; how others go on is said in `#meta`.

use net::{Net, Place, Sort};
use serde_json::{Map, Value as Json, json};
use state::{State, Value};

use super::Trace;
use crate::mode_text;

pub(super) fn itf(trace: &Trace, net: &Net, property: Option<&str>) -> Json {
    let [threads, action] = ["threads", "action"].map(|name| unlike_places(net, name));
    let first = (&trace.run.initial, String::new());
    let steps = trace.run.steps.iter().map(|step| (&step.state, mode_text(net, &step.mode)));
    let states: Vec<(&State, String)> = std::iter::once(first).chain(steps).collect();
    let written = states.iter().enumerate().map(|(index, (state, fired))| {
        let mut values = Map::new();
        values.insert("#meta".into(), json!({ "index": index }));
        for place in &net.places {
            values.insert(place.name.to_string(), tokens(state, place));
        }
        let counters = state.eta().iter().map(|(pid, &n)| json!([pid.to_string(), int(n.into())]));
        values.insert(threads.clone(), json!({ "#map": counters.collect::<Vec<_>>() }));
        values.insert(action.clone(), fired.as_str().into());
        Json::Object(values)
    });
    let mut vars: Vec<&str> = net.places.iter().map(|place| &*place.name).collect();
    vars.extend([&*threads, &*action]);
    let mut types: Map<String, Json> =
        net.places.iter().map(|place| (place.name.to_string(), tokens_type(place))).collect();
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

fn tokens(state: &State, place: &Place) -> Json {
    let value = |value: &Value| match value {
        Value::Int(number) => int(*number),
        Value::Bool(truth) => json!(truth),
        Value::Pid(_) | Value::Enum(_) | Value::Object(..) | Value::None => {
            json!(value.to_string())
        }
    };
    let token = |(token, count): (&Vec<Value>, u32)| {
        let values: Vec<Json> = token.iter().map(value).collect();
        json!([{ "#tup": values }, int(count.into())])
    };
    json!({ "#map": state.tokens(&place.name).map(token).collect::<Vec<_>>() })
}

fn tokens_type(place: &Place) -> Json {
    let column = |column: &net::Column| match column.sort {
        Sort::Pid | Sort::Enum(_) | Sort::Object(_) => "Str",
        Sort::Int { .. } => "Int",
        Sort::Bool => "Bool",
    };
    let columns: Vec<&str> = place.columns.iter().map(column).collect();
    format!("<<{}>> -> Int", columns.join(", ")).into()
}
