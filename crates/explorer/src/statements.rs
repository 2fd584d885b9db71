//! Statements: what can be clicked in the text of a model, and the transitions that they stand for.

use std::collections::BTreeMap;

use net::listing::{Line, Listed};
use net::{Net, TransitionId};
use serde_json::{Value as Json, json};

use crate::place::{Lines, Stretch};

/// A statement of a process, or a transition of a net.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) at: Stretch,
    /// As it is written, or the beginning of it.
    pub(crate) text: String,
    pub(crate) transitions: Vec<TransitionId>,
}

/// The statements of a net in their order. What is written nowhere in the text is none.
pub(crate) fn statements(net: &Net, lines: &Lines) -> Vec<Statement> {
    let mut found: BTreeMap<(usize, usize), Statement> = BTreeMap::new();
    for number in 0..net.transitions.len() as u32 {
        let id = TransitionId(number);
        if net.transition(id).probe {
            continue;
        }
        for (at, text) in places(net, id, lines) {
            let new = || Statement { at, text, transitions: Vec::new() };
            let statement = found.entry(at.start).or_insert_with(new);
            statement.at.end = statement.at.end.max(at.end);
            if statement.transitions.last() != Some(&id) {
                statement.transitions.push(id);
            }
        }
    }
    found.into_values().collect()
}

/// As `model` lists them.
pub(crate) fn told(net: &Net, lines: &Lines) -> Json {
    let statements = statements(net, lines).into_iter().map(|statement| {
        let names = statement.transitions.iter().map(|id| net.transition(*id).name.as_str());
        let mut told = statement.at.to_json();
        told["transitions"] = json!(names.collect::<Vec<_>>());
        told
    });
    statements.collect()
}

/// Where a transition is written: of what two processes do together, two places.
fn places(net: &Net, id: TransitionId, lines: &Lines) -> Vec<(Stretch, String)> {
    let transition = net.transition(id);
    let written = lang::in_text(lines.text(), transition.origin);
    let Some(listing) = net.listing.as_deref().filter(|_| is_listed(net, id)) else {
        let whole = written.map(|range| {
            let first = lines.text()[range.clone()].lines().next().unwrap_or_default();
            (lines.stretch(range.clone()), draw::cut(first.trim_end(), 60).into_owned())
        });
        return whole.into_iter().collect();
    };
    let mut acting = transition.participants.iter().filter(|one| !one.passive);
    let statements = [
        listing.statements.get(id.index()).and_then(Option::as_ref),
        listing.partners.get(&id.index()),
    ];
    let mut places = Vec::new();
    for statement in statements {
        let Some(participant) = acting.next() else { break };
        // What is done in the prelude is done by the statement that called it.
        let line = statement.filter(|line| !line.in_prelude).or_else(|| {
            match listing.places.get(&participant.from)? {
                Listed::Point { line, .. } if !line.in_prelude => Some(line),
                _ => None,
            }
        });
        places.extend(line.map(|line| (stretch(line, written.clone(), lines), line.text.clone())));
    }
    places
}

fn is_listed(net: &Net, id: TransitionId) -> bool {
    let listing = net.listing.as_deref();
    listing.is_some_and(|listing| {
        listing.statements.get(id.index()).is_some_and(Option::is_some)
            || listing.partners.contains_key(&id.index())
    })
}

/// Where a statement is: from its line and column to the end of what is written there, or of its first line.
fn stretch(line: &Line, written: Option<std::ops::Range<usize>>, lines: &Lines) -> Stretch {
    let start = (line.line, line.column);
    if let Some(range) = written {
        let whole = lines.stretch(range);
        if whole.start == start {
            return whole;
        }
    }
    let length = line.text.trim_end_matches('…').chars().count().max(1);
    Stretch { start, end: (line.line, line.column + length) }
}
