//! Lines of text by patterns: literal text, and `{field}` where a field stands.
//!
//! A field is the shortest text, at least one character, up to what comes next in the pattern; `{_}` is not kept, and
//! `{{` is a brace. The whole line must fit. What comes next is looked for from left to right, and only the last has to be
//! at the end of the line: so no line takes longer than its length for each field.

use serde_json::{Map, Value as Json};

use crate::mapping::{LinePattern, MappingError};

/// Patterns, the first that fits counts.
#[derive(Debug)]
pub(super) struct Patterns(Vec<Pattern>);

#[derive(Debug)]
struct Pattern {
    event: Option<String>,
    /// The text before the first field, and the fields, each with the text after it.
    start: String,
    fields: Vec<(String, String)>,
}

impl Patterns {
    pub fn new(lines: &[LinePattern]) -> Result<Patterns, MappingError> {
        lines.iter().map(pattern).collect::<Result<_, _>>().map(Patterns)
    }

    /// The event of a line, and its fields.
    pub fn fields(&self, line: &str) -> Option<(String, Map<String, Json>)> {
        self.0.iter().find_map(|pattern| pattern.fields(line.trim_end()))
    }
}

fn pattern(line: &LinePattern) -> Result<Pattern, MappingError> {
    let LinePattern { pattern, event } = line;
    let wrong = |what: &str| MappingError(format!("the pattern `{pattern}`: {what}"));
    let mut texts = vec![String::new()];
    let mut names: Vec<String> = Vec::new();
    let mut rest = pattern.as_str();
    while let Some(at) = rest.find('{') {
        texts.last_mut().expect("there is a text").push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            texts.last_mut().expect("there is a text").push('{');
            rest = after;
            continue;
        }
        let end =
            rest.find('}').ok_or_else(|| wrong("a `{` has no `}`; write `{{` for a brace"))?;
        let name = rest[..end].trim();
        if name.is_empty() {
            return Err(wrong("a field needs a name; write `{_}` for what is not kept"));
        }
        if name != "_" && names.iter().any(|other| other == name) {
            return Err(wrong(&format!("the field `{name}` is there twice")));
        }
        if texts.last().is_some_and(String::is_empty) && !names.is_empty() {
            return Err(wrong("there must be some text between two fields"));
        }
        names.push(name.to_owned());
        texts.push(String::new());
        rest = &rest[end + 1..];
    }
    texts.last_mut().expect("there is a text").push_str(rest);
    if event.is_none() && !names.iter().any(|name| name == "event") {
        return Err(wrong(
            "its `event` is missing: give it a name, or the pattern a field `{event}`",
        ));
    }
    let start = texts.remove(0);
    Ok(Pattern { event: event.clone(), start, fields: names.into_iter().zip(texts).collect() })
}

impl Pattern {
    fn fields(&self, line: &str) -> Option<(String, Map<String, Json>)> {
        let mut rest = line.strip_prefix(self.start.as_str())?;
        if self.fields.is_empty() && !rest.is_empty() {
            return None;
        }
        let mut found = Map::new();
        for (at, (name, after)) in self.fields.iter().enumerate() {
            let first = rest.chars().next()?.len_utf8();
            let end = match at + 1 == self.fields.len() {
                true => rest.strip_suffix(after.as_str()).filter(|field| !field.is_empty())?.len(),
                false => first + rest[first..].find(after.as_str())?,
            };
            if name != "_" {
                found.insert(name.clone(), rest[..end].into());
            }
            rest = &rest[end + after.len()..];
        }
        let named = found.get("event").and_then(Json::as_str).map(str::to_owned);
        Some((self.event.clone().or(named)?, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pattern: &str, line: &str) -> Option<String> {
        let line_pattern = LinePattern { pattern: pattern.into(), event: Some("e".into()) };
        let patterns = Patterns::new(&[line_pattern]).expect("a pattern");
        patterns.fields(line).map(|(_, fields)| Json::Object(fields).to_string())
    }

    #[test]
    fn lines_fit_or_not() {
        let pattern = "{_} [{thread}] accepted {h} (open {n})";
        let line = "12:00 [listener 1] accepted conn-7 (open 2)";
        let found = fields(pattern, line).expect("it fits");
        assert_eq!(found, r#"{"h":"conn-7","n":"2","thread":"listener 1"}"#);
        assert_eq!(fields(pattern, "12:00 [a] accepted  (open 2)"), None);
        assert_eq!(fields(pattern, "12:00 [a] accepted x (open 2) more"), None);
        assert_eq!(fields("stop", "stop"), Some("{}".into()));
        assert_eq!(fields("stop", "stopped"), None);
        assert_eq!(fields("{{{a}}", "{x}"), Some(r#"{"a":"x"}"#.into()));
        // The last text is looked for at the end.
        assert_eq!(fields("{a}.", "x.y."), Some(r#"{"a":"x.y"}"#.into()));
    }

    #[test]
    fn wrong_patterns_are_refused() {
        for pattern in ["{a", "{a}{b}", "{a} {a}", "{}", "no event"] {
            let line = LinePattern { pattern: pattern.into(), event: None };
            assert!(Patterns::new(&[line]).is_err(), "{pattern}");
        }
    }
}
