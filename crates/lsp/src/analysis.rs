//! What is made of a text for all who ask: its names and its parts.

use lang::names::{Definition, DefinitionId, Meant, Names};
use lang::{Highlight, PRELUDE};

/// The names and the parts of a text.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) names: Names,
    pub(crate) parts: Vec<Highlight>,
}

impl Analysis {
    pub(crate) fn of(text: &str) -> Analysis {
        Analysis { names: lang::names::names(text), parts: lang::highlight(text) }
    }

    /// What stands at a byte, and where: a name that is known, or one that is guessed.
    pub(crate) fn named(
        &self,
        text: &str,
        offset: usize,
    ) -> Option<(std::ops::Range<usize>, DefinitionId)> {
        match self.names.at(offset) {
            Some(one) => match one.meant {
                Meant::Definition(id) => Some((one.span.clone(), id)),
                Meant::Member | Meant::Nobody => None,
            },
            None if self.is_code(offset) => self.names.guess(text, offset),
            None => None,
        }
    }

    /// Whether a byte is not in a comment.
    pub(crate) fn is_code(&self, offset: usize) -> bool {
        let after = self.parts.partition_point(|part| part.span.start < offset);
        let before = after.checked_sub(1).map(|at| &self.parts[at]);
        before
            .is_none_or(|part| part.kind != lang::HighlightKind::Comment || part.span.end < offset)
    }
}

/// The text that a definition is in.
pub(crate) fn source<'t>(definition: &Definition, text: &'t str) -> &'t str {
    if definition.in_prelude { PRELUDE } else { text }
}

/// What a definition begins with, on one line if it is short.
pub(crate) fn head<'t>(definition: &Definition, text: &'t str) -> &'t str {
    source(definition, text).get(definition.head.clone()).unwrap_or_default().trim()
}

/// The comment above a definition, or behind it on its line.
pub(crate) fn comment(definition: &Definition, text: &str) -> String {
    let source = source(definition, text);
    let start = definition.whole.start.min(source.len());
    let line = source[..start].rfind('\n').map_or(0, |end| end + 1);
    let mut above: Vec<&str> = Vec::new();
    for line in source[..line].lines().rev() {
        match line.trim().strip_prefix("//") {
            Some(said) => above.push(said.strip_prefix(' ').unwrap_or(said)),
            None => break,
        }
    }
    above.reverse();
    if above.is_empty() {
        let end = definition.head.end.clamp(start, source.len());
        let rest = source[end..].lines().next().unwrap_or_default();
        let behind = rest.find("//").filter(|at| rest[..*at].trim().is_empty());
        above.extend(behind.map(|at| rest[at + 2..].trim()));
    }
    above.join("\n")
}
