//! Which fields of objects change: those that are assigned somewhere. The others are set when an object is made, and
//! reading them is no step.
//!
//! They are told by their names alone, whatever objects they belong to, from the lines of a first translation. A second
//! translation reads what changes operand by operand, as Go does, and leaves the rest where it stands.

use std::collections::BTreeSet;

/// Names of fields that are assigned.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Assigned {
    /// Those of the first translation; without one, everything may change.
    known: Option<BTreeSet<String>>,
    found: BTreeSet<String>,
}

impl Assigned {
    /// What a translation has found, for the next one.
    pub(crate) fn told(&self) -> Assigned {
        let before = self.known.iter().flatten().cloned();
        let known = self.found.iter().cloned().chain(before).collect();
        Assigned { known: Some(known), found: BTreeSet::new() }
    }

    /// Looks at a line of the translation.
    pub(crate) fn note(&mut self, line: &str) {
        for part in line.split(['{', '}']).flat_map(|part| part.split("  ")) {
            let part = part.trim();
            if part.starts_with("let ") {
                continue;
            }
            let change = [" = ", " += ", " -= "].iter().find_map(|sign| part.split_once(sign));
            let Some((target, _)) = change else { continue };
            let target = target.split('[').next().unwrap_or_default();
            if let Some((_, field)) = target.trim_end_matches('!').rsplit_once('.') {
                self.found.insert(field.to_owned());
            }
        }
    }

    /// Whether an expression reads a field that changes.
    pub(crate) fn is_read(&self, code: &str) -> bool {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        code.match_indices('.').any(|(at, _)| {
            let rest = &code[at + 1..];
            let field = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
            // Elements are changed by more than assignments.
            field == "items" || self.known.as_ref().is_none_or(|known| known.contains(field))
        })
    }
}
