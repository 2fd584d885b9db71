//! The variables of a program, for ITF.

use net::listing::{Field, Listed, Shape};
use net::{Net, Place};
use serde_json::{Map, Value as Json, json};
use state::{State, Value};

use super::{Variable, column_type, of_place, unlike, value};
use crate::change::whereabouts;
use crate::speech::Speech;

/// Global variables and objects, those places that are none of a program, and where threads are with what.
pub(super) fn variables<'n>(speech: &'n Speech<'n>) -> Vec<Variable<'n>> {
    let net = speech.net();
    let mut variables = Vec::new();
    for place in &net.places {
        match speech.listed(&place.name) {
            None => variables.push(of_place(place)),
            Some(Listed::Global(field)) => variables.push(Variable {
                name: place.name.to_string(),
                of: type_of(place, field).to_owned(),
                value: Box::new(|state| {
                    let token = state.tokens(&place.name).next();
                    token.map_or(Json::Null, |(token, _)| value_of(speech, place, field, token))
                }),
            }),
            Some(Listed::Object { fields, .. }) => variables.push(objects(speech, place, fields)),
            Some(_) => {}
        }
    }
    let declared: Vec<(String, String)> =
        variables.iter().map(|one: &Variable| (one.name.clone(), one.of.clone())).collect();
    let [at, locals] = ["at", "locals"].map(|name| unlike(&declared, name));
    let of = "Str -> Str".to_owned();
    variables.push(Variable { name: at, of, value: Box::new(|state| points(speech, net, state)) });
    variables.push(Variable {
        name: locals,
        of: "Str -> { }".to_owned(),
        value: Box::new(|state| locals_of(speech, net, state)),
    });
    variables
}

/// The objects of a type: a map from their names to records.
fn objects<'n>(speech: &'n Speech<'n>, place: &'n Place, fields: &'n [Field]) -> Variable<'n> {
    let fields = || fields.iter().filter(|field| !field.is_hidden());
    let types: Vec<String> =
        fields().map(|field| format!("{}: {}", field.name, type_of(place, field))).collect();
    Variable {
        name: place.name.to_string(),
        of: format!("Str -> {{ {} }}", types.join(", ")),
        value: Box::new(move |state| {
            let object = |(token, _): (&Vec<Value>, u32)| {
                let record: Map<String, Json> = fields()
                    .map(|field| (field.name.clone(), value_of(speech, place, field, token)))
                    .collect();
                json!([speech.value(&token[0]), record])
            };
            json!({ "#map": state.tokens(&place.name).map(object).collect::<Vec<_>>() })
        }),
    }
}

/// Where threads are.
fn points(speech: &Speech, net: &Net, state: &State) -> Json {
    let point = |(pid, at): (state::Pid, crate::change::At)| {
        json!([pid.to_string(), speech.place_of(state, &pid, &at)])
    };
    json!({ "#map": whereabouts(net, state).into_iter().map(point).collect::<Vec<_>>() })
}

/// The variables of threads.
fn locals_of(speech: &Speech, net: &Net, state: &State) -> Json {
    let locals = whereabouts(net, state).into_iter().filter_map(|(pid, at)| {
        let standing = speech.standing(Some(state), &pid, &at)?;
        let variables = standing.variables();
        let record: Map<String, Json> =
            variables.map(|((_, name), text)| (name.to_owned(), text.into())).collect();
        Some(json!([pid.to_string(), record]))
    });
    json!({ "#map": locals.collect::<Vec<_>>() })
}

/// The type of a variable: that of its column, if it has one that always holds something, else text.
fn type_of(place: &Place, field: &Field) -> &'static str {
    match (&field.shape, &place.columns[field.columns.clone()]) {
        (Shape::Scalar, [column]) if !column.optional => column_type(column),
        _ => "Str",
    }
}

fn value_of(speech: &Speech, place: &Place, field: &Field, token: &[Value]) -> Json {
    match &token[field.columns.clone()] {
        [one @ (Value::Int(_) | Value::Bool(_))] if type_of(place, field) != "Str" => value(one),
        _ => speech.field(field, token).into(),
    }
}
