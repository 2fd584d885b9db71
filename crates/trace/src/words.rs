//! The words for what programs are made of: statements with their lines, variables with their values. They are the same
//! wherever a run comes from.

use draw::cut;
use net::listing::Line;

/// Statements are cut to this many characters.
const LONGEST_STATEMENT: usize = 60;

/// The innermost line that is not of the prelude.
pub(crate) fn own_line<'n>(lines: &[&'n Line]) -> Option<&'n Line> {
    lines.iter().copied().find(|line| !line.in_prelude && line.line > 0)
}

/// `critical, line 14: lock.lock()`: a statement with its label, and the calls that led there, from the innermost
/// outwards.
pub(crate) fn place_text(label: Option<&str>, lines: &[&Line]) -> String {
    let said = line_text;
    let text = match (own_line(lines), lines[0]) {
        // Nothing is said of the library of a language that is translated.
        (Some(own), inner) if inner.in_prelude && !inner.text.is_empty() => {
            format!("{} (prelude {})", said(own), said(inner))
        }
        (Some(own), _) => said(own),
        (None, inner) if inner.in_prelude && inner.text.is_empty() => "the library".to_owned(),
        (None, inner) if inner.in_prelude => format!("prelude {}", said(inner)),
        (None, inner) => statement_text(inner),
    };
    joined(label.into_iter().chain([&*text]))
}

/// `line 14`, or the label.
pub(crate) fn short_place(label: Option<&str>, lines: &[&Line]) -> String {
    let lines = match (own_line(lines), lines[0]) {
        (Some(own), inner) if inner.in_prelude && !inner.text.is_empty() => {
            format!("{} (prelude line {})", own.place(), inner.line)
        }
        (Some(own), _) => own.place(),
        (None, inner) if inner.in_prelude && !inner.text.is_empty() => {
            format!("prelude line {}", inner.line)
        }
        (None, _) => String::new(),
    };
    joined(label.into_iter().chain([&*lines]))
}

/// `line 14: lock.lock()`.
pub(crate) fn line_text(line: &Line) -> String {
    format!("{}: {}", line.place(), statement_text(line))
}

fn joined<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A statement in one line that is not too long.
pub(crate) fn statement_text(line: &Line) -> String {
    cut(line.text.trim_end_matches([' ', '{']), LONGEST_STATEMENT).to_string()
}

/// The name of a type, without what its parameters are filled in with.
pub(crate) fn kind(class: &str) -> &str {
    class.split('[').next().unwrap_or(class)
}

/// `n = 3`; what is all that there is in an object has no name.
pub(crate) fn equation(name: &str, value: &str) -> String {
    if name.is_empty() { value.to_owned() } else { format!("{name} = {value}") }
}

/// `n: 2 → 3`.
pub(crate) fn changed_text(name: &str, old: &str, new: &str) -> String {
    let colon = if name.is_empty() { "" } else { ": " };
    format!("{name}{colon}{old} → {new}")
}

/// `mutex 1 (lock): holder = none`; nothing is said of the name of what has none.
pub(crate) fn named(name: Option<&str>, text: &str) -> String {
    match name {
        Some(name) if text.is_empty() => name.to_owned(),
        Some(name) => format!("{name}: {text}"),
        None => text.to_owned(),
    }
}
