//! A trace as a sequence diagram for Mermaid, which wikis and repositories draw.
//!
//! A lifeline is a participant, created and destroyed where its thread is born and ends. Mermaid's arrows are
//! level, so a message is drawn where it is received; what a thread that has ended left behind is a note.

use std::fmt::Write;

use super::interaction::{Event, Interaction, Kind, Lifeline, Message, Owner};
use super::outcome::Outcome;

pub(super) fn mermaid(
    interaction: &Interaction,
    looped: Option<usize>,
    outcome: &Outcome,
    title: &str,
) -> String {
    let mut out = format!("---\ntitle: {}\n---\nsequenceDiagram\n", json_string(title));
    let line = |out: &mut String, text: String| writeln!(out, "    {text}").expect("no failure");
    let initial = interaction.lifelines.iter().enumerate().filter(|(_, one)| one.born.is_none());
    for (at, lifeline) in initial {
        line(&mut out, format!("participant {} as {}", id(at), alias(lifeline)));
        if let Some(label) = lifeline.label_after(None) {
            let at_place = if is_place(lifeline) { "" } else { "at " };
            line(&mut out, format!("Note over {}: {at_place}{}", id(at), escaped(label)));
        }
    }
    for (i, event) in interaction.events.iter().enumerate() {
        if looped == Some(i) {
            line(&mut out, "loop for ever".into());
        }
        let (puts, others): (Vec<&Message>, Vec<&Message>) =
            interaction.messages_of(i).partition(|message| message.kind == Kind::Put);
        for message in others {
            line(&mut out, arrow(interaction, i, message));
        }
        out.push_str(&note(interaction, i, event));
        for message in puts {
            line(&mut out, arrow(interaction, i, message));
        }
        for text in births_and_ends(interaction, i, event) {
            line(&mut out, text);
        }
    }
    if looped.is_some() {
        line(&mut out, "end".into());
    }
    for &(from, to, word) in &interaction.pending {
        line(&mut out, format!("{}--x{}: {word}", id(from), id(to)));
    }
    let ends: Vec<String> =
        outcome.said.iter().chain(&outcome.details).map(|text| escaped(text)).collect();
    if let (Some(last), false) = (interaction.lifelines.len().checked_sub(1), ends.is_empty()) {
        line(&mut out, format!("Note over {}: {}", span(0, last), ends.join("<br/>")));
    }
    out
}

fn is_place(lifeline: &Lifeline) -> bool {
    matches!(lifeline.owner, Owner::Place(_))
}

fn arrow(interaction: &Interaction, event: usize, message: &Message) -> String {
    let (from, to) = (id(message.from), id(message.to));
    let tokens = escaped(&message.label);
    let gone = interaction.lifelines[message.from].ended.is_some_and(|ended| ended < event);
    if gone {
        let sender = escaped(&interaction.lifelines[message.from].name);
        return format!("Note over {to}: {tokens} of {sender}");
    }
    match message.kind {
        Kind::Read | Kind::Absent => format!("{from}--){to}: {tokens}"),
        Kind::Take | Kind::Put => format!("{from}-){to}: {tokens}"),
    }
}

/// The note of an event: what fired, where those are now who took part, and what places hold now.
fn note(interaction: &Interaction, number: usize, event: &Event) -> String {
    let (Some(&first), Some(&last)) = (event.actors.first(), event.actors.last()) else {
        return String::new();
    };
    let mut label = escaped(&format!("{} {}", number + 1, event.text));
    let lines = interaction.lifelines.iter().enumerate();
    for (_, line) in lines.filter(|(at, line)| is_place(line) || event.actors.contains(at)) {
        if let Some(now) = line.label_after(Some(number)) {
            let at = if is_place(line) { ":" } else { " at" };
            label += &format!("<br/>{}", escaped(&format!("{}{at} {now}", line.name)));
        }
    }
    format!("    Note over {}: {label}\n", span(first, last))
}

fn births_and_ends(interaction: &Interaction, number: usize, event: &Event) -> Vec<String> {
    let mut lines = Vec::new();
    for &(child, parent) in &event.born {
        let born = &interaction.lifelines[child];
        let at = born.label_after(Some(number)).unwrap_or_default();
        lines.push(format!("create participant {} as {}", id(child), alias(born)));
        lines.push(format!("{}->>{}: born at {}", id(parent), id(child), escaped(at)));
    }
    for &gone in &event.ended {
        let by = event.actors.iter().find(|actor| !event.ended.contains(actor)).unwrap_or(&gone);
        lines.push(format!("destroy {}", id(gone)));
        lines.push(format!("{}-x{}: ends", id(*by), id(gone)));
    }
    lines
}

/// One participant, or all from one to another.
fn span(first: usize, last: usize) -> String {
    if first == last { id(first) } else { format!("{},{}", id(first), id(last)) }
}

fn id(lifeline: usize) -> String {
    format!("p{lifeline}")
}

/// What a participant is called. A bare `end` would end a block.
fn alias(lifeline: &Lifeline) -> String {
    let name = &lifeline.name;
    if is_place(lifeline) {
        escaped(&lifeline.full_name())
    } else if name.eq_ignore_ascii_case("end") {
        format!("({name})")
    } else {
        escaped(name)
    }
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
