//! An entry of a log, whatever its format: the name of an event, and fields.

use serde_json::{Map, Value as Json};
use thiserror::Error;

/// An entry of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its line, from 1.
    pub line: u64,
    /// What is shown of it.
    pub text: String,
    /// The name of the event.
    pub event: String,
    /// What else is said.
    pub fields: Fields,
}

/// The fields of an entry. Those of what surrounds it, such as spans, come after its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// The whole, for paths such as `span.thread`.
    pub all: Map<String, Json>,
    /// Where names without a path are looked for, the first first; in the whole if there is nothing.
    pub scopes: Vec<Map<String, Json>>,
}

impl Fields {
    /// The fields of a JSON object.
    #[must_use]
    pub fn of(all: Map<String, Json>) -> Fields {
        Fields { all, scopes: Vec::new() }
    }

    /// The value of a field, by its name or by the way to it: `open`, `fields.open`, `spans.0.id`.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Json> {
        let scopes = self.scopes.iter();
        let by_name = scopes.filter_map(|scope| scope.get(path)).next();
        by_name.or_else(|| lookup(&self.all, path))
    }

    /// The names of the fields that have no path.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let scopes =
            if self.scopes.is_empty() { std::slice::from_ref(&self.all) } else { &self.scopes };
        scopes.iter().flat_map(|scope| scope.keys().map(String::as_str))
    }
}

/// What a path leads to, if it leads anywhere. A name with dots in it comes before a path.
pub(crate) fn lookup<'j>(object: &'j Map<String, Json>, path: &str) -> Option<&'j Json> {
    if let Some(value) = object.get(path) {
        return Some(value);
    }
    let ways = path.char_indices().filter(|(_, c)| *c == '.');
    for (at, _) in ways {
        let (first, rest) = (&path[..at], &path[at + 1..]);
        let found = match object.get(first) {
            Some(Json::Object(inner)) => lookup(inner, rest),
            Some(Json::Array(items)) => {
                let (index, rest) = rest.split_once('.').unwrap_or((rest, ""));
                let item = index.parse::<usize>().ok().and_then(|index| items.get(index));
                match (item, rest) {
                    (item, "") => item,
                    (Some(Json::Object(inner)), rest) => lookup(inner, rest),
                    _ => None,
                }
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// What is wrong with a log, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct LogError {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong, with a way out.
    pub what: String,
}

impl LogError {
    pub(crate) fn new(line: u64, what: impl Into<String>) -> LogError {
        LogError { line, what: what.into() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_lead_through_objects_and_lists() {
        let Json::Object(all) = json!({"a": {"b.c": 1, "d": [{"e": 2}, 3]}, "a.x": 4}) else {
            unreachable!()
        };
        let fields = Fields::of(all);
        let number = |path: &str| fields.get(path).and_then(Json::as_i64);
        assert_eq!(number("a.b.c"), Some(1));
        assert_eq!(number("a.d.0.e"), Some(2));
        assert_eq!(number("a.d.1"), Some(3));
        assert_eq!(number("a.x"), Some(4));
        assert_eq!(number("a.d.2"), None);
        assert_eq!(number("a"), None);
    }
}
