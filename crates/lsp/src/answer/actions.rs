//! Ways out of mistakes that can be taken at once.
//!
//! Diagnostics say what to do in a few fixed phrases ("did you mean `x`?", "write `x`"), which are read here; a phrase
//! that stands for something to fill in has `…` in it, and is left to people.

use lang::names::{NameKind, Names};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic as Shown, TextEdit, WorkspaceEdit,
};

use crate::document::Document;

/// An edit of the text: what to put in the place of what.
type Edit = (std::ops::Range<usize>, String);

/// A way out: what it does, and the edits.
struct Way {
    title: String,
    edits: Vec<Edit>,
}

/// The ways out of the mistakes in a range. `shown` are the diagnostics that the client has there.
pub(crate) fn actions(
    document: &mut Document,
    range: lsp_types::Range,
    shown: &[Shown],
) -> Vec<CodeActionOrCommand> {
    let (start, end) = (document.offset(range.start), document.offset(range.end));
    let analysis = document.analysis();
    let document = &*document;
    let Some(compiled) = document.compiled_now() else { return Vec::new() };
    let mut actions = Vec::new();
    for found in compiled.report.iter() {
        let mut primary = found.labels.iter().filter(|label| label.primary);
        let touches = primary.any(|label| label.span.start <= end && start <= label.span.end);
        if !touches && !found.labels.is_empty() {
            continue;
        }
        let own = shown.iter().find(|one| {
            let code = lsp_types::NumberOrString::String(found.code.to_owned());
            one.code.as_ref() == Some(&code) && one.message.starts_with(&found.message)
        });
        let ways = ways(found, &analysis.names, document.text());
        let is_only = ways.len() == 1;
        for Way { title, edits } in ways {
            let edit = |(span, text): Edit| TextEdit::new(document.range(span), text);
            let edits = edits.into_iter().map(edit).collect();
            #[allow(clippy::mutable_key_type, reason = "the protocol has this type for it")]
            let changes = std::collections::HashMap::from([(document.uri.clone(), edits)]);
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: own.map(|one| vec![one.clone()]),
                edit: Some(WorkspaceEdit::new(changes)),
                is_preferred: Some(is_only),
                ..CodeAction::default()
            }));
        }
    }
    actions
}

/// What is between backticks after a phrase, if there is nothing to fill in.
fn after<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = &text[text.find(phrase)? + phrase.len()..];
    let (said, _) = rest.split_once('`')?;
    (!said.is_empty() && !said.contains('…')).then_some(said)
}

fn ways(found: &diagnostics::Diagnostic, names: &Names, text: &str) -> Vec<Way> {
    let mut ways = Vec::new();
    let primary: Vec<&diagnostics::Label> =
        found.labels.iter().filter(|label| label.primary).collect();
    let help = found.help.as_deref().unwrap_or_default();
    let Some(first) = primary.first() else {
        ways.extend(without_place(found, names, text));
        return ways;
    };
    let said = [first.text.as_str(), help];
    if let Some(meant) = said.iter().find_map(|said| after(said, "did you mean `")) {
        let edits = primary.iter().map(|label| (label.span.clone(), quoted(meant, label, text)));
        ways.push(Way { title: format!("Replace by `{meant}`"), edits: edits.collect() });
    }
    if found.code == "E0105"
        && let Some(meant) = said.iter().find_map(|said| after(said, "write `"))
    {
        let edits = vec![(first.span.clone(), spaced(meant, first, text))];
        ways.push(Way { title: format!("Write `{meant}`"), edits });
    }
    let is_extra = help.contains("remove it") || after(help, "remove `").is_some();
    let stands = text[first.span.clone()].trim();
    if is_extra && (stands == ";" || after(help, "remove `") == Some(stands)) {
        let edits = vec![(first.span.clone(), String::new())];
        ways.push(Way { title: format!("Remove `{stands}`"), edits });
    }
    match found.code {
        "E0201" if help.starts_with("declare it") => {
            for word in ["place", "flow"] {
                if let Some(line) = after(help, &format!("`{word} ")) {
                    let line = format!("{word} {line}");
                    ways.push(declared(names, text, &line));
                }
            }
        }
        "E0209" => ways.extend(earlier(found, names, text)),
        "E0111" if help.starts_with("move the `when`") => {
            ways.extend(last_when(first, names, text))
        }
        "W0003" => {
            if let Some(place) = after(help, "start one with `start ") {
                let place = needed(place);
                ways.push(declared(names, text, &format!("start {place}")));
            }
        }
        "E0004"
            if found.message.contains("`main`")
                && after(&first.text, "did you mean `").is_none() =>
        {
            ways.push(main_process(text));
        }
        "W0001" | "E0004" => ways.extend(started(names, text)),
        _ => {}
    }
    ways
}

/// What stands for no place in the text.
fn without_place(found: &diagnostics::Diagnostic, names: &Names, text: &str) -> Option<Way> {
    match found.code {
        "W0001" => started(names, text),
        _ => None,
    }
}

