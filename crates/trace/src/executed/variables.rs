//! The variables of a program in each state of a run, as they are given to other tools.

use interpret::{Address, Value};
use program::{GlobalId, Named, ObjectId, Type};
use serde_json::{Map, Value as Json, json};

use super::change::step_text;
use super::deeds::children;
use super::scene::Scene;
use super::tale::ProgramTale;
use crate::itf::{Variables, int, unlike};

/// The variables in the states of a run: the global ones, the objects of each type, where threads are, and with what.
pub(super) fn variables(tale: &ProgramTale) -> Variables {
    let program = tale.teller.program();
    let mut declared: Vec<(String, String)> = Vec::new();
    for global in &program.globals {
        let Named { name, of, .. } = &global.variable;
        declared.push((name.clone(), type_of(of).to_owned()));
    }
    for object in &program.objects {
        let fields = object.fields.iter().map(|field| &field.variable);
        let fields = fields.filter(|named| !named.name.starts_with('$'));
        let fields: Vec<String> =
            fields.map(|named| format!("{}: {}", named.name, type_of(&named.of))).collect();
        declared.push((object.name.clone(), format!("Str -> {{ {} }}", fields.join(", "))));
    }
    let [at, locals] = ["at", "locals"].map(|name| unlike(&declared, name));
    declared.push((at, "Str -> Str".to_owned()));
    declared.push((locals, "Str -> { }".to_owned()));
    let mut states = vec![(row(tale.scene(0)), children(tale, 0), String::new())];
    for (at, (next, _)) in tale.steps().enumerate() {
        let fired = step_text(tale.scene(at), next);
        states.push((row(tale.scene(at + 1)), children(tale, at + 1), fired));
    }
    let again = tale.trace.again.as_ref().map(|again| again.to);
    let is_last = |to: &usize| {
        let state = tale.moments.get(*to).map(|moment| moment.state);
        state == Some(tale.last().moment.state)
    };
    Variables { declared, states, again: again.filter(is_last) }
}

/// The values in a state, in the order in which the variables are declared.
fn row(scene: Scene) -> Vec<Json> {
    let program = scene.program();
    let globals = (0..program.globals.len() as u32).map(GlobalId);
    let globals = globals.map(|id| {
        let of = &program.globals[id.index()].variable.of;
        value(scene, scene.moment.state.global(id), of)
    });
    let types = (0..program.objects.len() as u32).map(ObjectId);
    let objects = types.map(|of| {
        let is_of = |object: &Address| scene.moment.state.objects[object.index()].of == of;
        let all = scene.objects().into_iter().filter(is_of);
        json!({ "#map": all.map(|object| record(scene, object)).collect::<Vec<_>>() })
    });
    let threads = scene.threads();
    let at = threads
        .iter()
        .map(|standing| json!([scene.names.pid(standing.pid).to_string(), standing.text()]));
    let locals = threads.iter().map(|standing| {
        let variables = scene.variables(standing).into_iter();
        let record: Map<String, Json> =
            variables.map(|((_, name), text)| (name.to_owned(), text.into())).collect();
        json!([scene.names.pid(standing.pid).to_string(), record])
    });
    let threads = [at.collect::<Vec<_>>(), locals.collect()].map(|map| json!({ "#map": map }));
    globals.chain(objects).chain(threads).collect()
}

/// An object, and its fields.
fn record(scene: Scene, object: Address) -> Json {
    let held = &scene.moment.state.objects[object.index()];
    let fields = &scene.program().objects[held.of.index()].fields;
    let told = fields.iter().zip(&held.fields);
    let told = told.filter(|(field, _)| !field.variable.name.starts_with('$'));
    let record: Map<String, Json> = told
        .map(|(field, one)| (field.variable.name.clone(), value(scene, one, &field.variable.of)))
        .collect();
    json!([scene.names.object(object), record])
}

/// Numbers and truth values are what they are, all else is text.
fn type_of(of: &Type) -> &'static str {
    match of {
        Type::Int { .. } => "Int",
        Type::Bool => "Bool",
        Type::Member(_)
        | Type::Handle(_)
        | Type::Object(_)
        | Type::Optional(_)
        | Type::Sequence(..)
        | Type::Set(..)
        | Type::Map(..)
        | Type::Record(_)
        | Type::Variant(_) => "Str",
    }
}

fn value(scene: Scene, value: &Value, of: &Type) -> Json {
    match (value, of) {
        (Value::Int(number), Type::Int { .. }) => int(*number),
        (Value::Bool(truth), Type::Bool) => json!(truth),
        _ => scene.value(value, of).into(),
    }
}
