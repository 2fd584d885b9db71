//! Which places get lifelines, and where.
//!
//! A place gets one if somebody waits for its tokens at the end of the trace, or if several take part in what
//! happens to them and messages between these would not show it: tokens that are there from the beginning,
//! that somebody takes and puts back, that are found absent. Locks, pools and shared variables are of this kind; what
//! one puts and another takes is a message from one to the other. At most [`MOST_PLACES`] are chosen, those
//! that are waited for and those that most take part in first. Each stands where the ways to it are shortest.
//!
//! In a net that was made of processes it is objects and global variables that get lifelines, an object if it is waited
//! for or several use it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use state::State;

use super::{Deed, Kind, Lifeline, Owner};
use crate::Trace;
use crate::change::{Change, Tokens};

const MOST_PLACES: usize = 4;

/// What happens to the tokens of a place.
#[derive(Default)]
struct Use<'a> {
    /// Who accesses them, once for each access.
    accesses: Vec<&'a Owner>,
    /// Whether messages between them do not show all of it.
    hidden: bool,
}

impl Use<'_> {
    fn users(&self) -> usize {
        self.accesses.iter().collect::<BTreeSet<_>>().len()
    }
}

/// Inserts the lifelines of places among those of threads and transitions, given what is done in each step.
pub(super) fn insert(
    lines: &mut Vec<Lifeline>,
    deeds: &[Deed],
    shared: &dyn Fn(&Arc<str>) -> Lifeline,
    awaited: &BTreeSet<Arc<str>>,
) {
    let mut uses: BTreeMap<&Arc<str>, Use> =
        awaited.iter().map(|place| (place, Use::default())).collect();
    for Deed { actors, transfers, .. } in deeds {
        for transfer in transfers {
            let found = uses.entry(&transfer.place).or_default();
            found.accesses.extend(actors);
            found.hidden |= transfer.is_object
                || transfer.kind == Kind::Absent
                || transfer.producers.iter().any(|put| {
                    put.is_none_or(|put| deeds[put].actors.iter().any(|one| actors.contains(one)))
                });
        }
    }
    let mut chosen: Vec<(&Arc<str>, Use)> = uses.into_iter().collect();
    chosen.retain(|(place, found)| awaited.contains(*place) || found.hidden && found.users() > 1);
    chosen.sort_by_cached_key(|(place, found)| {
        (!awaited.contains(*place), std::cmp::Reverse((found.users(), found.accesses.len())))
    });
    chosen.truncate(MOST_PLACES);

    let others: BTreeMap<Owner, usize> =
        lines.iter().map(|line| line.owner.clone()).zip(0..).collect();
    let mut at: Vec<(usize, Lifeline)> = Vec::new();
    for (place, found) in chosen {
        let users: Vec<usize> =
            found.accesses.iter().filter_map(|one| others.get(*one).copied()).collect();
        // A slot is before the line of its number; twice the way from there to the middle of a line.
        let way = |slot: usize| {
            users.iter().map(|&line| (2 * slot).abs_diff(2 * line + 1)).sum::<usize>()
        };
        let slot = (0..=lines.len()).rev().min_by_key(|&slot| way(slot)).unwrap_or_default();
        at.push((slot, shared(place)));
    }
    at.sort_by_key(|(slot, _)| *slot);
    for (slot, line) in at.into_iter().rev() {
        lines.insert(slot, line);
    }
}

/// That of a place of a net.
pub(super) fn lifeline(place: &Arc<str>, trace: &Trace, changes: &[Change]) -> Lifeline {
    let mut line = Lifeline::new(Owner::Place(place.clone()), place);
    line.labels.push((None, contents(place, &trace.run.initial)));
    for (i, (step, change)) in trace.run.steps.iter().zip(changes).enumerate() {
        if change.gained.iter().chain(&change.lost).any(|one| one.place == *place) {
            line.labels.push((Some(i), contents(place, &step.state)));
        }
    }
    let vacant = line.labels.iter().filter(|(_, label)| label == EMPTY);
    line.vacant = vacant.map(|(event, _)| *event).collect();
    line
}

/// What a place holds: `2 tokens`, `red, 2×blue`, or [`EMPTY`].
fn contents(place: &Arc<str>, state: &State) -> String {
    let texts: Vec<String> = state
        .tokens(place)
        .map(|(values, count)| match (values.is_empty(), count) {
            (true, 1) => "1 token".to_owned(),
            (true, count) => format!("{count} tokens"),
            _ => Tokens { place: place.clone(), values: values.clone(), count }.values_text(),
        })
        .collect();
    if texts.is_empty() { EMPTY.to_owned() } else { texts.join(", ") }
}

/// The label of a place without tokens.
const EMPTY: &str = "empty";
