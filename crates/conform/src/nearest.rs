//! The nearest explanation: the fewest edits of the log by which it conforms.
//!
//! An edit drops an event, adds one that is missing, or puts another in its place. Looked at is a part of the log around
//! where it differs: what comes before that part is explained as it is, and the part must be explained to its end. The
//! search (see `search`) is repeated with one more edit allowed, up to a bound.

use budget::Budget;

use crate::answer::{Edit, Nearest};
use crate::candidate::{self, EditKind};
use crate::engine::Engine;
use crate::event::Occurrence;
use crate::names::Retired;
use crate::search::{Bounds, Position, Search};
use crate::vocabulary::Vocabulary;

/// Looks for the fewest edits that explain `part` from a position on. Says also whether something was missed.
pub(crate) fn nearest(
    engine: &mut Engine,
    vocabulary: &Vocabulary,
    budget: &Budget,
    bounds: Bounds,
    from: &Position,
    retired: &Retired,
    part: &[Occurrence],
) -> (Option<Nearest>, bool) {
    let mut has_missed = false;
    for edits in 1..=bounds.edits {
        let bounds = Bounds { edits, ..bounds };
        let mut search = Search::new(engine, vocabulary, budget, bounds, from.clone());
        search.retired = retired.clone();
        let start = from.read();
        let mut rest = part.iter();
        let mut is_explained = false;
        loop {
            while search.wants_more()
                && !search.is_over()
                && let Some(next) = rest.next()
            {
                if search.push(next).is_err() {
                    return (None, true);
                }
            }
            if search.is_over() {
                break;
            }
            if search.is_done() && rest.len() == 0 {
                is_explained = true;
                break;
            }
            if !search.advance() {
                break;
            }
        }
        has_missed |= search.missed.is_some();
        if !is_explained {
            continue;
        }
        let best = search.at.layer.all.iter().min_by_key(|candidate| candidate.cost);
        let best = best.expect("what is explained has a candidate");
        let mut edits = Vec::new();
        let mut next = best.edits.as_deref();
        while let Some(candidate::Edit { before, event, kind }) = next {
            // Numbers count from the start of the log, of which the first part was explained before.
            let of = usize::try_from(event - start.min(*event)).unwrap_or(usize::MAX);
            let pending = from.event(*event).map(|event| (event.line, event.text.to_string()));
            let of_part = || part.get(of).map(|one| (one.line, one.text.to_string()));
            let at = pending.or_else(of_part);
            let say = |transition, said: &[_]| vocabulary.text(transition, said, &search.at.names);
            let (kind, logged, happened) = match kind {
                EditKind::Dropped => ("dropped", at.clone().map(|at| at.1), None),
                EditKind::Missing(id, said) => ("missing", None, Some(say(*id, said))),
                EditKind::Changed(id, said) => {
                    ("changed", at.clone().map(|at| at.1), Some(say(*id, said)))
                }
            };
            edits.push(Edit { line: at.map(|at| at.0), kind, logged, happened });
            next = before.as_deref();
        }
        edits.reverse();
        let pending = from.events.iter().map(|event| event.line);
        let to_line = part.iter().map(|one| one.line).chain(pending).max().unwrap_or(0);
        return (Some(Nearest { edits, to_line }), has_missed);
    }
    (None, has_missed)
}
