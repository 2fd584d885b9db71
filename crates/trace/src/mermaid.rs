//! A trace as a sequence diagram for Mermaid, which wikis and repositories draw.
//!
//! A lifeline is a participant, created and destroyed where its thread is born and ends. Mermaid's arrows are
//! level, so a message is drawn where it is received; what the dead have left is a note.

use std::fmt::Write;

use super::story::{Event, Message, Story};
use super::text::Outcome;

pub(super) fn mermaid(
    story: &Story,
    looped: Option<usize>,
    outcome: &Outcome,
    title: &str,
) -> String {
    let mut out = format!("---\ntitle: {}\n---\nsequenceDiagram\n", json_string(title));
    let line = |out: &mut String, text: String| writeln!(out, "    {text}").expect("no failure");
    for (at, lifeline) in story.lifelines.iter().enumerate().filter(|(_, one)| one.born.is_none()) {
        line(&mut out, format!("participant {} as {}", id(at), alias(&lifeline.name)));
        if let Some(station) = story.station(at, None) {
            line(&mut out, format!("Note over {}: at {}", id(at), escaped(station)));
        }
    }
    for (i, event) in story.events.iter().enumerate() {
        if looped == Some(i) {
            line(&mut out, "loop for ever".into());
        }
        for message in story.received(i) {
            line(&mut out, received(story, i, message));
        }
        for text in happened(story, i, event) {
            line(&mut out, text);
        }
    }
    if looped.is_some() {
        line(&mut out, "end".into());
    }
    let ends: Vec<String> =
        outcome.said.iter().chain(&outcome.details).map(|text| escaped(text)).collect();
    if let (Some(last), false) = (story.lifelines.len().checked_sub(1), ends.is_empty()) {
        let over = if last == 0 { id(0) } else { format!("{},{}", id(0), id(last)) };
        line(&mut out, format!("Note over {over}: {}", ends.join("<br/>")));
    }
    out
}

fn received(story: &Story, event: usize, message: &Message) -> String {
    let (from, to) = (id(message.from), id(message.to));
    let tokens = escaped(&message.tokens.join(", "));
    let gone = story.lifelines[message.from].ended.is_some_and(|ended| ended < event);
    match (gone, message.read) {
        (true, _) => {
            let sender = escaped(&story.lifelines[message.from].name);
            format!("Note over {to}: {tokens} of {sender}")
        }
        (false, true) => format!("{from}--){to}: {tokens}"),
        (false, false) => format!("{from}-){to}: {tokens}"),
    }
}

/// An event: those who are born, those who end, and the others.
fn happened(story: &Story, number: usize, event: &Event) -> Vec<String> {
    let mut lines = Vec::new();
    let binding =
        if event.binding.is_empty() { String::new() } else { format!("({})", event.binding) };
    let mut label = escaped(&format!("{} {}{binding}", number + 1, event.name));
    let moved = event.actors.iter().filter_map(|&at| {
        let station = story.station(at, Some(number))?;
        let name = &story.lifelines[at].name;
        Some(escaped(&format!("{name} at {station}")))
    });
    for station in moved {
        label += "<br/>";
        label += &station;
    }
    let (first, last) = (event.actors.first(), event.actors.last());
    if let (Some(&first), Some(&last)) = (first, last) {
        let over = if first == last { id(first) } else { format!("{},{}", id(first), id(last)) };
        lines.push(format!("Note over {over}: {label}"));
    }
    for &(child, parent) in &event.born {
        let at = story.station(child, Some(number)).unwrap_or_default();
        lines.push(format!(
            "create participant {} as {}",
            id(child),
            alias(&story.lifelines[child].name)
        ));
        lines.push(format!(
            "{}->>{}: {}",
            id(parent),
            id(child),
            escaped(&format!("born at {at}"))
        ));
    }
    for &gone in &event.ended {
        let by = event.actors.iter().find(|actor| !event.ended.contains(actor)).unwrap_or(&gone);
        lines.push(format!("destroy {}", id(gone)));
        lines.push(format!("{}-x{}: ends", id(*by), id(gone)));
    }
    lines
}

fn id(lifeline: usize) -> String {
    format!("p{lifeline}")
}

/// What a participant is called. A bare `end` would end a block.
fn alias(name: &str) -> String {
    if name.eq_ignore_ascii_case("end") { format!("({name})") } else { escaped(name) }
}

/// Text without what means something to Mermaid.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' | ';' | '<' | '>' | '%' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A string as YAML, of which JSON is a part, has it.
fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
