//! JSON Schema, as much of it as the schemas in `docs/` use.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use state::Pid;

/// The schema in a file of the documentation.
pub fn schema_of(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Whether a value is as the schema says: the keywords that the schema uses, and no others.
pub fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    let object = schema.as_object().unwrap();
    object.iter().all(|(keyword, wanted)| match keyword.as_str() {
        "$schema" | "title" | "description" | "$defs" => true,
        "$ref" => {
            let (file, path) =
                wanted.as_str().unwrap().split_once('#').unwrap_or((wanted.as_str().unwrap(), ""));
            let other = (!file.is_empty()).then(|| schema_of(file));
            let root = other.as_ref().unwrap_or(root);
            fits(value, root.pointer(path).unwrap(), root)
        }
        "type" => match wanted.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            other => panic!("type {other}"),
        },
        "const" => value == wanted,
        "required" => {
            wanted.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some())
        }
        "properties" => wanted
            .as_object()
            .unwrap()
            .iter()
            .all(|(key, schema)| value.get(key).is_none_or(|value| fits(value, schema, root))),
        "additionalProperties" => {
            let named =
                |key: &String| object.get("properties").is_some_and(|p| p.get(key).is_some());
            let others = value.as_object().into_iter().flatten().filter(|(key, _)| !named(key));
            others.into_iter().all(|(_, value)| wanted != false && fits(value, wanted, root))
        }
        "propertyNames" => {
            let mut keys = value.as_object().into_iter().flatten().map(|(key, _)| key);
            keys.all(|key| fits(&json!(key), wanted, root))
        }
        "items" => value.as_array().into_iter().flatten().all(|item| fits(item, wanted, root)),
        "oneOf" => {
            wanted.as_array().unwrap().iter().filter(|schema| fits(value, schema, root)).count()
                == 1
        }
        // The only pattern is that of pids, which have a parser.
        "pattern" => value.as_str().is_none_or(|text| text.parse::<Pid>().is_ok()),
        "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap()),
        other => panic!("keyword {other}"),
    })
}