/// A process that starts by itself, at the end.
fn main_process(text: &str) -> Way {
    let line = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let edits = vec![(text.len()..text.len(), format!("{line}\nprocess main {{\n}}\n"))];
    Way { title: "Add `process main`".to_owned(), edits }
}

/// A thread in the first flow place that takes no data.
fn started(names: &Names, text: &str) -> Option<Way> {
    let mut flows = names.definitions.iter().filter(|one| one.kind == NameKind::Flow);
    let flow = flows.find(|one| one.parameters.is_empty())?;
    Some(declared(names, text, &format!("start {}", needed(&flow.name))))
}

/// A name with the backticks that it needs.
fn needed(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { name.to_owned() } else { format!("`{name}`") }
}

/// A name in the place of another, which may have been in backticks.
fn quoted(meant: &str, label: &diagnostics::Label, text: &str) -> String {
    let was_quoted = text[label.span.clone()].starts_with('`');
    if was_quoted { format!("`{meant}`") } else { needed(meant) }
}

/// An operator with blanks around it, where letters would run together.
fn spaced(meant: &str, label: &diagnostics::Label, text: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_letter = meant.starts_with(|c: char| c.is_ascii_alphabetic());
    let (before, after) = (&text[..label.span.start], &text[label.span.end..]);
    let left = if is_letter && is_word(before.chars().next_back()) { " " } else { "" };
    let right = match after.chars().next() {
        Some(c) if is_letter && (is_word(Some(c)) || c == '(') => " ",
        _ => "",
    };
    format!("{left}{meant}{right}")
}

/// One more declaration, after the last of places, or after the first line.
fn declared(names: &Names, text: &str, line: &str) -> Way {
    let is_place = |kind| matches!(kind, NameKind::Flow | NameKind::Place | NameKind::Model);
    let own = names.definitions.iter().filter(|one| !one.in_prelude && is_place(one.kind));
    let end = own.map(|one| one.whole.end).max().unwrap_or(0).min(text.len());
    // Behind what else is on that line.
    let end = text[end..].find('\n').map_or(text.len(), |newline| end + newline);
    Way { title: format!("Add `{line}`"), edits: vec![(end..end, format!("\n{line}"))] }
}

/// The declaration of something, before the one that uses it too early.
fn earlier(found: &diagnostics::Diagnostic, names: &Names, text: &str) -> Option<Way> {
    let used = found.labels.iter().find(|label| label.primary)?.span.clone();
    let own = found.labels.iter().find(|label| !label.primary)?.span.clone();
    let definition = names.definitions.iter().find(|one| !one.in_prelude && one.span == own)?;
    let all =
        names.definitions.iter().filter(|one| !one.in_prelude && one.owner == definition.owner);
    let user = all.filter(|one| one.whole.start <= used.start && used.end <= one.whole.end);
    let user = user.max_by_key(|one| one.whole.start)?;
    if user.whole == definition.whole || definition.whole.start <= user.whole.start {
        return None;
    }
    let moved = text[definition.whole.clone()].trim().to_owned();
    let is_line = definition.owner.is_none();
    let between = if is_line { "\n" } else { "   " };
    // The line that it was on goes with it, if nothing else is there.
    let start = text[..definition.whole.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = definition.whole.end;
    let rest = &text[end..];
    let newline = rest.find('\n').map(|newline| newline + 1);
    let is_alone = text[start..definition.whole.start].trim().is_empty()
        && newline.is_some_and(|newline| rest[..newline].trim().is_empty());
    let gone = match newline {
        Some(newline) if is_alone => start..end + newline,
        _ => definition.whole.clone(),
    };
    let edits = vec![
        (user.whole.start..user.whole.start, format!("{moved}{between}")),
        (gone, String::new()),
    ];
    Some(Way { title: format!("Move `{}` before this", definition.name), edits })
}

/// The `when` of a transition, at its end.
fn last_when(label: &diagnostics::Label, names: &Names, text: &str) -> Option<Way> {
    let at = label.span.start;
    let is_around = |one: &&lang::names::Definition| {
        one.kind == NameKind::Transition && one.whole.contains(&at)
    };
    let transition = names.definitions.iter().find(is_around)?;
    let body = &text[at..transition.whole.end];
    // It goes as far as the next item, which starts with a word of items.
    let items = lang::highlight(body);
    let words = [
        "move", "stay", "end", "crash", "spawn", "take", "read", "put", "unless", "let", "new",
        "passive",
    ];
    let next = items.iter().skip(1).find(|part| {
        part.kind == lang::HighlightKind::Keyword && words.contains(&&body[part.span.clone()])
    })?;
    let condition = body[..next.span.start].trim().to_owned();
    let close = transition.whole.start + text[transition.whole.clone()].rfind('}')?;
    let end = text[..close].trim_end().len();
    let edits =
        vec![(at..at + next.span.start, String::new()), (end..end, format!("   {condition}"))];
    Some(Way { title: "Move `when` to the end".to_owned(), edits })
}
