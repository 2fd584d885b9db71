//! Other names for things.
//!
//! A new name goes to every place where the old one is used, and nothing else may change: the text with the new name is
//! read again, every name in it must stand for what it stood for before, and the compiler must find the same kinds of
//! mistakes, usually none. Whatever cannot be done so is refused, with the reason.

use std::collections::HashMap;

use lang::names::{DefinitionId, Meant, NameKind, Names};
use lsp_types::{Position, PrepareRenameResponse, TextEdit, WorkspaceEdit};

use crate::document::Document;
use crate::server::Refused;

/// Texts with more bytes are not compiled twice for a name.
const LARGEST_COMPILED: usize = 1 << 20;

/// Whether the name at a position can be replaced, and what it is.
pub(crate) fn prepare_rename(
    document: &mut Document,
    position: Position,
) -> Result<PrepareRenameResponse, Refused> {
    let (span, id) = found(document, position)?;
    let placeholder = document.analysis().names.definition(id).name.clone();
    let range = document.range(span);
    Ok(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
}

/// The edits that give something another name.
pub(crate) fn rename(
    document: &mut Document,
    position: Position,
    name: &str,
) -> Result<WorkspaceEdit, Refused> {
    let (_, id) = found(document, position)?;
    let analysis = document.analysis();
    let written = written(name.trim().trim_matches('`'))?;
    let names = &analysis.names;
    let text = document.text();
    let spans: Vec<std::ops::Range<usize>> =
        names.uses_of(id).map(|one| one.span.clone()).collect();
    let (after, places) = replaced(text, &spans, &written);
    same_meaning(names, &lang::names::names(&after), &places)?;
    if text.len() <= LARGEST_COMPILED {
        same_mistakes(text, &after)?;
    }
    let edit = |span: &std::ops::Range<usize>| {
        TextEdit::new(document.range(span.clone()), written.clone())
    };
    let edits = spans.iter().map(edit).collect();
    #[allow(clippy::mutable_key_type, reason = "this is the type that the protocol has for it")]
    let changes = HashMap::from([(document.uri.clone(), edits)]);
    Ok(WorkspaceEdit::new(changes))
}

/// What is to be renamed.
fn found(
    document: &mut Document,
    position: Position,
) -> Result<(std::ops::Range<usize>, DefinitionId), Refused> {
    let analysis = document.analysis();
    let names = &analysis.names;
    let text = document.text();
    let Some(one) = names.at(document.offset(position)) else {
        return Err(Refused::new("there is no name here that could be changed"));
    };
    let Meant::Definition(id) = one.meant else {
        return Err(Refused::new("it is not known what this name stands for"));
    };
    let definition = names.definition(id);
    if definition.in_prelude {
        return Err(Refused::new("this is in the prelude, which stays as it is"));
    }
    if !names.is_complete {
        return Err(Refused::new(
            "there are mistakes in the text, behind which more uses of the name may be hidden; fix them first",
        ));
    }
    let is_of_value = definition.kind.is_member() || definition.kind == NameKind::Function;
    let is_parameter = matches!(definition.kind, NameKind::Parameter | NameKind::Variable);
    let unclear = names.uses.iter().find(|one| {
        (is_of_value || is_parameter)
            && one.meant == Meant::Member
            && text[one.span.clone()].trim_matches('`') == definition.name
    });
    if let Some(unclear) = unclear {
        let (line, column) = diagnostics::position(text, unclear.span.start);
        return Err(Refused::new(format!(
            "it is not known whether `{}` in line {line}, column {column} is the same",
            definition.name
        )));
    }
    Ok((one.span.clone(), id))
}

/// How a name is written, in backticks where it needs them.
fn written(name: &str) -> Result<String, Refused> {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name != "_";
    if name.is_empty() || name.contains(|c: char| c == '`' || c.is_control()) {
        return Err(Refused::wrong("a name holds something, on one line and without a backtick"));
    }
    // Words of the language are found out when the text is read again.
    Ok(if is_plain { name.to_owned() } else { format!("`{name}`") })
}

/// Where the bytes of a text have gone.
struct Moved {
    /// Where each replaced stretch was, and where it is.
    stretches: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)>,
}

impl Moved {
    fn of(&self, span: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let before = self.stretches.partition_point(|(old, _)| old.end <= span.start);
        if let Some((old, new)) = self.stretches.get(before)
            && old == span
        {
            return new.clone();
        }
        let (was, is) = match before.checked_sub(1) {
            Some(last) => (self.stretches[last].0.end, self.stretches[last].1.end),
            None => (0, 0),
        };
        span.start - was + is..span.end - was + is
    }
}

/// The text with something else in these places.
fn replaced(text: &str, spans: &[std::ops::Range<usize>], name: &str) -> (String, Moved) {
    let mut after = String::with_capacity(text.len());
    let mut stretches = Vec::new();
    let mut at = 0;
    for span in spans {
        after.push_str(&text[at..span.start]);
        let start = after.len();
        after.push_str(name);
        stretches.push((span.clone(), start..after.len()));
        at = span.end;
    }
    after.push_str(&text[at..]);
    (after, Moved { stretches })
}

/// Every name must stand for the same as before.
fn same_meaning(before: &Names, after: &Names, moved: &Moved) -> Result<(), Refused> {
    let clash = || Refused::new("the name would stand for something else, or hide something");
    if !after.is_complete {
        return Err(Refused::new("this cannot be a name here; in backticks it might"));
    }
    if before.uses.len() != after.uses.len() {
        return Err(clash());
    }
    for (one, other) in before.uses.iter().zip(&after.uses) {
        let is_same = match (one.meant, other.meant) {
            (Meant::Definition(a), Meant::Definition(b)) => {
                let (a, b) = (before.definition(a), after.definition(b));
                let place = if a.in_prelude { a.span.clone() } else { moved.of(&a.span) };
                a.in_prelude == b.in_prelude && place == b.span
            }
            (a, b) => a == b,
        };
        if !is_same || moved.of(&one.span) != other.span {
            return Err(clash());
        }
    }
    Ok(())
}

/// The compiler must say the same as before, or less.
fn same_mistakes(before: &str, after: &str) -> Result<(), Refused> {
    let codes = |text: &str| {
        let report = lang::compile(text, &[]).diagnostics;
        let mut codes: Vec<(&str, String)> =
            report.iter().map(|one| (one.code, one.message.clone())).collect();
        codes.sort_unstable();
        codes
    };
    let (before, after) = (codes(before), codes(after));
    let same = |a: &[(&str, String)], b: &[(&str, String)]| {
        a.iter().map(|one| one.0).eq(b.iter().map(|one| one.0))
    };
    if same(&before, &after) {
        return Ok(());
    }
    let is_new = |one: &&(&str, String)| !before.iter().any(|other| other.0 == one.0);
    let found = after.iter().find(is_new).or(after.first());
    let why = found.map_or("it would mean something else", |(_, message)| message);
    Err(Refused::new(format!("with this name the model would not be the same: {why}")))
}
