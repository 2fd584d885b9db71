//! What may stand where the cursor is: what is known there, and the words of the language.

use lang::names::{DefinitionId, NameKind, Names};
use lang::words::{Context, words};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionResponse, Documentation,
    InsertTextFormat, MarkupContent, MarkupKind, Position,
};

use super::hover::declared;
use crate::analysis::{Analysis, comment};
use crate::document::Document;

/// As many are offered at once; the client asks again when more was typed.
const MOST: usize = 300;

pub(crate) fn completion(
    document: &mut Document,
    position: Position,
    takes_snippets: bool,
) -> CompletionResponse {
    let analysis = document.analysis();
    let offset = document.offset(position);
    let text = document.text();
    if !analysis.is_code(offset) {
        return list(Vec::new(), false);
    }
    let names = &analysis.names;
    let typed = typed(&text[..offset]).to_lowercase();
    let fits = |name: &str| name.to_lowercase().starts_with(&typed);
    let is_fitting = |id: &DefinitionId| fits(&names.definition(*id).name);
    if let Some(way) = way_before_dot(text, offset) {
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        let owner = names.follow(&way, offset);
        let members = owner.map(|id| names.members_of(id)).unwrap_or_default();
        let is_property = names.around(offset, NameKind::Property).is_some();
        let members = members.into_iter().filter(|id| may_follow(names, *id, is_property));
        let members = members.filter(is_fitting).take(MOST);
        let rest =
            text[offset..].trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let are_calls = takes_snippets && !is_property && !rest.starts_with('(');
        let member = |id| match item(names, id, text) {
            step if are_calls && step.kind == Some(CompletionItemKind::METHOD) => called(step),
            other => other,
        };
        return list(members.map(member).collect(), false);
    }
    let mut seen = std::collections::HashSet::new();
    let found = names.in_scope(offset).filter(is_fitting);
    // The nearest of a name counts.
    let mut found = found.filter(|id| seen.insert(names.definition(*id).name.as_str()));
    let mut items: Vec<CompletionItem> =
        found.by_ref().take(MOST).map(|id| item(names, id, text)).collect();
    let is_incomplete = found.next().is_some();
    let context = context(&analysis, text, offset);
    let words = words(context).iter().filter(|word| fits(word));
    items.extend(words.map(|word| CompletionItem {
        label: (*word).to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        sort_text: Some(format!("2{word}")),
        ..CompletionItem::default()
    }));
    list(items, is_incomplete)
}

/// A step with the parentheses of its call, and the cursor between them if there is something to write there.
fn called(step: CompletionItem) -> CompletionItem {
    // `step send(x: T) { … }`
    let head = step.detail.as_deref().and_then(|detail| detail.strip_prefix("step "));
    let after = head.and_then(|head| head.trim_start().strip_prefix(&step.label));
    let takes_arguments =
        after.is_some_and(|rest| rest.starts_with('(') && !rest.starts_with("()"));
    let (name, place) = (&step.label, if takes_arguments { "$0" } else { "" });
    CompletionItem {
        insert_text: Some(format!("{name}({place})")),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        ..step
    }
}

fn list(items: Vec<CompletionItem>, is_incomplete: bool) -> CompletionResponse {
    CompletionResponse::List(CompletionList { is_incomplete, items })
}

/// What was typed of a name so far.
fn typed(before: &str) -> &str {
    let rest = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    &before[rest.len()..]
}

/// Where types have parameters and labels, values have not.
fn may_follow(names: &Names, id: DefinitionId, is_property: bool) -> bool {
    match names.definition(id).kind {
        NameKind::TypeParameter => false,
        NameKind::Label | NameKind::Variable => is_property,
        _ => true,
    }
}

/// The names before a dot, if the cursor is behind one or in the name after it.
fn way_before_dot(text: &str, offset: usize) -> Option<Vec<String>> {
    let before = &text[..offset];
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '`';
    let dot = before.trim_end_matches(is_of_name).strip_suffix('.')?;
    // `0..=3` has dots as well.
    if dot.ends_with('.') {
        return None;
    }
    lang::names::way_at(text, dot.len()).map(|(_, way)| way)
}

/// What is being written at a byte.
fn context(analysis: &Analysis, text: &str, offset: usize) -> Context {
    let around = |kind| analysis.names.around(offset, kind).is_some();
    let kinds = [
        (NameKind::Transition, Context::Transition),
        (NameKind::Property, Context::Property),
        (NameKind::Process, Context::Process),
        (NameKind::Function, Context::Process),
        (NameKind::Object, Context::Process),
    ];
    let known = kinds.into_iter().find(|(kind, _)| around(*kind));
    // What does not parse is in no definition: the line at the margin before it tells.
    let lines = text[..offset].lines().rev();
    let mut lines = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()));
    let mut word = || lines.next().and_then(|line| line.split_whitespace().next());
    known.map(|(_, context)| context).unwrap_or_else(|| match word() {
        Some("transition") => Context::Transition,
        Some("property") => Context::Property,
        Some("process" | "fn" | "object") => Context::Process,
        _ => Context::Declaration,
    })
}

fn item(names: &Names, id: DefinitionId, text: &str) -> CompletionItem {
    let definition = names.definition(id);
    let above = comment(definition, text);
    let documentation =
        (!above.is_empty()).then_some(Documentation::MarkupContent(MarkupContent {
            kind: MarkupKind::PlainText,
            value: above,
        }));
    let is_plain = definition.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let name = &definition.name;
    let rank = if definition.in_prelude { 1 } else { 0 };
    CompletionItem {
        label: name.clone(),
        kind: Some(kind(definition.kind)),
        detail: declared(names, id, text).lines().next().map(str::to_owned),
        documentation,
        sort_text: Some(format!("{rank}{name}")),
        insert_text: (!is_plain).then(|| format!("`{name}`")),
        ..CompletionItem::default()
    }
}

fn kind(kind: NameKind) -> CompletionItemKind {
    match kind {
        NameKind::Model => CompletionItemKind::MODULE,
        NameKind::Constant => CompletionItemKind::CONSTANT,
        NameKind::Enumeration | NameKind::Class | NameKind::Fresh => CompletionItemKind::ENUM,
        NameKind::Part | NameKind::Member => CompletionItemKind::ENUM_MEMBER,
        NameKind::Flow | NameKind::Place => CompletionItemKind::VALUE,
        NameKind::Column | NameKind::Component | NameKind::Field => CompletionItemKind::FIELD,
        NameKind::Start | NameKind::Shared | NameKind::Variable | NameKind::Parameter => {
            CompletionItemKind::VARIABLE
        }
        NameKind::Transition | NameKind::Label => CompletionItemKind::EVENT,
        NameKind::Property => CompletionItemKind::PROPERTY,
        NameKind::Record => CompletionItemKind::STRUCT,
        NameKind::Object => CompletionItemKind::CLASS,
        NameKind::TypeParameter => CompletionItemKind::TYPE_PARAMETER,
        NameKind::Step => CompletionItemKind::METHOD,
        NameKind::Function | NameKind::Process => CompletionItemKind::FUNCTION,
    }
}
