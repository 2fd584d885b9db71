//! Statements: what can be clicked in the text of a model, and the transitions that they stand for.

use std::collections::{BTreeMap, HashMap};

use net::listing::{Line, Listed};
use net::{Net, TransitionId};
use serde_json::{Value as Json, json};

use crate::place::{Lines, Stretch};

/// A statement of a process, or a transition of a net.
#[derive(Clone, Debug)]
struct Statement {
    at: Stretch,
    transitions: Vec<TransitionId>,
}

/// The statements of a net in their order, as `model` lists them. What is written nowhere in the text is none.
pub(crate) fn told(net: &Net, lines: &Lines) -> Json {
    let ends = ends(net);
    let mut found: BTreeMap<(usize, usize), Statement> = BTreeMap::new();
    for number in 0..net.transitions.len() as u32 {
        let id = TransitionId(number);
        if net.transition(id).probe {
            continue;
        }
        for at in places(net, id, lines, &ends) {
            let new = || Statement { at, transitions: Vec::new() };
            let statement = found.entry(at.start).or_insert_with(new);
            statement.at.end = statement.at.end.max(at.end);
            if statement.transitions.last() != Some(&id) {
                statement.transitions.push(id);
            }
        }
    }
    let statements = found.into_values().map(|statement| {
        let names = statement.transitions.iter().map(|id| net.transition(*id).name.as_str());
        let mut told = statement.at.to_json();
        told["transitions"] = json!(names.collect::<Vec<_>>());
        told
    });
    statements.collect()
}

/// Where a transition is written: of what two processes do together, two places.
fn places(net: &Net, id: TransitionId, lines: &Lines, ends: &Ends) -> Vec<Stretch> {
    let written = lang::in_text(lines.text(), net.transition(id).origin);
    let written = written.map(|range| lines.stretch(range));
    let starts = trace::statement_positions(net, id);
    if starts.is_empty() {
        return written.into_iter().collect();
    }
    let stretch = |start: (usize, usize)| {
        let whole = written.filter(|whole| whole.start == start);
        let first = || Stretch { start, end: ends.get(&start).copied().unwrap_or(start) };
        whole.unwrap_or_else(first)
    };
    starts.into_iter().map(stretch).collect()
}

/// Where the statements end that begin at a place, or their first lines.
type Ends = HashMap<(usize, usize), (usize, usize)>;

fn ends(net: &Net) -> Ends {
    let Some(listing) = net.listing.as_deref() else { return Ends::new() };
    let steps = listing.statements.iter().flatten().chain(listing.partners.values());
    let stops = listing.places.values().filter_map(|listed| match listed {
        Listed::Point { line, .. } | Listed::Frame { line, .. } => Some(line),
        _ => None,
    });
    let own = steps.chain(stops).filter(|line| !line.in_prelude);
    let ends = own.map(|Line { line, column, text, .. }| {
        let length = text.trim_end_matches('…').chars().count().max(1);
        ((*line, *column), (*line, column + length))
    });
    ends.collect()
}

/// Where the transitions of a net are written, by their names.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    stretches: HashMap<String, Stretch>,
}

impl Positions {
    pub(crate) fn of(net: Option<&Net>, lines: &Lines) -> Positions {
        let transitions = net.into_iter().flat_map(|net| &net.transitions);
        let stretches = transitions.filter(|one| !one.probe).filter_map(|transition| {
            let range = lang::in_text(lines.text(), transition.origin)?;
            Some((transition.name.clone(), lines.stretch(range)))
        });
        Positions { stretches: stretches.collect() }
    }

    /// Line and column of a transition.
    pub(crate) fn of_name(&self, name: &str) -> Option<(usize, usize)> {
        self.stretches.get(name).map(|at| at.start)
    }

    /// The transition that is written at a place, and where it begins: of several, the one that begins last.
    pub(crate) fn transition_at(
        &self,
        net: &Net,
        line: usize,
        column: Option<usize>,
    ) -> Option<(TransitionId, (usize, usize))> {
        let in_line = |at: &Stretch| (at.start.0..=at.end.0).contains(&line);
        let in_column = |at: &Stretch| {
            column.is_some_and(|column| (at.start..=at.end).contains(&(line, column)))
        };
        let found = self.found(net).filter(|(_, at)| in_line(at));
        // Where the column is beside all of them, the line is what is meant. Copies of one transition have the same
        // place: the first is meant.
        let found = found.max_by_key(|(id, at)| (in_column(at), at.start, std::cmp::Reverse(*id)));
        found.map(|(id, at)| (id, at.start))
    }

    /// The transitions that are written in a line.
    pub(crate) fn transitions_in(&self, net: &Net, line: usize) -> Vec<TransitionId> {
        let found = self.found(net).filter(|(_, at)| (at.start.0..=at.end.0).contains(&line));
        found.map(|(id, _)| id).collect()
    }

    fn found(&self, net: &Net) -> impl Iterator<Item = (TransitionId, Stretch)> {
        let all = net.transitions.iter().enumerate();
        all.filter_map(|(number, transition)| {
            let stretch = self.stretches.get(&transition.name)?;
            Some((TransitionId(number as u32), *stretch))
        })
    }
}
