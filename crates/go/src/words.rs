//! What Go calls the values and objects of a translation.

use std::collections::{BTreeMap, BTreeSet};

use net::PlaceId;
use net::listing::{Field, Listed, Shape, WaitWords, Words};

use crate::translate::Translation;

/// Types that are parts of others, or variables: there is nothing to say when they are made.
const QUIET: [&str; 9] =
    ["mutex", "RWMutex", "WaitGroup", "Once", "Cond", "Pool", "sync.Map", "Context", "error"];

/// The words for what is in some places.
pub(crate) fn words(places: &BTreeMap<PlaceId, Listed>, translation: &Translation) -> Words {
    let objects = places.values().filter_map(|listed| match listed {
        Listed::Object { name, .. } => Some((class(name).to_owned(), kind(name, translation))),
        _ => None,
    });
    let mut names: BTreeMap<String, String> = objects.collect();
    names.insert("none".into(), "nil".into());
    names.insert("any_nil".into(), "nil".into());
    names.insert("s_empty".into(), "\"\"".into());
    names.insert("s_other".into(), "another string".into());
    let strings = translation.strings.iter();
    names.extend(strings.map(|(kin, text)| (kin.clone(), format!("{text:?}"))));
    let quiet: BTreeSet<String> = QUIET.iter().map(|one| (*one).to_owned()).collect();
    Words { names, quiet, waits: waits() }
}

/// What is said of who waits.
fn waits() -> Vec<WaitWords> {
    let said = |of: &str, variables: &[&str], text: &str, since: Option<&str>| WaitWords {
        of: of.to_owned(),
        variables: variables.iter().map(|one| (*one).to_owned()).collect(),
        text: text.to_owned(),
        since: since.map(str::to_owned),
    };
    let empty = "{object} is empty and not closed";
    vec![
        said("WaitGroup", &["asleep"], "{object} has count = {count}", Some("count")),
        said("Cond", &["asleep"], "nobody wakes who waits at {object}", None),
        said("RWMutex", &["readers"], "{object} has readers = {readers}", Some("readers")),
        said("channel", &["items"], "{object} is full: items = {items}", None),
        said("channel", &["items", "closed"], empty, None),
        said("channel", &["items", "closed", "ticks"], empty, None),
        said("channel", &["items", "closed", "timed", "by"], empty, None),
        said("Once", &["begun", "finished"], "{object} is being done", Some("begun")),
    ]
}

/// A type without what its parameters are filled in with.
fn class(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// What objects of a type are called.
fn kind(name: &str, translation: &Translation) -> String {
    let name = class(name);
    // A type of a package that is written in Go.
    if let Some(shown) = translation.shown.get(name) {
        return shown.clone();
    }
    let is = |prefix: &str| name.starts_with(prefix);
    match name {
        "once" => "Once".to_owned(),
        "SyncMap" => "sync.Map".to_owned(),
        "Error" => "error".to_owned(),
        _ if is("chan_") => "channel".to_owned(),
        _ if is("cell_") => "variable".to_owned(),
        _ if is("arr_of_") => "slice".to_owned(),
        _ if is("arr_") => "elements".to_owned(),
        _ if is("map_") => "map".to_owned(),
        // It has no name in the program either.
        _ if is("struct_") => "struct".to_owned(),
        _ => name.trim_end_matches('_').to_owned(),
    }
}

/// Gives what a place stands for the names of Go.
pub(crate) fn rename(listed: &mut Listed, translation: &Translation) {
    match listed {
        Listed::Point { variables, .. } | Listed::Frame { variables, .. } => {
            variables.iter_mut().for_each(rename_field);
        }
        Listed::Global(field) | Listed::Result(field) => rename_field(field),
        Listed::Object { name, fields } => {
            let is = |prefix: &str| name.starts_with(prefix);
            // What there is in a variable, or in a slice or map, is all that can be said of it.
            let whole = if is("cell_") {
                Some("v")
            } else if !is("arr_of_") && (is("arr_") || is("map_") || is("SyncMap")) {
                Some("items")
            } else {
                None
            };
            for field in fields {
                rename_field(field);
                if Some(field.name.as_str()) == whole {
                    field.name.clear();
                }
            }
            *name = kind(name, translation);
        }
        Listed::Ended => {}
    }
}

/// Names that `.kin` has words for end with `_`.
fn rename_field(field: &mut Field) {
    if !field.is_hidden() {
        let length = field.name.trim_end_matches('_').len().max(1);
        field.name.truncate(length);
    }
    rename_shape(&mut field.shape);
}

/// What is behind an interface is said without the case that it is.
fn rename_shape(shape: &mut Shape) {
    match shape {
        Shape::Scalar | Shape::Keyed(_, None) => {}
        Shape::Optional(inner) | Shape::Keyed(_, Some(inner)) => rename_shape(inner),
        Shape::List(elements) => elements.iter_mut().for_each(rename_shape),
        Shape::Record(components) => {
            components.iter_mut().for_each(|(_, shape)| rename_shape(shape));
        }
        Shape::Variant(cases) => {
            for (name, components) in cases {
                components.iter_mut().for_each(|(_, shape)| rename_shape(shape));
                let Some(rest) = name.strip_prefix("any_") else {
                    let function = name.strip_prefix("fn").and_then(|rest| rest.split_once('_'));
                    let function = function.map(|(_, function)| function.to_owned());
                    *name = function.unwrap_or_else(|| name.clone());
                    continue;
                };
                match &mut components[..] {
                    [(component, _)] => {
                        component.clear();
                        name.clear();
                    }
                    _ => *name = rest.to_owned(),
                }
            }
        }
    }
}
